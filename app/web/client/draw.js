// @ts-check
// Draws a scene from a view into the canvas: rows in, picture out. Passes as in the desktop viewer: shadow maps; the scene
// in each mirror; opaque instances, planes, sky, transparent instances, the overlay; the outline; edge smoothing.

import { DEGREE, dot, fromRows, minus, norm, plus, product, times, toLinear, unit } from "./math.js";
import { edgesOf, projectionMatrix, rayOf, worldToEye } from "./camera.js";
import { Pool, Programs, createTarget, isSoftware, uploadTexture } from "./gl.js";
import { ShadowMaps } from "./shadow.js";
import { mirroredSpheres, outside, screenRect, shadowSpheres } from "./regions.js";

/** @typedef {import("./camera.js").View} View */
/** @typedef {import("./gl.js").Target} Target */
/** @typedef {import("./gl.js").Uniforms} Uniforms */
/** @typedef {import("./shadow.js").Light} Light */

/**
 * Instances of one mesh, rows of 32 floats: position 3, rotation 9 (row-major), shape 4 (scale x y z, half length),
 * colour 4, material 4 (specular, shininess, emission, reflectance), texture 5 (repeat x y, half extent x y z), metallic
 * and roughness 2, id 1.
 * @typedef {object} Batch
 * @property {string} shape
 * @property {number} texture -1 for none
 * @property {number} material the one with further texture layers, or -1
 * @property {Float32Array} rows
 * @property {number} lod
 * @property {number[] | null} mirror the plane of reflection: normal, distance from the origin
 * @property {boolean} shadow casts one
 * @property {number} [widthScale] of the smallest radius of rods
 */

/**
 * All that one frame shows. Lights that cast shadows come first; transparent batches are sorted far to near.
 * @typedef {object} Scene
 * @property {Batch[]} opaque
 * @property {Batch[]} transparent
 * @property {Batch[]} planes
 * @property {Batch[]} overlay faintly visible through what occludes it
 * @property {Batch[]} outlined
 * @property {Map<string, Float32Array>} deformed vertices of skins and flexes
 * @property {Light[]} lights
 * @property {{ambient: number[], diffuse: number[], specular: number[]}} headlight
 * @property {number} skybox
 * @property {{colour: number[] | null, amount: number} | null} haze
 * @property {{colour: number[], start: number, end: number} | null} fog
 * @property {Batch[]} [ghost] drawn last, as one layer
 * @property {Float32Array} casters bounding spheres: centre and radius
 * @property {number} extent
 * @property {boolean} shadow
 * @property {boolean} [wireframe]
 * @property {boolean} [additive] transparent instances add light
 * @property {number} shadowSize
 * @property {number} version changes with all but the camera
 */

/**
 * Settings that cost a GPU little and a software renderer much.
 * @typedef {object} Quality
 * @property {number} samples
 * @property {number} shadowSize
 * @property {string[]} taps
 * @property {number} mirrorScale
 * @property {boolean} scissored shadow lookups and edge smoothing only where they can matter
 * @property {number} scale render resolution per screen resolution
 */

/** @typedef {{batch: Batch, slot: string}} Item */
/** @typedef {import("./regions.js").Rect} Rect */
/**
 * State shared by the shaders of one pass; `ready` are the programs whose uniforms are set. `scissors` bounds where shadows
 * and mirror images of a plane can be; a plane without an entry has them everywhere.
 * @typedef {object} Frame
 * @property {Uniforms} uniforms
 * @property {string[]} defines
 * @property {number[]} size
 * @property {Set<object>} ready
 * @property {Map<string, WebGLTexture | null>} mirrors
 * @property {Map<Item, Rect>} scissors
 * @property {number} coarse
 */
/** @typedef {{opaque: Item[], planes: Item[], transparent: Item[], overlay: Item[], outlined: Item[], ghost: Item[]}} Lists */

/** @type {Quality} */
const FINE = { samples: 4, shadowSize: 4096, taps: ["BLOCKER_TAPS 8", "FILTER_TAPS 16"], mirrorScale: 1, scissored: false, scale: 1 };
/** @type {Quality} */
const QUICK = { samples: 1, shadowSize: 1024, taps: ["BLOCKER_TAPS 5", "FILTER_TAPS 8"], mirrorScale: 0.5, scissored: true, scale: 1 };
const PRESETS = [FINE, QUICK, { ...QUICK, shadowSize: 768, scale: 0.7 }, { ...QUICK, shadowSize: 512, scale: 0.5 }];

