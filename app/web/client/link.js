// @ts-check
// The connection to the host: frames in order, input out, and connecting again when it is lost.

import { Payload } from "./payload.js";

/**
 * What a connection tells.
 * @typedef {object} Listener
 * @property {() => object} hello the first message
 * @property {(message: any) => void} text
 * @property {(header: any, buffer: ArrayBuffer, start: number, serial: number) => void} frame
 * @property {() => void} opened everything begins again with the next frame
 * @property {(seconds: number) => void} lost the next attempt is so many seconds away
 * @property {(code: number) => void} refused no further attempts
 */

const MAGIC = 0x3146544b, PREFIX = 16, ZLIB = 1;
const FIRST_WAIT = 0.5, LONGEST_WAIT = 10;
// for a part of the model
const ATTEMPTS = 5;
// codes of closing after which the page does not connect again
const FINAL = [4401, 4403, 4410];
const TOO_MANY = 4429;

/** A WebSocket that is opened again. */
export class Link {
  /** @param {Listener} listener */
  constructor(listener) {
    this.listener = listener;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.wait = FIRST_WAIT;
    this.timer = 0;
    this.ended = false;
    this.bytes = 0;
    addEventListener("online", () => this.retry());
  }

  /** Connect; what the last connection had is over. */
  open() {
    clearTimeout(this.timer);
    this.close();
    const address = new URL("ws", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    address.search = address.hash = "";
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    let frames = Promise.resolve();
    socket.onopen = () => {
      this.listener.opened();
      this.send(this.listener.hello());
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") {
        const message = JSON.parse(data);
        frames = frames.then(() => { if (this.socket === socket) this.told(message); });
        return;
      }
      this.bytes += data.byteLength;
      const frame = unpacked(data);
      frames = frames.then(() => frame).then(({ header, buffer, start, serial }) => {
        if (this.socket === socket) this.listener.frame(header, buffer, start, serial);
      }).catch((error) => {
        // the rest would be made from something that is not here
        console.error(error);
        if (this.socket === socket) this.open();
      });
    };
    socket.onclose = ({ code }) => {
      if (this.socket !== socket) return;
      this.socket = null;
      if (FINAL.includes(code) || this.ended) this.listener.refused(code);
      else this.again(code === TOO_MANY ? LONGEST_WAIT : this.wait);
    };
  }

  /** @param {any} message */
  told(message) {
    if (message.t === "welcome") this.wait = FIRST_WAIT;
    if (message.t === "bye") this.ended = true;
    this.listener.text(message);
  }

  /** @param {number} seconds */
  again(seconds) {
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    this.listener.lost(seconds);
    this.timer = window.setTimeout(() => this.open(), 1e3 * seconds);
  }

  /** Try now, if the connection is lost. */
  retry() {
    if (!this.socket && !this.ended) this.open();
  }

  close() {
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  get ready() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Bytes that have not left yet. */
  get waiting() {
    return this.socket?.bufferedAmount ?? 0;
  }

  /** @param {object | ArrayBuffer} message */
  send(message) {
    if (this.ready) this.socket?.send(message instanceof ArrayBuffer ? message : JSON.stringify(message));
  }
}

/** @param {ArrayBuffer} data */
async function unpacked(data) {
  const words = new Uint32Array(data, 0, 4);
  if (words[0] !== MAGIC) throw new Error("this is not a frame");
  const packed = Boolean(words[1] & ZLIB), body = packed ? await inflated(data.slice(PREFIX)) : data, first = packed ? 0 : PREFIX;
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(body, first, words[3])));
  return { header, buffer: body, start: first + words[3], serial: words[2] };
}

/** @param {ArrayBuffer} data of zlib */
async function inflated(data) {
  return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

/** An asset of the model; null if it is not to be had. @param {string} hash */
export async function fetchedAsset(hash) {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      const answer = await fetch(`asset/${hash}`);
      return answer.ok ? new Payload(await answer.arrayBuffer()) : null;
    } catch {
      // a host that is busy, or a connection that is lost
      await new Promise((done) => setTimeout(done, 1e3 * FIRST_WAIT * attempt));
    }
  }
  return null;
}
