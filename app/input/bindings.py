"""The table of key and mouse bindings: key or gesture -> action -> help text.

Dispatch and the help overlay are both made from it. A trigger is written as it is shown: modifiers in the order Ctrl,
Shift, Alt, then a key ("Space", "Ctrl+L") or a gesture ("Left drag", "Shift+Right drag", "Scroll", "Drop a file"). To
add a binding: one row here, one function in `actions.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.input import actions, breakpoint_actions, camera_actions, time_actions
from app.input.desk import Action
from app.scene.visual_flags import GROUP_FLAGS, VISUAL_FLAGS
from app.scene.visual_options import NGROUP

# keys that are held with the right button, and the wheel with it
FLIGHT, FLIGHT_SPEED = "W A S D Q E+Right drag", "Right drag+Scroll"


@dataclass(frozen=True)
class Binding:
    """One row: trigger, action, help text; `repeat` while the key is held.

    An `always` binding works even if shortcuts are switched off.
    """

    trigger: str
    action: Action
    help: str
    group: str
    repeat: bool = False
    always: bool = False


BINDINGS = (
    Binding("Left drag", actions.orbit, "orbit", "Camera"),
    Binding("Right drag", actions.pan, "pan in the vertical plane", "Camera"),
    Binding("Shift+Right drag", actions.pan_horizontal, "pan in the horizontal plane", "Camera"),
    Binding("Middle drag", actions.zoom_drag, "zoom", "Camera"),
    Binding("Scroll", camera_actions.zoom_scroll, "zoom", "Camera"),
    Binding(FLIGHT, camera_actions.fly, "fly; the mouse turns", "Camera"),
    Binding(f"Shift+{FLIGHT}", camera_actions.fly_fast, "fly fast", "Camera"),
    Binding(FLIGHT_SPEED, camera_actions.flight_speed, "speed of the flight", "Camera"),
    Binding("Right double-click", actions.look_at, "look at the point", "Camera"),
    Binding("Ctrl+Right double-click", actions.track, "track the body", "Camera"),
    Binding("Escape", actions.free_camera, "free camera", "Camera", always=True),
    Binding("Ctrl+A", actions.align, "look at the whole model", "Camera"),
    Binding("[", actions.previous_camera, "previous camera of the model", "Camera"),
    Binding("]", actions.next_camera, "next camera of the model", "Camera"),
    Binding("Left double-click", actions.select, "select the body", "Selection"),
    Binding("Page up", actions.select_parent, "select the parent body", "Selection"),
    Binding("Ctrl+Left drag", actions.rotate_body, "rotate the selected body", "Selection"),
    Binding("Ctrl+Right drag", actions.pull_body, "pull it in the vertical plane", "Selection"),
    Binding("Ctrl+Shift+Right drag", actions.pull_body_horizontal, "pull it in the horizontal plane", "Selection"),
    Binding("Ctrl+Alt+Left drag", actions.pull_body, "pull it, for trackpads", "Selection"),
    Binding("Space", actions.play_pause, "play or pause", "Time"),
    Binding("Shift+Space", time_actions.play_backwards, "play backwards what was recorded", "Time"),
    Binding("Ctrl+Enter", time_actions.go_on, "go on from here: begin a branch", "Time"),
    Binding("Right arrow", actions.step, "one step forward", "Time", repeat=True),
    Binding("Left arrow", actions.step_back, "one step back", "Time", repeat=True),
    Binding("Home", time_actions.first_step, "first recorded step", "Time"),
    Binding("End", time_actions.last_step, "last step", "Time"),
    Binding("Ctrl+Left arrow", time_actions.previous_mark, "previous mark on the timeline", "Time", repeat=True),
    Binding("Ctrl+Right arrow", time_actions.next_mark, "next mark", "Time", repeat=True),
    Binding("Ctrl+[", time_actions.loop_begin, "begin of the loop", "Time"),
    Binding("Ctrl+]", time_actions.loop_end, "end of the loop", "Time"),
    Binding("Ctrl+\\", time_actions.clear_loop, "no loop", "Time"),
    Binding("F9", breakpoint_actions.toggle_breakpoints, "all breakpoints on or off", "Time"),
    Binding("Shift+F9", breakpoint_actions.previous_hit, "back to where a breakpoint fires", "Time"),
    Binding("Ctrl+F9", breakpoint_actions.next_hit, "on to where one fires, in what was recorded", "Time"),
    Binding("Backspace", actions.reset, "reset", "Time"),
    Binding("=", actions.faster, "faster", "Time", repeat=True),
    Binding("-", actions.slower, "slower", "Time", repeat=True),
    Binding("Ctrl+Z", actions.undo, "undo the last change", "Edits", repeat=True),
    Binding("Ctrl+Y", actions.redo, "redo it", "Edits", repeat=True),
    Binding("Ctrl+Shift+Z", actions.redo, "redo it", "Edits", repeat=True),
    *(Binding(s.key, actions.switch, s.label.lower(), "Rendering") for s in VISUAL_FLAGS if s.key),
    *(
        Binding(row.key(g), actions.switch, f"{row.label.lower()[:-1]} {g}", "Groups")
        for row in GROUP_FLAGS
        for g in range(NGROUP)
        if row.key(g)
    ),
    Binding("Drop a file", actions.open_dropped, "open it", "File"),
    Binding("Ctrl+O", actions.open_dialog, "open a file", "File"),
    Binding("Ctrl+G", actions.gallery, "gallery of bundled scenes", "File"),
    Binding("Ctrl+L", actions.reload, "reload the file", "File"),
    Binding("Ctrl+S", actions.save, "save the edits to the model's file", "File"),
    Binding("Ctrl+Shift+S", actions.save_elsewhere, "save elsewhere", "File"),
    Binding("Ctrl+C", actions.copy_state, "copy the state as a keyframe", "File"),
    Binding("Ctrl+P", actions.screenshot, "save an image of the view", "File"),
    Binding("Ctrl+R", actions.record, "start or stop recording a video", "File"),
    Binding("Ctrl+F", actions.film_range, "film the range of the timeline", "File"),
    Binding("Ctrl+Alt+R", actions.record_run, "start or stop a recording of the run (.ktr)", "File"),
    Binding("Ctrl+Alt+S", actions.save_recording, "save a recording of the past", "File"),
    Binding("Ctrl+Shift+R", actions.restart, "restart with the changed source", "File"),
    Binding("Ctrl+Q", actions.quit_program, "quit", "File"),
    Binding("Ctrl+K", actions.palette, "search all commands, options and elements", "Window", always=True),
    Binding("Tab", actions.panels, "left panels", "Window"),
    Binding("Shift+Tab", actions.right_panels, "right panels", "Window"),
    Binding("Ctrl+B", actions.bottom_panels, "timeline, plots and tables", "Window"),
    Binding("F1", actions.show_help, "this help", "Window", always=True),
    Binding("F2", actions.info, "info overlay", "Window"),
    Binding("F3", actions.profiler, "profiler", "Window"),
    Binding("F4", actions.sensors, "sensors", "Window"),
    Binding("F5", actions.full_screen, "full screen", "Window"),
    Binding("Ctrl+=", actions.larger_font, "larger font", "Window", repeat=True),
    Binding("Ctrl+-", actions.smaller_font, "smaller font", "Window", repeat=True),
    Binding("Ctrl+D", actions.theme, "dark or light theme", "Window"),
)

BY_TRIGGER = {binding.trigger: binding for binding in BINDINGS}
BY_ACTION = {binding.action: binding for binding in reversed(BINDINGS)}


def modified(trigger: str, ctrl: bool = False, shift: bool = False, alt: bool = False) -> str:
    """The trigger with its modifiers, as the table writes it."""
    held = [name for name, down in (("Ctrl", ctrl), ("Shift", shift), ("Alt", alt)) if down]
    return "+".join([*held, trigger])


def find(trigger: str) -> Binding | None:
    """The binding of a trigger, if there is one."""
    return BY_TRIGGER.get(trigger)


def hint(action: Action) -> str:
    """The help text of an action and its key: the tooltip of a button that does the same."""
    return f"{BY_ACTION[action].help}   {BY_ACTION[action].trigger}"


def help_table() -> Iterable[tuple[str, list[Binding]]]:
    """The bindings by group, in the order of the table."""
    groups: dict[str, list[Binding]] = {}
    for binding in BINDINGS:
        groups.setdefault(binding.group, []).append(binding)
    return groups.items()
