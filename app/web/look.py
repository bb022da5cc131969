"""What of a model stays the same through a run: shapes, textures, instances, lights, cameras, names.

All is as `app/scene` draws it, but with every group, and with poses in the frame of a node.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView
from app.scene.camera import ORTHOGRAPHIC, clip_planes, default_free_camera, sensor_edges
from app.scene.contacts import MAX_LENGTH, OPEN, SLIP, STICK, metres_per_newton
from app.scene.decor.cameras_lights import RAY_RADIUS, drawn_rangefinders
from app.scene.decor.islands import ALONE, indexed_colours
from app.scene.instances import (
    ALPHA,
    INSTANCE_FLOATS,
    OPAQUE_ALPHA,
    POSITION,
    REFLECTANCE,
    ROTATION,
    SHAPE,
    Floats,
    Kind,
)
from app.scene.lights import KEY_LIGHT, MAX_LIGHTS, Light, headlight, lights
from app.scene.meshes import Mesh
from app.scene.model_meshes import model_mesh
from app.scene.surfaces import (
    BOX,
    MODEL_SHAPES,
    PLANE,
    element_types,
    layer_materials,
    layout,
    shape_names,
    skybox,
    surfaces,
    texture_pixels,
    textures,
    visible,
)
from app.scene.visual_options import NGROUP
from app.web.payload import Container, Entry, quantise
from app.web.rotations import rotate
from app.web.shapes import material_layers, mesh_entry, texture_entry, textures_of_data
from app.web.tracks import Nodes, fixed_to
from sim.model import Model
from sim.script.rotation import quat_to_mat

ALL_GROUPS = [True] * NGROUP


class Look:
    """The constant part of a header, whose arrays go to a container."""

    def __init__(self, container: Container, model: Model, view: ModelView) -> None:
        self._container, self._model, self._view = container, model, view
        elements = [(kind, visible(view, kind, ALL_GROUPS)) for kind in (Kind.GEOM, Kind.SITE)]
        self.ids = dict(elements)
        self.rows: Floats = np.concatenate([layout(view, *element) for element in elements])
        self.shapes = [name for element in elements for name in shape_names(view, *element, False)]
        self.types = np.concatenate([element_types(view, *element) for element in elements])
        self.textures = np.concatenate([textures(view, *element) for element in elements])
        self.materials = np.concatenate([layer_materials(view, *element) for element in elements])
        self.node = np.concatenate([self._field("bodyid", *element) for element in elements]).astype(np.int64)
        groups = [self._field("group", *element) for element in elements]
        self.groups = np.clip(np.concatenate(groups), 0, NGROUP - 1)
        self.pngs: dict[int, bytes] = {}
        # the largest error of a vertex, m
        self.mesh_error = 0.0
        self._place()

    def _field(self, name: str, kind: Kind, ids: NDArray[np.int64]) -> NDArray[Any]:
        return np.asarray(getattr(self._model, f"{kind.name.lower()}_{name}"))[ids]

    def _place(self) -> None:
        """Poses in the frames of bodies; a mesh of a site has its own within that."""
        model, at = self._model, 0
        for kind, ids in self.ids.items():
            prefix = kind.name.lower()
            for place, index in enumerate(ids.tolist(), start=at):
                position = np.array(getattr(model, f"{prefix}_pos")[index], float)
                rotation = np.asarray(quat_to_mat(getattr(model, f"{prefix}_quat")[index].tolist())).reshape(3, 3)
                if kind is Kind.SITE and self.types[place] in MODEL_SHAPES:
                    mesh = int(model.site_dataid[index])
                    position = position + rotation @ model.mesh_pos[mesh]
                    rotation = rotation @ np.asarray(quat_to_mat(model.mesh_quat[mesh].tolist())).reshape(3, 3)
                self.rows[place, POSITION], self.rows[place, ROTATION] = position, rotation.ravel()
            at += len(ids)

    # ---- shapes and textures

    def shape_entries(self) -> list[Entry]:
        """The model's own shapes that are used."""
        own = dict.fromkeys(name for name in self.shapes if " " in name)
        return [{"name": name, **self.mesh_entry(model_mesh(self._view, name))} for name in own]

    def mesh_entry(self, mesh: Mesh) -> Entry:
        """A mesh, of which the largest error is kept."""
        entry, error = mesh_entry(self._container, mesh)
        self.mesh_error = max(self.mesh_error, error)
        return entry

    def material_entries(self, more: list[int]) -> dict[str, dict[str, int]]:
        """The texture layers of materials that are used."""
        found = material_layers(self._view, {int(i) for i in (*self.materials, *more)})
        return {str(i): roles for i, roles in found.items()}

    def texture_entries(self, more: list[int], materials: dict[str, dict[str, int]]) -> list[Entry | None]:
        """All textures by id; None for those that nothing uses."""
        used = {int(i) for i in (*self.textures, *more, skybox(self._view)) if i >= 0}
        data = textures_of_data({int(i): roles for i, roles in materials.items()}, used)
        used |= {i for roles in materials.values() for i in roles.values()}
        return [self._texture(i, i not in data) if i in used else None for i in range(int(self._view.ntex))]

    def _texture(self, index: int, srgb: bool) -> Entry:
        entry, self.pngs[index] = texture_entry(self._container, self._view, index, srgb)
        return entry

    def mean_colour(self, texture: int) -> NDArray[Any]:
        """The mean of a texture, linear."""
        pixels = texture_pixels(self._view, texture)[:, :, :3] / 255
        linear = np.where(pixels <= 0.04045, pixels / 12.92, ((pixels + 0.055) / 1.055) ** 2.4)
        return np.asarray(linear.mean(axis=(0, 1)))

    # ---- instances

    def instance_entry(self) -> Entry:
        """Geoms, then sites."""
        box = self._container
        names = list(dict.fromkeys(self.shapes))
        shadow = np.ones(len(self.rows), bool)
        geoms = self.ids[Kind.GEOM]
        if len(geoms):
            shadow[: len(geoms)] = self._view.geom_castshadow[geoms]
        clear = self.rows[:, ALPHA] < OPAQUE_ALPHA
        mirror = (self.rows[:, REFLECTANCE] > 0) & ((self.types == PLANE) | ((self.types == BOX) & ~clear))
        return {
            "count": len(self.rows),
            "rows": box.raw(self.rows.reshape(-1, INSTANCE_FLOATS), "f4"),
            "names": names,
            "shape": [names.index(name) for name in self.shapes],
            "texture": box.whole(self.textures),
            "material": box.whole(self.materials),
            "node": box.whole(self.node),
            "bound": box.raw(self._bounds(), "f4"),
            "group": box.raw(self.groups, "u1"),
            "mirror": box.raw(mirror, "u1"),
            "shadow": box.raw(shadow & (self.types != PLANE), "u1"),
        }

    def _bounds(self) -> NDArray[Any]:
        """Radii of bounding spheres, as app/scene/scene.py has them."""
        bound = np.linalg.norm(self.rows[:, SHAPE], axis=1)
        geoms, sites = self.ids[Kind.GEOM], self.ids[Kind.SITE]
        own = np.isin(self.types, list(MODEL_SHAPES))
        of_geoms = own[: len(geoms)]
        bound[: len(geoms)][of_geoms] = np.asarray(self._model.geom_rbound)[geoms[of_geoms]]
        of_sites = own[len(geoms) :]
        bound[len(geoms) :][of_sites] = np.linalg.norm(np.asarray(self._model.site_size)[sites[of_sites]], axis=1)
        return np.asarray(bound)

    def rangefinder_entries(self) -> list[Entry]:
        """Where rays begin and which way they go, on their bodies, and the sensors with their lengths."""
        model = self._model
        if not model.nsensor:
            return []
        sensors = drawn_rangefinders(self._view)
        sites = np.asarray(model.sensor_objid)[sensors]
        axes = rotate(np.asarray(model.site_quat)[sites], np.array([0.0, 0.0, 1.0]))
        return [
            {"sensor": int(sensor), "node": int(model.site_bodyid[site]), "position": _numbers(model.site_pos[site]),
             "axis": _numbers(axis)}
            for sensor, site, axis in zip(sensors, sites, axes, strict=True)
        ]  # fmt: skip

    def tendon_rows(self) -> Entry:
        """Colours and materials of all tendons, and which can be seen."""
        view, count = self._view, int(self._view.ntendon)
        ids = np.arange(count)
        shown = np.isin(ids, visible(view, Kind.TENDON, ALL_GROUPS))
        return {
            "rows": self._container.raw(surfaces(view, Kind.TENDON, ids), "f4"),
            "width": np.asarray(view.tendon_width).tolist(),
            "group": np.clip(view.tendon_group, 0, NGROUP - 1).tolist(),
            "shown": shown.tolist(),
        }

    def skin_entries(self) -> list[Entry]:
        """Skins, their bones and weights."""
        view, box = self._view, self._container
        if not getattr(view, "nskin", 0):
            return []
        ids = visible(view, Kind.SKIN, ALL_GROUPS)
        rows = surfaces(view, Kind.SKIN, ids)
        looks = zip(ids.tolist(), rows, self.skin_textures(ids), layer_materials(view, Kind.SKIN, ids), strict=True)
        return [
            {
                "shape": {"name": f"skin {index}", **self.mesh_entry(model_mesh(view, f"skin {index}"))},
                "row": box.raw(row, "f4"),
                "texture": int(texture),
                "material": int(material),
                "group": int(np.clip(view.skin_group[index], 0, NGROUP - 1)),
                "inflate": float(view.skin_inflate[index]),
                **self._bones(index),
            }
            for index, row, texture, material in looks
        ]

    def skin_textures(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """The colour textures of skins."""
        return textures(self._view, Kind.SKIN, ids)

    def _bones(self, index: int) -> Entry:
        view, box = self._view, self._container
        first = int(view.skin_boneadr[index])
        bones = slice(first, first + int(view.skin_bonenum[index]))
        counts = np.asarray(view.skin_bonevertnum)[bones]
        start = int(view.skin_bonevertadr[first]) if len(counts) else 0
        places = slice(start, start + int(counts.sum()))
        return {
            "bones": {
                "body": np.asarray(view.skin_bonebodyid)[bones].tolist(),
                "position": box.raw(np.asarray(view.skin_bonebindpos)[bones], "f4"),
                "quaternion": box.raw(np.asarray(view.skin_bonebindquat)[bones], "f4"),
                "start": box.whole(np.concatenate([[0], np.cumsum(counts)])),
            },
            "vertex": box.whole(np.asarray(view.skin_bonevertid)[places]),
            "weight": box.quantised(quantise(np.asarray(view.skin_bonevertweight)[places], 1e-4), 1),
        }

    # ---- bodies and names

    def body_entry(self) -> Entry:
        """What is said about bodies."""
        model, box = self._model, self._container
        return {
            "count": int(model.nbody),
            "parent": np.asarray(model.body_parentid).tolist(),
            "weld": np.asarray(model.body_weldid).tolist(),
            "tree": np.asarray(self._view.body_treeid).tolist(),
            "mass": box.raw(model.body_mass, "f4"),
            "inertia": box.raw(model.body_inertia, "f4"),
            "com": box.raw(model.body_ipos, "f4"),
            "iquat": box.raw(model.body_iquat, "f4"),
        }

    def joint_entry(self) -> Entry:
        """Anchors and axes of joints, in the frames of their bodies."""
        model = self._model
        return {
            "body": np.asarray(model.jnt_bodyid).tolist(),
            "type": np.asarray(model.jnt_type).tolist(),
            "position": _numbers(model.jnt_pos),
            "axis": _numbers(model.jnt_axis),
        }

    def name_entry(self) -> Entry:
        """Names of elements by type."""
        kinds = ("body", "joint", "geom", "site", "camera", "light", "tendon", "sensor", "actuator")
        return {kind: list(self._view.names[kind]) for kind in kinds}

    # ---- lights, cameras, sky

    def light_entries(self, nodes: Nodes, poses: NDArray[Any], of_node: dict[int, int]) -> list[Entry]:
        """The lights of app/scene/lights.py, each on its node."""
        shown = lights(self._view, _Still(poses))  # type: ignore[arg-type]
        if shown[0] is KEY_LIGHT:
            return [_light(KEY_LIGHT, 0, np.zeros(3), KEY_LIGHT.direction)]
        model, entries = self._model, []
        active = [i for i in range(int(model.nlight)) if model.light_active[i] and model.light_type[i] in (0, 1, 2)]
        active.sort(key=lambda i: not model.light_castshadow[i])
        for light, index in zip(shown, active[:MAX_LIGHTS], strict=False):
            node = of_node.get(index, int(model.light_bodyid[index]))
            pose = np.array([0, 0, 0, 1, 0, 0, 0.0])
            if index not in of_node:
                fixed = fixed_to(nodes, node, poses[:, index], float(self._view.stat.extent), axis_only=True)
                assert fixed is not None
                pose = fixed
            entries.append(_light(light, node, pose[:3], rotate(pose[3:], np.array([0, 0, 1.0]))))
        return entries

    def camera_entries(self, nodes: Nodes, poses: NDArray[Any], of_node: dict[int, int]) -> list[Entry]:
        """The cameras of the model, each on its node."""
        view, entries = self._view, []
        for index in range(int(view.ncam)):
            node = of_node.get(index, int(view.cam_bodyid[index]))
            pose = np.array([0, 0, 0, 1, 0, 0, 0.0])
            if index not in of_node:
                fixed = fixed_to(nodes, node, poses[:, index], float(view.stat.extent))
                assert fixed is not None
                pose = fixed
            flat = int(view.cam_projection[index]) == ORTHOGRAPHIC
            sensor = None if flat else sensor_edges(view.cam_sensorsize[index], view.cam_intrinsic[index])
            entries.append({
                "name": view.names["camera"][index], "node": node, "position": _numbers(pose[:3]),
                "quaternion": _numbers(pose[3:]), "fovy": float(view.cam_fovy[index]), "orthographic": flat,
                "sensor": None if sensor is None else list(sensor),
            })  # fmt: skip
        return entries

    def view_entry(self) -> Entry:
        """The free camera as the model opens, and the camera to begin with."""
        view = self._view
        free = default_free_camera(view)
        near, far = clip_planes(view, free.distance)
        camera = int(view.vis.global_.cameraid)
        return {
            "lookat": _numbers(free.lookat), "distance": free.distance, "azimuth": free.azimuth,
            "elevation": free.elevation, "fovy": free.fovy, "orthographic": free.orthographic, "near": near, "far": far,
            "znear": float(view.vis.map.znear), "zfar": float(view.vis.map.zfar),
            "shadowsize": int(view.vis.quality.shadowsize),
            "camera": camera if 0 <= camera < int(view.ncam) else -1,
        }  # fmt: skip

    def sky_entries(self) -> Entry:
        """Headlight, haze, fog and skybox."""
        view = self._view
        head, haze, extent = headlight(view), np.asarray(view.vis.rgba.haze), float(view.stat.extent)
        plane = self.types == PLANE
        endless = bool((self.rows[plane][:, 12:14] <= 0).any())
        colour = None if (haze[:3] == 1).all() else _numbers(haze[:3])
        return {
            "headlight": {name: _numbers(getattr(head, name)) for name in ("ambient", "diffuse", "specular")},
            "haze": {"colour": colour, "amount": float(view.vis.map.haze)} if endless else None,
            "fog": {
                "colour": _numbers(view.vis.rgba.fog[:3]),
                "start": float(view.vis.map.fogstart) * extent,
                "end": float(view.vis.map.fogend) * extent,
            },
            "skybox": skybox(view),
        }

    def visual_entry(self) -> Entry:
        """Sizes of decor in metres, and colours."""
        view = self._view
        size = float(view.stat.meansize)
        return {
            "glow": float(view.vis.global_.glow),
            "alpha": float(view.vis.map.alpha),
            **{name: size * float(value) for name, value in vars(view.vis.scale).items()},
            "newton": metres_per_newton(view),
            "ray": RAY_RADIUS * size,
            "longest": MAX_LENGTH * float(view.stat.extent),
            "rgba": {name: _numbers(value) for name, value in vars(view.vis.rgba).items()},
            "stick": list(STICK), "slip": list(SLIP), "open": list(OPEN), "alone": list(ALONE),
        }  # fmt: skip

    def island_colours(self, trees: int) -> Entry:
        """The colours of islands by their first tree: awake, then asleep."""
        index = np.tile(np.arange(trees), 2)
        colours = indexed_colours(index, np.arange(2 * trees) >= trees)
        return self._container.raw(np.rint(255 * colours), "u1")


class _Still:
    """Lights where they are in the first frame."""

    def __init__(self, poses: NDArray[Any]) -> None:
        self.light_xpos = poses[0, :, :3]
        self.light_xdir = rotate(poses[0, :, 3:], np.array([0.0, 0.0, 1.0]))


def _light(light: Light, node: int, position: NDArray[Any], direction: NDArray[Any]) -> Entry:
    vectors = ("ambient", "diffuse", "specular", "attenuation")
    return {
        "type": light.type, "node": node, "position": _numbers(position), "direction": _numbers(direction),
        **{name: _numbers(getattr(light, name)) for name in vectors},
        "cutoff": light.cutoff, "exponent": light.exponent, "shadow": light.shadow,
    }  # fmt: skip


def _numbers(values: Any) -> Any:
    """Numbers as JSON has them, in the few digits that single precision has."""
    flat = np.asarray(values, float)
    return np.reshape([float(f"{v:.9g}") for v in flat.ravel()], flat.shape).tolist()
