"""Live edits and the history, with the real engine behind the simulation thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import pytest

import sim
from app.model.editable import BY_PATH, ELEMENTS, FLAGS, OPTIONS, rows_of
from app.model.number_drag import SMALLEST, moved
from app.run import commands as cmd
from app.run.edited_cells import edited_cells
from app.run.journal.cells import Cell, Cells
from app.run.live_edits import LiveEdits, SetKey
from app.run.loading import EditPrepared, JobMessage
from sim.enums import DSBL_GRAVITY
from tests.app.live import MODEL, Hand
from tests.app.run.test_sim_thread import hold, wait_for
from tests.sim.infinite_ranges import INFINITE


def test_the_table_names_fields_that_exist() -> None:
    model = sim.loads(MODEL)
    for row in (*OPTIONS, *ELEMENTS):
        value = np.asarray(model.read(row.path))
        assert row.meaning
        assert row.attribute.replace("/", " ").endswith(row.name)
        if row.components:
            assert value.shape[-1] == len(row.components)
        # a default is what a model has that says nothing about it
        if not row.counted_by and not row.choices:
            assert np.allclose(np.broadcast_to([float(x) for x in row.default.split()], value.shape or (1,)),
                               np.asarray(sim.loads("<mujoco/>").read(row.path)))  # fmt: skip
    assert {flag.name for flag in FLAGS} >= {"contact", "gravity", "sleep", "energy", "island"}


TUNED = """solref solimp friction margin gap damping stiffness armature frictionloss gainprm biasprm dynprm gear
ctrlrange forcerange timestep impratio cone solver integrator iterations tolerance noslip_iterations density
viscosity"""


def test_what_people_tune_is_explained() -> None:
    rows = (*OPTIONS, *ELEMENTS)
    for word in TUNED.split():
        of_that_name = [row for row in rows if row.name in (word, f"o_{word}", f"{word}limit", f"{word}friction")]
        assert of_that_name
        for row in of_that_name:
            # a sentence that says more than the name, and nothing that only repeats it
            assert row.effect.endswith(".") and len(row.effect) > 30, row.attribute
            assert row.meaning not in (row.name, word), row.attribute
    assert BY_PATH["jnt_margin"].effect != BY_PATH["geom_margin"].effect


@pytest.mark.parametrize(
    ("path", "joint", "unit"),
    [
        ("dof_damping", 0, "N·m·s/rad for rotation, N·s/m for translation"), ("dof_damping", 1, "N·m·s/rad"),
        ("dof_damping", 2, "N·s/m"), ("dof_damping", 3, "N·m·s/rad"), ("jnt_stiffness", 2, "N/m"),
        ("jnt_stiffness", 3, "N·m/rad"), ("dof_armature", 2, "kg"), ("dof_armature", 3, "kg·m²"), ("jnt_range", 2, "m"),
        ("dof_frictionloss", 3, "N·m"), ("dof_solref", 3, ""),
    ],
)  # fmt: skip
def test_units_are_those_of_the_joint(path: str, joint: int, unit: str) -> None:
    kinds = ("free", "ball", "slide", "hinge")
    bodies = "".join(f"<body><joint type='{kind}'/><geom size='.1'/></body>" for kind in kinds)
    model = sim.loads(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    row = BY_PATH[path]
    assert row.unit(model, rows_of(row, model, joint)) == unit


@pytest.mark.parametrize("row", [row for row in OPTIONS if not row.choices], ids=lambda row: row.path)
def test_every_option_reaches_the_engine_and_comes_back(hand: Hand, row: Any) -> None:
    before = np.array(getattr(hand.model.opt, row.name))
    rows = (0,) if before.ndim else ()
    wanted = row.accept(moved(np.ravel(before)[0], 40, row.numbers(hand.model, rows)[0].rule), hand.model, rows)
    hand.thread.send(cmd.SetField(row.path, wanted, rows))
    shown = wait_for(hand.thread, lambda s: np.ravel(getattr(s.model.opt, row.name))[0] == wanted)  # type: ignore
    assert np.array_equal(shown.file_values[row.path], before)
    hand.send(cmd.ResetField(row.path))
    assert np.array_equal(getattr(hand.model.opt, row.name), before)


def test_gravity_changes_the_next_step(hand: Hand) -> None:
    hand.send(cmd.StepOnce())
    falling = hand.state.qvel[2]
    assert falling < 0
    hand.send(cmd.SetField("opt.gravity", 10.0, (2,)))
    hand.send(cmd.StepOnce())
    assert hand.state.qvel[2] == pytest.approx(0.0, abs=1e-12)


def test_flags(hand: Hand) -> None:
    gravity = next(flag for flag in FLAGS if flag.name == "gravity")
    assert gravity.state(hand.model.opt.disableflags)
    hand.send(cmd.SetFlag(gravity.path, gravity.bit, True))
    assert not gravity.state(hand.model.opt.disableflags)
    hand.send(cmd.StepOnce())
    assert not hand.state.qvel[:3].any()


@pytest.mark.parametrize("integrator", ["RK4", "implicit", "implicitfast"])
def test_an_integrator_that_was_not_compiled_is_and_then_steps(hand: Hand, integrator: str) -> None:
    value = dict(BY_PATH["opt.integrator"].choices)[integrator]
    hand.thread.send(cmd.SetField("opt.integrator", value))
    wait_for(hand.thread, lambda s: s.model is not None and s.model.opt.integrator == value)
    hand.send(cmd.StepOnce(3))
    assert hand.state.qvel[2] == pytest.approx(-10 * 3 * 0.002)


@pytest.fixture(autouse=True)
def end_compilations() -> Iterator[None]:
    """No thread waits for its gate after a test."""
    yield
    for gate in SlowCompiler.gates:
        gate.set()
    SlowCompiler.gates.clear()


class SlowCompiler:
    """The engine, for which long timesteps need native code that takes until the gate is opened."""

    gates: ClassVar[list[threading.Event]] = []

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gates.append(self.gate)
        self.compiled: list[Any] = []
        self.compiled_ahead: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(sim, name)

    def prepared(self, model: Any, edits: bool = True) -> bool:
        """Whether the model's timestep is a short one, or the code is there."""
        return model.opt.timestep < 0.005 or self.gate.is_set()

    def prepare(self, model: Any, progress: Any = None, edits: bool = True) -> None:
        """Wait for the gate."""
        (self.compiled_ahead if edits else self.compiled).append(model)
        progress(0, 1, "compiling")
        while not self.gate.wait(0.002):
            progress(0, 1, "compiling")


