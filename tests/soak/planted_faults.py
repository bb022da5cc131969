"""Damages healthy models in many ways, and measures at which rank the doctor names what was damaged.

    python -m tests.soak.planted_faults [--models LIST] [--seed 0] [--count 200] [--kinds KIND ...] [--healthy]

LIST is a file with a path on each line; without it, the bundled scenes. Each case is one fault in one model. It counts
if the damaged model loads and a physical criterion says that the damage matters. The doctor has named it if a finding
has the right check and the damaged element; its rank is that among all findings. Where the damage makes the model
explode, the fixes of the report are tried until one survives, unless `--no-trials`. `--healthy` examines the
models as they are. With `--table`, the kinds of faults are printed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.files.resources import bundled_scenes
from app.instruments.doctor.examine import examine
from app.instruments.doctor.finding import Finding, Severity
from app.model.selection import Selection
from sim.analysis.element_names import element_name
from tests.soak.faults.explosions import Explosion, explosion
from tests.soak.faults.fault import ANY, UNLIKE, Case, Fault
from tests.soak.faults.planting import Models, planted
from tests.soak.faults.table import FAULTS

# a finding that lists more elements than this names none of them
NAMED = 6
SHOWN = 4  # findings beside a miss
ATTEMPTS = 6  # to find a case that is new


@dataclass(frozen=True)
class Outcome:
    """What the doctor said about one case; rank 0 if it did not name the fault."""

    fault: str
    model: str
    seed: str
    note: str
    rank: int
    findings: tuple[Finding, ...]
    explosion: Explosion | None = None


def names_it(fault: Fault, case: Case, finding: Finding) -> bool:
    """Whether a finding is about the planted fault and names the right element."""
    if not {finding.check, f"{finding.check}:{finding.attribute}"} & set(fault.checks):
        return False
    if ANY in case.draft.right:
        return True
    elements = (finding.selection, *finding.others)
    counted = elements[:1] if finding.check in UNLIKE or len(elements) > NAMED else elements
    return any(_named(case, one) in case.draft.right for one in counted)


def _named(case: Case, selection: Selection) -> tuple[str, str]:
    if selection.kind == "option":
        return ("option", "")
    return (selection.kind, element_name(case.after, selection.kind, selection.index))  # type: ignore[arg-type]


def examined(fault: Fault, case: Case, seed: str) -> Outcome:
    """The rank at which the doctor names a fault."""
    try:
        findings = examine(case.after)
    except Exception:  # a doctor who gives up has missed it, and the others are measured nevertheless
        traceback.print_exc()
        findings = []
    rank = next((k for k, finding in enumerate(findings, 1) if names_it(fault, case, finding)), 0)
    return Outcome(fault.id, _model_name(case), seed, case.draft.note, rank, tuple(findings))


def outcomes(models: Models, kinds: Sequence[str], seed: int, count: int, tried: bool) -> list[Outcome]:
    """So many cases, kinds in turn; of those that explode, fixes are tried if asked for."""
    found: list[Outcome] = []
    left = list(kinds)
    k = 0
    while len(found) < count and left:
        kind = left[k % len(left)]
        name = f"{seed}-{k}"
        case = _new(models, FAULTS[kind], name, found)
        k += 1
        if case is None:
            print(f"{kind}: no model has another place for it", file=sys.stderr)
            left.remove(kind)
            continue
        outcome = examined(FAULTS[kind], case, name)
        found.append(replace(outcome, explosion=explosion(case, name)) if tried else outcome)
        print(f"{kind:20} {outcome.model:50} {outcome.rank or '-'}", file=sys.stderr, flush=True)
    return found


def _new(models: Models, fault: Fault, name: str, found: Sequence[Outcome]) -> Case | None:
    """A case that there was not yet: the same fault in the same element says nothing new."""
    known = {(one.fault, one.model, one.note) for one in found}
    for attempt in range(ATTEMPTS):
        case = planted(models, fault, random.Random(f"{name}-{attempt}"))
        if case is None or (fault.id, _model_name(case), case.draft.note) not in known:
            return case
    return None


def _model_name(case: Case) -> str:
    return "/".join(case.draft.subject.path.parts[-2:])


# ---- tables


def print_outcomes(found: Sequence[Outcome]) -> None:
    """By kind, in all, and what was missed."""
    print(f"{'fault':20} cases  rank 1  within 3  missed")
    for kind in FAULTS:
        ranks = [one.rank for one in found if one.fault == kind]
        if ranks:
            print(f"{kind:20} {_counts(ranks)}")
    ranks = [one.rank for one in found]
    print(f"{'all':20} {_counts(ranks)}")
    total = max(len(ranks), 1)
    print(f"rank 1 in {_first(ranks) / total:.1%}, within rank 3 in {_within(ranks) / total:.1%} of {len(ranks)} cases")
    for one in found:
        if one.rank != 1:
            print(f"\n{one.fault} in {one.model}, seed {one.seed}, rank {one.rank or '-'}: {one.note}")
            for finding in one.findings[:SHOWN]:
                print(f"    {finding.severity.name.lower():8} {finding.check}: {finding.title}")


def print_explosions(found: Sequence[Outcome]) -> None:
    """How many explode, and of how many a proposed fix survives."""
    exploded = [(one, one.explosion) for one in found if one.explosion is not None]
    saved = sum(end.survived != "" for _, end in exploded)
    print(f"\n{len(exploded)} explode; a fix survives in {saved}, {saved / max(len(exploded), 1):.1%}")
    for kind in FAULTS:
        of = [end.survived != "" for one, end in exploded if one.fault == kind]
        if of:
            print(f"{kind:20} {len(of):5} explode, {sum(of):3} saved")
    for one, end in exploded:
        if not end.survived:
            print(f"\n{one.fault} in {one.model}, seed {one.seed}: {one.note}; no fix of {end.tried} survives")
            for culprit in end.culprits[:SHOWN]:
                print(f"    {culprit}")


def _first(ranks: Sequence[int]) -> int:
    return sum(rank == 1 for rank in ranks)


def _within(ranks: Sequence[int]) -> int:
    return sum(1 <= rank <= 3 for rank in ranks)


def _counts(ranks: Sequence[int]) -> str:
    return f"{len(ranks):5} {_first(ranks):7} {_within(ranks):9} {len(ranks) - _within(ranks):7}"


def print_healthy(models: Models) -> None:
    """False alarms: errors and warnings of models as they are."""
    counts: Counter[str] = Counter()
    for path in models.paths:
        subject = models.subject(path)
        for finding in examine(subject.model) if subject else ():
            if finding.severity > Severity.NOTE:
                counts[f"{finding.severity.name.lower()} {finding.check}"] += 1
                print(f"{path.name:28} {finding.severity.name.lower():8} {finding.check}: {finding.title}", flush=True)
    print(f"{sum(one is not None for one in map(models.subject, models.paths))} models:", dict(counts.most_common()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, metavar="LIST", help="file with a path on each line")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--kinds", nargs="+", choices=list(FAULTS), default=list(FAULTS), metavar="KIND")
    parser.add_argument("--no-trials", action="store_true", help="do not try the fixes of explosions")
    parser.add_argument("--healthy", action="store_true", help="false alarms on the models as they are")
    parser.add_argument("--table", action="store_true", help="print the kinds of faults")
    options = parser.parse_args()
    if options.table:
        for fault in FAULTS.values():
            print(f"{fault.id:20} {fault.what:58} {', '.join(fault.checks)}")
        return 0
    paths = [Path(line) for line in options.models.read_text().split()] if options.models else []
    models = Models(paths or [scene.path for scene in bundled_scenes()])
    try:
        if options.healthy:
            print_healthy(models)
        else:
            begin = time.monotonic()
            found = outcomes(models, options.kinds, options.seed, options.count, not options.no_trials)
            print_outcomes(found)
            if not options.no_trials:
                print_explosions(found)
            print(f"\n{time.monotonic() - begin:.0f} s")
    finally:
        models.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
