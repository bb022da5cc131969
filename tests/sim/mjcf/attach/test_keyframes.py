"""Keyframes through replicate and attach: the example of keyframes.py stage by stage, and others, against MuJoCo."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from sim.mjcf import MjcfError, compile_file, compile_text
from sim.mjcf.attach import keyframes, replicate
from sim.mjcf.attach.key_node import KeyNode
from sim.mjcf.attach.keyframes import AttachedKeys, keys_of
from sim.mjcf.source import Node
from tests.sim.mjcf.compare import differences


def blocks() -> dict[str, list[str]]:
    """The indented blocks of the docstring by their first words."""
    paragraphs = (keyframes.__doc__ or "").split("\n\n")
    indented = [text.splitlines() for text in paragraphs if text.startswith("    ")]
    return {lines[0].split()[0]: lines for lines in indented}


def write_example(folder: Path) -> Path:
    for name in ("main.xml", "arm.xml"):
        lines = blocks()[name]
        text = "\n".join([lines[0].replace(name, ""), *lines[1:]])
        (folder / name).write_text(f"<mujoco>{text}</mujoco>")
    return folder / "main.xml"


def shown(key: KeyNode) -> str:
    """A keyframe as in the docstring: which joint takes which value of qpos."""
    values = key.attrib["qpos"].split()
    taken = [part.element.attrib["name"] if part.taken else "-" for part in key.slices["joint"]]
    return " ".join([key.attrib["name"], *(f"{name}={value}" for name, value in zip(taken, values, strict=True))])


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keyframes of the attached model after each stage."""
    found: list[str] = []

    def observe(where: Any, name: str, root_of: Callable[[Any], Node]) -> None:
        original = getattr(where, name)

        def observed(first: Any, *given: Any) -> None:
            original(first, *given)
            found.extend(shown(key) for key in keys_of(root_of(first)) if isinstance(key, KeyNode))

        monkeypatch.setattr(where, name, observed)

    observe(AttachedKeys, "attach", lambda keys: keys._root)
    observe(replicate, "follow_clones", lambda root: root)
    return found


def test_the_stages_of_the_example(stages: list[str], tmp_path: Path) -> None:
    compile_file(write_example(tmp_path))
    # what the stage is, then the keyframe
    lines = [line.split()[1:] for line in blocks()["attach"]]
    assert stages == [" ".join(words) for words in lines]
    assert len(stages) == 2


def test_the_compiled_example(tmp_path: Path) -> None:
    compiled = compile_file(write_example(tmp_path))
    title, *rows = [line.split() for line in blocks()["compiled"]]
    assert compiled.names["joint"] == title[1:]
    assert compiled.names["key"] == [row[0] for row in rows]
    expected = [[float(word) for word in row[1:]] for row in rows]
    assert np.allclose(compiled.values["key_qpos"], expected, rtol=0, atol=0.005)
    assert differences(compiled, mujoco.MjModel.from_xml_path(str(tmp_path / "main.xml"))) == []


# ---- against MuJoCo


def arm(name: str, ref: int = 90) -> str:
    return f'<body name="b{name}"><joint name="{name}" ref="{ref}"/><geom size="1"/></body>'


def model(world: str, keys: str = "", head: str = "", tail: str = "") -> str:
    return f"<mujoco>{head}<worldbody>{world}</worldbody>{tail}<keyframe>{keys}</keyframe></mujoco>"


def mocap(x: int) -> str:
    return f'<body mocap="true" pos="{x} 6 7" euler="90 0 0"/>'


FREE = '<body name="f" pos="1 2 3" quat="0 1 0 0"><freejoint name="fj"/><geom size="1"/></body>'
ACTUATORS = """<actuator><general name="u" joint="p" dyntype="integrator"/><motor name="v" joint="q"/>
    <general name="w" joint="q" dyntype="integrator"/></actuator>"""
LEAF = model(arm("p") + arm("q", 45), '<key name="h" qpos="1 2" qvel="3 4" act="5 6" ctrl="7 8 9"/>', tail=ACTUATORS)
MIDDLE = model(
    arm("s") + '<attach model="leaf" body="bq" prefix="l_"/>',
    '<key name="m" qpos="5 6" ctrl="7 8"/>',
    '<asset><model name="leaf" file="leaf.xml"/></asset>',
)
COPIES = model(
    arm("p") + f'<replicate count="2">{arm("r", 45)}{mocap(1)}</replicate>',
    '<key name="h" qpos="1 2 3" mpos="7 8 9"/>',
)
FILES = {
    "leaf.xml": LEAF,
    "middle.xml": MIDDLE,
    "copies.xml": COPIES,
    "short.xml": model(arm("p") + FREE, '<key name="h" qpos="1 9 8"/>'),
    "mocap.xml": model(mocap(1) + mocap(2), '<key name="h" mpos="9 8 7"/>'),
}
ASSETS = "<asset>" + "".join(f'<model name="{name[:-4]}" file="{name}"/>' for name in FILES) + "</asset>"


def attached(what: str, prefix: str = "x_") -> str:
    return f'<attach model="{what}" prefix="{prefix}"/>'


def copies(count: int, inside: str, sep: str = "") -> str:
    return f'<replicate count="{count}" offset="1 0 0" sep="{sep}">{inside}</replicate>'


