"""Which fields functions read and write, and in which lines: found in however they are spelt."""

from __future__ import annotations

import inspect

from sim.script.kernels.accesses import Reader, SourceFile, Sources
from tests.sim.script.kernels import toy_stages as toy

FILE = toy.__file__
LINES = inspect.getsource(toy).splitlines()


def found(function: object, what: str) -> dict[str, list[str]]:
    """The text of each line -> the fields that are read or written in it."""
    lines: dict[str, list[str]] = {}
    for access in getattr(Reader(Sources()).accesses(function), what):  # type: ignore[arg-type]
        lines.setdefault(LINES[access.line - 1].split("#")[0].strip(), []).append(access.field)
    return lines


def test_writes() -> None:
    assert found(toy.stage, "writes") == {
        "d.qacc[n] = d.qpos[n]": ["d.qacc"],
        "d.time += m.opt.timestep": ["d.time"],
        "put(d.xpos, n, 0.0)": ["d.xpos"],
        "put_twice(d.ctrl, m.nu, total(d.act))": ["d.ctrl"],
        "forces[n] = 1.0": ["d.qfrc_passive"],
        "deepen(d.contact, d.ncon)": ["d.contact.dist"],
        "x, d.energy[0] = d.cvel[0, 0], 2.0": ["d.energy"],
        "target[0] = d.dof_island[d.nefc]": ["d.qfrc_bias", "d.qfrc_spring"],
    }


def test_reads() -> None:
    assert found(toy.stage, "reads") == {
        "d.qacc[n] = d.qpos[n]": ["d.qpos"],
        "d.time += m.opt.timestep": ["d.time", "m.opt.timestep"],
        "put_twice(d.ctrl, m.nu, total(d.act))": ["d.act", "m.nu"],
        "deepen(d.contact, d.ncon)": ["d.contact.dist", "d.ncon"],
        "x, d.energy[0] = d.cvel[0, 0], 2.0": ["d.cvel"],
        "target[0] = d.dof_island[d.nefc]": ["d.dof_island", "d.nefc"],
    }


def test_a_helper_owns_the_fields_that_it_names() -> None:
    assert found(toy.part, "writes") == {"d.qvel[0] = m.opt.timestep": ["d.qvel"]}
    # what it is given belongs to whoever names it
    assert found(toy.deepen, "writes") == found(toy.put, "writes") == {}


def test_sources_by_name() -> None:
    sources = Sources()
    node = sources.function(toy.stage)
    assert node is not None and LINES[node.lineno - 1].startswith("def stage")
    assert sources.file(FILE).doc.startswith("Kernels and helpers")
    assert sources.file("/nowhere/at/all.py") == SourceFile("", "", {})
