// @ts-check
// The container of a replay: a JSON header and blobs of numbers; app/web/payload.py describes it.

/** @typedef {import("./meshes.js").Mesh} Mesh */
/** @typedef {import("./gl.js").Image} Image */
/** @typedef {Int32Array | Float32Array | Float64Array | Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array} Numbers1 */
/** An array in the header. @typedef {{at: number, type: string, shape: number[], bytes?: number, delta?: number, scale?: number | number[], offset?: number | number[]}} Entry */

const RAW = {
  i8: Int8Array, u8: Uint8Array, i16: Int16Array, u16: Uint16Array, i32: Int32Array, u32: Uint32Array, f32: Float32Array,
  f64: Float64Array,
};

/** Header and arrays of a replay. */
export class Payload {
  /** @param {ArrayBuffer} buffer */
  constructor(buffer) {
    const view = new DataView(buffer);
    if (buffer.byteLength < 8 || view.getUint32(0) !== 0x4b545250) throw new Error("this is not a replay");
    const end = 8 + view.getUint32(4, true);
    this.buffer = buffer;
    this.start = end + ((8 - (end % 8)) % 8);
    /** @type {any} */
    this.header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, end - 8)));
  }

  /** The numbers of an array, row-major; a list stays as it is. @param {Entry | number[]} entry @returns {any} */
  array(entry) {
    if (Array.isArray(entry)) return entry;
    const at = this.start + entry.at, size = entry.shape.reduce((a, b) => a * b, 1);
    if (entry.type === "packed") return this.unpacked(entry, at, size);
    const kind = RAW[/** @type {keyof typeof RAW} */ (entry.type)];
    return new kind(this.buffer, at, size);
  }

  /** @param {Entry} entry @param {number} at @param {number} size */
  unpacked(entry, at, size) {
    const { scale, offset = 0, delta = 0 } = entry, bytes = new Uint8Array(this.buffer, at, entry.bytes);
    const rows = entry.shape[0], columns = rows ? size / rows : 0;
    const out = scale === undefined ? new Int32Array(size) : new Float32Array(size);
    let from = 0;
    for (let column = 0; column < columns; column++) {
      const step = Array.isArray(scale) ? scale[column] : scale ?? 1, zero = Array.isArray(offset) ? offset[column] : offset;
      for (let row = 0, place = column, v = 0, w = 0; row < rows; row++, place += columns) {
        let byte = bytes[from++], z = byte & 127;
        for (let shift = 7; byte > 127; shift += 7) {
          byte = bytes[from++];
          z |= (byte & 127) << shift;
        }
        const e = (z >>> 1) ^ -(z & 1);
        v = delta ? (v + e) | 0 : e;
        w = delta > 1 ? (w + v) | 0 : v;
        out[place] = zero + step * w;
      }
    }
    return out;
  }
}

/** A mesh of the model. @param {Payload} payload @param {any} entry @returns {Mesh} */
export function meshFrom(payload, entry) {
  const position = payload.array(entry.position), normal = entry.normal && payload.array(entry.normal);
  const texcoord = entry.texcoord && payload.array(entry.texcoord), cap = entry.cap && payload.array(entry.cap);
  const count = position.length / 3, vertices = new Float32Array(9 * count);
  for (let i = 0; i < count; i++) {
    const at = 9 * i;
    for (let k = 0; k < 3; k++) vertices[at + k] = position[3 * i + k];
    if (normal) {
      const length = Math.hypot(normal[3 * i], normal[3 * i + 1], normal[3 * i + 2]) || 1;
      for (let k = 0; k < 3; k++) vertices[at + 3 + k] = normal[3 * i + k] / length;
    }
    if (cap) vertices[at + 6] = cap[i];
    if (texcoord) vertices[at + 7] = texcoord[2 * i], vertices[at + 8] = texcoord[2 * i + 1];
  }
  const indices = payload.array(entry.triangles);
  const triangles = count > 65535 ? Uint32Array.from(indices) : Uint16Array.from(indices);
  return { vertices, triangles, open: Boolean(entry.open), textured: Boolean(entry.textured) };
}

/** A texture of the model. @param {Payload} payload @param {any} entry @returns {Promise<Image>} */
export async function imageFrom(payload, entry) {
  return { ...await decodedPng(payload.array(entry.png)), cube: entry.kind !== "2d", data: !entry.srgb };
}

/** Bytes of the text of base64. @param {string} text */
export function bytesOfBase64(text) {
  const binary = atob(text.trim()), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** @param {Uint8Array<ArrayBuffer>} bytes gzipped */
export async function gunzipped(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** The pixels of a PNG, RGBA, rows from top to bottom. @param {Uint8Array} png */
async function decodedPng(png) {
  const blob = new Blob([new Uint8Array(png)], { type: "image/png" });
  const bitmap = await createImageBitmap(blob, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
  const { width, height } = bitmap, canvas = document.createElement("canvas");
  canvas.width = width, canvas.height = height;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return { width, height, pixels: context.getImageData(0, 0, width, height).data };
}
