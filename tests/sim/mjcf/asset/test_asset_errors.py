"""Bad assets: each mistake is an MjcfError that names the asset's line, the file at fault and what would be right."""

from __future__ import annotations

import random
import struct
from zlib import crc32

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


def after_pixels(kind: bytes, content: bytes) -> bytes:
    """A picture with a chunk after its pixels."""
    whole, end = png(picture(2, 2)), 12
    chunk = struct.pack(">I", len(content)) + kind + content + struct.pack(">I", crc32(kind + content))
    return whole[:-end] + chunk + whole[-end:]


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
WHOLE_FACES = "".join("\nf " + " ".join(f"{k + 1}/1/1" for k in face) for face in FACES).encode()

# what is wrong -> the model, its files, the element at fault, words of the message
BAD: dict[str, tuple[str, dict[str, bytes], str, str]] = {
    # meshes
    "no vertices": (with_mesh(""), {}, "mesh", "'m': there are 0 vertices; a mesh needs at least 4"),
    "few vertices": (with_mesh('vertex="0 0 0 1 0 0 0 1 0"'), {}, "mesh", "there are 3 vertices"),
    "part of a vertex": (
        with_mesh(VERTICES[:-1] + ' 1"'),
        {},
        "mesh",
        "'m': vertex has 25 values; the number must be divisible by 3",
    ),
    "part of a face": (with_mesh(VERTICES + ' face="0 1 2 3"'), {}, "mesh", "face has 4 values"),
    "face beyond the end": (with_mesh(VERTICES + ' face="0 1 8"'), {}, "mesh", "face 0 refers to vertex 8; there are"),
    "negative face": (with_mesh(VERTICES + ' face="0 1 -1"'), {}, "mesh", "refers to vertex -1"),
    "few texture coordinates": (with_mesh(INLINE + ' texcoord="0 1"'), {}, "mesh", "one for each of the 8 vertices"),
    "flat": (with_mesh(FLAT), {}, "mesh", "'m': its vertices lie in a plane, so it has no convex hull"),
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
        "'m': its surface area is 0; increase scale",
    ),
    "one point": (with_mesh('vertex="' + "1 1 1 " * 5 + '"'), {}, "mesh", "no convex hull"),
    "twisted": (
        with_mesh(f'{VERTICES} face="{TWISTED}" inertia="exact"'),
        {},
        "mesh",
        "'m': the two faces at the edge between vertices 0 and 1 have opposite orientations",
    ),
    "inside out": (
        with_mesh(f'{VERTICES} face="{numbers(FACES[:, ::-1])}" inertia="exact"'),
        {},
        "mesh",
        "'m': its volume is -8.66667; its triangles face inwards: flip them",
    ),
    "no size": (
        with_mesh(INLINE + ' scale="0 1 1"'),
        {},
        "mesh",
        "'m': its volume is 0; increase scale, or set inertia=\"shell\", which needs no volume",
    ),
    "hull limit": (
        with_mesh(INLINE + ' maxhullvert="3"'),
        {},
        "mesh",
        "'m': maxhullvert is 3; it must be at least 4, or -1 for no limit",
    ),
    "huge numbers": (
        with_mesh(INLINE + ' scale="1e200 1e200 1e200"'),
        {},
        "mesh",
        "'m': its surface area overflows; reduce scale",
    ),
    "large numbers": (
        with_mesh(INLINE + ' scale="1e40 1e40 1e40"'),
        {},
        "mesh",
        "'m': a coordinate exceeds single precision; reduce scale",
    ),
    "twice": (
        with_mesh(f'file="a.stl" {VERTICES}'),
        {"a.stl": stl(CORNERS, FACES)},
        "mesh",
        "'m': both the file and the attribute have vertex; remove the attribute",
    ),
    "builtin and a file": (
        with_mesh('builtin="sphere" params="1" file="a.stl"'),
        {},
        "mesh",
        "'m': 'builtin' excludes 'file' and 'vertex'; remove one of them",
    ),
    "builtin without parameters": (with_mesh('builtin="sphere"'), {}, "mesh", "a sphere has 1 parameter, not 0"),
    "builtin parameter": (with_mesh('builtin="sphere" params="9"'), {}, "mesh", "subdivided 0 to 4 times"),
    "builtin size": (
        with_mesh('builtin="supertorus" params="9e9 1 1 1"'),
        {},
        "mesh",
        "'m': params=\"9e+09 1 1 1\": a parameter can be at most 2000",
    ),
    "builtin keyword": (with_mesh('builtin="spere" params="1"'), {}, "mesh", "did you mean 'sphere'?"),
    "plugin": (with_asset("<mesh name='m'><plugin/></mesh>"), {}, "plugin", "is not supported yet"),
    "no name": (with_asset(f"<mesh {INLINE}/>"), {}, "mesh", "missing attribute 'name'"),
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
    "kind of file": (
        with_mesh('file="a.dae"'),
        {"a.dae": b"x"},
        "mesh",
        "'m': file 'a.dae': unknown mesh format: the extension must be .stl, .obj or .msh",
    ),
    "empty file": (STL, {"a.stl": b""}, "mesh", "file 'a.stl': the file is empty"),
    "short stl": (
        STL,
        {"a.stl": stl(CORNERS, FACES)[:-7]},
        "mesh",
        "'m': file 'a.stl': the file has 677 bytes, but its header implies 12 triangles: 684 bytes",
    ),
    "stl without triangles": (STL, {"a.stl": stl(CORNERS, [])}, "mesh", "has no triangles"),
    "nan in stl": (STL, {"a.stl": stl(NAN, FACES)}, "mesh", "'a.stl': a vertex is not finite"),
    "word in ascii stl": (STL, {"a.stl": b"solid a\n" + b"vertex 1 2 q\n" * 3}, "mesh", "'q', which is not a number"),
    "part of a triangle": (STL, {"a.stl": b"solid a\nvertex 1 2 3"}, "mesh", "whole triangles"),
    "short msh": (
        MSH,
        {"a.msh": msh(CORNERS, FACES)[:-4]},
        "mesh",
        "'m': file 'a.msh': the file has 252 bytes, but its header implies 256",
    ),
    "msh without header": (MSH, {"a.msh": b"123"}, "mesh", "too short for a header"),
    "msh sizes": (MSH, {"a.msh": struct.pack("<4i", 8, 3, 0, 0)}, "mesh", "8 vertices, 3 normals"),
    "msh with a large size": (MSH, {"a.msh": struct.pack("<4i", 2**31 - 1, 0, 0, 0)}, "mesh", "bytes"),
    "nan in msh": (MSH, {"a.msh": msh(NAN, FACES)}, "mesh", "'a.msh': vertex 3 is not finite"),
    "numbers in obj that are too large": (
        OBJ,
        {"a.obj": POINTS + b"\nv 1e39 0 0\nf 1 2 3"},
        "mesh",
        "'a.obj': vertex 8 is not finite",
    ),
    "word in obj": (OBJ, {"a.obj": b"v 1 2 q"}, "mesh", "'q', which is not a number"),
    "corner of obj": (
        OBJ,
        {"a.obj": POINTS + b"\nf 1 2 q"},
        "mesh",
        "'m': file 'a.obj': 'q' is not a corner of a face, such as 1/2/3",
    ),
    "some normals in obj": (
        OBJ,
        {"a.obj": b"vn 0 0 1\n" + POINTS + b"\nf 1//1 2//1 3//1\nf 1 2 4"},
        "mesh",
        "'m': file 'a.obj': face 1 has no normals; specify them for all faces or for none",
    ),
    "zero in obj": (OBJ, {"a.obj": POINTS + b"\nf 0 1 2"}, "mesh", "indices start at 1"),
    "far in obj": (OBJ, {"a.obj": POINTS + b"\nf 1 2 9"}, "mesh", "refers to vertex 8"),
    "far back in obj": (OBJ, {"a.obj": POINTS + b"\nf 1 2 -9"}, "mesh", "vertex -1"),
    "normal of obj": (
        OBJ,
        {"a.obj": b"vn 0 0 1\n" + POINTS + b"\nf 1//1 2//1 3//2"},
        "mesh",
        "refers to normal 1; there are 1",
    ),
    "text for stl": (
        STL,
        {"a.stl": obj(CORNERS, FACES)},
        "mesh",
        "'m': file 'a.stl': the file has 219 bytes, but its header implies 774971510 triangles: 38748575584 bytes",
    ),
    # geoms
    "geom without a mesh": (
        with_mesh(INLINE).replace('mesh="m"', ""),
        {},
        "geom",
        "a geom of type mesh needs a mesh; set mesh",
    ),
    "unknown mesh": (with_mesh(INLINE).replace('mesh="m"', 'mesh="n"'), {}, "geom", "mesh 'n' does not exist"),
    "fromto": (
        with_mesh(INLINE, 'fromto="0 0 0 1 1 1"', kind="capsule"),
        {},
        "geom",
        "fromto cannot be used for geoms with a mesh; set pos and an orientation",
    ),
    "shell geom": (
        with_mesh(INLINE, 'shellinertia="true"'),
        {},
        "geom",
        'shellinertia cannot be used for geoms with a mesh; set inertia="shell" in the <mesh>',
    ),
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
        "hfield 'h' does not exist; there are none",
    ),
    "hfield of a box": (
        field('nrow="2" ncol="2" size="1 1 1 1"').replace('type="hfield"', 'type="box" size="1 1 1"'),
        {},
        "geom",
        'hfield is set, but the type is different; set type="hfield"',
    ),
    "unknown material": (with_mesh(INLINE + ' material="red"'), {}, "geom", "material 'red' does not exist"),
    # height fields
    "hfield size": (
        field('nrow="2" ncol="2" size="1 1 0 1"'),
        {},
        "hfield",
        "'h': size is 1 1 0 1; all four numbers must be positive",
    ),
    "hfield without size": (field('nrow="2" ncol="2"'), {}, "hfield", "missing attribute 'size'"),
    "hfield of nothing": (
        field('size="1 1 1 1"'),
        {},
        "hfield",
        "nrow is 0 and ncol is 0; set both, or specify a file",
    ),
    "negative rows": (field('nrow="-2" ncol="-2" size="1 1 1 1"'), {}, "hfield", "nrow is -2"),
    "large hfield": (field('nrow="99999" ncol="99999" size="1 1 1 1"'), {}, "hfield", "is too large"),
    "one row": (
        field('nrow="1" ncol="2" size="1 1 1 1"'),
        {},
        "hfield",
        "'h': it has 1 rows and 2 columns; use at least two of each",
    ),
    "one column of a picture": (
        HEIGHTS,
        {"h.png": png(picture(5, 1, 1))},
        "hfield",
        "'h': file 'h.png': it has 5 rows and 1 columns",
    ),
    "few heights": (field('nrow="2" ncol="2" elevation="1 2 3" size="1 1 1 1"'), {}, "hfield", "nrow times ncol is 4"),
    "short hfield": (
        BINARY,
        {"h.bin": struct.pack("<2i", 2, 2)},
        "hfield",
        "'h': file 'h.bin': the file has 8 bytes, but its header implies 24",
    ),
    "hfield header": (BINARY, {"h.bin": b"123"}, "hfield", "too short for a header"),
    "hfield of extremes": (
        BINARY,
        {"h.bin": struct.pack("<2i4f", 2, 2, 3.4e38, -3.4e38, 0, 1)},
        "hfield",
        "its heights span 6.8e+38; scale them down: only their proportions matter",
    ),
    "hfield sizes": (BINARY, {"h.bin": struct.pack("<2i", 0, 2)}, "hfield", "0 rows"),
    "nan in hfield": (
        BINARY,
        {"h.bin": struct.pack("<2i4f", 2, 2, 1, 2, 3, float("nan"))},
        "hfield",
        "'h.bin': a height is not finite",
    ),
    "hfield that is no picture": (
        HEIGHTS,
        {"h.png": b"hello"},
        "hfield",
        "'h': file 'h.png': not a PNG image: not a PNG file",
    ),
    # textures
    "builtin by reference": (
        texture('builtin="flat" width="4" height="4" embed="false"'),
        {},
        "texture",
        'it cannot be stored by reference: it is builtin; remove embed="false"',
    ),
    "flipped by reference": (texture('file="t.png" vflip="true" embed="false"'), {}, "texture", "it is flipped"),
    "grid by reference": (texture('file="t.png" gridsize="3 4" embed="false"'), {}, "texture", "it is a grid"),
    "sides by reference": (texture('fileup="t.png" embed="false"'), {}, "texture", "it is not a single file"),
    "texture of nothing": (texture(""), {}, "texture", "neither builtin nor file"),
    "channels of a pattern": (
        texture('builtin="flat" width="4" height="4" nchannel="4"'),
        {},
        "texture",
        "'t': nchannel is 4; builtin textures have 3",
    ),
    "kind of texture": (
        texture('type="2d" file="t.jpg"'),
        {"t.jpg": b""},
        "texture",
        "'t': unknown format of image file 't.jpg'; the extension must be .png or .ktx, or set content_type",
    ),
    # the library reads beyond its end
    "short colour profile": (
        PICTURE,
        {"t.png": after_pixels(b"iCCP", b"")},
        "texture",
        "file 't.png': not a PNG image",
    ),
    "no picture": (PICTURE, {"t.png": b"hello"}, "texture", "file 't.png': not a PNG"),
    "cut picture": (
        PICTURE,
        {"t.png": png(picture(30, 30))[:900]},
        "texture",
        "'t': file 't.png': not a PNG image: image file is truncated",
    ),
    "channels": (
        texture('type="2d" file="t.png" nchannel="2"'),
        {"t.png": png(picture(2, 2))},
        "texture",
        "'t': nchannel is 2; it must be 1, 3 or 4 for a PNG image",
    ),
    "flipped ktx": (texture('type="2d" file="t.ktx" hflip="true"'), {"t.ktx": b"1"}, "texture", "cannot be flipped"),
    "empty ktx": (texture('type="2d" file="t.ktx"'), {"t.ktx": b""}, "texture", "file 't.ktx' is empty"),
    "flat of sides": (
        texture('type="2d" fileup="t.png"'),
        {"t.png": png(picture(2, 2))},
        "texture",
        "'t': a 2d texture needs a single file; set file",
    ),
    "oblong cube": (texture('file="t.png"'), {"t.png": png(picture(2, 4))}, "texture", "4 x 2 pixels are not"),
    "oblong side": (texture('fileup="t.png"'), {"t.png": png(picture(2, 4))}, "texture", "it must be square"),
    "different sides": (
        texture('fileup="t.png" filedown="u.png"'),
        {"t.png": png(picture(2, 2)), "u.png": png(picture(3, 3))},
        "texture",
        "'t': file 'u.png': the image is 3 pixels wide, another is 2; all must have the same size",
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
    "skin of nothing": (
        with_asset("<skin name='s'/>"),
        {},
        "skin",
        "'s': vertices, faces or bones are missing; specify all three, or a file",
    ),
    "skin with a file and data": (
        with_asset(SKIN % ('file="s.skn"', "")),
        {},
        "skin",
        "'s': both a file and data are specified; remove one of them",
    ),
    "kind of skin": (
        with_asset("<skin file='s.obj'/>"),
        {"s.obj": b"1"},
        "skin",
        "'s': unknown format of skin file 's.obj'; the extension must be .skn",
    ),
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


@pytest.mark.filterwarnings("error::RuntimeWarning")
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
    "a.obj": (OBJ, b"vn 0 0 1\nvt 1 1\n" + POINTS + WHOLE_FACES + b"\nf 1/1/1 2/1/1 -1/1/1 4/1/1 5/1/1"),
    "h.png": (HEIGHTS, png(picture(5, 7, 1))),
    "h.bin": (BINARY, struct.pack("<2i6f", 2, 3, 1, 2, 3, 4, 5, 6)),
    "t.png": (PICTURE, png(picture(6, 5))),
    "s.skn": (SKN, skn(["world"])),
}


@pytest.mark.filterwarnings("ignore:.*texture coordinates")
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
