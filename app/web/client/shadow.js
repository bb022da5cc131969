// @ts-check
// Shadow maps: the cameras of lights and an atlas of the depths they see, as in the desktop viewer.

import { DEGREE, cross, dot, fromRows, minus, norm, plus, product, times, unit, viewMatrix } from "./math.js";
import { createTarget } from "./gl.js";

/** @typedef {import("./camera.js").View} View */
/** @typedef {import("./gl.js").Target} Target */

/**
 * A light in the world.
 * @typedef {object} Light
 * @property {number} type 0 spot, 1 directional, 2 point
 * @property {number[]} position
 * @property {number[]} direction
 * @property {number[]} ambient
 * @property {number[]} diffuse
 * @property {number[]} specular
 * @property {number[]} attenuation
 * @property {number} cutoff degrees
 * @property {number} exponent
 * @property {boolean} shadow
 */

/**
 * World to clip space, and the frustum in the form that shaders use.
 * @typedef {object} LightCamera
 * @property {number[]} matrix
 * @property {number} near
 * @property {number} far
 * @property {number} width
 * @property {boolean} perspective
 */

/** A sphere that maps cover, and how far casters reach towards the light. @typedef {{center: number[], radius: number, reach: number}} Region */

export const DIRECTIONAL = 1;
const SPOT = 0;
const SIZE_STEP = 1.25;
const COVERAGE = 2, MODEL_COVERAGE = 8;
const MAX_HALF_ANGLE = 60 * DEGREE;
const FADE = 0.88;
const MIN_CUTOFF = 0.1;
const CUBE_TANGENT = 1.06;
export const LIGHT_SIZE = 0.03;
const WIDEST = 0.5, WIDEST_SHARE = 0.75;
const BLOCKS = 128;
const CUBE_DIRECTIONS = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
const TO_TEXTURE = fromRows([[0.5, 0, 0, 0.5], [0, 0.5, 0, 0.5], [0, 0, 0.5, 0.5], [0, 0, 0, 1]]);

/**
 * The region of a light: casters near the view, and those whose shadows fall near it.
 * @param {Float32Array} casters @param {Light} light @param {View} view @param {number} extent @returns {Region}
 */
function shadowRegion(casters, light, view, extent) {
  const limit = Math.max(COVERAGE * view.focus, Math.min(extent, MODEL_COVERAGE * view.focus));
  const target = minus(view.eye, times(Math.min(view.focus, view.far), view.axes[2]));
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  /** @type {number[][]} */
  const seen = [];
  for (let at = 0; at < casters.length; at += 4) {
    const position = [casters[at], casters[at + 1], casters[at + 2]], size = casters[at + 3];
    let point = position, reach = size;
    if (!(norm(minus(position, target)) - size < limit)) {
      const way = light.type === DIRECTIONAL ? light.direction : minus(position, light.position), ray = unit(way);
      const far = Math.max(dot(minus(target, position), ray), 0);
      point = plus(position, times(far, ray));
      reach = size * (light.type === DIRECTIONAL ? 1 : 1 + far / Math.max(norm(way), 1e-9));
    }
    if (!(norm(minus(point, target)) - reach < limit)) continue;
    seen.push([...position, size]);
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], position[k] - size), high[k] = Math.max(high[k], position[k] + size);
    }
  }
  if (!seen.length) return { center: target, radius: Math.min(limit, view.far), reach: 0 };
  let center = times(0.5, plus(low, high)), radius = Math.max(...seen.map((s) => norm(minus(s, center)) + s[3]));
  if (radius >= limit) center = target, radius = limit;
  const backward = unit(light.type === DIRECTIONAL ? times(-1, light.direction) : minus(light.position, center));
  return { center, radius, reach: Math.max(...seen.map((s) => dot(minus(s, center), backward) + s[3])) };
}

/** The limit of penumbras, m. @param {Float32Array} casters */
function widestPenumbra(casters) {
  const sizes = Array.from({ length: casters.length / 4 }, (_, k) => casters[4 * k + 3]).sort((a, b) => a - b);
  if (!sizes.length) return 1;
  const place = WIDEST_SHARE * (sizes.length - 1), first = Math.floor(place), next = Math.min(first + 1, sizes.length - 1);
  return WIDEST * (sizes[first] + (place - first) * (sizes[next] - sizes[first]));
}

