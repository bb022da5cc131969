"""Threads that work next to the window: the sampler of plots, the probe, and the workers of instruments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.background.probe import Probe
from app.background.probe import Request as Questions
from app.background.row_source import RowSource
from app.background.sampler import Sampler
from app.instruments import instruments
from app.instruments.entry import Shown, Worker
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.view.view_state import ViewState


class Background:
    """Each is told in every frame what that shows, and leaves what it found for a later one."""

    def __init__(self, send: Send) -> None:
        self._sampler, self._probe = Sampler(RowSource(send)), Probe(send)
        # by the type of the state that asks
        self.workers: dict[type[Shown], Worker] = {
            state: worker(send) for state, worker in (entry.worker for entry in instruments().values() if entry.worker)
        }
        for thread in self._threads:
            thread.start()

    @property
    def _threads(self) -> tuple[Any, ...]:
        return self._sampler, self._probe, *self.workers.values()

    def _asking(self, view: ViewState) -> Iterator[tuple[Shown, Worker]]:
        """States of instruments with the workers that answer."""
        yield from ((view.of(state), worker) for state, worker in self.workers.items())

    def close(self) -> None:
        """End the threads, soon."""
        for thread in self._threads:
            thread.close()

    def news(self, view: ViewState) -> bool:
        """Whether something was found that the view does not show yet."""
        return (
            view.plots.sampled.version != self._sampler.latest.version
            or view.instruments.answers.version != self._probe.latest.version
            or any(shown.found.version != worker.latest.version for shown, worker in self._asking(view))
            or (view.export is not None and view.export.news)
        )

    def begin_frame(self, view: ViewState, snapshot: Snapshot) -> None:
        """Let the view have what was found."""
        view.plots.sampled = self._sampler.latest
        view.instruments.begin(snapshot.model, self._probe.latest)
        for shown, worker in self._asking(view):
            shown.found = worker.latest

    def end_frame(self, view: ViewState, snapshot: Snapshot) -> None:
        """All panels are drawn: pass on what they ask."""
        self._probe.want(Questions(view.instruments.end(), snapshot.serial, running=not snapshot.run.paused))
        self._sampler.want(view.plots.take_request())
        for name, entry in instruments().items():
            if name not in view.prefs.instruments:
                entry.closed(view)
        for shown, worker in self._asking(view):
            worker.want(shown.take_request())
