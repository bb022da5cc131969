// @ts-check
// Programs, meshes, instance buffers and textures on the GPU.

import { MAX_LOD, PRIMITIVES, primitive } from "./meshes.js";

/** @typedef {import("./meshes.js").Mesh} Mesh */
/** @typedef {number | number[] | Float32Array} Uniform a number of an integer uniform is a texture unit */
/** @typedef {Record<string, Uniform>} Uniforms */

/**
 * A texture of the model. `pixels` is RGBA, rows from top to bottom; the faces of a cube are one below the other.
 * @typedef {object} Image
 * @property {boolean} cube
 * @property {boolean} data holds other values than colour
 * @property {number} width
 * @property {number} height
 * @property {Uint8Array | Uint8ClampedArray} pixels
 */

export const INSTANCE_FLOATS = 32;
const VERTEX = [["in_position", 3], ["in_normal", 3], ["in_cap", 1], ["in_texcoord", 2]];
const INSTANCE = [
  ["i_position", 3], ["i_row0", 3], ["i_row1", 3], ["i_row2", 3], ["i_shape", 4], ["i_colour", 4], ["i_material", 4],
  ["i_repeat", 2], ["i_extent", 3], ["i_metallic_roughness", 2], ["i_id", 1],
];
const ATTRIBUTES = /** @type {[string, number][]} */ ([...VERTEX, ...INSTANCE]);
const ANISOTROPY = 8;
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Whether the CPU renders. @param {WebGL2RenderingContext} gl */
export function isSoftware(gl) {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  return SOFTWARE.test(String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)));
}

/** A linked program and its uniforms. */
class Program {
  /** @param {WebGL2RenderingContext} gl @param {string} vertex @param {string} fragment @param {string} name */
  constructor(gl, vertex, fragment, name) {
    this.gl = gl;
    this.program = gl.createProgram();
    const shaders = [this.attach(gl.VERTEX_SHADER, vertex), this.attach(gl.FRAGMENT_SHADER, fragment)];
    ATTRIBUTES.forEach(([attribute], i) => gl.bindAttribLocation(this.program, i, attribute));
    gl.linkProgram(this.program);
    if (!gl.getProgramParameter(this.program, gl.LINK_STATUS) && !gl.isContextLost()) {
      const logs = [...shaders.map((shader) => gl.getShaderInfoLog(shader)), gl.getProgramInfoLog(this.program)];
      throw new Error(`${name}: ${logs.filter(Boolean).join("\n")}`);
    }
    for (const shader of shaders) gl.deleteShader(shader);
    /** @type {Map<string, {place: WebGLUniformLocation, type: number}>} */
    this.uniforms = new Map();
    const count = gl.getProgramParameter(this.program, gl.ACTIVE_UNIFORMS) ?? 0;
    for (let i = 0; i < count; i++) {
      const found = gl.getActiveUniform(this.program, i);
      const place = found && gl.getUniformLocation(this.program, found.name);
      if (found && place) this.uniforms.set(found.name.replace("[0]", ""), { place, type: found.type });
    }
  }

  /** @param {number} type @param {string} source */
  attach(type, source) {
    const shader = /** @type {WebGLShader} */ (this.gl.createShader(type));
    this.gl.shaderSource(shader, source);
    this.gl.compileShader(shader);
    this.gl.attachShader(this.program, shader);
    return shader;
  }

  /** Set uniforms by name; those that the compiler removed are skipped. @param {Uniforms} values */
  set(values) {
    const gl = this.gl;
    gl.useProgram(this.program);
    for (const [name, { place, type }] of this.uniforms) {
      const value = values[name];
      if (value === undefined) continue;
      if (typeof value === "number") {
        if (type === gl.FLOAT) gl.uniform1f(place, value);
        else gl.uniform1i(place, value);
      } else if (type === gl.FLOAT_VEC2) gl.uniform2fv(place, value);
      else if (type === gl.FLOAT_VEC3) gl.uniform3fv(place, value);
      else if (type === gl.FLOAT_VEC4) gl.uniform4fv(place, value);
      else if (type === gl.FLOAT_MAT3) gl.uniformMatrix3fv(place, false, value);
      else if (type === gl.FLOAT_MAT4) gl.uniformMatrix4fv(place, false, value);
    }
  }
}

/** Programs by file names and defines, compiled on first use. */
export class Programs {
  /** @param {WebGL2RenderingContext} gl @param {Record<string, string>} sources */
  constructor(gl, sources) {
    this.gl = gl;
    this.sources = sources;
    /** @type {Map<string, Program>} */
    this.items = new Map();
  }

