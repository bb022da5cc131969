"""What a wheel has besides the files of a clone: native code of all kernels, for each CPU level of this platform.

hatchling runs it for `python -m build` and `pip wheel`, in an environment that has numba. Compiling takes minutes. An
editable install has no need of it: HATCH_BUILD_NO_HOOKS leaves out what it would install.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# of the oldest C library that llvmlite runs with: our own code refers to nothing newer
LINUX = "manylinux_2_28"


class Packs(BuildHookInterface):
    """Adds `sim/units/LEVEL.pack` and the tag of the platform."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the packs, and tell hatchling of them."""
        if version == "editable":
            return
        self.folder = tempfile.TemporaryDirectory(prefix="kinetoscope-packs-")
        command = "import sys; from sim.jit.pack import build_all; build_all(sys.argv[1])"
        subprocess.run([sys.executable, "-c", command, self.folder.name], cwd=self.root, check=True)
        packs = sorted(Path(self.folder.name).iterdir())
        if packs:
            build_data["force_include"] |= {str(pack): f"sim/units/{pack.name}" for pack in packs}
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform_tag()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the packs: the wheel has them."""
        if version != "editable":
            self.folder.cleanup()


def platform_tag() -> str:
    """The platform that the packs are for, as wheels name it."""
    found = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return found.replace("linux", LINUX) if found.startswith("linux") else found
