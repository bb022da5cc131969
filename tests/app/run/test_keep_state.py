"""The state of a run after its file has changed: by names, against an oracle, and to the last bit if nothing moved."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from app.model.element_keys import same_elements
from app.run.keep_state import at_start, carry_state
from sim.enums import PERT_TRANSLATE, STATE_INTEGRATION, STATE_TRACE
from sim.state_map import StateMap

ROOT = Path(__file__).resolve().parents[3]
TYPES = ("hinge", "slide", "ball", "free")
FIELDS = {
    "joint": ("qpos", "qvel", "qacc_warmstart", "qfrc_applied"),
    "actuator": ("ctrl", "act"),
    "body": ("xfrc_applied",),
}


@dataclass
class Body:
    """A body of a random file."""

    name: str
    joint: str = ""
    type: str = ""
    mocap: bool = False
    children: list[Body] = field(default_factory=list)


@dataclass
class File:
    """A random file, of which anything may be changed."""

    rng: random.Random
    bodies: list[Body] = field(default_factory=list)
    made: int = 0
    timestep: float = 0.002

    def all(self) -> list[tuple[list[Body], Body]]:
        """Every body, with the list that it is in."""
        found, todo = [], [self.bodies]
        while todo:
            siblings = todo.pop()
            found += [(siblings, body) for body in siblings]
            todo += [body.children for body in siblings]
        return found

    def name(self) -> str:
        self.made += 1
        return f"e{self.made}"

    def add(self) -> None:
        parents = [body for _, body in self.all() if not body.mocap]
        top = not parents or self.rng.random() < 0.5
        siblings = self.bodies if top else self.rng.choice(parents).children
        mocap = top and self.rng.random() < 0.2
        type_ = "" if mocap or self.rng.random() < 0.2 else self.rng.choice(TYPES if top else TYPES[:3])
        place = self.rng.randrange(len(siblings) + 1)
        siblings.insert(place, Body(self.name(), self.name() if type_ else "", type_, mocap))

    def remove(self) -> None:
        if self.all():
            siblings, body = self.rng.choice(self.all())
            siblings.remove(body)

    def rename(self) -> None:
        for _, body in self.rng.sample(self.all(), min(2, len(self.all()))):
            body.name = self.name()
            if body.joint:
                body.joint = self.name()

    def reorder(self) -> None:
        siblings = self.rng.choice([self.bodies, *(body.children for _, body in self.all())])
        self.rng.shuffle(siblings)

    def change(self) -> None:
        self.timestep = self.rng.choice((0.001, 0.002, 0.003))
        hinges = [body for _, body in self.all() if body.type in TYPES[:2]]
        if hinges:
            self.rng.choice(hinges).type = self.rng.choice(TYPES[:3])

    def text(self) -> str:
        joints = [body.joint for _, body in self.all() if body.type in TYPES[:2]]
        driven = "".join(
            f'<general name="a_{joint}" joint="{joint}" dyntype="{("none", "filter")[k % 2]}"/>'
            for k, joint in enumerate(joints)
        )
        welds = "".join(f'<weld name="w_{b.name}" body1="{b.name}"/>' for b in self.bodies if not b.mocap)
        return f"""<mujoco><option timestep="{self.timestep}"/><size nuserdata="3"/>
            <worldbody>{"".join(map(_body, self.bodies))}</worldbody>
            <actuator>{driven}</actuator><equality>{welds}</equality></mujoco>"""


def _body(body: Body) -> str:
    joint = f'<joint name="{body.joint}" type="{body.type}"/>' if body.joint else ""
    mocap = 'mocap="true"' if body.mocap else ""
    return f'<body name="{body.name}" {mocap}>{joint}<geom size=".1"/>{"".join(map(_body, body.children))}</body>'


def named_values(m: sim.Model, d: sim.Data) -> dict[tuple[str, str, str], Any]:
    """(type, name, field) -> values, by MuJoCo's own access by name."""
    found: dict[tuple[str, str, str], Any] = {}
    for kind, fields in FIELDS.items():
        for name in m.names[kind]:
            element = getattr(d, kind)(name)
            found |= {(kind, name, each): np.ravel(getattr(element, each)).tolist() for each in fields if each != "act"}
    for index, name in enumerate(m.names["actuator"]):
        if m.actuator_actnum[index]:
            found["actuator", name, "act"] = [d.act[m.actuator_actadr[index]]]
    for index, name in enumerate(m.names["equality"]):
        found["equality", name, "active"] = [d.eq_active[index]]
    for index, name in enumerate(m.names["body"]):
        if m.body_mocapid[index] >= 0:
            pose = d.mocap_pos[m.body_mocapid[index]], d.mocap_quat[m.body_mocapid[index]]
            found["body", name, "mocap"] = np.concatenate(pose).tolist()
    return found