  /** @param {string} vertex @param {string} fragment @param {string[]} defines */
  get(vertex, fragment, defines) {
    const key = [vertex, fragment, ...defines].join("|");
    let found = this.items.get(key);
    if (!found) {
      const lines = defines.map((define) => `#define ${define}\n`).join("");
      const [a, b] = [vertex, fragment].map((name) => this.sources[name].replace("\n", "\n" + lines));
      found = new Program(this.gl, a, b, key);
      this.items.set(key, found);
    }
    return found;
  }
}

/**
 * A mesh on the GPU, the defines that it needs, and its bounding radius about the origin.
 * @typedef {object} GpuMesh
 * @property {WebGLBuffer} vertices
 * @property {WebGLBuffer} triangles
 * @property {WebGLBuffer | null} edges made on first use
 * @property {number} count
 * @property {number} type of the indices
 * @property {string[]} defines
 * @property {boolean} open
 * @property {number} radius
 */

/** Meshes, and the instances of each batch of a frame in a buffer of its own. */
export class Pool {
  /** @param {WebGL2RenderingContext} gl @param {Map<string, Mesh>} shapes those of the model */
  constructor(gl, shapes) {
    this.gl = gl;
    this.shapes = shapes;
    /** @type {Map<string, GpuMesh>} */
    this.meshes = new Map();
    /** @type {Map<string, {buffer: WebGLBuffer, size: number}>} */
    this.slots = new Map();
    /** @type {Map<string, WebGLVertexArrayObject>} */
    this.arrays = new Map();
    /** @type {Map<string, number>} */
    this.counts = new Map();
    // draw the edges of triangles instead
    this.wireframe = false;
    // of what is drawn without attributes
    this.empty = /** @type {WebGLVertexArrayObject} */ (gl.createVertexArray());
  }

  /** @param {string} name @param {number} lod */
  mesh(name, lod) {
    const made = PRIMITIVES.includes(name), key = made ? `${name}/${lod}` : name;
    let found = this.meshes.get(key);
    if (!found) {
      const mesh = made ? primitive(name, lod) : this.shapes.get(name);
      if (!mesh) throw new Error(`there is no mesh "${name}"`);
      found = this.upload(mesh, !made);
      this.meshes.set(key, found);
    }
    return found;
  }

