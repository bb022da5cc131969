"""What each action of the bindings does: one table from action to function.

Keys, gestures, the toolbar and the command palette all come through here. What changes the run is sent as a command,
what changes the view is done at once.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from app import browse, filming, hand
from app import commands as cmd
from app.bindings import Action, Event
from app.files import dated, place, reason
from app.mjcf_text import keyframe_xml
from app.render.device import Picture
from app.selection import described
from app.state import FREE_CAMERA, MAX_FONT_SCALE, MIN_FONT_SCALE, NOT_PACED
from app.visual import press
from sim.atomic_file import write_whole

if TYPE_CHECKING:
    from app.application import Application

SCROLL_STEP = 0.02
FONT_STEP = 1.1
NO_START = "The changed program does not start"


# camera


def _move_camera(app: Application, motion: Callable[[], None]) -> None:
    """The mouse moves the free camera only; those of the model are where the model says."""
    if app.view.camera_id == FREE_CAMERA:
        app.view.flight = None
        motion()


def _orbit(app: Application, event: Event) -> None:
    _move_camera(app, lambda: app.view.camera.orbit(event.dx, event.dy))


def _pan(app: Application, event: Event) -> None:
    app.view.tracked = -1
    _move_camera(app, lambda: app.view.camera.pan(event.dx, event.dy))


def _pan_horizontal(app: Application, event: Event) -> None:
    app.view.tracked = -1
    _move_camera(app, lambda: app.view.camera.pan_horizontal(event.dx, event.dy))


def _zoom_drag(app: Application, event: Event) -> None:
    _move_camera(app, lambda: app.view.camera.zoom(event.dy))


def _zoom_scroll(app: Application, event: Event) -> None:
    _move_camera(app, lambda: app.view.camera.zoom(-SCROLL_STEP * event.dy))


def _look_at(app: Application, event: Event) -> None:
    hit = hand.under_pointer(app, event)
    if hit is not None and app.view.camera_id == FREE_CAMERA:
        app.view.flight, app.view.tracked = app.view.camera.flight(hit.point), -1


def _track(app: Application, event: Event) -> None:
    """The free camera goes along with the body under the pointer."""
    hit = hand.under_pointer(app, event)
    if hit is not None and hit.body > 0 and app.snapshot.model is not None:
        app.view.camera_id, app.view.tracked = FREE_CAMERA, hit.body
        app.view.say(f"tracking {described(app.snapshot.model, 'body', hit.body)}; Escape ends it")


def _free_camera(app: Application, _: Event) -> None:
    if app.restart is not None and app.restart.cancel():
        app.view.say("stayed with the program that runs")
    app.view.show_help = False
    app.view.camera_id, app.view.tracked = FREE_CAMERA, -1


def _align(app: Application, _: Event) -> None:
    if app.snapshot.model is not None and app.snapshot.state is not None:
        app.view.align(app.snapshot.model, app.snapshot.state)


def _previous_camera(app: Application, _: Event) -> None:
    _cycle_camera(app, -1)


def _next_camera(app: Application, _: Event) -> None:
    _cycle_camera(app, +1)


def _cycle_camera(app: Application, direction: int) -> None:
    """Through the model's cameras, leaving out the free one."""
    count = app.snapshot.model.ncam if app.snapshot.model is not None else 0
    if count:
        first = 0 if direction > 0 else count - 1
        free = app.view.camera_id == FREE_CAMERA
        app.view.camera_id = first if free else (app.view.camera_id + direction) % count
    else:
        app.view.say("this model has no cameras of its own")


# time


def _play_pause(app: Application, _: Event) -> None:
    app.send(cmd.TogglePaused())


def _step(app: Application, _: Event) -> None:
    app.send(cmd.StepOnce())


def _step_back(app: Application, _: Event) -> None:
    app.send(cmd.StepOnce(-1))


def _reset(app: Application, _: Event) -> None:
    app.send(cmd.Reset())


