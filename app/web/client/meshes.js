// @ts-check
// Primitive meshes: unit sphere, capsule, cylinder, cone, pyramid, box and plane as triangles, as in the desktop viewer.
// A vertex is position 3, normal 3, cap 1 and texture coordinate 2: instances scale the position and then move it by
// cap * half length along z.

/**
 * @typedef {object} Mesh
 * @property {Float32Array} vertices nine floats each
 * @property {Uint16Array | Uint32Array} triangles
 * @property {boolean} open has a boundary, so that back faces can be seen
 * @property {boolean} textured has texture coordinates
 */

// slices and stacks of round shapes, by level of detail
const LODS = [[64, 32], [32, 16], [16, 8], [8, 6], [6, 4]];
export const MAX_LOD = LODS.length - 1;
export const PRIMITIVES = ["plane", "sphere", "capsule", "cylinder", "cone", "pyramid", "box"];

/** @param {number[][]} vertices @param {number[]} triangles @param {boolean} textured @returns {Mesh} */
function meshOf(vertices, triangles, textured) {
  const flat = new Float32Array(9 * vertices.length);
  vertices.forEach((vertex, i) => flat.set(vertex, 9 * i));
  return { vertices: flat, triangles: new Uint16Array(triangles), open: false, textured };
}

/** @param {string} name @param {number} lod @returns {Mesh} */
export function primitive(name, lod) {
  const [slices, stacks] = LODS[lod];
  switch (name) {
    case "sphere": return sphere(slices, stacks, false);
    case "capsule": return sphere(slices, stacks, true);
    case "cylinder": return cylinder(slices);
    case "cone": return cone(slices);
    case "pyramid": return cone(4);
    case "box": return box();
    default: return plane();
  }
}

function plane() {
  const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
  return meshOf(corners.map(([x, y]) => [x, y, 0, 0, 0, 1, 0]), [0, 1, 2, 0, 2, 3], false);
}

/** `apart`: with a doubled equator, for a capsule. @param {number} slices @param {number} stacks @param {boolean} apart */
function sphere(slices, stacks, apart) {
  const rings = Array.from({ length: stacks + 1 }, (_, k) => [(Math.PI * k) / stacks, k <= stacks / 2 ? 1 : -1]);
  if (apart) rings.splice(stacks / 2 + 1, 0, [Math.PI / 2, -1]);
  const vertices = rings.flatMap(([polar, side]) => Array.from({ length: slices + 1 }, (_, k) => {
    const angle = (2 * Math.PI * k) / slices, s = Math.sin(polar);
    const at = [s * Math.cos(angle), s * Math.sin(angle), Math.cos(polar)];
    const down = apart ? (2 * polar) / Math.PI + Number(side < 0) : polar / Math.PI;
    return [...at, ...at, apart ? side : 0, k / slices, down];
  }));
  return meshOf(vertices, strips(rings.length, slices + 1, 0), true);
}

/** Triangles between adjacent rings of `across` vertices. @param {number} rings @param {number} across @param {number} start */
function strips(rings, across, start) {
  const triangles = [];
  for (let ring = 0; ring < rings - 1; ring++) {
    for (let k = 0; k < across - 1; k++) {
      const first = start + ring * across + k, below = first + across;
      triangles.push(first, below, first + 1, first + 1, below, below + 1);
    }
  }
  return triangles;
}

/** @param {number} slices */
function circle(slices) {
  return Array.from({ length: slices + 1 }, (_, k) => [Math.cos((2 * Math.PI * k) / slices), Math.sin((2 * Math.PI * k) / slices)]);
}

/** @param {number} slices */
function cylinder(slices) {
  /** @type {[number, boolean][]} */
  const rings = [[1, false], [1, true], [-1, true], [-1, false]];
  const vertices = rings.flatMap(([z, side]) => circle(slices).map(([x, y], k) => side
    ? [x, y, z, x, y, 0, 0, k / slices, (1 - z) / 2]
    : [x, y, z, 0, 0, z, 0, (1 + x) / 2, (1 + y) / 2]));
  const triangles = strips(2, slices + 1, slices + 1), top = vertices.length, start = 3 * (slices + 1);
  vertices.push([0, 0, 1, 0, 0, 1, 0, 0.5, 0.5], [0, 0, -1, 0, 0, -1, 0, 0.5, 0.5]);
  for (let k = 0; k < slices; k++) triangles.push(top, k, k + 1, top + 1, start + k + 1, start + k);
  return meshOf(vertices, triangles, true);
}

/** @param {number} slices */
function cone(slices) {
  // twice as high as its radius; each facet has its own apex vertex, for its normal
  const points = circle(slices), one = 1 / Math.sqrt(5), across = slices + 1;
  const vertices = [
    ...points.map(([x, y]) => [0, 0, 1, 2 * x * one, 2 * y * one, one]),
    ...points.map(([x, y]) => [x, y, -1, 2 * x * one, 2 * y * one, one]),
    ...points.map(([x, y]) => [x, y, -1, 0, 0, -1]),
    [0, 0, -1, 0, 0, -1],
  ];
  const triangles = [];
  for (let k = 0; k < slices; k++) {
    triangles.push(k, across + k, across + k + 1, 3 * across, 2 * across + k + 1, 2 * across + k);
  }
  return meshOf(vertices, triangles, false);
}

function box() {
  /** @type {number[][]} */
  const vertices = [];
  const triangles = [];
  for (let axis = 0; axis < 3; axis++) {
    const u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const sign of [-1, 1]) {
      const start = vertices.length;
      for (const [a, b] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
        const vertex = [0, 0, 0, 0, 0, 0, 0];
        vertex[axis] = sign, vertex[u] = a * sign, vertex[v] = b, vertex[3 + axis] = sign;
        vertices.push(vertex);
      }
      triangles.push(start, start + 1, start + 2, start, start + 2, start + 3);
    }
  }
  return meshOf(vertices, triangles, false);
}
