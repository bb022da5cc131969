"""Any moment of a run is computed again to the bit; what cannot be is said."""

import random

import numpy as np
import pytest

import sim
from sim.enums import SLEEP_INIT
from sim.recording.replay import Replayer
from sim.recording.run import Block, Branch, CellValue, Change, ModelEdits, Run, Segment
from tests.sim.recording.random_run import MODELS, Kept, Recorder


def assert_moments(recorder, replayer, moments):
    for branch, step in moments:
        row = replayer.row(branch, step)
        assert row.tobytes() == recorder.truth[branch, step].tobytes(), (branch, step, recorder.log)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("seed", range(3))
def test_every_moment_is_computed_again(name, seed):
    rng = random.Random(seed)
    recorder = Recorder(rng, MODELS[name](), density=(0.0, 0.02, 0.2)[seed])
    recorder.act(30)
    moments = list(recorder.truth)
    rng.shuffle(moments)
    # the caller's model has edits of its own, and keeps them
    live = recorder.m.copy()
    replayer = Replayer(recorder.run, lambda version: recorder.m, budget=(64 << 20, 1 << 18, 1 << 14)[seed])
    assert_moments(recorder, replayer, moments[:300])
    assert all(np.array_equal(recorder.m.read(n), live.read(n)) for n in live.layout.places)


@pytest.mark.parametrize("name", ["piles", "everything"])
def test_rows_on_a_line(name):
    rng = random.Random(5)
    recorder = Recorder(rng, MODELS[name]())
    recorder.edit = lambda: None
    recorder.act(40)
    replayer = Replayer(recorder.run, lambda version: recorder.m)
    for branch in recorder.run.branches.values():
        last = branch.last
        first = rng.randrange(last + 1)
        wanted = [recorder.truth[recorder.run.owner(branch.id, k).id, k] for k in range(first, last + 1)]
        assert replayer.rows(branch.id, first, last).tobytes() == np.array(wanted).tobytes()


def test_data_is_restored_and_goes_on():
    recorder = Recorder(random.Random(1), MODELS["crowd"]())
    for _ in range(8):
        recorder.step()
    recorder.change()
    recorder.step()
    start = recorder.segment.first
    m, d = Replayer(recorder.run, lambda version: recorder.m).moment(0, start + 1)
    for k in range(start + 2, recorder.segment.last + 1):
        sim.step(m, d)
        row = sim.get_state(m, d, sim.record_signature(m))
        assert row.tobytes() == recorder.truth[0, k].tobytes()


class Counter:
    """Counts the steps that a replayer makes."""

    def __init__(self, monkeypatch):
        self.steps = 0
        real = sim.step

        def counted(m, d, n):
            self.steps += n
            real(m, d, n)

        monkeypatch.setattr(sim, "step", counted)


@pytest.fixture
def long(monkeypatch):
    """A thousand steps with a row at the start alone."""
    recorder = Recorder(random.Random(2), MODELS["everything"](), density=0.0)
    while recorder.segment.last < 1000:
        recorder.step()
    return recorder, Counter(monkeypatch)


def test_neighbours_cost_nothing(long):
    recorder, counter = long
    replayer = Replayer(recorder.run, lambda version: recorder.m)
    assert_moments(recorder, replayer, [(0, 500)])
    made = counter.steps
    assert made >= 500
    assert_moments(recorder, replayer, [(0, k) for k in range(400, 700)])
    assert counter.steps == made
    # further on it goes on from there
    assert_moments(recorder, replayer, [(0, 1000)])
    assert counter.steps <= 1001


def test_memory_is_bounded(long):
    recorder, counter = long
    width = recorder.truth[0, 0].nbytes
    replayer = Replayer(recorder.run, lambda version: recorder.m, budget=400 * width)
    assert_moments(recorder, replayer, [(0, 900), (0, 870), (0, 500), (0, 10), (0, 990)])
    assert replayer._cache._used <= 400 * width
    made = counter.steps
    assert_moments(recorder, replayer, [(0, 980), (0, 991)])
    assert counter.steps == made


def test_rows_in_memory_are_taken(long):
    recorder, counter = long
    asked = []

    def tape(branch, segment, step):
        asked.append((branch.id, step))
        return recorder.truth[branch.id, step] if step >= 950 else None

    replayer = Replayer(recorder.run, lambda version: recorder.m, tape)
    assert_moments(recorder, replayer, [(0, 960), (0, 1000)])
    assert counter.steps == 0 and asked == [(0, 960), (0, 1000)]
    assert len(replayer.rows(0, 955, 990)) == 36 and counter.steps == 0


