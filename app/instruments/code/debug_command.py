"""The debugger of a kernel in a process of its own: the file with the moment, and the command that reads it."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sim.recording.moment import save_moment

if TYPE_CHECKING:
    from app.background.probe import Moment

PREFIX = "kinetoscope-moment-"
# files of moments are kept so long, s: a command that was copied can be run again
KEPT = 86400.0


@dataclass(frozen=True)
class MomentQuestion:
    """Writes the current moment to a file, once; the answer is the path."""

    number: int
    # written already: the question may be asked in several frames
    _written: list[Path] = field(default_factory=list, compare=False, repr=False)

    def answer(self, moment: Moment) -> Path:
        """Write the file. ValueError says why it cannot be."""
        if moment.model.engine.ENGINE != "Kinetoscope":
            raise ValueError("Not available with the MuJoCo engine: simulate with Kinetoscope.")
        if not self._written:
            _remove_old()
            path = Path(tempfile.mkdtemp(prefix=PREFIX), "moment.ktr")
            save_moment(moment.model, moment.data, path)
            self._written.append(path)
        return self._written[0]


def _remove_old() -> None:
    """Remove files of moments that have expired."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            old = time.time() - folder.stat().st_mtime > KEPT
        except OSError:
            continue
        if old:
            shutil.rmtree(folder, ignore_errors=True)


def debug_command(moment: Path, kernel: str, wait: bool = False) -> list[str]:
    """The arguments that debug a kernel at a moment, with this installation; `wait` keeps its terminal open."""
    program = Path(sys.executable).with_name("kinetoscope")
    # -P: the current folder could hide modules
    words = [str(program)] if program.is_file() else [sys.executable, "-P", "-m", "app"]
    return [*words, "debug", str(moment), "--kernel", kernel, *(("--wait",) if wait else ())]
