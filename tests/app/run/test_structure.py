"""Changes of elements while the model runs: they are entries of the journal like others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import sim
from app.run import commands as cmd
from app.run.journal.journal import IN_FILE
from app.run.journal.journal_file import journal_data, read_journal
from app.run.journal.saved_run import CapturedRun
from app.run.passive import PassiveSimulation
from app.run.snapshot import Snapshot
from sim.script.state_vector import KEY_FIELDS
from sim.tree_edit import Place, TreeEdit
from tests.app.live import Hand
from tests.app.run.test_sim_thread import wait_for

XML = """<mujoco>
  <!-- two bodies -->
  <option timestep=".002"/>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="box" pos="0 0 1">
      <freejoint/>
      <geom name="g" size=".1 .1 .1" type="box"/>  <!-- the box -->
    </body>
    <body name="arm" pos="1 0 1">
      <joint name="j" axis="0 1 0" damping=".1"/>
      <geom size=".05" pos=".3 0 0"/>
      <body><geom size=".02" pos=".5 0 0"/></body>
    </body>
  </worldbody>
  <actuator>
    <motor name="m" joint="j"/>
  </actuator>
  <keyframe>
    <key name="up" qpos="0 0 2  1 0 0 0  .5" ctrl=".1"/>
  </keyframe>
