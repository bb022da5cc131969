"""The actions of keys, gestures, the toolbar and the command palette, one function each.

What changes the run is sent as a command, what changes the view is done at once.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

from PIL import Image

from app.files import browse
from app.files.output import dated_path, output_folder, reason
from app.model.field_names import mentioned_fields
from app.render.capture.frame_size import parse_size, size_fault
from app.run import commands as cmd
from app.run.run_state import NOT_PACED
from app.scene.camera import FREE_CAMERA
from app.scene.visual_flags import toggle_by_key
from app.view import saving
from app.view.input import film, mouse, page_export, recording, run_recording
from app.view.input.desk import Desk
from app.view.input.gesture import Gesture
from app.view.mjcf_text import keyframe_xml
from app.view.preferences import MAX_FONT_SCALE, MIN_FONT_SCALE
from sim.analysis.element_names import described
from sim.atomic_file import write_atomic

FONT_STEP = 1.1
NO_START = "The changed program cannot start"


# camera


def _move_camera(desk: Desk, motion: Callable[[], None]) -> None:
    """Move the free camera; the cameras of the model are fixed in the model."""
    if desk.view.camera_id == FREE_CAMERA:
        desk.view.flight = None
        motion()


def orbit(desk: Desk, gesture: Gesture) -> None:
    _move_camera(desk, lambda: desk.view.camera.orbit(gesture.dx, gesture.dy))


def pan(desk: Desk, gesture: Gesture) -> None:
    desk.view.tracked = -1
    _move_camera(desk, lambda: desk.view.camera.pan(gesture.dx, gesture.dy))


def pan_horizontal(desk: Desk, gesture: Gesture) -> None:
    desk.view.tracked = -1
    _move_camera(desk, lambda: desk.view.camera.pan_horizontal(gesture.dx, gesture.dy))


def zoom_drag(desk: Desk, gesture: Gesture) -> None:
    _move_camera(desk, lambda: desk.view.camera.zoom(gesture.dy))


def look_at(desk: Desk, gesture: Gesture) -> None:
    hit = mouse.under_pointer(desk, gesture)
    if hit is not None and desk.view.camera_id == FREE_CAMERA:
        desk.view.flight, desk.view.tracked = desk.view.camera.flight(hit.point), -1


def track(desk: Desk, gesture: Gesture) -> None:
    """Let the free camera track the body under the pointer."""
    hit = mouse.under_pointer(desk, gesture)
    if hit is not None and hit.body > 0 and desk.snapshot.model is not None:
        desk.view.camera_id, desk.view.tracked = FREE_CAMERA, hit.body
        desk.view.feedback.show_message(f"tracking {described(desk.snapshot.model, 'body', hit.body)}; Escape stops it")


def free_camera(desk: Desk, _: Gesture) -> None:
    progress = desk.run_state.progress
    if desk.view.feedback.endless_seconds or (progress is not None and not progress.total):
        # a step without an end, or a file that is read; compilations have a button
        desk.send(cmd.Cancel())
        return
    if desk.view.film is not None:
        film.stop(desk)
        return
    if desk.view.timeline.hovered and desk.run_state.history.loop is not None:
        # over the timeline it ends the loop, and nothing else
        desk.send(cmd.SetLoop(None))
        return
    if desk.sessions is not None and desk.sessions.restart.cancel():
        desk.view.feedback.show_message("restart cancelled")
    if desk.view.ui.manual.open:
        desk.view.ui.manual.open = False
        return
    desk.view.camera_id, desk.view.tracked = FREE_CAMERA, -1


def align(desk: Desk, _: Gesture) -> None:
    if desk.snapshot.model is not None and desk.snapshot.state is not None:
        desk.view.align(desk.snapshot.model, desk.snapshot.state)


def previous_camera(desk: Desk, _: Gesture) -> None:
    _cycle_camera(desk, -1)


def next_camera(desk: Desk, _: Gesture) -> None:
    _cycle_camera(desk, +1)


def _cycle_camera(desk: Desk, direction: int) -> None:
    """Go to the next or previous camera of the model, skipping the free one."""
    count = desk.snapshot.model.ncam if desk.snapshot.model is not None else 0
    if count:
        first = 0 if direction > 0 else count - 1
        free = desk.view.camera_id == FREE_CAMERA
        desk.view.camera_id = first if free else (desk.view.camera_id + direction) % count
    else:
        desk.view.feedback.show_message("this model has no cameras")


# time


def play_pause(desk: Desk, _: Gesture) -> None:
    # forwards, whichever way it was played before
    if desk.run_state.paused and desk.run_state.direction < 0:
        desk.send(cmd.SetDirection(1))
    desk.send(cmd.TogglePaused())


def step(desk: Desk, _: Gesture) -> None:
    desk.send(cmd.StepOnce())


def step_back(desk: Desk, _: Gesture) -> None:
    desk.send(cmd.StepOnce(-1))


def reset(desk: Desk, _: Gesture) -> None:
    desk.send(cmd.Reset())


def faster(desk: Desk, _: Gesture) -> None:
    _change_speed(desk, +1)


def slower(desk: Desk, _: Gesture) -> None:
    _change_speed(desk, -1)


def _change_speed(desk: Desk, direction: int) -> None:
    """One notch up or down, if the viewer sets the pace."""
    if desk.run_state.paced:
        desk.send(cmd.ChangeSpeed(direction))
    else:
        desk.view.feedback.show_message(NOT_PACED)


# edits


def undo(desk: Desk, _: Gesture) -> None:
    desk.send(cmd.Undo())


def redo(desk: Desk, _: Gesture) -> None:
    desk.send(cmd.Redo())


# files


def open_dropped(desk: Desk, gesture: Gesture) -> None:
    saving.leave(desk.view, desk.send, saving.Leaving(gesture.path))


def reload(desk: Desk, _: Gesture) -> None:
    desk.send(cmd.Reload())


def screenshot(desk: Desk, _: Gesture) -> None:
    """Save the view without panels, in the size that is chosen, or in its size on the screen."""
    size = parse_size(desk.view.recording_options.size)
    if size is not None and (fault := size_fault(size, desk.view.largest_image)):
        desk.report("The image could not be saved", fault)
        return
    image = BytesIO()
    Image.fromarray(desk.screenshot(size)).save(image, "png")
    try:
        path = dated_path("kinetoscope", "png")
        write_atomic(path, image.getvalue())
        desk.view.feedback.show_message(f"saved {path}")
    except OSError as error:
        desk.report("The image could not be saved", f"{output_folder()}: {reason(error)}")


def export_moment(desk: Desk, _: Gesture) -> None:
    """Ask how to export the moment that is shown: as a test, a script or a zip."""
    desk.view.export_wanted = "test"


def save(desk: Desk, _: Gesture) -> None:
    """Save to the model's own file; elsewhere if it has none that may be overwritten."""
    if desk.snapshot.model is None:
        return
    if saving.saved_in_place(desk.run_state):
        saving.begin(desk.view, desk.send, desk.run_state)
    else:
        saving.begin_elsewhere(desk.view, desk.run_state)


