// @ts-check
// Opens the replay of the page and connects the controls.

import { bytesOfBase64, gunzipped } from "./payload.js";
import { Replay } from "./replay.js";
import { Viewer } from "./viewer.js";
import { Gestures, bindings, keyName } from "./input.js";
import { Panel, byId } from "./panel.js";

/** Whether a key belongs to the control that has the focus. @param {KeyboardEvent} event @param {string} name */
function belongsToControl(event, name) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest("dialog")) return true;
  if (target.matches("select, input:not([type=range])")) return true;
  if (target.matches("button, summary")) return name === "Space" || name === "Enter";
  return target.matches("input[type=range]") && /^(Arrow|Home|End|Page)/.test(name);
}

/** @param {Viewer} viewer @param {Panel} panel */
function listenToKeys(viewer, panel) {
  const actions = new Map(bindings(viewer).flatMap(({ keys, act }) => keys.map((key) => [key, act])));
  actions.set("?", () => panel.help());
  document.addEventListener("keydown", (event) => {
    const name = keyName(event), act = actions.get(name);
    if (!act || belongsToControl(event, name)) return;
    event.preventDefault();
    act();
  });
}

async function main() {
  const message = byId("message");
  try {
    const packed = bytesOfBase64(byId("payload").textContent ?? "");
    byId("payload").textContent = "";
    const replay = await Replay.open(await gunzipped(packed));
    const canvas = /** @type {HTMLCanvasElement} */ (byId("picture")), labels = /** @type {HTMLCanvasElement} */ (byId("labels"));
    const viewer = new Viewer(replay, JSON.parse(byId("shaders").textContent ?? "{}"), canvas, labels);
    const panel = new Panel(viewer);
    new Gestures(viewer);
    listenToKeys(viewer, panel);
    addEventListener("hashchange", () => viewer.openLink(location.hash));
    viewer.openLink(location.hash);
    message.textContent = "";
    viewer.drawNow(viewer.pace.preset);
    performance.mark("first picture");
    // for tests, and for people with a console
    Object.assign(globalThis, { kinetoscope: viewer });
  } catch (error) {
    message.textContent = `This replay cannot be shown: ${error instanceof Error ? error.message : error}`;
  }
}

main();
