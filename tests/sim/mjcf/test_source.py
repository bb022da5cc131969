"""Files: includes and assets, where they are sought, encodings, and what is refused."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest

from sim.mjcf import MjcfError, compile_file, compile_text
from tests.sim.mjcf.compare import differences

GEOMS = '<mujocoinclude><geom name="%s" size="1"/>%s</mujocoinclude>'


TWICE = '<mujoco><worldbody><geom/><include file="b.xml"/><include file="b.xml"/></worldbody></mujoco>'


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def including(name: str) -> str:
    return f'<mujoco><worldbody>\n<include file="{name}"/>\n</worldbody></mujoco>'


def test_includes_nest(tmp_path: Path) -> None:
    inner = '<include file="c.xml"/><include file="sub/d.xml"/>'
    write(
        tmp_path,
        {
            "a.xml": including("sub/b.xml"),
            "sub/b.xml": GEOMS % ("b", inner),
            "sub/c.xml": GEOMS % ("c", ""),
            "sub/d.xml": GEOMS % ("d", ""),
        },
    )
    compiled = compile_file(tmp_path / "a.xml")
    assert compiled.names["geom"] == ["b", "c", "d"]
    assert differences(compiled, mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml"))) == []


def test_main_folder_comes_first(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.xml": including("sub/b.xml"),
            "sub/b.xml": GEOMS % ("b", '<include file="c.xml"/>'),
            "c.xml": GEOMS % ("top", ""),
            "sub/c.xml": GEOMS % ("sub", ""),
        },
    )
    assert compile_file(tmp_path / "a.xml").names["geom"] == ["b", "top"]


MESH = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4"


@pytest.mark.parametrize("place", ["meshes/m.obj", "m.obj", "parts/m.obj", "parts/meshes/m.obj"])
@pytest.mark.parametrize("folder", ["", "meshes"])
def test_files_of_an_included_file(folder: str, place: str, tmp_path: Path) -> None:
    """Where a mesh is sought that is named in an included file, in a folder of its own: as in MuJoCo."""
    write(
        tmp_path,
        {
            "main.xml": f'<mujoco><compiler meshdir="{folder}"/><include file="parts/mesh.xml"/></mujoco>',
            "parts/mesh.xml": '<mujocoinclude><asset><mesh file="m.obj"/></asset></mujocoinclude>',
            place: MESH,
        },
    )
    try:
        expected = mujoco.MjModel.from_xml_path(str(tmp_path / "main.xml")).nmesh
    except ValueError:
        with pytest.raises(MjcfError, match="not found"):
            compile_file(tmp_path / "main.xml")
    else:
        assert compile_file(tmp_path / "main.xml").values["nmesh"] == expected


def test_backslashes_are_slashes(tmp_path: Path) -> None:
    """Models written on Windows load everywhere: includes, files of meshes, and the folder that meshes are in."""
    geom = '<mujocoinclude><body><geom type="mesh" mesh="m"/></body></mujocoinclude>'
    for folder, file in (("", "parts\\deep\\m.obj"), (".\\parts\\", "deep\\m.obj")):
        main = including("parts\\body.xml").replace(
            "<worldbody>", f'<compiler meshdir="{folder}"/><asset><mesh file="{file}"/></asset><worldbody>'
        )
        write(tmp_path, {"main.xml": main, "parts/body.xml": geom, "parts/deep/m.obj": MESH})
        compiled = compile_file(tmp_path / "main.xml")
        assert compiled.values["nbody"] == mujoco.MjModel.from_xml_path(str(tmp_path / "main.xml")).nbody == 2


ANYWHERE = '<mujoco><asset><mesh file="y/m.obj"/></asset></mujoco>'


@pytest.mark.parametrize("name", ["m.obj", "x/m.obj", "x\\m.obj", "M.OBJ"])
def test_assets_go_by_their_bare_names(name: str) -> None:
    """Neither folders nor capitals count in what the caller gives."""
    files = {name: MESH.encode()}
    assert compile_text(ANYWHERE, files).values["nmesh"] == mujoco.MjModel.from_xml_string(ANYWHERE, files).nmesh == 1


@pytest.mark.parametrize("other", ["x/m.obj", "x\\m.obj", "./m.obj", "M.obj"])
def test_assets_of_one_name_are_refused(other: str) -> None:
    files = {"m.obj": MESH.encode(), other: MESH.encode()}
    with pytest.raises(ValueError, match="Repeated file name"):
        mujoco.MjModel.from_xml_string(ANYWHERE, files)
    with pytest.raises(
        MjcfError, match=r"assets 'm.obj' and .* have the same file name; assets are found by base name"
    ):
        compile_text(ANYWHERE, files)


def test_long_chains_of_includes() -> None:
    files = {f"{k}.xml": GEOMS % (k, f'<include file="{k + 1}.xml"/>') for k in range(3000)}
    compiled = compile_text(including("0.xml"), files | {"3000.xml": GEOMS % ("last", "")})
    assert compiled.values["ngeom"] == 3001 and compiled.names["geom"][-1] == "last"
    with pytest.raises(MjcfError, match=r"2999.xml:1: <include>: file '3000.xml' not found"):
        compile_text(including("0.xml"), files)


def test_sections_can_be_included(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.xml": '<mujoco><include file="b.xml"/><worldbody><geom/></worldbody></mujoco>',
            "b.xml": '<mujoco model="ignored"><default><geom size="3"/></default></mujoco>',
        },
    )
    compiled = compile_file(tmp_path / "a.xml")
    assert compiled.values["geom_size"][0, 0] == 3
    assert differences(compiled, mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml"))) == []


BAD_INCLUDES = {
    "missing": ({"a.xml": including("b.xml")}, "a.xml:2: <include>: file 'b.xml' not found; looked in"),
    "nameless": ({"a.xml": including("")}, "a.xml:2: <include>: missing attribute 'file'"),
    "network": ({"a.xml": including("http://host/b.xml")}, "is a network address"),
    "children": ({"a.xml": '<mujoco>\n<include file="b.xml"><b/></include></mujoco>'}, "cannot contain elements"),
    "attribute": ({"a.xml": '<mujoco>\n<include file="b.xml" b="1"/></mujoco>'}, "unknown attribute 'b'"),
    "empty": ({"a.xml": including("b.xml"), "b.xml": "<mujoco/>"}, "is empty"),
    "itself": ({"a.xml": including("a.xml")}, "is included twice"),
    "cycle": ({"a.xml": including("b.xml"), "b.xml": GEOMS % ("b", '<include file="a.xml"/>')}, "is included twice"),
    "twice": ({"a.xml": TWICE, "b.xml": GEOMS % ("", "")}, "is included twice"),
    "broken": ({"a.xml": including("b.xml"), "b.xml": "<x>\n\n<y></x>"}, "b.xml:3: not well-formed XML"),
    "entity": (
        {"a.xml": including("b.xml"), "b.xml": '<!DOCTYPE x [<!ENTITY e SYSTEM "a.xml">]><x>&e;</x>'},
        "b.xml:1: XML entities are not allowed",
    ),
    "element": ({"a.xml": including("b.xml"), "b.xml": "<x>\n<geom/></x>"}, "b.xml:2: <geom>: size is 0"),
}


@pytest.mark.parametrize("mistake", BAD_INCLUDES)
def test_bad_include(mistake: str, tmp_path: Path) -> None:
    files, words = BAD_INCLUDES[mistake]
    write(tmp_path, files)
    with pytest.raises(MjcfError) as caught:
        compile_file(tmp_path / "a.xml")
    assert words in str(caught.value)


@pytest.mark.parametrize("again", ["b.xml", "./b.xml", "sub/../b.xml", "sub//../b.xml", "sub\\..\\b.xml", "{}/b.xml"])
def test_a_file_is_included_once_by_any_path(again: str, tmp_path: Path) -> None:
    """Also by a link, which MuJoCo takes for another file: a save would write it twice."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "b.xml").write_text(GEOMS % ("", ""))
    (tmp_path / "sub" / "c.xml").write_text(GEOMS % ("", ""))
    (tmp_path / "link.xml").symlink_to("b.xml")
    main = tmp_path / "main.xml"

    def include(name: str) -> None:
        both = f'<include file="b.xml"/><include file="{name}"/>'
        main.write_text(f"<mujoco><worldbody>{both}</worldbody></mujoco>")

    include(again.format(tmp_path))
    with pytest.raises(ValueError, match="already included"):
        mujoco.MjModel.from_xml_path(str(main))
    with pytest.raises(MjcfError, match=r"<include>: file '.*' is included twice; include it once"):
        compile_file(main)
    include("sub/c.xml")
    assert compile_file(main).values["ngeom"] == mujoco.MjModel.from_xml_path(str(main)).ngeom
    include("link.xml")
    with pytest.raises(MjcfError, match="is included twice"):
        compile_file(main)


