"""Time of a frame beside mujoco.Renderer: the same scene, camera and size in one process, shadows and reflections on.

    python tests/bench/bench_render.py [--size WxH] [--rounds N]

Both draw off screen on EGL and read their pixels back; their frames alternate and the medians are compared. The camera
turns, for a picture that stays the same is not drawn again. Goal: at most half of its time for a humanoid and for 400
geoms. The last rows are our own, scene building included: many geoms, then the lower quality presets that the window
takes while frames are slow, then a picture that stays.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("MUJOCO_GL", "egl")
ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import mujoco  # noqa: E402
import numpy as np  # noqa: E402

import sim  # noqa: E402
from app.render.device import RenderTexture, offscreen_context  # noqa: E402
from app.render.quality import PRESETS, QUICK  # noqa: E402
from app.render.renderer import Renderer  # noqa: E402
from app.run.snapshot import view_model, view_state  # noqa: E402
from app.scene.camera import default_free_camera  # noqa: E402
from app.scene.scene import Scene  # noqa: E402
from app.scene.visual_options import VisualOptions  # noqa: E402

GOAL = 0.5
# degrees from frame to frame
TURN = 0.5
KINDS = ("box", "sphere", "capsule", "cylinder", "ellipsoid")
CONTEXT = offscreen_context()
# a humanoid on a floor that reflects
SUITE = Path(importlib.util.find_spec("dm_control").submodule_search_locations[0]) / "suite"


def field(count: int) -> str:
    """So many geoms of all kinds above a floor that reflects."""
    side = round(count**0.5)
    random = np.random.default_rng(1)
    geoms = []
    for k in range(count):
        x, y = 0.5 * (k % side - side / 2), 0.5 * (k // side - side / 2)
        red, green, blue = random.uniform(0.2, 0.9, 3)
        geoms.append(
            f"<geom type='{KINDS[k % 5]}' size='.15 .12 .1' pos='{x} {y} .2' euler='{17 * k} {29 * k} 0' "
            f"rgba='{red:.2f} {green:.2f} {blue:.2f} 1'/>"
        )
    return f"""<mujoco><statistic extent="{0.6 * side}"/><asset><material name="floor" reflectance=".2"/></asset>
<worldbody><light directional="true" dir=".3 .3 -1" pos="0 0 9"/>
<geom type="plane" size="0 0 1" material="floor" rgba=".3 .35 .4 1"/>{"".join(geoms)}</worldbody></mujoco>"""


def our_frames(
    xml: str, path: str | None, size: tuple[int, int], preset: int = 0, turn: float = TURN
) -> Callable[[], None]:
    """A function that draws one frame with our renderer."""
    model: Any = sim.load(path) if path else sim.loads(xml)
    data = sim.Data(model)
    sim.place(model, data)
    constants, state = view_model(model), view_state(data)
    camera = default_free_camera(constants)
    with CONTEXT:
        renderer, picture = Renderer(CONTEXT), RenderTexture(CONTEXT, size)
    scene = Scene(constants, VisualOptions())

    def frame() -> None:
        camera.azimuth += turn
        view = camera.view(constants)
        with CONTEXT:
            drawn = scene.draw_list(state, view.eye)
            renderer.draw(constants, drawn, view, picture.framebuffer, (0, 0, *size), preset)
            picture.pixels()

    return frame


def their_frames(xml: str, path: str | None, size: tuple[int, int]) -> Callable[[], None]:
    """The same with MuJoCo's."""
    model = mujoco.MjModel.from_xml_path(path) if path else mujoco.MjModel.from_xml_string(xml)
    model.vis.global_.offwidth, model.vis.global_.offheight = size
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    renderer = mujoco.Renderer(model, size[1], size[0])
    camera = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(model, camera)

    def frame() -> None:
        camera.azimuth += TURN
        renderer.update_scene(data, camera)
        renderer.render()

    return frame


def seconds(frames: list[Callable[[], None]], rounds: int) -> list[float]:
    """Median time of each kind of frame; they take turns, so that a busy moment hits all."""
    for frame in frames:
        frame()
    times: list[list[float]] = [[] for _ in frames]
    for _ in range(rounds):
        for frame, kept in zip(frames, times, strict=True):
            began = time.perf_counter()
            frame()
            kept.append(time.perf_counter() - began)
    return [statistics.median(kept) for kept in times]


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    width, height = (int(n) for n in options.size.split("x"))
    size = (width, height)
    print(f"{CONTEXT.info['GL_RENDERER']}, {width} x {height}")
    print(f"{'scene':<22}{'ours ms':>10}{'MuJoCo ms':>12}{'ratio':>8}")
    for name, xml, path in (
        ("humanoid", "", str(ROOT / "scenes" / "humanoid.xml")),
        ("dm_control humanoid", "", str(SUITE / "humanoid.xml")),
        ("400 geoms", field(400), None),
    ):
        frames = [our_frames(xml, path, size), their_frames(xml, path, size)]
        ours, theirs = seconds(frames, options.rounds)
        verdict = "" if ours <= GOAL * theirs else "  above the goal"
        print(f"{name:<22}{1e3 * ours:>10.1f}{1e3 * theirs:>12.1f}{ours / theirs:>8.2f}{verdict}")
    for count in (1000, 10000):
        (ours,) = seconds([our_frames(field(count), None, size)], options.rounds)
        print(f"{f'{count} geoms':<22}{1e3 * ours:>10.1f}")
    for preset in range(1, len(PRESETS[PRESETS.index(QUICK) :])):
        (ours,) = seconds([our_frames(field(400), None, size, preset)], options.rounds)
        print(f"{f'400 geoms, preset {preset}':<22}{1e3 * ours:>10.1f}")
    (ours,) = seconds([our_frames(field(400), None, size, turn=0.0)], options.rounds)
    print(f"{'400 geoms, still':<22}{1e3 * ours:>10.1f}")


if __name__ == "__main__":
    main()
