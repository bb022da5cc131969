"""Run by test_attributes: a made-up attribute, added as one row, is read, checked, saved, edited live and explained."""

from __future__ import annotations

import sys
from importlib.abc import SourceLoader
from importlib.machinery import PathFinder
from importlib.util import spec_from_loader
from pathlib import Path
from typing import Any

MODULE = "sim.attributes.bodies"
BEFORE = "gap "
ROW = """glue  real  0.25  geom_glue f8  N  0.1 >=0
    force that holds its contacts together
    > Higher: it takes more force to tear contacts apart.
"""


class OneRowMore(SourceLoader):
    """Loads the table of geoms with one row more."""

    def __init__(self, path: str) -> None:
        self.path = path

    @classmethod
    def find_spec(cls, name: str, path: Any = None, target: Any = None) -> Any:
        found = PathFinder.find_spec(name, path) if name == MODULE else None
        return spec_from_loader(name, cls(str(found.origin))) if found else None

    def get_filename(self, name: str) -> str:
        return self.path

    def get_data(self, path: str) -> bytes:
        table = Path(self.path).read_text(encoding="utf-8")
        return table.replace(f"\n{BEFORE}", f"\n{ROW}{BEFORE}", 1).encode()

    def path_stats(self, path: str) -> Any:
        raise OSError  # the module is not cached


sys.meta_path.insert(0, OneRowMore)  # type: ignore[arg-type]

import numpy as np  # noqa: E402

import sim  # noqa: E402
from app.model.editable import BY_PATH  # noqa: E402
from app.model.field_hint import hint  # noqa: E402
from app.run import commands as cmd  # noqa: E402
from app.run.live_edits import LiveEdits  # noqa: E402

MODEL = """<mujoco>
  <default><geom glue="0.5"/><default class="bare"><geom glue="0.75"/></default></default>
  <worldbody><geom size="1"/><geom size="1" class="bare"/><geom size="1" glue="2"/></worldbody>
</mujoco>"""


def main(folder: Path) -> None:
    assert sim.loads('<mujoco><worldbody><geom size="1"/></worldbody></mujoco>').geom_glue.tolist() == [0.25]  # type: ignore[attr-defined]
    m: Any = sim.loads(MODEL)
    assert m.geom_glue.tolist() == [0.5, 0.75, 2.0] and m.geom(2).glue == 2.0
    try:
        sim.loads(MODEL.replace('glue="2"', 'glue="much"'))
        raise AssertionError("a bad value was accepted")
    except sim.MjcfError as error:
        assert "glue" in str(error) and "'much' is not a number" in str(error)
    row = BY_PATH["geom_glue"]
    tooltip = hint(row, (2,), m, m.geom_glue[2], row.numbers(m, (2,))[0])
    for text in (
        "geom/glue   [N]",
        "holds its contacts",
        "tear contacts",
        "default 0.25, in the file 2; legal at least 0",
    ):
        assert text in tooltip, tooltip
    sim.prepare(m)
    edits = LiveEdits(sim, m, lambda message: None)  # type: ignore[arg-type]
    assert edits.apply(cmd.SetField("geom_glue", -3.0, (1,))) == {"geom_glue"}
    assert m.geom_glue[1] == 0.0 and set(edits.file_values) == {"geom_glue"}
    edits.apply(cmd.SetField("geom_glue", 4.5, (1,)))
    m.save_xml(folder / "saved.xml")
    assert 'glue="4.5"' in (folder / "saved.xml").read_text(encoding="utf-8")
    saved: Any = sim.load(folder / "saved.xml")
    assert np.array_equal(saved.geom_glue, [0.5, 4.5, 2.0])
    edits.apply(cmd.ResetEdits())
    assert m.geom_glue[1] == 0.75 and not edits.file_values
    print("one row")


main(Path(sys.argv[1]))