def _faster(app: Application, _: Event) -> None:
    _change_speed(app, +1)


def _slower(app: Application, _: Event) -> None:
    _change_speed(app, -1)


def _change_speed(app: Application, direction: int) -> None:
    """One notch up or down, if it is the viewer that keeps time."""
    if app.run_state.paced:
        app.send(cmd.ChangeSpeed(direction))
    else:
        app.view.say(NOT_PACED)


# files


def _open_dropped(app: Application, event: Event) -> None:
    app.open(event.path)


def _reload(app: Application, _: Event) -> None:
    app.send(cmd.Reload())


def _screenshot(app: Application, _: Event) -> None:
    """Save the picture without panels, in the size it has on the screen."""
    width, height = (max(length, 1) for length in app.pixels(app.rect)[2:])
    picture = Picture(app.context, (width, height))
    app.draw_picture(picture.framebuffer, (0, 0, width, height))
    image = BytesIO()
    Image.fromarray(picture.pixels()).save(image, "png")
    picture.release()
    try:
        path = dated("kinetoscope", "png")
        write_whole(path, image.getvalue())
        app.view.say(f"saved {path}")
    except OSError as error:
        app.report("The picture could not be saved", f"{place()}: {reason(error)}")


def _save_model(app: Application, _: Event) -> None:
    """Write the model as it is now, edits included, to where screenshots go."""
    if app.snapshot.model is None:
        return
    stem = Path(app.run_state.path).stem or "model"
    try:
        path = dated(stem, "xml")
    except OSError as error:
        app.report("The model could not be saved", f"{place()}: {reason(error)}")
        return
    app.send(cmd.SaveModel(str(path)))


def _copy_state(app: Application, _: Event) -> None:
    if app.snapshot.state is not None:
        app.window.set_clipboard_text(keyframe_xml(app.snapshot.state))
        app.view.say("copied the state as a <key> of MJCF")


def _restart(app: Application, _: Event) -> None:
    """With the same model, state and view; not from within a script, which has to be run again itself."""
    if app.restart is None:
        app.view.say("a script's window cannot start the program anew: run the script again")
    else:
        app.view.changed_source = ""
        if why := app.shader_fault():
            app.report(NO_START, why)
        else:
            app.restart.begin()
            app.view.say("trying whether the changed program starts; Escape stays with this one", lasting=True)


def take_outcome(app: Application) -> None:
    """Once it is known whether the changed program starts: leave the screen to it, or say why not."""
    why = app.restart.outcome() if app.restart is not None else None
    if app.restart is not None and why == "":
        why = app.restart.leave(app.view, app.snapshot, app.close, app.window.shape)
    if why:
        app.report(NO_START, why)


def _quit(app: Application, _: Event) -> None:
    app.close()


def _record(app: Application, _: Event) -> None:
    filming.toggle(app)


def _open(app: Application, _: Event) -> None:
    app.view.browse = browse.begin(app.run_state.path)


def _gallery(app: Application, _: Event) -> None:
    app.view.show_gallery = not app.view.show_gallery


# window


def _panels(app: Application, _: Event) -> None:
    app.view.show_left = not app.view.show_left


def _help(app: Application, _: Event) -> None:
    app.view.show_help = not app.view.show_help


def _info(app: Application, _: Event) -> None:
    app.view.show_info = not app.view.show_info


def _right_panels(app: Application, _: Event) -> None:
    app.view.show_right = not app.view.show_right


def _bottom_panels(app: Application, _: Event) -> None:
    app.view.show_bottom = not app.view.show_bottom


def _palette(app: Application, _: Event) -> None:
    app.view.show_palette, app.view.palette_text = True, None


def _profiler(app: Application, _: Event) -> None:
    app.view.show_profiler = not app.view.show_profiler
    app.send(cmd.SetProfiling(app.view.show_profiler))


