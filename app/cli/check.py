"""Compare the engine with an installed MuJoCo, stage by stage.

MuJoCo runs the model; at some steps its state is copied to both engines, both evaluate it, and every field is compared:
max |ours - theirs| over the largest magnitude of the field.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from app.cli import EXIT_BAD_INPUT, EXIT_OK, reference
from app.cli.arguments import add_model, existing

MOMENTS = (0, 1, 10, 100, 300)
STATE = (
    "time", "qpos", "qvel", "act", "ctrl", "qacc_warmstart", "mocap_pos", "mocap_quat", "qfrc_applied", "xfrc_applied",
)  # fmt: skip


@dataclass(frozen=True)
class CheckedStage:
    """Fields that are computed together, and their tolerance."""

    name: str
    tolerance: float
    fields: tuple[str, ...]


STAGES = (
    CheckedStage("kinematics", 1e-10, (
        "xpos", "xmat", "xipos", "xanchor", "xaxis", "geom_xpos", "site_xpos", "site_xmat", "cam_xpos", "subtree_com",
        "cdof",
    )),
    CheckedStage("inertia", 1e-10, ("cinert", "crb", "M", "qLD")),
    CheckedStage("transmission", 1e-9, ("ten_length", "ten_velocity", "actuator_length", "actuator_velocity")),
    CheckedStage("smooth forces", 1e-9, (
        "cvel", "qfrc_bias", "qfrc_passive", "act_dot", "actuator_force", "qfrc_actuator", "qfrc_smooth", "qacc_smooth",
    )),
    CheckedStage("contacts", 1e-6, ("ncon", "contact.dist", "contact.pos", "contact.frame", "contact.geom")),
    CheckedStage("rows", 1e-6, ("nefc", "efc_type", "efc_pos", "efc_vel", "efc_aref", "efc_D")),
    CheckedStage("solver", 1e-5, ("efc_force", "qfrc_constraint", "qacc")),
    CheckedStage("sensors, energy", 1e-5, ("sensordata", "energy")),
)  # fmt: skip
STEP = CheckedStage("one step", 1e-7, ("qpos", "qvel", "act"))
# the smallest magnitude to divide by, absolute and, for constraint forces, relative to the smooth forces
LEAST, LEAST_SHARE = 1e-8, 1e-9
CONSTRAINT_FORCES = ("efc_force", "qfrc_constraint")


@dataclass
class Finding:
    """The worst field of a stage over all steps compared."""

    stage: CheckedStage
    error: float = 0.0
    field: str = ""
    moment: int = 0
    count: int = 0

    @property
    def good(self) -> bool:
        """Whether every field is within tolerance."""
        return self.error <= self.stage.tolerance

    def note(self, ours: Any, theirs: Any, moment: int) -> None:
        """Compare the stage's fields at a step."""
        for name in self.stage.fields:
            if not _has(theirs, name):
                continue
            self.count += 1
            forces = float(np.abs(theirs.qfrc_smooth).max(initial=0.0)) if name in CONSTRAINT_FORCES else 0.0
            least = max(LEAST, LEAST_SHARE * forces)
            error = difference(_read(ours, name), _read(theirs, name), least) if _has(ours, name) else float("inf")
            if error > self.error or not self.field:
                self.error, self.field, self.moment = error, name, moment


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which model."""
    add_model(parser)


def run(options: argparse.Namespace) -> int:
    """Print a table; exit code 1 if a stage is out of tolerance."""
    path = existing(options.model)
    findings = compare(path)
    _print(path, findings)
    return EXIT_OK if all(finding.good for finding in findings) else EXIT_BAD_INPUT


def compare(path: Path) -> list[Finding]:
    """Compare every stage at every moment."""
    import sim

    module = reference.mujoco()
    ours = sim.load(str(path))
    theirs = reference.load(path)
    truth = reference.start(theirs, path)
    findings = [Finding(stage) for stage in (*STAGES, STEP)]
    done = 0
    for moment in MOMENTS:
        module.mj_step(theirs, truth, moment - done)
        done = moment
        data, state = sim.Data(ours), module.MjData(theirs)
        for name in STATE:
            value = getattr(truth, name)
            data.write(name, value)
            _set(state, name, value)
        sim.forward(ours, data)
        module.mj_forward(theirs, state)
        for finding in findings[:-1]:
            finding.note(data, state, moment)
        sim.step(ours, data)
        module.mj_step(theirs, state)
        findings[-1].note(data, state, moment)
    return findings


def difference(ours: Any, theirs: Any, least: float = LEAST) -> float:
    """The largest difference over the largest magnitude, at least `least`; infinite if shapes differ."""
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    if ours.shape != theirs.shape:
        return float("inf")
    if not theirs.size:
        return 0.0
    error = float(np.abs(ours - theirs).max() / max(float(np.abs(theirs).max()), least))
    return error if np.isfinite(error) else float("inf")


def _set(data: Any, name: str, value: Any) -> None:
    """Set a field of MjData, a number or an array."""
    if np.ndim(value):
        getattr(data, name)[...] = value
    else:
        setattr(data, name, value)


def _has(data: Any, name: str) -> bool:
    head, _, rest = name.partition(".")
    return hasattr(data, head) and (not rest or hasattr(getattr(data, head), rest))


def _read(data: Any, name: str) -> Any:
    head, _, rest = name.partition(".")
    return getattr(getattr(data, head), rest) if rest else getattr(data, head)


def _print(path: Path, findings: list[Finding]) -> None:
    """The findings as a table."""
    from rich.console import Console
    from rich.table import Table

    module = reference.mujoco()
    table = Table(title=f"{path.name} against MuJoCo {module.__version__}", title_justify="left")
    for heading, side in (("stage", "left"), ("compared", "right"), ("worst", "left"), ("step", "right"),
                          ("error", "right"), ("tolerance", "right"), ("", "left")):  # fmt: skip
        table.add_column(heading, justify=side)  # type: ignore[arg-type]
    for finding in findings:
        verdict = "[green]same[/]" if finding.good else "[red]differs[/]"
        error, tolerance = f"{finding.error:.1e}", f"{finding.stage.tolerance:.0e}"
        worst, moment = (finding.field, str(finding.moment)) if finding.error else ("", "")
        table.add_row(finding.stage.name, str(finding.count), worst, moment, error, tolerance, verdict)
    console = Console()
    console.print(table)
    if module.__version__ != reference.VERSION:
        console.print(f"The engine follows MuJoCo {reference.VERSION}; other versions differ from that.")
