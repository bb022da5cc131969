// @ts-check
// Mouse, touch, keys and text of the live page, as events for the host. Touch becomes what a mouse would do.

/** An event for the host: its kind, then what app/web/live/protocol.py says. @typedef {(string | number)[]} HostEvent */

/**
 * Where events go, and what the page knows.
 * @typedef {object} Sink
 * @property {(event: HostEvent, soon?: boolean) => void} put `soon`: may wait for the next picture
 * @property {(text: string) => void} paste the clipboard, before the key that pastes it
 * @property {(files: DataTransfer) => void} drop
 */

export const MODIFIER = { CTRL: 1, SHIFT: 2, ALT: 4 };
const MAC = /mac|iphone|ipad/i.test(navigator.platform), TOUCH = matchMedia("(pointer: coarse)").matches;
// keyboards on a screen report no keys: what they delete has to be there
const SENTINEL = TOUCH ? "\u200b" : "";
const EDITS = new Map([["deleteContentBackward", "Backspace"], ["insertLineBreak", "Enter"], ["insertParagraph", "Enter"]]);
// codes of keys whose unshifted sign says what they mean, whatever the layout
const SIGNS = new Map([
  ["-", "Minus"], ["=", "Equal"], ["[", "BracketLeft"], ["]", "BracketRight"], ["\\", "Backslash"], [";", "Semicolon"],
  ["'", "Quote"], ["`", "Backquote"], [",", "Comma"], [".", "Period"], ["/", "Slash"],
]);
// what the browser keeps: reload, full screen, tabs and windows, its tools, zoom back to 100 %
const KEPT = new Set(["F5", "F11", "Ctrl+KeyT", "Ctrl+KeyW", "Ctrl+KeyN", "Ctrl+Shift+KeyT", "Ctrl+Shift+KeyW", "Ctrl+Shift+KeyN",
  "Ctrl+Shift+KeyI", "Ctrl+Shift+KeyJ", "Ctrl+Digit0", "Ctrl+Tab", "Ctrl+Shift+Tab", "Alt+ArrowLeft", "Alt+ArrowRight", "Alt+KeyD"]);
const PASTES = new Set(["Ctrl+KeyV", "Shift+Insert"]);
// a finger that moves less (points) taps; one that stays as long (ms) is the right button
const TAP_POINTS = 8, LONG_PRESS = 500;
// two taps this near (points) and soon (ms) are at one place
const TWICE_POINTS = 30, TWICE = 350;
// pixels of the wheel for a notch, and lines
const NOTCH_PIXELS = 100, NOTCH_LINES = 3;
const LARGEST_NOTCHES = 4;

/** @param {KeyboardEvent | MouseEvent} event */
function modifiersOf(event) {
  const ctrl = event.ctrlKey || (MAC && event.metaKey);
  return (ctrl ? MODIFIER.CTRL : 0) | (event.shiftKey ? MODIFIER.SHIFT : 0) | (event.altKey ? MODIFIER.ALT : 0);
}

/** @param {number} modifiers @param {string} code */
function withModifiers(modifiers, code) {
  const names = /** @type {[number, string][]} */ ([[MODIFIER.CTRL, "Ctrl+"], [MODIFIER.SHIFT, "Shift+"], [MODIFIER.ALT, "Alt+"]]);
  return names.filter(([bit]) => modifiers & bit).map(([, name]) => name).join("") + code;
}

/** Keys and text. */
export class Keys {
  /** @param {HTMLElement} canvas @param {HTMLTextAreaElement} field hidden; where text is composed @param {Sink} sink */
  constructor(canvas, field, sink) {
    this.canvas = canvas;
    this.field = field;
    this.sink = sink;
    /** keys that are down, by their place on the keyboard: how the host knows them @type {Map<string, {code: string, key: string}>} */
    this.down = new Map();
    /** what keys mean in the layout @type {Map<string, string>} */
    this.meanings = new Map();
    this.composing = false;
    this.typing = false;
    /** the key that pastes, until the clipboard is here @type {(() => void) | null} */
    this.pasting = null;
    for (const target of [canvas, field]) {
      target.addEventListener("keydown", (event) => this.press(event));
      target.addEventListener("keyup", (event) => this.lift(event));
    }
    field.addEventListener("compositionstart", () => this.compose(true));
    field.addEventListener("compositionend", () => this.compose(false));
    field.addEventListener("input", () => this.typed());
    field.addEventListener("beforeinput", (event) => this.edit(event));
    canvas.addEventListener("pointerdown", () => this.wanted.focus({ preventScroll: true }));
    document.addEventListener("paste", (event) => this.paste(event));
    addEventListener("blur", () => this.releaseAll());
    document.addEventListener("visibilitychange", () => document.hidden && this.releaseAll());
    addEventListener("focus", () => sink.put(["f", 1]));
  }

