"""The content of a replay: a container of all that a page shows of a run."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView
from app.scene.contacts import GRAVITY
from app.web.look import Look
from app.web.payload import HALF, Container, Entry, quantise
from app.web.rotations import from_vectors, rotate
from app.web.tracks import (
    Bounds,
    Frames,
    Nodes,
    Table,
    Tracks,
    body_nodes,
    camera_poses,
    contact_table,
    fixed_to,
    light_poses,
    pose_tracks,
    tendon_table,
    with_nodes,
)
from sim.model import Model

VERSION = 1
# steps in the range of a sensor or a plot
VALUE_STEPS = 1 << 16

Floats = NDArray[np.float64]


@dataclass
class About:
    """What is said of a replay in words and numbers: title, file, marks, remarks of the doctor, plots."""

    title: str = ""
    file: str = ""
    sha256: str = ""
    created: str = ""
    start: float = 0.0
    fps: float = 60.0
    marks: list[Entry] = field(default_factory=list)
    remarks: list[Entry] = field(default_factory=list)
    plots: dict[str, Floats] = field(default_factory=dict)


class Errors(NamedTuple):
    """The worst errors over all frames: m, degrees, N."""

    position: float
    angle: float
    force: float


class Content:
    """A replay as it goes into a page, and as glTF takes it."""

    def __init__(self, model: Model, view: ModelView, frames: Frames, about: About, bounds: Bounds) -> None:
        self.box, self.frames = Container(), frames
        self.look = Look(self.box, model, view)
        self._model, self.view, self._about, self._bounds = model, view, about, bounds
        self._extent = float(view.stat.extent)
        self.nodes, self._of_camera, self._of_light = self._all_nodes()
        self._force_error = 0.0
        self.header = self._header()
        meshes = self.look.mesh_error
        # very large meshes are coarse
        poses = replace(bounds, position=max(bounds.position - meshes, bounds.position / 2))
        self.tracks = pose_tracks(self.nodes, self._extent, poses)
        self.header |= self._of_frames()
        self.errors = Errors(self.tracks.worst_position + meshes, self.tracks.worst_angle, self._force_error)
        self.header["error"] = self.errors._asdict()

    def packed(self) -> bytes:
        """The container."""
        return self.box.header_and_blobs(self.header)

    def _all_nodes(self) -> tuple[Nodes, dict[int, int], dict[int, int]]:
        """Bodies, and the cameras and lights that are not fixed to one; the nodes of these."""
        model, nodes = self._model, body_nodes(self._model, self.frames)
        self._cameras, self._lights = camera_poses(self.frames), light_poses(self.frames)
        poses, found = list[Floats](), (dict[int, int](), dict[int, int]())
        kinds = ((self._cameras, model.cam_bodyid, found[0]), (self._lights, model.light_bodyid, found[1]))
        for k, (pose, body, of_node) in enumerate(kinds):
            for index in range(pose.shape[1]):
                if fixed_to(nodes, int(body[index]), pose[:, index], self._extent, axis_only=k == 1) is None:
                    of_node[index] = len(nodes.parent) + len(poses)
                    poses.append(pose[:, index])
        return with_nodes(nodes, poses), *found

    def _header(self) -> Entry:
        look, about, view = self.look, self._about, self.view
        self.box.part = "meshes"
        skins = look.skin_entries()
        materials = look.material_entries([skin["material"] for skin in skins])
        header: Entry = {"version": VERSION} | {k: getattr(about, k) for k in ("title", "file", "sha256", "created")}
        header["engine"] = self._model.engine.ENGINE
        header["stat"] = {
            "extent": self._extent, "meansize": float(view.stat.meansize), "meanmass": float(view.stat.meanmass),
            "center": np.asarray(view.stat.center).tolist(),
        }  # fmt: skip
        header |= {"shapes": look.shape_entries(), "skins": skins, "flexes": []}
        self.box.part = "textures"
        header |= {
            "textures": look.texture_entries([skin["texture"] for skin in skins], materials),
            "materials": materials,
        }
        self.box.part = "model"
        header |= {"instances": look.instance_entry(), "bodies": look.body_entry(), "joints": look.joint_entry()}
        header |= {"names": look.name_entry(), "geoms": {"body": np.asarray(self._model.geom_bodyid).tolist()}}
        header["lights"] = look.light_entries(self.nodes, self._lights, self._of_light)
        header["cameras"] = look.camera_entries(self.nodes, self._cameras, self._of_camera)
        header["rangefinders"] = look.rangefinder_entries()
        header |= {"view": look.view_entry(), "visual": look.visual_entry(), **look.sky_entries()}
        return header

    # ---- what changes

    def _of_frames(self) -> Entry:
        about, box, frames = self._about, self.box, self.frames
        box.part = "poses"
        times = np.array(frames.times)
        entries: Entry = {
            "time": {"start": about.start, "fps": about.fps, "count": len(times)},
            "times": box.quantised(quantise(times, 1e-6), 2),
            "nodes": self._node_entry(self.tracks),
        }
        box.part = "contacts"
        entries |= {"contacts": self._contact_entry(), "islands": self._island_entry()}
        box.part = "tendons"
        entries["tendons"] = self._tendon_entry()
        box.part = "plots"
        entries |= {"marks": about.marks, "remarks": about.remarks, "sensors": self._sensor_entries()}
        entries["plots"] = [
            {"label": label, "unit": "", "values": self._values(values)} for label, values in about.plots.items()
        ]
        return entries

    def _node_entry(self, tracks: Tracks) -> Entry:
        box = self.box
        return {
            "count": len(self.nodes.parent),
            "parent": box.whole(self.nodes.parent),
            "rest": box.raw(tracks.rest, "f8"),
            "moving": box.whole(tracks.moving),
            "pivot": box.raw(tracks.pivot, "f4"),
            "position": box.quantised(tracks.position),
            "rotation": box.quantised(tracks.rotation),
        }

    def _table(self, table: Table) -> Entry:
        return {"count": len(table.when), "when": self.box.whole(table.when)}

    def _contact_entry(self) -> Entry | None:
        found = contact_table(self.frames)
        if found is None:
            return None
        (table, kinds), box, bounds = found, self.box, self._bounds
        columns = table.columns
        length = min(bounds.position, 2 * self._extent * bounds.position) / HALF
        gravity = float(np.linalg.norm(self._model.opt.gravity)) or GRAVITY
        weight = max(float(self.view.stat.meanmass) * gravity, 1e-12)
        position = quantise(columns["position"], length)
        frame = quantise(columns["frame"], bounds.direction / HALF)
        force = quantise(columns["force"], weight * bounds.force / HALF)
        self._force_error = _force_error(columns["frame"], columns["force"], frame.values, force.values)
        return self._table(table) | {
            "geom": box.whole(columns["geom"]),
            "position": box.quantised(position),
            "frame": box.quantised(frame),
            "force": box.quantised(force),
            "dist": box.quantised(quantise(columns["dist"], length * bounds.depth)),
            "state": box.whole(columns["state"]),
            "kind": box.whole(columns["kind"]),
            "kinds": kinds,
            "pyramids": self.frames.pyramids,
        }

    def _island_entry(self) -> Entry | None:
        value = np.array(self.frames.islands)
        if not value.size or (value < 0).all():
            return None
        trees = value.shape[1]
        return {"trees": trees, "value": self.box.whole(value), "colours": self.look.island_colours(trees)}

    def _tendon_entry(self) -> Entry | None:
        table = tendon_table(self.frames)
        if table is None:
            return None
        length = min(self._bounds.position, 2 * self._extent * self._bounds.position) / HALF
        ends = {name: self.box.quantised(quantise(table.columns[name], length)) for name in ("start", "end")}
        segments = self._table(table) | {"tendon": self.box.whole(table.columns["tendon"]), **ends}
        return self.look.tendon_rows() | {"segments": segments}

    def _sensor_entries(self) -> list[Entry]:
        model, values = self._model, np.array(self.frames.sensors)
        names, entries = self.view.names["sensor"], []
        for index in range(int(model.nsensor)):
            first, dim = int(model.sensor_adr[index]), int(model.sensor_dim[index])
            part = self._values(values[:, first : first + dim])
            entries.append({"label": names[index] or f"sensor {index}", "unit": "", "dim": dim, "values": part})
        return entries

    def _values(self, values: Floats) -> Entry:
        """Numbers in steps of their range; zero where there is none."""
        sane = np.nan_to_num(values, posinf=0.0, neginf=0.0)
        span = np.ptp(sane, axis=0) if len(sane) else np.zeros(sane.shape[1:])
        return self.box.quantised(quantise(sane, np.maximum(span / VALUE_STEPS, 1e-30), sane[:1].min(axis=0)))


def _force_error(frame: Floats, force: Floats, coded_frame: Floats, coded_force: Floats) -> float:
    """The worst error of a contact force in the world, N."""

    def in_world(vectors: Floats, components: Floats) -> Floats:
        turned = from_vectors(vectors)
        # the rows of the matrix are the axes: its transpose leads to the world
        return rotate(turned * (1, -1, -1, -1), components)

    apart = in_world(frame, force) - in_world(coded_frame, coded_force)
    return float(np.linalg.norm(apart, axis=1).max(initial=0.0))
