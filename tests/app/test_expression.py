"""Expressions that users type: what they may say, and that they cannot say more."""

from __future__ import annotations

from typing import Any

import pytest

import sim
from app.expression import BadExpression, evaluate

MODEL = """<mujoco><option timestep='0.004'/><worldbody>
<body name='ball' pos='1 2 3'><freejoint name='free'/><geom size='.1'/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module")
def world() -> tuple[Any, Any]:
    """A body at a known place."""
    model = sim.loads(MODEL)
    data = sim.Data(model)
    sim.place(model, data)
    return model, data


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("d.qpos[2]", 3), ("d.qpos[-5]", 3), ("norm(d.qpos[:3])", 14**0.5), ("m.opt.timestep * 1e3", 4),
        ("d.xpos[1, 0] + 1", 2), ('d.body("ball").xpos[1]', 2), ("m.nq", 7), ("sum(d.qpos[0:3]) / 2", 3),
        ("d.qpos[0] < d.qpos[1]", 1), ("-abs(-2) ** 2", -4), ("max(d.qpos)", 3), ("degrees(pi)", 180), ("7 % 4", 3),
        ("len(d.qvel)", 6), ('d.joint("free").qpos[2]', 3),
    ],
)  # fmt: skip
def test_values(world: tuple[Any, Any], text: str, value: float) -> None:
    assert evaluate(text, *world) == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    [
        "d.qpos", "d.nonsense", "nonsense", "d.qpos[99]", "d.", "", "1 +", "1/0", "d.__class__", "d._arrays",
        "().__class__", "__import__('os')", "d.copy()", "d.read('qpos')", "9**9**9", "'a' * 10**9", "lambda: 1",
        "[x for x in d.qpos]", "d.qpos[0] = 1", "d.body", "m.save_xml", "d.body('nobody').xpos[0]",
        "f'{d}'", "1 if d.time else 2", "d.qpos[0.5]", "x" * 600, "(" * 300 + "1" + ")" * 300,
    ],
)  # fmt: skip
def test_what_is_refused_says_why(world: tuple[Any, Any], text: str) -> None:
    with pytest.raises(BadExpression) as refusal:
        evaluate(text, *world)
    assert len(str(refusal.value)) > 5
