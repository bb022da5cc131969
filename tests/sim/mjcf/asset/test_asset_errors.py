"""Bad assets: each mistake is an MjcfError that names the asset's line, the file at fault and what would be right."""

from __future__ import annotations

import random
import struct

import numpy as np
import pytest

from sim.mjcf import MjcfError, compile_text
from tests.sim.mjcf.asset_files import (
    CORNERS,
    FACES,
    INLINE,
    msh,
    numbers,
    obj,
    picture,
    png,
    skn,
    stl,
    with_asset,
    with_mesh,
)

VERTICES = f'vertex="{numbers(CORNERS)}"'
FLAT = 'vertex="0 0 0 1 0 0 0 1 0 1 1 0"'
TWISTED = numbers(np.concatenate([FACES[:1, ::-1], FACES[1:]]))
SKIN = '<skin name="s" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2" %s>%s</skin>'
BONE = '<bone body="world" bindpos="0 0 0" bindquat="1 0 0 0" vertid="%s" vertweight="%s"/>'
NAN = CORNERS.copy()
NAN[3, 1] = np.nan


def field(attributes: str) -> str:
    return with_asset(f'<hfield name="h" {attributes}/>', '<geom type="hfield" hfield="h"/>')


def texture(attributes: str) -> str:
    return with_asset(f'<texture name="t" {attributes}/>')


def boned(ids: str, weights: str) -> str:
    return with_asset(SKIN % ("", BONE % (ids, weights)))


# models with one file
STL, MSH, OBJ = (with_mesh(f'file="a.{kind}"') for kind in ("stl", "msh", "obj"))
BINARY, HEIGHTS = (field(f'file="{name}" size="1 1 1 1"') for name in ("h.bin", "h.png"))
PICTURE = texture('type="2d" file="t.png"')
SKN = with_asset('<skin file="s.skn"/>')
POINTS = obj(CORNERS, [])

