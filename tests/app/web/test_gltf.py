"""The .glb: sound by the rules of glTF 2.0, and everything where the run has it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from app.web.replay import Replay
from tests.app.web.decoder import times, turned
from tests.app.web.runs import MODEL, record

KINDS = {5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


class File:
    """A .glb, read by the specification."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        assert data[:4] == b"glTF" and int.from_bytes(data[4:8], "little") == 2
        assert int.from_bytes(data[8:12], "little") == len(data)
        chunks, at = [], 12
        while at < len(data):
            length = int.from_bytes(data[at : at + 4], "little")
            assert length % 4 == 0
            chunks.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
            at += 8 + length
        assert [kind for kind, _ in chunks] == [b"JSON", b"BIN\0"]
        self.json: dict[str, Any] = json.loads(chunks[0][1])
        self.buffer = chunks[1][1]

    def accessor(self, index: int) -> np.ndarray:
        entry = self.json["accessors"][index]
        view = self.json["bufferViews"][entry["bufferView"]]
        kind, width = KINDS[entry["componentType"]], WIDTHS[entry["type"]]
        count = entry["count"] * width
        assert view["byteOffset"] % 4 == 0 and view["byteOffset"] + view["byteLength"] <= len(self.buffer)
        assert count * np.dtype(kind).itemsize == view["byteLength"]
        found = np.frombuffer(self.buffer, kind, count, view["byteOffset"]).reshape(entry["count"], width)
        for name, bound in (("min", found.min(axis=0)), ("max", found.max(axis=0))):
            assert np.float32(entry.get(name, bound)).tolist() == bound.tolist()
        return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[sim.Recording, File]:
    folder = tmp_path_factory.mktemp("glb")
    recording = record(folder / "run.ktr")
    Replay(recording, fps=50).save(folder / "run.glb")
    return recording, File(folder / "run.glb")


def test_everything_is_sound(made: tuple[sim.Recording, File]) -> None:
    """Accessors, indices, images; unit rotations; keys that rise; each node has one parent."""
    document = made[1].json
    arrays = [made[1].accessor(k) for k in range(len(document["accessors"]))]
    for mesh in document["meshes"]:
        for part in mesh["primitives"]:
            counts = {len(arrays[k]) for k in part["attributes"].values()}
            assert len(counts) == 1 and arrays[part["indices"]].max() < counts.pop()
            assert np.abs(np.linalg.norm(arrays[part["attributes"]["NORMAL"]], axis=1) - 1).max() < 1e-5
            material = document["materials"][part["material"]]
            assert ("baseColorTexture" in material["pbrMetallicRoughness"]) == ("TEXCOORD_0" in part["attributes"])
    (animation,) = document["animations"]
    targets = [(c["target"]["node"], c["target"]["path"]) for c in animation["channels"]]
    assert len(set(targets)) == len(targets)
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        keys, values = arrays[sampler["input"]][:, 0], arrays[sampler["output"]]
        assert (np.diff(keys) > 0).all() and len(keys) == len(values)
        if channel["target"]["path"] == "rotation":
            assert np.abs(np.linalg.norm(values, axis=1) - 1).max() < 1e-6
            assert ((values[1:] * values[:-1]).sum(axis=1) > 0).all()
    children = [child for node in document["nodes"] for child in node.get("children", ())]
    assert sorted(children) == list(range(1, len(document["nodes"])))
    assert made[1].buffer[document["bufferViews"][document["images"][0]["bufferView"]]["byteOffset"] :][1:4] == b"PNG"


def test_geoms_are_where_they_were(made: tuple[sim.Recording, File]) -> None:
    """The middle of each visible geom, at the start, in between and at the end, turned to y up."""
    recording, file = made
    document = file.json
    (animation,) = document["animations"]
    for frame in (0, 13, 29):
        moved: dict[int, dict[str, Any]] = {}
        for channel in animation["channels"]:
            value = file.accessor(animation["samplers"][channel["sampler"]]["output"])[frame].tolist()
            moved.setdefault(channel["target"]["node"], {})[channel["target"]["path"]] = value
        found: list[Any] = []

        def visit(index: int, place: Any, turn: Any, moved: Any = moved, found: Any = found) -> None:
            node = document["nodes"][index] | moved.get(index, {})
            way = turned(turn, node.get("translation", (0, 0, 0)))
            place = tuple(place[k] + way[k] for k in range(3))
            x, y, z, w = node.get("rotation", (0, 0, 0, 1))
            turn = times(turn, (w, x, y, z))
            if "mesh" in node:
                found.append(place)
            for child in node.get("children", ()):
                visit(child, place, turn)

        visit(0, (0, 0, 0), (1.0, 0.0, 0.0, 0.0))
        d = recording.restore(recording.step_at(frame / 50))
        shown = [*d.geom_xpos[d.model.geom_group < 3], *d.site_xpos]
        expected = sorted((round(x, 3), round(z, 3), round(-y, 3)) for x, y, z in shown)
        assert np.array(sorted(tuple(np.round(p, 3)) for p in found)) == pytest.approx(np.array(expected), abs=2e-3)


def test_a_moment_has_no_animation(tmp_path: Path) -> None:
    recording = record(tmp_path / "run.ktr", MODEL)
    Replay(recording, start=0.1, end=0.1).save(tmp_path / "run.glb")
    assert "animations" not in File(tmp_path / "run.glb").json
