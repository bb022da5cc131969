"""The model of an export: MJCF with its edits and its files, which compiles to the same numbers without the original.

What MJCF cannot say, or says with other numbers, is kept by field. A model that only MuJoCo knows is its MJCF as MuJoCo
writes it, or else MuJoCo's binary format, which only the same version reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import sim
from app.background.export.private import without_paths
from app.run.engine.installed import mujoco
from app.run.engine.mujoco_model import UNKNOWN, MujocoModel
from sim.mjcf import MjcfError
from sim.mjcf.save.only_ours import only_ours
from sim.model import LARGE
from sim.user_error import UserError

# modules with MuJoCo's names: our engine, and MuJoCo
OURS, THEIRS = "kinetoscope.mujoco", "mujoco"
# numbers that a file may set besides what MJCF says
MOST_NUMBERS = 20_000
# the name of a binary model
BINARY = "model.mjb"
# folder below a model's own -> lists of MjSpec whose elements have files
FILES = {"meshdir": ("meshes", "hfields", "skins"), "texturedir": ("textures",)}


class CannotExport(UserError):
    """The moment cannot be exported: why."""


@dataclass(frozen=True)
class ModelText:
    """MJCF and its files, or a binary model; `fields` are set after it is loaded.

    `engines` are the modules that can run it; `alone` says why it is only one.
    """

    xml: str = ""
    assets: Mapping[str, bytes] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    binary: bytes = b""
    engines: tuple[str, ...] = (OURS, THEIRS)
    alone: str = ""

    @property
    def files(self) -> dict[str, bytes]:
        """All that is not text: the files that MJCF names, or the binary model."""
        return {**self.assets, **({BINARY: self.binary} if self.binary else {})}


def model_text(m: sim.Model) -> ModelText:
    """The text of a model with its edits; CannotExport says why there is none."""
    theirs = isinstance(m, MujocoModel)
    if m.__dict__.get("source") is None:
        if not isinstance(m, MujocoModel):
            raise CannotExport("this model has no source: create it with sim.load, sim.loads or sim.Spec")
        return _foreign(m)
    files = m.packed()
    xml = files.pop("model.xml").decode()
    try:
        compiled = _compiled(xml, files, theirs)
    except (MjcfError, ValueError) as error:
        raise CannotExport(f"the model cannot be reloaded from its MJCF: {error}") from error
    engines = (THEIRS, OURS) if theirs else (OURS, THEIRS)
    alone = why_ours(m)
    return ModelText(xml, files, different_fields(m, compiled), b"", (OURS,) if alone else engines, alone)


def why_ours(m: sim.Model) -> str:
    """Why MuJoCo cannot run a model as our engine does; empty if it can."""
    return next((f"MuJoCo does not have {one.text}" for one in only_ours(m.read)), "")


def different_fields(m: sim.Model, compiled: sim.Model) -> dict[str, Any]:
    """Fields of a model, largest aside, that its MJCF does not compile to, with their values."""
    sizes = [name for name in m.sizes if m.sizes[name] != compiled.sizes.get(name)]
    if sizes:
        name = sizes[0]
        here, there = m.sizes[name], compiled.sizes.get(name, 0)
        raise CannotExport(f"MJCF cannot fully express this model: {name} is {here}, not {there}")
    found = _other_fields(m, compiled)
    for name in m.layout.places:
        # where the names of files are is not part of the model
        if not name.startswith(LARGE) and not name.endswith("_pathadr"):
            value = np.asarray(m.read(name))
            if not np.array_equal(value, np.asarray(compiled.read(name)), equal_nan=value.dtype.kind == "f"):
                found[name] = value.copy()
    return found


def _other_fields(m: sim.Model, compiled: sim.Model) -> dict[str, Any]:
    """Arrays that only MuJoCo has, those of flexes say, that differ; CannotExport if they cannot be set."""
    if not isinstance(m, MujocoModel) or not isinstance(compiled, MujocoModel):
        return {}
    found: dict[str, Any] = {}
    for name in dir(m.mj):
        if name.startswith(("_", *LARGE)) or name.endswith("_pathadr") or name in m.layout.places:
            continue
        value, other = getattr(m.mj, name), getattr(compiled.mj, name)
        if isinstance(value, np.ndarray) and not np.array_equal(value, other):
            if value.shape != other.shape:
                raise CannotExport(f"MJCF cannot fully express this model: {name} has a different shape")
            found[name] = value.copy()
    if sum(map(np.size, found.values())) > MOST_NUMBERS:
        raise CannotExport("the MJCF that MuJoCo writes differs in too many numbers")
    return found


def _compiled(xml: str, assets: Mapping[str, bytes], theirs: bool) -> sim.Model:
    """The model that an engine makes of MJCF."""
    return MujocoModel(mujoco().MjModel.from_xml_string(xml, dict(assets))) if theirs else sim.loads(xml, assets)


# ---- what only MuJoCo knows


def _foreign(m: MujocoModel) -> ModelText:
    """A model without a source that we could write: as MuJoCo writes it."""
    kinds = [what for count, what in UNKNOWN.items() if getattr(m.mj, count, 0)]
    alone = f"Kinetoscope's engine does not support {' and '.join(kinds)}" if kinds else "the model has no MJCF"
    path = next(iter(m.files), None)
    if path is not None:
        try:
            xml, assets = _written(Path(path))
            return ModelText(xml, assets, different_fields(m, _compiled(xml, assets, True)), b"", (THEIRS,), alone)
        except (ValueError, OSError, CannotExport):
            pass
    content = m.binary()
    assert content is not None
    plain = m.copy()
    m.engine.apply_edits(plain, sim.ModelEdits())
    return ModelText("", {}, different_fields(m, plain), without_paths(content), (THEIRS,), alone)


def _written(path: Path) -> tuple[str, dict[str, bytes]]:
    """The MJCF of a file as MuJoCo writes it, includes expanded, and the files that it names."""
    spec = mujoco().MjSpec.from_file(str(path))
    # it writes what it has compiled
    spec.compile()
    assets: dict[str, bytes] = {}
    for folder, kinds in FILES.items():
        below = path.parent / (getattr(spec, folder, "") or "")
        for element in _elements(spec, kinds):
            name = f"assets/{len(assets)}_{Path(element.file).name}"
            assets[name] = (below / element.file).read_bytes()
            element.file = name
        setattr(spec, folder, "")
    return str(spec.to_xml()), assets


def _elements(spec: Any, kinds: Iterable[str]) -> list[Any]:
    """Elements with a file."""
    return [element for kind in kinds for element in getattr(spec, kind, ()) if element.file]
