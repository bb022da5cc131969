"""`stand_in()`: from then on, `import mujoco` in this process gives `sim.mujoco`, and `mujoco.viewer` its viewer."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from sim.mujoco.missing import MODULES

NAME = "mujoco"
# modules of MuJoCo's compiled code
PRIVATE = ("_structs", "_functions", "_enums", "_constants", "_callbacks", "_errors", "_specs")
# modules that are one here
ALIASES = {f"mujoco.{name}": "sim.mujoco.gl_context" for name in ("egl", "glfw", "osmesa")}
ALIASES |= {f"mujoco.{name}": "sim.mujoco" for name in PRIVATE}


class _Alias(Loader):
    """Loads sim.mujoco.X as mujoco.X: the same module."""

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        # the import system returns what is registered under the name
        sys.modules[module.__name__] = importlib.import_module(_home(module.__name__))


def _home(name: str) -> str:
    """The module that stands in for one of MuJoCo's."""
    return ALIASES.get(name, f"sim.{name}")


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != NAME and not fullname.startswith(f"{NAME}."):
            return None
        reason = MODULES.get(fullname.partition(".")[2].partition(".")[0])
        if reason is not None:
            raise ModuleNotFoundError(f"No module named {fullname!r} in sim.mujoco: {reason}", name=fullname)
        if importlib.util.find_spec(_home(fullname)) is None:
            return None
        return ModuleSpec(fullname, _Alias(), is_package=fullname == NAME)


class StandIn:
    """The replacement of `mujoco`; `undo()` ends it, and so does the end of a `with`."""

    def __init__(self) -> None:
        self._finder = _Finder()
        self._before = {name: sys.modules.pop(name) for name in list(sys.modules) if _is_mujoco(name)}
        sys.meta_path.insert(0, self._finder)

    def undo(self) -> None:
        """`import mujoco` gives the installed module again, if there is one."""
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)
            for name in list(sys.modules):
                if _is_mujoco(name):
                    del sys.modules[name]
            sys.modules.update(self._before)

    def __enter__(self) -> StandIn:
        return self

    def __exit__(self, *error: Any) -> None:
        self.undo()


def _is_mujoco(name: str) -> bool:
    return name == NAME or name.startswith(f"{NAME}.")


def stand_in() -> StandIn:
    """Let `import mujoco` give this module; what was imported before keeps what it has."""
    return StandIn()
