"""Expressions that users type: what they may say, and that they cannot say more."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sim
from sim.jit.structs import Row
from sim.script.expression import FUNCTIONS, BadExpression, evaluate

MODEL = """<mujoco><option timestep='0.004'/><worldbody>
<body name='ball' pos='1 2 3'><freejoint name='free'/><geom size='.1'/></body></worldbody></mujoco>"""


def value_or_reason(text: str, model: Any, data: Any) -> float | str:
    """The value of an expression, or why it has none."""
    try:
        return evaluate(text, model, data)
    except BadExpression as error:
        return str(error)


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
        ("1 < 2 < 3", 1), ("1 < 3 < 2", 0), ("3 > 2 > 1 > 0", 1), ("d.qpos[0] < d.qpos[1] <= 2", 1),
        ("2 and 3", 1), ("2 and 0", 0), ("0 or 3", 1), ("0 or 0", 0), ("not 2", 0), ("not 0", 1),
        ("1 < 2 and not 3 < 2", 1), ("0 and 1 or 1", 1), ("log(-1) or 0", 0), ("not log(-1)", 1),
        # the right side has no value, and needs none
        ("d.ncon > 0 and d.contact.dist[0] < 0", 0), ("1 or d.qpos[99]", 1),
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
        "d.qpos < 1 and d.qpos > 0", "1 in d.qpos", "1 is 1", "1 and d.qpos[99]",
        "f'{d}'", "1 if d.time else 2", "d.qpos[0.5]", "x" * 600, "(" * 300 + "1" + ")" * 300,
    ],
)  # fmt: skip
def test_what_is_refused_says_why(world: tuple[Any, Any], text: str) -> None:
    with pytest.raises(BadExpression) as refusal:
        evaluate(text, *world)
    assert len(str(refusal.value)) > 5


@pytest.mark.parametrize(
    "text",
    [
        "sqrt(m.body_mass*0, m.body_mass)[0]", "abs(d.qpos[:3], d.qvel[:3])", "d.qpos.base", "d.qpos.base[0]",
        "sin(d.qvel, d.qpos[:6])", "sum(d.qpos[:3], 0, 0)", "d.qpos.data", "d.qpos.ctypes.data", "d.address", "m.names",
        "d.model.nq", "d.layout", "d.qpos.T[0]", "d.qpos.flags.writeable", "arctan2(d.qpos, d.qpos, d.qpos)[0]",
        "dot(d.qpos, d.qpos, d.qpos)", "max(d.qpos, 0)", "m.opt.read", "d.contact._struct", "norm(d.qpos, 2)",
    ],
)  # fmt: skip
def test_nothing_can_be_written_or_reached_but_fields(world: tuple[Any, Any], text: str) -> None:
    before = [dict(struct.values()) for struct in world]
    with pytest.raises(BadExpression):
        evaluate(text, *world)
    for struct, values in zip(world, before, strict=True):
        after = struct.values()
        assert all(np.array_equal(after[name], values[name]) for name in values)


def test_what_functions_see_cannot_be_written(world: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A function that is added to the table some day may write to what it gets."""

    def clear(array: Any) -> float:
        array[...] = 0.0
        return 0.0

    monkeypatch.setitem(FUNCTIONS, "clear", (clear, 1))
    for text in ("clear(d.qpos)", "clear(d.qpos[:3])", "clear(d.body('ball').xpos)", "clear(m.opt.gravity)"):
        with pytest.raises(BadExpression, match="read-only"):
            evaluate(text, *world)


@pytest.mark.parametrize(
    "text",
    [
        "sum(m.a[:, :1] * m.a[:, 0])", "sum(dot(m.a[:, :1], m.b))", "1" + "**1" * 160, "9" * 400, "2 ** 1e9",
        "sum(m.a[:, :1] < m.a[:, 0])", "sum(arctan2(m.a[:, :1], m.a[:, 0]))", "+".join(["sum(m.a)"] * 20),
    ],
)  # fmt: skip
def test_what_would_take_long_is_refused_before_it_is_computed(text: str) -> None:
    table = SimpleNamespace(values=[])
    row, group = Row.__new__(Row), np.ones((200_000, 2))
    object.__setattr__(row, "_group", SimpleNamespace(a=[group], b=[np.ones((1, 200_000))]))
    object.__setattr__(row, "_index", 0)
    answer = value_or_reason(text, row, table)
    assert answer == 1.0 if text.startswith("1**") else isinstance(answer, str)


def test_any_failure_is_a_reason(world: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Any) -> None:
        raise MemoryError("no room " * 1000)

    monkeypatch.setitem(FUNCTIONS, "fail", (fail, 1))
    reason = value_or_reason("fail(d.qpos)", *world)
    assert isinstance(reason, str)
    assert reason.startswith("no room") and len(reason) <= 200
