"""Threads beside the window: the sampler of plots, the probe and the workers of instruments, the examiner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from app.doctor.divergence_examiner import DivergenceExaminer
from app.insight.energy.worker import EnergyWorker
from app.insight.lens.wake_search import WakeSearch
from app.insight.probe import Probe
from app.insight.row_source import RowSource
from app.insight.sampler import Sampler
from app.lockstep.worker import LockstepWorker
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.variants.ab_worker import AbWorker
from app.variants.sweep.worker import SweepWorker
from app.view.view_state import ViewState


class Worker(Protocol):
    """A thread of an instrument's own."""

    # what was found; its `version` grows with each change
    latest: Any

    def want(self, request: Any) -> None:
        """Say what is shown now; None: nothing."""


class Asking(Protocol):
    """What an instrument with a thread of its own shows."""

    found: Any

    def take_request(self) -> Any:
        """What was asked in this frame; None: nothing."""


class Background:
    """Each is told in every frame what that shows, and leaves what it found for a later one."""

    def __init__(self, send: Send) -> None:
        self._sampler, self._probe, self._examiner = Sampler(RowSource(send)), Probe(send), DivergenceExaminer(send)
        self._lockstep, self._ab, self._wakes = LockstepWorker(send), AbWorker(send), WakeSearch(send)
        self._energy = EnergyWorker(send)
        # its threads exist only while a sweep runs
        self._sweep = SweepWorker(send)
        for thread in self._threads:
            thread.start()

    @property
    def _threads(self) -> tuple[Any, ...]:
        own = self._lockstep, self._ab, self._wakes, self._energy
        return self._sampler, self._probe, self._examiner, *own

    def _instruments(self, view: ViewState) -> Iterator[tuple[Asking, Worker]]:
        """Instruments with threads of their own."""
        yield view.lockstep, self._lockstep
        yield view.ab, self._ab
        yield view.sweep, self._sweep
        yield view.lens, self._wakes
        yield view.energy, self._energy

    def close(self) -> None:
        """End the threads, soon."""
        for thread in (*self._threads, self._sweep):
            thread.close()

    def news(self, view: ViewState) -> bool:
        """Whether something was found that the view does not show yet."""
        return (
            view.plots.sampled.version != self._sampler.latest.version
            or view.instruments.answers.version != self._probe.latest.version
            or view.post_mortem.examined.version != self._examiner.latest.version
            or any(shown.found.version != worker.latest.version for shown, worker in self._instruments(view))
            or (view.export is not None and view.export.news)
        )

    def begin_frame(self, view: ViewState, snapshot: Snapshot) -> None:
        """Let the view have what was found."""
        view.plots.sampled = self._sampler.latest
        view.instruments.begin(snapshot.model, self._probe.latest)
        for shown, worker in self._instruments(view):
            shown.found = worker.latest

    def end_frame(self, view: ViewState, snapshot: Snapshot) -> None:
        """All panels are drawn: pass on what they ask."""
        self._probe.want(view.instruments.end(), snapshot.serial, running=not snapshot.run.paused)
        self._sampler.want(view.plots.take_request())
        view.post_mortem.pass_on(self._examiner)
        if "Sweep" not in view.prefs.instruments:
            # one that is hidden behind another tab goes on
            view.sweep.drop()
        for shown, worker in self._instruments(view):
            worker.want(shown.take_request())
