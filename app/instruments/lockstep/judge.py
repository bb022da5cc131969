"""The verdict on each stage: same, unsteady, MuJoCo's own in that version, following from another, or different."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from app.instruments.lockstep.compare import Difference, StageResult
from app.instruments.lockstep.pair import Pair
from app.instruments.lockstep.versions import explain, newer
from sim import Model

# a difference does not count if MuJoCo, nudged by rounding errors, differs from itself by this share of it
UNSTEADY_SHARE = 0.1


class Verdict(Enum):
    """The verdict on a stage."""

    SAME = "same"
    UNSTEADY = "unsteady"
    MUJOCO = "MuJoCo's own"
    FOLLOWS = "follows"
    DIFFERS = "differs"


# verdicts that do not mean a fault
HARMLESS = (Verdict.SAME, Verdict.UNSTEADY, Verdict.MUJOCO)
MEANINGS = {
    Verdict.SAME: "within tolerance",
    Verdict.UNSTEADY: (
        "MuJoCo differs just as much from itself when its state is perturbed by 1e-12: rounding decides here"
    ),
    Verdict.MUJOCO: "a known difference between this MuJoCo and the version that Kinetoscope follows",
    Verdict.FOLLOWS: "computed from values that differ above",
    Verdict.DIFFERS: "unexplained",
}
BORDERLINE = (
    "a contact or limit is just becoming active (in one engine but not yet in the other), or a contact has no "
    "well-defined normal: rounding decides here"
)


@dataclass(frozen=True)
class Judged:
    """A stage, the verdict, and the reason for it."""

    result: StageResult
    verdict: Verdict
    reason: str = ""

    @property
    def difference(self) -> Difference | None:
        return self.result.first


@dataclass(frozen=True)
class Comparison:
    """All stages at one moment."""

    stages: tuple[Judged, ...] = ()
    version: str = ""

    @property
    def culprit(self) -> Judged | None:
        """The first stage whose difference nothing explains; else the first that differs at all."""
        differing = [judged for judged in self.stages if judged.verdict is not Verdict.SAME]
        return next((judged for judged in differing if judged.verdict is Verdict.DIFFERS), next(iter(differing), None))

    @property
    def fault(self) -> bool:
        """Whether something differs that nothing explains."""
        return any(judged.verdict is Verdict.DIFFERS for judged in self.stages)

    @property
    def excess(self) -> float:
        """The largest difference of a stage in units of its tolerance, constants aside."""
        stages = (judged.result for judged in self.stages[1:])
        return max((result.error / result.stage.tolerance for result in stages), default=0.0)


def judge(
    results: Iterable[StageResult], model: Model, version: str, own_errors: Callable[[], Mapping[str, float]]
) -> Comparison:
    """The verdicts, in order; `own_errors` is asked if something differs."""
    judged: list[Judged] = []
    errors: dict[str, float] = {}
    own: Mapping[str, float] | None = None
    for result in results:
        if result.same:
            judged.append(Judged(result, Verdict.SAME))
        else:
            own = own_errors() if own is None else own
            differing = {done.result.stage.name for done in judged if done.verdict is not Verdict.SAME}
            borderline = {done.result.stage.name for done in judged if done.result.borderline}
            judged.append(_judged(result, model, version, own, errors, differing, borderline))
        errors[result.stage.name] = result.error
    return Comparison(tuple(judged), version)


def _judged(
    result: StageResult,
    model: Model,
    version: str,
    own: Mapping[str, float],
    errors: Mapping[str, float],
    differing: Collection[str],
    borderline: Collection[str],
) -> Judged:
    """The verdict on a stage that is out of tolerance."""
    stage = result.stage
    causes = [name for name in stage.uses if name in differing]
    if causes:
        return Judged(result, Verdict.FOLLOWS, f"from {', '.join(causes)}")
    reasons = explain(model, version, stage.name, result.differences)
    if reasons:
        return Judged(result, Verdict.MUJOCO, "; ".join(reasons))
    if any(name in stage.uses for name in borderline):
        return Judged(result, Verdict.UNSTEADY, BORDERLINE)
    if UNSTEADY_SHARE * result.error <= own.get(stage.name, 0.0):
        return Judged(result, Verdict.UNSTEADY, MEANINGS[Verdict.UNSTEADY])
    # rounding there may be more than that here
    causes = [name for name in stage.uses if errors.get(name, 0.0) > stage.tolerance]
    if causes:
        return Judged(result, Verdict.FOLLOWS, f"from {', '.join(causes)}, where it is within tolerance")
    return Judged(result, Verdict.DIFFERS, "; ".join(filter(None, (MEANINGS[Verdict.DIFFERS], newer(version)))))


def compare_at(pair: Pair, row: object) -> Comparison:
    """Both engines from a state: all stages with their verdicts, constants first."""
    results = [pair.constants, *pair.compare(row)]
    return judge(results, pair.model, pair.version, lambda: pair.own_errors(row))
