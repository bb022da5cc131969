"""Films a range of the past: goes from moment to moment, captures each as it is shown, and returns.

The simulation is asked for a moment, and the frame that shows it is captured, however long that takes. What would move
time or change the model has to wait until the film ends.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from app.render.capture.range_film import RangeFilm
from app.run import commands as cmd
from app.run.history.timeline import Timeline
from app.view.branch_clock import Clocks
from app.view.input import run_recording
from app.view.input.desk import Action, Desk
from app.view.input.gesture import Gesture
from app.view.input.video_frames import begin, take_frame
from app.view.view_state import ViewState

FAILED = "The range could not be recorded"
# a moment that has not come by then is asked for again: another command may have overtaken it, s
RETRY_SECONDS = 2.0
# by which a step may be later than its frame, s
MARGIN = 1e-9
# commands that neither move time nor change the model
ALLOWED = (
    cmd.Report, cmd.Warn, cmd.DismissProblem, cmd.DismissWarnings, cmd.SetProfiling, cmd.TakeRows,
    cmd.Capture, cmd.Cancel, cmd.StartRecording, cmd.StopRecording, cmd.SaveRecording, cmd.RenameBranch, cmd.SetSpeed,
    cmd.ChangeSpeed, cmd.Quit,
)  # fmt: skip


def toggle(desk: Desk) -> None:
    """Film the timeline's loop, or the whole line; or end the film."""
    if desk.view.film is not None:
        stop(desk)
    else:
        start(desk, desk.view.camera_id)


def from_camera(camera: int) -> Action:
    """The action that films the range through a camera of the model."""

    def film(desk: Desk, _: Gesture) -> None:
        if desk.view.film is None:
            start(desk, camera)

    return film


def start(desk: Desk, camera: int) -> None:
    """Begin with the first moment of the range."""
    view, run = desk.view, desk.snapshot.run
    if desk.snapshot.model is None:
        return
    if view.recording is not None:
        view.feedback.show_message("a video is being recorded: stop it first")
        return
    recording = begin(desk, FAILED)
    if recording is None:
        return
    before = view.camera_id if camera != view.camera_id else None
    view.film = RangeFilm(recording, run.history, *timeline_range(run.history), run.path, before)
    view.flight, view.camera_id = None, camera
    view.feedback.show_message(f"filming {recording.path}, {recording.described}; Escape stops it", lasting=True)
    _ask(desk, view.film)


def timeline_range(timeline: Timeline) -> tuple[float, float, Callable[[float], int]]:
    """The times of the loop, or of the whole line, and which step is the last at or before a time."""
    clocks = Clocks()
    clocks.update(timeline)
    clock, (first, last) = clocks.present, timeline.loop or (timeline.first, timeline.last)

    def step_at(time: float) -> int:
        nearest = clock.step_at(time, first, last)
        return nearest - (nearest > first and clock.time_of(nearest) > time + MARGIN)

    return clock.time_of(first), clock.time_of(last), step_at


def stop(desk: Desk) -> None:
    """Finish the film, if one is being made, and return to the moment and the view from which it was begun."""
    film, desk.view.film = desk.view.film, None
    if film is None:
        return
    film.recording.finish()
    if film.camera is not None:
        desk.view.camera_id = film.camera
    run, branch = desk.snapshot.run, film.timeline.branch
    if run.path == film.path and any(known.id == branch for known in run.history.branches):
        # whoever was at the head returns to where that is now
        desk.send(cmd.GoTo(run.history.find(branch).last if film.timeline.at_head else film.timeline.now, branch))
    saved = film.recording.seconds
    kept = "" if film.done == film.frames else f", {film.done} of {film.frames} frames"
    desk.view.feedback.show_message(f"saved {film.recording.path}{kept}" if saved else "nothing was filmed")
    if film.recording.error:
        desk.report("The video was cut short", film.recording.error)
    elif film.recording.options.with_recording and saved:
        run_recording.attach(desk, film.recording.path)


def capture(desk: Desk, panels: bool) -> None:
    """Capture the frame that was just drawn, if it shows the moment that the film needs next."""
    film = desk.view.film
    if film is None or film.recording.options.panels != panels:
        return
    history = desk.snapshot.run.history
    if film.recording.error or desk.snapshot.run.path != film.path:
        stop(desk)
    elif (history.branch, history.now) != (film.timeline.branch, film.step):
        if time.monotonic() > film.asked + RETRY_SECONDS:
            _ask(desk, film)
    elif not film.recording.full and (pixels := take_frame(desk, film.recording)) is not None:
        # a full queue: the same frame is drawn again, and the window stays responsive
        step, before = film.step, film.done
        while film.done < film.frames and film.step == step:
            film.done += 1
        film.recording.append(pixels, film.done - before)
        if film.done == film.frames:
            stop(desk)
        else:
            _ask(desk, film)


def keeps_out(view: ViewState, command: cmd.Command) -> bool:
    """Whether a command has to wait until a film is finished."""
    return view.film is not None and not isinstance(command, ALLOWED) and command != _next_moment(view.film)


def _ask(desk: Desk, film: RangeFilm) -> None:
    """Ask for the moment of the next frame."""
    film.asked = time.monotonic()
    desk.send(_next_moment(film))


def _next_moment(film: RangeFilm) -> cmd.GoTo:
    return cmd.GoTo(film.step, film.timeline.branch)
