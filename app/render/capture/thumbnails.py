"""Thumbnails of the bundled scenes, for the gallery; `python -m app.render.capture.thumbnails` renders them again.

They ship with the scenes: on a first start the gallery is complete before any kernel is compiled.
"""

from __future__ import annotations

from pathlib import Path

from app.files.resources import SceneFile, bundled_scenes, folder

SIZE = (352, 220)
QUALITY = 84
# simulated time of the thumbnail, s, where that is not 1
SCENE_TIMES = {
    "arch": 1.2, "balloons": 3.0, "bent_wire": 0.35, "bin": 0.35, "bow": 0.0, "bridge": 1.2, "car": 2.2, "cards": 3.7,
    "conveyor": 4.0, "delay_and_lag": 0.5, "dominoes": 1.9, "geckos": 0.9, "gripper": 3.2, "gyroscope": 2.0,
    "instruments": 1.6,
    "newtons_cradle": 0.75, "oscillators": 0.8, "override": 1.9, "pile": 0.35, "quadruped": 2.0, "radial_engine": 0.8,
    "ragdolls": 1.1, "rocker_bogie": 1.1, "rovers": 5.0, "sculpture": 9.3, "servos": 0.6, "sleepers": 7.0,
    "soft_contacts": 0.45, "swimmer": 7.0, "tendon_arm": 0.5, "thin_plates": 0.2, "touch": 3.2, "wall": 1.2,
    "windlass": 0.4,
}  # fmt: skip


def thumbnail(scene: SceneFile) -> Path:
    """The file of a scene's thumbnail."""
    return folder("scenes") / "thumbnails" / f"{scene.name}.jpg"


def draw_all() -> None:
    """Render every scene at its time."""
    from PIL import Image

    import sim
    from app.render.capture.recorder import CaptureOptions, OffscreenRun

    for scene in bundled_scenes():
        path = thumbnail(scene)
        path.parent.mkdir(exist_ok=True)
        # supersampled 2 x 2, for smoother edges
        with OffscreenRun(sim, scene.path, CaptureOptions((2 * SIZE[0], 2 * SIZE[1]))) as run:
            run.advance_to(SCENE_TIMES.get(scene.name, 1.0))
            image = Image.fromarray(run.capture()).resize(SIZE, Image.Resampling.LANCZOS)
        image.save(path, quality=QUALITY)


if __name__ == "__main__":
    draw_all()
