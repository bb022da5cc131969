"""What a decoder gets of a run against the run: poses, contacts, tendons, sensors."""

from __future__ import annotations

import numpy as np
import pytest

import app.web.replay as replays
import sim
from app.web.rotations import from_matrices, from_vectors, vectors
from app.web.tracks import Bounds, Frames, body_nodes, pose_tracks
from tests.app.web.decoder import Replay, exponential, turned, world_poses
from tests.app.web.runs import record

FPS = 50


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[sim.Recording, Replay, replays.Replay]:
    recording = record(tmp_path_factory.mktemp("run") / "run.ktr")
    made = replays.Replay(recording, fps=FPS, plots=["d.qpos[2]"])
    return recording, Replay(made.content.packed()), made


def test_poses_are_within_the_bounds(run: tuple[sim.Recording, Replay, replays.Replay]) -> None:
    """All points of all geoms, cameras and lights in all frames; what stands still has no track."""
    recording, replay, made = run
    header = replay.header
    lights, cameras, count = header["lights"], header["cameras"], header["time"]["count"]
    worst_point, worst_angle, moved = 0.0, 0.0, set()
    first = recording.restore(0).xpos.copy()
    for frame in range(count):
        d = recording.restore(recording.step_at(frame / FPS))
        poses = world_poses(replay, frame)
        m = d.model
        for geom in range(m.ngeom):
            body = int(m.geom_bodyid[geom])
            place, turn = poses[body]
            for offset in (-1, 1):
                point = m.geom_pos[geom] + offset * m.geom_rbound[geom] * np.array([0.6, 0, 0.8])
                true = d.xpos[body] + d.xmat[body].reshape(3, 3) @ point
                worst_point = max(worst_point, float(np.linalg.norm(place + np.array(turned(turn, point)) - true)))
        for body in range(m.nbody):
            cosine = min(abs(float(np.dot(poses[body][1], d.xquat[body]))), 1.0)
            worst_angle = max(worst_angle, float(np.degrees(2 * np.sqrt(max(2 - 2 * cosine, 0)))))
            moved |= {body} if np.abs(d.xpos[body] - first[body]).max() > 1e-6 else set()
        for camera, true in zip(cameras, d.cam_xpos, strict=True):
            place, turn = poses[camera["node"]]
            assert place + np.array(turned(turn, camera["position"])) == pytest.approx(true, abs=2e-4)
        place, turn = poses[lights[0]["node"]]
        assert turned(turn, lights[0]["direction"]) == pytest.approx(d.light_xdir[0], abs=2e-3)
    errors = made.content.errors
    assert worst_point <= errors.position < 1e-4
    assert worst_angle <= errors.angle * 1.01 + 1e-5 < 0.06
    assert {b for b in replay.array(header["nodes"]["moving"]) if b < 8} == moved == {1, 2, 3, 4, 5, 6}
    assert errors.position == header["error"]["position"]


def test_contacts_tendons_and_sensors(run: tuple[sim.Recording, Replay, replays.Replay]) -> None:
    """Each frame has its contacts, with their forces in the world; tendons, sensors and plots too."""
    recording, replay, made = run
    header = replay.header
    contacts = {name: replay.array(header["contacts"][name]) for name in ("when", "geom", "position", "frame", "force")}
    segments = {name: replay.array(header["tendons"]["segments"][name]) for name in ("when", "start", "end")}
    values, plot = replay.array(header["sensors"][0]["values"]), replay.array(header["plots"][0]["values"])
    assert header["contacts"]["count"] > 20
    for frame in range(header["time"]["count"]):
        d = recording.restore(recording.step_at(frame / FPS))
        rows = [k for k, when in enumerate(contacts["when"]) if when == frame]
        assert sorted(contacts["geom"][k] for k in rows) == sorted(d.contact.geom.tolist())
        for k in rows:
            near = np.linalg.norm(d.contact.pos - contacts["position"][k], axis=1)
            same = int(np.argmin(near))
            assert near[same] < 1e-4
            force = sim.contact_force(d.model, d, same)[:3]
            true = d.contact.frame[same].reshape(3, 3).T @ force
            w, x, y, z = exponential(contacts["frame"][k])
            found = turned((w, -x, -y, -z), contacts["force"][k])
            assert np.linalg.norm(found - true) <= made.content.errors.force * 1.001
        row = segments["when"].index(frame)
        assert segments["start"][row] == pytest.approx(d.site("top").xpos, abs=1e-4)
        assert segments["end"][row] == pytest.approx(d.site("corner").xpos, abs=1e-4)
        assert values[frame] == pytest.approx(d.sensordata, abs=1e-4)
        assert plot[frame] == pytest.approx(float(d.qpos[2]), abs=1e-4)
    weight = 9.81 * recording.model.stat.meanmass
    largest = np.linalg.norm(replay.array(header["contacts"]["force"]), axis=1).max()
    assert 0 < made.content.errors.force < 1e-3 * weight + 2e-4 * largest


def test_a_diverged_body_keeps_its_last_pose(run: tuple[sim.Recording, Replay, replays.Replay]) -> None:
    """What is not finite, or too far to draw, is not exported."""
    recording, _, made = run
    frames = Frames(bodies=[pose.copy() for pose in made.content.frames.bodies])
    frames.bodies[3][1] = np.nan
    frames.bodies[4][1] = 1e30
    nodes = body_nodes(recording.model, frames)
    assert (nodes.pose[3:5, 1] == nodes.pose[2, 1]).all()
    tracks = pose_tracks(nodes, 1.0, Bounds())
    assert tracks.worst_position < 1e-4


def test_rotation_vectors_are_continuous() -> None:
    """Turning on and on about one axis, near it too, gives no leap; all sides of the matrix formula hold."""
    angle = np.linspace(0, 20, 400)[:, None]
    for axis in ([0, 0, 1.0], [0.6, 0, 0.8]):
        true = angle * axis
        found = vectors(from_vectors(true)[:, None])[:, 0]
        assert np.abs(np.diff(found, axis=0)).max() < 0.2
        assert np.abs(found - true).max() < 1e-9
    random = np.random.default_rng(0).normal(size=(1000, 4))
    q = random / np.linalg.norm(random, axis=1, keepdims=True)
    q[:4] = np.eye(4)
    matrices = np.array([[turned(tuple(one), axis) for axis in np.eye(3)] for one in q.tolist()]).swapaxes(1, 2)
    assert np.abs(np.abs((from_matrices(matrices) * q).sum(axis=1)) - 1).max() < 1e-12
