"""What menus, keys and the palette do to the elements of a file, from a new world to a saved robot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import mujoco
import numpy as np
import pytest

import sim
from app.model.selection import Selection
from app.run import commands as cmd
from app.run.snapshot import Snapshot
from app.view import building
from app.view.build_state import Building
from app.view.view_state import ViewState
from sim.spec.new import EMPTY_WORLD
from tests.app.live import Hand


class Builder:
    """A user with a window on a model that stands still."""

    def __init__(self, folder: Path, text: str) -> None:
        self.hand, self.view = Hand(folder, text), ViewState()
        self.model = self.hand.thread.latest.model

    @property
    def now(self) -> Snapshot:
        return self.hand.thread.latest

    def do(self, what: object, *arguments: object, **named: object) -> Snapshot:
        """Something that the window does, and what came of it."""
        what(self.view, self.now, self.hand.thread.send, *arguments, **named)  # type: ignore[operator]
        return self.settle()

    def settle(self) -> Snapshot:
        snapshot = self.hand.settle()
        if snapshot.model is not None and snapshot.model != self.model:
            assert self.model is not None
            self.view.follow_file(self.model, snapshot.model)
            self.model = snapshot.model
        building.follow(self.view, snapshot)
        return snapshot

    def of(self, kind: str, name: str) -> Selection:
        assert self.now.model is not None
        return Selection(kind, self.now.model.names[kind].index(name))

    def names(self, kind: str) -> tuple[str, ...]:
        assert self.now.model is not None
        return self.now.model.names[kind]

    def check(self) -> str:
        """The model in memory is a fresh load of what would be saved, here and in MuJoCo; returns that text."""
        model = self.hand.thread.live.model
        files = model.plan_save().files
        text = files[0].after if files else Path(self.now.run.path).read_text()
        fresh, oracle = sim.loads(text), mujoco.MjModel.from_xml_string(text)
        assert fresh.names == model.names
        for name in fresh.layout.places:
            assert np.array_equal(fresh.read(name), model.read(name), equal_nan=True), name
        for name in ("body_pos", "body_mass", "geom_size", "jnt_axis", "actuator_gainprm", "dof_armature"):
            assert np.allclose(getattr(oracle, name), np.reshape(model.read(name), getattr(oracle, name).shape)), name
        return text


@pytest.fixture
def builder(tmp_path: Path) -> Iterator[Builder]:
    made = Builder(tmp_path, EMPTY_WORLD)
    yield made
    made.hand.thread.close()


def test_a_robot_from_nothing(builder: Builder) -> None:
    first = builder.check()
    builder.do(building.add_shape, "box", (0.0, 0.0, 0.0))
    assert builder.view.selection == builder.of("body", "box")
    builder.do(building.add_member, 1, "body")
    builder.do(building.add_joint, 2, "hinge")
    builder.do(building.add_actuators, [builder.of("body", "box")], "position")
    assert builder.names("actuator") == ("body_hinge_position",) and builder.names("joint") == ("", "body_hinge")
    builder.do(building.add_sensor, builder.of("joint", "body_hinge"), "jointpos")
    builder.do(building.rename, builder.of("joint", "body_hinge"), "knee")
    text = builder.check()
    assert 'joint="knee"' in text and 'body_hinge"' not in text.replace("body_hinge_", "")
    # with its servo and its sensor
    builder.do(building.duplicate, [builder.of("body", "box")])
    assert len(builder.names("actuator")) == 2 and builder.view.selection == builder.of("body", "box_2")
    builder.check()
    for _ in range(7):
        builder.hand.send(cmd.Undo())
    assert builder.check() == first and builder.now.unsaved == ()


def test_what_others_refer_to_is_asked_about(builder: Builder) -> None:
    builder.do(building.add_shape, "box", (0.0, 0.0, 0.0))
    builder.do(building.add_member, 1, "site")
    builder.do(building.add_sensor, builder.of("site", "site"), "gyro")
    builder.do(building.delete, [builder.of("site", "site")])
    question = builder.view.of(Building).question
    assert question is not None and question.text == "gyro site_gyro cannot be without it."
    building.answer(builder.view, builder.hand.thread.send, False)
    assert builder.settle().model is not None and builder.names("sensor") == ("site_gyro",)
    builder.do(building.delete, [builder.of("site", "site")])
    building.answer(builder.view, builder.hand.thread.send, True)
    builder.settle()
    assert builder.names("sensor") == () and builder.view.of(Building).question is None
    assert builder.now.journal.entries[-1].text == "deleted: site site"
    builder.do(building.delete, [builder.of("body", "box")])
    assert builder.view.of(Building).question is None and builder.names("body") == ("world",)


def test_numbers_of_the_window_are_copied_and_follow_a_name(builder: Builder) -> None:
    builder.do(building.add_shape, "box", (0.0, 0.0, 0.0))
    builder.hand.send(cmd.SetField("geom_friction", 0.3, (1,), 0))
    builder.do(building.duplicate, [builder.of("body", "box")])
    assert builder.hand.field("geom_friction")[:, 0].tolist() == [1.0, 0.3, 0.3]
    builder.do(building.rename, builder.of("geom", "box"), "crate")
    assert builder.hand.field("geom_friction")[:, 0].tolist() == [1.0, 0.3, 0.3]
    builder.check()
    builder.hand.send(cmd.Undo())
    assert builder.names("geom")[1] == "box" and builder.hand.field("geom_friction")[1, 0] == 0.3


def test_a_sentence_says_why_not(builder: Builder) -> None:
    builder.do(building.add_shape, "box", (0.0, 0.0, 0.0))
    builder.do(building.add_shape, "sphere", (0.0, 0.0, 0.0))
    for do, arguments, why in (
        (building.rename, (builder.of("body", "box"), "sphere"), "another body is called 'sphere'"),
        (building.move, ([builder.of("body", "box")], 2), "only a body of the world can have a free joint"),
        (building.move, ([builder.of("body", "box")], 1), "it cannot move into itself"),
        (building.delete, ([builder.of("geom", "box")],), "needs mass and inertia"),
    ):
        problem = builder.do(do, *arguments).run.problem
        assert problem is not None and why in problem.text and problem.title == "That change cannot be made"
        builder.hand.send(cmd.DismissProblem())
    builder.check()


def test_several_at_once(builder: Builder) -> None:
    for _ in range(3):
        builder.do(building.add_shape, "box", (0.0, 0.0, 0.0))
    building.choose(builder.view, "body", 1)
    building.toggle_chosen(builder.view, "body", 3)
    assert {one.index for one in building.selected(builder.view)} == {1, 3}
    builder.do(building.delete, building.selected(builder.view))
    assert builder.names("body") == ("world", "box_2")
    builder.hand.send(cmd.Undo())
    assert builder.names("body") == ("world", "box", "box_2", "box_3")
