"""Unsaved edits: what differs between a model and its file, as texts of the journal."""

from __future__ import annotations

from app.run.journal.cells import Cell, Cells
from app.run.journal.edit_text import edit_text
from app.run.journal.journal import Journal, Write
from sim import Model


def unsaved_edits(journal: Journal, cells: Cells, model: Model) -> tuple[str, ...]:
    """The edits that the file does not have: the last one of each number, and what was undone since it was saved."""
    owners = {write.cell: entry for entry in journal.entries if entry.in_force for write in entry.writes}
    in_file_keys = {name for name, row in zip(model.names["key"], model.key_rows, strict=True) if row >= 0}
    added = {key.name for key in journal.new_keys()} - in_file_keys
    texts = {
        entry.number: entry.text
        for entry in journal.entries
        if entry.in_force and ((entry.tree and not entry.saved) or (entry.key is not None and entry.key.name in added))
    }
    texts |= {one.number: f"undone: {one.text}" for one in journal.entries if one.saved and not one.on}
    undone: dict[tuple[str, str, int], list[Write]] = {}
    for cell, now in journal.values().items():
        in_file = cells.in_file(cell)
        if in_file is None or in_file == now:
            continue
        owner = owners.get(cell)
        if owner is not None:
            texts[owner.number] = owner.text
        else:
            undone.setdefault(_subject(cell), []).append(Write(cell, in_file, now))
    return (*(texts[number] for number in sorted(texts)), *map(edit_text, undone.values()))


def _subject(cell: Cell) -> tuple[str, str, int]:
    return cell.path, cell.element, cell.bit