export const KIND = { GEOM: 1, SITE: 2, TENDON: 3, SKIN: 4, CONTACT: 10, FLEX: 11 };
export const ID_STEP = 1 << 20;
/** Columns of a row. */
export const ROW = { ROTATION: 3, SHAPE: 12, COLOUR: 16, ALPHA: 19, EMISSION: 22, REFLECTANCE: 23, ID: 31, FLOATS: 32 };
const LAYER_ROLES = ["occlusion", "roughness", "metallic", "normal", "emissive", "orm"];
// texture units; the last one is for making textures
const UNIT_TEXTURE = 0, UNIT_CUBE = 1, UNIT_SKYBOX = 2, UNIT_MIRROR = 3, UNIT_LAYER = 7, UNIT_SPARE = 15;
const UNITS_SHADOW = [4, 5, 6];
const UNITS = {
  u_texture: UNIT_TEXTURE, u_cube: UNIT_CUBE, u_skybox: UNIT_SKYBOX, u_mirror: UNIT_MIRROR,
  u_shadow_compare: 4, u_shadow_min_depth: 5, u_shadow_dilated: 6,
  ...Object.fromEntries(LAYER_ROLES.map((role, k) => [`u_${role}`, UNIT_LAYER + k])),
};
const MAX_SHADOWS = 4, MAX_MIRRORS = 4;
const RODS = ["capsule", "cylinder"];
const MIN_ROD_RADIUS = 0.6;
const HIDDEN_ALPHA = 0.4;
// factor and units of the polygon offset of the ghost: parts that all but coincide with the model do not flicker
const GHOST_OFFSET = /** @type {const} */ ([1, 64]);
const OUTLINE_COLOUR = [0.36, 0.66, 0.96];
const SKY_FOVY = 45;
// of app/render/uniforms.py
const EXPOSURE = 1.4, HEADLIGHT_DIFFUSE = 0.55, HEADLIGHT_SPECULAR = 0.35, AMBIENT_FLOOR = 0.05, AMBIENT_KNEE = 0.12;
// picking draws this many pixels across, each this part of half the view
const ID_PIXELS = 3, ID_SPAN = 0.002;

/** The defines of sky, haze and fog. @param {Scene} scene */
function skyDefines(scene) {
  /** @type {[string, boolean][]} */
  const which = [
    ["SKYBOX", scene.skybox >= 0], ["HAZE", Boolean(scene.haze)], ["HAZE_TINT", Boolean(scene.haze?.colour)],
    ["FOG", Boolean(scene.fog)],
  ];
  return which.filter(([, on]) => on).map(([name]) => name);
}

/** The defines that all surfaces share. @param {Scene} scene @param {number[]} maps how many each of the first lights has */
function sceneDefines(scene, maps) {
  const first = maps.map((_, k) => maps.slice(0, k).reduce((a, b) => a + b, 0));
  const shadows = maps.length
    ? [`MAPS ${maps}`, `FIRST_MAPS ${first}`, `MAP_COUNT ${maps.reduce((a, b) => a + b, 0)}`] : [];
  if (maps.length && scene.transparent.some(castsShadow)) shadows.push("TRANSPARENT_CASTERS");
  return [
    `LIGHTS ${scene.lights.length}`, `LIGHT_TYPES ${scene.lights.map((light) => light.type)}`, `SHADOWS ${maps.length}`,
    ...shadows, ...skyDefines(scene),
  ];
}

/** Planes cast none, from either side. @param {Batch} batch */
function castsShadow(batch) {
  return batch.shadow && batch.shape !== "plane";
}

