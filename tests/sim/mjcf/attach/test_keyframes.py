"""Keyframes through replicate and attach: the example in the docstring of keyframes.py, stage by stage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from sim.mjcf import compile_file, compile_text
from sim.mjcf.attach import keyframes
from sim.mjcf.attach.key_node import KeyNode
from sim.mjcf.attach.keyframes import AttachedKeys, ReplicatedKeys, keys_of
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
    """A keyframe as in the docstring: which joint takes which value of qpos, and which are padded."""
    values = key.attrib["qpos"].split()
    taken = [part.element.attrib["name"] if part.taken else "-" for part in key.slices["joint"]]
    words = [key.attrib["name"], *(f"{name}={value}" for name, value in zip(taken, values, strict=True))]
    padded = sorted(node.attrib["name"] for node in key.padded if node.tag == "joint")
    return " ".join([*words, *(["pads", *padded] if padded else [])])


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keyframes that each stage adds."""
    found: list[str] = []

    def observe(kind: type, method: str) -> None:
        original = getattr(kind, method)

        def observed(self: Any, *given: Any) -> None:
            root: Node = self._root
            before = {*keys_of(root)}
            original(self, *given)
            found.extend(shown(key) for key in keys_of(root) if isinstance(key, KeyNode) and key not in before)

        monkeypatch.setattr(kind, method, observed)

    observe(ReplicatedKeys, "add_copy")
    observe(ReplicatedKeys, "finish")
    observe(AttachedKeys, "attach")
    return found


def test_the_stages_of_the_example(stages: list[str], tmp_path: Path) -> None:
    compile_file(write_example(tmp_path))
    # what the stage is, then the keyframe
    lines = [line[30:].split() for line in blocks()["replicate,"]]
    assert stages == [" ".join(words) for words in lines]
    assert len(stages) == 4


def test_the_compiled_example(tmp_path: Path) -> None:
    compiled = compile_file(write_example(tmp_path))
    title, *rows = [line.split() for line in blocks()["compiled"]]
    assert compiled.names["joint"] == title[1:]
    assert compiled.names["key"] == [row[0] for row in rows]
    expected = [[float(word) for word in row[1:]] for row in rows]
    assert np.allclose(compiled.values["key_qpos"], expected, rtol=0, atol=0.005)
    assert differences(compiled, mujoco.MjModel.from_xml_path(str(tmp_path / "main.xml"))) == []


@pytest.mark.parametrize("outer", [1, 2])
@pytest.mark.parametrize("inner", [2, 3])
@pytest.mark.parametrize("later", [1, 7])
def test_padding_follows_copies_of_copies(outer: int, inner: int, later: int) -> None:
    """What is padded is copied once more, then removed; elements that are made later do not take its place."""
    arm = '<body><joint ref="90"/><geom size="1"/></body>'
    text = f"""<mujoco><worldbody>
      <replicate count="{outer}" sep="-"><replicate count="{inner}">{arm}</replicate></replicate>
      <replicate count="{later}" sep="_">{arm}</replicate></worldbody>
      <keyframe><key qpos="1"/></keyframe></mujoco>"""
    compiled = compile_text(text)
    assert (compiled.values["key_qpos"] == 90).any()
    assert differences(compiled, mujoco.MjModel.from_xml_string(text)) == []
