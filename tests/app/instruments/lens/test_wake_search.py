"""wake_search.py and chain_text.py: the chain of a recorded run, whatever was kept of it, also on branches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.instruments.lens.chain_text import chain_lines
from app.instruments.lens.wake_search import STEPS, Found, Request, WakeSearch
from app.run import commands as cmd
from app.run.history.history import HISTORY_BYTES
from sim import enums
from tests.app.live import Hand, let_follow

COUNT = 5
BALLS = "".join(
    f"<body name='b{k}' pos='{0.4 * k} 0 0' sleep='init'><freejoint/><geom name='g{k}' size='.1' mass='1'/></body>"
    for k in range(COUNT)
)
ROW = f"""<mujoco><option gravity='0 0 0' timestep='.005'><flag sleep='enable'/></option><worldbody>{BALLS}
  <body name='far' pos='0 9 0' sleep='init'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"""
FAR = COUNT


@pytest.fixture(scope="module", params=[HISTORY_BYTES, 400_000], ids=["in memory", "computed again"])
def hand(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Hand]:
    made = Hand(tmp_path_factory.mktemp("wakes"), ROW, request.param)
    yield made
    made.thread.close()


@pytest.fixture
def pushed(hand: Hand) -> Hand:
    """The first of a row of balls was pushed at step 10, for a step."""
    hand.restart()
    hand.send(cmd.StepOnce(10))
    hand.send(cmd.SetData("xfrc_applied", 6, (400.0,)))
    hand.send(cmd.StepOnce(1))
    hand.send(cmd.SetData("xfrc_applied", 6, (0.0,)))
    hand.send(cmd.StepOnce(700))
    return hand


def search(hand: Hand, tree: int, searcher: WakeSearch | None = None) -> Found:
    """What is found about a tree at the moment that is shown."""
    searcher = searcher or WakeSearch(hand.thread.send)
    let_follow(searcher, Request(hand.settle().run.history, tree))
    assert searcher.latest.complete and not searcher.latest.error
    return searcher.latest


def test_the_chain_of_a_run_whose_order_is_known(pushed: Hand) -> None:
    found = search(pushed, COUNT - 1)
    assert [(wake.tree, wake.cause, wake.id) for wake in found.links] == [
        *((k, enums.WAKE_CONTACT, k - 1) for k in (4, 3, 2, 1)), (0, enums.WAKE_XFRC, 1),
    ]  # fmt: skip
    steps = [wake.step for wake in found.links]
    assert steps == sorted(steps, reverse=True) and steps[-1] == 10
    assert found.since_start == found.unknown == -1
    # far back, over several windows
    assert found.step == 711 and steps[0] - steps[-1] > 2 * STEPS
    lines = chain_lines(pushed.model, found.links, found.since_start, found.unknown)
    assert [(line.name, line.text) for line in lines] == [
        *((f"b{k}", f"touched by b{k - 1} / g{k - 1}") for k in (4, 3, 2, 1)), ("b0", "pulled by xfrc_applied on b0"),
    ]  # fmt: skip
    assert [line.element for line in lines] == [*(("geom", k) for k in (3, 2, 1, 0)), ("body", 1)]
    # each step is the first at which the tree is awake
    for line in lines:
        assert line.step is not None
        awake = [
            bool(pushed.send(cmd.GoTo(step)).state.tree_asleep[line.tree] < 0) for step in (line.step - 2, line.step)
        ]  # type: ignore[union-attr]
        assert awake == [False, True]
        assert line.time == pytest.approx(pushed.state.time)


def test_links_that_slept_and_woke_again_stay_in_the_chain(pushed: Hand) -> None:
    searcher = WakeSearch(pushed.thread.send)
    before = search(pushed, COUNT - 1, searcher).links
    pushed.send(cmd.PutToSleep(0))
    pushed.send(cmd.StepOnce(3))
    pushed.send(cmd.SetData("qvel", 2, (0.5,)))
    pushed.send(cmd.StepOnce(STEPS))
    assert pushed.state.tree_wakecause[0].tolist() == [enums.WAKE_QVEL, 2]
    assert search(pushed, COUNT - 1, searcher).links == before
    (own,) = search(pushed, 0, searcher).links
    # the change of the state wakes it at once
    assert (own.cause, own.step) == (enums.WAKE_QVEL, 714)
    # a moment of the past has its own past
    pushed.send(cmd.GoTo(300))
    assert [wake.cause for wake in search(pushed, 0, searcher).links] == [enums.WAKE_XFRC]
    pushed.send(cmd.GoTo(5))
    found = search(pushed, 0, searcher)
    assert found.links == () and found.since_start == 0
    (line,) = chain_lines(pushed.model, found.links, found.since_start, found.unknown)
    assert (line.step, line.text) == (None, "awake since the start")


def test_another_branch_has_other_wakes(pushed: Hand) -> None:
    searcher = WakeSearch(pushed.thread.send)
    first = pushed.settle().run.history.branch
    pushed.send(cmd.GoTo(20))
    pushed.send(cmd.Wake(FAR))
    pushed.send(cmd.StepOnce(5))
    assert pushed.settle().run.history.branch != first
    (own,) = search(pushed, FAR, searcher).links
    assert (own.cause, own.step) == (enums.WAKE_CALL, 20)
    lines = chain_lines(pushed.model, (own,), -1, -1)
    assert lines[0].text == "woken by the user or a script" and lines[0].element == ("tree", FAR)
    pushed.send(cmd.SwitchBranch(first))
    assert search(pushed, FAR, searcher).links == ()


def test_sleep_that_was_switched_off(pushed: Hand) -> None:
    pushed.send(cmd.SetFlag("opt.enableflags", enums.ENBL_SLEEP, False))
    pushed.send(cmd.StepOnce(4))
    (own,) = search(pushed, FAR).links
    assert own.cause == enums.WAKE_FLAG and own.step == 711
    pushed.send(cmd.SetFlag("opt.enableflags", enums.ENBL_SLEEP, True))
    pushed.send(cmd.StepOnce(30))
    assert [wake.cause for wake in search(pushed, FAR).links] == [enums.WAKE_FLAG]


def test_a_model_of_another_file_is_as_far_as_it_goes(tmp_path: Path) -> None:
    hand = Hand(tmp_path, ROW)
    try:
        hand.send(cmd.StepOnce(10))
        hand.send(cmd.SetData("qvel", 0, (1.0,)))
        hand.send(cmd.StepOnce(80))
        (tmp_path / "model.xml").write_text(ROW.replace("timestep='.005'", "timestep='.004'"))
        hand.send(cmd.Reload())
        hand.send(cmd.StepOnce(70))
        found = search(hand, 0)
        assert found.links == () and found.since_start == 0
        (line,) = chain_lines(hand.model, found.links, found.since_start, found.unknown)
        assert line.text == "awake since the start"
        # rows without sleep say nothing about wakes before them, and those of another model are of other trees
        hand.send(cmd.SetFlag("opt.enableflags", enums.ENBL_SLEEP, False))
        (tmp_path / "model.xml").write_text(ROW.replace("timestep='.005'", "timestep='.003'"))
        hand.send(cmd.Reload())
        hand.send(cmd.StepOnce(100))
        found = search(hand, 0)
        assert found.links == () and found.since_start == 0 and found.unknown == 160
        (line,) = chain_lines(hand.model, found.links, found.since_start, found.unknown)
        assert line.text == "awake since before the recorded steps of this model"
    finally:
        hand.thread.close()


def test_a_search_is_finished_though_time_runs_on(pushed: Hand) -> None:
    searcher = WakeSearch(pushed.thread.send, sleep=lambda seconds: None)
    seen = []
    for _ in range(40):
        # a later moment in every frame, before the rows of the last one have come
        searcher.want(Request(pushed.send(cmd.StepOnce(1)).run.history, 1, running=True))
        searcher.turn(0.01)
        if searcher.latest.complete:
            seen.append(searcher.latest.step)
    assert len({*seen}) > 3 and seen == sorted(seen)
    assert [wake.cause for wake in searcher.latest.links] == [enums.WAKE_CONTACT, enums.WAKE_XFRC]


def test_a_question_that_is_not_asked_any_more_ends(pushed: Hand) -> None:
    searcher = WakeSearch(pushed.thread.send)
    searcher.want(Request(pushed.settle().run.history, 0))
    searcher.want(None)
    searcher.turn(0.0)
    assert searcher._request is None and not searcher._waiting
    searcher.close()
    assert not searcher.turn(0.0)
