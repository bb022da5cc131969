"""The threads beside the window: told what a frame shows, asked what they have found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.background.export.dialog_state import ExportDialog
from app.background.export.job import ExportJob
from app.background.export.suggest import Shown
from app.background.probe import Probe
from app.background.row_source import RowSource
from app.background.sampler import Sampler
from app.instruments.ab.state import AbState
from app.instruments.ab.worker import AbWorker
from app.instruments.doctor.divergence_examiner import Case, Examined
from app.instruments.doctor.post_mortem_state import PostMortemState
from app.instruments.energy.worker import EnergyWorker
from app.instruments.lens.wake_search import WakeSearch
from app.instruments.lockstep.worker import LockstepWorker
from app.instruments.threads import Background
from app.run import commands as cmd
from app.run.background_thread import FollowingThread
from app.run.commands import Send
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.view.view_state import ViewState


def test_what_they_find_is_news_until_it_is_shown() -> None:
    asked: list[Any] = []
    background = Background(asked.append)
    view, snapshot = ViewState(), Snapshot(1, RunState())
    background.begin_frame(view, snapshot)
    view.of(PostMortemState).show(Case(1, 0, 5))
    background.end_frame(view, snapshot)
    background.workers[PostMortemState].close()
    background.workers[PostMortemState]._thread.join(60)
    (question,) = asked
    assert isinstance(question, cmd.TakeExcerpt)
    background.workers[PostMortemState].latest = Examined(version=9)
    assert background.news(view)
    background.begin_frame(view, snapshot)
    background.end_frame(view, snapshot)
    assert not background.news(view)
    # an export says that something has changed by its version
    view.export = ExportDialog(ExportJob(asked.append, Shown(), "a.xml"), "a.xml", Path())
    assert background.news(view)
    view.export.seen = view.export.job.version
    assert not background.news(view)
    background.close()
    for thread in (background._sampler._thread, background._probe._thread, background.workers[AbState]._thread):
        thread.join(60)
        assert not thread.is_alive()


def sampler(send: Send) -> Sampler:
    """The sampler of plots."""
    return Sampler(RowSource(send))


@pytest.mark.parametrize("make", [sampler, Probe, AbWorker, EnergyWorker, LockstepWorker, WakeSearch])
def test_nothing_is_asked_while_nothing_is_shown(make: Callable[[Send], FollowingThread[Any]]) -> None:
    asked: list[cmd.Command] = []
    thread = make(asked.append)
    for _ in range(3):
        thread.want(None)
        assert thread.turn(0.0)
    thread.close()
    assert not thread.turn(0.0) and asked == []
