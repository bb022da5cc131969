"""A draw list as a frame of the live viewer has it: batches that do not depend on the eye, rows, light, the camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView
from app.scene.camera import View
from app.scene.instances import ID, INSTANCE_FLOATS, NO_TEXTURE, Batch, Floats, Plane
from app.scene.lights import Light
from app.scene.scene import DrawList
from app.web.live.assets import AssetStore, ModelAssets
from app.web.payload import Entry

LISTS = ("opaque", "transparent", "planes", "overlay", "outlined", "ghost")
# list, shape, texture, material, mirror, shadow, smallest radius of rods
Key = tuple[str, str, int, int, Plane | None, bool, float]


@dataclass(frozen=True)
class SceneParts:
    """The scene of one frame."""

    model: Entry
    camera: Entry
    look: Entry
    batches: tuple[tuple[Key, int], ...]
    # of all batches, in their order; and their levels of detail
    rows: Floats
    lods: NDArray[np.uint8]
    deformed: dict[str, Floats]
    # positions that differ by less look the same, m
    least: float


class SceneMaker:
    """Makes them, frame after frame."""

    def __init__(self, store: AssetStore) -> None:
        self._store = store
        self._assets: ModelAssets | None = None

    def parts(self, model: ModelView, scene: DrawList, seen: View, orbit: Entry | None) -> SceneParts:
        """The parts of a draw list that is seen from a camera; `orbit` is how a page may move it."""
        if self._assets is None or self._assets.identity is not model.identity:
            self._assets = ModelAssets(self._store, model)
        groups: dict[Key, list[Batch]] = {}
        for name in LISTS:
            for batch in getattr(scene, name):
                groups.setdefault(_key(name, batch), []).append(batch)
        shapes = {key[1] for key in groups} | scene.deformed.keys()
        textures = {key[2] for key in groups if key[2] != NO_TEXTURE}
        materials = {key[3] for key in groups if key[3] != NO_TEXTURE}
        rows, lods, counts = [], [], []
        for batches in groups.values():
            some = np.concatenate([batch.instances for batch in batches])
            levels = np.repeat([batch.lod for batch in batches], [len(batch.instances) for batch in batches])
            if len(batches) > 1 or len(some) > 1:
                # what is near or far has its place even so
                order = np.argsort(some[:, ID], kind="stable")
                some, levels = some[order], levels[order]
            rows.append(some)
            lods.append(levels)
            counts.append(len(some))
        return SceneParts(
            model=self._assets.use(shapes, textures, materials),
            camera=camera_entry(seen, orbit),
            look=look_entry(model, scene),
            batches=tuple(zip(groups, counts, strict=True)),
            rows=np.concatenate(rows) if rows else np.zeros((0, INSTANCE_FLOATS), np.float32),
            lods=np.concatenate(lods).astype(np.uint8) if lods else np.zeros(0, np.uint8),
            deformed=scene.deformed,
            least=1e-6 * min(max(float(scene.extent), 1e-3), 1e3),
        )


def _key(name: str, batch: Batch) -> Key:
    return (
        name, batch.shape, int(batch.texture), int(batch.material), batch.mirror, bool(batch.shadow),
        float(batch.width_scale),
    )  # fmt: skip


def camera_entry(seen: View, orbit: Entry | None) -> Entry:
    """The camera of a header."""
    return {
        "eye": numbers(seen.eye), "axes": numbers(seen.axes.ravel()), "fovy": seen.fovy, "near": seen.near,
        "far": seen.far, "orthographic": seen.orthographic,
        "sensor": None if seen.sensor is None else list(seen.sensor),
        "focus": seen.focus if np.isfinite(seen.focus) else None, "orbit": orbit,
    }  # fmt: skip


def look_entry(model: ModelView, scene: DrawList) -> Entry:
    """Lights, sky and flags of a header."""
    haze, fog, head = scene.haze, scene.fog, scene.headlight
    return {
        "lights": [_light(light) for light in scene.lights],
        "headlight": {name: numbers(getattr(head, name)) for name in ("ambient", "diffuse", "specular")},
        "skybox": int(scene.skybox),
        "haze": None if haze is None else {
            "colour": None if haze.colour is None else numbers(haze.colour[:3]), "amount": haze.amount,
        },
        "fog": None if fog is None else {"colour": numbers(fog.colour[:3]), "start": fog.start, "end": fog.end},
        "extent": scene.extent, "shadow": bool(scene.shadow), "shadowSize": int(model.vis.quality.shadowsize),
        "wireframe": bool(scene.wireframe), "additive": bool(scene.additive),
    }  # fmt: skip


def _light(light: Light) -> Entry:
    vectors = ("position", "direction", "ambient", "diffuse", "specular", "attenuation")
    return {
        "type": int(light.type), **{name: numbers(getattr(light, name)) for name in vectors},
        "cutoff": light.cutoff, "exponent": light.exponent, "shadow": light.shadow,
    }  # fmt: skip


def numbers(values: Any) -> list[float]:
    """Numbers as JSON has them, in the digits that single precision has; what is not finite is 0."""
    return [float(f"{v:.7g}") if np.isfinite(v) else 0.0 for v in np.asarray(values, float).ravel().tolist()]
