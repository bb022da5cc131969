"""Small asset files made on the spot: meshes, pictures, height fields and skins, and models that use them."""

from __future__ import annotations

import io
import struct
from typing import Any

import numpy as np
from PIL import Image

CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-2, 2) for z in (-0.5, 0.5)], np.float32)
# a cube with one corner pulled out, so that nothing about it is symmetric
CORNERS = np.array(
    [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 2]], np.float32
)
FACES = np.array(
    [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4], [1, 2, 6], [1, 6, 5], [2, 3, 7], [2, 7, 6],
     [3, 0, 4], [3, 4, 7]], np.int32
)  # fmt: skip


def numbers(values: Any) -> str:
    return " ".join(repr(x) for x in np.asarray(values).ravel().tolist())


def stl(vertex: Any, face: Any) -> bytes:
    """A binary STL file."""
    records = b"".join(
        struct.pack("<12fH", 0, 0, 0, *np.asarray(vertex, np.float32)[triangle].ravel().tolist(), 0)
        for triangle in np.asarray(face)
    )
    return b"\0" * 80 + struct.pack("<I", len(face)) + records


def ascii_stl(vertex: Any, face: Any) -> bytes:
    loops = "".join(
        "facet normal 0 0 0\n outer loop\n"
        + "".join(f"  vertex {numbers(vertex[corner])}\n" for corner in triangle)
        + " endloop\nendfacet\n"
        for triangle in np.asarray(face)
    )
    return f"solid cube\n{loops}endsolid cube\n".encode()


def msh(vertex: Any, face: Any = (), normal: Any = (), texcoord: Any = ()) -> bytes:
    parts = [np.asarray(p, t).ravel() for p, t in ((vertex, "<f4"), (normal, "<f4"), (texcoord, "<f4"), (face, "<i4"))]
    header = struct.pack("<4i", len(parts[0]) // 3, len(parts[1]) // 3, len(parts[2]) // 2, len(parts[3]) // 3)
    return header + b"".join(part.tobytes() for part in parts)


def obj(vertex: Any, face: Any) -> bytes:
    lines = [f"v {numbers(v)}" for v in vertex] + ["f " + " ".join(str(k + 1) for k in f) for f in face]
    return "\n".join(lines).encode()


def png(pixels: Any, **options: Any) -> bytes:
    out = io.BytesIO()
    Image.fromarray(np.asarray(pixels)).save(out, "PNG", **options)
    return out.getvalue()


def picture(height: int, width: int, channels: int = 3, seed: int = 0) -> Any:
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, channels), dtype=np.uint8)
    return pixels[:, :, 0] if channels == 1 else pixels


def skn(bodies: list[str]) -> bytes:
    """A skin of one triangle a body."""
    count = 3 * len(bodies)
    vertex = np.arange(3 * count, dtype="<f4") / 7
    face = np.arange(count, dtype="<i4")
    data = struct.pack("<4i", count, count, len(bodies), len(bodies))
    data += vertex.tobytes() + (np.arange(2 * count, dtype="<f4") / 9).tobytes() + face.tobytes()
    for k, body in enumerate(bodies):
        data += struct.pack("<40s3f4fi", body.encode(), 0, k, 0, 2, 0, k, 0, 4)
        data += np.array([3 * k, 3 * k + 1, 3 * k + 2, 0], "<i4").tobytes() + np.array([1, 2, 0.5, 1], "<f4").tobytes()
    return data


def with_mesh(attributes: str, geom: str = "", compiler: str = "", kind: str = "mesh") -> str:
    """A model with one mesh, on a moving body."""
    return f"""<mujoco><compiler {compiler}/><asset>
<mesh name="m" {attributes}/>
</asset><worldbody><body pos="1 2 3"><freejoint/>
<geom type="{kind}" mesh="m" {geom}/>
</body></worldbody></mujoco>"""


def with_asset(asset: str, world: str = "") -> str:
    return f"<mujoco><asset>\n{asset}\n</asset><worldbody>{world}</worldbody></mujoco>"


INLINE = f'vertex="{numbers(CORNERS)}" face="{numbers(FACES)}"'
