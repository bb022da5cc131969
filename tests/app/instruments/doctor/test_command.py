"""`kinetoscope doctor`: text, JSON and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.__main__ import main

HEALTHY = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body pos="0 0 .1"><freejoint/><geom name="ball" size=".1"/></body>
  </worldbody>
</mujoco>
"""
WARNING = HEALTHY.replace('name="ball" size=".1"', 'name="ball" size=".1"\n      friction="100"')
ERROR = HEALTHY.replace('name="ball" size=".1"', 'name="ball" size=".1"\n      solref="-1e9 -1"')
BROKEN = HEALTHY.replace("<freejoint/>", "<freejiont/>")


@pytest.fixture
def models(tmp_path: Path) -> dict[str, str]:
    texts = {"healthy": HEALTHY, "warning": WARNING, "error": ERROR, "broken": BROKEN}
    for name, text in texts.items():
        (tmp_path / f"{name}.xml").write_text(text)
    return {name: str(tmp_path / f"{name}.xml") for name in texts}


@pytest.mark.parametrize(
    ("names", "options", "code"),
    [
        (["healthy"], [], 0),
        (["warning"], [], 0),
        (["warning"], ["--strict"], 3),
        (["error"], [], 3),
        (["healthy", "error", "healthy"], [], 3),
        (["broken"], [], 1),
        (["error", "broken"], [], 1),
        (["healthy"], ["--strict"], 0),
    ],
)
def test_exit_code(models: dict[str, str], names: list[str], options: list[str], code: int) -> None:
    assert main(["doctor", *(models[name] for name in names), *options]) == code


def test_text(models: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor", models["healthy"], models["error"], models["broken"], models["warning"]])
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0] == f"{models['healthy']}: nothing found"
    # the line of the attribute, not of the element
    found = next(line for line in lines if line.startswith(f"{models['error']}:5: error: geom ball: solref -1e+09 -1"))
    assert found.endswith("(contact-unstable)")
    after = lines[lines.index(found) + 1 :]
    assert after[0].startswith("    Its stiffness") and after[1].startswith("    fix: set solref to 0.004 1")
    assert f"{models['warning']}: 1 warning" in lines
    assert f"{models['broken']}:4:" in err and "freejiont" in err


def test_brief(models: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor", "--brief", models["warning"]])
    place, total = capsys.readouterr().out.splitlines()
    assert place.startswith(f"{models['warning']}:5: warning: geom ball has a friction coefficient of 100")
    assert total == f"{models['warning']}: 1 warning"


def test_json(models: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor", "--json", models["healthy"], models["warning"], models["broken"]])
    healthy, faulty, broken = json.loads(capsys.readouterr().out)
    assert healthy == {"model": models["healthy"], "findings": []}
    (finding,) = faulty["findings"]
    assert finding["severity"] == "warning" and finding["check"] == "friction-large"
    assert (finding["file"], finding["line"]) == (models["warning"], 5)
    assert finding["element"] == {"kind": "geom", "index": 1} and finding["attribute"] == "friction"
    assert finding["fixes"] == ["set friction to 1"]
    assert "freejiont" in broken["failure"]


def test_bundled_scene(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "double_pendulum"]) == 0
    assert "nothing found" in capsys.readouterr().out


def test_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "no_such_model.xml"]) == 1
    assert "does not exist" in capsys.readouterr().err


def test_needs_a_model(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["doctor"])
    assert "MODEL" in capsys.readouterr().err
