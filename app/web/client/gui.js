// @ts-check
// Draws ImGui's draw lists over the picture. Lists that stay the same keep their buffers.

/** @typedef {import("./gl.js").Programs} Programs */

/**
 * Triangles with one texture, within a clip rectangle: left, top, right, lower edge in points.
 * @typedef {object} Command
 * @property {number[]} clip
 * @property {number} texture
 * @property {number} count of indices
 * @property {number} first index
 * @property {number} base added to each index
 */

/**
 * A draw list: vertices of 20 bytes (position, texture coordinate, colour) and what to draw of them.
 * @typedef {object} DrawList
 * @property {Uint8Array} vertices
 * @property {Uint8Array} indices
 * @property {boolean} wide indices have 32 bits
 * @property {Command[]} commands
 */

/** @typedef {{array: WebGLVertexArrayObject, vertices: WebGLBuffer, indices: WebGLBuffer}} Buffers */

const VERTEX_BYTES = 20;
const LAYOUT = /** @type {[string, number, "FLOAT" | "UNSIGNED_BYTE", number][]} */ ([
  ["in_position", 2, "FLOAT", 0], ["in_texture", 2, "FLOAT", 8], ["in_colour", 4, "UNSIGNED_BYTE", 16],
]);

/** The renderer of the panels. */
export class GuiRenderer {
  /** @param {WebGL2RenderingContext} gl @param {Programs} programs */
  constructor(gl, programs) {
    this.gl = gl;
    this.shader = programs.get("gui.vert", "gui.frag", []);
    /** @type {Map<number, WebGLTexture>} */
    this.textures = new Map();
    /** @type {Map<DrawList, Buffers>} */
    this.buffers = new Map();
  }

  /** Create or replace a texture. @param {number} id @param {number} width @param {number} height @param {Uint8Array} pixels RGBA */
  createTexture(id, width, height, pixels) {
    const gl = this.gl;
    this.destroyTexture(id);
    const texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.LINEAR);
    for (const axis of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, axis, gl.CLAMP_TO_EDGE);
    this.textures.set(id, texture);
  }

  /** Overwrite a block of a texture. @param {number} id @param {number} x @param {number} y @param {number} width @param {number} height @param {Uint8Array} pixels */
  updateTexture(id, x, y, width, height, pixels) {
    const gl = this.gl, texture = this.textures.get(id);
    if (!texture) return;
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, x, y, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  }

  /** @param {number} id */
  destroyTexture(id) {
    this.gl.deleteTexture(this.textures.get(id) ?? null);
    this.textures.delete(id);
  }

  /**
   * Draw over what the canvas shows.
   * @param {DrawList[]} lists @param {number[]} size of the window in points
   */
  draw(lists, size) {
    const gl = this.gl, { width, height } = gl.canvas, sx = width / size[0], sy = height / size[1];
    this.forgetOthers(lists);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.CULL_FACE);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.enable(gl.SCISSOR_TEST);
    gl.activeTexture(gl.TEXTURE0);
    this.shader.set({ u_display: [0, 0, size[0], size[1]], u_texture: 0 });
    for (const list of lists) {
      const wide = list.wide;
      const { array, vertices } = this.buffersOf(list);
      let from = 0;
      gl.bindVertexArray(array);
      for (const { clip, texture, count, first, base } of list.commands) {
        const x = Math.max(Math.trunc(clip[0] * sx), 0), y = Math.trunc(clip[1] * sy), found = this.textures.get(texture);
        const w = Math.trunc(clip[2] * sx) - x, h = Math.trunc(clip[3] * sy) - y;
        if (w <= 0 || h <= 0 || !found) continue;
        if (base !== from) this.pointAt(vertices, from = base);
        gl.bindTexture(gl.TEXTURE_2D, found);
        gl.scissor(x, height - y - h, w, h);
        gl.drawElements(gl.TRIANGLES, count, wide ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT, (wide ? 4 : 2) * first);
      }
      if (from) this.pointAt(vertices, 0);
    }
    gl.bindVertexArray(null);
    gl.disable(gl.SCISSOR_TEST);
    gl.disable(gl.BLEND);
  }

  // buffers

  /** Release the buffers of lists that are not drawn any more. @param {DrawList[]} lists */
  forgetOthers(lists) {
    const gl = this.gl, kept = new Set(lists);
    for (const [list, { array, vertices, indices }] of this.buffers) {
      if (kept.has(list)) continue;
      gl.deleteVertexArray(array);
      gl.deleteBuffer(vertices);
      gl.deleteBuffer(indices);
      this.buffers.delete(list);
    }
  }

  /** @param {DrawList} list @returns {Buffers} */
  buffersOf(list) {
    const gl = this.gl, known = this.buffers.get(list);
    if (known) return known;
    const made = { array: gl.createVertexArray(), vertices: gl.createBuffer(), indices: gl.createBuffer() };
    gl.bindVertexArray(made.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, made.vertices);
    gl.bufferData(gl.ARRAY_BUFFER, list.vertices, gl.STATIC_DRAW);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, made.indices);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, list.indices, gl.STATIC_DRAW);
    this.pointAt(made.vertices, 0);
    this.buffers.set(list, made);
    return made;
  }

  /** Let the attributes of the current list begin at a vertex. @param {WebGLBuffer} vertices @param {number} first */
  pointAt(vertices, first) {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
    for (const [name, size, type, offset] of LAYOUT) {
      const place = gl.getAttribLocation(this.shader.program, name), bytes = type === "UNSIGNED_BYTE";
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl[type], bytes, VERTEX_BYTES, VERTEX_BYTES * first + offset);
    }
  }
}
