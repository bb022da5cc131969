"""Lanes of branches: the order in which the timeline lists them, so that no fork line crosses a bar."""

from __future__ import annotations

from dataclasses import dataclass

from app.run.history.timeline import NO_BRANCH, BranchView, Timeline


@dataclass(frozen=True)
class Lane:
    """A row of the list: a branch, the row of its parent (-1: none), and how deep in the tree it is."""

    branch: BranchView
    parent: int
    depth: int


def lanes(timeline: Timeline) -> list[Lane]:
    """All branches, each below its parent; those that fork late come first, and newer ones before older ones."""
    children: dict[int, list[BranchView]] = {}
    for branch in timeline.branches:
        children.setdefault(branch.parent, []).append(branch)
    made: list[Lane] = []
    waiting = [(root, -1, 0) for root in reversed(children.get(NO_BRANCH, []))]
    while waiting:
        branch, parent, depth = waiting.pop()
        row = len(made)
        made.append(Lane(branch, parent, depth))
        later = sorted(children.get(branch.id, []), key=lambda child: (child.fork, child.id))
        waiting += [(child, row, depth + 1) for child in later]
    return made


def branch_name(branch: BranchView) -> str:
    """What a branch is called."""
    return branch.name or f"branch {branch.id}"


def descendants(timeline: Timeline, branch: int) -> list[BranchView]:
    """The branches that begin in a branch, or in one that does; they are removed with it."""
    found = {branch}
    listed: list[BranchView] = []
    # a child is never listed before its parent
    for lane in lanes(timeline):
        if lane.branch.parent in found:
            found.add(lane.branch.id)
            listed.append(lane.branch)
    return listed
