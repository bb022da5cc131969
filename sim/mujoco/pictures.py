"""The structs of pictures that scripts fill in: MjvCamera, MjvOption, MjvPerturb, MjvGeom and the like."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.mujoco.constants import VISSTRING
from sim.mujoco.functions.scalars import mju_Halton
from sim.mujoco.records import MjRecord


class MjvCamera(
    MjRecord,
    members="""
type: i4 = 0
fixedcamid trackbodyid: i4 = -1
lookat: f8 3
distance: f8 = 2
azimuth: f8 = 90
elevation: f8 = -45
orthographic: i4
""",
):
    """An abstract camera: free, tracking a body, or one of the model."""


class MjvGLCamera(
    MjRecord,
    members="""
pos forward up: f4 3
frustum_center frustum_width frustum_bottom frustum_top frustum_near frustum_far: f4
orthographic: i4
""",
):
    """A camera as it draws."""


class MjvOption(
    MjRecord,
    members=f"""
label frame flex_layer: i4
geomgroup sitegroup jointgroup tendongroup actuatorgroup flexgroup skingroup: u1 6 = 1 1 1 0 0 0
flags: u1 {len(VISSTRING)} = {" ".join(on for _, on, _ in VISSTRING)}
bvh_depth: i4 = 1
""",
):
    """What a picture shows."""


class MjvPerturb(
    MjRecord,
    members="""
select active active2: i4
flexselect skinselect: i4 = -1
refpos refselpos localpos: f8 3
refquat: f8 4 = 1 0 0 0
localmass: f8
scale: f8 = 1
""",
):
    """The body that the mouse pulls."""


class MjvLight(
    MjRecord,
    members="""
id type texid: i4
pos dir attenuation ambient diffuse specular: f4 3
cutoff exponent bulbradius intensity range softness: f4
headlight castshadow: u1
""",
):
    """A light of a scene."""


class MjrRect(MjRecord, members="left bottom width height: i4"):
    """A rectangle of pixels."""

    def __init__(self, left: int, bottom: int, width: int, height: int) -> None:
        super().__init__()
        for name, value in {"left": left, "bottom": bottom, "width": width, "height": height}.items():
            setattr(self, name, value)


class MjvFigure(
    MjRecord,
    members="""
flg_legend flg_extend: i4 = 1
flg_ticklabel: i4 2 = 1
flg_barplot flg_selection flg_symmetric legendoffset subplot: i4
linewidth: f4 = 3
gridwidth: f4 = 1
gridsize: i4 2 = 2
gridrgb: f4 3 = 0.4
figurergba panergba: f4 4 = 0 0 0 1
legendrgba: f4 4 = 0 0 0 0.3
textrgb: f4 3 = 1
linergb: f4 100,3
range: f4 2,2 = 0 1 0 1
linename: S100 100
highlight xaxispixel yaxispixel: i4 2
highlightid: i4 = -1
selection: f4
linepnt: i4 100
linedata: f4 100,2002
xaxisdata yaxisdata: f4 2
""",
):
    """A plot, which a script fills in. Nothing draws it here: the viewer plots with `viewer.plot(name, value)`."""

    def __init__(self) -> None:
        super().__init__()
        for name, (_, start) in FIGURE_TEXTS.items():
            self._cells[name] = np.full(1, start, object)
        self._cells["linename"][:] = b""
        # after the colours that are given, points of a Halton sequence
        numbers = range(len(LINE_COLOURS), len(self._cells["linergb"]))
        points = [[mju_Halton(number, base) for base in (2, 3, 5)] for number in numbers]
        self._cells["linergb"][:] = [*LINE_COLOURS, *(0.1 + 0.8 * np.array(points))]

    def _values(self) -> dict[str, Any]:
        return {**super()._values(), **{name: getattr(self, name) for name in FIGURE_TEXTS}}


# texts of a figure -> the length that they may have, and what they are at first
FIGURE_TEXTS = {
    "title": (999, ""), "xlabel": (99, ""), "xformat": (19, "%.0f"), "yformat": (19, "%.2g"), "minwidth": (19, "XXX"),
}  # fmt: skip
LINE_COLOURS = (
    (1.0, 0.3, 0.3), (0.1, 1.0, 0.1), (0.3, 0.3, 1.0), (0.1, 1.0, 1.0), (1.0, 0.2, 1.0), (1.0, 1.0, 0.1),
    (1.0, 0.6, 0.2), (0.6, 0.7, 0.4),
)  # fmt: skip


def _text(name: str, longest: int) -> property:
    def get(self: MjRecord) -> str:
        return str(self._cells[name][0])

    def put(self: MjRecord, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"{name} must be a string, not {text!r}")
        if len(text) > longest:
            raise ValueError(f"len({name}) cannot exceed {longest}: got length {len(text)}")
        self._cells[name][0] = text

    return property(get, put)


for _name, (_longest, _) in FIGURE_TEXTS.items():
    setattr(MjvFigure, _name, _text(_name, _longest))


class MjvGeom(
    MjRecord,
    members="""
type: i4 = 1001
dataid matid texid: i4 = -1
objtype objid category texcoord texuniform segid: i4
texrepeat: f4 2
size: f4 3 = 0.1 0.1 0.1
pos: f4 3
mat: f4 3,3 = 1 0 0 0 1 0 0 0 1
rgba: f4 4 = 0.5 0.5 0.5 1
emission reflectance camdist modelrbound: f4
specular shininess: f4 = 0.5
castshadow: u1 = 1
transparent: u1
""",
):
    """A geom of a scene."""

    _rows = True

    def __init__(self) -> None:
        super().__init__()
        self._cells["label"] = np.full(1, "", object)

    @property
    def label(self) -> str:
        return str(self._cells["label"][self._row])

    @label.setter
    def label(self, text: str) -> None:
        self._cells["label"][self._row] = str(text)[:99]

    def _values(self) -> dict[str, Any]:
        return dict(sorted({**super()._values(), "label": self.label}.items()))
