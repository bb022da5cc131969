"""Runs a script that was written for mujoco.viewer, until it has synced so often; prints what became of it as JSON.

    python mujoco_script_child.py ours|names|none|mujoco SCRIPT SYNCS [KEY@SYNC ...] [--fast] [--seconds S]

`ours` is the viewer, `names` the same with our engine under MuJoCo's names, `none` one without a window, `mujoco`
MuJoCo's own; KEY@SYNC calls the script's key callback; `--fast` leaves out what the script sleeps.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import runpy
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import mujoco

MAX_GEOMS = 10_000


class NoWindow:
    """What mujoco.viewer gives to a script, without a window."""

    def __init__(self, model: Any, data: Any) -> None:
        self.m, self.d = model, data
        self.cam, self.opt, self.perturb = mujoco.MjvCamera(), mujoco.MjvOption(), mujoco.MjvPerturb()
        self.user_scn = mujoco.MjvScene(model, MAX_GEOMS)
        self._open = True

    def sync(self, state_only: bool = False) -> None:
        """Nothing to exchange."""

    def is_running(self) -> bool:
        """Until it is closed."""
        return self._open

    def close(self) -> None:
        """It is over."""
        self._open = False

    def lock(self) -> Any:
        """Nobody else is there."""
        return contextlib.nullcontext()

    def set_texts(self, texts: Any) -> None:
        """Nobody reads them."""

    def __enter__(self) -> NoWindow:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def no_viewer() -> Any:
    """A module with `launch_passive`."""
    module = types.ModuleType("no_viewer")

    def launch_passive(model: Any, data: Any, **_: Any) -> NoWindow:
        mujoco.mj_forward(model, data)
        return NoWindow(model, data)

    module.launch_passive = launch_passive  # type: ignore[attr-defined]
    return module


class Run:
    """One run of a script."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.keys = {int(sync): int(key) for key, _, sync in (pair.partition("@") for pair in arguments.keys)}
        self.syncs, self.before, self.first, self.began, self.ended = 0, 0, 0.0, 0.0, 0.0
        self.result: dict[str, Any] = {}

    def wrap(self, launch: Callable[..., Any]) -> Callable[..., Any]:
        """Counts syncs, and closes the viewer after the last."""

        def launch_passive(model: Any, data: Any, *, key_callback: Any = None, **options: Any) -> Any:
            handle = launch(model, data, key_callback=key_callback, **options)
            plain = handle.sync

            def sync(state_only: bool = False) -> None:
                plain(state_only)
                self.count(handle, key_callback)

            handle.sync = sync
            return handle

        return launch_passive

    def count(self, handle: Any, key_callback: Any) -> None:
        """After each sync."""
        now = time.perf_counter()
        self.first = self.first or now
        self.syncs += 1
        if not self.began and now >= self.first + self.arguments.warm:
            self.began, self.before = now, self.syncs
        if self.syncs in self.keys:
            key_callback(self.keys[self.syncs])
        over = self.arguments.seconds and self.began and now > self.began + self.arguments.seconds
        if self.syncs >= self.arguments.syncs or over:
            self.ended = time.perf_counter()
            self.finish(handle)

    def finish(self, handle: Any) -> None:
        """Note what there is, and close it."""
        d = handle.d
        self.result = {"qpos": d.qpos.tolist(), "time": d.time, "syncs": self.syncs}
        self.result["rate"] = (self.syncs - self.before) / max(self.ended - self.began, 1e-9)
        if self.arguments.viewer in ("ours", "names"):
            self.result |= self.told(handle)
        handle.close()

    def told(self, handle: Any) -> dict[str, Any]:
        """What only our viewer has; everything is shown first."""
        simulation, view = handle._simulation, handle.view
        while simulation.latest.run.time != handle.d.time or not simulation.latest.run.ready:
            simulation.publisher.published = simulation._looked = handle._exchanged = simulation.quiet_until = 0.0
            simulation.frame_interval = 0.0
            handle.__class__.sync(handle)
        run = simulation.latest.run
        timeline = run.history
        return {
            "moments": [timeline.find(branch.id).last for branch in timeline.branches],
            "times": [timeline.time_of(step) for step in range(timeline.last + 1)],
            "marks": [mark.text for mark in timeline.markers],
            "problem": str(run.problem or ""),
            "faults": [str(fault) for fault in view.feedback.faults],
            "geoms": len(handle._script_layer.shown_geoms),
            "camera": [*view.camera.lookat.tolist(), view.camera.distance, view.camera.azimuth, view.camera.elevation],
            "tracked": view.tracked,
            "options": {name: getattr(view.options, name) for name in ("transparent", "reflection", "frame")},
            "texts": [overlay.right for overlay in handle._script_layer.overlays],
            "fps": view.feedback.fps,
        }


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser()
    parser.add_argument("viewer", choices=("ours", "names", "none", "mujoco"))
    parser.add_argument("script")
    parser.add_argument("syncs", type=int)
    parser.add_argument("keys", nargs="*")
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--seconds", type=float, default=0.0)
    # before the rate is measured: the window opens, and finds out that the script does not sleep
    parser.add_argument("--warm", type=float, default=0.0)
    arguments = parser.parse_args()
    run = Run(arguments)
    if arguments.viewer in ("ours", "names"):
        from app import viewer as module
    elif arguments.viewer == "mujoco":
        import mujoco.viewer as module
    else:
        module = no_viewer()
    module.launch_passive = run.wrap(module.launch_passive)
    sys.modules["app.viewer"] = module
    import app

    app.viewer = module  # type: ignore[attr-defined]
    if arguments.fast:
        time.sleep = lambda _: None
    sys.argv = [arguments.script]
    if arguments.viewer == "names":
        from sim.mujoco.stand_in import stand_in

        stand_in()
    runpy.run_path(arguments.script, run_name="__main__")
    print(json.dumps(run.result))


if __name__ == "__main__":
    main()