def test_missing_file() -> None:
    with pytest.raises(MjcfError, match=r"nowhere\.xml: cannot read the file: No such file"):
        compile_file("nowhere.xml")


def test_assets_come_before_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"b.xml": GEOMS % ("disk", "")})
    monkeypatch.chdir(tmp_path)
    text = including("b.xml")
    assert compile_text(text).names["geom"] == ["disk"]
    assert compile_text(text, {"b.xml": GEOMS % ("asset", "")}).names["geom"] == ["asset"]
    assert compile_text(including("x/b.xml"), {"b.xml": (GEOMS % ("bare", "")).encode()}).names["geom"] == ["bare"]


def test_assets_can_be_included_once() -> None:
    with pytest.raises(MjcfError, match="is included twice"):
        compile_text(TWICE, {"b.xml": GEOMS % ("", "")})


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    text = '<mujoco><worldbody><geom name="größe" size="1"/></worldbody></mujoco>'
    (tmp_path / "a.xml").write_bytes(text.encode(encoding))
    assert compile_file(tmp_path / "a.xml").names["geom"] == ["größe"]


def test_entities_hidden_by_an_encoding_are_refused() -> None:
    bomb = '<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><mujoco model="&b;"/>'
    for encoding in ("utf-16", "utf-8-sig", "utf-7"):
        with pytest.raises(MjcfError):
            compile_text(bomb.encode(encoding))


def test_binary_rubbish() -> None:
    for data in (b"", b"\x00\x01\x02", b"\xff\xfe\x00", bytes(range(256))):
        with pytest.raises(MjcfError):
            compile_text(data)