/** Uniforms of camera, haze, fog and texture units. @param {Scene} scene @param {View} view @param {number} width @param {number} height @returns {Uniforms} */
function viewUniforms(scene, view, width, height) {
  const aspect = width / height;
  // parallel rays would all meet one point of the sky: it is drawn in perspective
  const camera = view.orthographic ? { ...view, fovy: SKY_FOVY, orthographic: false } : view;
  const [left, right, bottom, top] = edgesOf(camera, aspect), [, , low, high] = edgesOf(view, 1);
  const across = times((right - left) / 2, view.axes[0]), up = times((top - bottom) / 2, view.axes[1]);
  const middle = minus(
    plus(times((left + right) / 2, view.axes[0]), times((top + bottom) / 2, view.axes[1])), view.axes[2],
  );
  /** @type {Uniforms} */
  const uniforms = {
    ...UNITS,
    u_view_projection: product(projectionMatrix(view, aspect), worldToEye(view)),
    u_rays: [...across, ...up, ...middle],
    u_eye: view.eye,
    u_far: view.far,
    u_parallel: [...times(-1, view.axes[2]), Number(view.orthographic)],
    u_pixel: [1 / width, 1 / height],
    u_min_radius: (MIN_ROD_RADIUS * (high - low)) / height,
    u_opacity: 1,
    u_grid: 10 ** Math.floor(Math.log10(Math.max(0.5 * scene.extent, 1e-6)) + 0.3),
  };
  if (scene.haze) uniforms.u_haze = [...(scene.haze.colour ? toLinear(scene.haze.colour) : [0, 0, 0]), scene.haze.amount];
  if (scene.fog) {
    uniforms.u_fog = [...toLinear(scene.fog.colour), 1 / Math.max(scene.fog.end - scene.fog.start, 1e-9)];
    uniforms.u_fog_start = scene.fog.start;
  }
  return uniforms;
}

/** Uniforms of the view into a mirror: the world reflected about a plane. @param {Uniforms} uniforms @param {View} view @param {number[]} plane @returns {Uniforms} */
function reflectedView(uniforms, view, plane) {
  const [x, y, z, distance] = plane, n = [x, y, z];
  const flip = (/** @type {number[]} */ v) => minus(v, times(2 * dot(n, v), n));
  const reflection = fromRows([
    ...[0, 1, 2].map((i) => [...[0, 1, 2].map((j) => Number(i === j) - 2 * n[i] * n[j]), 2 * distance * n[i]]), [0, 0, 0, 1],
  ]);
  const rays = /** @type {number[]} */ (uniforms.u_rays);
  return {
    ...uniforms,
    u_view_projection: product(/** @type {number[]} */ (uniforms.u_view_projection), reflection),
    u_rays: [0, 3, 6].flatMap((k) => flip(rays.slice(k, k + 3))),
    u_eye: plus(flip(view.eye), times(2 * distance, n)),
    u_parallel: [...flip(times(-1, view.axes[2])), Number(view.orthographic)],
    u_mirror_plane: plane,
  };
}

/** Uniforms of all lights. @param {Scene} scene @returns {Uniforms} */
function lightUniforms({ lights, headlight }) {
  const total = lights.reduce((sum, light) => plus(sum, light.ambient), headlight.ambient);
  const ambient = toLinear(total).map((value, k) => Math.max(Math.min(total[k], AMBIENT_KNEE), value));
  // light removed from the ambient term goes to the other lights
  const removed = minus(total, ambient), exposure = EXPOSURE * (1 + (removed[0] + removed[1] + removed[2]) / 3);
  return {
    u_light_position: lights.flatMap((light) => light.position),
    u_light_direction: lights.flatMap((light) => [...unit(light.direction), Math.cos(light.cutoff * DEGREE)]),
    u_light_diffuse: lights.flatMap((light) => [...times(exposure, light.diffuse), light.exponent]),
    u_light_specular: lights.flatMap((light) => times(exposure, light.specular)),
    u_light_attenuation: lights.flatMap((light) => light.attenuation),
    u_ambient: ambient.map((value) => AMBIENT_FLOOR + value),
    u_head_diffuse: times(exposure * HEADLIGHT_DIFFUSE, headlight.diffuse),
    u_head_specular: times(exposure * HEADLIGHT_SPECULAR, headlight.specular),
  };
}

/** The state of a pass for what has neither shadows on it nor mirror images. @param {Frame} frame @returns {Frame} */
function withoutShadows(frame) {
  const defines = frame.defines.map((define) => (define.startsWith("SHADOWS") ? "SHADOWS 0" : define));
  return { ...frame, defines, mirrors: new Map(), ready: new Set() };
}

