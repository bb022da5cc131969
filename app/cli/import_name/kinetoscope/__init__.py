"""`import kinetoscope`: the engine `sim` and the viewer under the name of the package that pip installs.

    import kinetoscope

    m = kinetoscope.load("scene.xml")
    d = kinetoscope.Data(m)
    kinetoscope.step(m, d, 100)
    kinetoscope.viewer.launch(m, d)

All of `sim` is here, `kinetoscope.viewer` is `app.viewer`, `kinetoscope.mujoco` has MuJoCo's names. `Replay` and
`show_video` show a run in a notebook, in which a recording shows itself.
"""

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any


def _check_namesakes() -> None:
    """Raise ImportError, which names the file, if a module of the user's hides `sim` or `app`."""
    above = [folder for folder in Path(__file__).resolve().parents if (folder / "sim" / "typed_fields.pyi").exists()]
    for name in ("sim", "app"):
        found = importlib.util.find_spec(name)
        place = Path((found.origin if found else None) or "")
        if above and place.resolve().parent != above[0] / name:
            raise ImportError(f"{place} hides Kinetoscope's package `{name}`: rename it, or start from another folder")


_check_namesakes()

import sim  # noqa: E402
from sim import *  # noqa: E402, F403
from sim import __version__  # noqa: E402

__all__ = [*sim.__all__, "Replay", "__version__", "mujoco", "show_video", "viewer"]  # noqa: PLE0604
_LATER = {"viewer": "app.viewer", "mujoco": "sim.mujoco"}
_NOTEBOOK = {"Replay": "app.web.replay", "show_video": "app.web.notebook"}

if TYPE_CHECKING:
    from app import viewer
    from app.web.notebook import show_video
    from app.web.replay import Replay
    from sim import mujoco
else:

    def __getattr__(name: str) -> Any:
        if name in _LATER:
            return importlib.import_module(_LATER[name])
        if name in _NOTEBOOK:
            return getattr(importlib.import_module(_NOTEBOOK[name]), name)
        return getattr(sim, name)

    def _replay(recording: sim.Recording) -> str:
        return __getattr__("Replay")(recording)._repr_html_()

    sim.Recording._repr_html_ = _replay


def __dir__() -> list[str]:
    return sorted({*__all__, *dir(sim)})
