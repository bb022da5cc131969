"""Camera mathematics, against MuJoCo's free camera where it has the same motion."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.scene.camera import (
    DISTANCE_RANGE,
    ELEVATION_LIMIT,
    OrbitCamera,
    View,
    clip_planes,
    default_free_camera,
    model_camera_view,
)
from app.view.camera_motion import move_camera
from app.view.view_state import ViewState
from tests.app.conftest import Views

ORACLE = mujoco.MjModel.from_xml_string("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")


def project(view: View, point: np.ndarray, aspect: float = 1.0) -> np.ndarray:
    """Normalised device coordinates of a point."""
    clip = view.projection_matrix(aspect) @ view.view_matrix() @ np.append(point, 1.0)
    return clip[:3] / clip[3]


@pytest.mark.parametrize(
    ("azimuth", "elevation", "forward"),
    [(90, 0, (0, 1, 0)), (0, 0, (1, 0, 0)), (90, -90, (0, 0, -1)), (180, 30, (-math.sqrt(0.75), 0, 0.5))],
)
def test_axes(azimuth: float, elevation: float, forward: tuple[float, float, float]) -> None:
    axes = OrbitCamera(azimuth=azimuth, elevation=elevation).axes()
    assert np.allclose(-axes[:, 2], forward)
    assert np.allclose(axes.T @ axes, np.eye(3))
    assert np.linalg.det(axes) == pytest.approx(1.0)


def test_point_looked_at_is_in_the_middle() -> None:
    camera = OrbitCamera(lookat=np.array([1.0, -2.0, 0.5]), distance=3.0, azimuth=37.0, elevation=-20.0)
    view = View(camera.eye(), camera.axes(), 45.0, 0.01, 100.0)
    assert np.allclose(project(view, camera.lookat)[:2], 0.0)
    assert np.linalg.norm(camera.eye() - camera.lookat) == pytest.approx(3.0)


def test_directions_on_the_screen() -> None:
    camera = OrbitCamera(azimuth=90.0, elevation=0.0)
    view = View(camera.eye(), camera.axes(), 45.0, 0.01, 100.0)
    right, above = project(view, np.array([0.1, 0, 0])), project(view, np.array([0, 0, 0.1]))
    assert right[0] > 0
    assert right[1] == pytest.approx(0)
    assert above[1] > 0
    # the edge of the picture is half the field of view away
    edge = np.array([0, 0, 2.0 * math.tan(math.radians(22.5))])
    assert project(view, edge)[1] == pytest.approx(1.0)


def test_depth_runs_from_near_to_far() -> None:
    camera = OrbitCamera(azimuth=90.0, elevation=0.0, distance=0.0)
    view = View(camera.eye(), camera.axes(), 45.0, 0.5, 20.0)
    assert project(view, np.array([0, 0.5, 0]))[2] == pytest.approx(-1)
    assert project(view, np.array([0, 20.0, 0]))[2] == pytest.approx(1)


MOTIONS = {
    "orbit": (mujoco.mjtMouse.mjMOUSE_ROTATE_V, 1e-9),
    "pan": (mujoco.mjtMouse.mjMOUSE_MOVE_V, 1e-6),
    "pan_horizontal": (mujoco.mjtMouse.mjMOUSE_MOVE_H, 1e-6),
}


@pytest.mark.parametrize("name", MOTIONS)
@pytest.mark.parametrize("motion", [(0.1, 0.0), (0.0, 0.07), (-0.2, 0.11)])
def test_motions_are_those_of_simulate(name: str, motion: tuple[float, float]) -> None:
    action, tolerance = MOTIONS[name]
    theirs = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(ORACLE, theirs)
    ours = default_free_camera(ORACLE)
    assert ours.distance == pytest.approx(theirs.distance)
    mujoco.mjv_moveCamera(ORACLE, action, *motion, theirs)
    getattr(ours, name)(*motion)
    assert np.allclose(ours.lookat, theirs.lookat, atol=tolerance)
    assert (ours.azimuth, ours.elevation) == pytest.approx((theirs.azimuth, theirs.elevation))


def test_zoom_goes_the_way_of_simulate() -> None:
    theirs = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(ORACLE, theirs)
    ours = default_free_camera(ORACLE)
    mujoco.mjv_moveCamera(ORACLE, mujoco.mjtMouse.mjMOUSE_ZOOM, 0.0, 0.05, theirs)
    ours.zoom(0.05)
    assert ours.distance == pytest.approx(theirs.distance, rel=0.05)


def test_limits() -> None:
    camera = OrbitCamera()
    camera.orbit(0.0, 10.0)
    assert camera.elevation == -ELEVATION_LIMIT
    camera.orbit(0.0, -10.0)
    assert camera.elevation == ELEVATION_LIMIT
    for _ in range(100):
        camera.zoom(1.0)
    assert camera.distance == DISTANCE_RANGE[0]
    for _ in range(100):
        camera.zoom(-1.0)
    assert camera.distance == DISTANCE_RANGE[1]
    assert -180 <= camera.azimuth < 180


def test_start_view_comes_from_the_model(views: Views) -> None:
    model, _ = views(
        "<statistic center='1 2 3' extent='4'/><visual><global azimuth='10' elevation='-5' fovy='30'/></visual>"
    )
    camera = default_free_camera(model)
    assert np.allclose(camera.lookat, (1, 2, 3))
    assert camera.distance == pytest.approx(6.0)
    assert (camera.azimuth, camera.elevation, camera.fovy) == (10.0, -5.0, 30.0)
    near, far = clip_planes(model, camera.distance)
    assert near == pytest.approx(0.04)
    assert far == pytest.approx(200.0)
    assert clip_planes(model, 1e4)[1] == 4e4


FALLING = """<statistic center='0 0 0' extent='2'/><worldbody><geom type='plane' size='5 5 1'/>{}</worldbody>"""
BALL = "<body pos='{} {} {}'><freejoint/><geom size='.1'/></body>"


@pytest.mark.parametrize(
    ("balls", "lookat"),
    [
        # at the edge of the picture: nothing is lost
        ([(1.2, 0, 0)], (0, 0, 0)),
        ([(0, 0, -70)], (0, 0, -70)),
        # one is still there
        ([(0, 0, -70), (0, 0, 0.5)], (0, 0, 0)),
        ([(0, 0, -70), (0.5, 0, -70)], (0.25, 0, -70)),
        # apart, and nothing between them
        ([(90, 0, 0), (-90, 0, 0)], (90, 0, 0)),
        ([(90, 0, 0), (100, 0, 0), (-90, 0, 0)], (90, 0, 0)),
        # behind the eye
        ([(0, -9, 9)], (0, -9, 9)),
        # nowhere, where nothing can be seen
        ([(0, 0, -1e9)], (0, 0, 0)),
        ([], (0, 0, 0)),
    ],
)
def test_the_whole_model_is_looked_at_where_it_is(
    views: Views, balls: list[tuple[float, ...]], lookat: tuple[float, ...]
) -> None:
    model, state = views(FALLING.format("".join(BALL.format(*ball) for ball in balls)))
    view, start = ViewState(), default_free_camera(model)
    view.align(model, state)
    camera = view.camera
    assert camera.lookat == pytest.approx(lookat)
    assert (camera.azimuth, camera.elevation) == (start.azimuth, start.elevation)
    assert start.distance <= camera.distance <= 2 * start.distance


def test_a_model_that_has_fallen_is_seen_whole(views: Views) -> None:
    """Most of its geoms are at one end, and the body that the camera tracks is not its middle."""
    low = "<geom size='.05' pos='{} 0 0'/>"
    geoms = "".join(low.format(0.01 * k) for k in range(9)) + "<geom size='.05' pos='0 0 1.6'/>"
    model, state = views(f"""<statistic center='0 0 .8' extent='1.7'/><worldbody>
      <body pos='0 0 -70'><freejoint/>{geoms}</body></worldbody>""")
    view = ViewState()
    view.align(model, state)
    move_camera(view, Snapshot(1, RunState(), model, state), 0.1)
    assert view.tracked == 1
    seen = view.current_view(model, state)
    for position in state.geom_xpos:
        assert seen.sees_any(position[None], -0.05 * np.ones(1))


@pytest.mark.parametrize("orthographic", (False, True))
def test_a_flight_comes_near_only_if_it_has_to(orthographic: bool) -> None:
    place = np.array([1.0, 2.0, 3.0])
    for radius, stays in ((0.01, False), (0.2, True), (1.0, True), (10.0, False), (0.0, True), (math.nan, True)):
        # both pictures are 2 m high
        camera = OrbitCamera(distance=1 / math.tan(math.radians(22.5)), fovy=2.0 if orthographic else 45.0)
        camera.orthographic = orthographic
        before = camera.distance
        flight = camera.flight(place, radius)
        assert (flight.distance == before) is stays
        turns = 0
        while not camera.fly(flight, 0.5):
            turns += 1
            assert turns < 100
        assert camera.lookat == pytest.approx(place)
        assert camera.distance == pytest.approx(before if stays else before * 5 * radius / 2)
        assert camera.view(ORACLE).height_at(camera.distance) == pytest.approx(2.0 if stays else 5 * radius)


def test_a_flight_to_something_tiny_ends_before_it_is_cut_off(views: Views) -> None:
    model, _ = views("<statistic extent='40'/>")
    camera, radius = default_free_camera(model), 0.01
    near, _ = clip_planes(model, 0.0)
    flight = camera.flight(np.zeros(3), radius, near)
    assert near + radius < flight.distance < near + 3 * radius


def test_camera_of_the_model(views: Views) -> None:
    model, state = views("<worldbody><camera pos='0 -3 1' xyaxes='1 0 0 0 0 1' fovy='50'/></worldbody>")
    view = model_camera_view(model, state, 0)
    assert np.allclose(view.eye, (0, -3, 1))
    assert np.allclose(-view.axes[:, 2], (0, 1, 0))
    assert view.fovy == 50.0


LENSES = """
<statistic center='0 0 0' extent='2'/><visual><global orthographic='true' fovy='3'/></visual><worldbody>
<camera pos='0 -3 0' xyaxes='1 0 0 0 0 1' fovy='50'/>
<camera pos='0 -3 0' xyaxes='1 0 0 0 0 1' fovy='2.5' projection='orthographic'/>
<camera pos='0 -3 0' xyaxes='1 0 0 0 0 1'
        sensorsize='.02 .01' focal='.012 .013' principal='.002 .001' resolution='64 32'/>
