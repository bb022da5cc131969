"""Convert a model, URDF say, to MJCF.

A URDF describes a robot, not a scene: floor, light, actuators and excludes are added on request. The written file is
read again, so what is printed is what it holds.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.cli import EXIT_OK
from app.cli.arguments import add_model, existing

if TYPE_CHECKING:
    from sim import Model

ACTUATORS = ("motor", "position", "velocity")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which model, where to, what to add."""
    add_model(parser)
    parser.add_argument("--out", "-o", type=mjcf_file, required=True, metavar="FILE", help="MJCF file to write")
    parser.add_argument("--floor", action="store_true", help="add a plane below the model")
    parser.add_argument("--light", action="store_true", help="add a light above the model")
    parser.add_argument(
        "--actuators",
        choices=ACTUATORS,
        default="",
        help="add an actuator to each hinge and slide without one; gains follow from effort limits and inertia",
    )
    parser.add_argument(
        "--exclude", action="store_true", help="exclude contacts between bodies that overlap in the initial pose"
    )


def run(options: argparse.Namespace) -> int:
    """Write the file, and say what is in it."""
    import sim
    from sim.mjcf.save.furnish import furnish

    path = existing(options.model)
    if options.out.exists() and os.path.samefile(path, options.out):
        raise FileExistsError(f"'{options.out}' is the model itself: specify another file")
    model = sim.load(path)
    excluded = _overlapping(model) if options.exclude else ()
    furnish(model, options.floor, options.light, options.actuators, excluded)
    model.save_xml(options.out)
    written = sim.load(options.out)
    sizes = (
        ("body", written.nbody),
        ("joint", written.njnt),
        ("geom", written.ngeom),
        ("actuator", written.nactuator),
    )
    print(f"{options.out}: {', '.join(_counted(count, what) for what, count in sizes)}")
    return EXIT_OK


def mjcf_file(text: str) -> Path:
    """A file with a suffix of MJCF."""
    from sim.mjcf.format.table import MJCF

    path = Path(text)
    if path.suffix.lower() not in MJCF.suffixes:
        raise argparse.ArgumentTypeError(f"'{text}' must end in {' or '.join(MJCF.suffixes)}")
    return path


def _overlapping(model: Model) -> list[tuple[str, ...]]:
    """Names of pairs of bodies that overlap in the initial pose, or in the nearest one within the joint limits."""
    import sim
    from sim.enums import JNT_HINGE, JNT_SLIDE
    from sim.mjcf.origin import Origins

    data, bodies, origins = sim.Data(model), model.names["body"], Origins(model)
    # an exclude of the world would be one of the floor too: what is fused with it stays a body of its own
    names = [bodies[body] if body else origins.body_of(geom) for geom, body in enumerate(model.geom_bodyid.tolist())]
    found: set[tuple[str, ...]] = set()
    limited = np.flatnonzero(model.jnt_limited & np.isin(model.jnt_type, (JNT_HINGE, JNT_SLIDE)))
    places = model.jnt_qposadr[limited]
    given = model.qpos0[places]
    for pose in (given, np.clip(given, *model.jnt_range[limited].T)):
        data.qpos[places] = pose
        sim.forward(model, data)
        geoms = data.contact.geom[: data.ncon][data.contact.dist[: data.ncon] < 0]
        pairs = (sorted(pair, key=lambda geom: model.geom_bodyid[geom]) for pair in geoms.tolist())
        found |= {tuple(names[geom] for geom in pair) for pair in pairs}
    return sorted(pair for pair in found if all(pair))


def _counted(count: int, what: str) -> str:
    return f"{count} {what if count == 1 else what.replace('body', 'bodie') + 's'}"