def stir(m: sim.Model, d: sim.Data, rng: np.random.Generator) -> None:
    """Another number everywhere."""
    state = rng.uniform(0.1, 0.9, sim.state_size(m, STATE_TRACE))
    d.perturb.select = 0
    sim.set_state(m, d, state, STATE_TRACE)
    d.eq_active[:] = rng.integers(0, 2, m.neq)
    d.perturb.select, d.perturb.active = 0, 0


def converted(before: sim.Model, d: sim.Data, after: sim.Model) -> sim.Data:
    """The state of one model in another."""
    now = sim.Data(after)
    states = StateMap(before, after, same_elements(before, after))
    old, new = sim.get_state(before, d, STATE_TRACE), sim.get_state(after, now, STATE_TRACE)
    sim.set_state(after, now, states.convert(old[None], new)[0], STATE_TRACE)
    return now


@pytest.mark.parametrize("seed", range(40))
def test_random_changes_of_a_file_against_names(seed: int) -> None:
    rng, numbers = random.Random(seed), np.random.default_rng(seed)
    file = File(rng)
    for _ in range(6):
        file.add()
    before = sim.loads(file.text())
    d = sim.Data(before)
    steps: tuple[Callable[[], None], ...] = (file.add, file.remove, file.rename, file.reorder, file.change)
    for _ in range(8):
        stir(before, d, numbers)
        count = rng.randrange(1, 4)
        for _ in range(count):
            rng.choice(steps)()
        after = sim.loads(file.text())
        now = converted(before, d, after)
        old, new, initial = named_values(before, d), named_values(after, now), named_values(after, sim.Data(after))
        gone = {key: value for key, value in old.items() if key not in new}
        for key, value in new.items():
            if key in old and key[0] == "joint" and before.joint(key[1]).type != after.joint(key[1]).type:
                assert value == initial[key], key
            elif key in old:
                assert value == old[key], key
            elif value != initial[key]:
                # renamed: it has what another one had that is gone
                assert any(value == other for (_, _, each), other in gone.items() if each == key[2]), key
        assert now.time == d.time
        assert now.userdata.tolist() == d.userdata.tolist()
        before, d = after, now


@pytest.mark.parametrize("seed", range(10))
def test_renamed_elements_keep_their_state(seed: int) -> None:
    file = File(random.Random(seed))
    for _ in range(6):
        file.add()
    before = sim.loads(file.text())
    d = sim.Data(before)
    stir(before, d, np.random.default_rng(seed))
    file.rename()
    after = sim.loads(file.text())
    assert before.names != after.names
    now = converted(before, d, after)
    assert sim.get_state(after, now, STATE_TRACE).tobytes() == sim.get_state(before, d, STATE_TRACE).tobytes()


def test_elements_without_a_name_go_by_their_place() -> None:
    parts = [f'<body name="{name}"><freejoint/><geom size=".1"/></body>' for name in "abc"]
    before = sim.loads(f"<mujoco><worldbody>{''.join(parts)}</worldbody></mujoco>")
    after = sim.loads(
        f"<mujoco><worldbody>{parts[2]}<body><freejoint/><geom size='.1'/></body>{parts[0]}</worldbody></mujoco>"
    )
    d = sim.Data(before)
    d.qpos[:] = np.arange(21)
    now = converted(before, d, after)
    assert now.qpos.tolist() == [*range(14, 21), 0, 0, 0, 1, 0, 0, 0, *range(7)]


def test_the_pulled_body_is_found_again() -> None:
    bodies = [f'<body name="{name}"><freejoint/><geom size=".1"/></body>' for name in "abc"]
    before, after = (
        sim.loads(f"<mujoco><worldbody>{''.join(b)}</worldbody></mujoco>") for b in (bodies, bodies[:0:-1])
    )
    states = StateMap(before, after, same_elements(before, after))
    d, initial = sim.Data(before), sim.get_state(after, sim.Data(after), STATE_TRACE)
    d.perturb.active = PERT_TRANSLATE
    rows = []
    for d.perturb.select in (1, 2, 3):
        rows.append(sim.get_state(before, d, STATE_TRACE))
    found = sim.Data(after)
    selected = []
    for row in states.convert(np.array(rows), initial):
        sim.set_state(after, found, row, STATE_TRACE)
        selected.append((found.perturb.select, found.perturb.active))
    # the first is gone, the others have changed places
    assert selected == [(0, 0), (2, PERT_TRANSLATE), (1, PERT_TRANSLATE)]


# ---- to the last bit


def load(name: str, *changes: tuple[str, str]) -> sim.Model:
    text = (ROOT / "scenes" / f"{name}.xml").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return sim.loads(text)


def carried(before: sim.Model, d: sim.Data, after: sim.Model, starts: bool = False) -> sim.Data:
    now = sim.Data(after)
    carry_state(StateMap(before, after, same_elements(before, after)), (before, d), (after, now), starts)
    return now


