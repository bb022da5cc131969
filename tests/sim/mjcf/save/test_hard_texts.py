"""Texts that are hard to edit: one edit changes one place of each, and the file loads to the edited model."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from sim.fields import MODEL_LAYOUT
from sim.model import Model
from sim.save_plan import COPIES, SavePlan
from tests.sim.test_save_plan import changed

WORLD = '<worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/></body></worldbody>'
PLAIN = f"<mujoco>\n  {WORLD}\n</mujoco>\n"
# the geom g in texts of all kinds
TEXTS = {
    "plain": PLAIN,
    "one line": f"<mujoco>{WORLD}</mujoco>",
    "no newline at the end": PLAIN.rstrip(),
    "newlines at the end": PLAIN + "\n\n",
    "tabs": PLAIN.replace("  <", "\t<").replace(' size="', '\tsize = "'),
    "single quotes": PLAIN.replace('"', "'"),
    "an open tag": PLAIN.replace('".1"/>', '".1"></geom>'),
    "a space before the end": PLAIN.replace('".1"/>', '".1" />'),
    "comments beside it": PLAIN.replace("<geom", '<!-- <geom name="g"> --><geom').replace('.1"/>', '.1"/><!--/>-->'),
    "a greater sign in a value": PLAIN.replace('name="g"', 'name="g" user="1" class=">"').replace(
        "  <world", '  <default><default class=">"><geom margin="0"/></default></default>\n<world'
    ),
    "entities": PLAIN.replace('"b"', '"&lt;&quot;&#228;&amp;&apos;&gt;"'),
    "attributes on lines": PLAIN.replace('<geom name="g" size', '<geom\n  name="g"\n\n  size'),
    "crlf": PLAIN.replace("\n", "\r\n"),
    "crlf, attributes on lines": PLAIN.replace('<geom name="g" size', '<geom\n  name="g"\n  size').replace(
        "\n", "\r\n"
    ),
    "a declaration": '<?xml version="1.0" encoding="utf-8"?>\n<?other <geom/> ?>\n' + PLAIN,
    "a document type": "<!DOCTYPE mujoco [\n<!ELEMENT geom ANY> <!-- ]> -->\n]>\n" + PLAIN,
    "cdata": PLAIN.replace(
        "</mujoco>", '<custom><text name="t"><![CDATA[ <geom name="g"/> ]]></text></custom></mujoco>'
    ),
    "text between tags": PLAIN.replace("<geom", "some words &amp; more<geom"),
    "umlauts": PLAIN.replace("<worldbody>", "<!-- größe 漢字 --><worldbody>"),
    "a line separator": PLAIN.replace("<worldbody>", "<!-- \u2028\x85 --><worldbody>"),
}
ENCODINGS = {
    "utf-8": lambda text: text.encode(),
    "utf-8 with mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "utf-16-le": lambda text: b"\xff\xfe" + text.encode("utf-16-le"),
    "utf-16-be": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "latin-1": lambda text: text.replace("<worldbody>", "<!-- größe --><worldbody>").encode("latin-1", "ignore"),
}


def differing(a: Model, b: Model) -> list[str]:
    return [name for name in MODEL_LAYOUT.places if not np.array_equal(a.read(name), b.read(name))]


def saved(m: Model, path: Path, plan: SavePlan | None = None) -> SavePlan:
    """Save a model in place; it loads to the same."""
    plan = plan or m.plan_save()
    plan.write()
    assert differing(m, sim.load(path)) == []
    return plan


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", TEXTS)
def test_one_edit_changes_one_place(name: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    data = ENCODINGS[encoding](TEXTS[name])
    path.write_bytes(data)
    m = sim.load(path)
    m.geom("g").rgba[1] = 0.125
    (edit,) = saved(m, path).edits
    assert (edit.element, edit.attribute) == ('geom "g"', "rgba")
    new = path.read_bytes()
    # what was added is in one piece
    start = next(k for k, (a, b) in enumerate(zip(data, new, strict=False)) if a != b)
    added = len(new) - len(data)
    assert new[:start] + new[start + added :] == data
    assert b"0.125" in new[start : start + added].replace(b"\0", b"")
    assert (tmp_path / "m.xml~").read_bytes() == data


def test_a_name_that_the_encoding_does_not_have(tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_bytes(ENCODINGS["latin-1"](PLAIN))
    m = sim.load(path)
    sim.add_keyframe(m, sim.Data(m), "größe €")
    m.plan_save().write()
    assert sim.load(path).names["key"] == ["größe €"]


# ---- parts of other files


def test_an_include_in_an_include(tmp_path: Path) -> None:
    for name, text in {
        "main.xml": '<mujoco>\n  <include file="a/one.xml"/>\n</mujoco>',
        "a/one.xml": '<x>\n  <worldbody>\n    <include file="b/two.xml"/>\n  </worldbody>\n</x>',
        "a/b/two.xml": '<x>\n  <!-- two -->\n  <geom name="g" size="1"/>\n</x>',
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    m = sim.load(tmp_path / "main.xml")
    m.geom("g").solmix[0] = 0.5
    (edit,) = saved(m, tmp_path / "main.xml").edits
    assert (edit.file.name, edit.line, edit.source) == ("two.xml", 3, "include")


NESTED = """<mujoco>
  <worldbody>
    <replicate count="2" offset="1 0 0" sep="-">
      <replicate count="3" offset="0 1 0">
        <body name="b"><joint name="j"/><geom name="g" size=".1"/></body>
      </replicate>
    </replicate>
  </worldbody>
  <actuator><motor name="m" joint="j"/></actuator>