/** @param {number[]} backward right, up and backward of a camera that looks along -backward */
function axesOf(backward) {
  const z = unit(backward), right = unit(cross(Math.abs(z[2]) < 0.95 ? [0, 0, 1] : [0, 1, 0], z));
  return [right, cross(z, right), z];
}

/** @param {Light} light @param {Region} found @param {number} resolution @returns {LightCamera[]} one, or six cube faces */
function lightCameras(light, found, resolution) {
  const radius = SIZE_STEP ** Math.ceil(Math.log(Math.max(found.radius, 1e-6)) / Math.log(SIZE_STEP));
  const region = { ...found, radius };
  return light.type === DIRECTIONAL ? [directionalCamera(light, region, resolution)] : pointCameras(light, region);
}

/** @param {Light} light @param {Region} region @param {number} resolution @returns {LightCamera} snapped to texels */
function directionalCamera(light, { center, radius, reach }, resolution) {
  const axes = axesOf(times(-1, light.direction)), texel = (2 * radius) / resolution;
  const [x, y, z] = axes.map((axis) => dot(axis, center));
  const back = Math.max(2 * radius, reach), far = back + 2 * radius;
  const eye = plus(
    plus(times(Math.round(x / texel) * texel, axes[0]), times(Math.round(y / texel) * texel, axes[1])),
    times(z + back, axes[2]),
  );
  const projection = fromRows([[1 / radius, 0, 0, 0], [0, 1 / radius, 0, 0], [0, 0, -2 / far, -1], [0, 0, 0, 1]]);
  return { matrix: product(projection, viewMatrix(eye, axes)), near: 0, far, width: 2 * radius, perspective: false };
}

/** @param {Light} light @param {Region} region @returns {LightCamera[]} */
function pointCameras(light, { center, radius, reach }) {
  const eye = light.position, distance = norm(minus(center, eye)), far = distance + 2 * radius;
  const near = Math.max(distance - Math.max(radius, reach), 0.01 * far);
  let backward = minus(eye, center), tangent = distance > 1.01 * radius ? Math.tan(Math.asin(radius / distance)) : Infinity;
  const narrow = light.type === SPOT && light.cutoff < 80;
  const cone = narrow ? Math.tan(Math.max(light.cutoff, MIN_CUTOFF) * DEGREE) / FADE : Infinity;
  if (cone < tangent) backward = times(-1, light.direction), tangent = cone;
  if (tangent <= Math.tan(MAX_HALF_ANGLE)) return [perspectiveCamera(eye, backward, tangent, near, far)];
  return CUBE_DIRECTIONS.map((way) => perspectiveCamera(eye, times(-1, way), CUBE_TANGENT, 0.01 * far, far));
}

/** @param {number[]} eye @param {number[]} backward @param {number} tangent @param {number} near @param {number} far @returns {LightCamera} */
function perspectiveCamera(eye, backward, tangent, near, far) {
  const depth = [0, 0, (far + near) / (near - far), (2 * far * near) / (near - far)];
  const projection = fromRows([[1 / tangent, 0, 0, 0], [0, 1 / tangent, 0, 0], depth, [0, 0, -1, 0]]);
  return { matrix: product(projection, viewMatrix(eye, axesOf(backward))), near, far, width: 2 * tangent, perspective: true };
}