  /** Put the keyboard where it belongs: to the field while the host takes text. @param {boolean} typing */
  focus(typing) {
    const active = document.activeElement;
    this.typing = typing;
    this.clear();
    if (active === this.canvas || active === this.field || active === document.body) this.wanted.focus({ preventScroll: true });
  }

  get wanted() {
    return this.typing ? this.field : this.canvas;
  }

  clear() {
    if (!this.composing && this.field.value !== SENTINEL) this.field.value = SENTINEL;
  }

  /** The code of a key by what it means in the layout. @param {KeyboardEvent} event */
  codeOf(event) {
    const { key, code } = event, plain = key.length === 1 && !event.altKey && !event.getModifierState("AltGraph");
    let meaning = "";
    if (plain && /^[a-z]$/i.test(key)) meaning = `Key${key.toUpperCase()}`;
    else if (plain && !event.shiftKey && /^[0-9]$/.test(key) && !code.startsWith("Numpad")) meaning = `Digit${key}`;
    else if (plain && !event.shiftKey && !code.startsWith("Numpad")) meaning = SIGNS.get(key) ?? "";
    if (meaning) this.meanings.set(code, meaning);
    return meaning || this.meanings.get(code) || code;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.isComposing || event.keyCode === 229) return;
    const code = this.codeOf(event), modifiers = modifiersOf(event), name = withModifiers(modifiers, code);
    if (KEPT.has(name)) return;
    // where there is no other key for it, Alt makes signs
    const graph = event.getModifierState("AltGraph") || (MAC && event.altKey && !(modifiers & MODIFIER.CTRL) && this.typing);
    const shortcut = Boolean(modifiers & (MODIFIER.CTRL | MODIFIER.ALT)) && !graph;
    const text = event.key.length === 1 && !shortcut ? event.key : "";
    const inField = event.target === this.field && (text || event.key === "Dead" || event.key === "Process");
    const held = graph ? modifiers & MODIFIER.SHIFT : modifiers;
    if (PASTES.has(name)) {
      this.awaitPaste(() => this.tell(event, code, held));
      return;
    }
    // the field turns keys into text by itself
    if (!inField) event.preventDefault();
    if (!event.repeat) this.tell(event, code, held);
    if (text && !inField) this.sink.put(["t", text]);
  }

  /** @param {KeyboardEvent} event @param {string} code @param {number} modifiers */
  tell(event, code, modifiers) {
    this.down.set(event.code, { code, key: event.key });
    this.sink.put(["k", code, event.key, 1, modifiers]);
  }

  /** @param {KeyboardEvent} event */
  lift(event) {
    const known = this.down.get(event.code), modifiers = modifiersOf(event);
    // while the command key is held, other keys are not reported when they are released
    if (MAC && event.key === "Meta") this.releaseKeys(modifiers);
    else if (known && this.down.delete(event.code)) this.sink.put(["k", known.code, known.key, 0, modifiers]);
  }

  /** @param {number} modifiers */
  releaseKeys(modifiers) {
    for (const { code, key } of this.down.values()) this.sink.put(["k", code, key, 0, modifiers]);
    this.down.clear();
  }

  /** The page has lost the focus. */
  releaseAll() {
    this.releaseKeys(0);
    this.sink.put(["f", 0]);
  }

  // text

  /** @param {boolean} composing */
  compose(composing) {
    this.composing = composing;
    this.field.classList.toggle("composing", composing);
    if (!composing) this.typed();
  }

  /** Send what the field has. */
  typed() {
    if (this.composing) return;
    const text = this.field.value.replaceAll(SENTINEL || "\n", "");
    this.clear();
    if (text) this.sink.put(["t", text]);
  }

  /** Keys of a keyboard that reports none. @param {InputEvent} event */
  edit(event) {
    const code = EDITS.get(event.inputType);
    if (!code || this.composing) return;
    event.preventDefault();
    for (const down of [1, 0]) this.sink.put(["k", code, code, down, 0]);
  }

  // clipboard

  /** The key goes after the clipboard. @param {() => void} key */
  awaitPaste(key) {
    this.pasting = key;
    setTimeout(() => this.finishPaste(), 50);
  }

  finishPaste() {
    const key = this.pasting;
    this.pasting = null;
    key?.();
  }

  /** @param {ClipboardEvent} event */
  paste(event) {
    const target = /** @type {Element} */ (event.target), text = event.clipboardData?.getData("text/plain") ?? "";
    if (target !== this.field && target !== this.canvas && target !== document.body) return;
    event.preventDefault();
    if (event.clipboardData?.files.length && !text) this.sink.drop(event.clipboardData);
    else this.sink.paste(text);
    this.finishPaste();
  }
}