KEY = '<key name="k" qpos="9 8 7"/>'
OWN = KEY + '<key name="l" qvel="1" ctrl="2"/>'
Q = 'leaf" body="bq'
P = 'leaf" body="bp'
KEYS = {
    "of the whole model": model(arm("a") + copies(2, arm("b")), '<key qpos="1 2 3"/>'),
    "of one copy": model(arm("a") + copies(2, arm("b")), '<key qpos="1 2"/>'),
    "of copies of copies": model(copies(2, copies(3, arm("b")), "-") + copies(7, arm("c"), "_"), '<key qpos="1 2 3"/>'),
    "controls of copies": model(
        arm("a") + copies(2, arm("p") + arm("q")), '<key ctrl="1 2 3" act="4 5"/>', "", ACTUATORS
    ),
    "copied mocap bodies": model(copies(2, mocap(1)), '<key mpos="1 2 3"/>'),
    "part of itself": model(arm("p") + arm("q") + '<attach body="bp" prefix="x_"/>', '<key qpos="1 2 3"/>'),
    "short": model(arm("a") + FREE, '<key qpos="1"/><key qpos="1 2"/><key qpos="1 2 3 4 5"/><key qvel="1 2"/>'),
    "short activations": model(arm("p") + arm("q"), '<key act="1" ctrl="2 3"/>', tail=ACTUATORS),
    "attached": model(arm("a") + attached("leaf") + arm("e"), OWN, ASSETS),
    "attached twice": model(attached("leaf") + arm("a") + attached("leaf", "y_"), OWN, ASSETS),
    "attached part": model(arm("a") + attached(Q), OWN.replace(" 7", ""), ASSETS),
    "attached part by part": model(attached(Q) + attached(P, "y_") + attached("leaf", "z_"), OWN, ASSETS),
    "attached, then copied": model(arm("a") + copies(2, attached(Q)) + arm("e"), OWN, ASSETS),
    "attached whole, then copied": model(arm("a") + copies(2, attached("leaf")), OWN, ASSETS),
    "attached, copied, then the rest": model(copies(2, attached(Q)) + attached(P, "y_"), "", ASSETS),
    "attached, then copied twice": model(copies(2, copies(2, attached(Q)), "-") + attached(P, "y_"), "", ASSETS),
    "attached, then a part of itself": model(attached(Q) + '<attach body="x_bq" prefix="y_"/>', "", ASSETS),
    "attached, copied never": model(copies(0, attached(Q)) + attached(P, "y_"), "", ASSETS),
    "attached copies": model(arm("a") + attached("copies"), KEY, ASSETS),
    "attached copy": model(arm("a") + attached('copies" body="br1'), '<key qpos="1 2"/>', ASSETS),
    "attached models of models": model(arm("a") + attached("middle"), OWN, ASSETS),
    "attached part of models of models": model(arm("a") + attached('middle" body="bs'), '<key qpos="1"/>', ASSETS),
    "attached part of a model in a model": model(arm("a") + attached('middle" body="l_bq'), "", ASSETS),
    "attached, short": model(arm("a") + attached("short"), KEY, ASSETS),
    "attached, short by a joint": model(arm("a") + attached('short" body="f'), "", ASSETS),
    "attached mocap bodies": model(f'<frame pos="1 1 1">{attached("mocap")}</frame>', '<key mpos="1 2 3"/>', ASSETS),
    "nkey and attached": model(arm("a") + attached("leaf"), OWN, ASSETS + '<size nkey="5"/>'),
    "nkey is less": model(arm("a") + attached("leaf") + attached("leaf", "y_"), OWN, ASSETS + '<size nkey="3"/>'),
}


@pytest.mark.parametrize("name", KEYS)
def test_keyframes(name: str) -> None:
    compiled = compile_text(KEYS[name], FILES)
    given = {file: text.encode() for file, text in FILES.items()}
    expected = mujoco.MjModel.from_xml_string(KEYS[name], given)
    assert differences(compiled, expected) == []
    assert compiled.names["key"] == [expected.key(k).name for k in range(expected.nkey)]


TOO_LONG = {
    "of copies": model(copies(2, arm("b")), '<key qpos="1 2 3"/>'),
    "of an attached model": model(attached("long"), "", '<asset><model name="long" file="long.xml"/></asset>'),
}


@pytest.mark.parametrize("name", TOO_LONG)
def test_too_many_values(name: str) -> None:
    files = {"long.xml": model(arm("a"), '<key name="h" qpos="1 2"/>')}
    with pytest.raises(ValueError, match="invalid qpos size"):
        mujoco.MjModel.from_xml_string(TOO_LONG[name], {file: text.encode() for file, text in files.items()})
    with pytest.raises(MjcfError, match=r"<key>: .*qpos has . values; (the model|its submodel) needs"):
        compile_text(TOO_LONG[name], files)


def test_a_part_of_a_position_has_no_effect() -> None:
    text = model(mocap(1) + mocap(2), '<key mpos="9 8 7 6"/><key mquat="1 1 0 0 5"/><key mpos="9 8"/>')
    with pytest.warns(UserWarning, match="<key>: mpos has 4 values, of which the last 1 have no effect; specify all 3"):
        compiled = compile_text(text)
    assert differences(compiled, mujoco.MjModel.from_xml_string(text)) == []
