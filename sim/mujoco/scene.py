"""MjvScene and MjrContext: what a script draws with MuJoCo's own calls, `mjv_updateScene` and `mjr_render`.

The renderer of the viewer draws, so a scene keeps the model, data, camera and options that it was updated with, and has
only the geoms that the script adds to it: `scn.geoms[scn.ngeom]`. A context holds the last image.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from sim.enums import PROJ_ORTHOGRAPHIC
from sim.model import Data, Model
from sim.mujoco import enums
from sim.mujoco.pictures import MjrRect, MjvCamera, MjvGeom, MjvGLCamera, MjvOption
from sim.mujoco.records import Cells, MjRecord

# numbers of a geom, next to each other as in MuJoCo's struct
COLUMNS = {"size": slice(0, 3), "pos": slice(3, 6), "mat": slice(6, 15), "rgba": slice(15, 19)}
WIDTH = 19
GEOMS: Any = enums.CLASSES["mjtGeom"]
FLAGS: Any = enums.CLASSES["mjtRndFlag"]
FIXED = int(enums.CLASSES["mjtCamera"].mjCAMERA_FIXED)  # type: ignore[attr-defined]
# values of mjtDepthMap
ZERONEAR, ZEROFAR = range(2)
OFF = ("WIREFRAME", "ADDITIVE", "FOG", "DEPTH", "SEGMENT", "IDCOLOR")


class Shown(NamedTuple):
    """The arguments of `mjv_updateScene`."""

    model: Model
    data: Data
    option: MjvOption
    camera: MjvCamera


class SceneGeoms:
    """The geoms of a scene; each is made when it is asked for."""

    def __init__(self, count: int) -> None:
        numbers = np.zeros((count, WIDTH), np.float32)
        self._count = count
        self._cells: Cells = {"label": np.full(count, "", object)}
        for name, (dtype, shape, default) in MjvGeom._members.items():
            if name in COLUMNS:
                self._cells[name] = numbers[:, COLUMNS[name]].reshape(count, *shape)
            else:
                self._cells[name] = np.zeros((count, *shape), dtype)
            self._cells[name][...] = default

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[MjvGeom]:
        return (MjvGeom.at(self._cells, row) for row in range(self._count))

    def __getitem__(self, index: Any) -> Any:
        rows = range(self._count)[index]
        if isinstance(rows, range):
            return [MjvGeom.at(self._cells, row) for row in rows]
        return MjvGeom.at(self._cells, rows)


class MjvScene(
    MjRecord,
    members=f"""
