"""Run a Python script that uses MuJoCo, as it is: `import mujoco` gives our engine, `mujoco.viewer` this viewer.

    kinetoscope run controller.py --gain 3              # our engine and our viewer
    kinetoscope run --engine mujoco controller.py       # MuJoCo, with our viewer

Arguments after the script are its own, and so is its traceback. In a notebook, `kinetoscope.mujoco.stand_in()` does the
same for the running process.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType, TracebackType
from typing import NoReturn

from app.run.engine.names import MUJOCO
from sim.user_error import UserError

# packages of ours that a script's folder may have too
OWN = ("sim", "app", "kinetoscope")


def run_script(path: str, arguments: Sequence[str], engine: str) -> NoReturn:
    """Run a script as the main program; it exits as it would by itself."""
    try:
        code = compile(Path(path).read_bytes(), path, "exec", dont_inherit=True)
    except OSError as error:
        raise UserError(f"cannot read the script {path}: {error.strerror}") from None
    except (SyntaxError, ValueError):
        _print_own(*sys.exc_info()[1:])
        sys.exit(1)
    _warn_of_namesakes(Path(path).resolve().parent)
    if engine == MUJOCO:
        _swap_viewer()
    else:
        from sim.mujoco.stand_in import stand_in

        stand_in()
    main = ModuleType("__main__")
    main.__dict__.update(__file__=path, __builtins__=__builtins__)
    sys.modules["__main__"] = main
    sys.argv = [path, *arguments]
    sys.path.insert(0, str(Path(path).resolve().parent))
    try:
        exec(code, main.__dict__)  # noqa: S102
    except Exception as error:
        _print_own(error, error.__traceback__)
        sys.exit(1)
    # not the quick exit of other commands: a script may have threads and functions that run at exit
    sys.exit(0)


def _swap_viewer() -> None:
    """Let mujoco.viewer be ours."""
    from app import viewer
    from app.run.engine.installed import mujoco

    mujoco().viewer = viewer
    sys.modules["mujoco.viewer"] = viewer


def _warn_of_namesakes(folder: Path) -> None:
    """Say which files of a script's folder it cannot import, because a package of ours has their name."""
    for name in OWN:
        for file in (folder / f"{name}.py", folder / name / "__init__.py"):
            if file.exists() and Path(__file__).parents[2] != folder:
                print(f"kinetoscope: {file} is hidden by one of Kinetoscope's packages; rename it", file=sys.stderr)


def _print_own(error: BaseException, trace: TracebackType | None) -> None:
    """The traceback of a script, without the frames of this program that called it."""
    here = __file__
    while trace is not None and trace.tb_frame.f_code.co_filename == here:
        trace = trace.tb_next
    traceback.print_exception(type(error), error, trace)
