"""Meshes, height fields and skins in scaled frames: an instance of an asset for each scale that it is used at.

The first instance keeps the name of the asset, the others are called name@1, name@2 and follow all other assets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sim.mjcf.body import depth_first
from sim.mjcf.place import resolve_orientation
from sim.mjcf.records import Body, Geom, HField, Mesh, Parsed, Site, copied
from sim.mjcf.rotation import Mat3
from sim.mjcf.scale.frame_scale import Scale
from sim.mjcf.scale.scale_tree import AXES, multiply, multiply_attribute

ONE: Mat3 = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def scale_assets(parsed: Parsed) -> None:
    """Make the instances, and let geoms refer to them."""
    for place, kind in (("mesh", parsed.meshes), ("hfield", parsed.hfields)):
        _make_instances(parsed, place, kind)


def _users(parsed: Parsed, place: str) -> Iterator[tuple[Geom | Site, Scale | None]]:
    """Geoms, then sites, with an asset, and the scale in their axes."""
    bodies = depth_first(parsed.world)
    items: list[Geom | Site] = [geom for body in bodies for geom in body.geoms]
    items += [site for body in bodies for site in body.sites]
    for item in items:
        if getattr(item, place, ""):
            scale = item.frame_scale
            if scale is not None and not scale.uniform:
                scale = scale.rotated(resolve_orientation(item, parsed.compiler_of(item)))
            yield item, scale


def _make_instances(parsed: Parsed, place: str, assets: list[Any]) -> None:
    named = {asset.name: asset for asset in assets}
    authored = {name: copied(asset) for name, asset in named.items()}
    instances: dict[str, dict[Mat3, Any]] = {}
    for user, scale in _users(parsed, place):
        name = getattr(user, place)
        if name not in authored:
            continue
        matrix = scale.matrix if scale else ONE
        made = instances.setdefault(name, {})
        if matrix not in made:
            asset = copied(authored[name]) if made else named[name]
            if made:
                asset.name = f"{name}@{len(made)}"
                if asset.name in named:
                    raise named[asset.name].error(
                        f"the instance of {place} '{name}' at a different scale already has this name",
                        "rename one of them",
                    )
                assets.append(asset)
            made[matrix] = asset
            if scale is not None:
                _scale_asset(asset, user, scale)
        setattr(user, place, made[matrix].name)
    for made in instances.values():
        # the attributes of one element are those of all instances
        for asset in made.values() if len(made) > 1 else ():
            asset.factors = dict.fromkeys(("size", "scale"), ())


def _scale_asset(asset: Mesh | HField, user: Geom | Site, scale: Scale) -> None:
    x, y, z = (scale.along(axis) for axis in AXES)
    if isinstance(asset, HField):
        if not all(scale.keeps(axis) for axis in AXES):
            raise user.error("its frame would skew it", "align it with the axes of the scaled frame")
        multiply_attribute(asset, "size", (x, y, z, z))
    elif any(scale.matrix[k] for k in (1, 2, 3, 5, 6, 7)):
        asset.stretch = scale.matrix
    else:
        multiply_attribute(asset, "scale", (x, y, z))


def scale_skins(parsed: Parsed, bodies: Sequence[Body]) -> None:
    """Scale compiled skins as the bodies that are their bones."""
    named = {body.name: body for body in bodies}
    for skin in parsed.skins:
        known = [named[bone.body].inner_scale for bone in skin.bones if bone.body in named]
        if len({scale.matrix if scale else ONE for scale in known}) > 1:
            raise skin.error("its bones have different scales", "put them into one scaled frame, without rotations")
        scale = known[0] if known else None
        if scale is not None:
            skin.vertex = np.array([scale.map(row) for row in skin.vertex.astype(float).tolist()], np.float32)
            for bone in skin.bones:
                bone.bindpos = scale.map(bone.bindpos)
            multiply(skin, "skin", scale.units.letters())
