"""Images and videos without a window: simulates a model and renders it off screen.

An `OffscreenRun` holds a model, its state and a renderer on EGL. Frame k of a video shows simulated time k / fps,
whatever the timestep is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from app.files.output import make_folder
from app.files.resources import start_key
from app.render.capture.free_camera import MODELS_OWN, ChosenCamera, FreeCamera, element_id
from app.render.capture.offscreen import Renderer
from app.render.capture.video import Pixels, VideoWriter
from app.render.quality import FINE, Quality
from app.run.engine.choice import open_model_saying
from app.run.snapshot import element_names
from app.scene.visual_flags import VISUAL_FLAGS
from app.scene.visual_options import VisualOptions
from sim.engine import Engine
from sim.recording.successor import begin, finish

# called with done, total and a label
Progress = Callable[[int, int, str], None]

DEFAULT_SIZE = (1280, 800)
# short names of frequent flags; every other flag has its own name
ALIASES = {"contacts": "contact_point", "forces": "contact_force", "islands": "island", "cones": "friction_cone"}
SHOW = ALIASES | {
    s.option.replace("_", "-"): s.option for s in VISUAL_FLAGS if isinstance(getattr(VisualOptions(), s.option), bool)
}


@dataclass(frozen=True)
class CaptureOptions:
    """Size of the image, camera of the model or None for the free one, visual flags to turn on; the free camera, and
    the keyframe to start in."""

    size: tuple[int, int] = DEFAULT_SIZE
    camera: str | None = None
    show: tuple[str, ...] = ()
    free: FreeCamera = MODELS_OWN
    key: str | None = None


class OffscreenRun:
    """A model and its state, simulated and rendered off screen. Use it in a `with`."""

    def __init__(self, engine: Engine, path: Path, options: CaptureOptions, quality: Quality | None = None) -> None:
        self._model = open_model_saying(engine, path)
        # that of the model, which may be another
        self._engine = self._model.engine
        self._data = self._engine.Data(self._model)
        names = element_names(self._model)
        self._engine.reset(self._model, self._data, first_key(path, names["key"], options.key))
        self._camera = ChosenCamera(self._model, names, options.camera, options.free)
        self._options = VisualOptions()
        for name in options.show:
            setattr(self._options, SHOW[name], True)
        width, height = options.size
        self._renderer = Renderer(self._model, height, width, quality)
        self._steps = 0

    def prepare(self, progress: Progress) -> None:
        """Compile the kernels that the model needs, reporting progress."""
        self._engine.prepare(self._model, progress, edits=False)

    def advance_to(self, seconds: float) -> None:
        """Simulate up to a time."""
        steps = round(seconds / float(self._model.opt.timestep))
        if steps > self._steps:
            self._engine.step(self._model, self._data, steps - self._steps)
            self._steps = steps

    def capture(self) -> Pixels:
        """The image of the current state."""
        # after a step, poses are those of that step, to which contacts and forces belong
        if not self._steps:
            self._engine.place(self._model, self._data)
        self._renderer.update_scene(self._data, self._camera.at(self._data), self._options)
        return self._renderer.render()

    def __enter__(self) -> OffscreenRun:
        return self

    def __exit__(self, *_: object) -> None:
        self._renderer.close()


def first_key(path: Path, names: Sequence[str | None], key: str | None) -> int | None:
    """The keyframe to start in: the one that is asked for, or the one in which the file opens; None for the default."""
    return start_key(path, names) if key is None else element_id(names, key, "keyframe")


def render_image(engine: Engine, path: Path, out: Path, options: CaptureOptions, seconds: float = 0.0) -> None:
    """Load `path`, simulate `seconds`, save an image."""
    # a single image may take its time, even on a software renderer
    with OffscreenRun(engine, path, options, FINE) as run:
        run.advance_to(seconds)
        make_folder(out)
        place = begin(out)
        try:
            Image.fromarray(run.capture()).save(place)
            finish(place, out)
        except BaseException:
            place.unlink()
            raise


def record_video(
    engine: Engine,
    path: Path,
    out: Path,
    options: CaptureOptions,
    seconds: float,
    fps: int,
    progress: Progress = lambda done, total, label: None,
) -> int:
    """Load `path`, simulate and record `seconds` of it; returns the number of frames."""
    with OffscreenRun(engine, path, options) as run, VideoWriter(out, options.size, fps) as video:
        run.prepare(progress)
        total = max(round(seconds * video.fps), 1)
        for frame in range(total):
            progress(frame, total, "frames")
            run.advance_to(frame / video.fps)
            video.write(run.capture())
        progress(total, total, "frames")
        return video.frames