/** Depth maps side by side in one texture, and coarse minimum depths for the blocker search. */
export class ShadowMaps {
  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    /** how many maps each light has @type {number[]} */
    this.counts = [];
    /** @type {number[][]} x, y, width and height of each map */
    this.tiles = [];
    /** @type {LightCamera[]} */
    this.cameras = [];
    /** @type {Target[]} depth, minimum depth, dilated */
    this.targets = [];
    this.block = 1;
    this.drawn = "";
    this.clampsDepth = gl.getExtension("EXT_depth_clamp");
    // filtered comparisons; without it the same texture is read by texel
    this.comparing = /** @type {WebGLSampler} */ (gl.createSampler());
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.samplerParameteri(this.comparing, side, gl.LINEAR);
    for (const axis of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.samplerParameteri(this.comparing, axis, gl.CLAMP_TO_EDGE);
    gl.samplerParameteri(this.comparing, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.samplerParameteri(this.comparing, gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL);
  }

  /** Fit cameras and allocate maps. @param {Light[]} lights @param {Float32Array} casters @param {View} view @param {number} extent @param {number} wanted */
  fit(lights, casters, view, extent, wanted) {
    const regions = lights.map((light) => shadowRegion(casters, light, view, extent));
    /** @param {number} resolution */
    const fitted = (resolution) => lights.map((light, k) => lightCameras(light, regions[k], resolution));
    this.counts = fitted(wanted).map((cameras) => cameras.length);
    this.cameras = fitted(this.pack(wanted)).flat();
  }

  /** A square for each light, or 3 x 2 of half the size for a cube map; returns the resolution of a square. @param {number} wanted */
  pack(wanted) {
    const units = this.counts.reduce((sum, count) => sum + (count === 1 ? 1 : 1.5), 0);
    const largest = Number(this.gl.getParameter(this.gl.MAX_TEXTURE_SIZE));
    const fits = Math.min(wanted, Math.floor(largest / units)), resolution = Math.max(fits - (fits % BLOCKS), BLOCKS);
    const half = resolution / 2;
    let x = 0;
    this.tiles = [];
    for (const count of this.counts) {
      if (count === 1) this.tiles.push([x, 0, resolution, resolution]);
      else for (let k = 0; k < 6; k++) this.tiles.push([x + half * (k % 3), half * Math.floor(k / 3), half, half]);
      x += count === 1 ? resolution : 3 * half;
    }
    this.allocate(x, resolution, resolution / BLOCKS);
    return resolution;
  }

  /** @param {number} width @param {number} height @param {number} block */
  allocate(width, height, block) {
    const [full] = this.targets;
    if (full && full.width === width && full.height === height) return;
    for (const target of this.targets) target.release();
    const coarse = [width / block, height / block], options = { format: 0 };
    this.targets = [[width, height], coarse, coarse].map(([w, h]) => createTarget(this.gl, w, h, options));
    this.block = block;
    this.drawn = "";
  }

  /**
   * Render the maps, unless they still show the same.
   * @param {string} content
   * @param {(camera: LightCamera) => void} cast draws all casters
   * @param {(image: WebGLTexture | null, defines: string[]) => void} reduce runs min_depth.frag
   */
  render(content, cast, reduce) {
    const gl = this.gl, key = `${content} ${this.cameras.map((camera) => camera.matrix.join())}`;
    if (key === this.drawn) return;
    this.drawn = key;
    const [full, least, dilated] = this.targets;
    gl.bindFramebuffer(gl.FRAMEBUFFER, full.framebuffer);
    gl.disable(gl.CULL_FACE);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LESS);
    gl.depthMask(true);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    if (this.clampsDepth) gl.enable(this.clampsDepth.DEPTH_CLAMP_EXT);
    this.cameras.forEach((camera, k) => {
      const [x, y, width, height] = this.tiles[k];
      gl.viewport(x, y, width, height);
      cast(camera);
    });
    if (this.clampsDepth) gl.disable(this.clampsDepth.DEPTH_CLAMP_EXT);
    gl.depthFunc(gl.ALWAYS);
    gl.viewport(0, 0, least.width, least.height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, least.framebuffer);
    reduce(full.texture, [`BLOCK ${this.block}`]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, dilated.framebuffer);
    reduce(least.texture, ["DILATE"]);
  }

  /** Bind the maps to three texture units. @param {number[]} units */
  bind(units) {
    const gl = this.gl;
    units.forEach((place, k) => {
      gl.activeTexture(gl.TEXTURE0 + place);
      gl.bindTexture(gl.TEXTURE_2D, this.targets[k].texture);
    });
    gl.bindSampler(units[0], this.comparing);
  }

  /** Those of shadow.glsl. @param {Float32Array} casters */
  uniforms(casters) {
    const { width, height } = this.targets[0];
    return {
      u_shadow_matrix: this.cameras.flatMap((camera) => product(TO_TEXTURE, camera.matrix)),
      u_shadow_frustum: this.cameras.flatMap((c) => [c.near, c.far, c.width, Number(c.perspective)]),
      u_shadow_tile: this.tiles.flatMap(([x, y, w, h]) => [x / width, y / height, w / width, h / height]),
      u_light_size: LIGHT_SIZE,
      u_widest: widestPenumbra(casters),
    };
  }
}