@pytest.mark.parametrize("name", ["delay_and_lag", "humanoid", "muscle_arm", "puppet", "servos", "sleepers"])
def test_an_unchanged_file_changes_no_bit(name: str) -> None:
    before, after = load(name), load(name)
    d = sim.Data(before)
    sim.step(before, d, 700)
    now = carried(before, d, after)
    for _ in range(2):
        states = [sim.get_state(m, each, STATE_INTEGRATION).tobytes() for m, each in ((before, d), (after, now))]
        assert states[0] == states[1]
        assert now.tree_asleep.tolist() == d.tree_asleep.tolist()
        sim.step(before, d, 300)
        sim.step(after, now, 300)


def test_what_sleeps_goes_on_sleeping_unless_the_physics_changes() -> None:
    before = load("sleepers")
    d = sim.Data(before)
    sim.step(before, d, 4000)
    asleep = int((d.tree_asleep >= 0).sum())
    assert asleep
    looks = load("sleepers", ("<worldbody>", '<visual><map znear="0.02"/></visual><worldbody>'))
    physics = load("sleepers", ("<worldbody>", '<option density="1e-9"/><worldbody>'))
    assert (carried(before, d, looks).tree_asleep >= 0).sum() == asleep
    assert not (carried(before, d, physics).tree_asleep >= 0).any()


YIELDING = """<mujoco><worldbody>{more}<body><joint name="j" type="ball" springyield=".1" stiffness="1"/>
<geom size=".1" pos=".1 0 0"/><site name="s"/></body><site name="t" pos="0 0 1"/></worldbody>
<tendon><spatial name="t" springyield=".1" stiffness="1"><site site="s"/><site site="t"/></spatial></tendon>
<actuator>{servo}<orientation name="o" joint="j" nsample="3" delay=".004"/>
<motor name="m" joint="j" nsample="2" delay=".002"/></actuator></mujoco>"""


def test_what_a_state_remembers_follows_its_element() -> None:
    """Delayed controls, several to an actuator, and where springs rest."""
    before = sim.loads(YIELDING.format(more="", servo=""))
    after = sim.loads(YIELDING.format(
        more='<body pos="9 0 0"><joint name="k" springyield=".1" stiffness="1"/><geom size=".1"/></body>',
        servo='<position name="p" joint="k" nsample="4" delay=".004"/>',
    ))  # fmt: skip
    d = sim.Data(before)
    d.history, d.plastic = np.arange(before.nhistory) % 2, 0.1 * np.arange(before.nplastic)
    now, first = carried(before, d, after), sim.Data(after)
    assert now.history[10:].tolist() == d.history.tolist()
    assert now.history[:10].tolist() == first.history[:10].tolist()
    assert now.plastic.tolist() == [first.plastic[0], *d.plastic.tolist()]


# ---- what follows the file

PLACED = """<mujoco><worldbody>
<body name="ball" pos="0 0 {height}"><freejoint/><geom size=".1"/></body>
<body name="hand" mocap="true" pos="{hand} 0 0"><geom size=".1" contype="0"/></body>
</worldbody><equality><weld name="glue" body1="ball" active="{active}"/></equality>
<keyframe><key name="up" qpos="0 0 {up} 1 0 0 0"/></keyframe></mujoco>"""
FIRST = {"height": 1, "hand": 2, "active": "true", "up": 5}


@pytest.mark.parametrize("key", [None, 0])
def test_a_run_at_its_start_starts_from_the_new_file(key: int | None) -> None:
    before, after = sim.loads(PLACED.format(**FIRST)), sim.loads(PLACED.format(**FIRST | {"height": 3, "up": 7}))
    d, now = sim.Data(before), sim.Data(after)
    sim.reset(before, d, key)
    sim.reset(after, now, key)
    assert at_start(before, d, key)
    assert not at_start(before, d, 0 if key is None else None)
    d.ctrl[:] = 1
    carry_state(StateMap(before, after, same_elements(before, after)), (before, d), (after, now), True)
    assert now.qpos[2] == (3 if key is None else 7)
    sim.step(before, d)
    assert not at_start(before, d, key)
    height = d.qpos[2]
    assert carried(before, d, after).qpos[2] == height


def test_what_nobody_touched_follows_the_file() -> None:
    before = sim.loads(PLACED.format(**FIRST))
    after = sim.loads(PLACED.format(**FIRST | {"hand": 4, "active": "false"}))
    d = sim.Data(before)
    sim.step(before, d, 3)
    now = carried(before, d, after)
    assert (now.mocap_pos[0, 0], bool(now.eq_active[0])) == (4, False)
    # and back: the switch was set by hand, the hand was moved
    d, d.mocap_pos[0, 0], d.eq_active[0] = sim.Data(before), 9, 0
    now = carried(before, d, sim.loads(PLACED.format(**FIRST | {"hand": 4})))
    assert (now.mocap_pos[0, 0], bool(now.eq_active[0])) == (9, False)


def test_a_state_with_bad_numbers_is_left_behind() -> None:
    before, after = sim.loads(PLACED.format(**FIRST)), sim.loads(PLACED.format(**FIRST))
    d = sim.Data(before)
    d.time, d.qvel[0] = 2.0, np.nan
    now = carried(before, d, after)
    assert now.qvel[0] == 0
    assert now.time == 2
