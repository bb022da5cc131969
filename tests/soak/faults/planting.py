"""Plants faults by a seed: picks a kind and a model, damages it, and sees that it loads and that the damage matters."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import sim
from tests.soak.faults.fault import Case, Draft, Fault, NoElementError
from tests.soak.faults.subject import Subject

TRIES = 4  # elements of one model


class Models:
    """The healthy models, each made ready when it is first asked for."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = list(paths)
        self._subjects: dict[Path, Subject | None] = {}

    def subject(self, path: Path) -> Subject | None:
        """A model to damage, or None if it has nothing that moves or cannot be expanded."""
        if path not in self._subjects:
            try:
                subject = Subject(path)
                self._subjects[path] = subject if subject.model.nv else None
            except (sim.MjcfError, ValueError) as error:
                print(f"{path}: {error}", file=sys.stderr)
                self._subjects[path] = None
        return self._subjects[path]

    def close(self) -> None:
        """Remove their files."""
        for subject in self._subjects.values():
            if subject:
                subject.close()


def planted(models: Models, fault: Fault, rng: random.Random) -> Case | None:
    """A case of one kind of fault, in the first model of a random order in which it can be and matters."""
    paths = rng.sample(models.paths, len(models.paths))
    return next((case for path in paths for case in _in_model(models, path, fault, rng)), None)


def _in_model(models: Models, path: Path, fault: Fault, rng: random.Random) -> Iterator[Case]:
    subject = models.subject(path)
    for _ in range(TRIES if subject else 0):
        assert subject is not None
        draft = Draft(subject, rng)
        try:
            fault.plant(draft)
            case = Case(draft, subject.load(draft.root))
        except NoElementError:
            return
        except (sim.MjcfError, ValueError):
            # the compiler refuses it: another element
            continue
        if fault.matters(case):
            yield case