/** Draws scenes into a canvas. */
export class Renderer {
  /**
   * @param {WebGL2RenderingContext} gl
   * @param {Record<string, string>} shaders
   * @param {{shapes: Map<string, import("./meshes.js").Mesh>, textures: Map<number, import("./gl.js").Image>,
   *   layers: Map<number, Record<string, number>>}} assets meshes and textures of the model, and material -> role -> texture
   */
  constructor(gl, shaders, assets) {
    this.gl = gl;
    this.software = isSoftware(gl);
    this.presets = this.software ? PRESETS.slice(1) : PRESETS;
    this.programs = new Programs(gl, shaders);
    this.pool = new Pool(gl, assets.shapes);
    this.layers = assets.layers;
    gl.activeTexture(gl.TEXTURE0 + UNIT_SPARE);
    /** @type {Map<number, import("./gl.js").Texture>} */
    this.textures = new Map();
    for (const [id, image] of assets.textures) this.addTexture(id, image);
    this.shadows = new ShadowMaps(gl);
    /** @type {Map<string, Target>} */
    this.targets = new Map();
  }

  /** @param {number} id @param {import("./gl.js").Image} image */
  addTexture(id, image) {
    this.gl.activeTexture(this.gl.TEXTURE0 + UNIT_SPARE);
    this.textures.set(id, uploadTexture(this.gl, image, this.software));
  }

  /** @param {number} id */
  removeTexture(id) {
    this.gl.deleteTexture(this.textures.get(id)?.texture ?? null);
    this.textures.delete(id);
  }

  /** Draw into a rectangle of the canvas, or all of it. @param {Scene} scene @param {View} view @param {Quality} quality @param {Rect} box */
  draw(scene, view, quality, box = [0, 0, this.gl.canvas.width, this.gl.canvas.height]) {
    const gl = this.gl;
    const [width, height] = box.slice(2).map((length) => Math.max(Math.round(quality.scale * length), 1));
    const lists = this.upload(scene);
    const uniforms = { ...viewUniforms(scene, view, width, height), ...lightUniforms(scene) };
    const maps = this.drawShadows(scene, view, lists, uniforms, quality);
    const mirrors = this.drawMirrors(scene, lists, uniforms, view, [width, height], quality.mirrorScale);
    const samples = Math.min(quality.samples, Number(gl.getParameter(gl.MAX_SAMPLES)));
    const target = this.target("scene", width, height, { depth: true, samples });
    const defines = [...sceneDefines(scene, maps), ...quality.taps];
    const scissored = quality.scissored && !scene.deformed.size, geoms = scissored ? this.spheres([...lists.opaque, ...lists.transparent]) : [];
    const lights = scene.lights.slice(0, maps.length), everywhere = [0, 0, width, height];
    const scissors = scissored ? this.scissors(lists, geoms, lights, mirrors, view, width, height) : new Map();
    this.drawScene(scene, lists, { uniforms, defines, size: [width, height], ready: new Set(), mirrors, scissors, coarse: 0 }, target);
    const resolved = samples > 1 ? this.target("resolved", width, height, {}) : target;
    if (samples > 1) this.copy(target, resolved.framebuffer, width, height);
    const mask = this.drawOutlined(lists.outlined, uniforms, width, height);
    const shown = [...lists.overlay, ...lists.ghost];
    const smooth = scissored ? screenRect([...geoms, ...this.spheres(shown)], view, width, height) : everywhere;
    const outlined = scissored ? screenRect(this.spheres(lists.outlined), view, width, height) : everywhere;
    this.finish(resolved, samples === 1 ? smooth : null, mask, outlined);
    this.present(box);
  }

