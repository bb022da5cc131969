"""A comparison of two runs: B follows the recorded rows of A, or is another branch; distances, values, parting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from app.instruments.ab.follower import Carried, Ended, Follower, predicted
from app.instruments.ab.found import Curves, Found, Parting, Shown
from app.instruments.ab.pair_record import Apart, Moment, PairRecord
from app.instruments.ab.side import Side
from app.instruments.ab.subject import EditedCopy, OtherBranch, OtherFile, Subject
from app.model.element_keys import element_keys, matched
from app.run.history.taken_rows import TakenRows, in_order
from app.run.history.timeline import Timeline
from sim import Model
from sim.analysis.pose_distance import pose_distances
from sim.edits import NO_EDITS, ModelEdits
from sim.engine import Progress

Array = NDArray[np.float64]
Copy = Callable[[], Model]

# what can be seen: a distance in extents of the model, and an angle
VISIBLE, VISIBLE_ANGLE = 1e-3, 0.01
# bodies that are listed, points of a curve, and how many seconds they are evaluated at once
MOST_BODIES, MOST_POINTS, AT_ONCE = 12, 400, 0.02


class Comparison:
    """A and B so far. `model` is the simulation's own, which `copy` copies; `progress` hears of compilations."""

    def __init__(
        self, model: Model, copy: Copy, subject: Subject, timeline: Timeline, progress: Progress | None = None
    ) -> None:
        self._model, self._copy, self._subject, self._progress = model, copy, subject, progress
        # the branch of A that B follows
        self.branch = timeline.branch
        self.record = PairRecord()
        self.ended = ""
        self.parted: Parting | None = None
        self._second: Follower | None = None
        other = self._load(subject)
        self.side_a, self.side_b = Side(copy()), Side(copy() if other is None else other)
        self._match(other is not None)
        self._values: dict[str, dict[int, tuple[float, float]]] = {}
        self._reasons: dict[str, str] = {}
        self._shown: tuple[Moment, tuple[str, ...]] | None = None
        # how many points take that long
        self._count = 1

    def _load(self, subject: Subject) -> Model | None:
        """Make the second simulation; returns its model if that is another file's."""
        if isinstance(subject, OtherFile):
            other = self._model.engine.load(subject.path)
            carried = Carried(self._copy(), other)
            self._second = Follower(other.copy(), carried=carried, progress=self._progress)
            return other
        if isinstance(subject, EditedCopy):
            self._second = Follower(self._copy(), subject.edits, subject.from_file, progress=self._progress)
        return None

    def _match(self, other: bool) -> None:
        """Find the bodies and geoms that both have."""
        a, b = self.side_a.model, self.side_b.model
        bodies, geoms = np.arange(a.nbody), np.arange(a.ngeom)
        if other:
            # for each of A's: that of B, or -1
            old, new = element_keys(b), element_keys(a)
            bodies, geoms = (matched(old[kind], new[kind]) for kind in ("body", "geom"))
        self._bodies = np.flatnonzero(bodies >= 0)[1:], bodies[bodies >= 0][1:]
        self._geoms = np.flatnonzero(geoms >= 0), geoms[geoms >= 0]

    # ---- following A

    @property
    def step(self) -> int | None:
        """The last step of A that B has followed."""
        return self.record.moments[-1].step if self.record.moments else None

    @property
    def _last(self) -> Moment:
        return self.record.moments[-1]

    def follow(self, parts: Sequence[TakenRows]) -> None:
        """Continue along rows of A; the first is that of the last step again. `Ended` where B cannot."""
        second, rows = self._second, in_order(parts)
        assert second is not None
        (step, row, part), *rest = rows
        if self.step is None:
            self._note([step], [row], [second.begin(row, part.edits)], part.edits)
        elif not _same(row, self._last.a) or part.edits != self._last.a_edits:
            self._note([step], [row], [second.change(self._last.a, row, part.edits)], part.edits)
            self._forget_values(step - 1)
        here = part
        while rest:
            count = next((k for k, moment in enumerate(rest) if moment[2] is not here), len(rest))
            if count:
                self._advance(rest[:count])
            else:
                here = rest[0][2]
                self._cross(rest[0], here)
                count = 1
            rest = rest[count:]

    def _advance(self, moments: Sequence[tuple[int, Array, TakenRows]]) -> None:
        """Steps without a change of the user."""
        assert self._second is not None
        last, steps = self._last, [moment[0] for moment in moments]
        rows = np.array([last.a, *(moment[1] for moment in moments)])
        if not (np.diff(rows[:, 0]) > 0).all():
            raise Ended(f"A went back in time after {rows[0, 0]:.6g} s")
        made: list[Array] = []
        try:
            for row in self._second.advance(rows):
                made.append(row)
        finally:
            self._note(steps[: len(made)], [*rows[1 : len(made) + 1]], made, last.a_edits)

    def _cross(self, moment: tuple[int, Array, TakenRows], part: TakenRows) -> None:
        """One step, after which the user may have changed something."""
        assert self._second is not None
        last, (step, row, _) = self._last, moment
        if part.model is not self._model:
            raise Ended(f"A's file was reloaded after {last.time:.6g} s")
        before = predicted(self.side_a.model, last.a_edits, last.a)
        if abs(before[0] - row[0]) > 1e-9:
            # a script has made other steps
            before = row
        (made,) = self._second.advance(np.array([last.a, before]))
        if not _same(before, row) or part.edits != last.a_edits:
            made = self._second.change(before, row, part.edits)
        self._note([step], [row], [made], part.edits)

    def follow_other(
        self, parts: Sequence[TakenRows], others: Sequence[TakenRows], steps: Sequence[int], timeline: Timeline
    ) -> None:
        """Continue along rows of A and those of another branch, whose steps at the same times are given."""
        assert isinstance(self._subject, OtherBranch)
        last = timeline.find(self._subject.branch).last
        there = {step: (row, part) for step, row, part in in_order(others)}
        for (step, row, part), other in zip(in_order(parts), steps, strict=False):
            if other not in there:
                continue
            found, owner = there[other]
            if part.model is not self._model or owner.model is not self._model:
                raise Ended("the file was reloaded between the branches")
            if other == last and float(row[0]) > float(found[0]) + 0.5 * timeline.timestep_at(step):
                raise Ended(f"the other branch ends at {float(found[0]):.6g} s")
            self._note([step], [row], [found], part.edits, owner.edits)

    def follow_branch(self, timeline: Timeline) -> None:
        """Another branch of A is shown: B keeps what both have in common."""
        if timeline.branch == self.branch:
            return
        common = shared_step(timeline, self.branch, timeline.branch)
        self.branch, self.ended, self._shown = timeline.branch, "", None
        self.record.cut(common)
        self._forget_values(common)
        if self.parted is not None and self.parted.step > common:
            self.parted = None
        if not self.record.moments or (self._second is not None and self._second.interpolates):
            self.record, self.parted = PairRecord(), None
            self._values.clear()
            return
        if self._second is not None:
            self._second.resume(self._last.b, self._last.a_edits)

    # ---- distances

    def _note(
        self, steps: Sequence[int], a: Sequence[Array], b: Sequence[Array], a_edits: ModelEdits,
        b_edits: ModelEdits | None = None,
    ) -> None:  # fmt: skip
        """Moments of both, with their distance."""
        if not steps:
            return
        edits = self._second.edits if b_edits is None and self._second is not None else b_edits or NO_EDITS
        self.side_a.set_edits(a_edits)
        self.side_b.set_edits(edits)
        poses = [self._placed(*rows) for rows in zip(a, b, strict=True)]
        metres, radians = pose_distances(*(np.array(part) for part in zip(*poses, strict=True)))
        for k, step in enumerate(steps):
            apart = self._apart(metres[k], radians[k])
            self.record.add(Moment(step, float(a[k][0]), a[k], b[k], a_edits, edits, apart))
            self._find_parting(self._last)

    def _placed(self, a: Array, b: Array) -> tuple[Array, Array, Array, Array]:
        """Poses of the bodies that both have: position and orientation in A, in B."""
        first, second = self.side_a.poses(a), self.side_b.poses(b)
        mine, others = self._bodies
        return first.xipos[mine], first.xquat[mine], second.xipos[others], second.xquat[others]

    def _apart(self, metres: Array, radians: Array) -> Apart:
        if not len(metres):
            return Apart(0.0, 0.0, 0, 0)
        metres, radians = np.nan_to_num(metres, nan=np.inf), np.nan_to_num(radians, nan=np.inf)
        far, turned = int(np.argmax(metres)), int(np.argmax(radians))
        mine = self._bodies[0]
        return Apart(float(metres[far]), float(radians[turned]), int(mine[far]), int(mine[turned]))

    def _find_parting(self, moment: Moment) -> None:
        """Note the first moment at which one can see a difference."""
        apart = moment.apart
        far, turned = apart.metres / (VISIBLE * float(self._extent)), apart.radians / VISIBLE_ANGLE
        if self.parted is None and max(far, turned) > 1.0:
            body = apart.farthest if far >= turned else apart.most_turned
            self.parted = Parting(moment.step, moment.time, body, apart.metres, apart.radians)

    @property
    def _extent(self) -> float:
        return float(self.side_a.model.stat.extent)

    def found(self, known: Found) -> Found:
        """The findings so far, added to the published ones."""
        every = max(-(-len(self.record.moments) // MOST_POINTS), 1)
        moments = self.record.moments[::every]
        if moments and moments[-1] is not self._last:
            moments.append(self._last)
        return replace(
            known,
            steps=np.array([moment.step for moment in moments], np.int64),
            times=np.array([moment.time for moment in moments]),
            metres=np.array([moment.apart.metres for moment in moments]),
            radians=np.array([moment.apart.radians for moment in moments]),
            parted=self.parted,
            matched=(len(self._bodies[0]), int(self.side_a.model.nbody) - 1),
            ended=self.ended,
            doing="",
        )

    # ---- the current state

    def evaluate(self, known: Found, now: int, expressions: tuple[str, ...]) -> Found | None:
        """The findings with the current state and some more values; None if nothing is new."""
        shown = self._at(now, expressions)
        changed = self._some_values(expressions) or {*known.curves} != {*expressions}
        if shown is None and not changed:
            return None
        curves = {text: self._curves(text) for text in expressions}
        return replace(known, shown=shown or known.shown, curves=curves)

    def _at(self, now: int, expressions: tuple[str, ...]) -> Shown | None:
        """Both runs at the current state, if that or the expressions have changed; else None."""
        moment = self.record.moments[max(self.record.index(now), 0)] if self.record.moments else None
        if moment is None or (self._shown is not None and self._shown[0] is moment and self._shown[1] == expressions):
            return None
        self._shown = moment, expressions
        self._set_edits(moment)
        metres, radians = pose_distances(*self._placed(moment.a, moment.b))
        order = np.argsort(-(metres / (VISIBLE * self._extent) + radians / VISIBLE_ANGLE), kind="stable")[:MOST_BODIES]
        mine = self._bodies[0]
        bodies = tuple((int(mine[k]), float(metres[k]), float(radians[k])) for k in order.tolist())
        values = self._evaluated([moment], expressions)
        pairs = {text: values[k][0] for k, text in enumerate(expressions)}
        # what is drawn besides geoms
        model, other = self.side_b.model, isinstance(self._subject, OtherFile)
        drawn = not other and bool(model.ntendon or getattr(model, "nflex", 0))
        return Shown(moment.step, moment.time, bodies, *self._geom_poses(moment),
                     self.side_b.view(moment.b) if drawn else None, pairs)  # fmt: skip

    def _geom_poses(self, moment: Moment) -> tuple[Array, Array, Array, Array]:
        """Poses of A's geoms in A and in B."""
        first, second = self.side_a.poses(moment.a), self.side_b.poses(moment.b)
        mine, others = self._geoms
        a_pos, a_mat = np.array(first.geom_xpos), np.array(first.geom_xmat).reshape(-1, 3, 3)
        b_pos, b_mat = a_pos.copy(), a_mat.copy()
        b_pos[mine], b_mat[mine] = second.geom_xpos[others], second.geom_xmat[others].reshape(-1, 3, 3)
        return a_pos, a_mat, b_pos, b_mat

    # ---- values

    def _some_values(self, expressions: tuple[str, ...]) -> bool:
        """Evaluate some points that are missing; returns whether there were any."""
        if not expressions or not self.record.moments:
            return False
        moments = [moment for moment in self._sampled() if self._lacks(moment.step, expressions)][: self._count]
        if not moments:
            return False
        began = perf_counter()
        for alike in _alike(moments):
            self._set_edits(alike[0])
            for text, pairs in zip(expressions, self._evaluated(alike, expressions), strict=True):
                own = self._values.setdefault(text, {})
                own.update((moment.step, pair) for moment, pair in zip(alike, pairs, strict=True))
        took = perf_counter() - began
        self._count = 2 * self._count if took < AT_ONCE else max(self._count // 2, 1)
        return True

    def _lacks(self, step: int, expressions: tuple[str, ...]) -> bool:
        return any(step not in self._values.get(text, {}) for text in expressions)

    def _sampled(self) -> list[Moment]:
        """The moments that curves show: those that stay the same ones for long."""
        count = self.record.moments[-1].step - self.record.first + 1
        every = 1
        while count > every * MOST_POINTS:
            every *= 2
        return [moment for moment in self.record.moments if (moment.step - self.record.first) % every == 0]

    def _evaluated(self, moments: Sequence[Moment], expressions: tuple[str, ...]) -> list[list[tuple[float, float]]]:
        """For each expression its values in A and B at moments with the same edits."""
        if not expressions:
            return []
        a, reasons = self.side_a.values([moment.a for moment in moments], expressions)
        b, others = self.side_b.values([moment.b for moment in moments], expressions)
        for text in expressions:
            why = reasons.get(text) or (f"in B: {others[text]}" if text in others else "")
            if why:
                self._reasons[text] = why
        return [[*zip(a[:, k].tolist(), b[:, k].tolist(), strict=True)] for k in range(len(expressions))]

    def _curves(self, text: str) -> Curves:
        known = self._values.get(text, {})
        moments = [moment for moment in self._sampled() if moment.step in known] if known else []
        pairs = np.array([known[moment.step] for moment in moments]).reshape(-1, 2)
        times = np.array([moment.time for moment in moments])
        a, b = (np.ascontiguousarray(pairs[:, k]) for k in range(2))
        return Curves(times, a, b, self._reasons.get(text, ""))

    def _set_edits(self, moment: Moment) -> None:
        self.side_a.set_edits(moment.a_edits)
        self.side_b.set_edits(moment.b_edits)

    def _forget_values(self, step: int) -> None:
        """Forget values after a step."""
        for known in self._values.values():
            for late in [other for other in known if other > step]:
                del known[late]


def shared_step(timeline: Timeline, one: int, other: int) -> int:
    """The last step that the lines of two branches have in common; -1 if there is none."""
    known = {branch.id for branch in timeline.branches}
    if one not in known or other not in known:
        return -1
    common = -1
    for first, second in zip(timeline.line(one), timeline.line(other), strict=False):
        if first.branch.id != second.branch.id:
            break
        common = min(first.last, second.last)
        if first.last != second.last:
            break
    return common


def _same(one: Array, other: Array) -> bool:
    """Whether two rows are equal to the bit: a bad number is not equal to itself."""
    return one.shape == other.shape and one.tobytes() == other.tobytes()


def _alike(moments: Sequence[Moment]) -> list[list[Moment]]:
    """Moments in groups with the same edits and rows of the same widths."""
    groups: dict[tuple[int, ...], list[Moment]] = {}
    for moment in moments:
        key = id(moment.a_edits), id(moment.b_edits), len(moment.a), len(moment.b)
        groups.setdefault(key, []).append(moment)
    return [*groups.values()]
