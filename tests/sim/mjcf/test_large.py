"""Large models: work and memory grow with their size, and copies of copies have an end."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from importlib import import_module
from typing import Any

import mujoco
import numpy as np
import pytest

import sim
from sim.mjcf import MjcfError, compile_text
from sim.mjcf.asset import texture
from sim.mjcf.attach import assembly
from sim.mjcf.attach.references import Clones, clone
from sim.mjcf.section import tendon
from sim.mjcf.set_const import set_const
from sim.mjcf.set_const import tendon as tendon_constants
from sim.mjcf.source import Node

LINK = '<body pos=".1 0 0"><joint axis="0 1 0"/><geom size=".1"/>'
SITES = '<site name="a"/><body pos="1 0 0"><joint name="j"/><geom size=".1"/><site name="b"/></body>'


def model(inside: str, after: str = "", before: str = "") -> str:
    return f"<mujoco>{before}<worldbody>{inside}</worldbody>{after}</mujoco>"


def most_memory(work: Callable[[], Any]) -> int:
    """Bytes that are taken at once."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


CHAIN = model(LINK * 150 + "</body>" * 150)
STAR = model(LINK + f"{LINK}</body>" * 150 + "</body>")


@pytest.mark.parametrize("text", [CHAIN, STAR], ids=["chain", "star"])
def test_weights_of_bodies(text: str) -> None:
    expected = mujoco.MjModel.from_xml_string(text)
    np.testing.assert_allclose(sim.loads(text).body_invweight0, expected.body_invweight0, rtol=1e-7, atol=1e-14)


@pytest.mark.parametrize("text", [CHAIN, STAR], ids=["chain", "star"])
def test_each_dof_is_multiplied_once(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many bodies hang on it."""
    m = sim.loads(text)
    d = set_const.at_qpos0(m)
    factors, einsum, dofs = set_const.inverse_factors(m, d), np.einsum, 0

    def counted(formula: str, axes: np.ndarray, root: np.ndarray) -> np.ndarray:
        nonlocal dofs
        dofs += len(axes)
        return einsum(formula, axes, root)

    monkeypatch.setattr(np, "einsum", counted)
    set_const.set_body_weights(m, d, factors)
    assert dofs == m.nv


def test_a_long_path_over_one_joint_is_one_column() -> None:
    text = model(SITES, "<tendon><spatial>" + '<site site="a"/><site site="b"/>' * 1000 + "</spatial></tendon>")
    m = sim.loads(text)
    d, inverses = set_const.at_qpos0(m), {0: np.ones((1, 1))}
    assert most_memory(lambda: tendon_constants.inverse_weight(m, d, 0, inverses)) < 1_000_000


def test_a_path_looks_at_each_body_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    known = tendon.body_dofs
    monkeypatch.setattr(tendon, "body_dofs", lambda m, body: asked.append(body) or known(m, body))
    text = model(SITES, "<tendon><spatial>" + '<site site="a"/><site site="b"/>' * 50 + "</spatial></tendon>")
    compiled = compile_text(text)
    assert asked == [0, 1]
    assert compiled.values["ten_J_colind"].tolist() == mujoco.MjModel.from_xml_string(text).ten_J_colind.tolist() == [0]


def test_lengths_are_found_once_where_springs_rest_at_qpos0(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    find = tendon_constants.compute_tendons
    for module in (tendon_constants, set_const):
        monkeypatch.setattr(module, "compute_tendons", lambda m, d: calls.append(m) or find(m, d))
    text = model(SITES, '<tendon><spatial><site site="a"/><site site="b"/></spatial></tendon>')
    m = sim.loads(text)
    assert len(calls) == 1
    assert m.tendon_lengthspring.tolist() == [[1.0, 1.0]]
    sim.loads(text.replace("<joint", '<joint springref="30"'))
    assert len(calls) == 3


def test_large_gradients_are_painted_in_pieces() -> None:
    size = 'width="40000" height="20"'
    text = model("", before=f'<asset><texture name="t" type="2d" builtin="gradient" {size}/></asset>')
    picture = mujoco.MjModel.from_xml_string(text).tex_data
    assert compile_text(text).values["tex_data"].tobytes() == picture.tobytes()
    wanted = compile_text(text).parsed.textures[0]
    # the picture, and a few pieces with numbers for each pixel
    assert most_memory(lambda: texture._draw(wanted)) < picture.nbytes + 100 * texture.TOGETHER


def test_copies_of_copies_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten copies of ten copies of ...: what is counted is all that would be copied, before it is."""
    made = [0]

    def counted(node: Node, clones: Clones) -> Node:
        copy = clone(node, clones)
        made[0] += len(clones)
        return copy

    # the module, not the function of its name
    monkeypatch.setattr(import_module("sim.mjcf.attach.attach"), "clone", counted)
    monkeypatch.setattr(assembly, "MOST_NODES", 5000)
    attach = "".join(f'<attach model="m" prefix="{k}"/>' for k in range(10))
    leaf = "<mujoco><default><default class='c'/></default><asset><material name='a'/></asset></mujoco>"
    file = '<mujoco><asset>\n<model name="m" file="{}.xml"/></asset><worldbody>\n{}</worldbody></mujoco>'
    files = {f"{k}.xml": file.format(k + 1, attach) for k in range(12)} | {"12.xml": leaf}
    with pytest.raises(MjcfError) as caught:
        compile_text(files["0.xml"], files)
    assert "<attach>: the model is too large: more than 5000 copied elements; make fewer copies" in str(caught.value)
    assert caught.value.line == 3
    assert made[0] <= 5000
