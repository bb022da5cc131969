"""A simulation on a copy of the engine, whose springs are edited while it runs.

python kernel_child.py FOLDER, with FOLDER first on the path.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import sim
from app.history.markers import MarkerType
from app.kernels.kernel_watch import KernelNews, KernelWatch
from app.run import commands as cmd
from app.run.sim_thread import SimThread
from app.run.snapshot import Snapshot

FOLDER = Path(sys.argv[1])
SPRING = FOLDER / "sim/stages/smooth/passive.py"
OLD, NEW = "d.qfrc_spring[v] = -stiffness(m, j, x1) * x1", "d.qfrc_spring[v] = -2.0 * stiffness(m, j, x1) * x1"
XML = """<mujoco><option gravity='0 0 0'/><worldbody><body>
<joint name='j' type='slide' axis='1 0 0' stiffness='100' springref='0'/><geom size='.1' mass='1'/></body></worldbody>
<keyframe><key name='start' qpos='.1'/></keyframe></mujoco>"""


def wait(condition: Callable[[], object]) -> None:
    while not condition():
        time.sleep(0.005)


def main() -> None:
    assert Path(sim.__file__).is_relative_to(FOLDER)
    model = FOLDER / "model.xml"
    model.write_text(XML)
    thread = SimThread(sim, paused=True)
    thread.start()
    thread.send(cmd.LoadModel(str(model), "start"))
    wait(lambda: thread.latest.run.ready)
    watch = KernelWatch(thread.send)

    def news(what: Callable[[], object]) -> KernelNews:
        before = watch.latest.number
        what()
        wait(lambda: watch.latest.number != before and not watch.latest.going_on)
        return watch.latest

    def save(old: str, new: str) -> KernelNews:
        text = SPRING.read_text()
        assert old in text
        SPRING.write_text(text.replace(old, new))
        return news(lambda: watch.offer([SPRING]))

    def seen(condition: Callable[[Snapshot], object]) -> Snapshot:
        wait(lambda: condition(thread.latest))
        return thread.latest

    def stiffness() -> float:
        """By what one step of the running simulation does."""
        before, at = thread.latest.state, thread.latest.run.steps
        thread.send(cmd.StepOnce(1))
        after = seen(lambda s: s.run.steps == at + 1).state
        assert before is not None
        assert after is not None
        return round(float(before.qvel[0] - after.qvel[0]) / 0.002 / float(before.qpos[0]), 3)

    news(lambda: watch.offer([SPRING]))
    thread.send(cmd.StepOnce(10))
    seen(lambda s: s.run.steps == 10)
    assert stiffness() == 100.0
    # while it runs
    thread.send(cmd.SetPaused(False))
    taken = save(OLD, NEW)
    assert taken.taken.startswith("took up stages/smooth/passive.py: spring, "), taken
    thread.send(cmd.SetPaused(True))
    shown = seen(lambda s: s.run.paused and any(m.type is MarkerType.KERNEL for m in s.run.history.markers))
    assert stiffness() == 200.0
    marks = [mark for mark in shown.run.history.markers if mark.type is MarkerType.KERNEL]
    assert [mark.text for mark in marks] == ["kernels changed: stages/smooth/passive.py: spring"]
    # the window has the past as it was
    thread.send(cmd.GoTo(5))
    seen(lambda s: s.run.steps == 5 and s.run.problem is None)
    thread.send(cmd.GoTo(shown.run.history.last))
    seen(lambda s: s.run.steps == shown.run.history.last)
    thread.send(cmd.GoTo(thread.latest.run.history.last))
    seen(lambda s: s.run.history.at_head)
    # an error changes nothing
    failed = save(NEW, NEW + " + d.nothing[0]")
    assert "`d` has no field `nothing`" in failed.fault, failed
    assert stiffness() == 200.0
    # back, by the button and then by the file: from disk
    save(NEW + " + d.nothing[0]", NEW)
    assert news(watch.go_back).left
    assert stiffness() == 100.0
    watch.close()
    thread.close()
    print("done")


main()
