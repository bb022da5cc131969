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


class SettingsPart:
    """The part of MjSpec for settings."""

    spec: Spec
    settings: Settings
    _compilers: dict[int, MjsCompiler]

    @property
    def _whole(self) -> Any:
        """The MjSpec that this is a part of."""
        return self

    @property
    def option(self) -> Any:
        return self.settings.option

    @option.setter
    def option(self, value: Any) -> None:
        self.settings.option._assign(value)

    @property
    def stat(self) -> Any:
        return self.settings.stat

    @stat.setter
    def stat(self, value: Any) -> None:
        self.settings.stat._assign(value)

    @property
    def visual(self) -> Any:
        return self.settings.visual

    @visual.setter
    def visual(self, value: Any) -> None:
        self.settings.visual._assign(value)

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
        return int(self.spec.current().parsed.size["memory"]) if self._size_text("memory") else -1

    @memory.setter
    def memory(self, size: int) -> None:
        self.spec.section("size").set("memory", str(int(size)))

    def _size_text(self, key: str) -> str:
        root = self.spec.tree.root
        nodes = setting_nodes(root, "size", root.document.origin)
        return next((node.attrib[key] for node in reversed(nodes) if key in node.attrib), "")

    @property
    def strippath(self) -> bool:
        root = self.spec.tree.root
        nodes = setting_nodes(root, "compiler", root.document.origin)
        return next((node.attrib["strippath"] for node in nodes if "strippath" in node.attrib), "false") == "true"

    @strippath.setter
    def strippath(self, strip: bool) -> None:
        self.spec.section("compiler").set("strippath", bool(strip))

    @property
    def meshdir(self) -> str:
        return str(self.compiler.meshdir)

    @meshdir.setter
    def meshdir(self, folder: str) -> None:
        self.compiler.meshdir = folder

    @property
    def texturedir(self) -> str:
        return str(self.compiler.texturedir)

    @texturedir.setter
    def texturedir(self, folder: str) -> None:
        self.compiler.texturedir = folder

    @property
    def assets(self) -> dict[str, Any]:
        return self.spec.assets

    @assets.setter
    def assets(self, assets: dict[str, Any]) -> None:
        self.spec.assets = assets


def _size(name: str) -> property:
    def get(self: SettingsPart) -> int:
        text = self._size_text(name)
        return int(text) if text else 0 if name in ("nuserdata", "nkey") else -1

    def put(self: SettingsPart, size: int) -> None:
        self.spec.section("size").set(name, int(size))

    return property(get, put)


for _name in SIZES:
    setattr(SettingsPart, _name, _size(_name))
