"""A web page of the range of the timeline: the past is saved as a recording, from which another process makes it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from app.files.output import dated_path, output_folder, reason, unused_path
from app.files.recordings import SUFFIX
from app.run.background_thread import lower_priority
from app.run.commands import SaveRecording
from app.view.input.desk import Desk
from app.view.input.film import timeline_range

FAILED = "The page could not be exported"
# of what the other process says
PREFIX = "kinetoscope: "


def export(desk: Desk, path: Path | None = None) -> None:
    """Export the timeline's loop, or the whole line, to a file, or to one with date and time."""
    if desk.snapshot.model is None:
        desk.view.feedback.show_message("open a model first: there is no run to export")
        return
    try:
        out = dated_path("kinetoscope", "html") if path is None else path
    except OSError as error:
        desk.report(FAILED, f"{output_folder()}: {reason(error)}")
        return
    timeline = desk.run_state.history
    start, end, _ = timeline_range(timeline)
    recording = unused_path(out.with_suffix(SUFFIX))
    desk.send(SaveRecording(str(recording), then=_page(out, start, end, timeline.branch)))
    desk.view.feedback.show_message(f"exporting {out}")


def _page(out: Path, start: float, end: float, branch: int) -> Callable[[str], str]:
    """What makes a page of a recording."""

    def made(recording: str) -> str:
        # which the process inherits
        lower_priority()
        limits = (f"--from={start!r}", f"--to={end!r}", f"--branch={branch}")
        command = [sys.executable, "-P", "-m", "app", "export", recording, f"--out={out}", "--doctor", *limits]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace")
        if done.returncode:
            lines = done.stderr.strip().splitlines() or [f"the export exited with code {done.returncode}"]
            raise ValueError(lines[-1].removeprefix(PREFIX))
        return done.stdout.strip() or str(out)

    return made