<camera pos='0 -3 0' xyaxes='1 0 0 0 0 1' projection='orthographic'
        sensorsize='.02 .01' focal='.012 .013' principal='.002 .001' resolution='64 32'/>
<geom size='1'/></worldbody>"""


def oracle_matrix(camera: mujoco.MjvGLCamera, aspect: float) -> np.ndarray:
    """What MuJoCo's renderer makes of its frustum; a width of zero follows from the shape of the picture."""
    bottom, top, n, f = camera.frustum_bottom, camera.frustum_top, camera.frustum_near, camera.frustum_far
    half = camera.frustum_width or aspect * (top - bottom) / 2
    sx, sy, cx, cy = 1 / half, 2 / (top - bottom), camera.frustum_center / half, (top + bottom) / (top - bottom)
    if camera.orthographic:
        return np.array([[sx, 0, 0, -cx], [0, sy, 0, -cy], [0, 0, -2 / (f - n), -(f + n) / (f - n)], [0, 0, 0, 1]])
    depth = [0, 0, -(f + n) / (f - n), -2 * f * n / (f - n)]
    return np.array([[n * sx, 0, cx, 0], [0, n * sy, cy, 0], depth, [0, 0, -1, 0]])


@pytest.mark.parametrize("camera_id", [-1, 0, 1, 2, 3])
def test_lenses_are_those_of_mujoco(views: Views, camera_id: int) -> None:
    model, state = views(LENSES)
    view = model_camera_view(model, state, camera_id) if camera_id >= 0 else default_free_camera(model).view(model)
    oracle = mujoco.MjModel.from_xml_string(f"<mujoco>{LENSES}</mujoco>")
    data, scene, camera = mujoco.MjData(oracle), mujoco.MjvScene(oracle, 10), mujoco.MjvCamera()
    mujoco.mj_forward(oracle, data)
    mujoco.mjv_defaultFreeCamera(oracle, camera)
    if camera_id >= 0:
        camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, camera_id
    mujoco.mjv_updateScene(oracle, data, mujoco.MjvOption(), None, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
    assert view.projection_matrix(1.6) == pytest.approx(oracle_matrix(scene.camera[0], 1.6), rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("camera_id", [0, 1, 2])
def test_what_a_ray_meets_is_projected_where_it_started(views: Views, camera_id: int) -> None:
    model, state = views(LENSES)
    view = model_camera_view(model, state, camera_id)
    origin, direction = view.ray(0.3, -0.7, 1.6)
    point = origin + 2.5 * direction
    assert view.project(point, 1.6) == pytest.approx((0.3, -0.7))
    assert project(view, point, 1.6)[:2] == pytest.approx((0.3, -0.7))


@pytest.mark.parametrize("extent", [1e-6, 1.0, 1e6])
def test_zoom_begins_where_the_camera_is_however_large_the_model(views: Views, extent: float) -> None:
    model, _ = views(f"<statistic extent='{extent}'/>")
    camera = default_free_camera(model)
    for amount in (0.1, -0.1):
        before = camera.distance
        camera.zoom(amount)
        assert camera.distance == pytest.approx(before * math.exp(-3 * amount))


def test_zoom_of_a_parallel_camera_makes_things_larger() -> None:
    camera = OrbitCamera(fovy=3.0, distance=2.0, orthographic=True)
    camera.zoom(0.1)
    assert camera.fovy / 3.0 == pytest.approx(camera.distance / 2.0)
    assert camera.fovy < 3.0
