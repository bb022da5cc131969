"""Compiles skins: visual meshes whose vertices follow bodies, the bones.

A skin is given in the XML or in an SKN file, which names its bodies. The bone weights at each vertex are normalized to
a sum of 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim import enums
from sim.mjcf.asset.asset_file import read_asset
from sim.mjcf.columns import fill_attributes, starts
from sim.mjcf.records import Bone, Ids, Skin, Values, find
from sim.mjcf.rotation import normalize4

NAME_BYTES = 40
MOST_GROUPS = 6


def compile_skin(skin: Skin) -> None:
    """Load and check a skin; its lists become arrays."""
    if not 0 <= skin.group < MOST_GROUPS:
        raise skin.error(f"group is {skin.group}", f"it must be 0 to {MOST_GROUPS - 1}")
    if skin.file:
        if len(skin.vertex) or len(skin.face) or len(skin.texcoord) or skin.bones:
            raise skin.error("both a file and data are specified", "remove one of them")
        if not skin.file.lower().endswith(".skn"):
            raise skin.error(f"unknown format of skin file '{skin.file}'", "the extension must be .skn")
        try:
            _read(skin, read_asset(skin, skin.file))
        except ValueError as why:
            raise skin.error(f"file '{skin.file}': {why}") from None
    if not len(skin.vertex) or not len(skin.face) or not skin.bones:
        raise skin.error("vertices, faces or bones are missing", "specify all three, or a file")
    for name, width, kind in (("vertex", 3, np.float32), ("texcoord", 2, np.float32), ("face", 3, np.int32)):
        values = getattr(skin, name)
        if len(values) % width:
            raise skin.error(f"{name} has {len(values)} values", f"the number must be divisible by {width}")
        setattr(skin, name, np.array(values, kind).reshape(-1, width))
    count = len(skin.vertex)
    if not np.isfinite(skin.vertex).all() or not np.isfinite(skin.texcoord).all():
        raise skin.error("a vertex or texture coordinate is not finite")
    if len(skin.texcoord) not in (0, count):
        raise skin.error(
            f"there are {len(skin.texcoord)} texture coordinates", f"there must be one for each of the {count} vertices"
        )
    bad = (skin.face < 0) | (skin.face >= count)
    if bad.any():
        raise skin.error(f"a face refers to vertex {skin.face[bad][0]}", f"there are {count}")
    _normalize_weights(skin, count)


def _read(skin: Skin, data: bytes) -> None:
    """Header (vertices, texture coordinates, faces, bones), the arrays, then the bones."""
    if len(data) < 16 or len(data) % 4:
        raise ValueError("the file is too short for a header" if len(data) < 16 else "the file has been cut off")
    floats, ints = np.frombuffer(data, "<f4"), np.frombuffer(data, "<i4")
    nvert, ntexcoord, nface, nbone = (int(n) for n in ints[:4])
    at = 4
    if min(nvert, ntexcoord, nface, nbone) < 0:
        raise ValueError("a size in its header is negative")

    def take(words: Any, count: int) -> Any:
        nonlocal at
        if at + count > len(words):
            raise ValueError("the file ends too early")
        at += count
        return words[at - count : at]

    skin.vertex, skin.texcoord, skin.face = take(floats, 3 * nvert), take(floats, 2 * ntexcoord), take(ints, 3 * nface)
    bones = []
    for _ in range(nbone):
        start = 4 * at
        take(ints, NAME_BYTES // 4)
        name = data[start : start + NAME_BYTES - 1].split(b"\0", 1)[0].decode("utf-8", "replace")
        pos, quat = take(floats, 3).tolist(), take(floats, 4).tolist()
        size = int(take(ints, 1)[0])
        if size < 1:
            raise ValueError(f"bone '{name}' has {size} vertices")
        bones.append(
            Bone(
                skin.node,
                body=name,
                bindpos=tuple(pos),
                bindquat=tuple(quat),
                vertid=take(ints, size),
                vertweight=take(floats, size),
            )
        )
    if at != len(ints):
        raise ValueError(f"the file has {4 * (len(ints) - at)} bytes too many")
    skin.bones = bones


def _normalize_weights(skin: Skin, count: int) -> None:
    """Normalize the weights at each vertex to a sum of 1, in single precision."""
    total = np.zeros(count, np.float32)
    for bone in skin.bones:
        ids, weights = np.array(bone.vertid, np.int32), np.array(bone.vertweight, np.float32)
        if len(ids) != len(weights) or not len(ids):
            raise bone.error(f"it has {len(ids)} vertices and {len(weights)} weights", "specify one weight per vertex")
        if ids.min() < 0 or ids.max() >= count:
            raise bone.error(f"it refers to vertex {ids[(ids < 0) | (ids >= count)][0]}", f"there are {count}")
        if not np.isfinite(weights).all() or not np.isfinite((*bone.bindpos, *bone.bindquat)).all():
            raise bone.error("a number in the bone is not finite")
        np.add.at(total, ids, weights)
        bone.vertid, bone.vertweight = ids, weights
        bone.bindquat = normalize4(bone.bindquat)
    weightless = np.flatnonzero(~(total > enums.MINVAL))
    if len(weightless):
        raise skin.error(
            f"the weights of vertex {weightless[0]} add up to {total[weightless[0]]:g}", "the sum must be positive"
        )
    for bone in skin.bones:
        bone.vertweight = bone.vertweight / total[bone.vertid]


def fill_skins(m: Values, skins: Sequence[Skin], ids: Ids) -> None:
    """skin_*: all skins concatenated, and their addresses."""
    fill_attributes(m, "skin", "nskin", skins, ids)
    bones = [bone for skin in skins for bone in skin.bones]
    m["nskin"], m["nskinbone"] = len(skins), len(bones)
    for name, kind, width, source, size in (
        ("vert", np.float32, 3, "vertex", "nskinvert"),
        ("texcoord", np.float32, 2, "texcoord", "nskintexvert"),
        ("face", np.int32, 3, "face", "nskinface"),
    ):
        parts = [getattr(skin, source) for skin in skins]
        m[f"skin_{name}"] = np.concatenate([np.zeros((0, width), kind), *parts])
        m[size] = len(m[f"skin_{name}"])
        m[f"skin_{name}adr"], counts = starts([len(part) for part in parts])
        if name == "texcoord":
            m["skin_texcoordadr"] = np.where(counts > 0, m["skin_texcoordadr"], -1).astype(np.int32)
        else:
            m[f"skin_{name}num"] = counts
    m["skin_boneadr"], m["skin_bonenum"] = starts([len(skin.bones) for skin in skins])
    m["skin_bonevertadr"], m["skin_bonevertnum"] = starts([len(bone.vertid) for bone in bones])
    m["skin_bonebindpos"] = np.array([bone.bindpos for bone in bones], np.float32).reshape(-1, 3)
    m["skin_bonebindquat"] = np.array([bone.bindquat for bone in bones], np.float32).reshape(-1, 4)
    m["skin_bonevertid"] = np.concatenate([np.zeros(0, np.int32), *(bone.vertid for bone in bones)])
    m["skin_bonevertweight"] = np.concatenate([np.zeros(0, np.float32), *(bone.vertweight for bone in bones)])
    m["nskinbonevert"] = len(m["skin_bonevertid"])
    m["skin_bonebodyid"] = np.array([find(bone, "body", bone.body, ids) for bone in bones], np.int32)
