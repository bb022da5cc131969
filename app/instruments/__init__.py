"""Instruments: panels that answer a question about the current state, one folder each; here is the list.

A folder holds the questions it asks (`question.py`, `worker.py`), what it keeps between frames (`state.py`), its panel
(`panel.py` or `panel/`, which alone draw), its subcommand (`command.py`) and its entry (`instrument.py`). Other
instruments open it by `open.py`; what offers an instrument asks `offer.py` whether it is in the list.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.instruments.entry import Instrument

# folder -> the subcommand that its command.py is, in the order of the menu
FOLDERS = {
    "contact": "",
    "softness": "",
    "forces": "",
    "breakpoints": "",
    "doctor": "doctor",
    "cameras": "",
    "lockstep": "check",
    "solver": "",
    "lens": "",
    "ab": "",
    "sweep": "sweep",
    "energy": "",
    "code": "debug",
}


@cache
def instruments() -> dict[str, Instrument]:
    """Name -> entry, in the order of the menu: whoever lists instruments iterates them."""
    found = (import_module(f"app.instruments.{folder}.instrument").INSTRUMENT for folder in FOLDERS)
    return {instrument.name: instrument for instrument in found}
