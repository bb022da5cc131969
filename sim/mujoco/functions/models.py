"""Whole models: defaults, files, textures, text output and the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import sim
from sim.attributes import BY_TAG
from sim.enums import GAIN_SO3, INPUT_FF, INPUT_POS, INPUT_PRESSURE, INPUT_VEL, INPUT_VOLTAGE
from sim.mjcf import MjcfError
from sim.mjcf.records import LengthRange
from sim.mjcf.set_const.length_range import included, only_limits, simulate_range, target_range
from sim.mujoco.binding import bound, fatal, returning, writing
from sim.mujoco.structs.options import LR_DEFAULTS, MjLROpt, MjOption, MjVisual
from sim.mujoco.structs.stats import MjContact

SOLREF = (0.02, 1.0)
SOLIMP = (0.9, 0.95, 0.001, 0.5, 2.0)

# names of the inputs of an actuator by the bits of its signature, in their order
INPUTS = {INPUT_POS: "pos", INPUT_VEL: "vel", INPUT_FF: "ff", INPUT_VOLTAGE: "voltage", INPUT_PRESSURE: "pressure"}
QUATERNION = ("qw", "qx", "qy", "qz")
ROTATION = ("rx", "ry", "rz")


def _typed(value: Any, kind: type, function: str) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{function}: {kind.__name__} is needed, not {value!r}")
    return value


# ---------------------------------------------------------------- defaults


writing({
    "mj_defaultSolRefImp solref:out?2 solimp:out?5": (lambda: (SOLREF, SOLIMP), "Default constraint parameters."),
})  # fmt: skip
returning({
    "mj_defaultOption opt:any": (
        lambda opt: _typed(opt, MjOption, "mj_defaultOption")._assign(MjOption()), "Set options to their defaults.",
    ),
    "mj_defaultVisual vis:any": (
        lambda vis: _typed(vis, MjVisual, "mj_defaultVisual")._assign(MjVisual()),
        "Set visual options to their defaults.",
    ),
    "mj_embedAssets m -> object": (
        lambda m: m.copy(), "A copy of the model; its textures are always embedded.",
    ),
    "mju_threadpool d:any nthread:int": (
        lambda d, count: d.__dict__.update(threadpool=count),
        "Request a thread pool for one step: recorded, but a step here runs in one thread.",
    ),
})  # fmt: skip


@bound("opt:any")
def mj_defaultLROpt(opt: Any) -> None:
    """Set options of length ranges to their defaults."""
    for name, value in LR_DEFAULTS.items():
        setattr(_typed(opt, MjLROpt, "mj_defaultLROpt"), name, value)


@bound("m d index:int opt:any", "int")
def mj_setLengthRange(m: Any, d: Any, index: int, opt: Any) -> int:
    """Compute actuator_lengthrange of an actuator: from the limits of its joint or tendon, or by pulling both ways."""
    _typed(opt, MjLROpt, "mj_setLengthRange")
    if not 0 <= index < m.nactuator:
        raise fatal(f"mj_setLengthRange: there is no actuator {index}")
    given = m.actuator_lengthrange[m.actuator_outadr[index]]
    if not included(m, index, opt.mode) or (opt.useexisting and given[0] < given[1]):
        return 1
    limit = target_range(m, index) if opt.uselimit else None
    if limit is not None:
        given[:] = limit
        return 1
    limited = only_limits(m, opt.timestep)
    names = LengthRange.__annotations__
    how = LengthRange(**{name: getattr(opt, name) for name in names if name in LR_DEFAULTS})
    try:
        simulate_range(limited, sim.Data(limited), index, how)
    except MjcfError as why:
        raise fatal(f"mj_setLengthRange: {why}") from None
    return 1


# ---------------------------------------------------------------- actuators, contacts


@bound("m id:int input:int", "str")
def mj_actuatorInputName(m: Any, id: int, input: int) -> str | None:  # noqa: A002
    """The name of an input of an actuator, None if it has none."""
    if not 0 <= id < m.nactuator or not 0 <= input < m.actuator_ctrlnum[id]:
        return None
    if m.actuator_gaintype[id] == GAIN_SO3:
        return (QUATERNION if m.actuator_ctrlnum[id] == 4 else ROTATION)[input]
    names = [name for bit, name in INPUTS.items() if m.actuator_ctrlspec[id] & bit]
    return names[input] if input < len(names) else None


@bound("m d con:any", "int")
def mj_addContact(m: Any, d: Any, con: Any) -> int:
    """Append a contact; returns 0."""
    _typed(con, MjContact, "mj_addContact")
    row = d.ncon
    d.grow("ncon", row + 1)
    d.ncon = row + 1
    d.contact[row] = con
    return 0


# ---------------------------------------------------------------- files


@bound("filename:str", "list[str]")
def mju_getXMLDependencies(filename: str) -> list[str]:
    """The file of a model, and all files that it needs."""
    if not Path(filename).exists():
        raise fatal(f"mju_getXMLDependencies: cannot open {filename}")
    folder = Path(filename).parent
    found = []
    for name in sim.load(filename).files:
        path = Path(name)
        if not path.is_file():
            continue
        inside = path.is_relative_to(folder.absolute())
        found.append(str(folder / path.relative_to(folder.absolute())) if inside else str(path))
    return sorted({*found, filename})


@bound("filename:str m")
def mj_saveLastXML(filename: str, m: Any) -> None:
    """Write MJCF that compiles to the model, with the edits since it was loaded."""
    try:
        m.save_xml(filename)
    except ValueError as error:
        raise fatal(f"mj_saveLastXML: {error}") from None


@bound("m id:int", "tuple")
def mj_loadTexture(m: Any, id: int) -> tuple[np.ndarray, int]:  # noqa: A002
    """(pixels, colour space) of a texture."""
    if not 0 <= id < m.ntex:
        raise ValueError(f"mj_loadTexture: texture {id} is out of range: there are {m.ntex}")
    return m.tex(id).data.copy(), int(m.tex_colorspace[id])


# ---------------------------------------------------------------- text


def _print(struct: Any, title: str, filename: str, float_format: str = "%- 9.3g") -> None:
    """Write all fields and their values."""
    lines = [title, ""]
    for name in struct.layout.places:
        if "." in name and not name.startswith(("opt.", "vis.", "stat.", "contact.", "warning.")):
            continue
        value = struct.read(name)
        if np.ndim(value) == 0:
            lines.append(f"{name:24} {_number(value, float_format)}")
        elif np.size(value):
            lines.append(f"{name:24} {tuple(np.shape(value))}")
            for row in np.reshape(value, (len(value), -1)):
                lines.append("    " + " ".join(_number(number, float_format) for number in row.tolist()))
    Path(filename).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _number(value: Any, float_format: str) -> str:
    return float_format % value if isinstance(value, float) else str(value)


def _print_model(m: Any, *how: str) -> None:
    _print(m, f"MODEL {m.names.model_name}", *how)


def _print_data(m: Any, d: Any, *how: str) -> None:
    _print(d, "DATA", *how)


returning({
    "mj_printFormattedModel m filename:str float_format:str": (
        _print_model, "Write all fields of a model to a text file.",
    ),
    "mj_printModel m filename:str": (_print_model, "Write all fields of a model to a text file."),
    "mj_printFormattedData m d filename:str float_format:str": (
        _print_data, "Write all fields of data to a text file.",
    ),
    "mj_printData m d filename:str": (_print_data, "Write all fields of data to a text file."),
})  # fmt: skip


@bound("flg_html:bool flg_pad:bool", "str")
def mj_printSchema(flg_html: bool, flg_pad: bool) -> str:
    """The elements and attributes that the engine reads, as text or as HTML."""
    rows = [("mujoco", " ".join(sorted(BY_TAG.get("mujoco", {"model": None}))))]
    rows += [(tag, " ".join(sorted(attributes))) for tag, attributes in sorted(BY_TAG.items()) if tag != "mujoco"]
    if flg_html:
        cells = "".join(f"<tr><td>{tag}</td><td>{names}</td></tr>\n" for tag, names in rows)
        return f"<table>\n{cells}</table>\n"
    width = max(len(tag) for tag, _ in rows) + 3
    space = "\N{NO-BREAK SPACE}" if flg_pad else " "
    return "".join(f"{tag}{space * (width - len(tag))}{names}\n" for tag, names in rows)