def waiting_edits() -> tuple[LiveEdits, SlowCompiler, Any, list[JobMessage]]:
    """LiveEdits of a model, one of them waiting."""
    engine, messages = SlowCompiler(), list[JobMessage]()
    model = sim.loads("<mujoco/>")
    edits = LiveEdits(engine, model, messages.append)
    assert edits.apply(cmd.SetField("opt.timestep", 0.007)) == set()
    assert edits.waiting
    assert model.opt.timestep == 0.002
    return edits, engine, model, messages


@pytest.mark.parametrize("reset", [cmd.ResetEdits(), cmd.ResetField("opt.timestep")])
def test_a_reset_takes_back_what_waits_for_native_code(reset: cmd.Command) -> None:
    edits, _, model, _ = waiting_edits()
    edits.apply(reset)
    assert not edits.waiting
    assert edits.retry() == set()
    assert model.opt.timestep == 0.002


def until_prepared(edits: LiveEdits, messages: list[JobMessage]) -> None:
    """Wait for the end of the work that edits wait for."""
    while not any(isinstance(m, EditPrepared) and edits.wait_for(m.job) for m in messages):
        time.sleep(0.002)


def test_of_the_edits_of_one_place_the_newest_is_done() -> None:
    edits, engine, model, messages = waiting_edits()
    assert edits.apply(cmd.SetField("opt.timestep", 0.008)) == set()
    assert edits.apply(cmd.SetField("opt.density", 5.0)) == {"opt.density"}
    engine.gate.set()
    until_prepared(edits, messages)
    assert edits.retry() == {"opt.timestep"}
    assert (model.opt.timestep, model.opt.density) == (0.008, 5.0)


def test_what_needs_no_native_code_does_not_wait_for_what_it_replaces() -> None:
    edits, _, model, _ = waiting_edits()
    assert edits.apply(cmd.SetField("opt.timestep", 0.003)) == {"opt.timestep"}
    assert not edits.waiting
    assert model.opt.timestep == 0.003


