"""State of the Sweep instrument: the choices of the user, the findings, and the pictures."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from app.background.field_choice import FieldChoice, choice_of
from app.instruments.sweep.outcome import Outcome, Task
from app.instruments.sweep.quantities import Quantity, default_quantities
from app.instruments.sweep.reel import Reel
from app.instruments.sweep.values import BadValues, as_text, default_values, typed_values
from app.instruments.sweep.worker import Request, Sweep
from app.model.views import ModelView
from app.run.commands import SetField, SetFlag, TryFix
from app.run.snapshot import Snapshot
from app.scene.camera import FREE_CAMERA

# simulated, s
SECONDS, LEAST_SECONDS, MOST_SECONDS = 2.0, 0.001, 600.0
# may be negative, which is seldom what one asks about
POSITIVE = ("damping", "stiffness")


@dataclass
class SweepState:
    """The newest findings and the choices of the user; nothing is run before it is asked for."""

    found: Sweep = field(default_factory=Sweep)
    choice: FieldChoice | None = None
    # the values as typed
    text: str = ""
    seconds: float = SECONDS
    # None: those that suit the model
    quantities: tuple[Quantity, ...] | None = None
    # that the pictures are seen from
    camera: int = FREE_CAMERA
    # the place of the value with the ghost, or -1
    chosen: int = -1
    # from, to, number and whether in equal ratios: what the menu of ranges spreads
    range: tuple[float, float, int, bool] = (0.1, 10.0, 5, True)
    reel: Reel = field(default_factory=Reel)
    request: Request | None = None
    _identity: object = None

    # ---- what is swept

    def follow(self, snapshot: Snapshot) -> None:
        """Another model has other fields; the same one, read again, has the same by name."""
        model = snapshot.model
        if model is None or model.identity is self._identity:
            return
        self._identity = model.identity
        self.drop()
        if self.choice is not None:
            again = choice_of(self.choice.command(0.0), model)
            self.choice = again if again is not None and again.label == self.choice.label else None
        if self.camera >= model.ncam:
            self.camera = FREE_CAMERA

    def choose(self, choice: FieldChoice, model: ModelView) -> None:
        """Sweep this field: values around the current one."""
        self.choice = choice
        present = choice.value(model)
        rule = replace(choice.rule, low=0.0) if choice.name in POSITIVE else choice.rule
        values = default_values(present, rule, tuple(number for _, number in choice.choices))
        self.text = as_text(values)
        low, high = min(values), max(values)
        self.range = (low, high, len(values), low * high > 0)

    def values(self, model: ModelView) -> tuple[float, ...]:
        """The values that are typed, legal ones, and the present one; BadValues if there are none."""
        assert self.choice is not None
        legal = {number for _, number in self.choice.choices}
        present, rule = self.choice.value(model), self.choice.rule
        wanted = typed_values(self.text)
        if legal and not legal >= {*wanted}:
            raise BadValues(f"legal values: {as_text(sorted(legal))}")
        around = rule.around(present)
        if any(around.nearest(value) != value for value in wanted) and not legal:
            raise BadValues(f"legal values: {rule.legal or 'whole numbers'}")
        return tuple(sorted({*wanted, present}))

    def measured(self, snapshot: Snapshot) -> tuple[Quantity, ...]:
        """The quantities of the table."""
        if self.quantities is None and snapshot.model is not None and snapshot.state is not None:
            self.quantities = default_quantities(snapshot.model, snapshot.state)
        return self.quantities or ()

    # ---- runs

    def run(self, snapshot: Snapshot) -> None:
        """Ask for the sweep, from the current state."""
        assert snapshot.model is not None and self.choice is not None
        values = self.values(snapshot.model)
        task = Task(self.choice, values, self.seconds, self.measured(snapshot))
        self.drop()
        self.request = Request(task, snapshot.run.history, self.choice.value(snapshot.model))

    def drop(self) -> None:
        """Drop the sweep."""
        if self.request is not None:
            self.request, self.chosen = None, -1
            self.reel.clear()

    @property
    def shown(self) -> Sweep | None:
        """The findings of the requested sweep."""
        return self.found if self.request is not None and self.found.request is self.request else None

    def edit(self, place: int) -> SetField | SetFlag:
        """The command that takes a value."""
        assert self.request is not None
        return self.request.task.choice.command(self.request.task.values[place])

    def go_on(self, place: int) -> TryFix:
        """The command that continues the run itself with a value, from the start of the sweep, on a branch."""
        assert self.request is not None
        timeline, edit = self.request.timeline, self.edit(place)
        return TryFix(timeline.now, timeline.branch, (replace(edit),))

    @property
    def ghost(self) -> Outcome | None:
        """The outcome with the ghost."""
        found = self.shown
        return found.outcomes.get(self.chosen) if found is not None else None

    def ghost_time(self, time: float) -> float:
        """The time after the start at which it is shown: that of the view if it is later, else that of the reel."""
        assert self.request is not None
        since, seconds = time - self.found.time, self.request.task.seconds
        return since if 0 < since <= seconds else self.reel.time(seconds)

    def take_request(self) -> Request | None:
        """The sweep that is wanted, until it is dropped."""
        return self.request