def save_elsewhere(desk: Desk, _: Gesture) -> None:
    if desk.snapshot.model is not None:
        saving.begin_elsewhere(desk.view, desk.run_state)


def copy_state(desk: Desk, _: Gesture) -> None:
    if desk.snapshot.state is not None:
        desk.copy_text(keyframe_xml(desk.snapshot.state))
        desk.view.feedback.show_message("copied the state as an MJCF <key>")


def restart(desk: Desk, _: Gesture) -> None:
    """Restart the program with the same model, state and view; a script has to be run again by the user."""
    if desk.sessions is None:
        desk.view.feedback.show_message("the viewer of a script cannot restart: run the script again")
    else:
        desk.view.feedback.changed_source = ""
        if why := desk.shader_fault():
            desk.report(NO_START, why)
        else:
            desk.sessions.restart.begin()
            desk.view.feedback.show_message("starting the changed program; Escape cancels", lasting=True)


def finish_restart(desk: Desk) -> None:
    """Once the changed program has taken over, close; if it does not start, show why."""
    why = desk.sessions.restart.outcome() if desk.sessions is not None else None
    if why == "":
        desk.close()
    elif why is not None:
        desk.report(NO_START, why)


def quit_program(desk: Desk, _: Gesture) -> None:
    """Quit, unless there are unsaved edits: then it is asked."""
    if saving.leave(desk.view, desk.send, saving.Leaving()):
        desk.close()