</mujoco>
"""


def test_a_replicate_in_a_replicate(tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_text(NESTED)
    m = sim.load(path)
    m.actuator_gear[:, 0] = 3.0
    m.geom_rgba[:] = [0, 1, 0, 1]
    sim.set_const(m)
    plan = saved(m, path)
    assert {edit.attribute: len(edit.affects) for edit in plan.edits} == {"rgba": 6, "gear": 6}
    assert len(changed(plan)) == 4
    m = sim.load(path)
    m.body_mass[2] = 7.0
    (edit,) = m.plan_save().undecided
    assert edit.ways == ("all copies", "leave out") and len(edit.affects) == 6
    m.plan_save(ways={edit.key: COPIES}).write()
    assert sim.load(path).body_mass[1:].tolist() == [7.0] * 6


def test_an_attached_model_twice(tmp_path: Path) -> None:
    path = tmp_path / "main.xml"
    (tmp_path / "arm.xml").write_text(
        '<mujoco>\n  <default><geom rgba="1 0 0 1"/></default>\n  <worldbody>\n'
        '    <body name="a"><joint name="j" range="-10 10"/><geom name="g" size=".1"/></body>\n'
        "  </worldbody>\n</mujoco>"
    )
    path.write_text(
        '<mujoco>\n  <compiler angle="radian"/>\n  <asset><model name="arm" file="arm.xml"/></asset>\n  <worldbody>\n'
        '    <attach model="arm" body="a" prefix="l_"/>\n    <attach model="arm" body="a" prefix="r_"/>\n'
        "  </worldbody>\n</mujoco>"
    )
    m = sim.load(path)
    m.jnt_range[:] = [-0.2, 0.3]
    plan = saved(m, path)
    (edit,) = plan.edits
    assert (edit.file.name, edit.line, edit.source, edit.way) == ("arm.xml", 4, "attach", COPIES)
    assert edit.affects == ('joint "l_j"', 'joint "r_j"')
    m = sim.load(path)
    m.geom("l_g").rgba[2] = 0.5
    (edit,) = m.plan_save().undecided
    assert edit.ways == ("all copies", "class", "leave out")
    plan = m.plan_save(ways={edit.key: "class"})
    assert (plan.edits[0].line, plan.edits[0].affects) == (2, ('geom "l_g"', 'geom "r_g"'))
    plan.write()
    assert sim.load(path).geom("r_g").rgba[2] == 0.5


# ---- values


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_text(
        '<mujoco>\n  <option gravity="0 0.0 -9.810"/>\n  <worldbody>\n    <body>\n'
        '      <inertial pos="0 0 .10" mass="1.0" diaginertia=".1 .1 .1"/>\n'
        '      <joint range="-1e1  45.0"/>\n      <geom size=".1" friction=".80 .0050"/>\n    </body>\n'
        "    <body><joint/><geom size='.1' mass='2'/></body>\n  </worldbody>\n</mujoco>\n"
    )
    m = sim.load(path)
    m.opt.gravity[1] = 2.5
    m.body_mass[1] = 1.5
    m.body_mass[2] = 3.0
    m.jnt_range[0, 1] = np.pi / 3
    m.geom_friction[0, 0] = 0.9
    sim.set_const(m)
    plan = m.plan_save()
    moments = " ".join(3 * [repr(float(m.body_inertia[2, 0]))])
    inertial = f'<inertial pos="0 0 0" quat="1 0 0 0" mass="3" diaginertia="{moments}"/>'
    assert [line.strip("+ ") for line in changed(plan) if line[0] == "+"] == [
        '<option gravity="0 2.5 -9.810"/>',
        '<inertial pos="0 0 .10" mass="1.5" diaginertia=".1 .1 .1"/>',
        '<joint range="-1e1  60"/>',
        '<geom size=".1" friction="0.9 .0050"/>',
        f"<body>{inertial}<joint/><geom size='.1' mass='2'/></body>",
    ]
    plan.write()
    assert not {*differing(m, sim.load(path))} - {"stat.meanmass", "body_subtreemass"}


@pytest.mark.parametrize("angle", [0.1, 1.0, np.pi / 4, np.pi, 1e-9, 2.5, np.nextafter(1.0, 2)])
def test_degrees_give_the_same_bits(angle: float, tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_text(PLAIN)
    m = sim.load(path)
    m.jnt_range[0], m.jnt_limited[0] = [0, angle], True
    saved(m, path)


def test_equalities_are_switched_by_active(tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_text(PLAIN.replace("</mujoco>", '  <equality><weld body1="b" active="true"/></equality>\n</mujoco>'))
    m = sim.load(path)
    m.eq_active0[0] = False
    (edit,) = saved(m, path).edits
    assert (edit.attribute, edit.before, edit.after) == ("active", "true", "false")


# ---- disks


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.xml"
    path.write_text(PLAIN)
    m = sim.load(path)
    m.opt.timestep = 0.5
    plan = m.plan_save()

    def refused(*arguments: object, **options: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(PermissionError):
        plan.write()
    monkeypatch.undo()
    assert path.read_text() == PLAIN
    assert os.listdir(tmp_path) == ["m.xml"]


@pytest.mark.parametrize("room", [0, 1])
def test_a_full_disk(room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the backup, or before the file itself: all is as it was."""
    path = tmp_path / "m.xml"
    path.write_text(PLAIN)
    m = sim.load(path)
    m.opt.timestep = 0.5
    plan = m.plan_save()
    opened: list[int] = []
    fdopen = os.fdopen

    def full(file: int, *arguments: Any, **options: Any) -> Any:
        if len(opened) == room:
            raise OSError(errno.ENOSPC, "No space left on device")
        opened.append(file)
        return fdopen(file, *arguments, **options)

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(OSError, match=f"No space left on device: '{path}"):
        plan.write()
    monkeypatch.undo()
    assert path.read_text() == PLAIN
    assert os.listdir(tmp_path) == ["m.xml"]


def test_a_link_and_the_mode_of_a_file_stay(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real, link = tmp_path / "real" / "m.xml", tmp_path / "m.xml"
    real.write_text(PLAIN)
    real.chmod(0o640)
    link.symlink_to(real)
    m = sim.load(link)
    m.opt.timestep = 0.5
    plan = m.plan_save()
    plan.write()
    assert link.is_symlink() and real.stat().st_mode & 0o777 == 0o640
    assert plan.backups == (tmp_path / "real" / "m.xml~",)
    assert 'timestep="0.5"' in real.read_text()


def test_a_read_only_file_is_not_replaced(tmp_path: Path) -> None:
    """Though its folder could be written."""
    path = tmp_path / "model.xml"
    path.write_text("<mujoco/>")
    model = sim.load(path)
    model.opt.timestep = 0.001
    path.chmod(0o444)
    for overwrite in (False, True):
        with pytest.raises(PermissionError, match="read-only"):
            model.plan_save().write(overwrite)
    assert [file.name for file in tmp_path.iterdir()] == ["model.xml"]
    assert path.read_text() == "<mujoco/>"
