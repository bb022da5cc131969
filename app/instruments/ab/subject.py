"""What the second simulation of the A/B instrument is: an edited copy, another file, or another branch."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from app.background.field_choice import FieldChoice
from app.background.second_run import Edit
from app.files.error_text import printable


@dataclass(frozen=True)
class Change:
    """A number, and the value that B has instead of A's."""

    choice: FieldChoice
    value: float

    @property
    def edit(self) -> Edit:
        """As an edit."""
        return self.choice.command(self.value)


@dataclass(frozen=True)
class EditedCopy:
    """The model of the simulation with changes on top of its edits, or on top of the file."""

    changes: tuple[Change, ...] = ()
    # without what the user has edited
    from_file: bool = False

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The changes as edits."""
        return tuple(change.edit for change in self.changes)

    def with_change(self, choice: FieldChoice, value: float) -> EditedCopy:
        """With another value of a number, which comes last if it is new."""
        known = [change.choice.key for change in self.changes]
        if choice.key not in known:
            return replace(self, changes=(*self.changes, Change(choice, value)))
        changes = tuple(replace(old, value=value) if old.choice.key == choice.key else old for old in self.changes)
        return replace(self, changes=changes)

    def without(self, choice: FieldChoice) -> EditedCopy:
        """Without the change of a number."""
        return replace(self, changes=tuple(old for old in self.changes if old.choice.key != choice.key))


@dataclass(frozen=True)
class OtherFile:
    """Another model, without the user's edits; the state is carried over by the names of elements."""

    path: str

    @property
    def name(self) -> str:
        """The name of the file."""
        return printable(Path(self.path).name)


@dataclass(frozen=True)
class OtherBranch:
    """What was recorded on another branch, at the same times."""

    branch: int


Subject = EditedCopy | OtherFile | OtherBranch