# what is wrong -> the model, its files, the element at fault, words of the message
BAD: dict[str, tuple[str, dict[str, bytes], str, str]] = {
    # meshes
    "no vertices": (with_mesh(""), {}, "mesh", "there are 0 vertices; a mesh needs 4"),
    "few vertices": (with_mesh('vertex="0 0 0 1 0 0 0 1 0"'), {}, "mesh", "there are 3 vertices"),
    "part of a vertex": (with_mesh(VERTICES[:-1] + ' 1"'), {}, "mesh", "vertex has 25 values; their number"),
    "part of a face": (with_mesh(VERTICES + ' face="0 1 2 3"'), {}, "mesh", "face has 4 values"),
    "face beyond the end": (with_mesh(VERTICES + ' face="0 1 8"'), {}, "mesh", "face 0 refers to vertex 8; there are"),
    "negative face": (with_mesh(VERTICES + ' face="0 1 -1"'), {}, "mesh", "refers to vertex -1"),
    "few texture coordinates": (with_mesh(INLINE + ' texcoord="0 1"'), {}, "mesh", "one for each of the 8 vertices"),
    "flat": (with_mesh(FLAT), {}, "mesh", "lie in a plane and have no convex hull; use a plane"),
    "flat with faces": (with_mesh(FLAT + ' face="0 1 2 1 3 2"'), {}, "mesh", "lie in a plane"),
    "no volume": (
        with_mesh(FLAT + ' face="0 1 2 1 3 2"', 'contype="0" conaffinity="0"'),
        {},
        "mesh",
        'inertia="shell"',
    ),
    "no area": (
        with_mesh(f'{VERTICES} face="0 0 1 1 1 2"', 'contype="0" conaffinity="0"'),
        {},
        "mesh",
        "surface is too small",
    ),
    "one point": (with_mesh('vertex="' + "1 1 1 " * 5 + '"'), {}, "mesh", "no convex hull"),
    "twisted": (with_mesh(f'{VERTICES} face="{TWISTED}" inertia="exact"'), {}, "mesh", "look in opposite directions"),
    "inside out": (
        with_mesh(f'{VERTICES} face="{numbers(FACES[:, ::-1])}" inertia="exact"'),
        {},
        "mesh",
        "volume is negative",
    ),
    "mirrored convex": (with_mesh(INLINE + ' inertia="convex" scale="-1 1 1"'), {}, "mesh", "volume is negative"),
    "no size": (with_mesh(INLINE + ' scale="0 1 1"'), {}, "mesh", "volume is too small"),
    "hull limit": (with_mesh(INLINE + ' maxhullvert="3"'), {}, "mesh", "maxhullvert is 3; it must be 4 at least"),
    "huge numbers": (with_mesh(INLINE + ' scale="1e200 1e200 1e200"'), {}, "mesh", "too large to have a surface"),
    "large numbers": (with_mesh(INLINE + ' scale="1e40 1e40 1e40"'), {}, "mesh", "too large for single precision"),
    "twice": (with_mesh(f'file="a.stl" {VERTICES}'), {"a.stl": stl(CORNERS, FACES)}, "mesh", "vertex is given twice"),
    "builtin and a file": (with_mesh('builtin="sphere" params="1" file="a.stl"'), {}, "mesh", "neither a file nor"),
    "builtin without parameters": (with_mesh('builtin="sphere"'), {}, "mesh", "a sphere has 1 parameter, not 0"),
    "builtin parameter": (with_mesh('builtin="sphere" params="9"'), {}, "mesh", "subdivided 0 to 4 times"),
    "builtin size": (with_mesh('builtin="supertorus" params="9e9 1 1 1"'), {}, "mesh", "2000 at most"),
    "builtin keyword": (with_mesh('builtin="spere" params="1"'), {}, "mesh", "did you mean 'sphere'?"),
    "plugin": (with_asset("<mesh name='m'><plugin/></mesh>"), {}, "plugin", "is not supported yet"),
    "no name": (with_asset(f"<mesh {INLINE}/>"), {}, "mesh", "it needs a name"),
    "two names": (with_asset(f"<mesh name='m' {INLINE}/><mesh name='m' {INLINE}/>"), {}, "mesh", "another mesh has"),
    "file in a default": (
        with_asset("").replace("<asset>", "<default>\n<mesh file='a.stl'/></default><asset>"),
        {},
        "mesh",
        "a default class cannot set 'file'",
    ),
    # files
    "missing file": (with_mesh('file="none.stl"'), {}, "mesh", "file 'none.stl' not found; looked in"),
    "file in a folder": (with_mesh('file="n.stl"', compiler='meshdir="q"'), {}, "mesh", "file 'q/n.stl' not found"),
    "network": (with_mesh('file="http://a.b/c.stl"'), {}, "mesh", "is a network address"),
    "kind of file": (with_mesh('file="a.dae"'), {"a.dae": b"x"}, "mesh", "file 'a.dae': the kind of mesh file"),
    "empty file": (STL, {"a.stl": b""}, "mesh", "file 'a.stl': the file is empty"),
    "short stl": (STL, {"a.stl": stl(CORNERS, FACES)[:-7]}, "mesh", "its header announces 12"),
    "stl without triangles": (STL, {"a.stl": stl(CORNERS, [])}, "mesh", "has no triangles"),
    "nan in stl": (STL, {"a.stl": stl(NAN, FACES)}, "mesh", "'a.stl': a vertex is not finite"),
    "word in ascii stl": (STL, {"a.stl": b"solid a\n" + b"vertex 1 2 q\n" * 3}, "mesh", "'q', which is not a number"),
    "part of a triangle": (STL, {"a.stl": b"solid a\nvertex 1 2 3"}, "mesh", "whole triangles"),
    "short msh": (MSH, {"a.msh": msh(CORNERS, FACES)[:-4]}, "mesh", "header announces 256"),
    "msh without header": (MSH, {"a.msh": b"123"}, "mesh", "too short for a header"),
    "msh sizes": (MSH, {"a.msh": struct.pack("<4i", 8, 3, 0, 0)}, "mesh", "8 vertices, 3 normals"),
    "msh with a large size": (MSH, {"a.msh": struct.pack("<4i", 2**31 - 1, 0, 0, 0)}, "mesh", "bytes"),
    "nan in msh": (MSH, {"a.msh": msh(NAN, FACES)}, "mesh", "'a.msh': vertex 3 is not finite"),
    "word in obj": (OBJ, {"a.obj": b"v 1 2 q"}, "mesh", "'q', which is not a number"),
    "corner of obj": (OBJ, {"a.obj": POINTS + b"\nf 1 2 q"}, "mesh", "'q' is no corner"),
    "zero in obj": (OBJ, {"a.obj": POINTS + b"\nf 0 1 2"}, "mesh", "indices start at 1"),
    "far in obj": (OBJ, {"a.obj": POINTS + b"\nf 1 2 9"}, "mesh", "refers to vertex 8"),
    "far back in obj": (OBJ, {"a.obj": POINTS + b"\nf 1 2 -9"}, "mesh", "vertex -1"),
    "normal of obj": (
        OBJ,
        {"a.obj": b"vn 0 0 1\n" + POINTS + b"\nf 1//1 2//1 3//2"},
        "mesh",
        "refers to normal 1; there are 1",
    ),
    "text for stl": (STL, {"a.stl": obj(CORNERS, FACES)}, "mesh", "its header announces"),
    # geoms
    "geom without a mesh": (with_mesh(INLINE).replace('mesh="m"', ""), {}, "geom", "must name its mesh"),
    "unknown mesh": (with_mesh(INLINE).replace('mesh="m"', 'mesh="n"'), {}, "geom", "mesh 'n' does not exist"),
    "fromto": (with_mesh(INLINE, 'fromto="0 0 0 1 1 1"', kind="capsule"), {}, "geom", "fromto cannot place a mesh"),
    "shell geom": (with_mesh(INLINE, 'shellinertia="true"'), {}, "geom", 'write inertia="shell" into the mesh'),
    "plane fitted": (
        with_mesh(INLINE, kind="plane").replace("<freejoint/>", ""),
        {},
        "geom",
        "this type cannot be fitted",
    ),
    "sdf": (with_mesh(INLINE, kind="sdf"), {}, "geom", "not supported"),
    "unknown hfield": (
        with_asset("", '\n\n<geom type="hfield" hfield="h"/>'),
        {},
        "geom",
        "hfield 'h' does not exist; there is none",
    ),
    "hfield of a box": (
        field('nrow="2" ncol="2" size="1 1 1 1"').replace('type="hfield"', 'type="box" size="1 1 1"'),
        {},
        "geom",
        "only a geom of type hfield",
    ),
    "unknown material": (with_mesh(INLINE + ' material="red"'), {}, "geom", "material 'red' does not exist"),
    # height fields
    "hfield size": (field('nrow="2" ncol="2" size="1 1 0 1"'), {}, "hfield", "sizes are 1 1 0 1; all four must"),
    "hfield without size": (field('nrow="2" ncol="2"'), {}, "hfield", "missing attribute 'size'"),
    "hfield of nothing": (field('size="1 1 1 1"'), {}, "hfield", "nrow is 0 and ncol is 0; give both, or a file"),
    "negative rows": (field('nrow="-2" ncol="-2" size="1 1 1 1"'), {}, "hfield", "nrow is -2"),
    "large hfield": (field('nrow="99999" ncol="99999" size="1 1 1 1"'), {}, "hfield", "is too large"),
    "few heights": (field('nrow="2" ncol="2" elevation="1 2 3" size="1 1 1 1"'), {}, "hfield", "nrow times ncol is 4"),
    "short hfield": (BINARY, {"h.bin": struct.pack("<2i", 2, 2)}, "hfield", "announces 24"),
    "hfield header": (BINARY, {"h.bin": b"123"}, "hfield", "too short for a header"),
    "hfield sizes": (BINARY, {"h.bin": struct.pack("<2i", 0, 2)}, "hfield", "0 rows"),
    "nan in hfield": (
        BINARY,
        {"h.bin": struct.pack("<2i2f", 1, 2, 1, float("nan"))},
        "hfield",
        "'h.bin': a height is not finite",
    ),
    "hfield that is no picture": (HEIGHTS, {"h.png": b"hello"}, "hfield", "not a PNG picture"),
    # textures
    "texture of nothing": (texture(""), {}, "texture", "neither builtin nor file"),
    "kind of texture": (texture('type="2d" file="t.jpg"'), {"t.jpg": b""}, "texture", "neither a PNG nor a KTX"),
    "no picture": (PICTURE, {"t.png": b"hello"}, "texture", "file 't.png': not a PNG"),
    "cut picture": (PICTURE, {"t.png": png(picture(30, 30))[:900]}, "texture", "not a PNG picture"),
    "channels": (
        texture('type="2d" file="t.png" nchannel="2"'),
        {"t.png": png(picture(2, 2))},
        "texture",
        "1, 3 or 4 channels",
    ),
    "flipped ktx": (texture('type="2d" file="t.ktx" hflip="true"'), {"t.ktx": b"1"}, "texture", "cannot be flipped"),
    "empty ktx": (texture('type="2d" file="t.ktx"'), {"t.ktx": b""}, "texture", "file 't.ktx' is empty"),
    "flat of sides": (texture('type="2d" fileup="t.png"'), {"t.png": png(picture(2, 2))}, "texture", "one file"),
    "oblong cube": (texture('file="t.png"'), {"t.png": png(picture(2, 4))}, "texture", "4 x 2 pixels are not"),
    "oblong side": (texture('fileup="t.png"'), {"t.png": png(picture(2, 4))}, "texture", "it must be square"),
    "different sides": (
        texture('fileup="t.png" filedown="u.png"'),
        {"t.png": png(picture(2, 2)), "u.png": png(picture(3, 3))},
        "texture",
        "all sides must be alike",
    ),
    "grid size": (texture('file="t.png" gridsize="0 2"'), {"t.png": b""}, "texture", "gridsize is 0 2"),
    "grid of other size": (texture('file="t.png" gridsize="3 4"'), {"t.png": png(picture(4, 4))}, "texture", "squares"),
    "grid letters": (texture('file="t.png" gridsize="2 2" gridlayout="RL"'), {}, "texture", "gridsize has 4 squares"),
    "grid letter": (
        texture('file="t.png" gridsize="2 2" gridlayout="RLUX"'),
        {"t.png": png(picture(4, 4))},
        "texture",
        "a 'X'",
    ),
    "missing picture": (PICTURE, {}, "texture", "file 't.png' not found"),
    # skins
    "skin of nothing": (with_asset("<skin name='s'/>"), {}, "skin", "needs vertices, faces and bones"),
    "skin with a file and data": (with_asset(SKIN % ('file="s.skn"', "")), {}, "skin", "has a file or data"),
    "kind of skin": (with_asset("<skin file='s.obj'/>"), {"s.obj": b"1"}, "skin", "must end in .skn"),
    "skin group": (with_asset(SKIN % ('group="7"', "")), {}, "skin", "group is 7"),
    "bone without weights": (with_asset(SKIN % ("", '<bone body="world"/>')), {}, "bone", "missing attribute"),
    "bone of another length": (boned("0 1 2", "1 1"), {}, "bone", "3 vertices and 2 weights"),
    "bone beyond the end": (boned("0 1 3", "1 1 1"), {}, "bone", "refers to vertex 3; there are 3"),
    "vertex without a bone": (boned("0 1", "1 1"), {}, "skin", "weights of vertex 2 add up to 0"),
    "unknown body": (boned("0 1 2", "1 1 1").replace("world", "word", 1), {}, "bone", "body 'word' does not exist"),
    "face of a skin": (
        boned("0 1 2", "1 1 1").replace('face="0 1 2"', 'face="0 1 3"'),
        {},
        "skin",
        "a face refers to vertex 3",
    ),
    "material of a skin": (
        with_asset(SKIN % ('material="red"', BONE % ("0 1 2", "1 1 1"))),
        {},
        "skin",
        "material 'red' does not exist",
    ),
    "short skin": (SKN, {"s.skn": skn(["world"])[:-8]}, "skin", "ends too early"),
    "long skin": (SKN, {"s.skn": skn(["world"]) + b"1234"}, "skin", "4 bytes too many"),
    "unknown body in a file": (SKN, {"s.skn": skn(["b"])}, "skin", "body 'b' does not exist"),
}