  /** @param {Mesh} mesh @param {boolean} fromModel @returns {GpuMesh} */
  upload(mesh, fromModel) {
    const gl = this.gl, vertices = gl.createBuffer(), triangles = gl.createBuffer();
    gl.bindVertexArray(null);
    gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
    gl.bufferData(gl.ARRAY_BUFFER, mesh.vertices, fromModel ? gl.DYNAMIC_DRAW : gl.STATIC_DRAW);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, triangles);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.triangles, gl.STATIC_DRAW);
    const defines = [...(mesh.textured ? ["TEXCOORD"] : []), ...(fromModel ? ["MODEL_MESH"] : [])];
    const type = mesh.triangles instanceof Uint32Array ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT;
    let radius = 0;
    for (let at = 0; at < mesh.vertices.length; at += 9) {
      radius = Math.max(radius, Math.hypot(mesh.vertices[at], mesh.vertices[at + 1], mesh.vertices[at + 2]));
    }
    return { vertices, triangles, edges: null, count: mesh.triangles.length, type, defines, open: mesh.open, radius };
  }

  /** Forget a mesh of the model, and the instances that were drawn with it. @param {string} name */
  remove(name) {
    const gl = this.gl, mesh = this.meshes.get(name), own = (/** @type {string} */ key) => key.replace(/^\d+e?\|/, "").startsWith(`${name}/`);
    for (const [key, array] of this.arrays) if (own(key) && this.arrays.delete(key)) gl.deleteVertexArray(array);
    for (const [key, { buffer }] of this.slots) if (own(key) && this.slots.delete(key)) gl.deleteBuffer(buffer);
    for (const buffer of mesh ? [mesh.vertices, mesh.triangles, mesh.edges] : []) gl.deleteBuffer(buffer);
    this.meshes.delete(name);
    this.shapes.delete(name);
  }

  /** Overwrite the vertices of a mesh of the model. @param {string} name @param {Float32Array} vertices */
  deform(name, vertices) {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.mesh(name, 0).vertices);
    gl.bufferData(gl.ARRAY_BUFFER, vertices, gl.DYNAMIC_DRAW);
  }

  /** Begin a frame. */
  begin() {
    this.counts.clear();
  }

  /** Write instances; returns their slot. @param {string} shape @param {number} lod @param {Float32Array} rows */
  write(shape, lod, rows) {
    const gl = this.gl, group = `${shape}/${lod}`, index = this.counts.get(group) ?? 0, key = `${group}/${index}`;
    this.counts.set(group, index + 1);
    let slot = this.slots.get(key);
    if (!slot) {
      slot = { buffer: gl.createBuffer(), size: 0 };
      this.slots.set(key, slot);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, slot.buffer);
    if (slot.size < rows.byteLength) {
      slot.size = 2 * rows.byteLength;
      gl.bufferData(gl.ARRAY_BUFFER, slot.size, gl.DYNAMIC_DRAW);
    }
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, rows);
    return key;
  }

  /** Draw the instances of a slot, at their LOD or a coarser one. @param {string} shape @param {number} lod @param {string} slot @param {number} count */
  render(shape, lod, slot, count) {
    const gl = this.gl, mesh = this.mesh(shape, Math.min(lod, MAX_LOD)), edges = this.wireframe, key = `${lod}${edges ? "e" : ""}|${slot}`;
    let array = this.arrays.get(key);
    if (!array) {
      if (edges) this.makeEdges(shape, lod, mesh);
      const indices = edges ? /** @type {WebGLBuffer} */ (mesh.edges) : mesh.triangles;
      array = this.vertexArray(mesh, indices, /** @type {{buffer: WebGLBuffer}} */ (this.slots.get(slot)).buffer);
      this.arrays.set(key, array);
    }
    gl.bindVertexArray(array);
    gl.drawElementsInstanced(edges ? gl.LINES : gl.TRIANGLES, edges ? 2 * mesh.count : mesh.count, mesh.type, 0, count);
  }

  /** The edges of a mesh as lines. @param {string} shape @param {number} lod @param {GpuMesh} mesh */
  makeEdges(shape, lod, mesh) {
    if (mesh.edges) return;
    const gl = this.gl, from = this.shapes.get(shape) ?? primitive(shape, Math.min(lod, MAX_LOD)), { triangles } = from;
    const lines = triangles instanceof Uint32Array ? new Uint32Array(2 * triangles.length) : new Uint16Array(2 * triangles.length);
    for (let k = 0; k < triangles.length; k += 3) {
      const [a, b, c] = triangles.subarray(k, k + 3);
      lines.set([a, b, b, c, c, a], 2 * k);
    }
    mesh.edges = gl.createBuffer();
    gl.bindVertexArray(null);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, mesh.edges);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, lines, gl.STATIC_DRAW);
  }

  /** @param {GpuMesh} mesh @param {WebGLBuffer} indices @param {WebGLBuffer} instances */
  vertexArray(mesh, indices, instances) {
    const gl = this.gl, array = /** @type {WebGLVertexArrayObject} */ (gl.createVertexArray());
    gl.bindVertexArray(array);
    let offset = 0;
    ATTRIBUTES.forEach(([, size], place) => {
      const perInstance = place >= VERTEX.length;
      if (place === 0 || place === VERTEX.length) {
        gl.bindBuffer(gl.ARRAY_BUFFER, perInstance ? instances : mesh.vertices);
        offset = 0;
      }
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, perInstance ? 4 * INSTANCE_FLOATS : 36, offset);
      gl.vertexAttribDivisor(place, Number(perInstance));
      offset += 4 * size;
    });
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
    gl.bindVertexArray(null);
    return array;
  }
}

const LINEAR_OF_BYTE = Float32Array.from({ length: 256 }, (_, i) => (i <= 10.31 ? i / 3294.6 : ((i / 255 + 0.055) / 1.055) ** 2.4));

/** Mip levels 1, 2, ... of a colour texture, averaged in linear light. @param {Image} image */
function* mipLevels(image) {
  let { width, height } = image;
  let level = new Float32Array(image.pixels.length);
  for (let i = 0; i < level.length; i++) level[i] = i % 4 === 3 ? image.pixels[i] / 255 : LINEAR_OF_BYTE[image.pixels[i]];
  while (width > 1 || height > 1) {
    const w = Math.max(width >> 1, 1), h = Math.max(height >> 1, 1), next = new Float32Array(4 * w * h);
    const right = width > 1 ? 4 : 0, down = height > 1 ? 4 * width : 0, sx = width > 1 ? 2 : 1, sy = height > 1 ? 2 : 1;
    const bytes = new Uint8Array(next.length);
    for (let y = 0, out = 0; y < h; y++) {
      for (let x = 0; x < w; x++) {
        for (let c = 0; c < 4; c++, out++) {
          const at = 4 * (sy * y * width + sx * x) + c;
          const mean = (level[at] + level[at + right] + level[at + down] + level[at + right + down]) / 4;
          next[out] = mean;
          bytes[out] = 0.5 + 255 * (c === 3 ? mean : mean <= 0.0031308 ? 12.92 * mean : 1.055 * mean ** (1 / 2.4) - 0.055);
        }
      }
    }
    level = next, width = w, height = h;
    yield { width, height, pixels: bytes };
  }
}

