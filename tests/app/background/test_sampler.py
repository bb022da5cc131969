"""The sampler against a simulation that is a formula: what it asks for, in which order, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.background.row_source import Values
from app.background.sample_plan import PER_PIXEL, Batch, Request, batches, shown_parts, strides
from app.background.sampler import Sampler
from app.background.samples import MOST, Samples, line_curves
from app.run.history.timeline import BranchView, Pace, Timeline

STEP = 0.002


def branch(number: int, last: int, parent: int = -1, fork: int = 0) -> BranchView:
    """A branch with steps of 2 ms."""
    return BranchView(number, parent, fork, last, f"b{number}", paces=(Pace(fork, fork * STEP, STEP),))


def request(timeline: Timeline, **changes: Any) -> Request:
    """A plot of all of a timeline."""
    plain = Request(("a",), timeline, (timeline.branch,), 0.0, timeline.last_time, 500, serial=1)
    return replace(plain, **changes)


class FakeSource:
    """Answers at once: the value of an expression is a formula of branch and step."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, tuple[int, ...]]] = []
        # steps that are kept: others are answered with the one before, or computed again
        self.kept = 1
        self.computed: list[int] = []
        self.silent = False
        # added to all values
        self.offset = 0.0

    def ask(self, branch: int, steps: Sequence[int], reply: Callable[[Any], None], exact: bool = False) -> None:
        self.asked.append((branch, tuple(steps)))
        kept = np.unique(np.array(steps) // self.kept * self.kept)
        self.computed += [] if not exact else [step for step in steps if step not in kept]
        if not self.silent:
            reply((branch, np.array(steps) if exact else kept))

    def values(self, taken: Any, expressions: Sequence[str]) -> Values:
        number, steps = taken
        values = np.array([[self.value(text, number, step) for step in steps] for text in expressions])
        reasons = tuple("no such field" if text == "bad" else "" for text in expressions)
        return Values(steps, steps * STEP, values.reshape(len(expressions), -1), reasons)

    def value(self, text: str, number: int, step: int) -> float:
        return np.nan if text == "bad" else 1000.0 * number + step + len(text) / 10 + self.offset


def run(sampler: Sampler, turns: int = 1000) -> None:
    """Let it work until two turns have changed nothing: the first may only take a request."""
    idle = 0
    for _ in range(turns):
        before = sampler.latest.version
        sampler.turn(wait=0.0)
        idle = idle + 1 if sampler.latest.version == before else 0
        if idle == 2:
            return
    raise AssertionError("it does not come to an end")


def make() -> tuple[Sampler, FakeSource]:
    source: Any = FakeSource()
    return Sampler(source, sleep=lambda _: None), source


def values(sampler: Sampler, timeline: Timeline, number: int, text: str = "a") -> np.ndarray:
    curves = line_curves(sampler.latest, timeline, number, text)
    return np.concatenate([curve.values for curve in curves] or [np.zeros(0)])


def times(sampler: Sampler, timeline: Timeline, number: int, text: str = "a") -> np.ndarray:
    return np.concatenate([curve.times for curve in line_curves(sampler.latest, timeline, number, text)])


# ---- plan


def test_first_look_spans_the_range_and_finer_ones_follow() -> None:
    timeline = Timeline((branch(0, 1_800_000),), now=1_800_000)
    wanted = request(timeline)
    distances = strides(wanted, shown_parts(wanted, 0))
    assert distances == sorted(distances, reverse=True)
    assert 1_800_000 / distances[-1] >= PER_PIXEL * 500 and 1_800_000 / distances[-1] <= 4 * PER_PIXEL * 500
    first = next(batches(wanted, lambda _, steps: steps, 10_000))
    gaps = np.diff(first.steps)
    assert 32 <= len(first.steps) <= 65 and gaps.min() == gaps.max() == distances[0]
    assert first.steps[0] == 0 and first.steps[-1] > 1_800_000 - distances[0]


def test_the_newest_moment_may_still_change_and_is_no_sample() -> None:
    timeline = Timeline((branch(0, 100),), now=100)
    assert shown_parts(request(timeline), 0)[-1].last == 99
    # in the past, the head stays as it is
    assert shown_parts(request(replace(timeline, now=50)), 0)[-1].last == 100


def test_parts_belong_to_the_branch_that_made_them() -> None:
    timeline = Timeline((branch(0, 1000), branch(1, 700, 0, 400)), branch=1, now=700)
    parts = shown_parts(request(timeline, start=0.2, end=1.2), 1)
    assert [(part.branch.id, part.first, part.last) for part in parts] == [(0, 99, 399), (1, 400, 601)]


def test_where_time_was_set_back_both_sides_are_shown() -> None:
    paces = (Pace(0, 0.0, STEP), Pace(500, 0.0, STEP))
    timeline = Timeline((replace(branch(0, 900), paces=paces),), now=900)
    parts = shown_parts(request(timeline, start=0.1, end=0.2), 0)
    assert [(part.first, part.last) for part in parts] == [(49, 101), (549, 601)]
    # each step is on one side
    parts = shown_parts(request(timeline, start=0.0, end=2.0), 0)
    assert [(part.first, part.last) for part in parts] == [(0, 499), (500, 899)]


# ---- sampler


def test_all_is_sampled_to_two_a_pixel_and_then_it_rests() -> None:
    sampler, source = make()
    timeline = Timeline((branch(0, 10_000),), now=10_000)
    sampler.want(request(timeline))
    run(sampler)
    found = values(sampler, timeline, 0)
    assert len(found) >= PER_PIXEL * 500
    steps = np.round(times(sampler, timeline, 0) / STEP)
    assert np.allclose(found, steps + 0.1)
    assert not sampler.latest.refining
    # the newest moment came first, as it is shown beside the expression
    assert source.asked[0] == (0, (10_000,))
    assert sampler.latest.shown.values == {"a": 10_000.1}
    # nothing is asked for twice
    every = [step for _, steps in source.asked for step in steps]
    assert len(every) == len(set(every))


def test_zoom_adds_samples_and_keeps_those_that_are_there() -> None:
    sampler, source = make()
    timeline = Timeline((branch(0, 100_000),), now=100_000)
    sampler.want(request(timeline))
    run(sampler)
    before, source.asked = set(times(sampler, timeline, 0).tolist()), []
    sampler.want(request(timeline, start=10.0, end=11.0))
    run(sampler)
    after = set(times(sampler, timeline, 0).tolist())
    assert before < after
    inside = [t for t in after if 10.0 <= t <= 11.0]
    assert len(inside) == 501
    assert all(4990 <= step <= 5510 for _, steps in source.asked for step in steps)


def test_a_new_expression_has_all_the_past_too() -> None:
    sampler, source = make()
    timeline = Timeline((branch(0, 5000),), now=5000)
    sampler.want(request(timeline))
    run(sampler)
    source.asked.clear()
    sampler.want(request(timeline, expressions=("a", "bb", "bad")))
    # the first answers are the shown moment, and a coarse look at everything
    sampler.turn(0.0)
    sampler.turn(0.0)
    assert sampler.latest.shown.values == {"a": 5000.1, "bb": 5000.2, "bad": "no such field"}
    sampler.turn(0.0)
    coarse = times(sampler, timeline, 0, "bb")
    assert len(coarse) >= 32 and coarse[0] == 0.0 and coarse[-2] > 4500 * STEP
    run(sampler)
    assert len(values(sampler, timeline, 0, "bb")) == len(values(sampler, timeline, 0, "a"))
    assert np.isnan(values(sampler, timeline, 0, "bad")).all()


def test_the_newest_moment_is_evaluated_again_when_it_changes() -> None:
    sampler, source = make()
    timeline = Timeline((branch(0, 100),), now=100)
    sampler.want(request(timeline))
    run(sampler)
    assert values(sampler, timeline, 0)[-1] == 100.1
    # an edit at the same step
    source.offset = 0.5
    sampler.want(request(timeline, serial=2))
    run(sampler)
    assert values(sampler, timeline, 0)[-1] == 100.6 and values(sampler, timeline, 0)[-2] == 99.1
    # the run goes on: now it is a sample like others
    longer = Timeline((branch(0, 200),), now=200)
    sampler.want(request(longer, serial=3))
    run(sampler)
    assert values(sampler, longer, 0)[100] == 100.6
    assert len(values(sampler, longer, 0)) == 201


def test_branches_share_what_led_to_them_and_none_erases_another() -> None:
    sampler, source = make()
    old = Timeline((branch(0, 1000),), now=400)
    sampler.want(request(old))
    run(sampler)
    source.asked.clear()
    both = Timeline((branch(0, 1000), branch(1, 900, 0, 400)), branch=1, now=900)
    sampler.want(request(both, lines=(1, 0), serial=2, end=2.0))
    run(sampler)
    assert all(number == 1 and min(steps) >= 400 for number, steps in source.asked)
    line = values(sampler, both, 1)
    assert np.allclose(line[:400], np.arange(400) + 0.1) and line[400] == 1400.1 and line[-1] == 1900.1
    assert np.allclose(values(sampler, both, 0), np.arange(1001) + 0.1)
    # a removed branch takes its samples with it
    sampler.want(request(old, serial=3))
    run(sampler)
    assert {number for _, number in sampler.latest.curves} == {0}


def test_a_branch_that_was_cut_loses_what_came_after() -> None:
    sampler, source = make()
    sampler.want(request(Timeline((branch(0, 1000),), now=1000)))
    run(sampler)
    source.offset = 5000.0
    shorter = Timeline((branch(0, 600),), now=600)
    sampler.want(request(shorter, serial=2))
    run(sampler)
    longer = Timeline((branch(0, 800),), now=800)
    sampler.want(request(longer, serial=3))
    run(sampler)
    found = values(sampler, longer, 0)
    assert np.allclose(found[:600], np.arange(600) + 0.1) and np.all(found[601:] > 5000)


def test_steps_that_are_not_kept_are_computed_again_where_that_is_worth_it() -> None:
    sampler, source = make()
    source.kept = 100
    timeline = Timeline((branch(0, 1_000_000),), now=500_000)
    # a look at everything is content with what is kept, and does not ask twice
    sampler.want(request(timeline, step_seconds=1e-4))
    run(sampler)
    assert source.computed == []
    steps = np.unique(np.round(times(sampler, timeline, 0) / STEP).astype(int))
    assert set(steps % 100) == {0} and len(steps) > 900
    every = [step for _, steps in source.asked[1:] for step in steps]
    assert len(every) == len(set(every))
    # a closer look has samples at equal distances
    sampler.want(request(timeline, start=100.0, end=104.0, step_seconds=1e-4))
    run(sampler)
    steps = np.unique(np.round(times(sampler, timeline, 0) / STEP).astype(int))
    inside = steps[(steps > 50_000) & (steps < 52_000)]
    assert np.diff(inside).max() <= 4 and len(inside) >= 900
    assert len(source.computed) == len(set(source.computed)) >= 900


def test_of_steps_that_take_long_few_are_computed_at_a_time_or_none() -> None:
    timeline = Timeline((branch(0, 1_000_000),), now=500_000)
    for seconds, computed in ((0.004, True), (0.1, False)):
        sampler, source = make()
        source.kept = 100
        sampler.want(request(timeline, start=100.0, end=104.0, step_seconds=seconds))
        run(sampler)
        assert bool(source.computed) is computed
        (_, first), *others = source.asked[1:]
        assert len(first) > 20
        assert not computed or max(steps[-1] - steps[0] for _, steps in others) * seconds < 0.5
        assert len(times(sampler, timeline, 0)) >= 20


def test_another_run_has_other_moments() -> None:
    sampler, source = make()
    sampler.want(request(Timeline((branch(0, 1000),), now=1000, run=1)))
    run(sampler)
    source.offset = 7000.0
    other = Timeline((branch(0, 2000),), now=2000, run=2)
    sampler.want(request(other, serial=2))
    run(sampler)
    assert values(sampler, other, 0).min() >= 7000.0


def test_without_anything_to_show_it_asks_nothing() -> None:
    sampler, source = make()
    timeline = Timeline((branch(0, 1000),), now=1000)
    sampler.want(request(timeline, expressions=()))
    run(sampler)
    sampler.want(request(timeline))
    sampler.want(None)
    run(sampler)
    assert source.asked == []
    sampler.want(request(timeline))
    run(sampler)
    assert source.asked


def test_an_answer_that_never_comes_does_not_stop_it() -> None:
    sampler, source = make()
    source.silent = True
    sampler.want(request(Timeline((branch(0, 1000),), now=1000)))
    sampler.turn(0.0)
    sampler.turn(0.0)
    assert len(source.asked) == 1 and sampler._waiting
    sampler._waiting, source.silent = False, False
    run(sampler)
    assert sampler.latest.shown.step == 1000


def test_the_thread_ends() -> None:
    sampler, _ = make()
    timeline = Timeline((branch(0, 1000),), now=1000)
    sampler.start()
    sampler.want(request(timeline))
    sampler.close()
    sampler._thread.join(20)
    assert not sampler._thread.is_alive()


# ---- samples


def test_samples_are_in_order_and_the_newer_counts() -> None:
    samples = Samples()
    for steps, value in (([10, 20, 30], 1.0), ([40], 2.0), ([5, 20, 25], 3.0)):
        array = np.array(steps)
        samples.add(array, array, array * STEP, np.full(len(steps), value))
    found = samples.frozen()
    assert found.steps.tolist() == [5, 10, 20, 25, 30, 40]
    assert found.values.tolist() == [3, 1, 3, 3, 1, 2]
    assert samples.lacks(np.array([4, 5, 41, 40])).tolist() == [True, False, True, False]


def test_too_many_samples_are_thinned_out_elsewhere() -> None:
    samples, count = Samples(), MOST + 1000
    steps = np.arange(count)
    samples.add(steps, steps, steps * STEP, np.zeros(count))
    samples.thin(5000, 6000)
    found = samples.frozen()
    assert len(found.steps) < 0.6 * MOST
    assert np.isin(np.arange(5000, 6001), found.steps).all()
    # what is gone can be asked for again
    assert samples.lacks(np.array([10_001, 10_002])).tolist() == [True, False]


@pytest.mark.parametrize("number", [0, 1])
def test_batch_is_what_is_missing(number: int) -> None:
    timeline = Timeline((branch(0, 50), branch(1, 40)), branch=number, now=0)
    (batch,) = batches(request(timeline), lambda _, steps: steps[steps > 37], 64)
    assert batch == Batch(number, tuple(range(38, timeline.last + 1)), 1)
