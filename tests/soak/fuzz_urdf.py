"""Thousands of mutated URDFs: each loads or raises MjcfError with a line; MuJoCo's reading of them beside ours.

    python -m tests.soak.fuzz_urdf [--count 2000] [--start 0] [--no-mujoco]

Differences from MuJoCo are counted and shown, and are no failures: it reads some files otherwise, see test_urdf.
`--seed N` prints the URDF of one seed.
"""

from __future__ import annotations

import argparse
import sys
import traceback
import warnings
from collections import Counter

import mujoco
from rich.console import Console
from rich.table import Table

from sim.mjcf import Compiled, MjcfError, compile_text
from tests.sim.mjcf.compare import differences
from tests.sim.mjcf.format.mutate_urdf import mutated_urdf
from tests.sim.mjcf.format.urdf_models import FILES

ASSETS = {name: text.encode() for name, text in FILES.items()}


def ours(text: str | bytes) -> Compiled | str:
    """Our reading; "!" and a traceback if anything but a good error comes of it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile_text(text, ASSETS)
    except MjcfError as error:
        return str(error) if error.line else f"!no line: {error}"
    except Exception:
        return "!" + traceback.format_exc()


def theirs(text: str | bytes) -> mujoco.MjModel | str:
    try:
        return mujoco.MjModel.from_xml_string(text if isinstance(text, str) else text.decode(), ASSETS)
    except (ValueError, TypeError, UnicodeError) as error:
        return str(error)


def outcome(text: str | bytes, beside: bool) -> tuple[str, str]:
    """What became of a URDF, and the details."""
    mine = ours(text)
    if isinstance(mine, str) and mine.startswith("!"):
        return "FAILED", mine
    refused = "refused" if isinstance(mine, str) else "loaded"
    if not beside:
        return refused, ""
    reference = theirs(text)
    if isinstance(mine, str):
        return ("refused by both", "") if isinstance(reference, str) else ("refused here only", mine)
    if isinstance(reference, str):
        return "loaded here only", reference
    fused = mine.parsed.compiler.fusestatic
    found = [line for line in differences(mine, reference) if "bvh" not in line.split(":")[0] or not fused]
    return ("loaded by both, different", ", ".join(line.split(":")[0] for line in found)) if found else ("the same", "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--no-mujoco", action="store_true", help="only load them here")
    parser.add_argument("--seed", type=int, help="print the URDF of one seed")
    options = parser.parse_args()
    if options.seed is not None:
        print(mutated_urdf(options.seed))
        return 0
    counts: Counter[str] = Counter()
    console = Console()
    for seed in range(options.start, options.start + options.count):
        what, details = outcome(mutated_urdf(seed), not options.no_mujoco)
        counts[what] += 1
        if details:
            console.print(f"seed {seed}: {what}: {' '.join(details.split())[:400]}", highlight=False, markup=False)
    table = Table("outcome", "URDFs", title=f"{options.count} mutated URDFs")
    for what, number in counts.most_common():
        table.add_row(what, str(number))
    console.print(table)
    return 1 if counts["FAILED"] else 0


if __name__ == "__main__":
    sys.exit(main())
