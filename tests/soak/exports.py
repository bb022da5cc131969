"""Exports a moment of every bundled scene as a test, and runs it with both engines: all must reproduce what was seen.

    python -m tests.soak.exports [--times 0.1 1.0] [SCENE ...]

Our engine must do so to the bit. For each moment: how far MuJoCo's numbers are, the largest part of a tolerance that is
used up, the size of the file, and seconds.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import sim
from app.background.export.check import Reproduced
from app.background.export.compose import Wish
from app.background.export.from_file import moment_of_model
from app.background.export.model_text import OURS
from app.background.export.moment import ExportMoment
from app.background.export.suggest import Shown, suggested
from app.background.export.write import ExportWriter, Written
from app.files.resources import bundled_scenes
from app.model.selection import Selection

PLOTS = ("norm(d.qvel)", "energy()", "depth()", "touching()", "iterations()")


def questions(moment: ExportMoment) -> Wish:
    """All that is suggested about some elements of each kind."""
    m, d = moment.model, moment.forwarded()
    found = []
    for kind in ("contact", "body", "joint", "actuator", "sensor", "tendon", "site", "geom", "camera"):
        shown = Shown(Selection(kind, 0), PLOTS, (), ("Forces", "Solver", "Lens"), Selection("body", m.nbody - 1))
        found += suggested(m, d, shown)
    return Wish(tuple(dict.fromkeys(found)))


def export(path: Path, seconds: float, folder: Path) -> Written:
    """Export a moment of a scene, and check it."""
    moment, _ = moment_of_model(sim, path, seconds, lambda *_: None)
    return ExportWriter(moment, questions(moment), folder / f"test_moment_{path.stem}.py").write()


def used(found: Reproduced) -> float:
    """The largest part of a tolerance that is used up."""
    return max((check.apart / check.tolerance for check in found.checks if check.tolerance), default=0.0)


def fault_of(written: Written) -> str:
    """What is wrong with an export; empty if nothing is."""
    ours = next((one for one in written.found if one.engine == OURS), None)
    if written.unchecked or ours is None:
        return written.unchecked or "our engine did not run"
    if any(check.apart for check in ours.checks):
        return f"not to the bit: {ours.text}"
    return "" if written.same else written.text


def main() -> int:
    """Export all scenes, or some; the exit code is 1 if one of them does not reproduce."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="*")
    parser.add_argument("--times", nargs="+", type=float, default=[0.1, 1.0])
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for scene in bundled_scenes():
            path = Path(getattr(scene, "path", scene))
            if options.scenes and path.stem not in options.scenes:
                continue
            for seconds in options.times:
                start = time.perf_counter()
                written = export(path, seconds, Path(folder))
                fault = fault_of(written)
                failed += bool(fault)
                theirs = [one for one in written.found if one.engine != OURS]
                apart = max((check.apart for one in theirs for check in one.checks), default=float("nan"))
                part = max(map(used, theirs), default=float("nan"))
                size, took = written.path.stat().st_size >> 10, time.perf_counter() - start
                checks = len(written.found[0].checks) if written.found else 0
                row = f"{path.stem:<18}{seconds:6g} s {checks:4} checks {apart:9.1e} {part:8.1e}"
                print(f"{row} {size:6} kB {took:5.1f} s  {fault or 'ok'}", flush=True)
    print(f"{failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
