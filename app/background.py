"""Threads beside the window: sampler of plots, probe of instruments, lockstep, wakes, examiner of divergences."""

from __future__ import annotations

from app.doctor.divergence_examiner import DivergenceExaminer
from app.insight.lens.wake_search import WakeSearch
from app.insight.probe import Probe
from app.insight.row_source import RowSource
from app.insight.sampler import Sampler
from app.lockstep.worker import LockstepWorker
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.view.view_state import ViewState


class Background:
    """Each is told in every frame what that shows, and leaves what it found for a later one."""

    def __init__(self, send: Send) -> None:
        self._sampler, self._probe, self._examiner = Sampler(RowSource(send)), Probe(send), DivergenceExaminer(send)
        self._lockstep, self._wakes = LockstepWorker(send), WakeSearch(send)
        for worker in (self._sampler, self._probe, self._examiner, self._lockstep, self._wakes):
            worker.start()

    def close(self) -> None:
        """End the threads, soon."""
        for worker in (self._sampler, self._probe, self._examiner, self._lockstep, self._wakes):
            worker.close()

    def news(self, view: ViewState) -> bool:
        """Whether something was found that the view does not show yet."""
        return (
            view.plots.sampled.version != self._sampler.latest.version
            or view.instruments.answers.version != self._probe.latest.version
            or view.post_mortem.examined.version != self._examiner.latest.version
            or view.lockstep.found.version != self._lockstep.latest.version
            or view.lens.found.version != self._wakes.latest.version
        )

    def begin_frame(self, view: ViewState, snapshot: Snapshot) -> None:
        """Let the view have what was found."""
        view.plots.sampled = self._sampler.latest
        view.instruments.begin(snapshot.model, self._probe.latest)
        view.lockstep.found, view.lens.found = self._lockstep.latest, self._wakes.latest

    def end_frame(self, view: ViewState, snapshot: Snapshot) -> None:
        """All panels are drawn: pass on what they ask."""
        self._probe.want(view.instruments.end(), snapshot.serial, running=not snapshot.run.paused)
        self._sampler.want(view.plots.take_request())
        view.post_mortem.pass_on(self._examiner)
        self._lockstep.want(view.lockstep.take_request())
        self._wakes.want(view.lens.take_request())
