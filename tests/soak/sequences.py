"""Runs random sequences of actions of a soak, and counts those that fail."""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from app.run.simulation import Simulation


class Sequence(Protocol):
    """A simulation, random things that happen to it, and what was done."""

    simulation: Simulation
    log: list[str]

    def run(self, actions: int) -> None:
        """Do things, and check."""
        ...


def run_sequences(begin: Callable[[int, Path], Sequence], count: int, actions: int, seed: int, shown: int = 12) -> int:
    """Run sequences that begin with a seed in a folder; returns how many failed, whose last actions are shown."""
    failed = 0
    # extreme values are part of it
    warnings.simplefilter("ignore")
    for number in range(seed, seed + count):
        with tempfile.TemporaryDirectory() as folder:
            sequence = begin(number, Path(folder))
            try:
                sequence.run(actions)
            except Exception as error:
                failed += 1
                print(f"seed {number}: {type(error).__name__}: {error}\n  " + "\n  ".join(sequence.log[-shown:]))
            finally:
                sequence.simulation.live.edits.close()
    print(f"{count} sequences of {actions} actions: {failed} failed")
    return failed


def main(begin: Callable[[int, Path], Sequence], about: str | None, shown: int = 12) -> bool:
    """The command line of such a soak; returns whether a sequence failed."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--actions", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    return bool(run_sequences(begin, options.count, options.actions, options.seed, shown))
