"""Uniforms of view, lights, sky and fog by name, and the defines that select a shader variant."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import View
from app.scene.instances import MIN_ROD_RADIUS, NO_TEXTURE, Floats
from app.scene.scene import DrawList
from app.scene.surfaces import LAYER_ROLES

# texture units
UNIT_TEXTURE, UNIT_CUBE, UNIT_SKYBOX, UNIT_MIRROR = range(4)
UNITS_SHADOW = (4, 5, 6)
UNITS_LAYER = {role: 7 + k for k, role in enumerate(LAYER_ROLES)}

# lights in models are tuned for sums in display space; in linear light they need less fill, more key
EXPOSURE = 1.4
HEADLIGHT_DIFFUSE = 0.55
HEADLIGHT_SPECULAR = 0.35
AMBIENT_FLOOR = 0.05
# ambient light above this is converted to linear, or nothing would have a dark side
AMBIENT_KNEE = 0.12
SKY_FOVY = 45.0

Array = NDArray[np.float64]


def scene_defines(scene: DrawList, maps: tuple[int, ...] = ()) -> tuple[str, ...]:
    """The defines that all surfaces of a frame share; `maps` is how many shadow maps each of the first lights has."""
    types = ",".join(str(light.type) for light in scene.lights)
    first = (sum(maps[:k]) for k in range(len(maps)))
    shadows = [f"MAPS {','.join(map(str, maps))}", f"FIRST_MAPS {','.join(map(str, first))}", f"MAP_COUNT {sum(maps)}"]
    if any(batch.casts_shadow for batch in scene.transparent):
        shadows.append("TRANSPARENT_CASTERS")
    return (
        f"LIGHTS {len(scene.lights)}", f"LIGHT_TYPES {types}", f"SHADOWS {len(maps)}", *(shadows if maps else ()),
        *sky_defines(scene),
    )  # fmt: skip


def sky_defines(scene: DrawList) -> tuple[str, ...]:
    """The defines of sky, haze and fog."""
    haze, fog = scene.haze is not None, scene.fog is not None
    tint = scene.haze is not None and scene.haze.colour is not None
    which = (("SKYBOX", scene.skybox != NO_TEXTURE), ("HAZE", haze), ("HAZE_TINT", tint), ("FOG", fog))
    return tuple(name for name, true in which if true)


def view_uniforms(scene: DrawList, view: View, size: tuple[int, int]) -> dict[str, Any]:
    """Uniforms of camera, haze, fog and texture units."""
    aspect = size[0] / size[1]
    # parallel rays would all meet one point of the sky: it is drawn in perspective
    camera = replace(view, fovy=SKY_FOVY, orthographic=False) if view.orthographic else view
    left, right, bottom, top = camera.edges(aspect)
    across, up = (right - left) / 2, (top - bottom) / 2
    middle = view.axes @ ((left + right) / 2, (bottom + top) / 2, -1.0)
    rays = np.column_stack([across * view.axes[:, 0], up * view.axes[:, 1], middle])
    uniforms = {
        "u_view_projection": (view.projection_matrix(aspect) @ view.view_matrix()).T,
        "u_rays": rays.T,
        "u_eye": tuple(view.eye),
        "u_far": view.far,
        "u_parallel": (*-view.axes[:, 2], float(view.orthographic)),
        "u_pixel": (1 / size[0], 1 / size[1]),
        "u_min_radius": MIN_ROD_RADIUS * view.height_at(1.0) / size[1],
        "u_opacity": 1.0,
        "u_grid": 10.0 ** np.floor(np.log10(max(0.5 * scene.extent, 1e-6)) + 0.3),
        "u_texture": UNIT_TEXTURE,
        "u_cube": UNIT_CUBE,
        "u_skybox": UNIT_SKYBOX,
        "u_mirror": UNIT_MIRROR,
        "u_shadow_compare": UNITS_SHADOW[0],
        "u_shadow_min_depth": UNITS_SHADOW[1],
        "u_shadow_dilated": UNITS_SHADOW[2],
    }
    uniforms |= {f"u_{role}": unit for role, unit in UNITS_LAYER.items()}
    if scene.haze is not None:
        colour = (0.0, 0.0, 0.0) if scene.haze.colour is None else to_linear(scene.haze.colour)
        uniforms["u_haze"] = (*colour, scene.haze.amount)
    if scene.fog is not None:
        uniforms["u_fog"] = (*to_linear(scene.fog.colour), 1 / max(scene.fog.end - scene.fog.start, 1e-9))
        uniforms["u_fog_start"] = scene.fog.start
    return uniforms


def reflected_view(uniforms: dict[str, Any], view: View, plane: tuple[float, float, float, float]) -> dict[str, Any]:
    """Uniforms of the view into a mirror: the world reflected about `plane` (normal, distance from the origin)."""
    normal, distance = np.array(plane[:3]), plane[3]
    flip = np.eye(3) - 2 * np.outer(normal, normal)
    reflection = np.eye(4)
    reflection[:3, :3], reflection[:3, 3] = flip, 2 * distance * normal
    return uniforms | {
        "u_view_projection": reflection.T @ uniforms["u_view_projection"],
        "u_rays": uniforms["u_rays"] @ flip,
        "u_eye": tuple(flip @ view.eye + 2 * distance * normal),
        "u_parallel": (*(flip @ -view.axes[:, 2]), float(view.orthographic)),
        "u_mirror_plane": plane,
    }


def light_uniforms(scene: DrawList) -> dict[str, Any]:
    """Uniforms of all lights, as arrays."""
    lights, head = scene.lights, scene.headlight
    total = head.ambient + sum(light.ambient for light in lights)
    ambient = np.maximum(np.minimum(total, AMBIENT_KNEE), to_linear(total))
    # light removed from the ambient term goes to the other lights
    exposure = EXPOSURE * (1.0 + float(np.mean(total - ambient)))
    position, specular, attenuation = (np.zeros((len(lights), 3), np.float32) for _ in range(3))
    direction, diffuse = (np.zeros((len(lights), 4), np.float32) for _ in range(2))
    for i, light in enumerate(lights):
        position[i] = light.position
        length = max(float(np.linalg.norm(light.direction)), 1e-9)
        direction[i] = *light.direction / length, np.cos(np.radians(light.cutoff))
        diffuse[i] = *(exposure * light.diffuse), light.exponent
        specular[i] = exposure * light.specular
        attenuation[i] = light.attenuation
    return {
        "u_light_position": position,
        "u_light_direction": direction,
        "u_light_diffuse": diffuse,
        "u_light_specular": specular,
        "u_light_attenuation": attenuation,
        "u_ambient": tuple(AMBIENT_FLOOR + ambient),
        "u_head_diffuse": tuple(exposure * HEADLIGHT_DIFFUSE * head.diffuse),
        "u_head_specular": tuple(exposure * HEADLIGHT_SPECULAR * head.specular),
    }


def to_linear(srgb: Floats) -> Floats:
    """sRGB to linear."""
    x = np.asarray(srgb, float)[:3]
    linear: Floats = np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)
    return linear
