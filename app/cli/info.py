"""Print a summary of a model: sizes, mass and options; or of a recording: branches, edits, damage."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli import EXIT_OK
from app.cli.arguments import add_model, existing
from app.files.recordings import is_recording

if TYPE_CHECKING:
    from sim import Model

# label and field
SIZES = (
    ("bodies", "nbody"), ("joints", "njnt"), ("coordinates", "nq"), ("degrees of freedom", "nv"), ("geoms", "ngeom"),
    ("sites", "nsite"), ("cameras", "ncam"), ("lights", "nlight"), ("meshes", "nmesh"), ("height fields", "nhfield"),
    ("textures", "ntex"), ("materials", "nmat"), ("tendons", "ntendon"), ("actuators", "nactuator"),
    ("activations", "na"), ("equalities", "neq"), ("sensors", "nsensor"), ("keyframes", "nkey"),
    ("mocap bodies", "nmocap"), ("trees", "ntree"),
)  # fmt: skip
CHOICES = ("integrator", "solver", "cone", "jacobian")
NUMBERS = ("timestep", "gravity", "iterations", "tolerance", "impratio", "density", "viscosity", "wind")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which model or recording."""
    add_model(parser)
    parser.add_argument("--verify", action="store_true", help="recompute a recording and compare")


def run(options: argparse.Namespace) -> int:
    """Print a table."""
    from rich.console import Console
    from rich.table import Table

    path = existing(options.model)
    table = Table(show_header=False)
    table.add_column(style="dim")
    table.add_column(justify="right")
    for label, value in _rows(path, options.verify):
        table.add_row(label, value)
    # a title of the table would break long paths at its width
    print(path)
    Console().print(table)
    return EXIT_OK


def _rows(path: Path, verify: bool) -> Iterable[tuple[str, str]]:
    import sim
    from app.run.engine.choice import open_model_saying

    if is_recording(path):
        from app.cli.recording_info import recording_rows

        return recording_rows(path, verify)
    model = open_model_saying(sim, path)
    return (*sizes(model), *settings(model))


def sizes(model: Model) -> list[tuple[str, str]]:
    """The sizes that are not zero, with mass and extent."""
    rows = [(label, str(getattr(model, field))) for label, field in SIZES if getattr(model, field, 0)]
    return [*rows, ("mass", f"{float(model.body_mass.sum()):.6g} kg"), ("extent", f"{float(model.stat.extent):.4g} m")]


def settings(model: Model) -> list[tuple[str, str]]:
    """The options: choices as MJCF keywords, the rest as numbers."""
    from sim.attributes.keywords import KEYWORDS

    rows = []
    for option in CHOICES:
        keywords = {value: keyword for keyword, value in KEYWORDS[option].items()}
        rows.append((option, keywords[int(getattr(model.opt, option))]))
    for option in NUMBERS:
        value = getattr(model.opt, option)
        rows.append((option, f"{value:g}" if not hasattr(value, "shape") else " ".join(f"{v:g}" for v in value)))
    return rows
