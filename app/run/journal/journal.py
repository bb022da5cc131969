"""The journal: every change that the user made to the model or the state, in order; undo, redo, and switching off.

The model in memory is the file as it was loaded, with its elements changed by the entries that are on, and on top of it
the numbers of these entries, in order: a cell has the value of the last that set it, else its base, which is the
file's value. Undo switches the newest change off,
redo on again; so does switching an entry in the list, which can be undone itself. Undone entries stay in the list.
Everything here is immutable: a snapshot holds the journal as it is.

When the file is read again, `rebase` compares it with what was known of it: an entry whose element is gone is lost
until it comes back; one whose cells the file has changed otherwise clashes, and is off until the user decides. What
was saved does not clash with what the file says after that, nor does what a later entry has changed again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from math import isclose
from types import MappingProxyType
from typing import Any

from app.run.journal.cells import Cell, kind_of
from sim.tree_edit import Structure, TreeEdit, shown

# numbers that differ by less are the same: text and units cost the last digits
SAME = 1e-12
# why a change of elements that was saved is not made again
IN_FILE = "it is in the file now"
OVERTAKEN = "the file has changed since then"


@dataclass(frozen=True)
class Write:
    """A cell that an entry sets, and its value before."""

    cell: Cell
    before: float
    after: float


@dataclass(frozen=True)
class NewKey:
    """A keyframe that an entry adds: its name, its values by field of Model, and the layout of its state."""

    name: str
    values: tuple[tuple[str, tuple[float, ...]], ...]
    layout: str = ""


@dataclass(frozen=True)
class DataWrite:
    """Numbers of a field of Data that an entry sets: the place, the value before and that after of each."""

    path: str
    numbers: tuple[tuple[int, float, float], ...]

    @property
    def places(self) -> tuple[int, ...]:
        """Where they are in the field."""
        return tuple(place for place, _, _ in self.numbers)


@dataclass(frozen=True, eq=False)
class StateChange:
    """A change of the state: branch and step of the history, and the state before; once undone, those it left.

    With the numbers that were set, if that is all.
    """

    branch: int
    moment: int
    layout: str
    before: Any
    write: DataWrite | None = None
    branch_after: int = 0
    moment_after: int = 0
    after: Any = None


@dataclass(frozen=True)
class Entry:
    """One change: what was done, when (s since the epoch) and at which simulated time."""

    number: int
    text: str
    when: float
    time: float
    writes: tuple[Write, ...] = ()
    key: NewKey | None = None
    # names of keyframes that entries before have added and this one removes
    removed: tuple[str, ...] = ()
    state: StateChange | None = None
    # elements that it adds, deletes, moves or changes in the file, and whether the file on disk has that
    tree: tuple[TreeEdit, ...] = ()
    saved: bool = False
    # commands of one gesture that change the same thing are one entry; 0 belongs to none
    gesture: int = 0
    on: bool = True
    # the file says something else now, and the user has not decided
    clash: bool = False
    # why it does not apply to the file as it is now
    lost: str = ""

    @property
    def in_force(self) -> bool:
        """Whether the model shows it."""
        return self.on and not self.clash and not self.lost


@dataclass(frozen=True)
class Switched:
    """An entry was switched on, as when it was made, or off."""

    number: int
    on: bool


@dataclass(frozen=True)
class Journal:
    """All entries, the base of their cells, and what undo and redo switch."""

    entries: tuple[Entry, ...] = ()
    base: Mapping[Cell, float] = field(default_factory=lambda: MappingProxyType({}))
    done: tuple[Switched, ...] = ()
    undone: tuple[Switched, ...] = ()

    def record(self, entry: Entry) -> Journal:
        """With a new entry, or with the newest extended by what the same gesture did to the same thing."""
        base = {write.cell: write.before for write in entry.writes} | dict(self.base)
        last = self.entries[-1] if self.entries else None
        if last is not None and last.on and not self.undone and _same_gesture(last, entry):
            entries = (*self.entries[:-1], _merged(last, entry))
            return replace(self, entries=entries, base=MappingProxyType(base))
        entry = replace(entry, number=self.next_number)
        done = (*self.done, Switched(entry.number, True))
        return Journal((*self.entries, entry), MappingProxyType(base), done)

    @property
    def structure(self) -> Structure:
        """The changes of elements that are made, as far as they can be, in a file that is read; by number."""
        return tuple((one.number, one.tree) for one in self.entries if _to_make(one))

    def settle(self, lost: Mapping[int, str]) -> Journal:
        """A file was read with the changes of elements, but for some that are lost."""
        if not self.structure:
            return self
        entries = (replace(one, lost=lost.get(one.number, "")) if _to_make(one) else one for one in self.entries)
        return replace(self, entries=tuple(entries))

    def in_file(self) -> Journal:
        """The file was written with the changes of elements that are made."""
        made = {number for number, _ in self.structure}
        entries = (
            replace(one, lost=IN_FILE, saved=True) if one.number in made and not one.lost
            else replace(one, saved=one.lost == IN_FILE) if one.tree else one
            for one in self.entries
        )  # fmt: skip
        return replace(self, entries=tuple(entries))

    def taken_out(self) -> Journal:
        """The changes of elements that a save wrote are made again, in the file as it was before, but for those off."""
        saved = {one.number for one in self.entries if one.lost == IN_FILE and one.saved}
        off = any(one.number in saved and not one.on for one in self.entries)
        if not off and not any(number < max(saved, default=0) for number, _ in self.structure):
            return self
        return replace(self, entries=tuple(replace(o, lost="") if o.number in saved else o for o in self.entries))

    @property
    def next_number(self) -> int:
        """The number of the next entry."""
        return self.entries[-1].number + 1 if self.entries else 1

    def switch(self, number: int, on: bool) -> Journal:
        """With an entry on or off; this decides a clash."""
        known = self.entry(number)
        if known is None or (known.on == on and not known.clash):
            return self
        journal = self._switched(number, on)
        return replace(journal, done=(*self.done, Switched(number, on)), undone=())

    def undo(self) -> Journal:
        """Without the newest change."""
        if not self.done:
            return self
        *done, last = self.done
        return replace(self._switched(last.number, not last.on), done=tuple(done), undone=(*self.undone, last))

    def redo(self) -> Journal:
        """With the change undone last."""
        if not self.undone:
            return self
        *undone, last = self.undone
        return replace(self._switched(last.number, last.on), done=(*self.done, last), undone=tuple(undone))

    def put(self, number: int, on: bool) -> Journal:
        """With an entry on or off, by undo or redo if that is what they would do."""
        if self.done and self.done[-1] == Switched(number, not on):
            return self.undo()
        if self.undone and self.undone[-1] == Switched(number, on):
            return self.redo()
        return self.switch(number, on)

    def next_undo(self) -> Entry | None:
        """The entry that undo switches."""
        return self.entry(self.done[-1].number) if self.done else None

    def next_redo(self) -> Entry | None:
        """The entry that redo switches."""
        return self.entry(self.undone[-1].number) if self.undone else None

    def entry(self, number: int) -> Entry | None:
        """The entry of a number."""
        return next((entry for entry in reversed(self.entries) if entry.number == number), None)

    def with_entry(self, entry: Entry) -> Journal:
        """With the entry of the same number replaced."""
        return replace(self, entries=tuple(entry if old.number == entry.number else old for old in self.entries))

    def values(self, among: Collection[Cell] | None = None) -> dict[Cell, float]:
        """The value of every cell that an entry ever set, or of some of them."""
        values = dict(self.base) if among is None else {cell: self.base[cell] for cell in among}
        for entry in self.entries:
            if entry.in_force:
                values.update((write.cell, write.after) for write in entry.writes if write.cell in values)
        return values

    def changed_cells(self, before: Journal) -> set[Cell]:
        """The cells whose value may differ from that in a journal of which this one was made."""
        pairs = (pair for pair in zip_longest(before.entries, self.entries) if pair[0] is not pair[1])
        entries = (entry for pair in pairs for entry in pair if entry is not None)
        return {write.cell for entry in entries for write in entry.writes}

    def new_keys(self) -> list[NewKey]:
        """The keyframes that were added."""
        keys: dict[str, NewKey] = {}
        for entry in self.entries:
            if entry.in_force:
                keys = {name: key for name, key in keys.items() if name not in entry.removed}
                keys |= {entry.key.name: entry.key} if entry.key is not None else {}
        return list(keys.values())

    @property
    def clashes(self) -> tuple[Entry, ...]:
        """The entries about which the user has to decide."""
        return tuple(entry for entry in self.entries if entry.clash)

    def forget_states(self, most: int) -> Journal:
        """With the newest states alone: older changes of the state stay in the list, and cannot be undone any more."""
        held = [entry.number for entry in self.entries if entry.state is not None]
        old = {*held[: max(len(held) - most, 0)]}
        if not old:
            return self
        entries = (
            replace(entry, state=None, lost="its state is no longer kept") if entry.number in old else entry
            for entry in self.entries
        )
        done, undone = (
            tuple(one for one in switched if one.number not in old) for switched in (self.done, self.undone)
        )
        return replace(self, entries=tuple(entries), done=done, undone=undone)

    def _switched(self, number: int, on: bool) -> Journal:
        entry = self.entry(number)
        return self if entry is None else self.with_entry(replace(entry, on=on, clash=False))

    def renamed(self, keys: Mapping[str, Mapping[str, str]]) -> Journal:
        """With other keys of elements, by type and the key so far."""
        if not any(keys.values()):
            return self

        def now(cell: Cell) -> Cell:
            kind = kind_of(cell.path)
            return cell._replace(element=keys.get(kind, {}).get(cell.element, cell.element)) if kind else cell

        entries = (
            replace(one, writes=tuple(replace(write, cell=now(write.cell)) for write in one.writes))
            if one.writes
            else one
            for one in self.entries
        )
        base = MappingProxyType({now(cell): value for cell, value in self.base.items()})
        return replace(self, entries=tuple(entries), base=base)

    def rebase(
        self,
        before: Mapping[Cell, float],
        present: Mapping[Cell, float],
        read: Callable[[Cell], float | None],
        layout: str,
        own: bool = False,
    ) -> Journal:
        """The journal on a file that was read again.

        `before` is what the file said, `present` what the model had, `read` gives the new file's value of a cell, None
        if there is no such cell any more; `layout` is that of its states. With `own`, nothing but the journal's
        elements have changed: no number clashes with that.
        """
        base = dict(self.base)
        changed: dict[Cell, float] = {}
        gone: set[Cell] = set()
        # keyframes that the journal itself adds are not in the file
        added = {entry.key.name for entry in self.entries if entry.key is not None and entry.key.layout == layout}
        for cell in base:
            now = read(cell)
            if now is None and not (cell.path.startswith("key_") and cell.element in added):
                gone.add(cell)
            elif now is None:
                continue
            elif own:
                # what a save has written stays an edit
                base[cell] = base[cell] if same(now, before.get(cell, now)) else now
            elif not (same(now, before.get(cell, now)) or same(now, present.get(cell, now))):
                base[cell] = now
                # statistics follow from all the rest: the file may not say anything about them
                if not cell.path.startswith("stat."):
                    changed[cell] = now
        # what the file did not have, and the entry that it is from
        owners = {write.cell: entry.number for entry in self.entries if entry.in_force for write in entry.writes}
        unsaved = {(cell, owners.get(cell)) for cell in changed if not same(before.get(cell), present.get(cell))}
        entries = (
            _rebased(entry, changed, {cell for cell, number in unsaved if number == entry.number}, gone, layout)
            for entry in self.entries
        )
        return replace(self, entries=tuple(entries), base=MappingProxyType(base))


def _to_make(entry: Entry) -> bool:
    """Whether an entry changes elements, unless something hinders it."""
    return bool(entry.tree) and entry.on and entry.lost != IN_FILE


def same(a: float | None, b: float | None) -> bool:
    """Whether two numbers differ by no more than text and units cost; None equals None alone."""
    return a == b or (a is not None and b is not None and isclose(a, b, rel_tol=SAME, abs_tol=0.0))


def _rebased(entry: Entry, changed: Mapping[Cell, float], unsaved: set[Cell], gone: set[Cell], layout: str) -> Entry:
    if not (entry.writes or entry.removed or entry.key or entry.state):
        # a change of a state that was not saved
        return entry
    lost = next((write.cell for write in entry.writes if write.cell in gone), None)
    why = "" if lost is None else f"{lost.path} of {shown(lost.element)} is not in the file"
    state = entry.key or entry.state
    if (lost is not None and lost.layout not in ("", layout)) or (state is not None and state.layout != layout):
        why = "the model now has other joints or actuators"
    entry = replace(entry, lost=why)
    differing = {w.cell for w in entry.writes if w.cell in changed and not same(changed[w.cell], w.after)}
    if not differing or not entry.in_force:
        return entry
    if differing & unsaved:
        return replace(entry, clash=True)
    kept = tuple(write for write in entry.writes if write.cell not in differing)
    return replace(entry, writes=kept, lost="" if kept or entry.key or entry.removed else OVERTAKEN)


def _same_gesture(last: Entry, entry: Entry) -> bool:
    """Whether an entry continues the last one."""
    if not entry.gesture or last.gesture != entry.gesture:
        return False
    if last.state is not None or entry.state is not None:
        return last.state is not None and entry.state is not None and _set_by(last) == _set_by(entry)
    return _subjects(last) == _subjects(entry)


def _subjects(entry: Entry) -> set[tuple[str, str]]:
    return {(write.cell.path, write.cell.element) for write in entry.writes}


def _set_by(entry: Entry) -> object:
    """What an entry changes in the state: the places of numbers, or as its text says."""
    write = entry.state.write if entry.state is not None else None
    return (write.path, write.places) if write is not None else entry.text


def _merged(last: Entry, entry: Entry) -> Entry:
    """One entry that does both."""
    if last.state is not None and entry.state is not None:
        return replace(last, state=_merged_states(last.state, entry.state), text=entry.text)
    writes = {write.cell: write for write in last.writes}
    for write in entry.writes:
        known = writes.get(write.cell)
        writes[write.cell] = write if known is None else replace(known, after=write.after)
    return replace(last, writes=tuple(writes.values()), text=entry.text)


def _merged_states(last: StateChange, now: StateChange) -> StateChange:
    """From the state before the first to the numbers of the second."""
    if last.write is None or now.write is None:
        return last
    pairs = zip(last.write.numbers, now.write.numbers, strict=True)
    return replace(last, write=replace(last.write, numbers=tuple((*old[:2], new[2]) for old, new in pairs)))
