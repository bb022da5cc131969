// @ts-check
// The panel and the transport bar: options, camera, selection, plots, marks. Texts of the model are set as text only.

import { norm } from "./math.js";
import { FRAMES, NAMES } from "./replay.js";
import { GESTURES, bindings } from "./input.js";
import { Plot, shortNumber } from "./plots.js";
import { SPEEDS } from "./viewer.js";

/** @typedef {import("./viewer.js").Viewer} Viewer */
/** @typedef {"contacts" | "forces" | "state" | "islands" | "transparent" | "shadows" | "reflections" | "textures" | "skybox" | "haze" | "fog" | "skins" | "tendons" | "rangefinders"} Flag */

/** @type {[Flag, string, string][]} option, label, key */
const TOGGLES = [
  ["contacts", "Contacts", "C"], ["forces", "Forces", "F"], ["state", "Stick and slip", ""], ["islands", "Islands", "N"],
  ["transparent", "Transparent", "T"], ["tendons", "Tendons", "V"], ["skins", "Skins", ";"],
  ["rangefinders", "Rangefinders", "Y"],
];
/** @type {[Flag, string, string][]} */
const LOOKS = [
  ["shadows", "Shadows", "S"], ["reflections", "Reflections", "R"], ["textures", "Textures", "X"], ["skybox", "Skybox", "K"],
  ["haze", "Haze", "/"], ["fog", "Fog", "G"],
];
const STATES = ["within the gap", "no force", "sticks", "slips"];
// many plots are slow, and long lists are no help
const MAX_PLOTS = 12, MAX_TICKS = 400;
const DEGREES = 180 / Math.PI;

/** @template {HTMLElement} T @param {string} id @returns {T} */
export function byId(id) {
  return /** @type {T} */ (document.getElementById(id));
}

/** @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {string} text @returns {HTMLElementTagNameMap[K]} */
function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/** Fill a list of choices. @param {HTMLSelectElement} select @param {[string, string][]} choices value and text */
function fill(select, choices) {
  select.replaceChildren(...choices.map(([value, text]) => {
    const option = element("option", text);
    option.value = value;
    return option;
  }));
}

/** Pairs of term and value. @param {HTMLElement} list @param {[string, string][]} rows */
function describe(list, rows) {
  const known = [...list.querySelectorAll("dt, dd")], texts = rows.flat();
  if (known.length === texts.length) texts.forEach((text, i) => known[i].textContent === text || (known[i].textContent = text));
  else {
    list.replaceChildren(...rows.map(([term, value]) => {
      const row = document.createElement("div");
      row.append(element("dt", term), element("dd", value));
      return row;
    }));
  }
}

/** @param {ArrayLike<number>} vector @param {number} digits */
function vectorText(vector, digits) {
  return Array.from(vector, (v) => v.toFixed(digits).replace(/^-(0\.?0*)$/, "$1")).join(" \u2002");
}

