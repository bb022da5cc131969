"""Recordings for scripts: any moment as Data, any expression as an array.

run = sim.load_recording("run.ktr")      # or a video that carries one
d = run.data(time=3.5)                   # the state then; d.model has the edits that were in force
heights = run.evaluate("d.qpos[2]")      # at every step
print(run.damage, run.verify())          # "" and None: all is there, and a replay gives the same bits
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.model import Data, Model
from sim.recording.evaluate import values
from sim.recording.frames import RecordingError
from sim.recording.marks import Mark, read_marks
from sim.recording.models import Loaders, Models
from sim.recording.read import Version, read_recording
from sim.recording.replay import Replayer
from sim.recording.run import Branch, ModelEdits, Run, Segment
from sim.recording.verify import Difference, first_difference

# steps that are evaluated at once
CHUNK = 4096
MOST_TIMES = 1 << 27


class BranchInfo(NamedTuple):
    """A branch: it begins at step `fork` of its parent (-1: at a reset), and ends with step `last`."""

    id: int
    name: str
    parent: int
    fork: int
    last: int


class Recording:
    """A recorded run. A branch is given by name or id; None is the one that was recorded last.

    Steps count from the reset at the root of a branch; those before its fork are its parent's.
    """

    def __init__(self, path: str | os.PathLike[str], loaders: Loaders | None = None) -> None:
        self._contents = read_recording(path)
        self.path = os.fspath(path)
        # why the recording ends early, and where; empty if it is whole
        self.damage = self._contents.damage
        # versions of the program and its libraries, machine, and when it was recorded
        self.about: dict[str, Any] = self._contents.about
        self._models = Models(self._contents, loaders)
        self._replayer = Replayer(self.run, self._models.compiled)
        order = {id(segment): number for number, segment in self._contents.segments.items()}
        self._latest = max(self.run.branches.values(), key=lambda branch: order[id(branch.segments[-1])])

    @property
    def run(self) -> Run:
        """Branches and segments as they are kept."""
        return self._contents.run

    @property
    def ended(self) -> bool:
        """Whether the recording was ended orderly, and not cut short."""
        return self._contents.ended

    @property
    def versions(self) -> tuple[Version, ...]:
        """The versions of the model: each reload of its file began another."""
        return tuple(self._contents.versions)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is not as it was when it was recorded, of the models that have been used."""
        return tuple(self._models.warnings)

    @property
    def model(self) -> Model:
        """The first version of the model, as its file says; do not edit it."""
        return self.model_of(0)

    def model_of(self, version: int) -> Model:
        """A version of the model, as its file says; do not edit it."""
        with self._as_recording_error():
            return self._models.compiled(version)

    @property
    def branches(self) -> tuple[BranchInfo, ...]:
        """All branches, in the order in which they began."""
        known = self.run.branches.values()
        return tuple(BranchInfo(one.id, one.name, one.parent, one.fork, one.last) for one in known)

    def marks(self, branch: int | str | None = None) -> tuple[Mark, ...]:
        """What happened in a branch: edits, pulls, divergences and the like, as the viewer marked them."""
        return tuple(read_marks(self._contents.notes).get(self._branch(branch).id, ()))

    def notes(self, kind: str) -> list[Any]:
        """Notes of the application, in the order of writing."""
        return [data for name, data in self._contents.notes if name == kind]

    def edits(self, step: int | None = None, branch: int | str | None = None) -> ModelEdits:
        """What differed between the model and its file at a step; None is the last one."""
        return self._segment(self._branch(branch), step).edits

    # ---- moments

    def times(self, branch: int | str | None = None) -> NDArray[np.float64]:
        """The time of every step on the line of a branch, to rounding; `evaluate("d.time")` gives the very numbers."""
        owner = self._branch(branch)
        if owner.last > MOST_TIMES:
            raise RecordingError(f"{self.path} has {owner.last} steps, too many for an array")
        parts = (one.time + one.timestep * np.arange(stop - first) for one, first, stop in self._line(owner))
        return np.concatenate([np.zeros(0), *parts])

    def step_at(self, time: float, branch: int | str | None = None) -> int:
        """The last step at which its time has not passed `time`; the first if there is none."""
        found, time = 0, time + 1e-9 * max(abs(time), 1.0)
        for segment, first, stop in self._line(self._branch(branch)):
            if segment.time <= time:
                steps = (time - segment.time) / segment.timestep if segment.timestep else np.inf
                found = int(min(first + steps, stop - 1))
        return found

    def data(
        self,
        step: int | None = None,
        time: float | None = None,
        branch: int | str | None = None,
        forwarded: bool = True,
    ) -> Data:
        """The state at a step or a time; `d.model` is the model with the edits that were in force.

        What depends on the state is computed, if `forwarded`. Steps from here continue as the run did, bit for bit.
        """
        owner = self._branch(branch)
        if time is not None:
            if step is not None:
                raise ValueError("specify a step or a time")
            step = self.step_at(time, owner.id)
        segment = self._segment(owner, step)
        with self._as_recording_error():
            model = self._models.compiled(segment.version).copy()
            engine = model.engine
            engine.apply_edits(model, segment.edits)
            data = engine.Data(model)
            row = self._replayer.row(owner.id, owner.last if step is None else step)
            engine.set_state(model, data, row, engine.record_signature(model), check=False)
            if forwarded:
                engine.forward(model, data)
                engine.set_state(model, data, row, engine.record_signature(model), check=False)
        return data

    def restore(self, step: int, branch: int | str | None = None) -> Data:
        """The state at a step, as `data` gives it, in a Data that the next call changes: for many moments."""
        owner = self._branch(branch)
        # an unknown step is an error of the caller
        self._segment(owner, step)
        with self._as_recording_error():
            model, data = self._replayer.moment(owner.id, step)
            model.engine.forward(model, data)
        return data

    def evaluate(
        self,
        expression: str | Sequence[str],
        branch: int | str | None = None,
        first: int | None = None,
        last: int | None = None,
        every: int = 1,
    ) -> NDArray[np.float64]:
        """The value of an expression such as "d.qpos[2]" at every step, or at each of `every` steps.

        Of several expressions, a column each. NaN where one has no value; ValueError if it has none anywhere.
        """
        owner = self._branch(branch)
        texts = [expression] if isinstance(expression, str) else [*expression]
        first, last = 0 if first is None else first, owner.last if last is None else last
        if every < 1 or not 0 <= first <= last <= owner.last:
            raise ValueError(f"steps {first} to {last}, every {every}: the recording has steps 0 to {owner.last}")
        if (last - first) // every > MOST_TIMES:
            raise ValueError(f"{(last - first) // every} values are too many: specify `every`")
        found, reasons = [], dict[str, str]()
        with self._as_recording_error():
            for segment, start, whole in self.rows(first, last, owner.id):
                rows = whole[(first - start) % every :: every]
                model, data = self._replayer.prepared(segment)
                part = values(model, data, rows, model.engine.record_signature(model), texts)
                found.append(part.numbers)
                reasons |= part.reasons
        numbers = np.concatenate(found)
        for k, text in enumerate(texts):
            if text in reasons and np.isnan(numbers[:, k]).all():
                raise ValueError(f"{text}: {reasons[text]}")
        return numbers[:, 0] if isinstance(expression, str) else numbers

    def rows(
        self, first: int, last: int, branch: int | str | None = None
    ) -> Iterator[tuple[Segment, int, NDArray[np.float64]]]:
        """The states from one step to another, some at a time: their segment, the first step, a row for each step."""
        owner = self._branch(branch)
        for segment, start, stop in self._line(owner):
            for at in range(max(start, first), min(stop, last + 1), CHUNK):
                yield segment, at, self._replayer.rows(owner.id, at, min(at + CHUNK, stop, last + 1) - 1)

    def verify(self) -> Difference | None:
        """Compute every step again and compare; the first difference, or None if there is none."""
        with self._as_recording_error():
            return first_difference(self._contents, self._replayer.prepared, self._replayer.row)

    def close(self) -> None:
        """Close the file: moments that were not computed yet cannot be computed any more."""
        self._contents.file.close()

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ----

    def _branch(self, branch: int | str | None) -> Branch:
        known = self.run.branches
        if branch is None:
            return self._latest
        found = [one for one in known.values() if branch in (one.id, one.name)]
        if not found:
            names = ", ".join(one.name or str(one.id) for one in known.values())
            raise RecordingError(f"{self.path} has no branch {branch!r}; it has {names}")
        return found[0]

    def _segment(self, branch: Branch, step: int | None) -> Segment:
        step = branch.last if step is None else step
        if not 0 <= step <= branch.last:
            raise RecordingError(
                f"{self.path} has no step {step}: branch {branch.name or branch.id} ends at {branch.last}"
            )
        return self.run.find(branch.id, step)

    def _line(self, branch: Branch) -> Iterator[tuple[Segment, int, int]]:
        """The segments on the line of a branch, with the first step and the one after the last that belong to it."""
        line = self.run.line(branch.id)
        for owner, child in zip(line, [*line[1:], None], strict=True):
            end = owner.last + 1 if child is None else child.fork
            for segment, following in zip(owner.segments, [*owner.segments[1:], None], strict=True):
                stop = min(end, segment.last + 1 if following is None else following.first)
                if stop > segment.first:
                    yield segment, segment.first, stop

    @contextmanager
    def _as_recording_error(self) -> Iterator[None]:
        """What is wrong with the file is an error of the file."""
        try:
            yield
        except RecordingError:
            raise
        except ValueError as why:
            text = str(why)
            raise RecordingError(text if self.path in text else f"{self.path}: {text}") from why


def load_recording(path: str | os.PathLike[str], loaders: Loaders | None = None) -> Recording:
    """Open a recording, .ktr, or a video that carries one.

        run = sim.load_recording("run.ktr")
        d = run.data(time=3.5)
        heights = run.evaluate("d.qpos[2]")

    One that is cut off or damaged has what is whole of it: `run.damage` says where it ends. RecordingError: nothing is.
    Models of other engines need `loaders`: name of the engine without its version -> how to load the model.
    """
    return Recording(path, loaders)
