"""What a text is about (app/run/log/links.py): elements of the model, lines of files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.model.selection import Selection
from app.run.log.links import FileLine, named_element, named_line
from tests.app.conftest import Views

MODEL = """<worldbody><geom name='floor' type='plane' size='1 1 1'/>
<body name='arm'><joint name='elbow'/><geom size='.1'/></body><body name='both'><geom name='both' size='.1'/></body>
</worldbody>"""


@pytest.fixture
def model(views: Views) -> Any:
    return views(MODEL)[0]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a position is bad: qpos[0], joint elbow of body arm", Selection("joint", 0)),
        ("body arm, and so on", Selection("body", 1)),
        ("the body 'arm'.", Selection("body", 1)),
        ('geom "floor" is flat', Selection("geom", 0)),
        ("geom 1 touches", Selection("geom", 1)),
        ("geom 99 is not there", None),
        ("body nobody, but 'elbow' is", Selection("joint", 0)),
        # two elements are called so
        ("'both' of them", None),
        ("geom both", Selection("geom", 2)),
        ("no arm of a body", None),
        ("anybody arm", None),
        ("", None),
    ],
)
def test_elements(model: Any, text: str, found: Selection | None) -> None:
    assert named_element(text, model) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('  File "/a b/c.py", line 3, in f\n  File "/d/e.py", line 14, in g\nValueError', FileLine("/d/e.py", 14)),
        ("model.xml:3: <geom>: unknown attribute", FileLine("model.xml", 3)),
        ("/x/model.xml:12:4 bad", FileLine("/x/model.xml", 12)),
        ("panels.py, line 7: NameError: x", FileLine("panels.py", 7)),
        ("at 12:30:05 o'clock", None),
        ("saved /x/kinetoscope-2.png", None),
        ("3.14:2", None),
    ],
)
def test_lines(text: str, found: FileLine | None) -> None:
    assert named_line(text) == found


def test_a_line_says_where(tmp_path: Any) -> None:
    file = tmp_path / "a.py"
    assert str(FileLine(str(file), 3)) == f"{file}:3"
    assert not FileLine(str(file), 3).exists
    file.touch()
    assert FileLine(str(file), 3).exists


def test_a_file_in_a_folder_with_a_space_is_found(tmp_path: Path) -> None:
    file = tmp_path / "a folder" / "model.xml"
    file.parent.mkdir()
    file.touch()
    assert named_line(f"{file}:3: look") == FileLine(str(file), 3)


def test_a_desktop_without_an_opener_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.warns(UserWarning, match="open could not be started: No such file"):
        FileLine(str(tmp_path / "a.xml"), 1).open()
