"""The table of key and mouse bindings: key or gesture -> action -> help text.

Dispatch and the manual's page of keys are both made from it. A trigger is written as it is shown: modifiers in the
order Ctrl, Shift, Alt, then a key ("Space", "Ctrl+L") or a gesture ("Left drag", "Shift+Right drag", "Scroll", "Drop a
file"). To add a binding: one row here, one function in `actions.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.scene.visual_flags import GROUP_FLAGS, VISUAL_FLAGS
from app.scene.visual_options import NGROUP
from app.view.input import actions, breakpoint_actions, building_actions, camera_actions, time_actions
from app.view.input.desk import Action

# keys that are held with the right button, and the wheel with it
FLIGHT, FLIGHT_SPEED = "WASD+Right drag", "Right drag+Scroll"


@dataclass(frozen=True)
class Binding:
    """One row: trigger, action, help text, group, everyday words by which the palette finds it too.

    A `repeat` binding acts again while the key is held, an `always` binding works even if shortcuts are switched off.
    """

    trigger: str
    action: Action
    help: str
    group: str
    synonyms: str = ""
    repeat: bool = False
    always: bool = False


BINDINGS = (
    Binding("Left drag", actions.orbit, "orbit", "Camera", "rotate turn view"),
    Binding("Right drag", actions.pan, "pan in the vertical plane", "Camera", "move view shift"),
    Binding("Shift+Right drag", actions.pan_horizontal, "pan in the horizontal plane", "Camera"),
    Binding("Middle drag", actions.zoom_drag, "zoom", "Camera"),
    Binding("Scroll", camera_actions.zoom_scroll, "zoom", "Camera"),
    Binding(FLIGHT, camera_actions.fly, "fly, Q and E for down and up; the mouse turns", "Camera"),
    Binding(f"Shift+{FLIGHT}", camera_actions.fly_fast, "fly fast", "Camera"),
    Binding(FLIGHT_SPEED, camera_actions.flight_speed, "flight speed", "Camera"),
    Binding("Right double-click", actions.look_at, "focus on the point", "Camera", "focus centre center"),
    Binding("Ctrl+Right double-click", actions.track, "track the body", "Camera", "follow chase"),
    Binding("Escape", actions.free_camera, "free camera", "Camera", "stop following default view", always=True),
    Binding("Ctrl+A", actions.align, "centre the whole model", "Camera", "center fit frame all zoom overview home"),
    Binding("[", actions.previous_camera, "previous camera of the model", "Camera", "switch view"),
    Binding("]", actions.next_camera, "next camera of the model", "Camera", "switch view"),
    Binding("Left double-click", actions.select, "select the body", "Selection", "pick click"),
    Binding("Ctrl+Left click", building_actions.choose, "select several bodies", "Selection", "multiple add"),
    Binding("Right click", building_actions.menu, "menu of the body: add, duplicate, delete", "Selection", "context"),
    Binding("Delete", building_actions.delete, "delete the selection", "Edits", "remove element body geom"),
    Binding("Ctrl+Shift+D", building_actions.duplicate, "duplicate the selection", "Edits", "copy clone element body"),
    Binding("Page up", actions.select_parent, "select the parent body", "Selection"),
    Binding("Ctrl+Left drag", actions.rotate_body, "rotate the selected body", "Selection", "torque perturb"),
    Binding("Ctrl+Right drag", actions.pull_body, "pull it in the vertical plane", "Selection", "perturb push force"),
    Binding("Ctrl+Shift+Right drag", actions.pull_body_horizontal, "pull it in the horizontal plane", "Selection"),
    Binding("Ctrl+Alt+Left drag", actions.pull_body, "pull it, for trackpads", "Selection"),
    Binding("Space", actions.play_pause, "play or pause", "Time", "run start stop resume continue"),
    Binding("Shift+Space", time_actions.play_backwards, "play the recording backwards", "Time", "rewind reverse"),
    Binding("Ctrl+Enter", time_actions.go_on, "continue from here: start a branch", "Time", "go on fork"),
    Binding("Right arrow", actions.step, "one step forward", "Time", "advance single-step next", repeat=True),
    Binding("Left arrow", actions.step_back, "one step back", "Time", "previous rewind", repeat=True),
    Binding("Home", time_actions.first_step, "first recorded step", "Time", "beginning start"),
    Binding("End", time_actions.last_step, "last step", "Time", "latest newest present"),
    Binding("Ctrl+Left arrow", time_actions.previous_mark, "previous mark on the timeline", "Time", repeat=True),
    Binding("Ctrl+Right arrow", time_actions.next_mark, "next mark", "Time", repeat=True),
    Binding("Ctrl+[", time_actions.loop_begin, "start of the loop", "Time", "loop repeat range"),
    Binding("Ctrl+]", time_actions.loop_end, "end of the loop", "Time", "loop repeat range"),
    Binding("Ctrl+\\", time_actions.clear_loop, "no loop", "Time", "loop repeat end"),
    Binding("F9", breakpoint_actions.toggle_breakpoints, "all breakpoints on or off", "Time", "debug break stop"),
    Binding("Shift+F9", breakpoint_actions.previous_hit, "back to where a breakpoint fires", "Time"),
    Binding("Ctrl+F9", breakpoint_actions.next_hit, "forward to where a breakpoint fires, in the recording", "Time"),
    Binding("Backspace", actions.reset, "reset", "Time", "restart rewind initial start over begin again"),
    Binding("=", actions.faster, "faster", "Time", "speed up fast forward", repeat=True),
    Binding("-", actions.slower, "slower", "Time", "slow motion speed down", repeat=True),
    Binding("Ctrl+Z", actions.undo, "undo the last change", "Edits", "revert back", repeat=True),
    Binding("Ctrl+Y", actions.redo, "redo it", "Edits", "again repeat", repeat=True),
    Binding("Ctrl+Shift+Z", actions.redo, "redo it", "Edits", repeat=True),
    Binding("Drop a file", actions.open_dropped, "open it", "File"),
    Binding("Ctrl+N", building_actions.new_world, "a new world: floor and light", "File", "empty model create scratch"),
    Binding("Ctrl+O", actions.open_dialog, "open a file", "File", "load browse import file"),
    Binding("Ctrl+G", actions.gallery, "gallery of bundled scenes", "File", "examples demos scenes models"),
    Binding("Ctrl+L", actions.reload, "reload the file", "File", "refresh reread update"),
    Binding("Ctrl+S", actions.save, "save the edits to the model's file", "File", "write store"),
    Binding("Ctrl+Shift+S", actions.save_elsewhere, "save as", "File", "save as export copy model xml mjcf"),
    Binding("Ctrl+C", actions.copy_state, "copy the state as a keyframe", "File", "qpos pose clipboard"),
    Binding("Ctrl+P", actions.screenshot, "save a screenshot of the view", "File", "picture image photo capture"),
    Binding(
        "Ctrl+R", actions.record, "record a video (start or stop)", "File", "movie film gif mp4 capture screencast"
    ),
    Binding("Ctrl+F", actions.film_range, "record a video of the timeline's range", "File", "render movie video"),
    Binding(
        "Ctrl+Alt+E",
        actions.export_page,
        "a web page of the timeline's range",
        "File",
        "html replay browser share send webgl",
    ),
    Binding("Ctrl+Alt+R", actions.record_run, "record the run, .ktr (start or stop)", "File", "log trajectory data"),
    Binding("Ctrl+Alt+S", actions.save_recording, "save a recording of the past", "File", "ktr trajectory export log"),
    Binding(
        "Ctrl+E",
        actions.export_moment,
        "export this moment: test, script, zip for a bug report",
        "File",
        "bug report issue reproduce pytest repro share send archive",
    ),
    Binding("Ctrl+Shift+R", actions.restart, "start the changed program", "File", "restart program code relaunch"),
    Binding("Ctrl+Q", actions.quit_program, "quit", "File", "exit close leave"),
    Binding("Ctrl+K", actions.palette, "search all commands, options and elements", "Window", "find", always=True),
    Binding("Tab", actions.panels, "left panels", "Window", "sidebar hide ui interface"),
    Binding("Shift+Tab", actions.right_panels, "right panels", "Window", "sidebar hide ui interface"),
    Binding("Ctrl+B", actions.bottom_panels, "timeline, plots and tables", "Window", "bottom panels graphs"),
    Binding(
        "F1", actions.manual, "manual, including all shortcuts", "Window", "help keys keyboard mouse docs", always=True
    ),
    Binding("F2", actions.info, "info overlay", "Window", "fps frame rate numbers statistics memory energy hud"),
    Binding("F3", actions.profiler, "profiler", "Window", "performance timing cost stages solver convergence"),
    Binding("F4", actions.sensors, "sensors", "Window", "sensor values bars readings"),
    Binding("F12", actions.code, "code of the field in the tooltip", "Window", "kernel source definition"),
    Binding("F8", actions.log, "log of messages and output", "Window", "console messages warnings print output errors"),
    Binding("F5", actions.full_screen, "full screen", "Window", "fullscreen maximise maximize"),
    Binding("F11", actions.full_screen, "full screen", "Window"),
    Binding("Ctrl+=", actions.larger_font, "larger font", "Window", "font size text bigger zoom ui scale", repeat=True),
    Binding("Ctrl+-", actions.smaller_font, "smaller font", "Window", "font size text smaller ui scale", repeat=True),
    Binding("Ctrl+D", actions.theme, "dark or light theme", "Window", "dark mode light mode night appearance"),
    # what one looks up least comes last
    *(Binding(s.key, actions.switch, s.label.lower(), "Rendering") for s in VISUAL_FLAGS if s.key),
    *(
        Binding(row.key(g), actions.switch, f"{row.label.lower()[:-1]} {g}", "Groups")
        for row in GROUP_FLAGS
        for g in range(NGROUP)
        if row.key(g)
    ),
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