  /**
   * What is drawn at a point of the view, x and y from -1 to 1, right and up: kind, index and point.
   * @param {Scene} scene @param {View} view @param {number} x @param {number} y @param {boolean} decor
   * @param {number} aspect of the picture
   */
  pick(scene, view, x, y, decor = true, aspect = this.gl.canvas.width / this.gl.canvas.height) {
    const gl = this.gl, zoom = 1 / (ID_PIXELS * ID_SPAN);
    const lists = this.upload(decor ? scene : { ...scene, overlay: [] });
    const narrow = fromRows([[zoom, 0, 0, -zoom * x], [0, zoom, 0, -zoom * y], [0, 0, 1, 0], [0, 0, 0, 1]]);
    // the projection moves points by their w
    const matrix = product(narrow, product(projectionMatrix(view, aspect), worldToEye(view)));
    const { origin, direction } = rayOf(view, x, y, aspect);
    const uniforms = { u_view_projection: matrix, u_eye: origin, u_far: view.far };
    const target = this.target("ids", ID_PIXELS, ID_PIXELS, { format: gl.RGBA32UI, depth: true });
    this.begin(target);
    gl.clearBufferuiv(gl.COLOR, 0, [0, 0, 0, 0]);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.CULL_FACE);
    const parts = [lists.opaque, [...lists.planes, ...lists.transparent, ...lists.overlay]];
    parts.forEach((items, later) => {
      gl.depthFunc(later ? gl.LESS : gl.LEQUAL);
      for (const item of items) {
        const shader = this.programs.get("surface.vert", "mask.frag", item.batch.shape === "plane" ? ["IDS", "PLANE"] : ["IDS"]);
        shader.set({ ...uniforms, u_min_radius: 0 });
        this.render(item, 0);
      }
    });
    const middle = Math.floor(ID_PIXELS / 2), bits = new Uint32Array(4);
    gl.readPixels(middle, middle, 1, 1, gl.RGBA_INTEGER, gl.UNSIGNED_INT, bits);
    const [code, distance] = new Float32Array(bits.buffer);
    if (!code) return null;
    return { kind: Math.floor(code / ID_STEP), index: code % ID_STEP, point: plus(origin, times(distance, direction)) };
  }

  // passes

  /** @param {Scene} scene @returns {Lists} */
  upload(scene) {
    this.pool.begin();
    for (const [name, vertices] of scene.deformed) this.pool.deform(name, vertices);
    const slots = (/** @type {Batch[]} */ batches) => batches.filter((batch) => batch.rows.length)
      .map((batch) => ({ batch, slot: this.pool.write(batch.shape, batch.lod, batch.rows) }));
    const { opaque, planes, transparent, overlay, outlined, ghost = [] } = scene;
    return {
      opaque: slots(opaque), planes: slots(planes), transparent: slots(transparent), overlay: slots(overlay),
      outlined: slots(outlined), ghost: slots(ghost),
    };
  }

  /** Shadow maps; adds their uniforms and returns how many maps each light has. @param {Scene} scene @param {View} view @param {Lists} lists @param {Uniforms} uniforms @param {Quality} quality */
  drawShadows(scene, view, lists, uniforms, quality) {
    const lights = scene.lights.filter((light) => light.shadow).slice(0, MAX_SHADOWS);
    const resolution = Math.min(scene.shadowSize, quality.shadowSize);
    const [opaque, transparent] = [lists.opaque, lists.transparent].map((items) => items.filter(({ batch }) => castsShadow(batch)));
    if (!(scene.shadow && lights.length && opaque.length + transparent.length && resolution >= 16)) return [];
    const maps = this.shadows;
    maps.fit(lights, scene.casters, view, scene.extent, resolution);
    maps.render(
      String(scene.version),
      (camera) => {
        for (const [defines, items] of /** @type {[string[], Item[]][]} */ ([[[], opaque], [["TRANSPARENT"], transparent]])) {
          if (!items.length) continue;
          this.programs.get("shadow.vert", "shadow.frag", defines).set({ u_light_projection: camera.matrix });
          for (const item of items) this.render(item, 1, true);
        }
      },
      (image, defines) => this.fullscreen("min_depth.frag", { u_depth: UNIT_SPARE }, defines, image),
    );
    maps.bind(UNITS_SHADOW);
    Object.assign(uniforms, maps.uniforms(scene.casters));
    return maps.counts;
  }

  /** The mirror image of each reflecting plane that faces the eye. @param {Scene} scene @param {Lists} lists @param {Uniforms} uniforms @param {View} view @param {number[]} size @param {number} scale */
  drawMirrors(scene, lists, uniforms, view, size, scale) {
    const gl = this.gl;
    /** @type {Map<string, number[]>} */
    const planes = new Map();
    for (const { batch } of [...lists.planes, ...lists.opaque]) if (batch.mirror) planes.set(String(batch.mirror), batch.mirror);
    /** @type {Map<string, WebGLTexture | null>} */
    const images = new Map();
    const facing = [...planes].filter(([, plane]) => dot(plane, view.eye) > plane[3]).slice(0, MAX_MIRRORS);
    const [width, height] = size.map((length) => Math.max(Math.round(length * scale), 1));
    facing.forEach(([key, plane], index) => {
      const target = this.target(`mirror ${index}`, width, height, { depth: true });
      this.begin(target);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      const reflected = { ...reflectedView(uniforms, view, plane), u_pixel: [1 / width, 1 / height] };
      const defines = [...sceneDefines(scene, []), "CLIP"];
      gl.frontFace(gl.CW);
      const others = lists.planes.filter(({ batch }) => String(batch.mirror) !== key);
      const frame = { uniforms: reflected, defines, size: [width, height], ready: new Set(), mirrors: new Map(), scissors: new Map(), coarse: 1 };
      this.drawSurfaces(scene, { ...lists, planes: others }, frame);
      gl.frontFace(gl.CCW);
      images.set(key, target.texture);
    });
    return images;
  }

  /** All surfaces and the overlay. @param {Scene} scene @param {Lists} lists @param {Frame} frame @param {Target} target */
  drawScene(scene, lists, frame, target) {
    const gl = this.gl;
    this.begin(target);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.pool.wireframe = Boolean(scene.wireframe);
    this.drawSurfaces(scene, lists, frame);
    // the overlay faintly where it is hidden, then opaque where it is not
    gl.depthMask(false);
    gl.depthFunc(gl.GREATER);
    const hidden = { ...frame, uniforms: { ...frame.uniforms, u_opacity: HIDDEN_ALPHA }, ready: new Set() };
    for (const item of lists.overlay) this.drawBatch(hidden, item, []);
    gl.depthMask(true);
    gl.depthFunc(gl.LESS);
    for (const item of lists.overlay) this.drawBatch({ ...frame, ready: new Set() }, item, []);
    if (lists.ghost.length) this.drawGhost(withoutShadows(frame), lists.ghost);
    this.pool.wireframe = false;
  }

  /** One layer behind the model wherever the two coincide: first its depth, then the nearest surface of each pixel. @param {Frame} frame @param {Item[]} ghost */
  drawGhost(frame, ghost) {
    const gl = this.gl;
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(...GHOST_OFFSET);
    gl.depthFunc(gl.LESS);
    gl.blendFunc(gl.ZERO, gl.ONE);
    for (const item of ghost) this.drawBatch(frame, item, []);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    gl.depthFunc(gl.LEQUAL);
    for (const item of ghost) this.drawBatch(frame, item, []);
    gl.depthMask(true);
    gl.depthFunc(gl.LESS);
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }

  /** Opaque instances, planes, the sky in what is left, then transparent instances. @param {Scene} scene @param {Lists} lists @param {Frame} frame */
  drawSurfaces(scene, lists, frame) {
    const gl = this.gl;
    if (scene.skybox >= 0) this.bindTexture(UNIT_SKYBOX, scene.skybox);
    gl.enable(gl.CULL_FACE);
    gl.disable(gl.BLEND);
    // of coplanar surfaces the later one is seen
    gl.depthFunc(gl.LEQUAL);
    for (const item of lists.opaque) this.drawBatch(frame, item, []);
    gl.depthFunc(gl.LESS);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    for (const item of lists.planes) this.drawPlane(frame, item);
    // mirror images are transparent where they show nothing
    if (!frame.defines.includes("CLIP")) {
      gl.disable(gl.BLEND);
      gl.disable(gl.CULL_FACE);
      this.fullscreen("sky.frag", frame.uniforms, skyDefines(scene), null);
      gl.enable(gl.CULL_FACE);
      gl.enable(gl.BLEND);
    }
    gl.depthMask(false);
    gl.blendFunc(gl.SRC_ALPHA, scene.additive ? gl.ONE : gl.ONE_MINUS_SRC_ALPHA);
    for (const item of lists.transparent) this.drawBatch(frame, item, [], true);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(true);
  }

  /** A plane, with a cheaper shader where there are neither shadows nor mirror images. @param {Frame} frame @param {Item} item */
  drawPlane(frame, item) {
    const { rows } = item.batch, defines = rows[12] <= 0 || rows[13] <= 0 ? ["PLANE", "INFINITE"] : ["PLANE"], inner = frame.scissors.get(item);
    if (!inner) {
      this.drawBatch(frame, item, defines);
      return;
    }
    const plain = withoutShadows(frame), [width, height] = frame.size;
    this.within(outside(inner, width, height), () => this.drawBatch(plain, item, defines));
    this.within([inner], () => this.drawBatch(frame, item, defines));
  }

  /** Draw within rectangles only. @param {Rect[]} parts @param {() => void} draw */
  within(parts, draw) {
    const gl = this.gl;
    gl.enable(gl.SCISSOR_TEST);
    for (const [x, y, width, height] of parts.filter((part) => part[2] > 0 && part[3] > 0)) {
      gl.scissor(x, y, width, height);
      draw();
    }
    gl.disable(gl.SCISSOR_TEST);
  }

  /** Bounding spheres of instances. @param {Item[]} items */
  spheres(items) {
    return items.flatMap(({ batch: { shape, lod, rows } }) => {
      const { radius } = this.pool.mesh(shape, lod);
      return Array.from({ length: rows.length / 32 }, (_, k) => {
        const at = 32 * k, [x, y, z, half] = rows.subarray(at + 12, at + 16);
        return [rows[at], rows[at + 1], rows[at + 2], radius * Math.max(x, y, z) + half];
      });
    });
  }

  /** For each plane where shadows and mirror images can be. @param {Lists} lists @param {number[][]} geoms @param {Light[]} lights @param {Map<string, WebGLTexture | null>} mirrors @param {View} view @param {number} width @param {number} height */
  scissors(lists, geoms, lights, mirrors, view, width, height) {
    /** @type {Map<Item, Rect>} */
    const found = new Map();
    for (const item of lists.planes) {
      const { mirror, rows } = item.batch, shown = mirror && mirrors.has(String(mirror)) ? mirror : null, shadows = shadowSpheres(geoms, lights, rows);
      // a mirror may show other planes anywhere
      if (!shadows || (shown && lists.planes.length > 1)) continue;
      found.set(item, screenRect([...shadows, ...(shown ? mirroredSpheres(geoms, shown) : [])], view, width, height));
    }
    return found;
  }

  /** One draw call, with its textures and mirror image. @param {Frame} frame @param {Item} item @param {string[]} more @param {boolean} transparent */
  drawBatch(frame, item, more, transparent = false) {
    const gl = this.gl, { batch } = item, texture = this.textures.get(batch.texture);
    const roles = Object.entries(this.layers.get(batch.material) ?? {}).filter(([, id]) => this.textures.has(id));
    const defines = [...frame.defines, ...more];
    if (texture) {
      const cube = texture.target === gl.TEXTURE_CUBE_MAP;
      this.bindTexture(cube ? UNIT_CUBE : UNIT_TEXTURE, batch.texture);
      defines.push(cube ? "TEXTURE_CUBE" : "TEXTURE_2D");
    }
    for (const [role, id] of roles) {
      this.bindTexture(UNIT_LAYER + LAYER_ROLES.indexOf(role), id);
      defines.push(role.toUpperCase());
    }
    if (texture || roles.length) defines.push(...this.pool.mesh(batch.shape, batch.lod).defines, ...(batch.shape === "box" ? ["BOX"] : []));
    const image = batch.mirror && frame.mirrors.get(String(batch.mirror));
    if (image) {
      gl.activeTexture(gl.TEXTURE0 + UNIT_MIRROR);
      gl.bindTexture(gl.TEXTURE_2D, image);
      defines.push("MIRROR");
    }
    const shader = this.programs.get("surface.vert", "surface.frag", defines);
    if (frame.ready.has(shader)) gl.useProgram(shader.program);
    else shader.set(frame.uniforms);
    frame.ready.add(shader);
    const least = RODS.includes(batch.shape) ? Number(frame.uniforms.u_min_radius) : 0;
    shader.set({ u_min_radius: (batch.widthScale ?? 1) * least });
    if (!transparent) {
      this.render(item, frame.coarse);
      return;
    }
    // back faces first: they are seen through the front faces
    for (const culled of [gl.FRONT, gl.BACK]) {
      gl.cullFace(culled);
      this.render(item, frame.coarse, true);
    }
  }

  /** Draw a batch; without culling if its mesh is open. @param {Item} item @param {number} coarser levels of detail @param {boolean} asIs */
  render({ batch, slot }, coarser, asIs = false) {
    const gl = this.gl, open = !asIs && this.pool.mesh(batch.shape, batch.lod).open;
    if (open) gl.disable(gl.CULL_FACE);
    this.pool.render(batch.shape, batch.lod + coarser, slot, batch.rows.length / 32);
    if (open) gl.enable(gl.CULL_FACE);
  }

  /** The mask of outlined instances, without a depth test; null if there are none. @param {Item[]} outlined @param {Uniforms} uniforms @param {number} width @param {number} height */
  drawOutlined(outlined, uniforms, width, height) {
    const gl = this.gl;
    if (!outlined.length) return null;
    const mask = this.target("mask", width, height, {});
    this.begin(mask);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.CULL_FACE);
    const shader = this.programs.get("surface.vert", "mask.frag", []);
    for (const item of outlined) {
      shader.set(RODS.includes(item.batch.shape) ? uniforms : { ...uniforms, u_min_radius: 0 });
      this.render(item, 0, true);
    }
    return mask.texture;
  }

  /** Smooth edges within a rectangle, and draw the outline within another. @param {Target} image @param {Rect | null} smooth @param {WebGLTexture | null} mask @param {Rect} outlined */
  finish(image, smooth, mask, outlined) {
    const gl = this.gl, { width, height } = image, final = this.target("final", width, height, {});
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.disable(gl.CULL_FACE);
    this.copy(image, final.framebuffer, width, height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, final.framebuffer);
    gl.viewport(0, 0, width, height);
    gl.activeTexture(gl.TEXTURE0 + UNIT_MIRROR);
    gl.bindTexture(gl.TEXTURE_2D, mask ?? image.texture);
    const uniforms = { u_image: UNIT_SPARE, u_mask: UNIT_MIRROR, u_outline: OUTLINE_COLOUR }, smoothing = smooth ? ["SMOOTH"] : [];
    if (smooth) this.within([smooth], () => this.fullscreen("postprocess.frag", uniforms, smoothing, image.texture));
    if (mask) this.within([outlined], () => this.fullscreen("postprocess.frag", uniforms, [...smoothing, "OUTLINE"], image.texture));
  }

  /** Show the last picture in a rectangle of the canvas. @param {Rect} box */
  present(box) {
    const gl = this.gl, final = this.targets.get("final"), [x, y, width, height] = box;
    if (!final) return;
    if (final.width === width && final.height === height) {
      this.copy(final, null, width, height, x, y);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      return;
    }
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.disable(gl.CULL_FACE);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(x, y, width, height);
    this.fullscreen("present.frag", { u_image: UNIT_SPARE }, [], final.texture);
  }

  // parts

  /** A framebuffer of a name, made again when its size changes. @param {string} name @param {number} width @param {number} height @param {{format?: number, depth?: boolean, samples?: number}} options */
  target(name, width, height, options) {
    const known = this.targets.get(name), samples = options.samples ?? 1;
    if (known && known.width === width && known.height === height && Boolean(known.texture) === samples <= 1) return known;
    known?.release();
    const made = createTarget(this.gl, width, height, options);
    this.targets.set(name, made);
    return made;
  }

  /** Draw into a target, with the depth test on. @param {Target} target */
  begin(target) {
    const gl = this.gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, target.framebuffer);
    gl.viewport(0, 0, target.width, target.height);
    gl.clearColor(0, 0, 0, 0);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.cullFace(gl.BACK);
  }

  /** @param {Target} from @param {WebGLFramebuffer | null} to @param {number} width @param {number} height */
  copy(from, to, width, height, x = 0, y = 0) {
    const gl = this.gl;
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, from.framebuffer);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, to);
    gl.blitFramebuffer(0, 0, width, height, x, y, x + width, y + height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
  }

  /** Draw a fragment shader over the whole target. @param {string} fragment @param {Uniforms} uniforms @param {string[]} defines @param {WebGLTexture | null} image */
  fullscreen(fragment, uniforms, defines, image) {
    const gl = this.gl;
    gl.activeTexture(gl.TEXTURE0 + UNIT_SPARE);
    gl.bindTexture(gl.TEXTURE_2D, image);
    this.programs.get("screen.vert", fragment, defines).set(uniforms);
    gl.bindVertexArray(this.pool.empty);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  /** @param {number} place @param {number} id */
  bindTexture(place, id) {
    const found = this.textures.get(id);
    if (!found) return;
    this.gl.activeTexture(this.gl.TEXTURE0 + place);
    this.gl.bindTexture(found.target, found.texture);
  }
}
