"""Threads beside the window: the sampler of plots, the probe of instruments, lockstep, the examiner of divergences."""

from __future__ import annotations

from app.doctor.divergence_examiner import DivergenceExaminer
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
        self._lockstep = LockstepWorker(send)
        for worker in (self._sampler, self._probe, self._examiner, self._lockstep):
            worker.start()

    def close(self) -> None:
        """End the threads, soon."""
        for worker in (self._sampler, self._probe, self._examiner, self._lockstep):
            worker.close()

    def news(self, view: ViewState) -> bool:
        """Whether something was found that the view does not show yet."""
        return (
            view.plots.sampled.version != self._sampler.latest.version
            or view.instruments.answers.version != self._probe.latest.version
            or view.post_mortem.examined.version != self._examiner.latest.version
            or view.lockstep.found.version != self._lockstep.latest.version
            or (view.export is not None and view.export.news)
        )

    def begin_frame(self, view: ViewState, snapshot: Snapshot) -> None:
        """Let the view have what was found."""
        view.plots.sampled = self._sampler.latest
        view.instruments.begin(snapshot.model, self._probe.latest)
        view.lockstep.found = self._lockstep.latest

    def end_frame(self, view: ViewState, snapshot: Snapshot) -> None:
        """All panels are drawn: pass on what they ask."""
        self._probe.want(view.instruments.end(), snapshot.serial, running=not snapshot.run.paused)
        self._sampler.want(view.plots.take_request())
        view.post_mortem.pass_on(self._examiner)
        self._lockstep.want(view.lockstep.take_request())