/** The controls of the page. */
export class Panel {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    /** buttons that follow the options @type {(() => void)[]} */
    this.followers = [];
    /** @type {Map<number, Plot>} */
    this.plots = new Map();
    this.announced = "";
    this.root = byId("panel");
    this.time = /** @type {HTMLInputElement} */ (byId("time"));
    this.texts();
    this.options();
    this.views();
    this.transport();
    this.charts();
    this.markList();
    this.remarkList();
    viewer.listeners.push(() => this.update());
    this.setOpen(window.innerWidth > 900);
  }

  texts() {
    const { header } = this.viewer.replay, { error } = header;
    byId("title").textContent = header.title || header.file || "Kinetoscope";
    byId("origin").textContent = header.title && header.file && header.title !== header.file ? header.file : "";
    /** @type {[string, string][]} */
    const rows = [["File", header.file], ["SHA-256", header.sha256], ["Engine", header.engine], ["Made", header.created]];
    if (error) {
      const { position, angle, force } = error;
      rows.push(["Error of poses", `${shortNumber(1e3 * position)} mm, ${shortNumber(angle)}°`]);
      if (force) rows.push(["Error of forces", `${shortNumber(force)} N`]);
    }
    describe(byId("about"), rows.filter(([, value]) => value));
    byId("key-table").replaceChildren(...[
      ...GESTURES.map(([gesture, text]) => [gesture, text]),
      ...bindings(this.viewer).map(({ keys, text }) => [keys.map((name) => name.replace("Arrow", "")).join(", "), text]),
    ].map(([name, text]) => {
      const row = element("tr", ""), cell = element("td", "");
      cell.append(element("kbd", name));
      row.append(cell, element("td", text));
      return row;
    }));
  }

  /** A button that is on or off. @param {HTMLElement} parent @param {string} label @param {string} title @param {() => boolean} isOn @param {() => void} toggle */
  chip(parent, label, title, isOn, toggle) {
    const button = element("button", label);
    if (title) button.title = title;
    button.addEventListener("click", toggle);
    parent.append(button);
    this.followers.push(() => button.setAttribute("aria-pressed", String(isOn())));
  }

  options() {
    const { viewer } = this, { replay } = viewer, { header } = replay;
    /** @type {Partial<Record<Flag, any>>} */
    const has = {
      contacts: header.contacts, forces: header.contacts, state: header.contacts, islands: header.islands, tendons: header.tendons,
      rangefinders: header.rangefinders?.length, skins: replay.skins.length, skybox: header.skybox >= 0, textures: replay.textures.size, haze: header.haze,
    };
    for (const [parent, flags] of /** @type {[string, typeof TOGGLES][]} */ ([["toggles", TOGGLES], ["looks", LOOKS]])) {
      for (const [name, label, key] of flags) {
        if (name in has && !has[name]) continue;
        this.chip(byId(parent), label, key && `Key ${key}`, () => viewer.shown[name], () => viewer.show(name, !viewer.shown[name]));
      }
    }
    for (const [id, name] of /** @type {const} */ ([["geom-groups", "geomGroups"], ["site-groups", "siteGroups"]])) {
      const kind = name === "geomGroups" ? "geom" : "site", used = new Set(this.usedGroups(kind));
      (/** @type {HTMLElement} */ (byId(id).parentElement)).hidden = used.size === 0;
      for (const group of [0, 1, 2, 3, 4, 5].filter((k) => used.has(k))) {
        const toggle = () => viewer.show(name, viewer.shown[name].map((on, k) => (k === group ? !on : on)));
        this.chip(byId(id), String(group), "", () => viewer.shown[name][group], toggle);
      }
    }
    this.choice("names", NAMES, () => viewer.shown.names, (value) => viewer.show("names", value));
    this.choice("frames", FRAMES, () => viewer.shown.frames, (value) => viewer.show("frames", value));
  }

  /** Groups of geoms or sites of the model. @param {string} kind */
  usedGroups(kind) {
    const { instances } = this.viewer.replay, wanted = kind === "geom" ? 1 : 2;
    return Array.from({ length: instances.table.count }, (_, i) => i).filter((i) => instances.kind(i) === wanted).map((i) => instances.table.group[i]);
  }

  /** A list of choices that follows a value. @param {string} id @param {string[]} values @param {() => string} get @param {(value: string) => void} set @param {string[]} texts */
  choice(id, values, get, set, texts = values) {
    const select = /** @type {HTMLSelectElement} */ (byId(id));
    fill(select, values.map((value, k) => [value, texts[k]]));
    select.addEventListener("change", () => set(select.value));
    this.followers.push(() => select.value === get() || (select.value = get()));
  }

  views() {
    const { viewer } = this, { replay } = viewer, { bodies, header } = replay;
    const cameras = Array.from(header.cameras, (_, k) => String(k)), all = Array.from({ length: bodies.count }, (_, k) => k);
    const moving = all.filter((body) => bodies.weld[body] > 0), texts = (/** @type {number[]} */ list) => list.map((body) => replay.name("body", body));
    this.choice("camera", ["-1", ...cameras], () => String(viewer.cameraIndex), (value) => viewer.setCamera(Number(value)),
      ["free", ...cameras.map((k) => replay.name("camera", Number(k)))]);
    this.choice("follow", ["0", ...moving.map(String)], () => String(viewer.follow), (value) => viewer.setFollow(Number(value)), ["nothing", ...texts(moving)]);
    const select = (/** @type {string} */ value) => viewer.select(Number(value) > 0 ? { kind: "body", index: Number(value) } : null);
    const selected = () => String(viewer.selection?.kind === "body" ? viewer.selection.index : 0);
    this.choice("body", all.map(String), selected, select, ["nothing", ...texts(all.slice(1))]);
    byId("whole").addEventListener("click", () => viewer.wholeModel());
    byId("link").addEventListener("click", () => this.copyLink());
    byId("keys").addEventListener("click", () => this.help());
    byId("contact-before").addEventListener("click", () => viewer.nextContact(-1));
    byId("contact-next").addEventListener("click", () => viewer.nextContact(1));
    byId("contact-row").hidden = !header.contacts;
  }

  help() {
    /** @type {HTMLDialogElement} */ (byId("help")).showModal();
  }

  /** The address of this moment and view into the address bar and the clipboard; where there is none, to copy by hand. */
  async copyLink() {
    const { link } = this.viewer, address = location.href.replace(/#.*$/, "") + link;
    try {
      history.replaceState(null, "", link);
    } catch {
      // a page inside of another one may not have an address
    }
    try {
      await navigator.clipboard.writeText(address);
      this.say("Link copied");
    } catch {
      const field = /** @type {HTMLInputElement} */ (byId("address"));
      field.value = address;
      /** @type {HTMLDialogElement} */ (byId("copy")).showModal();
      field.select();
    }
  }

  /** To those who listen, and for a moment to all. @param {string} text */
  say(text) {
    byId("said").textContent = text;
    const tip = byId("tip"), box = byId("transport").getBoundingClientRect();
    tip.textContent = text;
    tip.hidden = false;
    tip.style.left = "0.6em";
    tip.style.top = `${box.top - tip.offsetHeight - 8}px`;
    window.setTimeout(() => (tip.hidden = true), 1500);
  }

  transport() {
    const { viewer, time } = this, { replay } = viewer;
    time.max = String(replay.time.count - 1);
    time.addEventListener("input", () => viewer.seekFrame(Number(time.value)));
    byId("play").addEventListener("click", () => viewer.setPlaying(!viewer.playing));
    byId("loop").addEventListener("click", () => {
      viewer.loop = !viewer.loop;
      viewer.changed();
    });
    this.choice("speed", SPEEDS.map(String), () => String(viewer.speed), (value) => {
      viewer.speed = Number(value);
      viewer.changed();
    }, SPEEDS.map((speed) => `× ${speed}`));
    byId("full").addEventListener("click", () => {
      const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.();
      done?.catch(() => this.say("Full screen is not allowed here"));
    });
    byId("full").hidden = !document.fullscreenEnabled;
    byId("fold").addEventListener("click", () => this.setOpen(Boolean(this.root.hidden)));
    this.scrubTip();
  }

  /** Time and mark under the pointer on the timeline. */
  scrubTip() {
    const { viewer, time } = this, { marks, time: span } = viewer.replay;
    time.addEventListener("pointermove", (event) => {
      const box = time.getBoundingClientRect(), share = (event.clientX - box.left - 8) / Math.max(box.width - 16, 1);
      const now = span.start + Math.min(Math.max(share, 0), 1) * (viewer.replay.end - span.start);
      this.tip(event, this.timeText(now));
    });
    time.addEventListener("pointerleave", () => this.tip(null, ""));
    const length = Math.max(viewer.replay.end - span.start, 1e-9);
    byId("ticks").replaceChildren(...marks.slice(0, MAX_TICKS).map((mark) => {
      const tick = element("button", "");
      tick.tabIndex = -1;
      tick.setAttribute("aria-label", mark.text);
      tick.style.left = `${(100 * (mark.time - span.start)) / length}%`;
      tick.addEventListener("click", () => viewer.seek(mark.time));
      tick.addEventListener("pointermove", (event) => this.tip(event, `${this.timeText(mark.time)}  ${mark.text}`));
      tick.addEventListener("pointerleave", () => this.tip(null, ""));
      return tick;
    }));
  }

  /** A short text at the pointer. @param {PointerEvent | null} event @param {string} text */
  tip(event, text) {
    const tip = byId("tip");
    tip.hidden = !event;
    if (!event) return;
    tip.textContent = text;
    tip.style.left = `${Math.max(Math.min(event.clientX + 10, window.innerWidth - tip.offsetWidth - 4), 4)}px`;
    tip.style.top = `${Math.max(event.clientY - tip.offsetHeight - 12, 4)}px`;
  }

  /** @param {number} time s */
  timeText(time) {
    return `${time.toFixed(this.viewer.replay.time.fps > 100 ? 3 : 2)} s`;
  }

  charts() {
    const { viewer } = this, { series } = viewer.replay, select = /** @type {HTMLSelectElement} */ (byId("series"));
    byId("plots-section").hidden = !series.length;
    fill(select, [["", "Add …"], ...series.map(({ label, unit }, k) => /** @type {[string, string]} */ ([String(k), unit ? `${label}, ${unit}` : label]))]);
    select.addEventListener("change", () => {
      if (select.value) this.addPlot(Number(select.value));
      select.value = "";
    });
    const chosen = viewer.replay.header.plots?.length ?? 0;
    for (let k = 0; k < Math.min(chosen, MAX_PLOTS); k++) this.addPlot(k);
  }

  /** @param {number} index */
  addPlot(index) {
    const { viewer, plots } = this, { series, time } = viewer.replay;
    if (plots.has(index) || plots.size >= MAX_PLOTS) return;
    const plot = new Plot(series[index], time.count, {
      seek: (frame) => viewer.seekFrame(frame),
      hover: (event, text) => this.tip(event, text),
      timeOf: (frame) => this.timeText(viewer.timeOf(frame)),
      close: () => {
        plots.delete(index);
        plot.figure.remove();
        this.tip(null, "");
      },
    });
    plots.set(index, plot);
    byId("plots").append(plot.figure);
    plot.update(viewer.replay.frame);
  }

  markList() {
    const { viewer } = this, { marks } = viewer.replay;
    byId("marks-section").hidden = !marks.length;
    byId("marks").replaceChildren(...marks.map((mark) => {
      const item = element("li", ""), button = element("button", "");
      button.append(element("time", this.timeText(mark.time)), element("span", mark.text));
      button.addEventListener("click", () => viewer.seek(mark.time));
      item.append(button);
      return item;
    }));
  }

  /** What the doctor says of the model. */
  remarkList() {
    const { remarks } = this.viewer.replay.header, doctor = byId("doctor");
    doctor.hidden = !remarks?.length;
    if (doctor.hidden) return;
    /** @type {HTMLElement} */ (doctor.querySelector("summary")).textContent = `Doctor: ${remarks.length}`;
    byId("remarks").replaceChildren(...remarks.map((/** @type {{severity: string, text: string}} */ { severity, text }) => {
      const item = element("li", "");
      item.className = severity;
      item.append(element("b", severity), element("span", text));
      return item;
    }));
  }

  /** @param {boolean} open */
  setOpen(open) {
    this.root.hidden = !open;
    byId("fold").setAttribute("aria-expanded", String(open));
    if (open) this.update();
  }

  /** After a picture: all controls as things are now. */
  update() {
    const { viewer, time } = this, { replay } = viewer, frame = replay.frame, text = this.timeText(viewer.timeOf(frame));
    if (time.value !== String(frame)) time.value = String(frame);
    time.setAttribute("aria-valuetext", text);
    byId("clock").textContent = `${text} / ${this.timeText(replay.end)}`;
    byId("play").classList.toggle("playing", viewer.playing);
    byId("play").setAttribute("aria-label", viewer.playing ? "Pause" : "Play");
    byId("loop").setAttribute("aria-pressed", String(viewer.loop));
    for (const follow of this.followers) follow();
    this.announce();
    if (this.root.hidden) return;
    describe(byId("values"), this.values());
    byId("contact-number").textContent = this.contactText();
    for (const plot of this.plots.values()) plot.update(frame);
  }

  /** Say what has been selected. */
  announce() {
    const { selection, replay } = this.viewer, key = selection ? `${selection.kind} ${selection.kind === "body" ? selection.index : ""}` : "";
    if (key === this.announced) return;
    this.announced = key;
    const name = !selection ? "" : selection.kind === "body" ? replay.name("body", selection.index) : replay.pair(replay.contact(selection.index));
    byId("said").textContent = name;
    if (selection && this.root.hidden && window.innerWidth > 700) this.setOpen(true);
  }

  contactText() {
    const contacts = this.viewer.replay.contacts(), { selection } = this.viewer;
    const place = selection?.kind === "contact" ? contacts.findIndex(({ index }) => index === selection.index) : -1;
    return place < 0 ? `${contacts.length}` : `${place + 1} of ${contacts.length}`;
  }

  /** Numbers of the selection. @returns {[string, string][]} */
  values() {
    const { selection, replay } = this.viewer;
    if (!selection) return [];
    return selection.kind === "body" ? this.bodyValues(selection.index) : this.contactValues(replay.contact(selection.index));
  }

  /** @param {number} body @returns {[string, string][]} */
  bodyValues(body) {
    const { replay } = this.viewer, m = replay.rotation.subarray(9 * body, 9 * body + 9), { mass, parent, tree } = replay.bodies;
    // Euler angles about the fixed axes x, y, z
    const angles = [Math.atan2(m[7], m[8]), Math.asin(Math.min(Math.max(-m[6], -1), 1)), Math.atan2(m[3], m[0])];
    /** @type {[string, string][]} */
    const rows = [
      ["Name", replay.name("body", body)], ["Mass", `${shortNumber(mass[body])} kg`],
      ["Position", `${vectorText(replay.position.subarray(3 * body, 3 * body + 3), 4)} m`],
      ["Rotation", `${vectorText(angles.map((angle) => DEGREES * angle), 2)} °`],
      ["Centre of mass", `${vectorText(replay.centre(body), 4)} m`], ["Parent", replay.name("body", parent[body])],
    ];
    if (tree[body] >= 0) rows.push(["Tree", String(tree[body])]);
    return rows;
  }

  /** @param {import("./decor.js").Contact} contact @returns {[string, string][]} */
  contactValues(contact) {
    const { replay } = this.viewer, { normal, friction, coefficient, used, world } = replay.contactNumbers(contact);
    /** @type {[string, string][]} */
    const rows = [
      ["Between", replay.pair(contact)], ["State", STATES[contact.state]], ["Normal force", `${shortNumber(normal)} N`],
      ["Friction force", `${shortNumber(friction)} N`], ["Force", `${shortNumber(norm(contact.force))} N`],
      ["In the world", `${world.map(shortNumber).join("  ")} N`], ["Distance", `${shortNumber(1e3 * contact.dist)} mm`],
      ["Friction", contact.dim > 1 ? shortNumber(coefficient) : "none"], ["Position", `${vectorText(contact.position, 4)} m`],
    ];
    if (Number.isFinite(used)) rows.splice(4, 0, ["Of the limit", `${(100 * used).toFixed(0)} %`]);
    return rows;
  }
}