/** Mouse and fingers. */
export class Pointers {
  /** @param {HTMLElement} canvas @param {Sink} sink @param {(x: number, y: number, dx: number, dy: number, zoom: number) => void} pinch two fingers: where, by how many points, and zoom */
  constructor(canvas, sink, pinch) {
    this.canvas = canvas;
    this.sink = sink;
    this.pinch = pinch;
    // of the interface on this page
    this.scale = 1;
    this.buttons = 0;
    this.last = { x: 0, y: 0 };
    /** @type {Map<number, {x: number, y: number}>} */
    this.fingers = new Map();
    /** the first finger: where it was put down, and the button that it holds, -1 for none yet */
    this.finger = { x: 0, y: 0, button: -1, timer: 0 };
    this.tap = { x: 0, y: 0, time: -Infinity };
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) canvas.addEventListener(name, (event) => this.lift(event));
    canvas.addEventListener("lostpointercapture", (event) => event.pointerType !== "touch" && !event.buttons && this.buttonsAre(event, 0));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    for (const name of ["contextmenu", "auxclick"]) canvas.addEventListener(name, (event) => event.preventDefault());
    for (const name of /** @type {const} */ (["dragover", "drop"])) {
      document.addEventListener(name, (event) => this.drop(event));
    }
    addEventListener("blur", () => this.releaseAll());
  }

  /** A point of the interface. @param {MouseEvent} event */
  at(event) {
    const box = this.canvas.getBoundingClientRect(), round = (/** @type {number} */ v) => Math.round((100 * v) / this.scale) / 100;
    return { x: round(event.clientX - box.left), y: round(event.clientY - box.top) };
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.pointerType === "touch") {
      this.touch(event);
      return;
    }
    event.preventDefault();
    this.canvas.setPointerCapture(event.pointerId);
    this.buttonsAre(event, event.buttons);
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (event.pointerType === "touch") this.moveFinger(event);
    else {
      const { x, y } = this.at(event);
      this.sink.put(["m", x, y], true);
      // a second button that goes down while the first is held is a move
      if (event.buttons !== this.buttons) this.buttonsAre(event, event.buttons);
    }
  }

  /** @param {PointerEvent} event */
  lift(event) {
    if (event.pointerType === "touch") this.liftFinger(event);
    else this.buttonsAre(event, event.type === "pointercancel" ? 0 : event.buttons);
  }

  /** Tell which buttons have changed. @param {PointerEvent} event @param {number} buttons */
  buttonsAre(event, buttons) {
    const changed = this.buttons ^ buttons, { x, y } = this.at(event);
    this.buttons = buttons;
    this.last = { x, y };
    for (const button of [0, 1, 2]) {
      if (changed & (1 << button)) this.sink.put(["b", button, buttons & (1 << button) ? 1 : 0, x, y, modifiersOf(event)]);
    }
  }

  /** Lost events end no drag: release what is held. */
  releaseAll() {
    for (const button of [0, 1, 2]) if (this.buttons & (1 << button)) this.sink.put(["b", button, 0, this.last.x, this.last.y, 0]);
    this.buttons = 0;
    this.letGo();
    this.fingers.clear();
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    const { x, y } = this.at(event), unit = [1 / NOTCH_PIXELS, 1 / NOTCH_LINES, 1][event.deltaMode] ?? 1;
    const notches = (/** @type {number} */ delta) => Math.max(Math.min(-delta * unit, LARGEST_NOTCHES), -LARGEST_NOTCHES);
    // a pinch on a trackpad comes as a wheel with Ctrl, in small steps
    const zoom = event.ctrlKey && event.deltaMode === 0 && Math.abs(event.deltaY) < NOTCH_PIXELS / 2 ? 5 : 1;
    this.sink.put(["w", notches(event.deltaX), zoom * notches(event.deltaY), x, y], true);
  }

  /** @param {DragEvent} event */
  drop(event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (event.type === "drop") this.sink.drop(event.dataTransfer);
  }

  // fingers

  /** @param {PointerEvent} event */
  touch(event) {
    event.preventDefault();
    this.canvas.setPointerCapture(event.pointerId);
    const at = this.at(event), first = this.fingers.size === 0;
    this.fingers.set(event.pointerId, at);
    if (!first) {
      this.letGo();
      this.finger.button = -2;
      return;
    }
    this.finger = { ...at, button: -1, timer: window.setTimeout(() => this.hold(2), LONG_PRESS) };
    this.sink.put(["m", at.x, at.y]);
  }

  /** Hold a button where the finger was put down. @param {number} button */
  hold(button) {
    clearTimeout(this.finger.timer);
    this.finger.button = button;
    this.last = { x: this.finger.x, y: this.finger.y };
    this.sink.put(["b", button, 1, this.finger.x, this.finger.y, 0]);
  }

  letGo() {
    clearTimeout(this.finger.timer);
    if (this.finger.button >= 0) this.sink.put(["b", this.finger.button, 0, this.last.x, this.last.y, 0]);
    this.finger.button = -1;
  }

  /** @param {PointerEvent} event */
  moveFinger(event) {
    const before = this.fingers.get(event.pointerId), { finger } = this, at = this.at(event);
    if (!before) return;
    if (this.fingers.size > 1) this.pinchBy(event.pointerId, before, at);
    else if (finger.button >= 0 || (finger.button === -1 && Math.hypot(at.x - finger.x, at.y - finger.y) > TAP_POINTS)) {
      if (finger.button < 0) this.hold(0);
      this.last = at;
      this.sink.put(["m", at.x, at.y], true);
    }
    this.fingers.set(event.pointerId, at);
  }

  /** Two fingers: pan by their middle, zoom by their distance. @param {number} id @param {{x: number, y: number}} before @param {{x: number, y: number}} at */
  pinchBy(id, before, at) {
    const other = [...this.fingers].find(([key]) => key !== id)?.[1];
    if (!other) return;
    const distance = (/** @type {{x: number, y: number}} */ one) => Math.max(Math.hypot(one.x - other.x, one.y - other.y), 1);
    const zoom = Math.log(distance(at) / distance(before)) / 3;
    this.pinch((at.x + other.x) / 2, (at.y + other.y) / 2, (at.x - before.x) / 2, (at.y - before.y) / 2, zoom);
  }

  /** @param {PointerEvent} event */
  liftFinger(event) {
    const at = this.fingers.get(event.pointerId);
    if (!this.fingers.delete(event.pointerId) || !at || this.fingers.size) return;
    if (this.finger.button === -1 && event.type !== "pointercancel") this.tapped(event.timeStamp);
    this.letGo();
    // a finger that is lifted is nowhere
    this.last = { x: -1, y: -1 };
    this.sink.put(["m", -1, -1]);
  }

  /** Press where the finger was; twice at one place for a double tap. @param {number} time */
  tapped(time) {
    const { finger, tap } = this;
    if (time - tap.time < TWICE && Math.hypot(finger.x - tap.x, finger.y - tap.y) < TWICE_POINTS) finger.x = tap.x, finger.y = tap.y;
    this.tap = { x: finger.x, y: finger.y, time };
    this.hold(0);
  }
}