</mujoco>
"""
BOX, ARM = Place("body", "box"), Place("body", "arm")
ADD = TreeEdit("add", BOX, "geom", (("name", "new"), ("size", ".2"), ("pos", "0 0 .3")))
DELETE = TreeEdit("delete", ARM)


@pytest.fixture
def hand(tmp_path: Path) -> Iterator[Hand]:
    """A paused simulation."""
    made = Hand(tmp_path, XML)
    yield made
    made.thread.close()


def change(hand: Hand, *edits: TreeEdit) -> Snapshot:
    """Send changes of elements."""
    for edit in edits:
        hand.thread.send(cmd.EditTree((edit,)))
    return hand.settle()


def values(hand: Hand) -> dict[str, bytes]:
    """All that the model says, to the bit."""
    model = hand.thread.live.model
    return {name: np.asarray(model.read(name)).tobytes() for name in model.layout.places} | {"names": str(model.names)}  # type: ignore[dict-item]


def row(hand: Hand) -> bytes:
    live = hand.thread.live
    return live.engine.get_state(live.model, live.data, sim.record_signature(live.model)).tobytes()


def shown(hand: Hand, what: str = "geom") -> tuple[str, ...]:
    names: tuple[str, ...] = hand.model.names[what]
    return names


def test_a_geom_is_added_while_time_runs_and_undo_gives_the_same_model(hand: Hand) -> None:
    before = values(hand)
    hand.send(cmd.StepOnce(50))
    state, moment = row(hand), hand.thread.latest.run.history.now
    snapshot = change(hand, ADD)
    assert shown(hand) == ("floor", "g", "new", "", "") and row(hand) == state
    assert snapshot.run.history.now == moment and snapshot.unsaved == ("added: geom new to body box",)
    hand.send(cmd.StepOnce(10))
    later = row(hand)
    snapshot = hand.send(cmd.Undo())
    assert values(hand) == before and row(hand) == later and snapshot.unsaved == ()
    assert snapshot.run.notification == "undone: added: geom new to body box; paused, Space continues"
    hand.send(cmd.Redo())
    assert "new" in shown(hand)
    # every state of the history has the elements that it had
    hand.send(cmd.GoTo(moment))
    assert row(hand) == state
    hand.send(cmd.GoTo(moment - 1))
    assert values(hand) == before
    assert (Path(hand.thread.latest.run.path)).read_text() == XML


def test_numbers_and_elements_are_undone_in_order(hand: Hand) -> None:
    def mass() -> float:
        return float(hand.field("body_mass")[hand.model.names["body"].index("box")])

    first = mass()
    hand.send(cmd.SetField("body_mass", 3.0, (1,)))
    change(hand, DELETE)
    hand.send(cmd.SetField("body_mass", 5.0, (1,)))
    change(hand, ADD)
    assert mass() == 5.0 and "arm" not in shown(hand, "body") and "new" in shown(hand)
    hand.send(cmd.Undo())
    assert mass() == 5.0 and "new" not in shown(hand)
    hand.send(cmd.Undo())
    assert mass() == 3.0 and "arm" not in shown(hand, "body")
    hand.send(cmd.Undo())
    assert mass() == 3.0 and "arm" in shown(hand, "body")
    hand.send(cmd.Undo())
    assert mass() == first and hand.thread.latest.unsaved == ()
    for _ in range(4):
        hand.send(cmd.Redo())
    assert mass() == 5.0 and "arm" not in shown(hand, "body") and "new" in shown(hand)
    # in any order
    number = hand.thread.latest.journal.entries[1].number
    hand.send(cmd.SwitchEdit(number, False))
    assert "arm" in shown(hand, "body") and "new" in shown(hand) and mass() == 5.0


def test_a_body_is_deleted_with_what_refers_to_it(hand: Hand) -> None:
    hand.send(cmd.SetField("dof_damping", 0.7, (6,)))
    hand.send(cmd.StepOnce(20))
    box = hand.state.qpos[:7].copy()
    change(hand, DELETE)
    assert shown(hand, "body") == ("world", "box") and hand.model.nu == 0
    assert hand.state.qpos.tolist() == box.tolist()
    assert hand.field("key_qpos").tolist() == [[0, 0, 2, 1, 0, 0, 0]]
    assert hand.thread.latest.journal.entries[0].lost == "dof_damping of j is not in the file"
    hand.send(cmd.Undo())
    assert hand.field("dof_damping")[6] == 0.7 and hand.thread.latest.journal.entries[0].in_force


def test_an_edit_of_what_was_added_needs_it(hand: Hand) -> None:
    change(hand, TreeEdit("add", None, "material", (("name", "red"), ("rgba", "1 0 0 1"))))
    inner = Place("body", "arm\x1fbody 0")
    change(
        hand, TreeEdit("move", inner, into=BOX), TreeEdit("set", Place("geom", "g"), attributes=(("material", "red"),))
    )
    assert hand.field("body_parentid").tolist() == [0, 0, 1, 0] and hand.field("geom_matid")[1] == 0
    red = hand.thread.latest.journal.entries[0].number
    # the geom needs it
    problem = hand.send(cmd.SwitchEdit(red, False)).run.problem
    assert problem is not None and "red" in problem.text and hand.thread.latest.journal.entries[0].on
    hand.send(cmd.Undo())
    hand.send(cmd.SwitchEdit(red, False))
    assert hand.field("geom_matid")[1] == -1 and hand.model.nmat == 0


def test_a_save_is_a_fresh_load(hand: Hand) -> None:
    change(hand, ADD)
    hand.send(cmd.SetField("geom_friction", 0.5, (0,), 0))
    change(hand, TreeEdit("set", Place("joint", "j"), attributes=(("damping", ".3"), ("axis", None))))
    hand.send(cmd.PlanSave(1))
    plan = hand.thread.latest.run.save.plan  # type: ignore[union-attr]
    assert plan is not None
    changed = [line for line in plan.diff().splitlines() if line[0] in "+-"][2:]
    assert changed == [
        '-    <geom name="floor" type="plane" size="2 2 .1"/>',
        '+    <geom name="floor" type="plane" size="2 2 .1" friction="0.5"/>',
        '+      <geom name="new" size=".2" pos="0 0 .3"/>',
        '-      <joint name="j" axis="0 1 0" damping=".1"/>',
        '+      <joint name="j" damping=".3"/>',
    ]
    now = values(hand)
    path, state = Path(hand.thread.latest.run.path), row(hand)
    hand.thread.send(cmd.WriteSave(2, plan))
    wait_for(hand.thread, lambda s: len(hand.thread.live.history.versions) == 4 and s.run.progress is None)
    snapshot = hand.settle()
    assert values(hand) == now and row(hand) == state and snapshot.unsaved == ()
    fresh = sim.load(path)
    assert all(np.asarray(fresh.read(name)).tobytes() == now[name] for name in fresh.layout.places)
    assert "<!-- two bodies -->" in path.read_text() and "<!-- the box -->" in path.read_text()
    # what was saved is the file's
    assert [entry.lost for entry in snapshot.journal.entries] == [IN_FILE, "", IN_FILE]
    change(hand, TreeEdit("delete", Place("geom", "new")))
    assert "new" not in shown(hand)


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (TreeEdit("add", BOX, "geom", (("name", "floor"), ("size", "1"))), "another geom is called 'floor'"),
        (TreeEdit("move", ARM, into=Place("body", "arm\x1fbody 0")), "it cannot move into itself"),
        (TreeEdit("add", BOX, "geom", (("name", "x"), ("type", "mesh"))), "mesh"),
        (TreeEdit("delete", Place("body", "none")), "the file has no body none"),
    ],
)
def test_a_change_that_cannot_be_made_loses_nothing(hand: Hand, edit: TreeEdit, why: str) -> None:
    hand.send(cmd.SetField("body_mass", 3.0, (1,)))
    before, journal = values(hand), hand.thread.latest.journal
    snapshot = change(hand, edit)
    assert snapshot.run.problem is not None and why in snapshot.run.problem.text
    assert snapshot.run.problem.title == "That change cannot be made"
    assert values(hand) == before and snapshot.journal is journal
    assert change(hand, ADD).run.problem is None


def test_a_session_and_a_reload_keep_it(hand: Hand, tmp_path: Path) -> None:
    change(hand, ADD, DELETE)
    hand.send(cmd.StepOnce(30))
    now, state, path = values(hand), row(hand), Path(hand.thread.latest.run.path)
    found: list[CapturedRun] = []
    hand.send(cmd.Capture(found.append))
    saved = found[0].saved(sim.pack_state)
    assert saved.unsaved == 2
    journal = read_journal(json.loads(json.dumps(journal_data(saved.journal))))
    assert journal.journal.structure == saved.journal.journal.structure
    other = Hand(tmp_path / "..", XML)
    try:
        other.thread.send(cmd.LoadModel(str(path), saved=saved))
        wait_for(other.thread, lambda s: other.thread.restored is saved)
        other.settle()
        assert values(other) == now and row(other) == state and not other.thread.restored_to_other
        assert other.thread.latest.unsaved == hand.thread.latest.unsaved
    finally:
        other.thread.close()
    # the file changes: what can be made again is
    versions = len(hand.thread.live.history.versions)
    path.write_text(XML.replace('name="arm"', 'name="leg"'))
    wait_for(hand.thread, lambda s: len(hand.thread.live.history.versions) > versions and s.run.progress is None)
    snapshot = hand.settle()
    assert "new" in shown(hand) and "leg" in shown(hand, "body")
    assert [entry.lost for entry in snapshot.journal.entries] == ["", "the file has no body arm"]
    assert {*KEY_FIELDS} <= values(hand).keys()


def test_the_model_of_a_script_stays_as_it_is() -> None:
    model = sim.loads(XML)
    simulation = PassiveSimulation(sim, model, sim.Data(model))  # type: ignore[arg-type]
    simulation.source.edit_tree(cmd.EditTree((ADD,)))
    problem = simulation.status.run.problem
    assert problem is not None and problem.text == "only a model opened from a file can have its elements changed"
    assert simulation.model is model
    simulation.release()


def saved(hand: Hand) -> str:
    """Save; returns the file."""
    hand.send(cmd.PlanSave(1))
    plan = hand.thread.latest.run.save.plan  # type: ignore[union-attr]
    assert plan is not None
    versions = len(hand.thread.live.history.versions)
    hand.thread.send(cmd.WriteSave(2, plan))
    wait_for(hand.thread, lambda s: len(hand.thread.live.history.versions) > versions and s.run.progress is None)
    hand.settle()
    return Path(hand.thread.latest.run.path).read_text()


def test_what_was_saved_is_undone_and_the_next_save_changes_the_file_back(hand: Hand) -> None:
    change(hand, ADD)
    hand.send(cmd.SetField("geom_friction", 0.5, (0,), 0))
    change(hand, DELETE)
    first, state = saved(hand), row(hand)
    assert "arm" not in first and "new" in first and hand.thread.latest.unsaved == ()
    snapshot = hand.send(cmd.Undo())
    assert "arm" in shown(hand, "body") and "new" in shown(hand) and hand.field("geom_friction")[0, 0] == 0.5
    assert row(hand)[:8] == state[:8] and "undone: deleted: body arm" in snapshot.unsaved
    second = saved(hand)
    assert [line for line in second.splitlines() if line not in XML.splitlines()] == [
        '    <geom name="floor" type="plane" size="2 2 .1" friction="0.5"/>',
        '      <geom name="new" size=".2" pos="0 0 .3"/>',
    ]
    assert hand.thread.latest.unsaved == () and "arm" in shown(hand, "body")
    hand.send(cmd.Redo())
    assert "arm" not in shown(hand, "body") and saved(hand) == first
    for _ in range(3):
        hand.send(cmd.Undo())
    assert saved(hand) == XML and hand.thread.latest.unsaved == ()
