"""The index of the code: every stage, every field with its owner, places, calls, search, and what a model uses."""

from __future__ import annotations

import pytest

import sim
from sim.fields import DATA
from sim.jit.kernel import Kernel
from sim.pipeline.forward import run
from sim.script.kernels.index import Found, KernelIndex, make_index, used_by
from sim.script.profile import STEP

# fields that no native code writes: what the user sets, and what Python prepares for native code
INPUTS = {
    "perturb.select", "perturb.localpos", "perturb.refselpos", "perturb.refquat", "noise.scale", "noise.rate",
    "noise.seed",
}  # fmt: skip
BY_PYTHON = {"inertia.wanted", "trace.asleep", "nray", "rays.vec", "roll.start", "roll.ctrl", "fd.input"}
# "always 0", says the table
NEVER = {"nfacet"}


@pytest.fixture(scope="module")
def index() -> KernelIndex:
    return make_index()


def test_every_stage_has_kernels_that_are_there(index: KernelIndex) -> None:
    assert list(index.stages) == list(dict.fromkeys(call.stage for call in STEP))
    assert sum(map(len, index.stages.values())) == len(STEP)
    for name in (name for names in index.stages.values() for name in names):
        code = index.codes[name]
        line = code.file.read_text(encoding="utf-8").splitlines()[code.line - 1]
        assert line.startswith(f"def {code.short}("), name
        assert code.doc and code.module_doc and code.is_kernel and code.last > code.line


def test_every_function_is_found_in_its_file(index: KernelIndex) -> None:
    assert len(index.codes) > 1000
    assert [name for name, code in index.codes.items() if not code.line and "<locals>" not in name] == []


def test_every_field_is_written_by_its_owner(index: KernelIndex) -> None:
    foreign, unwritten = [], set()
    for field in DATA:
        writers = index.computing(f"d.{field.name}")
        if not writers:
            unwritten.add(field.name)
        for code in writers:
            place = code.name.removeprefix("sim.").rpartition(".")[0].replace(".", "/")
            if place != field.owner and not place.startswith(field.owner + "/"):
                foreign.append((field.name, code.name))
    assert foreign == []
    assert unwritten == INPUTS | BY_PYTHON | NEVER


@pytest.mark.parametrize(
    ("field", "first"),
    [
        ("d.qfrc_passive", "passive"), ("d.xpos", "kinematics"), ("d.cvel", "com_vel"), ("d.M", "crb"),
        ("d.qfrc_bias", "rne"), ("d.qfrc_spring", "springs"), ("d.ncon", "collision"),
        ("d.cfrc_ext", "rne_postconstraint"),
    ],
)  # fmt: skip
def test_known_fields(index: KernelIndex, field: str, first: str) -> None:
    assert index.computing(field)[0].short == first


def test_what_is_written_by_what_it_calls(index: KernelIndex) -> None:
    solver = index.named("fwd_constraint")
    assert solver is not None
    assert "d.qacc" not in solver.fields_written()
    assert {"d.qacc", "d.qfrc_constraint", "d.efc_force"} <= {*index.written_below(solver)}


def test_calls_and_callers_agree(index: KernelIndex) -> None:
    for name, code in index.codes.items():
        assert all(name in index.codes[callee].callers for callee in code.calls if callee in index.codes)
        assert all(name in index.codes[caller].calls for caller in code.callers)
    passive = index.named("passive")
    assert passive is not None and passive.stages[0] == "passive forces"
    assert "sim.stages.smooth.passive.springs" in passive.calls


def test_search_finds_the_exact_name_first(index: KernelIndex) -> None:
    assert index.search("qfrc_passive")[0] == Found("field", "d.qfrc_passive")
    assert index.search("d.qfrc_passive")[0] == Found("field", "d.qfrc_passive")
    assert index.search("passive")[0] == Found("function", "sim.stages.smooth.passive.passive")
    assert index.search("solver")[0] == Found("stage", "solver")
    assert Found("function", "sim.stages.smooth.rne.rne") in index.search("rne.py")
    # by meaning
    assert Found("field", "d.qfrc_gravcomp") in index.search("gravity compensation")
    assert index.search("") == index.search("  ") == index.search("no such thing at all") == []


def test_a_kernel_comes_before_a_helper_of_the_same_name(index: KernelIndex) -> None:
    assert index.named("sim.stages.smooth.passive.spring") is index.codes["sim.stages.smooth.passive.spring"]
    assert index.named("nonsense") is None
    shorts: dict[str, list[bool]] = {}
    for code in index.codes.values():
        shorts.setdefault(code.short, []).append(code.is_kernel)
    both = next(short for short, kinds in shorts.items() if {*kinds} == {True, False})
    found = index.named(both)
    assert found is not None and found.is_kernel


def test_which_functions_a_model_uses() -> None:
    ball = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    used = used_by(sim.loads(ball))
    assert {"sim.stages.smooth.passive.passive", "sim.pipeline.integrate.euler"} <= used
    assert not {"sim.stages.smooth.tendon.tendon", "sim.pipeline.forward.runge_kutta"} & used
    rk4 = used_by(sim.loads(ball.replace("<worldbody>", "<option integrator='RK4'/><worldbody>")))
    assert "sim.pipeline.forward.runge_kutta" in rk4 and "sim.pipeline.integrate.euler" not in rk4


def test_the_order_is_that_of_the_step(index: KernelIndex) -> None:
    names = list(index.codes)
    calls = [names.index(call.kernel.name) for call in STEP]
    # a kernel that an earlier one calls is listed there
    assert calls[0] == 0 and sorted(calls)[:10] == calls[:10]
    assert isinstance(index.codes[run.name].function, Kernel)
