// @ts-check
// ImGui's draw lists and textures as the host sends them: what has changed since the frame before.

/** @typedef {import("./gui.js").Command} Command */
/** @typedef {import("./gui.js").DrawList} DrawList */
/** @typedef {import("./gui.js").GuiRenderer} GuiRenderer */

const COMMAND_BYTES = 32, HEAD_WORDS = 7;

/** @param {number} bytes */
function padded(bytes) {
  return 4 * Math.ceil(bytes / 4);
}

/** The panels of the host. */
export class Lists {
  /** @param {() => void} changed a picture has been decoded */
  constructor(changed) {
    this.changed = changed;
    /** @type {GuiRenderer | null} */
    this.renderer = null;
    /** @type {Map<number, DrawList>} */
    this.known = new Map();
    /** @type {number[]} */
    this.order = [];
    /** of the window, points */
    this.size = [0, 0];
    /** what a texture of an id is now: a picture that is decoded too late is not shown @type {Map<number, object>} */
    this.current = new Map();
  }

  /** Begin with nothing, as a new connection does. */
  forget() {
    this.known.clear();
    this.order = [];
    this.current.clear();
    for (const id of this.renderer?.textures.keys() ?? []) this.renderer?.destroyTexture(id);
  }

  /** The lists in the order in which they are drawn. */
  get shown() {
    return this.order.flatMap((id) => this.known.get(id) ?? []);
  }

  /** Take what has changed. @param {any} header @param {ArrayBuffer} buffer @param {number} start of the blobs */
  take(header, buffer, start) {
    for (const change of header.tex ?? []) this.takeTexture(change, buffer, start);
    const { ui } = header;
    if (!ui) return;
    if (ui.size) this.size = ui.size;
    for (const [id, commands, , , at] of ui.new ?? []) this.known.set(id, readList(buffer, start + at, commands, this.known.get(id)));
    if (!ui.order) return;
    this.order = ui.order;
    const kept = new Set(this.order);
    for (const id of this.known.keys()) if (!kept.has(id)) this.known.delete(id);
  }

  /** @param {any[]} change @param {ArrayBuffer} buffer @param {number} start */
  takeTexture([id, what, ...rest], buffer, start) {
    const { renderer } = this;
    if (!renderer) return;
    if (what === "gone") {
      this.current.delete(id);
      renderer.destroyTexture(id);
      return;
    }
    const [x, y] = what === "part" ? rest.splice(0, 2) : [0, 0], [width, height, kind, at, bytes] = rest;
    const data = new Uint8Array(buffer, start + at, bytes);
    const turn = what === "new" ? {} : this.current.get(id);
    if (what === "new") this.current.set(id, /** @type {object} */ (turn));
    if (kind === "image") {
      decodedImage(data).then((pixels) => {
        if (!pixels || this.current.get(id) !== turn || this.renderer !== renderer) return;
        if (what === "new") renderer.createTexture(id, width, height, pixels);
        else renderer.updateTexture(id, x, y, width, height, pixels);
        this.changed();
      });
      return;
    }
    const pixels = kind === "a" ? whiteWithAlpha(data) : data;
    if (what === "new") renderer.createTexture(id, width, height, pixels);
    else renderer.updateTexture(id, x, y, width, height, pixels);
  }
}

/** @param {ArrayBuffer} buffer @param {number} at @param {number} count of commands @param {DrawList | undefined} before @returns {DrawList} */
function readList(buffer, at, count, before) {
  const head = new Uint32Array(buffer, at, HEAD_WORDS), wide = Boolean(head[6]);
  const first = at + 4 * HEAD_WORDS, vertices = first + COMMAND_BYTES * count, indices = vertices + padded(head[2]);
  const floats = new Float32Array(buffer, first, 8 * count), words = new Uint32Array(buffer, first, 8 * count);
  const commands = Array.from({ length: count }, (_, k) => {
    const [texture, elements, from, base] = words.subarray(8 * k + 4, 8 * k + 8);
    return { clip: Array.from(floats.subarray(8 * k, 8 * k + 4)), texture, count: elements, first: from, base };
  });
  return {
    commands, wide,
    vertices: joined(before?.vertices, head[0], head[1], new Uint8Array(buffer, vertices, head[2])),
    indices: joined(before?.indices, head[3], head[4], new Uint8Array(buffer, indices, head[5])),
  };
}

/** New bytes between those that are kept. @param {Uint8Array | undefined} before @param {number} front @param {number} behind @param {Uint8Array} bytes */
function joined(before, front, behind, bytes) {
  const out = new Uint8Array(front + bytes.length + behind);
  if (before && front) out.set(before.subarray(0, front));
  out.set(bytes, front);
  if (before && behind) out.set(before.subarray(before.length - behind), front + bytes.length);
  return out;
}

/** @param {Uint8Array} alpha */
function whiteWithAlpha(alpha) {
  const pixels = new Uint8Array(4 * alpha.length).fill(255);
  alpha.forEach((value, i) => (pixels[4 * i + 3] = value));
  return pixels;
}

/** The pixels of an image file; null if it is none. @param {Uint8Array} file */
async function decodedImage(file) {
  try {
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(file)]), { premultiplyAlpha: "none", colorSpaceConversion: "none" });
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height), context = canvas.getContext("2d");
    context?.drawImage(bitmap, 0, 0);
    bitmap.close();
    return new Uint8Array(context?.getImageData(0, 0, canvas.width, canvas.height).data ?? []);
  } catch {
    return null;
  }
}