# ---------------------------------------------------------------- what cannot be computed


def test_a_script_s_steps_are_not_computed_again():
    m = MODELS["everything"]()
    width = sim.state_size(m, sim.record_signature(m))
    d = sim.Data(m)
    rows = np.tile(sim.get_state(m, d, sim.record_signature(m)), (5, 1))
    rows[:, 0] = range(5)
    blocks = [Block(0, 3, Kept(rows[:3])), Block(3, 2, Kept(rows[3:]))]
    segment = Segment(0, 6, 0, ModelEdits(), 0.0, 0.002, blocks=blocks, dense=True)
    replayer = Replayer(Run({0: Branch(0, segments=[segment])}), lambda version: m)
    assert replayer.rows(0, 0, 4)[:, 0].tolist() == [0, 1, 2, 3, 4]
    assert replayer.row(0, 2).shape == (width,)
    with pytest.raises(ValueError, match="step 5 of branch 0 is not recorded"):
        replayer.row(0, 5)


def simple(rows, change=None, m=None):
    """A run with ten steps, the first of which is in a block or a change."""
    blocks = [] if rows is None else [Block(0, 1, rows)]
    return Run({0: Branch(0, segments=[Segment(0, 10, 0, ModelEdits(), 0.0, 0.002, change, blocks)])})


class Damaged:
    """A block that cannot be read."""

    def read(self):
        raise ValueError("crc")


def test_what_is_wrong_is_said():
    m = MODELS["everything"]()
    row = sim.get_state(m, sim.Data(m), sim.record_signature(m))
    forged = row.copy()
    forged[-16] = 99  # perturb.select
    for rows, why in (
        (Damaged(), "steps 0 to 0 of branch 0: crc"),
        (Kept(row[None, 1:]), "steps 0 to 0 of branch 0: a row has"),
        (Kept(np.zeros((2, len(row)))), "steps 0 to 0 of branch 0: 1 rows"),
        (Kept(row), "steps 0 to 0 of branch 0: 1 rows"),
        (Kept(forged[None]), r"steps 0 to 0 of branch 0: perturb\.select is 99"),
    ):
        with pytest.raises(ValueError, match=why):
            Replayer(simple(rows), lambda version: m).row(0, 5)
    run = simple(Kept(row[None]))
    for branch, step, why in ((0, 11, "step 11 of branch 0"), (0, -1, "step -1"), (3, 0, "no branch 3")):
        with pytest.raises(ValueError, match=why):
            Replayer(run, lambda version: m).row(branch, step)
    with pytest.raises(ValueError, match="branch 0 is not recorded"):
        Replayer(simple(None), lambda version: m).row(0, 5)
    change = Change(np.zeros(0, np.int32), np.zeros(0))
    with pytest.raises(ValueError, match="first row of branch 0 is not recorded"):
        Replayer(simple(None, change), lambda version: m).row(0, 5)

    def lost(version):
        raise OSError("gone")

    with pytest.raises(ValueError, match="steps 0 to 10: version 0 of the model cannot be loaded: gone"):
        Replayer(run, lost).row(0, 5)


@pytest.mark.parametrize(("at", "value", "why"), [(-1, 1.0, "outside"), (10**6, 1.0, "outside"), (-16, 99.0, "select")])
def test_forged_changes_are_refused(at, value, why):
    m = MODELS["everything"]()
    row = sim.get_state(m, sim.Data(m), sim.record_signature(m))
    run = simple(Kept(row[None]))
    at = len(row) + at if why == "select" else at
    change = Change(np.array([at], np.int32), np.array([value]))
    run.branches[0].segments.append(Segment(10, 12, 0, ModelEdits(), 0.0, 0.002, change))
    with pytest.raises(ValueError, match=f"step 10 of branch 0: .*{why}"):
        Replayer(run, lambda version: m).row(0, 11)


def test_a_model_whose_edits_begin_otherwise():
    """An edit lets a tree start asleep that carries others: it begins awake, and what was recorded goes on."""
    recorder = Recorder(random.Random(3), MODELS["piles"]())
    recorder.step()
    m = recorder.m.copy()
    sim.apply_edits(m, ModelEdits({"tree_sleep_policy": (CellValue(0, 0, float(SLEEP_INIT)),)}))
    assert sim.Data(m).tree_asleep[0] < 0
    assert_moments(recorder, Replayer(recorder.run, lambda version: m), list(recorder.truth))
