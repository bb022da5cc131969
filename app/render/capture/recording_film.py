"""Recordings (.ktr) without a window: runs a model into one, and films one from any camera.

A film shows at frame k the last step at or before start + k / fps, with the model as it was edited then.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from pathlib import Path

from app.files.output import make_folder
from app.render.capture.free_camera import ChosenCamera
from app.render.capture.offscreen import Renderer
from app.render.capture.recorder import SHOW, CaptureOptions, Progress, first_key
from app.render.capture.video import Pixels, VideoWriter
from app.run.engine.choice import open_model_saying
from app.run.engine.recorded import LOADERS
from app.run.snapshot import element_names
from app.scene.visual_options import VisualOptions
from sim.engine import Engine
from sim.model import Model
from sim.recording.frames import RecordingError
from sim.recording.record import Recorder
from sim.recording.recording import Recording

# steps between two times that progress is shown
CHUNK = 2000


def record_run(
    engine: Engine, path: Path, out: Path, seconds: float, progress: Progress, wanted: str | None = None
) -> int:
    """Load `path`, simulate `seconds` from a keyframe on and record them in `out`; returns the number of steps."""
    model = open_model_saying(engine, path)
    # that of the model, which may be another
    engine = model.engine
    data = engine.Data(model)
    key = first_key(path, element_names(model)["key"], wanted)
    engine.reset(model, data, key)
    engine.prepare(model, progress, edits=False)
    total = max(round(seconds / float(model.opt.timestep)), 1)
    make_folder(out)
    with Recorder(model, data, out, key, path.name) as recorder:
        for done in range(0, total, CHUNK):
            progress(done, total, "steps")
            recorder.step(min(CHUNK, total - done))
            if recorder.problem:
                break
    if recorder.problem:
        raise RecordingError(recorder.problem)
    return total


@dataclass(frozen=True)
class FilmRange:
    """What of a recording is filmed: simulated seconds, None for its begin and end; a branch, None for the latest."""

    start: float | None = None
    end: float | None = None
    branch: int | str | None = None


def range_times(recording: Recording, range_: FilmRange) -> tuple[float, float]:
    """The first and the last time of a range; RecordingError if it has no state."""
    times = recording.times(range_.branch)
    start = float(times[0]) if range_.start is None else range_.start
    if range_.end is not None and start > range_.end:
        raise RecordingError(
            f"from {start:g} s to {range_.end:g} s time would run backwards: specify the earlier time first"
        )
    end = float(times[-1]) if range_.end is None else min(range_.end, float(times[-1]))
    if start > end:
        raise RecordingError(f"{recording.path} has no state at {start:g} s: it ends at {times[-1]:g} s")
    return start, end


def film_recording(
    path: Path,
    out: Path,
    options: CaptureOptions,
    range_: FilmRange,
    fps: int,
    progress: Progress = lambda done, total, label: None,
    carried: bool = False,
) -> int:
    """Film a recording; returns the number of frames. `carried`: the video carries the recording."""
    recording = Recording(path, LOADERS)
    start, end = range_times(recording, range_)
    carries = path if carried else None
    with _Film(recording, options, range_.branch) as film, VideoWriter(out, options.size, fps, carries) as video:
        total = floor((end - start) * video.fps + 1e-6) + 1
        for frame in range(total):
            progress(frame, total, "frames")
            video.write(film.capture(start + frame / video.fps))
        progress(total, total, "frames")
    return video.frames


class _Film:
    """Images of a recording, at any of its moments."""

    def __init__(self, recording: Recording, options: CaptureOptions, branch: int | str | None) -> None:
        self._recording, self._capture, self._branch = recording, options, branch
        self._options = VisualOptions()
        for name in options.show:
            setattr(self._options, SHOW[name], True)
        self._model: Model | None = None
        self._renderer: Renderer | None = None
        self._camera: ChosenCamera | None = None

    def capture(self, time: float) -> Pixels:
        """The image of a time."""
        data = self._recording.restore(self._recording.step_at(time, self._branch), self._branch)
        renderer, camera = self._renderer, self._camera
        # the model stays the same through edits; a reload of its file is another
        if renderer is None or camera is None or data.model is not self._model:
            renderer, camera = self._begin(data.model)
        renderer.update_scene(data, camera.at(data), self._options)
        return renderer.render()

    def _begin(self, model: Model) -> tuple[Renderer, ChosenCamera]:
        self._release()
        camera = ChosenCamera(model, element_names(model), self._capture.camera, self._capture.free)
        width, height = self._capture.size
        self._model, self._camera, self._renderer = model, camera, Renderer(model, height, width)
        return self._renderer, camera

    def _release(self) -> None:
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None

    def __enter__(self) -> _Film:
        return self

    def __exit__(self, *_: object) -> None:
        self._release()