@pytest.mark.parametrize("mistake", BAD)
def test_bad_asset(mistake: str) -> None:
    text, assets, element, words = BAD[mistake]
    with pytest.raises(MjcfError) as caught:
        compile_text(text, assets)
    error = caught.value
    assert words in str(error)
    assert error.element == element
    assert error.file == "<text>"
    assert f"<{element}" in text.split("\n")[error.line - 1]


FILES = {
    "a.stl": (STL, stl(CORNERS, FACES)),
    "a.msh": (MSH, msh(CORNERS, FACES, CORNERS, CORNERS[:, :2])),
    "a.obj": (OBJ, b"vn 0 0 1\nvt 1 1\n" + obj(CORNERS, FACES) + b"\nf 1/1/1 2/1/1 -1/1/1 4 5//1"),
    "h.png": (HEIGHTS, png(picture(5, 7, 1))),
    "h.bin": (BINARY, struct.pack("<2i6f", 2, 3, 1, 2, 3, 4, 5, 6)),
    "t.png": (PICTURE, png(picture(6, 5))),
    "s.skn": (SKN, skn(["world"])),
}


@pytest.mark.parametrize("name", FILES)
def test_damaged_file(name: str) -> None:
    """A file that has been cut off, or in which bytes have changed, loads or is an MjcfError, nothing else."""
    text, data = FILES[name]
    compile_text(text, {name: data})
    pick = random.Random(name)
    for _ in range(120):
        damaged = bytearray(data[: pick.randrange(len(data))] if pick.random() < 0.3 else data)
        for _ in range(pick.randrange(1, 4) if damaged else 0):
            damaged[pick.randrange(len(damaged))] = pick.choice([0, 1, 32, 45, 47, 127, 128, 255, pick.randrange(256)])
        try:
            compile_text(text, {name: bytes(damaged)})
        except MjcfError as error:
            assert error.line > 0
