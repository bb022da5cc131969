"""Which kernels a model may need after an edit."""

from __future__ import annotations

from typing import Any

import pytest

import sim
from sim.enums import GEOM_BOX, GEOM_SPHERE, SOL_PGS
from sim.jit import kernel
from sim.jit.loader import loader
from sim.script import prepare
from sim.stages.collision.box import box_box
from sim.stages.collision.manifold import both
from sim.stages.collision.primitive import sphere_box
from sim.stages.sleep.wake import wake_by_call
from sim.stages.smooth.inertia import tendon_armature

BALLS = "<mujoco><worldbody><geom size='1' {0}/><body><freejoint/><geom {1}/></body></worldbody></mujoco>"
SPHERE_AND_BOX = BALLS.format("contype='0' conaffinity='0'", "type='box' size='1 1 1'")


def may_need(text: str, unit: Any) -> bool:
    return prepare.AnyEdit(sim.loads(text)).may_need(unit)


def test_conditions_of_types_are_final_and_those_of_options_and_bits_are_not() -> None:
    m = sim.loads(SPHERE_AND_BOX)
    # no pair collides now, but with other bits one would; there is one box whatever is edited
    assert not both(GEOM_SPHERE, GEOM_BOX)(m)
    assert may_need(SPHERE_AND_BOX, sphere_box)
    assert not may_need(SPHERE_AND_BOX, box_box)
    # sleep is a flag
    assert wake_by_call.when is not None and not wake_by_call.when(m)
    assert may_need(SPHERE_AND_BOX, wake_by_call)


def test_a_field_without_rows_cannot_be_edited() -> None:
    assert not may_need(SPHERE_AND_BOX, tendon_armature)
    slack = "<tendon><fixed><joint joint='j' coef='1'/></fixed></tendon></mujoco>"
    text = f"<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>{slack}"
    assert tendon_armature.when is not None and not tendon_armature.when(sim.loads(text))
    assert may_need(text, tendon_armature)


@kernel(when=lambda m: m.opt.solver == SOL_PGS)
def after_an_edit(m, d):
    """Called if the solver is another one."""


@kernel(when=lambda m: m.ntendon > 0 and m.opt.solver == SOL_PGS)
def after_no_edit(m, d):
    """Never called: there are no tendons."""


@kernel
def entry(m, d):
    """Calls both."""
    if m.opt.solver == SOL_PGS:
        after_an_edit(m, d)
        if m.ntendon > 0:
            after_no_edit(m, d)


def test_what_is_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    """First what the model needs as it is, then what edits may need."""
    monkeypatch.setattr(prepare, "ENTRIES", (entry,))
    monkeypatch.setattr(prepare, "STEP", ())
    monkeypatch.setattr(prepare, "MISSED_KERNELS", set())
    m = sim.loads(SPHERE_AND_BOX)
    assert not sim.prepared(m, edits=False) and not sim.prepared(m)
    sim.prepare(m, edits=False)
    assert entry.entry is not None and after_an_edit.entry is None
    assert sim.prepared(m, edits=False) and not sim.prepared(m)
    # the same model, edited
    m.opt.solver = SOL_PGS
    assert not sim.prepared(m, edits=False)
    sim.prepare(m)
    assert sim.prepared(m, edits=False) and sim.prepared(m)
    assert after_an_edit.entry is not None and after_no_edit.entry is None
    assert not loader.has([after_no_edit])
