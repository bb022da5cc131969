"""Lanes of branches: their order, and what is removed with one."""

from __future__ import annotations

import random

from app.run.history.timeline import NO_BRANCH, BranchView, Timeline
from app.view.branch_lanes import Lane, branch_name, descendants, lanes

TREE = Timeline(
    (
        BranchView(0, last=100), BranchView(1, 0, 30, 60), BranchView(2, 0, 50, 90), BranchView(3, 1, 40, 70),
        BranchView(4, last=20, name="again"),
    )
)  # fmt: skip


def test_late_forks_come_first() -> None:
    assert [lane.branch.id for lane in lanes(TREE)] == [0, 2, 1, 3, 4]
    assert [lane.depth for lane in lanes(TREE)] == [0, 1, 1, 2, 0]
    assert [lane.parent for lane in lanes(TREE)] == [-1, 0, 0, 2, -1]


def crossings(rows: list[Lane]) -> int:
    """How many fork lines go through the bar of another branch."""
    return sum(
        between.branch.fork < lane.branch.fork <= between.branch.last
        for place, lane in enumerate(rows)
        for between in rows[lane.parent + 1 : place]
        if lane.parent >= 0
    )


def test_no_fork_line_crosses_a_bar_of_the_same_tree() -> None:
    draw = random.Random(4)
    for _ in range(50):
        branches = [BranchView(0, last=draw.randrange(1, 500))]
        for number in range(1, 20):
            parent = draw.choice(branches)
            fork = draw.randint(parent.fork, parent.last)
            branches.append(BranchView(number, parent.id, fork, fork + draw.randrange(200)))
        rows = lanes(Timeline(tuple(branches)))
        assert len(rows) == 20
        assert crossings(rows) == 0
        assert all(lane.parent < place for place, lane in enumerate(rows))


def test_what_is_removed_with_a_branch() -> None:
    assert [branch.id for branch in descendants(TREE, 1)] == [3]
    assert {branch.id for branch in descendants(TREE, 0)} == {1, 2, 3}
    assert descendants(TREE, 4) == []
    assert descendants(TREE, NO_BRANCH) != []


def test_names() -> None:
    assert branch_name(TREE.find(4)) == "again"
    assert branch_name(TREE.find(3)) == "branch 3"
