"""The audit in rows and sentences: work by kind and element, how it closes, what is conserved, a warning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.instruments.energy.source_names import charge_name, element_text, kind_name, source_name
from app.model.views import ModelView
from sim.analysis.audit.laws import BROKEN, HOLDS, Breaker, Law, energy_scale
from sim.analysis.audit.tally import Tally
from sim.analysis.audit.work_source import STORED, WorkSource
from sim.analysis.element_names import described
from sim.enums import INT_EULER, INT_RK4

# work below this part of the energy of the range is not shown
SMALLEST = 1e-9
# energy that the integrator or the solver creates in a range, as a part of what moves, that is worth a warning
CREATED = 0.02
# s: of less than that it says nothing, as of a throw whose first steps are all there is
LEAST_SECONDS = 0.5
NUMERICAL = ("integrator", "implicit integration", "residual")


@dataclass(frozen=True)
class Row:
    """Work of a source, or of all of a kind: J in and out over the range, W now."""

    name: str
    kind: str
    work_in: float
    work_out: float
    power: float
    sources: tuple[WorkSource, ...]

    @property
    def net(self) -> float:
        """In less out."""
        return self.work_in + self.work_out

    @property
    def size(self) -> float:
        """By which rows are sorted."""
        return max(self.work_in, -self.work_out)


@dataclass(frozen=True)
class Group:
    """A kind, and its elements, the largest first."""

    row: Row
    elements: tuple[Row, ...]


def groups(model: ModelView, total: Tally, power: Mapping[WorkSource, float], least: float) -> list[Group]:
    """All that did work or has power, by kind, the largest first."""
    floor = SMALLEST * max(energy_scale(total, least), least)
    rows: dict[str, list[Row]] = {}
    for source in dict.fromkeys((*total.work_in, *total.work_out, *power)):
        if source.kind in STORED:
            continue
        gain, loss = total.work_in.get(source, 0.0), total.work_out.get(source, 0.0)
        if source.kind in NUMERICAL:
            # it swings with the motion; what it gives back is no leak
            gain, loss = max(gain + loss, 0.0), min(gain + loss, 0.0)
        row = Row(source_name(model, source), source.kind, gain, loss, power.get(source, 0.0), (source,))
        if row.size > floor or abs(row.power) > floor:
            rows.setdefault(source.kind, []).append(row)
    found = []
    for kind, own in rows.items():
        own.sort(key=lambda row: -row.size)
        whole = Row(kind_name(kind) if len(own) > 1 else own[0].name, kind, sum(row.work_in for row in own),
                    sum(row.work_out for row in own), sum(row.power for row in own),
                    tuple(row.sources[0] for row in own))  # fmt: skip
        if len(own) > 1:
            own = [replace(row, name=element_text(model, row.sources[0])) for row in own]
        found.append(Group(whole, tuple(own)))
    found.sort(key=lambda group: -group.row.size)
    return found


@dataclass(frozen=True)
class Closing:
    """How the audit closes, J: work of all sources but the integrator, its part, the change of energy."""

    work: float
    integrator: float
    change: float
    # the integrator's part of the energy that moves
    share: float


def closing(total: Tally, least: float) -> Closing:
    """Of a range."""
    sources = [*dict.fromkeys((*total.work_in, *total.work_out))]
    integrator = sum(total.net(source) for source in sources if source.kind == "integrator")
    work = sum(total.net(source) for source in sources if source.kind != "integrator")
    return Closing(work, integrator, total.change, integrator / energy_scale(total, least))


def law_text(model: ModelView, law: Law) -> str:
    """What is said of a law beside its name."""
    if law.verdict == HOLDS:
        size = abs(law.drift)
        return "holds" if size < 1e-9 else f"holds within {_percent(size)}"
    if law.verdict == BROKEN:
        return f"broken by {source_name(model, law.breakers[0].source)}"
    if law.charge is not None and law.charge.blocker >= 0:
        return f"{described(model, 'joint', law.charge.blocker)} is tied to the world"
    return "gravity acts along it" if law.charge is None or law.charge.kind == "linear" else "gravity turns it"


def law_unit(law: Law) -> str:
    """The unit of what is conserved."""
    return "J" if law.charge is None else "N s" if law.charge.kind == "linear" else "N m s"


def rate_unit(law: Law) -> str:
    """The unit of its rate."""
    return "W" if law.charge is None else "N" if law.charge.kind == "linear" else "N m"


def law_hint(model: ModelView, law: Law) -> str:
    """All numbers of a law."""
    unit = law_unit(law)
    about = ", about the centre of mass" if law.charge is not None and law.charge.kind == "angular" else ""
    about = "" if law.charge is not None and law.charge.joint >= 0 else about
    lines = [f"{charge_name(model, law.charge)}{about}: {law.start:.6g} {unit} to {law.end:.6g} {unit}",
             f"by integrator and solver: {law.error:+.3g} {unit}; scale {law.scale:.3g} {unit}"]  # fmt: skip
    return "\n".join([*lines, *(_breaker(model, law, breaker) for breaker in law.breakers[:5])])


def _breaker(model: ModelView, law: Law, breaker: Breaker) -> str:
    name = source_name(model, breaker.source)
    return f"{name}: {breaker.change:+.4g} {law_unit(law)}, {breaker.rate:+.3g} {rate_unit(law)}"


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share >= 1e-5 else f"{share:.0e}"


def warning(model: ModelView, total: Tally, least: float) -> str:
    """Energy out of nothing: of the integrator or of contacts; empty if there is none."""
    scale, seconds = energy_scale(total, least), total.seconds
    if scale <= least or seconds < LEAST_SECONDS:
        return ""
    created = sum(total.net(s) for s in {*total.work_in, *total.work_out} if s.kind in NUMERICAL)
    if created > CREATED * scale:
        return f"Energy grows: integrator, {created / seconds:+.3g} W. {_remedy(model)}"
    contacts = [s for s in {*total.work_in, *total.work_out} if s.kind in ("contact", "friction")]
    gain = {source: total.net(source) for source in contacts}
    worst = max(gain, key=lambda source: gain[source], default=None)
    # a contact that was pressed gives back what it had before the range
    if worst is not None and gain[worst] > 5 * CREATED * scale and gain[worst] > 0.5 * total.change > 0:
        return (f"Energy grows: {source_name(model, worst)}, {gain[worst] / seconds:+.3g} W."
                " More damping (solref) or a smaller timestep.")  # fmt: skip
    return ""


def _remedy(model: ModelView) -> str:
    integrator = int(model.opt.integrator)
    if integrator == INT_EULER:
        return "A smaller timestep or implicitfast."
    return "A smaller timestep." if integrator == INT_RK4 else "A smaller timestep or RK4."
