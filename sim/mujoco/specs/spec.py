"""MjSpec: a spec under MuJoCo's names."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.mjcf.errors import MjcfError
from sim.mjcf.source import bare
from sim.mujoco.data import MjData
from sim.mujoco.model import MjModel
from sim.mujoco.specs import operations
from sim.mujoco.specs.base import KINDS, Mjs, resolve_orientation
from sim.mujoco.specs.bodies import PLURALS as MEMBERS
from sim.mujoco.specs.bodies import MjsBody, MjsFrame, Part
from sim.mujoco.specs.constraints import MjsWrap
from sim.mujoco.specs.custom import MjsKey
from sim.mujoco.specs.defaults import MjsDefault
from sim.mujoco.specs.flex import MjsFlex
from sim.mujoco.specs.grouped import Grouped
from sim.mujoco.specs.messages import compile_error
from sim.mujoco.specs.plugin import MjsPlugin
from sim.mujoco.specs.saving import archive, encode, from_archive, save, to_text
from sim.mujoco.specs.settings import MjsCompiler, Settings
from sim.mujoco.specs.spec_classes import ClassesPart
from sim.mujoco.specs.spec_settings import SettingsPart
from sim.mujoco.specs.vfs import MjVfs
from sim.spec import Element, Spec, simplify
from sim.spec.build import keep_state
from sim.spec.copy_back import copy_back
from sim.spec.key_slices import settle_keys

PLURALS = MEMBERS | {
    "texture": "textures", "material": "materials", "mesh": "meshes", "hfield": "hfields",
    "skin": "skins", "pair": "pairs", "exclude": "excludes", "equality": "equalities", "tendon": "tendons",
    "actuator": "actuators", "sensor": "sensors", "numeric": "numerics", "text": "texts", "tuple": "tuples",
    "key": "keys",
}  # fmt: skip
# type of element -> the tag with which one is added; those with a default class
ADDED = {
    "texture": "texture", "material": "material", "mesh": "mesh", "hfield": "hfield", "skin": "skin", "pair": "pair",
    "exclude": "exclude", "equality": "connect", "tendon": "spatial", "actuator": "general", "sensor": "sensor/touch",
    "numeric": "numeric", "text": "text", "tuple": "tuple", "key": "key",
}  # fmt: skip
WITH_CLASS = ("texture", "material", "mesh", "pair", "equality", "tendon", "actuator")
TIMERS = 9


class MjSpec(ClassesPart, SettingsPart):
    """A model that is built and changed by program."""

    kinds = tuple(PLURALS)
    added = tuple(ADDED)
    if TYPE_CHECKING:
        # lists, lookups and sizes, which are made from tables
        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init__(self) -> None:
        self._set_up(Spec())

    def _set_up(self, spec: Spec) -> None:
        self.spec = spec
        spec.__dict__["facade"] = self
        self._facades: dict[Element, Mjs] = {}
        self._defaults: dict[Element, MjsDefault] = {}
        self._wraps: dict[Element, MjsWrap] = {}
        self._compilers: dict[int, MjsCompiler] = {}
        # elements with arrays that someone may have changed
        self.touched: dict[Mjs, None] = {}
        self._prototypes: dict[Mjs, None] = {}
        self._flushing = False
        self.settings = Settings(self)
        self.parent: MjSpec | None = None
        self.comment = ""
        self.modelfiledir = ""
        self.override_assets = True
        self.copying = False
        self.plugins: list[MjsPlugin] = []
        self.flexes: list[MjsFlex] = []
        self.hasImplicitPluginElem = False
        self.nemax = 0
        self.timer = np.zeros(TIMERS)
        self._signature = 0
        self._signed = -1
        # something was attached under its own names
        self.unprefixed = False

    @staticmethod
    def _made(spec: Spec) -> MjSpec:
        made = MjSpec.__new__(MjSpec)
        made._set_up(spec)
        return made

    @staticmethod
    def _read(load: Callable[[], Spec], assets: dict[str, Any] | None, files: dict[str, Any]) -> MjSpec:
        try:
            spec = load()
        except MjcfError as error:
            raise compile_error(None, error) from None
        spec.assets = {} if assets is None else assets
        spec.included = files
        return MjSpec._made(spec)

    @staticmethod
    def from_string(
        xml: str, include: Mapping[str, bytes] | None = None, assets: dict[str, Any] | None = None,
        vfs: MjVfs | None = None,
    ) -> MjSpec:  # fmt: skip
        """A spec of MJCF given as text."""
        files = _files(include, assets, vfs)
        return MjSpec._read(lambda: Spec.loads(xml, files, expanded=True), assets, files)

    @staticmethod
    def from_file(
        filename: str, include: Mapping[str, bytes] | None = None, assets: dict[str, Any] | None = None,
        vfs: MjVfs | None = None,
    ) -> MjSpec:  # fmt: skip
        """A spec of a model file."""
        files = _files(include, assets, vfs)
        found = next((data for name, data in files.items() if bare(name) == bare(str(filename))), None)
        if str(filename).lower().endswith((".stl", ".obj", ".msh")):
            raise ValueError(operations.mesh_problem(str(filename), found))
        if found is not None:
            return MjSpec.from_string(found.decode() if isinstance(found, bytes) else found, include, assets, vfs)
        made = MjSpec._read(lambda: Spec.load(filename, expanded=True), assets, files)
        made.modelfiledir = str(Path(filename).parent) + "/" if str(Path(filename).parent) != "." else ""
        return made

    @staticmethod
    def from_zip(file: Any) -> MjSpec:
        """A spec of an archive, with its files as assets."""
        return from_archive(MjSpec, file)

    def copy(self) -> MjSpec:
        """An independent spec with the same elements."""
        self.flush()
        spec = self.spec.copy()
        spec.included = dict(self.spec.included)
        made = MjSpec._made(spec)
        made.comment, made.modelfiledir, made.override_assets = self.comment, self.modelfiledir, self.override_assets
        made.plugins, made.flexes = list(self.plugins), list(self.flexes)
        made._signature, made._signed = self._signature, -1
        if self._signed == self.spec.tree.structure:
            made._signed = spec.tree.structure
        # what has no attribute
        for kind in PLURALS:
            for old, new in zip(self.spec.all(kind), spec.all(kind), strict=True):
                own = self._facades[old]._own if old in self._facades else {}
                if own:
                    made.facade(new)._own |= own
        return made

    # ---- elements

    def facade(self, element: Element) -> Any:
        """The object of an element under MuJoCo's names, always the same."""
        owner = element.spec.__dict__["facade"]
        if owner is not self:
            return owner.facade(element)
        found = self._facades.get(element)
        if found is None:
            kind = "body" if element.tag == "worldbody" else element.kind
            found = self._facades[element] = KINDS[kind](element)
        return found

    def wrap(self, element: Element) -> MjsWrap:
        found = self._wraps.get(element)
        if found is None:
            found = self._wraps[element] = MjsWrap(element)
        return found

    def prototype(self, element: Element, kind: str) -> Mjs:
        """The object of an element of a default class."""
        found = self._facades[element] = KINDS[kind](element)
        self._prototypes[found] = None
        return found

    @property
    def worldbody(self) -> MjsBody:
        found: MjsBody = self.facade(self.spec.world)
        return found

    def _all(self, kind: str) -> list[Any]:
        found = [self.facade(element) for element in self.spec.all(kind)]
        return [self.worldbody, *found] if kind == "body" else found

    def _find(self, kind: str, name: str) -> Any:
        found = self.spec.find(kind, name)
        if found is None and self.spec.moved_any:
            # what was attached elsewhere has other names
            return next((item for item in self._all(kind) if item.name == name), None)
        return self.facade(found) if found is not None else None

    def _add(self, kind: str, default: MjsDefault | None, arguments: dict[str, Any]) -> Any:
        self.flush_defaults()
        if arguments.get("name"):
            self.check_new_name(kind, arguments["name"])
        with self.spec.edit(f"add {kind}"):
            element = self.spec.add(ADDED[kind])
            added = self.facade(element)
            if kind in ("equality", "sensor", "actuator"):
                added._own |= added.unset
            if default is not None and default.name != "main":
                element.set("class", default.name)
            added._take(arguments, f"add_{kind}")
        self.structure_changed()
        return added

    def add_plugin(self, **arguments: Any) -> MjsPlugin:
        self.plugins.append(MjsPlugin(**arguments))
        return self.plugins[-1]

    def activate_plugin(self, name: str) -> None:
        """Nothing: plugins are not run."""

    def plugin(self, name: str) -> MjsPlugin | None:
        return next((plugin for plugin in self.plugins if plugin.name == name), None)

    def add_flex(self, **arguments: Any) -> MjsFlex:
        self.flexes.append(MjsFlex(**arguments))
        return self.flexes[-1]

    def flex(self, name: str) -> MjsFlex | None:
        return next((flex for flex in self.flexes if flex.name == name), None)

    # ---- changes in place

    @contextmanager
    def _apart(self) -> Iterator[None]:
        """While elements are written or read, nothing else is."""
        before, self._flushing = self._flushing, True
        try:
            yield
        finally:
            self._flushing = before

    def flush(self) -> None:
        """Write all that was changed in place."""
        if self._flushing:
            return
        self.flush_defaults()
        with self._apart():
            for item in list(self.touched):
                if item._element.exists or isinstance(item, MjsCompiler):
                    item._flush()
            for compiler in self._compilers.values():
                compiler._flush()
            self.settings.flush()

    def flush_defaults(self) -> None:
        """Write what was changed in default classes: what is added next starts from it."""
        if self._flushing or not self._prototypes:
            return
        with self._apart():
            for item in self._prototypes:
                if item._kept and item._element.exists:
                    item._flush()

    def reload(self, item: Mjs) -> None:
        """Read an element again."""
        with self._apart():
            item._forget()

    def translated(self, error: MjcfError) -> ValueError:
        return ValueError(f"Error: {error}")

    def reload_all(self) -> None:
        """Read all elements again that may be known to someone."""
        for item in list(self.touched):
            if item._element.exists:
                self.reload(item)
        self.settings.reload()

    def adopt(self, child: MjSpec) -> None:
        """Take the objects of elements that have moved here from a child."""
        moved = [item for element, item in child._facades.items() if element.spec is self.spec]
        for item in moved:
            self._facades[item._element] = item
            child.touched.pop(item, None)
            if item._kept or isinstance(item, Grouped):
                self.touched[item] = None
                self.reload(item)
        for element, wrap in child._wraps.items():
            if element.spec is self.spec:
                self._wraps[element] = wrap

    def touched_and_named(self, kind: Any) -> list[Any]:
        """The known objects of a class."""
        return [item for item in self._facades.values() if isinstance(item, kind) and item._element.exists]

    # ---- deleting and attaching

    def delete(self, item: Any) -> None:
        """Delete an element; of a body or frame also what is in it, and what refers to that."""
        if isinstance(item, MjsPlugin):
            self.plugins = [plugin for plugin in self.plugins if plugin is not item]
            return
        if not isinstance(item, Mjs | MjsDefault):
            raise TypeError(f"delete(): incompatible function arguments: {item!r} is not an element")
        operations.delete(self, item)

    @property
    def copy_during_attach(self) -> bool:
        raise AttributeError("copy_during_attach can only be set.")

    @copy_during_attach.setter
    def copy_during_attach(self, copy: bool) -> None:
        self.copying = bool(copy)

    def attach(
        self, child: MjSpec, prefix: str | None = None, suffix: str | None = None, site: Any = None, frame: Any = None
    ) -> MjsFrame:
        """Attach another spec to a frame or site; returns the frame of its world."""
        return operations.attach_spec(self, child, prefix, suffix, site, frame)

    def attach_part(self, at: Mjs, part: Part, prefix: str | None, suffix: str | None) -> Part:
        found: Part = operations.attach_part(self, part._spec, at, part, prefix, suffix)
        return found

    # ---- compiling and saving

    def _ready(self, vfs: MjVfs | None) -> None:
        """Write all changes, and let files be found."""
        if vfs is not None:
            vfs.check_open()
            if self.assets:
                raise ValueError("assets and vfs cannot be given together")
        self.flush()
        operations.check(self)
        if vfs is not None:
            self.spec.included = dict(vfs.files)

    def compile(self, vfs: MjVfs | None = None) -> MjModel:
        if vfs is not None:
            vfs.check_open()
        if self.parent is not None:
            raise ValueError("Error: an attached spec cannot be compiled on its own")
        start = time.perf_counter()
        self._ready(vfs)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = self._compiled()
        for warning in caught:
            warnings.warn(str(warning.message), stacklevel=2)
        operations.warn_prefix(self)
        taken = time.perf_counter() - start
        # the compiler is not timed part by part
        self.timer = np.full(TIMERS, taken / TIMERS)
        self.timer[0] = taken
        for item in self.touched:
            if isinstance(item, MjsKey) and item._element.exists:
                self.reload(item)
        return model

    def _compiled(self) -> MjModel:
        try:
            model = MjModel.adopt(self.spec.compile(), self.modelname)
        except MjcfError as error:
            raise compile_error(self, error) from None
        settle_keys(self.spec)
        self._signature = operations.signature(self)
        self._signed = self.spec.tree.structure
        model.__dict__["signature"] = self._signature
        return model

    def recompile(self, m: MjModel, d: MjData, vfs: MjVfs | None = None) -> tuple[MjModel, MjData]:
        """A new model and data, with the state of what remains."""
        if vfs is not None:
            vfs.check_open()
        self._ready(vfs)
        before = self.spec.built
        if before is None or before.model is not m:
            raise ValueError("the model is not the last one compiled from this spec")
        model = self._compiled()
        data = MjData(model)
        assert self.spec.built is not None
        keep_state(before, self.spec.built, d, data)
        return model, data

    def to_xml(self) -> str:
        return to_text(self)

    def to_file(self, path: str) -> None:
        save(self, path)

    def to_zip(self, file: Any) -> None:
        archive(self, file)

    def encode(
        self, filename: str, model: Any = None, content_type: str | None = None, vfs: MjVfs | None = None
    ) -> int:  # fmt: skip
        return encode(self, filename, model, content_type)

    def _pruned(self, operation: Callable[..., Any], *arguments: Any) -> Any:
        try:
            found = operation(self.spec, *arguments)
        except MjcfError as error:
            raise compile_error(self, error) from None
        self.reload_all()
        return found

    def fuse_static(self, vfs: MjVfs | None = None) -> int:
        self._ready(vfs)
        return int(self._pruned(simplify.fuse_static))

    def discard_visual(self, vfs: MjVfs | None = None) -> int:
        self._ready(vfs)
        return int(self._pruned(simplify.discard_visual))

    def dedup_assets(self, vfs: MjVfs | None = None) -> int:
        if self.parent is not None:
            raise ValueError("Error: Cannot merge the assets of an attached mjSpec.")
        self._ready(vfs)
        return int(self._pruned(simplify.dedup_assets))

    def adopt_inertial(self, body: MjsBody, vfs: MjVfs | None = None) -> None:
        self._ready(vfs)
        self._pruned(simplify.adopt_inertial, body._element)
        body.explicitinertial = True

    def copy_back(self, model: MjModel) -> None:
        self.flush()
        self._pruned(copy_back, model)

    resolve_orientation = staticmethod(resolve_orientation)

    @property
    def _address(self) -> int:
        return id(self)


def _files(include: Any, assets: Any, vfs: MjVfs | None) -> dict[str, Any]:
    """All files that are not on disk."""
    if vfs is not None:
        vfs.check_open()
        if include or assets:
            raise ValueError("assets and vfs cannot be given together")
        return dict(vfs.files)
    return {**(include or {}), **(assets or {})}


def _declare(kind: str, plural: str) -> None:
    """`spec.geoms`, `spec.geom(name)`, and `spec.add_*` for what is not in a body."""
    setattr(MjSpec, plural, property(lambda self: self._all(kind)))

    def find(self: MjSpec, name: str) -> Any:
        return self._find(kind, name)

    setattr(MjSpec, kind, find)
    if kind not in ADDED:
        return

    def add(self: MjSpec, default: MjsDefault | None = None, **arguments: Any) -> Any:
        if default is not None and kind not in WITH_CLASS:
            raise TypeError(f"add_{kind}(): incompatible function arguments")
        return self._add(kind, default, arguments)

    setattr(MjSpec, f"add_{kind}", add)


for _kind, _plural in PLURALS.items():
    _declare(_kind, _plural)