def record(desk: Desk, _: Gesture) -> None:
    recording.toggle(desk)


def film_range(desk: Desk, _: Gesture) -> None:
    film.toggle(desk)


def export_page(desk: Desk, _: Gesture) -> None:
    page_export.export(desk)


def record_run(desk: Desk, _: Gesture) -> None:
    run_recording.toggle(desk)


def save_recording(desk: Desk, _: Gesture) -> None:
    run_recording.choose_file(desk)


def open_dialog(desk: Desk, _: Gesture) -> None:
    desk.view.ui.browse = browse.begin(desk.run_state.path)


def gallery(desk: Desk, _: Gesture) -> None:
    desk.view.ui.show_gallery = not desk.view.ui.show_gallery


# window


def panels(desk: Desk, _: Gesture) -> None:
    desk.view.prefs.show_left = not desk.view.prefs.show_left


def manual(desk: Desk, _: Gesture) -> None:
    desk.view.ui.manual.toggle()


def info(desk: Desk, _: Gesture) -> None:
    desk.view.prefs.show_info = not desk.view.prefs.show_info


def right_panels(desk: Desk, _: Gesture) -> None:
    desk.view.prefs.show_right = not desk.view.prefs.show_right


def bottom_panels(desk: Desk, _: Gesture) -> None:
    desk.view.prefs.show_bottom = not desk.view.prefs.show_bottom


def log(desk: Desk, _: Gesture) -> None:
    desk.view.show_bottom("Log")


def palette(desk: Desk, _: Gesture) -> None:
    desk.view.ui.show_palette, desk.view.ui.palette_text = True, None


def profiler(desk: Desk, _: Gesture) -> None:
    desk.view.ui.show_profiler = not desk.view.ui.show_profiler
    desk.send(cmd.SetProfiling(desk.view.ui.show_profiler))


def code(desk: Desk, _: Gesture) -> None:
    desk.view.instruments.open("Code", *mentioned_fields(desk.view.ui.hint)[:1])


def sensors(desk: Desk, _: Gesture) -> None:
    desk.view.ui.show_sensors = not desk.view.ui.show_sensors


def larger_font(desk: Desk, _: Gesture) -> None:
    desk.view.prefs.font_scale = min(desk.view.prefs.font_scale * FONT_STEP, MAX_FONT_SCALE)


def smaller_font(desk: Desk, _: Gesture) -> None:
    desk.view.prefs.font_scale = max(desk.view.prefs.font_scale / FONT_STEP, MIN_FONT_SCALE)


def theme(desk: Desk, _: Gesture) -> None:
    desk.view.prefs.light_theme = not desk.view.prefs.light_theme


def full_screen(desk: Desk, _: Gesture) -> None:
    desk.toggle_full_screen()


# selection


def select(desk: Desk, gesture: Gesture) -> None:
    if not mouse.select_decor(desk, gesture):
        hit = mouse.under_pointer(desk, gesture)
        mouse.select_body(desk, hit.body if hit else 0, hit.point if hit else None)


def select_parent(desk: Desk, _: Gesture) -> None:
    model, state, perturb = desk.snapshot.model, desk.snapshot.state, desk.view.perturb
    if model is not None and state is not None and perturb is not None:
        parent = int(model.body_parentid[perturb.body])
        mouse.select_body(desk, parent, state.xpos[parent])


def rotate_body(desk: Desk, gesture: Gesture) -> None:
    mouse.drag(desk, lambda perturb, state, view: perturb.rotate(state, view, gesture.dx, gesture.dy))


def pull_body(desk: Desk, gesture: Gesture) -> None:
    mouse.drag(desk, lambda perturb, state, view: perturb.translate(state, view, gesture.dx, gesture.dy, False))


def pull_body_horizontal(desk: Desk, gesture: Gesture) -> None:
    mouse.drag(desk, lambda perturb, state, view: perturb.translate(state, view, gesture.dx, gesture.dy, True))


# rendering


def switch(desk: Desk, gesture: Gesture) -> None:
    desk.view.feedback.show_message(toggle_by_key(desk.view.options, gesture.trigger))
