"""Pictures and videos without a window: run a model and render it off screen.

A `Stage` holds a model, its state and a renderer on EGL. Frame k of a video shows simulated time k / fps, whatever
the timestep is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from app.camera import model_camera_view, start_camera
from app.loader import Engine
from app.render.device import Picture, offscreen_context
from app.render.quality import FINE, Quality
from app.render.renderer import Renderer
from app.resources import start_key
from app.scene import Scene
from app.snapshot import ModelView, view_model, view_state
from app.state import VisualOptions
from app.video import Pixels, VideoWriter
from app.visual import SWITCHES

# called with how much of a piece of work is done, of how much, and what it is
Progress = Callable[[int, int, str], None]

DEFAULT_SIZE = (1280, 800)
# short names of what is asked for most; every other switch goes by its own
SHORT = {"contacts": "contact_point", "forces": "contact_force", "islands": "island", "cones": "friction_cone"}
SHOW = SHORT | {
    s.option.replace("_", "-"): s.option for s in SWITCHES if isinstance(getattr(VisualOptions(), s.option), bool)
}


class NoSuchCamera(Exception):
    """The model has no camera of that name."""


@dataclass(frozen=True)
class Shot:
    """How a picture is taken: its size, a camera of the model or the free one, what is shown besides the model."""

    size: tuple[int, int] = DEFAULT_SIZE
    camera: str | None = None
    show: tuple[str, ...] = ()


class Stage:
    """A model with its state, drawn off screen. Use it in a `with`."""

    def __init__(self, engine: Engine, path: Path, shot: Shot, quality: Quality | None = None) -> None:
        self._engine = engine
        self._model = engine.load(str(path))
        self._data = engine.Data(self._model)
        self._constants = view_model(self._model)
        keys = self._constants.__dict__["names"]["key"]
        engine.reset(self._model, self._data, start_key(path, keys))
        self._size = shot.size
        self._camera = None if shot.camera is None else _camera_id(self._constants, shot.camera)
        options = VisualOptions()
        for name in shot.show:
            setattr(options, SHOW[name], True)
        self._scene = Scene(self._constants, options)
        self._context = offscreen_context()
        self._renderer, self._picture = Renderer(self._context, quality), Picture(self._context, shot.size)
        self._steps = 0

    def prepare(self, progress: Progress) -> None:
        """Compile what the model needs, and say how far that is."""
        self._engine.prepare(self._model, progress)

    def go_to(self, seconds: float) -> None:
        """Simulate up to a moment."""
        steps = round(seconds / float(self._model.opt.timestep))
        if steps > self._steps:
            self._engine.step(self._model, self._data, steps - self._steps)
            self._steps = steps

    def shoot(self) -> Pixels:
        """The picture of this moment."""
        # once it runs, poses are those of the last step, to which its contacts and forces belong
        if not self._steps:
            self._engine.place(self._model, self._data)
        state = view_state(self._data)
        if self._camera is None:
            view = start_camera(self._constants).view(self._constants)
        else:
            view = model_camera_view(self._constants, state, self._camera)
        scene = self._scene.draw_list(state, view.eye)
        self._renderer.draw(self._constants, scene, view, self._picture.framebuffer, (0, 0, *self._size))
        return self._picture.pixels()

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, *_: object) -> None:
        self._picture.release()
        self._renderer.release()
        self._context.release()


def render_picture(engine: Engine, path: Path, out: Path, shot: Shot, seconds: float = 0.0) -> None:
    """Load `path`, simulate `seconds`, save what the shot sees."""
    # a single picture can take its time, whatever draws it
    with Stage(engine, path, shot, FINE) as stage:
        stage.go_to(seconds)
        out.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(stage.shoot()).save(out)


def record_video(
    engine: Engine,
    path: Path,
    out: Path,
    shot: Shot,
    seconds: float,
    fps: int,
    progress: Progress = lambda done, total, label: None,
) -> int:
    """Load `path`, simulate and film `seconds` of it; returns the number of frames."""
    with Stage(engine, path, shot) as stage, VideoWriter(out, shot.size, fps) as video:
        stage.prepare(progress)
        total = max(round(seconds * video.fps), 1)
        for frame in range(total):
            progress(frame, total, "frames")
            stage.go_to(frame / video.fps)
            video.write(stage.shoot())
        progress(total, total, "frames")
        return video.frames


def _camera_id(constants: ModelView, name: str) -> int:
    """A camera by its name or number."""
    names = [constants.id2name("camera", i) for i in range(constants.ncam)]
    if name in names:
        return names.index(name)
    if name.isdigit() and int(name) < len(names):
        return int(name)
    known = ", ".join(n or f"number {i}" for i, n in enumerate(names)) or "none"
    raise NoSuchCamera(f"the model has no camera '{name}'; its cameras: {known}")
