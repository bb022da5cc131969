// @ts-check
// What goes between the page's computer and the host: clipboard, dropped files, files that were made.

import { element } from "./people.js";

/** @typedef {import("./link.js").Link} Link */

// bytes that may wait in the connection before more of a file is read
const MOST_WAITING = 1 << 20, PAUSE = 20;
const NOTE_SECONDS = 6, FILE_SECONDS = 60;

/** Show something for some seconds. @param {string | HTMLElement} content @param {number} seconds */
export function note(content, seconds = NOTE_SECONDS) {
  const line = document.createElement("p");
  line.append(content);
  element("notes").append(line);
  setTimeout(() => line.remove(), 1e3 * seconds);
  return line;
}

/** Text that the host has copied. */
export class Clipboard {
  constructor() {
    /** @type {string | null} */
    this.waiting = null;
    // where the browser allows it only in answer to the user
    for (const name of ["keydown", "pointerdown"]) addEventListener(name, () => this.waiting !== null && this.write(this.waiting), true);
    document.addEventListener("copy", (event) => {
      if (this.text === null) return;
      event.clipboardData?.setData("text/plain", this.text);
      event.preventDefault();
      this.text = null;
    });
    /** what the event of copying takes @type {string | null} */
    this.text = null;
  }

  /** @param {string} text */
  async write(text) {
    this.waiting = null;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // a page without https has no clipboard of its own
      this.text = text;
      if (!document.execCommand("copy")) this.waiting = text;
      this.text = null;
    }
  }
}

/** Send files: their names and sizes, then their bytes. @param {Link} link @param {File[]} files @param {{upload?: number, chunk?: number}} limits */
export async function upload(link, files, { upload: most = Infinity, chunk = 256_000 }) {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (!files.length) return;
  if (size > most) {
    note(`These files have ${megabytes(size)}; the host takes ${megabytes(most)} at most.`);
    return;
  }
  const socket = link.socket, line = note("", 1e6);
  link.send({ t: "up", files: files.map((file) => ({ name: file.webkitRelativePath || file.name, size: file.size })) });
  let sent = 0;
  for (const file of files) {
    for (let at = 0; at < file.size; at += chunk) {
      const bytes = await file.slice(at, at + chunk).arrayBuffer();
      while (link.waiting > MOST_WAITING && link.socket === socket) await new Promise((done) => setTimeout(done, PAUSE));
      if (link.socket !== socket) {
        line.remove();
        note("The connection was lost before the files had been sent: drop them again.");
        return;
      }
      link.send(bytes);
      sent += bytes.byteLength;
      line.textContent = `Sending ${files[0].name} … ${Math.round((100 * sent) / Math.max(size, 1))} %`;
    }
  }
  line.remove();
}

/** All files of a drop, of folders too. @param {DataTransfer} transfer @returns {Promise<File[]>} */
export async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()), files = [...transfer.files];
  if (!entries.some((entry) => entry?.isDirectory)) return files;
  /** @type {File[]} */
  const found = [];
  for (const entry of entries) if (entry) await collect(entry, "", found);
  return found;
}

/** @param {any} entry @param {string} folder @param {File[]} found */
async function collect(entry, folder, found) {
  if (entry.isFile) {
    const file = await new Promise((done, failed) => entry.file(done, failed));
    Object.defineProperty(file, "webkitRelativePath", { value: folder + file.name });
    found.push(file);
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const part = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!part.length) return;
    for (const inner of part) await collect(inner, `${folder}${entry.name}/`, found);
  }
}

/** Save a file of the host on the user's computer. @param {{name: string, url: string, size?: number}} file */
export function download({ name, url, size }) {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.textContent = `Saved: ${name}${size ? `, ${megabytes(size)}` : ""}`;
  note(link, FILE_SECONDS);
  link.click();
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
