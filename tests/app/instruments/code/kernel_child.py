"""A simulation on a copy of the engine, whose springs are edited while it runs.

python kernel_child.py FOLDER, with FOLDER first on the path.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import sim
from app.run import commands as cmd
from app.run.history.markers import MarkerType
from app.run.sim_thread import SimThread
from app.run.snapshot import Snapshot
from app.view.session.kernel_watch import KernelNews, KernelWatch

FOLDER = Path(sys.argv[1])
SPRING = FOLDER / "sim/stages/smooth/passive.py"
OLD, NEW = "d.qfrc_spring[v] = -stiffness(m, j, x1) * x1", "d.qfrc_spring[v] = -2.0 * stiffness(m, j, x1) * x1"
XML = """<mujoco><option gravity='0 0 0'/><worldbody><body>
<joint name='j' type='slide' axis='1 0 0' stiffness='100' springref='0'/><geom size='.1' mass='1'/></body></worldbody>
<keyframe><key name='start' qpos='.1'/></keyframe></mujoco>"""


def wait(condition: Callable[[], object]) -> None:
    while not condition():
        time.sleep(0.005)


class Run:
    """A paused simulation, and what watches the engine."""

    def __init__(self) -> None:
        model = FOLDER / "model.xml"
        model.write_text(XML)
        self.thread = SimThread(sim, paused=True)
        self.thread.start()
        self.send(cmd.LoadModel(str(model), "start"))
        self.seen(lambda s: s.run.ready)
        self.watch = KernelWatch(self.thread.send)

    def send(self, command: cmd.Command) -> None:
        self.thread.send(command)

    def news(self, what: Callable[[], object]) -> KernelNews:
        before = self.watch.latest.number
        what()
        wait(lambda: self.watch.latest.number != before and not self.watch.latest.going_on)
        return self.watch.latest

    def save(self, old: str, new: str) -> KernelNews:
        text = SPRING.read_text()
        assert old in text
        SPRING.write_text(text.replace(old, new))
        return self.news(lambda: self.watch.offer([SPRING]))

    def seen(self, condition: Callable[[Snapshot], object]) -> Snapshot:
        wait(lambda: condition(self.thread.latest))
        return self.thread.latest

    def stiffness(self) -> float:
        """By what one step of the running simulation does."""
        before, at = self.thread.latest.state, self.thread.latest.run.steps
        self.send(cmd.StepOnce(1))
        after = self.seen(lambda s: s.run.steps == at + 1).state
        assert before is not None
        assert after is not None
        return round(float(before.qvel[0] - after.qvel[0]) / 0.002 / float(before.qpos[0]), 3)


def main() -> None:
    assert Path(sim.__file__).is_relative_to(FOLDER)
    run = Run()
    run.news(lambda: run.watch.offer([SPRING]))
    run.send(cmd.StepOnce(10))
    run.seen(lambda s: s.run.steps == 10)
    assert run.stiffness() == 100.0
    # while it runs
    run.send(cmd.SetPaused(False))
    taken = run.save(OLD, NEW)
    assert taken.taken.startswith("took up stages/smooth/passive.py: spring, "), taken
    run.send(cmd.SetPaused(True))
    shown = run.seen(lambda s: s.run.paused and any(m.type is MarkerType.KERNEL for m in s.run.history.markers))
    assert run.stiffness() == 200.0
    marks = [mark for mark in shown.run.history.markers if mark.type is MarkerType.KERNEL]
    assert [mark.text for mark in marks] == ["kernels changed: stages/smooth/passive.py: spring"]
    # the window has the past as it was
    run.send(cmd.GoTo(5))
    run.seen(lambda s: s.run.steps == 5 and s.run.problem is None)
    run.send(cmd.GoTo(run.thread.latest.run.history.last))
    run.seen(lambda s: s.run.history.at_head)
    # an error changes nothing
    failed = run.save(NEW, NEW + " + d.nothing[0]")
    assert "`d` has no field `nothing`" in failed.fault, failed
    assert run.stiffness() == 200.0
    # back, by the button
    run.save(NEW + " + d.nothing[0]", NEW)
    assert run.news(run.watch.go_back).left
    assert run.stiffness() == 100.0
    run.watch.close()
    run.thread.close()
    print("done")


main()
