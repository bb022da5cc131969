"""Lines of findings: of the element, of the class that sets the attribute, of an option, of an exclusion."""

from __future__ import annotations

from pathlib import Path

import sim
from app.instruments.doctor.examine import examine
from app.instruments.doctor.finding import Finding, Place, Severity
from app.instruments.doctor.places import with_places
from app.model.selection import Selection

MAIN = """<mujoco>
  <include file="classes.xml"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="ball" pos="0 0 .1"><freejoint/>
      <geom class="stiff" size=".1"/>
    </body>
    <body name="lost" pos="0 1 .1"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <contact>
    <exclude body1="lost" body2="ball"/>
    <exclude body1="world" body2="lost"/>
  </contact>
</mujoco>
"""
CLASSES = """<mujoco>
  <default>
    <default class="stiff">
      <geom solref="-1e9 -1"/>
    </default>
  </default>
</mujoco>
"""


def test_lines_of_an_examination(tmp_path: Path) -> None:
    (tmp_path / "main.xml").write_text(MAIN)
    (tmp_path / "classes.xml").write_text(CLASSES)
    findings = {finding.check: finding.place for finding in examine(sim.load(str(tmp_path / "main.xml")))}
    assert findings["contact-unstable"] == Place(str(tmp_path / "classes.xml"), 4)
    assert findings["body-filtered"] == Place(str(tmp_path / "main.xml"), 12)


def test_what_has_a_place_keeps_it_and_trees_have_that_of_their_root() -> None:
    model = sim.loads("<mujoco>\n<worldbody>\n<body><freejoint/><geom size='1'/></body></worldbody></mujoco>")
    known = Place("elsewhere.xml", 7)
    given = [
        Finding("a", Severity.NOTE, Selection("geom", 0), "", "", place=known),
        Finding("b", Severity.NOTE, Selection("tree", 0), "", ""),
        Finding("c", Severity.NOTE, Selection("contact", 0), "", ""),
    ]
    assert [finding.place for finding in with_places(model, given)] == [known, Place("<text>", 3), None]
