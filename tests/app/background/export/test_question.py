"""Questions about a moment: values of several numbers, code for MuJoCo's names, what is suggested.

Files: question.py, suggest.py.
"""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import sim
from app.background.export.question import Question, answer, answers, code, uses_contact_force, uses_measures
from app.background.export.suggest import Shown, quantities, suggested
from app.background.export.templates import CONTACT_FORCE, MEASURE
from app.model.selection import COUNTS, Selection
from sim import mujoco as sim_mujoco
from sim.script.expression import BadExpression, evaluate
from tests.app.live import RICH_MODEL

EXPRESSIONS = (
    "d.qpos[2]", "norm(d.qvel)", 'd.body("ball").xpos[2]', "max(abs(d.qvel)) * pi", "degrees(d.qpos[-1])",
    "d.ncon > 0 and d.contact.dist[0] < 0", "d.ncon < 0 and d.contact.dist[99] < 0", "not (d.ncon > 1)",
    "sum(d.qpos > 0 and d.qpos < 1)", "0 < d.ncon < 100", 'normal_force("box")', "len(d.qpos)", "dot(d.qvel, d.qacc)",
    "d.time or 1", "-min(d.qpos) ** 2", 'limit_distance("rest") if 0 else 1',
)  # fmt: skip


@pytest.fixture(scope="module")
def moment() -> tuple[sim.Model, sim.Data]:
    m = sim.loads(RICH_MODEL)
    d = sim.Data(m)
    sim.step(m, d, 20)
    sim.forward(m, d)
    return m, d


@pytest.mark.parametrize("text", EXPRESSIONS[:-1])
def test_code_has_the_value_of_the_expression(text: str, moment: tuple[sim.Model, sim.Data]) -> None:
    """Python computes what the plot shows."""
    m, d = moment
    names = {"np": np, "m": m, "d": d}
    exec(MEASURE, names)  # noqa: S102
    assert float(eval(code(Question(text)), names)) == evaluate(text, m, d)


def test_what_is_no_expression_is_refused(moment: tuple[sim.Model, sim.Data]) -> None:
    """What reaches a file has been evaluated: nothing else can be in it."""
    for text in (
        EXPRESSIONS[-1],
        "__import__('os')",
        "d.qpos[0]; d",
        "(lambda: 1)()",
        "d.__class__",
        "contact_force(x)",
    ):
        with pytest.raises(BadExpression):
            answer(Question(text), *moment)
    with pytest.raises(BadExpression, match="contact 99 does not exist"):
        answer(Question("contact_force(99)"), *moment)
    with pytest.raises(BadExpression, match="numbers: use a slice"):
        m = sim.loads(
            "<mujoco><worldbody>" + "<body><freejoint/><geom size='.1'/></body>" * 200 + "</worldbody></mujoco>"
        )
        answer(Question("d.qpos"), m, sim.Data(m))
    assert answers([Question("d.nothing")], *moment)[0].size == 0


def test_the_code_of_an_expression_is_as_it_was_typed() -> None:
    assert code(Question(' d.body("a").xpos[2] ')) == 'd.body("a").xpos[2]'
    assert code(Question("norm(d.qvel)")) == "np.linalg.norm(d.qvel)"
    assert uses_measures(Question('1 + depth("a")'))
    assert not uses_measures(Question("d.ncon"))
    assert uses_contact_force(Question("contact_force(1)"))


def test_the_force_of_a_contact_is_mujocos(moment: tuple[sim.Model, sim.Data]) -> None:
    m, d = moment
    assert d.ncon > 0
    names = {"np": np, "m": m, "d": d, "mujoco": sim_mujoco}
    exec(CONTACT_FORCE, names)  # noqa: S102
    ours = answer(Question("contact_force(0)"), m, d)
    assert np.array_equal(eval(code(Question("contact_force(0)")), names), ours)
    assert (ours.shape, ours[0] > 0) == ((6,), True)


def test_several_numbers_are_an_array(moment: tuple[sim.Model, sim.Data]) -> None:
    m, d = moment
    assert np.array_equal(answer(Question('d.body("ball").xpos'), m, d), d.xpos[m.name2id("body", "ball")])
    assert answer(Question("d.ncon"), m, d) == d.ncon
    assert isinstance(answer(Question("d.ncon"), m, d), int)


@pytest.mark.parametrize("kind", [*COUNTS, "contact"])
def test_every_kind_of_element_has_quantities_in_both_engines(kind: str, moment: tuple[sim.Model, sim.Data]) -> None:
    """Named or not: what is suggested has a value, and is Python for MuJoCo too."""
    m, d = moment
    theirs = mujoco.MjModel.from_xml_string(RICH_MODEL)
    other = mujoco.MjData(theirs)
    mujoco.mj_step(theirs, other, 20)
    mujoco.mj_forward(theirs, other)
    names = {"np": np, "m": theirs, "d": other, "mujoco": mujoco}
    exec(CONTACT_FORCE, names)  # noqa: S102
    count = d.ncon if kind == "contact" else int(getattr(m, COUNTS[kind]))
    assert count > 0
    for index in range(count):
        for text in quantities(m, d, Selection(kind, index)):
            value = eval(code(Question(text)), names)
            assert np.allclose(answer(Question(text), m, d), np.ravel(value).reshape(np.shape(value)), atol=1e-9), text


def test_suggestions_are_what_the_window_shows(moment: tuple[sim.Model, sim.Data]) -> None:
    m, d = moment
    shown = Shown(
        Selection("body", m.name2id("body", "ball")),
        ("norm(d.qvel)", "d.ncon"),
        {"Forces": (), "Energy": ("energy()",), "Breakpoints": ("d.time > 1",)},
        Selection("joint", m.name2id("joint", "hinge")),
    )  # fmt: skip
    found = {question.expression: question.about for question in suggested(m, d, shown)}
    assert found['d.body("ball").xpos'] == "selected: body ball"
    assert found["norm(d.qvel)"] == "plot"
    touching = suggested(m, d, Shown(Selection("contact", 0)))
    assert touching[0] == Question("contact_force(0)", "selected: contact of world / floor and box / box")
    assert found["d.ncon"] == "plot"
    assert found["energy()"] == "Energy"
    assert found["d.time > 1"] == "Breakpoints"
    dof = int(m.jnt_dofadr[m.name2id("joint", "hinge")])
    assert found[f"d.qfrc_constraint[{dof}]"] == "Forces"
    # an element that is not there in this state
    assert [q.expression for q in suggested(m, d, Shown(Selection("contact", 99)))] == ["d.ncon"]


def test_names_that_python_would_write_otherwise_are_numbers() -> None:
    m = sim.loads("""<mujoco><worldbody><body name='a"b'><geom size='.1'/></body></worldbody></mujoco>""")
    assert quantities(m, sim.Data(m), Selection("body", 1))[0] == "d.xpos[1]"
