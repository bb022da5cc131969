"""Doctor: gravity and timestep, each beside a healthy sibling."""

from __future__ import annotations

import pytest

import sim
from app.instruments.doctor.checks.options import check_options
from app.instruments.doctor.finding import Severity
from app.instruments.doctor.subject import Subject
from tests.app.instruments.doctor.cured import cured

FLOOR = "<geom type='plane' size='1 1 .1'/>"


def model(option: str, world: str = "", density: float = 1000) -> sim.Model:
    return sim.loads(f"""<mujoco><option {option}/><worldbody>{world}<body name='a' pos='0 0 1'><freejoint/>
        <geom size='.1' density='{density}'/></body></worldbody></mujoco>""")


HEALTHY = (
    model("", FLOOR),
    model("gravity='0 0 0'"),
    model("gravity='0 -9.81 0'"),
    model("gravity='0 -9.81 0'", "<geom type='plane' size='1 1 .1' zaxis='0 1 0'/>"),
    model("gravity='0 0 -1.62'", FLOOR),
    # centimetres and grams
    model("gravity='0 0 -981'", FLOOR, density=1),
    model("timestep='.01'"),
)
FAULTY = (
    (model("gravity='0 0 -9810'"), "gravity-unit", Severity.ERROR),
    (model("gravity='0 0 -.00981'"), "gravity-unit", Severity.ERROR),
    (model("gravity='0 0 9.81'", FLOOR), "gravity-direction", Severity.ERROR),
    (model("gravity='0 0 9.81'"), "gravity-direction", Severity.WARNING),
    (model("gravity='0 -9.81 0'", FLOOR), "gravity-direction", Severity.ERROR),
    (model("timestep='2'"), "timestep", Severity.ERROR),
    (model("timestep='.03'"), "timestep", Severity.ERROR),
    (model("timestep='.02'"), "timestep", Severity.NOTE),
)


@pytest.mark.parametrize("healthy", HEALTHY)
def test_healthy_options(healthy: sim.Model) -> None:
    assert not list(check_options(Subject(healthy)))


@pytest.mark.parametrize(("faulty", "check", "severity"), FAULTY)
def test_wrong_option_is_found_and_its_fix_cures_it(faulty: sim.Model, check: str, severity: Severity) -> None:
    (finding,) = check_options(Subject(faulty))
    assert (finding.check, finding.severity) == (check, severity)

    assert not list(check_options(Subject(cured(faulty, finding.fixes[0]))))
