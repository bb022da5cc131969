"""MjModel: the engine's Model under MuJoCo's names. Every function of `sim` takes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike, fspath
from pathlib import PurePath
from time import perf_counter
from typing import TYPE_CHECKING, Any

import sim
from sim.fields import MODEL_LAYOUT
from sim.mjcf.asset.assets import path_texts
from sim.mjcf.notes import collected
from sim.model import Model
from sim.mujoco.logs import log_compiled, log_warning
from sim.mujoco.records import kept
from sim.mujoco.structs import absent
from sim.mujoco.structs.bind import Common
from sim.mujoco.structs.names import ADDRESSES, Names
from sim.mujoco.structs.options import GROUPS, MjOption, MjStatistic, MjVisual
from sim.mujoco.structs.views import lookup
from sim.named import ALIASES, KINDS

# the name of a model that has none
UNNAMED = "MuJoCo Model"


def _paths(m: Model) -> bytes:
    """The paths of assets, each ended by a zero byte, at mesh_pathadr and the like."""
    source = m.__dict__.get("source")
    if source is None:
        raise AttributeError("asset paths are unknown: the model was not loaded from a file; see m.files")
    return path_texts(source.parsed)


def _address_in(field: str) -> Callable[[Any], Any]:
    return lambda m: m.names.addresses[field]


# fields that are made when they are first asked for
MADE: dict[str, Callable[[Any], Any]] = {
    "nnames": lambda m: len(m.names),
    "names_map": lambda m: m.names.map(),
    "nnames_map": lambda m: len(m.names.map()),
    "paths": _paths,
    "npaths": lambda m: len(_paths(m)),
    "nbuffer": lambda m: m._buffer.nbytes,
    **{field: _address_in(field) for field in ADDRESSES.values()},
    **absent.EMPTY_MODEL,
    **absent.ZERO_MODEL,
}


class MjModel(Common, Model):
    """What is constant during a simulation."""

    opt: MjOption  # type: ignore[assignment]
    stat: MjStatistic  # type: ignore[assignment]
    vis: MjVisual  # type: ignore[assignment]
    _made_fields = MADE
    _keeps_made = True
    _missing = absent.MISSING_MODEL
    _fields = frozenset({*(name.partition(".")[0] for name in MODEL_LAYOUT.places), *MADE, "names"})
    _methods = ("from_xml_path", "from_xml_string", "from_binary_path")
    names: Names  # type: ignore[assignment]

    def __new__(cls, *args: Any, **kwargs: Any) -> MjModel:
        raise TypeError("MjModel: No constructor defined! Use from_xml_path, from_xml_string or MjSpec.compile")

    @classmethod
    def adopt(cls, model: Model, name: str | None = None) -> MjModel:
        """The same model, as an MjModel."""
        if name is None:
            source = model.__dict__.get("source")
            name = getattr(getattr(source, "parsed", None), "modelname", "") or UNNAMED
        own = model.__dict__
        own["names"] = Names(name, own["names"])
        own["views"] = {}
        object.__setattr__(model, "__class__", cls)
        assert isinstance(model, MjModel)
        own.update({group: make(model) for group, make in GROUPS.items()})
        return model

    @staticmethod
    def from_xml_path(filename: str | PathLike[str], assets: Mapping[str, bytes] | None = None) -> MjModel:
        """Compile an MJCF or URDF file. Files that it names are looked up in `assets` first."""
        if assets:
            given = _checked_assets(assets)
            found = given.get(fspath(filename), given.get(PurePath(filename).name))
            if found is not None:
                text = _text(found)
                return _compiled(lambda: sim.loads(text, given))
        return _compiled(lambda: sim.load(filename, _checked_assets(assets) if assets else None))

    @staticmethod
    def from_xml_string(xml: str | bytes, assets: Mapping[str, bytes] | None = None) -> MjModel:
        """Compile MJCF or URDF given as text. Files that it names are looked up in `assets` first."""
        return _compiled(lambda: sim.loads(_text(xml), _checked_assets(assets) if assets else None))

    @staticmethod
    def from_binary_path(filename: str | PathLike[str], assets: Mapping[str, bytes] | None = None) -> MjModel:
        """Load a model that mj_saveModel has saved."""
        from sim.mujoco.binary import load_model

        return load_model(filename, assets)

    def copy(self) -> MjModel:
        return MjModel.adopt(super().copy(), self.names.model_name)

    def __deepcopy__(self, memo: dict[int, Any]) -> MjModel:
        return self.copy()

    def __reduce__(self) -> Any:
        return _restored, (self.values(), dict(self.names.items()), self.files, self.names.model_name)

    def with_own(self, names: Any) -> Any:
        other = super().with_own(names)
        other.__dict__["views"] = {}
        other.__dict__.update({group: make(other) for group, make in GROUPS.items()})
        return other

    def set_keys(self, names: Any, rows: Any) -> None:
        title = self.names.model_name
        super().set_keys(names, rows)
        self.__dict__["names"] = Names(title, self.__dict__["names"])
        self.__dict__["views"].clear()

    @property
    def text_data(self) -> bytes:  # type: ignore[override]
        """All custom texts, each ended by a zero byte."""
        return self.array("text_data").tobytes()

    @property
    def _sizes(self) -> dict[str, int]:
        return self.sizes

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None:
            array = self._made.get(name)
            if array is not None and name not in self.indices | self.guarded:
                array[...] = value
            elif name in GROUPS:
                self.__dict__[name]._assign(value)
            else:
                super().__setattr__(name, value)
                if name == "flg_gravcomp":
                    self.write("ngravcomp", int(value))


for _kind in (*KINDS, *ALIASES):
    setattr(MjModel, _kind, lookup(_kind))
# the engine's properties of these groups make way for the records in the model
for _group in GROUPS:
    setattr(MjModel, _group, kept(_group))


def _compiled(load: Callable[[], Model]) -> MjModel:
    """Compile a model; its notes go where MuJoCo's messages go, and are not warnings of Python."""
    start = perf_counter()
    with collected() as notes:
        model = load()
    log_compiled(perf_counter() - start)
    for note in notes:
        log_warning(note)
    return MjModel.adopt(model)


def _restored(values: Any, names: Any, files: Any, title: str) -> MjModel:
    return MjModel.adopt(Model(values, names, files), title)


def _text(xml: str | bytes) -> str:
    return xml.decode() if isinstance(xml, (bytes, bytearray)) else xml


def _checked_assets(assets: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """Files by name, whatever folder they are said to be in."""
    seen: set[str] = set()
    for path, content in assets.items():
        if not isinstance(content, (str, bytes, bytearray)):
            raise TypeError(f"assets: {path!r} should be bytes, not {type(content).__name__}")
        name = PurePath(path).name
        if name in seen:
            raise ValueError(f"Repeated file name in assets dict: {name}")
        seen.add(name)
    return assets
