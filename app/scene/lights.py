"""Lights of a scene: those of the model, or a default key light where it has none; the headlight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.model.views import ModelView, StateView
from app.scene.instances import LARGEST, Floats

SPOT, DIRECTIONAL, POINT = 0, 1, 2
MAX_LIGHTS = 8


@dataclass(frozen=True)
class Light:
    """A light of the model, or the default key light."""

    type: int
    position: Floats
    direction: Floats
    ambient: Floats
    diffuse: Floats
    specular: Floats
    attenuation: Floats
    cutoff: float
    exponent: float
    shadow: bool


@dataclass(frozen=True)
class Headlight:
    """The light at the camera."""

    ambient: Floats
    diffuse: Floats
    specular: Floats


def headlight(model: ModelView) -> Headlight:
    """The model's headlight; dark if it is switched off."""
    head, zero = model.vis.headlight, np.zeros(3, dtype=np.float32)
    if not head.active:
        return Headlight(zero, zero, zero)
    return Headlight(*(np.array(v, dtype=np.float32) for v in (head.ambient, head.diffuse, head.specular)))


def lights(model: ModelView, state: StateView) -> tuple[Light, ...]:
    """The active lights of the model, those with shadows first; the key light if there are none."""
    found = [
        Light(
            type=int(model.light_type[i]),
            position=np.array(state.light_xpos[i], dtype=np.float32),
            direction=np.array(state.light_xdir[i], dtype=np.float32),
            ambient=np.array(model.light_ambient[i], dtype=np.float32),
            diffuse=np.array(model.light_diffuse[i], dtype=np.float32),
            specular=np.array(model.light_specular[i], dtype=np.float32),
            attenuation=np.array(model.light_attenuation[i], dtype=np.float32),
            cutoff=float(model.light_cutoff[i]),
            exponent=float(model.light_exponent[i]),
            shadow=bool(model.light_castshadow[i]),
        )
        for i in range(model.nlight)
        if model.light_active[i] and model.light_type[i] in (SPOT, DIRECTIONAL, POINT)
        # not on a diverged body
        if np.abs((*state.light_xpos[i], *state.light_xdir[i])).max() < LARGEST
    ]
    found.sort(key=lambda light: not light.shadow)
    return tuple(found[:MAX_LIGHTS]) or (KEY_LIGHT,)


def _vector(*values: float) -> Floats:
    return np.array(values, dtype=np.float32)


# for a scene without lights: from above, left of and behind the default view
KEY_LIGHT = Light(
    type=DIRECTIONAL,
    position=_vector(0, 0, 0),
    direction=_vector(0.44, 0.36, -0.82),
    ambient=_vector(0, 0, 0),
    diffuse=_vector(0.7, 0.68, 0.64),
    specular=_vector(0.3, 0.3, 0.3),
    attenuation=_vector(1, 0, 0),
    cutoff=45.0,
    exponent=0.0,
    shadow=True,
)
