"""Writes what is made from tables of the code: keys and features in the manual, and the types of fields.

    .venv/bin/python -m tests.generated

writes `app/manual/keys.md`, the end of `app/manual/computes.md`, and what `tests/typed_fields.py` does; tests compare.
"""

from __future__ import annotations

from pathlib import Path

from app.view.input.bindings import help_table
from tests import typed_fields
from tests.app.features import make_table

ROOT = Path(__file__).resolve().parent.parent
KEYS, COMPUTES = ROOT / "app/manual/keys.md", ROOT / "app/manual/computes.md"
# what is above the table of features
ABOVE_FEATURES = "## Features\n\nEvery feature, and a bundled scene that shows it:\n\n"
KEYS_HEAD = """# Keys

As in MuJoCo's `simulate` wherever it has the same action. The palette, `Ctrl+K`, switches all shortcuts off and on, for
scripts that have keys of their own.
"""


def keys_page() -> str:
    """The page of keys: a table for each group of bindings."""
    lines = [KEYS_HEAD]
    for group, bindings in help_table():
        lines += [f"## {group}", "", "| key or gesture | effect |", "|---|---|"]
        for binding in bindings:
            # a backtick needs two of them around it
            trigger = f"`` {binding.trigger} ``" if "`" in binding.trigger else f"`{binding.trigger}`"
            lines.append(f"| {trigger} | {binding.help} |")
        lines.append("")
    return "\n".join(lines)


def computes_page() -> str:
    """The page of what is computed, with the table of features as it is."""
    above, heading, _ = COMPUTES.read_text(encoding="utf-8").partition(ABOVE_FEATURES)
    assert heading, f"{COMPUTES.name} has no heading for the features"
    return f"{above}{heading}{make_table()}\n"


PAGES = {KEYS: keys_page, COMPUTES: computes_page}


if __name__ == "__main__":
    typed_fields.write()
    for file, make in PAGES.items():
        file.write_text(make(), encoding="utf-8")