def test_a_slider_that_waits_for_native_code_has_one_thread_and_one_copy_of_the_model() -> None:
    edits, engine, model, messages = waiting_edits()
    for k in range(50):
        edits.apply(cmd.SetField("opt.timestep", 0.005 + k * 1e-5))
        edits.apply(cmd.SetField("opt.gravity", float(k), (2,)))
        # and to and fro between values with and without native code
        edits.apply(cmd.SetField("opt.timestep", 0.002))
        edits.apply(cmd.SetField("opt.timestep", 0.01))
    assert edits.waiting == (cmd.SetField("opt.timestep", 0.01),)
    assert len(engine.compiled) <= 1
    # that compilation was no longer wanted at times; the next begins when it has ended
    until_prepared(edits, messages)
    assert edits.retry() == set()
    engine.gate.set()
    until_prepared(edits, messages)
    assert edits.retry() == {"opt.timestep"}
    assert (model.opt.timestep, len(engine.compiled)) == (0.01, 2)


def test_what_edits_may_need_is_compiled_while_none_waits() -> None:
    engine, messages = SlowCompiler(), list[JobMessage]()
    model = sim.loads("<mujoco/>")
    edits = LiveEdits(engine, model, messages.append)
    for _ in range(3):
        edits.compile_ahead()
    first = edits._ahead
    assert first is not None
    # one that waits goes first
    assert edits.apply(cmd.SetField("opt.timestep", 0.007)) == set()
    assert first.cancelled
    edits.compile_ahead()
    assert edits._ahead is first
    engine.gate.set()
    until_prepared(edits, messages)
    assert edits.retry() == {"opt.timestep"}
    second = edits._ahead
    assert second is not None and second is not first and not second.cancelled
    # an edit that needs no native code leaves it alone
    edits.apply(cmd.SetField("opt.timestep", 0.003))
    assert not second.cancelled
    edits.close()
    assert second.cancelled
    for job in (first, second):
        job._thread.join()
    assert engine.compiled_ahead and {*map(id, engine.compiled_ahead)} == {id(model)}
    # nobody hears of it
    assert not any(message.job in (first, second) for message in messages)


def test_properties_of_elements(hand: Hand) -> None:
    hand.send(cmd.SetField("geom_friction", 0.25, (1,), 0))
    assert hand.model.geom_friction[1].tolist() == [0.25, 0.005, 0.0001]
    hand.send(cmd.SetField("dof_damping", 3.0, (12,)))
    assert hand.model.dof_damping[12] == 3.0
    # what collision asks of bodies follows
    hand.send(cmd.SetField("geom_margin", 0.05, (1,)))
    assert hand.thread.live.model.body_margin[1] == 0.05
    hand.send(cmd.ResetField("geom_friction", (1,)))
    assert hand.model.geom_friction[1, 0] == 1.0
    assert hand.model.dof_damping[12] == 3.0


def test_edits_that_belong_together_are_one(hand: Hand) -> None:
    marks = len(hand.thread.latest.run.history.markers)
    also = (cmd.SetField("geom_solref", -100.0, (1,), 1),)
    shown = hand.send(cmd.SetField("geom_solref", -2500.0, (1,), 0, also))
    assert hand.model.geom_solref[1].tolist() == [-2500.0, -100.0]
    assert len(shown.run.history.markers) == marks + 1
    assert hand.send(cmd.ResetField("geom_solref", (1,))).file_values == {}


class Floats(SlowCompiler):
    """The engine, for which bodies that float need native code."""

    def prepared(self, model: Any, edits: bool = True) -> bool:
        """Whether nothing floats, or the code is there."""
        return model.ngravcomp == 0 or self.gate.is_set()


def test_native_code_is_asked_for_with_what_follows_from_an_edit() -> None:
    engine = Floats()
    model = sim.loads(MODEL)
    edits = LiveEdits(engine, model, lambda message: None)
    assert edits.apply(cmd.SetField("body_gravcomp", 1.0, (1,))) == set()
    assert edits.waiting and model.ngravcomp == 0 and not model.flg_gravcomp
    engine.gate.set()
    assert edits.retry() == {"body_gravcomp", "ngravcomp", "flg_gravcomp"}
    assert model.ngravcomp == 1 and model.flg_gravcomp
    edits.apply(cmd.ResetEdits())
    assert model.ngravcomp == 0


