// @ts-check
// The chip in the corner: who drives, who watches, asking for control and handing it over.

/** @typedef {{id: number, name: string, owner: boolean}} Person */

const NAME = "kinetoscope name", LONGEST_NAME = 40;

/** @param {string} id */
export function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/** @param {string} text @param {() => void} act */
function button(text, act) {
  const made = document.createElement("button");
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}

/** The name that this visitor has given; browsers may keep nothing. */
export function ownName() {
  try {
    return localStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}

/** Who looks at this viewer. */
export class People {
  /** @param {(message: object) => void} send @param {() => void} follow look with the driver's camera again */
  constructor(send, follow) {
    this.send = send;
    this.follow = follow;
    this.you = 0;
    this.driver = 0;
    /** @type {Person[]} */
    this.list = [];
    /** @type {number[]} */
    this.asking = [];
    this.asked = false;
    this.ownCamera = false;
    const name = /** @type {HTMLInputElement} */ (element("name"));
    name.value = ownName();
    name.addEventListener("change", () => {
      const wanted = name.value.trim().slice(0, LONGEST_NAME);
      try {
        localStorage.setItem(NAME, wanted);
      } catch {
        // it is known for as long as the page is open
      }
      this.send({ t: "name", s: wanted });
    });
    this.show();
  }

  /** The connection is lost: who is there is not known. */
  forget() {
    this.you = this.driver = 0;
    this.asked = false;
    this.show();
  }

  /** Whether this page's input counts. */
  get drives() {
    return this.driver !== 0 && this.driver === this.you;
  }

  /** @param {any} message */
  take({ driver, list, asking }) {
    this.driver = driver;
    this.list = list;
    this.asking = asking ?? [];
    if (this.drives || !this.asking.includes(this.you)) this.asked = false;
    this.show();
  }

  /** @param {boolean} own whether this page looks with a camera of its own */
  setCamera(own) {
    if (own === this.ownCamera) return;
    this.ownCamera = own;
    this.show();
  }

  /** @param {number} id */
  nameOf(id) {
    const found = this.list.find((person) => person.id === id);
    return id === this.you ? "you" : found?.name || `visitor ${id}`;
  }

  show() {
    const chip = element("people"), { list, drives } = this;
    chip.hidden = !this.you || (drives && list.length < 2);
    const others = list.length - 1;
    element("who").textContent = drives
      ? `You drive, ${others} ${others === 1 ? "watches" : "watch"}`
      : this.driver ? `${this.nameOf(this.driver)} drives` : "Nobody drives";
    const acts = [];
    if (drives) {
      for (const id of this.asking) {
        acts.push(button(`Hand over to ${this.nameOf(id)}`, () => this.send({ t: "give", to: id })));
        acts.push(button("Not now", () => this.send({ t: "deny", to: id })));
      }
    } else {
      const ask = button(this.driver ? (this.asked ? "Asked …" : "Ask for control") : "Take control", () => {
        this.asked = Boolean(this.driver);
        this.send({ t: "drive" });
        this.show();
      });
      ask.disabled = this.asked;
      acts.push(ask);
      if (this.ownCamera) acts.push(button("Their camera", this.follow));
    }
    element("acts").replaceChildren(...acts);
    const names = list.map(({ id, name, owner }) => {
      const line = document.createElement("li");
      line.textContent = `${name || `visitor ${id}`}${id === this.you ? " (you)" : ""}${owner ? ", owner" : ""}${id === this.driver ? ", drives" : ""}`;
      if (drives && id !== this.you) line.append(button("Hand over", () => this.send({ t: "give", to: id })));
      return line;
    });
    element("list").replaceChildren(...names);
  }
}
