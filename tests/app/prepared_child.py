"""A simulation that does everything the viewer can ask of it; prints the kernels that its thread had to load by itself.

It is a process of its own: in one that has run other tests, their kernels are at hand.
"""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.run import commands as cmd
from app.run.simulation import Simulation
from sim.enums import DSBL_GRAVITY, ENBL_SLEEP
from sim.jit.kernel import Kernel, reachable
from sim.jit.loader import loader
from tests.app.live import Hand

COMMANDS: tuple[cmd.Command, ...] = (
    cmd.SetField("opt.gravity", -5.0, (2,)),
    cmd.SetField("geom_friction", 0.25, (1,), 0),
    cmd.SetField("geom_margin", 0.01, (1,)),
    cmd.SetField("dof_armature", 2.0, (12,)),
    cmd.SetFlag("opt.disableflags", DSBL_GRAVITY, True),
    cmd.ResetField("opt.gravity"),
    cmd.ResetEdits(),
    cmd.SetProfiling(True),
    cmd.StepOnce(3),
    cmd.StepOnce(-1),
    cmd.GoTo(0),
    cmd.SetData("qpos", 0, (0.1,)),
    cmd.Perturb(cmd.Perturbation(1, (0.0, 0.0, 0.0), (0.0, 0.0, 2.0))),
    cmd.PutToSleep(0),
    cmd.Wake(0),
    cmd.SetFlag("opt.enableflags", ENBL_SLEEP, True),
    cmd.PutToSleep(0),
    cmd.Wake(0),
    cmd.PutToSleep(0),
    cmd.SetField("opt.gravity", -5.0, (2,)),
    cmd.SetProfiling(True),
    cmd.PutToSleep(0),
    cmd.SetFlag("opt.enableflags", ENBL_SLEEP, False),
    cmd.SaveKey(0),
    cmd.Reset(0),
    cmd.SetPaused(False),
    cmd.Perturb(cmd.Perturbation(1, (0.0, 0.0, 0.0), (0.0, 0.0, 2.0))),
    cmd.StepOnce(3),
    cmd.Perturb(),
)


def late() -> list[str]:
    """What is loaded on the simulation's thread."""
    found: list[str] = []
    load = loader.load

    def noted(roots: Sequence[Kernel], model: Any = None, progress: Any = None) -> None:
        if threading.current_thread().name == "simulation":
            found.extend(unit.name for unit in reachable(list(roots), model) if unit.entry is None)
        load(roots, model, progress)

    loader.load = noted  # type: ignore[method-assign]
    with tempfile.TemporaryDirectory() as folder:
        hand = Hand(Path(folder))
        for command in COMMANDS:
            hand.send(command)
        hand.thread.close()
    return found


if __name__ == "__main__":
    assert {type(command) for command in COMMANDS} >= Simulation.needs_kernels
    print(json.dumps(late()))