def _sensors(app: Application, _: Event) -> None:
    app.view.show_sensors = not app.view.show_sensors


def _larger_font(app: Application, _: Event) -> None:
    app.view.font_scale = min(app.view.font_scale * FONT_STEP, MAX_FONT_SCALE)


def _smaller_font(app: Application, _: Event) -> None:
    app.view.font_scale = max(app.view.font_scale / FONT_STEP, MIN_FONT_SCALE)


def _theme(app: Application, _: Event) -> None:
    app.view.light_theme = not app.view.light_theme


def _full_screen(app: Application, _: Event) -> None:
    app.window.toggle_full_screen()


# selection


def _select(app: Application, event: Event) -> None:
    if not hand.select_mark(app, event):
        hit = hand.under_pointer(app, event)
        hand.grab(app, hit.body if hit else 0, hit.point if hit else None)


def _select_parent(app: Application, _: Event) -> None:
    model, state, grasp = app.snapshot.model, app.snapshot.state, app.view.grasp
    if model is not None and state is not None and grasp is not None:
        parent = int(model.body_parentid[grasp.body])
        hand.grab(app, parent, state.xpos[parent])


def _turn_body(app: Application, event: Event) -> None:
    hand.drag(app, lambda grasp, state, view: grasp.turn(state, view, event.dx, event.dy))


def _pull_body(app: Application, event: Event) -> None:
    hand.drag(app, lambda grasp, state, view: grasp.translate(state, view, event.dx, event.dy, False))


def _pull_body_horizontal(app: Application, event: Event) -> None:
    hand.drag(app, lambda grasp, state, view: grasp.translate(state, view, event.dx, event.dy, True))


# picture


def _switch(app: Application, event: Event) -> None:
    app.view.say(press(app.view.options, event.trigger))


ACTIONS: dict[Action, Callable[[Application, Event], None]] = {
    Action.ORBIT: _orbit,
    Action.PAN: _pan,
    Action.PAN_HORIZONTAL: _pan_horizontal,
    Action.ZOOM_DRAG: _zoom_drag,
    Action.ZOOM_SCROLL: _zoom_scroll,
    Action.LOOK_AT: _look_at,
    Action.TRACK: _track,
    Action.FREE_CAMERA: _free_camera,
    Action.ALIGN: _align,
    Action.SAVE_MODEL: _save_model,
    Action.COPY_STATE: _copy_state,
    Action.RESTART: _restart,
    Action.QUIT: _quit,
    Action.PREVIOUS_CAMERA: _previous_camera,
    Action.NEXT_CAMERA: _next_camera,
    Action.PLAY_PAUSE: _play_pause,
    Action.STEP: _step,
    Action.STEP_BACK: _step_back,
    Action.RESET: _reset,
    Action.FASTER: _faster,
    Action.SLOWER: _slower,
    Action.OPEN_DROPPED: _open_dropped,
    Action.RELOAD: _reload,
    Action.SCREENSHOT: _screenshot,
    Action.RECORD: _record,
    Action.OPEN: _open,
    Action.GALLERY: _gallery,
    Action.PANELS: _panels,
    Action.RIGHT_PANELS: _right_panels,
    Action.BOTTOM_PANELS: _bottom_panels,
    Action.PALETTE: _palette,
    Action.PROFILER: _profiler,
    Action.SENSORS: _sensors,
    Action.LARGER_FONT: _larger_font,
    Action.SMALLER_FONT: _smaller_font,
    Action.THEME: _theme,
    Action.HELP: _help,
    Action.INFO: _info,
    Action.FULL_SCREEN: _full_screen,
    Action.SELECT: _select,
    Action.SELECT_PARENT: _select_parent,
    Action.TURN_BODY: _turn_body,
    Action.PULL_BODY: _pull_body,
    Action.PULL_BODY_HORIZONTAL: _pull_body_horizontal,
    Action.SWITCH: _switch,
}
