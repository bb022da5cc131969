"""One owner for the perturbation of the mouse: whatever ends a drag ends the pull."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sim
from app.model.selection import followed
from app.run import commands as cmd
from app.run.mouse_pull import PERTURBATION_SECONDS
from app.run.passive import PassiveSimulation
from app.run.sim_thread import SimThread
from app.run.snapshot import view_state
from app.scene.camera import View
from app.view.input import mouse
from app.view.perturb_drag import PerturbDrag
from app.view.view_state import ViewState
from tests.app.conftest import Views
from tests.app.fake_engine import FakeEngine
from tests.app.run.test_sim_thread import wait_for

BALL = "<mujoco><option gravity='0 0 0'/><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
PULL = cmd.Perturbation(1, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))


# ---- what the window asks for ----


def _up(perturb: PerturbDrag, state: Any, _: Any) -> None:
    perturb.target = perturb.world_point(state) + np.array([0.0, 0.0, 1.0])


class Desk:
    """As much of an application as dragging needs."""

    def __init__(self, views: Views, xml: str) -> None:
        self.model, self.state = views(xml)
        self.view = ViewState()
        self.snapshot = SimpleNamespace(model=self.model, state=self.state)
        self.dragging = False

    def press(self, held: bool) -> None:
        """The button goes down, or up."""
        self.dragging = held

    def drag(self) -> None:
        """The mouse moves."""
        mouse.drag(self, _up)  # type: ignore[arg-type]

    def current_view(self) -> View:
        """Whatever: nothing is looked at."""
        return ViewState().current_view(self.model, self.state)

    @property
    def wanted(self) -> cmd.Perturbation | None:
        """What the simulation is asked for at the end of a frame."""
        mouse.follow_selection(self)  # type: ignore[arg-type]
        mouse.release(self)  # type: ignore[arg-type]
        return mouse.perturbation(self)  # type: ignore[arg-type]


TWO = """<worldbody><body name='b' pos='0 0 1'><freejoint/><geom size='.1'/>
<body name='c'><joint/><geom size='.1'/></body></body></worldbody>"""


@pytest.fixture
def desk(views: Views) -> Desk:
    """Two bodies, the second selected and dragged."""
    desk = Desk(views, TWO)
    mouse.select_body(desk, 2, desk.state.xpos[2])  # type: ignore[arg-type]
    assert desk.wanted is None
    desk.press(True)
    assert desk.wanted is None
    desk.drag()
    assert desk.wanted == cmd.Perturbation(2, (0.0, 0.0, 0.0), (0.0, 0.0, 2.0))
    return desk


def test_the_release_of_the_button_ends_it(desk: Desk) -> None:
    desk.press(False)
    assert desk.wanted is None
    assert desk.view.perturb is not None


def test_a_selection_that_goes_away_ends_it(desk: Desk) -> None:
    desk.view.deselect()
    assert desk.wanted is None
    # and the button that is still held pulls nothing else
    desk.drag()
    assert desk.wanted is None


def test_another_selection_ends_it_until_the_mouse_moves(desk: Desk) -> None:
    mouse.select_body(desk, 1, desk.state.xpos[1])  # type: ignore[arg-type]
    assert desk.wanted is None
    desk.drag()
    assert desk.wanted is not None
    assert desk.wanted.body == 1


def test_a_contact_that_breaks_ends_it(views: Views) -> None:
    """Select a contact and pull its body off the floor: the selection goes with the contact, and so does the pull."""
    ball = "<body pos='0 0 .09'><freejoint/><geom size='.1'/></body>"
    floor = f"<worldbody><geom type='plane' size='1 1 1'/>{ball}</worldbody>"
    desk = Desk(views, floor)
    m: Any = sim.loads(f"<mujoco>{floor}</mujoco>")
    d = sim.Data(m)
    sim.forward(m, d)
    touching = view_state(d)
    d.qpos[2] = 1.0
    sim.forward(m, d)
    apart = view_state(d)
    desk.snapshot.state = touching
    desk.view.select("contact", 0)
    assert desk.wanted is None
    desk.press(True)
    desk.drag()
    assert desk.wanted is not None
    desk.snapshot.state = apart
    desk.view.selection = followed(desk.view.selection, touching, apart)
    assert desk.wanted is None


# ---- what the simulation does with it ----


def passive() -> tuple[PassiveSimulation, Any, Any, Any]:
    """A simulation at the hand of the test, and its clock."""
    m: Any = sim.loads(BALL)
    d = sim.Data(m)
    sim.prepare(m)
    simulation = PassiveSimulation(sim, m, d)
    clock = SimpleNamespace(now=simulation.live.now())
    simulation.live.now = lambda: clock.now
    while not simulation.status.run.ready:
        simulation.handle(simulation._inbox.get())
    return simulation, m, d, clock


def tell(simulation: PassiveSimulation, clock: Any, command: cmd.Command | None = None) -> None:
    """A look into the queue, a frame later."""
    if command is not None:
        simulation.send(command)
    clock.now += 1 / 60
    simulation.sync()


def test_it_ends_by_itself_when_the_window_falls_silent() -> None:
    simulation, m, d, clock = passive()
    tell(simulation, clock, cmd.Perturb(PULL))
    for _ in range(3):
        # as long as it is renewed it goes on
        clock.now += 0.9 * PERTURBATION_SECONDS
        tell(simulation, clock, cmd.Perturb(PULL))
        assert d.perturb.active
    sim.step(m, d, 10)
    clock.now += PERTURBATION_SECONDS
    tell(simulation, clock)
    assert not d.perturb.active
    mark = simulation.latest.run.history.markers[-1]
    assert (mark.text, mark.moment) == ("pull: body 1", 0)
    simulation.release()


def test_a_drag_while_kernels_compile_pulls_nothing_later(fake_engine: FakeEngine) -> None:
    fake_engine.gate.clear()
    thread = SimThread(fake_engine)
    thread.start()
    thread.send(cmd.LoadModel("m.xml"))
    wait_for(thread, lambda s: s.run.path == "m.xml" and not s.run.ready)
    thread.send(cmd.Perturb(PULL))
    thread.send(cmd.Perturb())
    fake_engine.gate.set()
    wait_for(thread, lambda s: s.run.ready and s.run.steps > 0)
    assert thread.live.data.perturb.active == 0
    assert thread.mouse._wanted is None
    thread.close()


def test_the_scripts_own_force_is_left_alone() -> None:
    simulation, m, d, clock = passive()
    d.xfrc_applied[1] = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    tell(simulation, clock, cmd.Perturb(PULL))
    sim.step(m, d, 3)
    tell(simulation, clock, cmd.Perturb())
    simulation.release()
    assert d.xfrc_applied[1].tolist() == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]


def test_a_pause_ends_the_force_and_holds_the_body() -> None:
    simulation, m, d, clock = passive()
    tell(simulation, clock, cmd.Perturb(PULL))
    sim.step(m, d, 10)
    place = d.qpos.copy()
    # paused, the same message again moves nothing; another one does; then time runs on
    moved = cmd.Perturbation(1, (0.0, 0.0, 0.0), (0.0, 0.0, 3.0))
    seen = []
    for command in (cmd.SetPaused(True), cmd.Perturb(PULL), cmd.Perturb(moved), cmd.SetPaused(False)):
        simulation.handle(command)
        seen.append((d.perturb.active, float(d.qpos[2])))
    assert seen == [(0, place[2]), (0, place[2]), (0, 3.0), (0, 3.0)]
    tell(simulation, clock, cmd.Perturb(moved))
    assert d.perturb.active
    simulation.release()


def test_a_moment_of_the_past_has_its_pull_and_going_on_has_none() -> None:
    simulation, m, d, clock = passive()
    tell(simulation, clock, cmd.Perturb(PULL))
    sim.step(m, d, 10)
    tell(simulation, clock, cmd.Perturb())
    simulation.handle(cmd.GoTo(5))
    assert d.perturb.active
    assert d.perturb.xfrc[2] > 0
    simulation.handle(cmd.GoOn())
    tell(simulation, clock)
    assert not d.perturb.active
    simulation.release()


def test_grasp_of_a_drag_survives_a_selection_of_the_same_body(desk: Desk) -> None:
    perturb = desk.view.perturb
    assert isinstance(perturb, PerturbDrag)
    desk.view.select("body", 2)
    assert desk.wanted is not None
    assert np.allclose(desk.wanted.refselpos, (0, 0, 2))
