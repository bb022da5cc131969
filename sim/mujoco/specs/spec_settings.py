"""The settings of MjSpec: compiler, option, statistic, visual, sizes, names of folders, assets."""

from __future__ import annotations

from typing import Any

from sim.mjcf.source import Node
from sim.mujoco.specs.settings import MjsAuthored, MjsCompiler, Settings, setting_nodes
from sim.spec import Spec

SIZES = (
    "nuserdata", "nuser_body", "nuser_jnt", "nuser_geom", "nuser_site", "nuser_cam", "nuser_tendon", "nuser_actuator",
    "nuser_sensor", "nkey", "njmax", "nconmax", "nstack",
)  # fmt: skip


def _record(name: str) -> property:
    return property(
        lambda self: getattr(self.settings, name),
        lambda self, value: getattr(self.settings, name)._assign(value),
    )


def _folder(name: str) -> property:
    return property(
        lambda self: str(getattr(self.compiler, name)),
        lambda self, folder: setattr(self.compiler, name, folder),
    )


class SettingsPart:
    """The part of MjSpec for settings."""

    spec: Spec
    settings: Settings
    _compilers: dict[int, MjsCompiler]

    @property
    def _whole(self) -> Any:
        """The MjSpec that this is a part of."""
        return self

    option, stat, visual = (_record(name) for name in ("option", "stat", "visual"))
    meshdir, texturedir = _folder("meshdir"), _folder("texturedir")

    @property
    def compiler(self) -> MjsCompiler:
        return self._compiler(self.spec.tree.root.document.origin)

    def _compiler(self, origin: int) -> MjsCompiler:
        found = self._compilers.get(origin)
        if found is None:
            found = self._compilers[origin] = MjsCompiler(self._whole, origin)
        return found

    def compiler_at(self, node: Node) -> MjsCompiler:
        """The compiler settings of the model that an element comes from."""
        return self._compiler(node.document.origin)

    @property
    def authored(self) -> MjsAuthored:
        return MjsAuthored(self._whole)

    @property
    def modelname(self) -> str:
        return self.spec.tree.root.attrib.get("model", "MuJoCo Model")

    @modelname.setter
    def modelname(self, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError("modelname: incompatible function arguments: expected a str")
        self.spec.tree.set_text(self.spec.tree.root, "model", name)

    @property
    def memory(self) -> int:
        return int(self.spec.current().parsed.size["memory"]) if self._text("size", "memory") else -1

    @memory.setter
    def memory(self, size: int) -> None:
        self.spec.section("size").set("memory", str(int(size)))

    def _text(self, tag: str, key: str, default: str = "") -> str:
        root = self.spec.tree.root
        nodes = setting_nodes(root, tag, root.document.origin)
        return next((node.attrib[key] for node in reversed(nodes) if key in node.attrib), default)

    @property
    def strippath(self) -> bool:
        return self._text("compiler", "strippath", "false") == "true"

    @strippath.setter
    def strippath(self, strip: bool) -> None:
        self.spec.section("compiler").set("strippath", bool(strip))

    @property
    def assets(self) -> dict[str, Any]:
        return self.spec.assets

    @assets.setter
    def assets(self, assets: dict[str, Any]) -> None:
        self.spec.assets = assets


def _size(name: str) -> property:
    def get(self: SettingsPart) -> int:
        text = self._text("size", name)
        return int(text) if text else 0 if name in ("nuserdata", "nkey") else -1

    def put(self: SettingsPart, size: int) -> None:
        self.spec.section("size").set(name, int(size))

    return property(get, put)


for _name in SIZES:
    setattr(SettingsPart, _name, _size(_name))
