"""Replays: a run as one HTML file that any current browser shows, or as animated glTF.

Replay("run.ktr").save("run.html")
Replay("humanoid", seconds=5).save("humanoid.glb")
Replay(m, seconds=2)                     # in a notebook: shown below the cell
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import file_digest
from math import floor
from pathlib import Path
from typing import Any

import numpy as np

from app.files.output import make_folder
from app.files.recordings import is_recording
from app.files.resources import find_scene
from app.model.model_title import model_title
from app.render.capture.recording_film import FilmRange, range_times, record_run
from app.run.engine.choice import adopt, engine_named
from app.run.engine.installed import is_mujoco_model
from app.run.engine.names import KINETOSCOPE
from app.run.engine.recorded import LOADERS
from app.run.snapshot import view_model
from app.web.content import About, Content
from app.web.page import iframe, page
from app.web.tracks import Bounds, Frames
from sim.model import Data, Model
from sim.recording.frames import RecordingError
from sim.recording.record import Recorder
from sim.recording.recording import Recording
from sim.recording.successor import begin, finish
from sim.user_error import UserError

Progress = Callable[[int, int, str], None]
# of a model: what is wrong with it, as severity and sentence
Remarks = Callable[[Model], Sequence[tuple[str, str]]]

SECONDS, FPS = 5.0, 60
HTML, GLB = ".html", ".glb"
SUFFIXES = (HTML, GLB)
# what memory and browsers bear: poses and contacts of all frames, bytes of a page
MOST_POSES, MOST_CONTACTS, MOST_BYTES = 1 << 22, 1 << 22, 64 << 20
# of the iframe in a notebook
HEIGHT = 520
CURE = "ask for a shorter range (--from, --to, --seconds) or fewer frames per second (--fps)"


class TooLarge(UserError, ValueError):
    """A replay is larger than a browser bears; the message says what takes the room, and the cure."""


class Replay:
    """A run for a browser, of a recording (.ktr), a model that is simulated, or the name of a bundled scene.

    `seconds` of a model, or of a recording from `start` on; `start`, `end` and `branch` of a recording; `plots` are
    expressions such as "d.qpos[2]"; `remarks` says what is wrong with the model of the first frame. What it shows is
    computed once, when it is first needed.
    """

    def __init__(
        self,
        source: str | os.PathLike[str] | Recording | Model | Any,
        seconds: float | None = None,
        *,
        start: float | None = None,
        end: float | None = None,
        branch: int | str | None = None,
        fps: float = FPS,
        plots: Sequence[str] = (),
        title: str = "",
        key: str | None = None,
        engine: str = KINETOSCOPE,
        bounds: Bounds | None = None,
        progress: Progress = lambda done, total, label: None,
        remarks: Remarks | None = None,
    ) -> None:
        if not 0 < fps < float("inf"):
            raise ValueError(f"{fps} frames per second: a number above zero is needed")
        self._source, self._seconds, self._fps, self._plots = source, seconds, float(fps), tuple(plots)
        self._range, self._title, self._bounds = FilmRange(start, end, branch), title, bounds or Bounds()
        self._key, self._engine, self._progress, self._remarks = key, engine, progress, remarks
        self._content: Content | None = None
        self._page: str | None = None
        # what is not as it should be, in sentences
        self.warnings: list[str] = []

    @property
    def content(self) -> Content:
        """What is shown."""
        if self._content is None:
            with self._recording() as (recording, about):
                self._content = self._read(recording, about)
        return self._content

    def html(self) -> str:
        """The page."""
        if self._page is None:
            content = self.content
            text = page(content.header["title"], content.packed())
            if len(text) > MOST_BYTES:
                raise TooLarge(_too_large(content, len(text)))
            self._page = text
        return self._page

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file, .html or .glb; an old one stays until the new one is whole."""
        out = Path(path)
        if out.suffix.lower() not in SUFFIXES:
            raise UserError(f"'{out.name}' should end in {' or '.join(SUFFIXES)}")
        if out.suffix.lower() == GLB:
            from app.web.gltf import glb

            data = glb(self.content)
        else:
            data = self.html().encode("utf-8")
        make_folder(out)
        place = begin(out)
        try:
            place.write_bytes(data)
            finish(place, out)
        except BaseException:
            place.unlink(missing_ok=True)
            raise

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return iframe(self.html(), HEIGHT)

    # ---- where it comes from

    @contextmanager
    def _recording(self) -> Iterator[tuple[Recording, About]]:
        """The recording, and what is said of it; of a model, one that is made for it and gone afterwards."""
        about = About(fps=self._fps, created=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"))
        source = self._source
        if isinstance(source, Recording):
            about.file, about.sha256 = Path(source.path).name, _digest(Path(source.path))
            yield source, about
            return
        path = None
        if isinstance(source, str | os.PathLike):
            path = find_scene(os.fspath(source))
            about.file, about.sha256 = path.name, _digest(path)
            if is_recording(path):
                with Recording(path, LOADERS) as recording:
                    yield recording, about
                return
        if self._range != FilmRange():
            raise UserError("a range and a branch are of a recording: for a model, give its seconds")
        with tempfile.TemporaryDirectory(prefix="kinetoscope-") as folder:
            file = Path(folder, "run.ktr")
            seconds = SECONDS if self._seconds is None else self._seconds
            if path is not None:
                record_run(engine_named(self._engine), path, file, seconds, self._progress, self._key)
            else:
                _record(source, file, seconds)
            with Recording(file, LOADERS) as recording:
                yield recording, about

    def _read(self, recording: Recording, about: About) -> Content:
        """The frames of a range."""
        if recording.damage:
            self.warnings.append(f"{about.file}: {recording.damage}; the replay has what comes before")
        start, end = range_times(recording, self._range)
        if self._seconds is not None:
            end = min(end, start + self._seconds)
        count = floor((end - start) * self._fps + 1e-6) + 1
        branch = self._range.branch
        # before there is a list of that many
        _check_count(count, recording.restore(recording.step_at(start, branch), branch).model)
        steps = [recording.step_at(start + k / self._fps, branch) for k in range(count)]
        about.start = start
        about.title = self._title or model_title(recording.versions[0].name)
        about.marks = _marks(recording, branch, start, end)
        frames, model = self._frames(recording, steps)
        if self._plots:
            found = recording.evaluate(self._plots, branch, steps[0], steps[-1])
            columns = found[np.array(steps) - steps[0]].T
            about.plots = dict(zip(self._plots, columns, strict=True))
        if self._remarks is not None:
            self._progress(count, count, "examining")
            about.remarks = [{"severity": severity, "text": text} for severity, text in self._remarks(model)]
        self._progress(count, count, "packing")
        return Content(model, view_model(model), frames, about, self._bounds)

    def _frames(self, recording: Recording, steps: list[int]) -> tuple[Frames, Model]:
        """What each frame shows, and the model as it was edited in the first."""
        frames, branch = Frames(), self._range.branch
        shown: Model | None = None
        view, model, contacts = None, None, 0
        for k, step in enumerate(steps):
            if k % 30 == 0:
                self._progress(k, len(steps), "frames")
            data = recording.restore(step, branch)
            if view is None or model is None:
                shown, model = data.model, data.model.copy()
                view = view_model(model)
            elif data.model is not shown:
                before, after = frames.times[-1], float(data.time)
                raise RecordingError(
                    f"{recording.path}: the model was reloaded at {after:g} s, and a replay shows one model: "
                    f"export what comes before (--to {before:g}) or after (--from {after:g})"
                )
            frames.add(view, data)
            contacts += len(frames.contacts[-1].dist)
            if contacts > MOST_CONTACTS:
                raise TooLarge(f"the first {k + 1} of {len(steps)} frames have {contacts} contacts, too many: {CURE}")
        assert model is not None
        return frames, model


def _check_count(frames: int, model: Model) -> None:
    nodes = int(model.nbody) + int(model.ncam) + int(model.nlight)
    if frames * nodes > MOST_POSES:
        raise TooLarge(
            f"{frames} frames of {model.nbody} bodies are too many: the most is {MOST_POSES // nodes} frames; {CURE}"
        )


def _too_large(content: Content, size: int) -> str:
    """Why a page is too large."""
    sizes = content.box.sizes()
    largest = sorted(sizes, key=lambda part: -sizes[part])[:3]
    parts = ", ".join(f"{part} {_megabytes(sizes[part])}" for part in largest)
    frames = content.header["time"]["count"]
    constant = largest[0] in ("meshes", "textures")
    cure = f"its {largest[0]} are the same in each frame: use coarser ones in the model" if constant else CURE
    text = f"a page of {frames} frames would have {_megabytes(size)} ({parts}), more than {_megabytes(MOST_BYTES)}"
    return f"{text}: {cure}"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


def _record(source: Any, file: Path, seconds: float) -> None:
    """Simulate a model of a script from its initial state, and record that."""
    model = adopt(source)[0] if is_mujoco_model(source) else source
    if not isinstance(model, Model):
        raise TypeError(f"a replay is of a path, a Recording or a Model, not of a {type(source).__name__}")
    data: Data = model.engine.Data(model)
    with Recorder(model, data, file) as recorder:
        recorder.step(max(round(seconds / float(model.opt.timestep)), 1))
    if recorder.problem:
        raise RecordingError(recorder.problem)


def _marks(recording: Recording, branch: int | str | None, start: float, end: float) -> list[dict[str, Any]]:
    """What happened in the range."""
    marks = recording.marks(branch)
    if not marks:
        return []
    times = recording.times(branch)
    found = []
    for mark in marks:
        if mark.step < len(times):
            time, until = (float(times[min(step, len(times) - 1)]) for step in (mark.step, mark.last))
            if time <= end and until >= start:
                found.append({"time": time, "until": max(time, until), "text": mark.text, "kind": mark.type})
    return found


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError:
        # the reader of the file says why
        return ""
