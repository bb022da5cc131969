"""Second simulations made of the journal: without one of its edits, or without all of them."""

from __future__ import annotations

from app.background.field_choice import FieldChoice, choices_of, options_of
from app.instruments.ab.subject import Change, EditedCopy
from app.model.element_keys import element_keys
from app.model.views import ModelView
from app.run.history.timeline import Timeline
from app.run.journal.cells import Cell, kind_of
from app.run.journal.journal import Entry, Journal


def without_edit(entry: Entry, journal: Journal, model: ModelView) -> EditedCopy | None:
    """A copy in which an entry is switched off; None if it has no number that a motion depends on."""
    cells = [write.cell for write in entry.writes]
    before = journal.switch(entry.number, False).values(cells)
    found: dict[tuple[object, ...], Change] = {}
    for cell in cells:
        choice = _choice(cell, model)
        if choice is not None:
            value = choice.sign * before[cell]
            if choice.bit:
                value = float(bool(before[cell]) != (cell.path == "opt.disableflags"))
            found.setdefault(choice.key, Change(choice, value))
    return EditedCopy(tuple(found.values())) if found else None


def edited_since(journal: Journal) -> float | None:
    """The simulated time at which the oldest edit was made that is still in force, s; None if there is none."""
    since: dict[Cell, float] = {}
    for entry in (entry for entry in journal.entries if entry.in_force):
        for write in entry.writes:
            if write.after == journal.base.get(write.cell):
                since.pop(write.cell, None)
            else:
                since.setdefault(write.cell, entry.time)
    return min(since.values(), default=None)


def start_at(time: float | None, timeline: Timeline) -> int:
    """The step of the shown line from which to compare what was edited at a time; the first one if that is unknown."""
    step = timeline.first if time is None else timeline.step_at(time)
    return min(max(step, timeline.first), timeline.now)


def _choice(cell: Cell, model: ModelView) -> FieldChoice | None:
    """The number that a cell is part of."""
    kind = kind_of(cell.path)
    if not kind:
        known = options_of(model)
    else:
        keys = element_keys(model).get(kind, ())
        known = choices_of(model, kind, keys.index(cell.element)) if cell.element in keys else ()
    return next((choice for choice in known if choice.path == cell.path and _holds(choice, cell, bool(kind))), None)


def _holds(choice: FieldChoice, cell: Cell, of_element: bool) -> bool:
    """Whether a number of the field, in the block of its element, is this one."""
    if choice.bit or cell.bit:
        return choice.bit == cell.bit
    if not of_element:
        return (choice.rows or (0,)) == (cell.at,)
    # the dofs of a joint share their value
    return cell.at < len(choice.rows) if choice.column is None else choice.column == cell.at
