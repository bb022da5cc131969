"""Where the mesh files of a URDF are looked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sim
from sim.mjcf import MjcfError
from tests.sim.mjcf.format.urdf_models import FILES, compiler, link, robot, shape


@pytest.fixture(autouse=True)
def no_ros(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROS_PACKAGE_PATH", raising=False)
    monkeypatch.delenv("AMENT_PREFIX_PATH", raising=False)


def urdf(path: Path, mesh: str, settings: str = "") -> Path:
    """A URDF with one mesh."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(robot(settings + link("base", shape(f'\n<mesh filename="{mesh}"/>'))))
    return path


def put(path: Path) -> Path:
    """The mesh."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(FILES["tetra.obj"])
    return path


@pytest.mark.parametrize(
    "place",
    [
        "arm/meshes/part.obj",
        "arm/urdf/arm/meshes/part.obj",
        "arm/urdf/old/arm/meshes/part.obj",
        "ws/arm/meshes/part.obj",
    ],
)
@pytest.mark.parametrize("scheme", ["package", "model"])
def test_package_above_or_beside_the_urdf(place: str, scheme: str, tmp_path: Path) -> None:
    file = urdf(
        tmp_path / ("ws/other/urdf" if place.startswith("ws") else "arm/urdf/old") / "arm.urdf",
        f"{scheme}://arm/meshes/part.obj",
    )
    mesh = put(tmp_path / place)
    m = sim.load(file)
    assert m.nmesh == 1 and mesh in m.files


def test_package_with_another_name(tmp_path: Path) -> None:
    mesh = put(tmp_path / "vendored/meshes/part.obj")
    assert mesh in sim.load(urdf(tmp_path / "vendored/urdf/arm.urdf", "package://arm/meshes/part.obj")).files


def test_nearest_package_counts(tmp_path: Path) -> None:
    near = put(tmp_path / "a/arm/part.obj")
    far = put(tmp_path / "arm/part.obj")
    m = sim.load(urdf(tmp_path / "a/b/arm.urdf", "package://arm/part.obj"))
    assert near in m.files and far not in m.files


def test_packages_of_ros(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = urdf(tmp_path / "here/arm.urdf", "package://arm/part.obj")
    cases = {
        "ROS_PACKAGE_PATH": [tmp_path / "ros/arm/part.obj", tmp_path / "direct/arm/part.obj"],
        "AMENT_PREFIX_PATH": [tmp_path / "install/share/arm/part.obj"],
    }
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"{tmp_path}/ros:{tmp_path}/direct/arm:")
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"{tmp_path}/install")
    for mesh in (mesh for meshes in cases.values() for mesh in meshes):
        put(mesh)
        m = sim.load(file)
        assert m.nmesh == 1 and mesh in m.files
        mesh.unlink()


def test_paths_as_in_mujoco_come_first(tmp_path: Path) -> None:
    put(tmp_path / "arm/part.obj")
    own = put(tmp_path / "parts/part.obj")
    m = sim.load(urdf(tmp_path / "arm.urdf", "package://arm/part.obj", compiler('strippath="true" meshdir="parts"')))
    assert own in m.files and tmp_path / "arm/part.obj" not in m.files
    own.unlink()
    assert tmp_path / "arm/part.obj" in sim.load(tmp_path / "arm.urdf").files


def test_file_scheme(tmp_path: Path) -> None:
    mesh = put(tmp_path / "a part.obj")
    assert mesh in sim.load(urdf(tmp_path / "x/arm.urdf", f"file://{tmp_path}/a%20part.obj")).files


def test_error_lists_every_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"{tmp_path}/ros")
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"{tmp_path}/install")
    file = urdf(tmp_path / "arm/urdf/arm.urdf", "package://arm/part.obj", compiler('strippath="true"'))
    with pytest.raises(MjcfError, match=r"mesh file 'package://arm/part\.obj' not found; looked for ") as caught:
        sim.load(file)
    assert (caught.value.line, caught.value.element) == (3, "mesh")
    places = ("arm/urdf/part.obj", "arm/urdf/arm/part.obj", "arm/part.obj", "arm/arm/part.obj", "ros/arm/part.obj")
    for place in (*places, "install/share/arm/part.obj", "part.obj"):
        assert str(tmp_path / place) in caught.value.cure
        assert tmp_path / place in caught.value.files


def test_mesh_is_found_from_the_saved_model(tmp_path: Path) -> None:
    put(tmp_path / "arm/meshes/part.obj")
    m = sim.load(urdf(tmp_path / "arm/urdf/arm.urdf", "package://arm/meshes/part.obj"))
    for folder in ("arm/urdf", "elsewhere"):
        (tmp_path / folder).mkdir(exist_ok=True)
        m.save_xml(tmp_path / folder / "arm.xml")
        np.testing.assert_array_equal(sim.load(tmp_path / folder / "arm.xml").mesh_vert, m.mesh_vert)
    assert 'file="../meshes/part.obj"' in (tmp_path / "arm/urdf/arm.xml").read_text()


def test_saved_model_leaves_the_folder_of_the_link(tmp_path: Path) -> None:
    """A relative path that a symbolic link would lead elsewhere is written in full."""
    put(tmp_path / "arm/part.obj")
    real = tmp_path / "deep/down/real"
    real.mkdir(parents=True)
    (tmp_path / "link").symlink_to(real)
    m = sim.load(urdf(tmp_path / "link/arm.urdf", "package://arm/part.obj"))
    assert m.nmesh == 1
    m.save_xml(tmp_path / "link/arm.xml")
    assert sim.load(tmp_path / "link/arm.xml").nmesh == 1


def test_mesh_given_in_memory() -> None:
    text = robot(link("base", shape('<mesh filename="package://arm/meshes/Part.obj"/>')))
    assert sim.loads(text, {"part.obj": FILES["tetra.obj"]}).nmesh == 1