maxgeom ngeom nlight stereo: i4
enabletransform: u1
scale: f4 = 1
translate framergb: f4 3
rotate: f4 4 = 1 0 0 0
framewidth: f4
flags: u1 {int(FLAGS.mjNRNDFLAG)} = 1
""",
):
    """The geoms that a script adds to a picture, and rendering flags."""

    __slots__ = ("_geoms", "camera", "lights", "shown")

    _geoms: SceneGeoms
    camera: list[MjvGLCamera]
    lights: list[Any]
    shown: Shown | None

    def __init__(self, model: Model | None = None, maxgeom: int = 0) -> None:
        super().__init__()
        self._cells["maxgeom"][0] = maxgeom
        self._geoms, self.camera, self.lights = SceneGeoms(maxgeom), [MjvGLCamera(), MjvGLCamera()], []
        self.shown = None
        for name in OFF:
            self._cells["flags"][int(getattr(FLAGS, f"mjRND_{name}"))] = 0

    @property
    def geoms(self) -> SceneGeoms:
        return self._geoms


class MjrContext:
    """Where pictures are drawn."""

    def __init__(self, model: Model, fontscale: int = 150) -> None:
        from app.render.capture.script_images import ScriptImages

        self._images = ScriptImages(model)
        vis = model.vis.global_
        self.offWidth, self.offHeight = int(vis.offwidth), int(vis.offheight)
        self.fontScale = int(fontscale)
        self.currentBuffer = 0
        self.readDepthMap = ZERONEAR

    def free(self) -> None:
        """Release the memory of the GPU."""
        self._images.close()


# ---------------------------------------------------------------- mjv


def mjv_updateScene(m: Model, d: Data, opt: MjvOption, pert: Any, cam: MjvCamera, catmask: int, scn: Any) -> None:
    """Let a scene show the data, from a camera; geoms that were added to it are removed."""
    if not isinstance(m, Model) or not isinstance(d, Data):
        raise TypeError(f"mjv_updateScene: an MjModel and an MjData are needed, not {m!r} and {d!r}")
    for name, value, kind in (("opt", opt, MjvOption), ("cam", cam, MjvCamera), ("scn", scn, MjvScene)):
        if not isinstance(value, kind):
            raise TypeError(f"mjv_updateScene: {name} should be an {kind.__name__}, not {type(value).__name__}")
    scn.ngeom = 0
    scn.shown = Shown(m, d, copy(opt), copy(cam))
    scn.camera[0].orthographic = is_orthographic(m, cam)


def is_orthographic(m: Model, cam: Any) -> bool:
    """Whether a camera draws without perspective: one of the model, or the free one."""
    if cam.type != FIXED:
        return bool(cam.orthographic or m.read("vis.global_.orthographic"))
    return bool(m.cam_projection[cam.fixedcamid] == PROJ_ORTHOGRAPHIC)


def mjv_initGeom(geom: Any, type: int, size: Any, pos: Any, mat: Any, rgba: Any) -> None:  # noqa: A002
    """Set type, size, pose and colour of a geom, all else to its default; None keeps the default."""
    for name, (_, _, default) in MjvGeom._members.items():
        geom._cells[name][geom._row] = default
    geom.label, geom.type = "", int(type)
    values = {"size": size, "pos": pos, "mat": None if mat is None else np.reshape(mat, (3, 3)), "rgba": rgba}
    for name, value in values.items():
        if value is not None:
            setattr(geom, name, value)
    if size is not None and geom.type == GEOMS.mjGEOM_SPHERE:
        geom.size = geom.size[0]
    elif size is not None and geom.type in (GEOMS.mjGEOM_CAPSULE, GEOMS.mjGEOM_CYLINDER):
        geom.size = geom.size[[0, 0, 1]]


def mjv_connector(geom: Any, type: int, width: float, from_: Any, to: Any) -> None:  # noqa: A002
    """Let a geom connect two points: a capsule, cylinder, arrow or line of some width, along its z axis."""
    start, end = np.asarray(from_, float), np.asarray(to, float)
    along = end - start
    length = float(np.linalg.norm(along))
    geom.type = int(type)
    whole = geom.type in (GEOMS.mjGEOM_ARROW, GEOMS.mjGEOM_ARROW1, GEOMS.mjGEOM_ARROW2, GEOMS.mjGEOM_LINE)
    geom.size = (width, width, length if whole else 0.5 * length)
    geom.pos = start if whole else 0.5 * (start + end)
    geom.mat = _frame(along / length if length > 0 else np.array([0.0, 0.0, 1.0]))


def _frame(z: np.ndarray) -> np.ndarray:
    """A rotation whose third column is z: the shortest from the z axis."""
    axis = np.array([-z[1], z[0], 0.0])
    sine, cosine = float(np.linalg.norm(axis)), float(z[2])
    if sine < 1e-12:
        return np.diag([1.0, 1.0 if cosine > 0 else -1.0, 1.0 if cosine > 0 else -1.0])
    axis /= sine
    cross = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    turned: np.ndarray = np.eye(3) + sine * cross + (1.0 - cosine) * cross @ cross
    return turned


# ---------------------------------------------------------------- mjr


def mjr_render(viewport: Any, scn: MjvScene, con: MjrContext) -> None:
    """Draw a scene."""
    if scn.shown is not None:
        con._images.draw(scn, int(viewport.width), int(viewport.height))


def mjr_readPixels(rgb: np.ndarray | None, depth: np.ndarray | None, viewport: Any, con: MjrContext) -> None:
    """The colours and depths of the picture, in rows from the bottom to the top; depth is 0 near and 1 far, or so."""
    if rgb is not None:
        rgb[...] = con._images.colours()[::-1].reshape(rgb.shape)
    if depth is not None:
        depth[...] = con._images.depths(con.readDepthMap == ZEROFAR)[::-1].reshape(depth.shape)


def mjr_setBuffer(framebuffer: int, con: MjrContext) -> None:
    """Which buffer to draw into: there is one."""
    con.currentBuffer = int(framebuffer)


def mjr_resizeOffscreen(width: int, height: int, con: MjrContext) -> None:
    """The size of pictures: they are as large as the viewport that is drawn."""
    con.offWidth, con.offHeight = int(width), int(height)


def mjr_maxViewport(con: MjrContext) -> Any:
    """The largest viewport."""
    return MjrRect(0, 0, con.offWidth, con.offHeight)


def mjr_overlay(font: int, gridpos: int, viewport: Any, overlay: Any, overlay2: Any, con: MjrContext) -> None:
    """Text over a picture: only windows show texts (`set_texts` of the viewer)."""


class MjrRendererInfo:
    """Which renderer draws."""

    def __init__(self) -> None:
        self.renderer, self.backend = "", ""


def mjr_getRendererInfo(info: MjrRendererInfo) -> None:
    """Say which renderer draws: one of OpenGL, which is none of MuJoCo's newer ones."""
    info.renderer, info.backend = "classic", "opengl"
