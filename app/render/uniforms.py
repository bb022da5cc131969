"""What shaders are told of view, lights, sky and fog: uniforms by name, and the defines that choose a variant."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import View
from app.scene.instances import NO_TEXTURE, THINNEST, Floats
from app.scene.scene import DrawList
from app.scene.surfaces import LAYER_ROLES

# texture units
UNIT_TEXTURE, UNIT_CUBE, UNIT_SKYBOX, UNIT_MIRROR = range(4)
UNITS_SHADOW = (4, 5, 6)
UNITS_LAYER = {role: 7 + k for k, role in enumerate(LAYER_ROLES)}

# lights in models are tuned for sums in display space; in linear light they need less fill, more key
EXPOSURE = 1.4
HEAD_SHARE = 0.55
HEAD_GLOSS = 0.35
AMBIENT_FLOOR = 0.05
# more ambient light than this counts as it would look in display space, or nothing would have a dark side
AMBIENT_KEPT = 0.12
SKY_FOVY = 45.0

Array = NDArray[np.float64]


def scene_defines(scene: DrawList, maps: tuple[int, ...] = ()) -> tuple[str, ...]:
    """The variant that all surfaces of a frame share; `maps` is how many shadow maps the first lights have."""
    kinds = ",".join(str(light.kind) for light in scene.lights)
    first = (sum(maps[:k]) for k in range(len(maps)))
    shadows = [f"MAPS {','.join(map(str, maps))}", f"FIRST_MAPS {','.join(map(str, first))}", f"MAP_COUNT {sum(maps)}"]
    if any(batch.casts_shadow for batch in scene.transparent):
        shadows.append("TRANSPARENT_CASTERS")
    return (
        f"LIGHTS {len(scene.lights)}", f"KINDS {kinds}", f"SHADOWS {len(maps)}", *(shadows if maps else ()),
        *air_defines(scene),
    )  # fmt: skip


def air_defines(scene: DrawList) -> tuple[str, ...]:
    """The variant of sky, haze and fog."""
    haze, fog = scene.haze is not None, scene.fog is not None
    tint = scene.haze is not None and scene.haze.colour is not None
    which = (("SKYBOX", scene.skybox != NO_TEXTURE), ("HAZE", haze), ("HAZE_TINT", tint), ("FOG", fog))
    return tuple(name for name, true in which if true)


def view_uniforms(scene: DrawList, view: View, size: tuple[int, int]) -> dict[str, Any]:
    """The camera, the air and the texture units."""
    aspect = size[0] / size[1]
    # parallel rays would all meet one point of the sky: it is seen as through a usual lens
    lens = replace(view, fovy=SKY_FOVY, orthographic=False) if view.orthographic else view
    left, right, bottom, top = lens.edges(aspect)
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
        "u_thinnest": THINNEST * view.height_at(1.0) / size[1],
        "u_opacity": 1.0,
        "u_grid": 10.0 ** np.floor(np.log10(max(0.5 * scene.extent, 1e-6)) + 0.3),
        "u_texture": UNIT_TEXTURE,
        "u_cube": UNIT_CUBE,
        "u_skybox": UNIT_SKYBOX,
        "u_mirror": UNIT_MIRROR,
        "u_shadow_compare": UNITS_SHADOW[0],
        "u_shadow_nearest": UNITS_SHADOW[1],
        "u_shadow_around": UNITS_SHADOW[2],
    }
    uniforms |= {f"u_{role}": unit for role, unit in UNITS_LAYER.items()}
    if scene.haze is not None:
        colour = (0.0, 0.0, 0.0) if scene.haze.colour is None else to_linear(scene.haze.colour)
        uniforms["u_haze"] = (*colour, scene.haze.amount)
    if scene.fog is not None:
        uniforms["u_fog"] = (*to_linear(scene.fog.colour), 1 / max(scene.fog.end - scene.fog.start, 1e-9))
        uniforms["u_fog_start"] = scene.fog.start
    return uniforms


def mirrored(uniforms: dict[str, Any], view: View, plane: tuple[float, float, float, float]) -> dict[str, Any]:
    """The same view into a mirror: the world is reflected about `plane` (normal, distance from the origin)."""
    normal, distance = np.array(plane[:3]), plane[3]
    turn = np.eye(3) - 2 * np.outer(normal, normal)
    reflection = np.eye(4)
    reflection[:3, :3], reflection[:3, 3] = turn, 2 * distance * normal
    return uniforms | {
        "u_view_projection": reflection.T @ uniforms["u_view_projection"],
        "u_rays": uniforms["u_rays"] @ turn,
        "u_eye": tuple(turn @ view.eye + 2 * distance * normal),
        "u_parallel": (*(turn @ -view.axes[:, 2]), float(view.orthographic)),
        "u_mirror_plane": plane,
    }


def light_uniforms(scene: DrawList) -> dict[str, Any]:
    """All lights as arrays."""
    lights, head = scene.lights, scene.headlight
    given = head.ambient + sum(light.ambient for light in lights)
    ambient = np.maximum(np.minimum(given, AMBIENT_KEPT), to_linear(given))
    # what is taken from the ambient light goes to the others
    exposure = EXPOSURE * (1.0 + float(np.mean(given - ambient)))
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
        "u_head_diffuse": tuple(exposure * HEAD_SHARE * head.diffuse),
        "u_head_specular": tuple(exposure * HEAD_GLOSS * head.specular),
    }


def to_linear(srgb: Floats) -> Floats:
    """Colours of the model to light."""
    x = np.asarray(srgb, float)[:3]
    linear: Floats = np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)
    return linear