/** A texture and its target. @typedef {{texture: WebGLTexture, target: number}} Texture */

/**
 * A texture of the model. Shaders convert sRGB to linear.
 * @param {WebGL2RenderingContext} gl @param {Image} image @param {boolean} software @returns {Texture}
 */
export function uploadTexture(gl, image, software) {
  const texture = gl.createTexture(), target = image.cube ? gl.TEXTURE_CUBE_MAP : gl.TEXTURE_2D, { width, height } = image;
  gl.bindTexture(target, texture);
  if (image.cube) {
    const size = 4 * width * width, faces = height === 6 * width ? 6 : 1;
    for (let face = 0; face < 6; face++) {
      const part = image.pixels.subarray(size * (face % faces), size * (face % faces + 1));
      gl.texImage2D(gl.TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, gl.RGBA, width, width, 0, gl.RGBA, gl.UNSIGNED_BYTE, part);
    }
    gl.generateMipmap(target);
  } else {
    gl.texImage2D(target, 0, gl.RGBA, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, image.pixels);
    if (image.data) gl.generateMipmap(target);
    let number = 1;
    for (const level of image.data ? [] : mipLevels(image)) {
      gl.texImage2D(target, number++, gl.RGBA, level.width, level.height, 0, gl.RGBA, gl.UNSIGNED_BYTE, level.pixels);
    }
  }
  // trilinear and anisotropic filtering triples the time of a floor where the CPU renders
  const quick = software && !image.cube, anisotropic = gl.getExtension("EXT_texture_filter_anisotropic");
  gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, quick ? gl.LINEAR_MIPMAP_NEAREST : gl.LINEAR_MIPMAP_LINEAR);
  gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  if (anisotropic && !software) gl.texParameterf(target, anisotropic.TEXTURE_MAX_ANISOTROPY_EXT, ANISOTROPY);
  return { texture, target };
}

/**
 * A framebuffer with a texture or a multisampled buffer for colour, and one for depth.
 * @typedef {object} Target
 * @property {WebGLFramebuffer} framebuffer
 * @property {WebGLTexture | null} texture
 * @property {number} width
 * @property {number} height
 * @property {() => void} release
 */

/**
 * @param {WebGL2RenderingContext} gl @param {number} width @param {number} height
 * @param {{format?: number, depth?: boolean, samples?: number}} options format: of the colour, 0 for none (a depth texture)
 * @returns {Target}
 */
export function createTarget(gl, width, height, { format = gl.RGBA8, depth = false, samples = 1 }) {
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  /** @type {WebGLTexture | null} */
  let texture = null;
  /** @type {WebGLRenderbuffer[]} */
  const buffers = [];
  /** @param {number} attachment @param {number} kind */
  const attach = (attachment, kind) => {
    const buffer = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
    if (samples > 1) gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, kind, width, height);
    else gl.renderbufferStorage(gl.RENDERBUFFER, kind, width, height);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, buffer);
    buffers.push(buffer);
  };
  if (samples > 1) attach(gl.COLOR_ATTACHMENT0, format);
  else {
    texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE15);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, format || gl.DEPTH_COMPONENT24, width, height);
    const filter = format === gl.RGBA8 ? gl.LINEAR : gl.NEAREST;
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, filter);
    for (const axis of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, axis, gl.CLAMP_TO_EDGE);
    const attachment = format ? gl.COLOR_ATTACHMENT0 : gl.DEPTH_ATTACHMENT;
    gl.framebufferTexture2D(gl.FRAMEBUFFER, attachment, gl.TEXTURE_2D, texture, 0);
  }
  if (depth) attach(gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24);
  const release = () => {
    gl.deleteFramebuffer(framebuffer);
    gl.deleteTexture(texture);
    for (const buffer of buffers) gl.deleteRenderbuffer(buffer);
  };
  return { framebuffer, texture, width, height, release };
}