def test_numbers_of_a_keyframe_are_compared_with_the_file_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many edits follow, and whatever they do, only the numbers that they touch are looked up."""
    bodies = "<body><freejoint/><geom size='.1'/></body>" * 40
    model = sim.loads(f"<mujoco><worldbody>{bodies}</worldbody><keyframe><key name='k'/></keyframe></mujoco>")
    edits = LiveEdits(Floats(), model, lambda message: None)
    edits.apply(SetKey(0, (("key_qvel", tuple(0.5 for _ in range(model.nv))),)))
    assert len(edits.unsaved) == 1
    read, looked_up = Cells.read, list[Cell]()

    def count(self: Cells, cell: Cell, values: Any = None) -> float | None:
        looked_up.append(cell)
        return read(self, cell, values)

    monkeypatch.setattr(Cells, "read", count)
    for k in range(10):
        edits.apply(cmd.SetField("geom_friction", 0.01 * (k + 1), (k,), 0))
        assert len(edits.unsaved) == k + 2
    for _ in range(5):
        edits.apply(cmd.Undo())
    assert len(edits.unsaved) == 6
    assert {cell.path for cell in looked_up} == {"geom_friction"}
    assert len(looked_up) == 10


def test_armature_brings_constants_up_to_date(hand: Hand) -> None:
    before = hand.thread.live.model.dof_M0[12]
    hand.send(cmd.SetField("dof_armature", 2.0, (12,)))
    assert hand.thread.live.model.dof_M0[12] == pytest.approx(before + 2.0)
    hand.send(cmd.ResetEdits())
    assert hand.thread.live.model.dof_M0[12] == before


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (cmd.SetField("opt.timestep", -1.0), "timestep must be above 0; -1 was not accepted"),
        (cmd.SetField("geom_solimp", 1.5, (1,), 0), "solimp must be from 0 to 1; 1.5 was not accepted"),
        (
            cmd.SetField("geom_friction", 0.5, (1,), 0, (cmd.SetField("geom_rgba", -1.0, (1,), 0),)),
            "-1 was not accepted",
        ),
    ],
)
def test_values_out_of_range_are_refused(hand: Hand, edit: cmd.SetField, words: str) -> None:
    before = hand.thread.latest.run.history.markers
    shown = hand.send(edit)
    assert words in shown.run.notification
    assert shown.run.history.markers == before and not shown.file_values
    assert BY_PATH["opt.timestep"].rule.low == SMALLEST
    with pytest.raises(ValueError, match="not nan"):
        BY_PATH["opt.timestep"].accept(float("nan"), hand.model)


def test_ends_of_ranges_may_be_infinite() -> None:
    m = sim.loads(INFINITE)
    assert BY_PATH["jnt_range"].accept(-np.inf, m, (0,), 0) == -np.inf
    for path, value in (("jnt_range", np.nan), ("jnt_margin", np.inf)):
        with pytest.raises(ValueError, match="finite"):
            BY_PATH[path].accept(value, m, (0,), 0 if path == "jnt_range" else None)
    # both ends are set when one is dragged
    edit = cmd.SetField("jnt_range", 0.5, (0,), 1, (cmd.SetField("jnt_range", -np.inf, (0,), 0),))
    assert [cell.value for _, cell in edited_cells(m, edit)] == [0.5, -np.inf]


def test_an_edit_shares_what_it_does_not_change(hand: Hand) -> None:
    before = hand.model
    hand.send(cmd.SetField("geom_friction", 0.5, (0,), 0))
    after = hand.model
    assert after is not before
    assert after.identity is before.identity
    assert after.geom_size is before.geom_size
    assert after.geom_friction is not before.geom_friction


def test_controls_joints_and_equalities(hand: Hand) -> None:
    hand.send(cmd.SetData("ctrl", 0, (0.5,)))
    hand.send(cmd.SetData("qpos", 14, (0.3,)))
    assert hand.state.qpos[14] == 0.3
    assert not np.allclose(hand.state.xmat[3], np.eye(3).ravel())
    hand.send(cmd.SetData("eq_active", 0, (1.0,)))
    assert hand.state.nefc > 0
    hand.send(cmd.StepOnce())
    assert hand.thread.live.data.ctrl[0] == 0.5


def test_history(hand: Hand) -> None:
    heights = [hand.state.qpos[2]]
    for _ in range(5):
        hand.send(cmd.StepOnce())
        heights.append(hand.state.qpos[2])
    assert hand.thread.latest.run.history.last == 5
    # back and forth without computing anything anew
    for moment in (3, 0, 5, 1):
        shown = hand.send(cmd.GoTo(moment))
        assert shown.run.steps == moment
        assert hand.state.qpos[2] == heights[moment]
        assert shown.run.time == pytest.approx(moment * 0.002)
    hand.send(cmd.StepOnce(-1))
    assert hand.thread.latest.run.steps == 0
    hand.send(cmd.StepOnce(+1))
    assert hand.thread.latest.run.history.last == 5
    # stepping on from the past: the same numbers, as long as nothing is changed
    hand.send(cmd.GoTo(2))
    hand.send(cmd.SetData("qvel", 2, (1.0,)))
    assert hand.thread.latest.run.history.last == 2
    hand.send(cmd.StepOnce())
    assert hand.state.qpos[2] > heights[2]
    assert hand.thread.latest.run.history.last == 3


@pytest.mark.parametrize(
    "edit",
    [cmd.SetField("opt.gravity", 10.0, (2,)), cmd.SetFlag("opt.disableflags", DSBL_GRAVITY, True)],
)
def test_an_edit_in_the_past_forgets_what_it_contradicts(hand: Hand, edit: cmd.Command) -> None:
    hand.send(cmd.StepOnce(5))
    hand.send(cmd.GoTo(2))
    speed = hand.state.qvel[2]
    assert hand.send(edit).run.history.last == 2
    # the next step is computed with the edit, not replayed
    hand.send(cmd.StepOnce())
    gravity = 10.0 if isinstance(edit, cmd.SetField) else 0.0
    assert hand.state.qvel[2] == pytest.approx(speed + 0.002 * gravity)
    # what was before it is still there
    assert hand.send(cmd.GoTo(1)).run.history.last == 3


def test_an_edit_of_the_looks_forgets_nothing(hand: Hand) -> None:
    hand.send(cmd.StepOnce(5))
    there = hand.send(cmd.GoTo(2))
    before = there.run.history
    shown = hand.send(cmd.SetField("vis.headlight.diffuse", 0.9, (0,)))
    assert hand.model.vis.headlight.diffuse[0] == pytest.approx(0.9)
    assert shown.run.history.last == 5
    assert (shown.run.history.markers, len(shown.run.history.branches)) == (before.markers, len(before.branches))
    # what comes later has it too, and a drag is one entry there too
    for value in (0.8, 0.7):
        hand.send(cmd.SetField("vis.headlight.diffuse", value, (0,), gesture=7))
    later = hand.send(cmd.GoTo(5))
    assert hand.model.vis.headlight.diffuse[0] == pytest.approx(0.7)
    assert len(later.journal.entries) == len(there.journal.entries) + 2


def test_what_is_back_at_the_files_value_is_not_edited(hand: Hand) -> None:
    assert "opt.timestep" in hand.send(cmd.SetField("opt.timestep", 0.003)).file_values
    assert "opt.timestep" not in hand.send(cmd.SetField("opt.timestep", 0.002)).file_values
    hand.send(cmd.SetField("opt.gravity", 5.0, (1,)))
    assert not hand.send(cmd.ResetEdits()).file_values


def pull_up(height: float) -> cmd.Perturbation:
    """The ball, by its middle, to a height above the origin."""
    return cmd.Perturbation(1, (0.0, 0.0, 0.0), (0.0, 0.0, height))


def test_starting_over_lets_go(hand: Hand) -> None:
    hand.send(cmd.SetPaused(False))
    hold(hand.thread, pull_up(3.0), lambda s: s.state is not None and s.state.perturb.active)
    hand.send(cmd.Reset())
    assert not hand.state.perturb.active


def test_an_edit_in_the_past_that_waits_for_native_code_forgets_too(hand: Hand) -> None:
    hand.send(cmd.StepOnce(5))
    hand.send(cmd.GoTo(2))
    value = dict(BY_PATH["opt.integrator"].choices)["RK4"]
    hand.thread.send(cmd.SetField("opt.integrator", value))
    shown = wait_for(hand.thread, lambda s: s.model is not None and s.model.opt.integrator == value)
    assert shown.run.history.last == 2
    assert shown.run.history.markers[-1].text == "integrator: Euler → RK4"


def test_an_edit_that_changes_nothing_is_none(hand: Hand) -> None:
    hand.send(cmd.StepOnce(5))
    known = set(hand.send(cmd.GoTo(2)).file_values)
    for edit in (
        cmd.SetField("opt.gravity", -10.0, (2,)),
        cmd.ResetField("opt.gravity"),
        cmd.SetFlag("opt.disableflags", DSBL_GRAVITY, False),
        cmd.ResetEdits(),
    ):
        shown = hand.send(edit)
        assert shown.run.history.last == 5
        assert set(shown.file_values) == known
        assert len(shown.run.history.markers) == 1


def test_what_happened_is_marked_and_forgotten_with_its_moments(hand: Hand) -> None:
    hand.send(cmd.Reset(0))
    hand.send(cmd.StepOnce(3))
    hand.send(cmd.SetField("opt.gravity", 10.0, (2,)))
    hand.send(cmd.SetField("opt.gravity", 9.0, (2,)))
    hand.send(cmd.SetFlag("opt.disableflags", DSBL_GRAVITY, True))
    hand.send(cmd.SetFlag("opt.disableactuator", 1, True))
    hand.send(cmd.StepOnce())
    hand.send(cmd.SetData("qpos", 14, (0.3,)))
    hand.send(cmd.StepOnce(2))
    hand.send(cmd.Perturb(pull_up(2.0)))
    wanted = [
        ("reset: keyframe start", 0), ("gravity: -10 → 10", 3), ("gravity: 10 → 9", 3), ("flag gravity: on → off", 3),
        ("actuator group 0: on → off", 3),
        ("qpos of joint hinge", 4), ("moved: body ball", 6),
    ]  # fmt: skip
    marks = hand.thread.latest.run.history.markers
    assert [(mark.text.partition(": 0.")[0], mark.moment) for mark in marks] == wanted
    # looking back keeps them, going on from there does not
    assert len(hand.send(cmd.GoTo(4)).run.history.markers) == 7
    assert len(hand.send(cmd.SetData("qvel", 0, (1.0,))).run.history.markers) == 7
    newest = [mark.text for mark in hand.thread.latest.run.history.markers][-2:]
    assert [text.partition(":")[0] for text in newest] == ["qpos of joint hinge", "qvel of joint free"]
    assert [mark.text for mark in hand.send(cmd.Reset()).run.history.markers] == ["reset"]


def test_what_happens_between_play_and_the_first_step_forgets_too(hand: Hand) -> None:
    # held, so that no step is taken
    hand.thread.send(cmd.StepOnce(5))
    hand.thread.send(cmd.HoldAt(0.0))
    hand.send(cmd.GoTo(2))
    hand.send(cmd.SetPaused(False))
    assert hand.thread.latest.run.history.last == 5
    shown = hand.send(cmd.SetData("ctrl", 0, (0.5,)))
    assert (shown.run.steps, shown.run.history.last) == (2, 2)
    hand.thread.send(cmd.SetPaused(True))
    hand.send(cmd.HoldAt(None))


def test_a_pull_is_marked_from_its_first_moment_to_its_last(hand: Hand) -> None:
    hand.send(cmd.SetPaused(False))
    for height in (1.0, 1.5, 2.0):
        began = hand.send(cmd.Perturb(pull_up(height))).run.steps
        hold(hand.thread, pull_up(height), lambda s, began=began: s.run.steps > began + 5)  # type: ignore[misc]
    hand.thread.send(cmd.Perturb())
    hand.thread.send(cmd.SetPaused(True))
    shown = hand.settle()
    marks = shown.run.history.markers
    assert [mark.text for mark in marks] == ["reset", "pull: body ball"]
    assert marks[-1].last >= marks[-1].moment + 15
    # its force can be seen when one goes back to it, but does not go on for ever from there
    middle = (marks[-1].moment + marks[-1].last) // 2
    hand.send(cmd.GoTo(middle))
    assert hand.state.perturb.active
    hand.send(cmd.StepOnce(+1))
    assert hand.state.perturb.active
    hand.send(cmd.SetData("ctrl", 0, (0.5,)))
    assert not hand.state.perturb.active
    hand.send(cmd.GoTo(middle))
    hand.thread.send(cmd.SetPaused(False))
    wait_for(hand.thread, lambda s: s.run.steps > middle + 5)
    hand.send(cmd.SetPaused(True))
    assert not hand.state.perturb.active


def test_going_on_from_the_past_gives_the_same_run(hand: Hand) -> None:
    hand.send(cmd.StepOnce(200))
    end = hand.state.qpos.copy()
    hand.send(cmd.GoTo(40))
    hand.send(cmd.SetPaused(False))
    wait_for(hand.thread, lambda s: s.run.steps > 200)
    hand.send(cmd.SetPaused(True))
    hand.send(cmd.GoTo(200))
    assert np.array_equal(hand.state.qpos, end)


def test_keyframe_from_the_present(hand: Hand) -> None:
    hand.send(cmd.StepOnce(10))
    present = hand.state.qpos.copy()
    hand.thread.send(cmd.SaveKey(0))
    hand.send(cmd.Reset())
    assert not np.array_equal(hand.state.qpos, present)
    hand.send(cmd.Reset(0))
    assert np.array_equal(hand.state.qpos, present)
