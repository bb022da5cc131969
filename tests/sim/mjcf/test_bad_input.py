"""The table of bad input: files on the disk, and the one message that each of them gets, with file and line."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import sim
from sim.mjcf import MjcfError, compile_file, compile_text

NOWHERE = "{folder}"


def world(text: str, before: str = "", after: str = "") -> str:
    """A model whose fourth line holds the mistake."""
    return f"<mujoco>\n{before}\n<worldbody>\n{text}\n</worldbody>\n{after}</mujoco>"


def asset(text: str, inside: str = "") -> str:
    """A model with an asset on its fourth line."""
    return f"<mujoco>\n\n<asset>\n{text}\n</asset><worldbody>{inside}</worldbody></mujoco>"


def moving(inside: str) -> str:
    return f'<body name="b">{inside}<geom size="1"/></body>'


def included(text: str) -> dict[str, str]:
    return {"main.xml": world('<include file="part.xml"/>'), "part.xml": text}


BOMB = '<!DOCTYPE m [\n<!ENTITY a "aaaa">\n<!ENTITY b "&a;&a;&a;&a;">]>\n<mujoco model="&b;"/>'
LONG = "a" * 5000
MESH_GEOM = '<geom type="mesh" mesh="m"/>'

# what is wrong -> the file or files, and the message
CASES: dict[str, tuple[str | dict[str, str], str]] = {
    # numbers
    "a word for a number": (
        world('<geom size="1" pos="1 2 x"/>'),
        "main.xml:4: <geom>: pos=\"1 2 x\": 'x' is not a number",
    ),
    "nan": (world('<geom size="nan"/>'), "main.xml:4: <geom>: size=\"nan\": 'nan' is not a finite number"),
    "infinity": (
        world('<geom size="1" pos="0 inf 0"/>'),
        "main.xml:4: <geom>: pos=\"0 inf 0\": 'inf' is not a finite number",
    ),
    "overflow": (world('<geom size="1e400"/>'), "main.xml:4: <geom>: size=\"1e400\": '1e400' is not a finite number"),
    "a digit of another alphabet": (
        world('<geom size="&#x661;"/>'),
        "main.xml:4: <geom>: size=\"\u0661\": '\u0661' is not a number",
    ),
    "too few numbers": (
        world('<geom size="1" pos="1 2"/>'),
        'main.xml:4: <geom>: pos="1 2": expected 3 values, got 2',
    ),
    # elements and attributes
    "unknown attribute": (
        world('<geom size="1" poss="1 2 3"/>'),
        "main.xml:4: <geom>: unknown attribute 'poss'; did you mean 'pos'?",
    ),
    "unknown element": (world("<goem/>"), "main.xml:4: <goem>: unknown element in <worldbody>; did you mean 'geom'?"),
    "unknown keyword": (
        world('<geom type="shpere"/>'),
        "main.xml:4: <geom>: type=\"shpere\": unknown keyword; did you mean 'sphere'?",
    ),
    "too many attributes": (
        world(f"<geom {' '.join(f'a{k}={k!r}' for k in map(str, range(2000)))}/>"),
        "main.xml:4: <geom>: it has 2000 attributes; the maximum is 1000",
    ),
    "nested too deeply": (
        world("<body>" * 5000 + "</body>" * 5000),
        "main.xml:4: elements are nested too deeply; nest fewer elements",
    ),
    "frames nested too deeply": (
        world("<frame>" * 1500 + "</frame>" * 1500),
        "main.xml:4: <frame>: elements are nested too deeply; nest fewer elements",
    ),
    "classes nested too deeply": (
        world("", '<default class="a">' * 1500 + "</default>" * 1500),
        "main.xml:2: <default>: elements are nested too deeply",
    ),
    "copies nested too deeply": (
        world('<replicate count="1">' * 900 + '<geom size="1"/>' + "</replicate>" * 900),
        "main.xml:4: <replicate>: elements are nested too deeply",
    ),
    "another root": ("\n\n<html/>", "main.xml:3: <html>: the root element is <html>; it must be <mujoco> or <robot>"),
    "an empty file": ("", "main.xml:1: not well-formed XML: "),
    "not closed": ("<mujoco>\n<worldbody>\n</mujoco>", "main.xml:3: not well-formed XML: "),
    # what is not supported
    "flex": ("<mujoco>\n<deformable>\n\n<flex/></deformable></mujoco>", "is not supported"),
    "flexcomp": (world('<flexcomp name="f"/>'), "main.xml:4: <flexcomp>: <flexcomp> in <worldbody> is not supported"),
    "composite": (world("<composite/>"), "main.xml:4: <composite>: MuJoCo 4.0 has no <composite>"),
    "plugin": (world("<body><plugin/></body>"), "main.xml:4: <plugin>: <plugin> in <body> is not supported"),
    "extension": (
        "<mujoco>\n<extension/></mujoco>",
        "main.xml:2: <extension>: <extension> in <mujoco> is not supported",
    ),
    "sdf": (world('<geom type="sdf"/>'), "main.xml:4: <geom>: geom type sdf is not supported"),
    # sizes that no machine has
    "a sensor of very many numbers": (
        world("", after='<sensor>\n<user dim="1000000000"/></sensor>'),
        "main.xml:7: <user>: the model is too large: 7.5 GB so far; the maximum is 2 GB: make this element smaller",
    ),
    "very many contacts": (
        world('<geom name="g" size="1"/>', after='<sensor>\n<contact geom1="g" num="1000000000"/></sensor>'),
        "main.xml:7: <contact>: the model is too large: 7.5 GB so far",
    ),
    "very many rays": (
        world('<camera name="c" resolution="100000 100000"/>', after='<sensor>\n<rangefinder camera="c"/></sensor>'),
        "main.xml:7: <rangefinder>: the model is too large: 74.5 GB so far",
    ),
    "many sensors of many numbers": (
        world("", after="<sensor>\n" + '<user dim="100000000"/>' * 3 + "</sensor>"),
        "main.xml:7: <user>: the model is too large: 2.2 GB so far",
    ),
    "very many activations": (
        world(
            moving('<joint name="j"/>'),
            after='<actuator>\n<general joint="j" dyntype="user" actdim="1000000000"/></actuator>',
        ),
        "main.xml:7: <general>: the model is too large: 7.5 GB so far",
    ),
    "very many numbers of the user": (
        world('<geom size="1"/>' * 100, '<size nuser_geom="10000000"/>'),
        "main.xml:2: <size>: the model is too large: 7.5 GB so far",
    ),
    "very many keyframes": (
        world("", '<size nkey="10000000"/>'),
        "main.xml:2: <size>: nkey is 10000000; the maximum is 1000000",
    ),
    "a very long size": (
        world("", f'<size memory="{"9" * 5000}"/>'),
        'main.xml:2: <size>: memory="9999999999999999999999999999999999999..." is not a size; write a number',
    ),
    # files
    "an include with a very long name": (
        world(f'<include file="{LONG}"/>'),
        f"main.xml:4: <include>: '{LONG[:37]}...': a file cannot be read: File name too long",
    ),
    "a mesh with a very long name": (
        asset(f'<mesh name="m" file="{LONG}.obj"/>'),
        f"main.xml:4: <mesh>: '{LONG[:37]}...': a file cannot be read: File name too long",
    ),
    "a height field with a very long name": (
        asset(f'<hfield name="h" size="1 1 1 1" file="{LONG}.png"/>'),
        f"main.xml:4: <hfield>: '{LONG[:37]}...': a file cannot be read: File name too long",
    ),
    "a model with a very long name": (
        asset(f'<model name="m" file="{LONG}.xml"/>'),
        f"main.xml:4: <model>: '{LONG[:37]}...': a file cannot be read: File name too long",
    ),
    "a very long folder": (
        f'<mujoco>\n<compiler meshdir="{LONG}"/>\n<asset>\n<mesh file="m.obj"/></asset></mujoco>',
        f"main.xml:4: <mesh>: '{LONG[:37]}...': a file cannot be read: File name too long",
    ),
    "missing include": (
        world('<include file="none.xml"/>'),
        f"main.xml:4: <include>: file 'none.xml' not found; looked in {NOWHERE}",
    ),
    "missing mesh": (
        asset('<mesh file="none.stl"/>'),
        f"main.xml:4: <mesh>: file 'none.stl' not found; looked in {NOWHERE}",
    ),
    "missing texture": (
        asset('<texture type="2d" file="none.png"/>'),
        f"main.xml:4: <texture>: file 'none.png' not found; looked in {NOWHERE}",
    ),
    "missing height field": (
        asset('<hfield size="1 1 1 1" file="none.png"/>'),
        f"main.xml:4: <hfield>: file 'none.png' not found; looked in {NOWHERE}",
    ),
    "missing model": (
        asset('<model file="none.xml"/>'),
        f"main.xml:4: <model>: file 'none.xml' not found; looked in {NOWHERE}",
    ),
    "no picture in a picture file": (
        {"main.xml": asset('<texture name="t" type="2d" file="t.png"/>'), "t.png": "text"},
        "main.xml:4: <texture>: 't': file 't.png': not a PNG image: not a PNG file",
    ),
    "a texture of very many channels": (
        asset('<texture name="t" builtin="flat" type="2d" width="9999" height="9999" nchannel="99999"/>'),
        "main.xml:4: <texture>: 't': nchannel is 99999; builtin textures have 3",
    ),
    "an include that includes itself": (
        {"main.xml": world('<include file="part.xml"/>'), "part.xml": '<x>\n<include file="part.xml"/></x>'},
        "part.xml:2: <include>: file 'part.xml' is included twice; include it once",
    ),
    "a cycle of includes": (
        {
            "main.xml": world('<include file="a.xml"/>'),
            "a.xml": '<x><include file="b.xml"/></x>',
            "b.xml": '<x>\n\n<include file="main.xml"/></x>',
        },
        "b.xml:3: <include>: file 'main.xml' is included twice; include it once",
    ),
    "a cycle of models": (
        {"main.xml": asset('<model file="other.xml"/>'), "other.xml": asset('<model file="main.xml"/>')},
        "other.xml:4: <model>: model 'main.xml' attaches itself; a model cannot be part of itself",
    ),
    "an error in an included file": (
        included('<x>\n<geom name="g"/></x>'),
        "part.xml:2: <geom>: 'g': size is 0; this type needs 1 positive size",
    ),
    # entities and networks
    "an entity": (
        '<!DOCTYPE m [\n<!ENTITY e "1">]>\n<mujoco/>',
        "main.xml:2: XML entities are not allowed; write the value itself",
    ),
    "an entity bomb": (BOMB, "main.xml:2: XML entities are not allowed; write the value itself"),
    "an external entity": (
        '<!DOCTYPE m [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n<mujoco model="&e;"/>',
        "main.xml:1: XML entities are not allowed; write the value itself",
    ),
    "an entity in an included file": (
        included(BOMB),
        "part.xml:2: XML entities are not allowed; write the value itself",
    ),
    "an external document type": ('<!DOCTYPE m SYSTEM "http://host/m.dtd">\n<mujoco>&e;</mujoco>', "main.xml:2: "),
    "an include from a network": (
        world('<include file="http://host/part.xml"/>'),
        "main.xml:4: <include>: 'http://host/part.xml' is a network address; specify a local file",
    ),
    "a mesh from a network": (
        asset('<mesh file="https://host/m.stl"/>'),
        "main.xml:4: <mesh>: 'https://host/m.stl' is a network address; specify a local file",
    ),
    "a mesh folder on a network": (
        '<mujoco><compiler meshdir="ftp://host"/>\n<asset>\n<mesh file="m.stl"/></asset></mujoco>',
        "main.xml:3: <mesh>: 'ftp://host/m.stl' is a network address; specify a local file",
    ),
    # names
    "one name twice": (
        world('<geom name="a" size="1"/><geom name="a" size="1"/>'),
        "main.xml:4: <geom>: 'a': another geom has this name; the other one is at {folder}/main.xml:4",
    ),
    "a dangling material": (
        world('<geom size="1" material="skin"/>'),
        "main.xml:4: <geom>: material 'skin' does not exist; there are none",
    ),
    "a dangling mesh": (world(MESH_GEOM), "main.xml:4: <geom>: mesh 'm' does not exist; there are none"),
    "a dangling target": (
        world('<camera target="b1"/><body name="b"/>'),
        "main.xml:4: <camera>: target body 'b1' does not exist; ",
    ),
    "a dangling joint": (
        world(moving('<joint name="hip"/>'), after='\n<actuator>\n<motor joint="hop"/></actuator>'),
        "main.xml:8: <motor>: joint 'hop' does not exist; did you mean 'hip'?",
    ),
    "a dangling site": (
        world("", after='\n<sensor>\n<gyro site="s"/></sensor>'),
        "main.xml:8: <gyro>: site 's' does not exist; there are none",
    ),
    "a dangling body": (
        world(moving(""), after='\n<contact>\n<exclude body1="b" body2="c"/></contact>'),
        "main.xml:8: <exclude>: body 'c' does not exist; ",
    ),
    "a dangling tendon": (
        world("", after='\n<equality>\n<tendon tendon1="t"/></equality>'),
        "main.xml:8: <tendon>: tendon 't' does not exist",
    ),
    "a dangling class": (
        world('<geom class="c" size="1"/>'),
        "main.xml:4: <geom>: unknown default class 'c'; known: main",
    ),
    # bodies, joints, shapes
    "a massless moving body": (
        world('<body name="b"><joint/></body>'),
        "main.xml:4: <body>: 'b': a moving body needs mass and inertia; ",
    ),
    "a flat mesh": (
        asset('<mesh name="m" vertex="0 0 0 1 0 0 0 1 0 1 1 0"/>', MESH_GEOM),
        "main.xml:4: <mesh>: 'm': its vertices lie in a plane",
    ),
    "a mesh of three points": (
        asset('<mesh name="m" vertex="0 0 0 1 0 0 0 1 0"/>', MESH_GEOM),
        "main.xml:4: <mesh>: 'm': there are 3 vertices; a mesh needs at least 4",
    ),
    "a zero quaternion": (
        world('<geom size="1" quat="0 0 0 0"/>'),
        'main.xml:4: <geom>: quat="0 0 0 0" is not a rotation; the identity is 1 0 0 0',
    ),
    "a zero axis": (
        world(moving('<joint name="j" axis="0 0 0"/>')),
        "main.xml:4: <joint>: 'j': axis is a zero vector; set the axis of the joint",
    ),
    "a zero axis of an orientation": (
        world('<geom size="1" axisangle="0 0 0 1"/>'),
        'main.xml:4: <geom>: axisangle="0 0 0 1": the axis is zero',
    ),
    "an inverted range": (
        world(moving('<joint name="j" range="1 -1" limited="true"/>')),
        "main.xml:4: <joint>: 'j': range is 1 -1; the first number must be below the second",
    ),
    "a timestep of zero": (
        world("", '<option timestep="0"/>'),
        "main.xml:2: <option>: timestep is 0; it must be positive",
    ),
    "a negative timestep": (
        world("", '<option timestep="-.01"/>'),
        "main.xml:2: <option>: timestep is -0.01; it must be positive",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_file(name: str, tmp_path: Path) -> None:
    files, words = CASES[name]
    for file, text in (files if isinstance(files, dict) else {"main.xml": files}).items():
        (tmp_path / file).write_text(text)
    with pytest.raises(MjcfError) as caught:
        compile_file(tmp_path / "main.xml")
    words = words.format(folder=tmp_path)
    assert words in str(caught.value)
    # the whole place, as an editor can follow it
    assert str(caught.value).startswith(f"{tmp_path}/{words}" if words[0] in "mpbo" else str(tmp_path))
    assert "object at" not in str(caught.value)
    assert caught.value.line > 0
    assert caught.value.file.startswith(str(tmp_path))


@pytest.mark.parametrize("encoding", ["utf-16-be", "utf-16-le", "utf-32"])
def test_text_that_is_in_no_usual_encoding(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "main.xml").write_bytes("<mujoco/>".encode(encoding))
    with pytest.raises(MjcfError, match=r"main\.xml:1: not text: it contains null bytes; save it as UTF-8"):
        compile_file(tmp_path / "main.xml")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_zero_names_its_line(encoding: str) -> None:
    with pytest.raises(MjcfError, match="<text>:3: not text: it contains null bytes; save it as UTF-8"):
        compile_text("<mujoco>\n\n\0</mujoco>".encode(encoding))
    with pytest.raises(MjcfError, match="<text>:3: not text: it contains null bytes"):
        compile_text("<mujoco>\n\n\0</mujoco>")


def test_a_broken_encoding_names_its_line() -> None:
    with pytest.raises(MjcfError, match="<text>:2: not text: "):
        compile_text(b"\xff\xfe" + "<mujoco>\n".encode("utf-16-le") + b"\x00\xd8<\x00")


def test_half_a_character() -> None:
    with pytest.raises(
        MjcfError, match=r"<text>:2: not text: U\+D800 is an unpaired surrogate; write the whole character"
    ):
        sim.loads("<mujoco\nmodel='\ud800'/>")
    with pytest.raises(MjcfError, match="<text>:2: <mesh>: 'm': it is not text; save it as UTF-8"):
        sim.loads("<mujoco><asset>\n<mesh file='m.obj'/></asset></mujoco>", {"m.obj": "v \ud800"})


def test_a_folder_that_one_may_not_enter(monkeypatch: pytest.MonkeyPatch) -> None:
    # as an administrator one may enter all of them
    def refuse(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_file", refuse)
    with pytest.raises(MjcfError, match=r"<text>:2: <include>: 'x/b.xml': a file cannot be read: Permission denied"):
        compile_text('<mujoco>\n<include file="x/b.xml"/></mujoco>')


def test_the_working_folder_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    for text in (
        '<include file="b.xml"/>',
        '<asset><mesh file="b.xml"/></asset>',
        '<asset><model file="b.xml"/></asset>',
    ):
        with pytest.raises(MjcfError, match=r"<text>:2: <.*>: 'b.xml': a file cannot be read: No such file"):
            compile_text(f"<mujoco>\n{text}</mujoco>")
    # what the caller gives needs no folder
    assert (
        sim.loads('<mujoco><include file="b.xml"/></mujoco>', {"b.xml": "<x><size nuserdata='3'/></x>"}).nuserdata == 3
    )


def test_out_of_memory_is_the_error_of_the_element(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("sim.mjcf.asset.assets.compile_mesh", refuse)
    with pytest.raises(MjcfError, match="<text>:2: <mesh>: 'm': there is not enough memory; make it smaller"):
        compile_text('<mujoco><asset>\n<mesh name="m" builtin="sphere" params="1"/></asset></mujoco>')
    # the model as a whole, once it is compiled
    monkeypatch.setattr("sim.mjcf.complete.Model", refuse)
    with pytest.raises(MjcfError, match="<text>:1: <mujoco>: there is not enough memory"):
        sim.loads("<mujoco/>")


def test_a_name_that_no_file_can_have() -> None:
    with pytest.raises(MjcfError, match="cannot read the file: embedded null"):
        compile_file("a\0b.xml")


@pytest.mark.parametrize("load", [sim.load, sim.Spec.load])
def test_a_pipe_or_a_device_is_not_read(tmp_path: Path, load: Callable[[Path], object]) -> None:
    (tmp_path / "null.xml").symlink_to("/dev/null")
    (tmp_path / "zero.xml").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.xml")
    for name in ("null.xml", "zero.xml", "pipe.xml"):
        with pytest.raises(MjcfError, match=f"{name}: it is a pipe or a device; copy its contents into a file"):
            load(tmp_path / name)
    # nor are those that a model names
    (tmp_path / "zero.stl").symlink_to("/dev/zero")
    for part in ('<include file="zero.xml"/>', '<asset><mesh file="zero.stl"/></asset>'):
        (tmp_path / "model.xml").write_text(f"<mujoco>{part}</mujoco>")
        with pytest.raises(MjcfError, match=r"file 'zero.(xml|stl)' not found"):
            sim.load(tmp_path / "model.xml")


@pytest.mark.parametrize("name, place", [("asset.texture._draw", ":3: <texture>: 't': "), ("read_tree", ": ")])
def test_a_fault_of_ours_is_an_error_of_the_nearest_element(
    monkeypatch: pytest.MonkeyPatch, name: str, place: str
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("what")

    monkeypatch.setattr(f"sim.mjcf.{name}", fail)
    text = '<mujoco>\n<asset>\n<texture name="t" type="2d" builtin="flat" width="7" height="2"/>\n</asset></mujoco>'
    with pytest.raises(MjcfError) as caught:
        compile_text(text)
    fault = "Kinetoscope has a bug here (KeyError: 'what'); please report it, with the file"
    assert str(caught.value) == f"<text>{place}{fault}"
    assert isinstance(caught.value.__cause__, KeyError)


def test_the_public_name_is_the_same_error() -> None:
    with pytest.raises(sim.MjcfError, match="<geom>: unknown attribute"):
        sim.loads('<mujoco><worldbody><geom sise="1"/></worldbody></mujoco>')
    assert sim.MjcfError is MjcfError


def test_files_outside_the_folder_work(tmp_path: Path) -> None:
    (tmp_path / "part.xml").write_text('<x><geom size="1"/></x>')
    (tmp_path / "deep").mkdir()
    for name in ("../part.xml", str(tmp_path / "part.xml")):
        (tmp_path / "deep" / "main.xml").write_text(world(f'<include file="{name}"/>'))
        assert compile_file(tmp_path / "deep" / "main.xml").values["ngeom"] == 1


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def refuse(*_: object) -> None:
        raise AssertionError("a model opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    for text in (
        '<!DOCTYPE mujoco SYSTEM "http://host/m.dtd"><mujoco/>',
        '<!DOCTYPE mujoco PUBLIC "-//x" "http://host/m.dtd"><mujoco/>',
        '<?xml-stylesheet href="http://host/s.xsl"?><mujoco/>',
        '<mujoco xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="http://host/x"/></mujoco>',
    ):
        try:
            compile_text(text)
        except MjcfError as error:
            assert str(error)
