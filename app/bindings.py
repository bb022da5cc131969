"""THE table of bindings: key or gesture -> action -> help text.

Dispatch and the help overlay are both made from it. A trigger is written as it is shown: modifiers in the
order ctrl, shift, alt, then a key ("Space", "Ctrl+L") or a gesture ("Left drag", "Shift+Right drag",
"Scroll", "Drop a file"). To add a binding: one row here, one row in the application's table of actions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from app.state import NGROUP
from app.visual import GROUPS, SWITCHES


class Action(Enum):
    """What a binding does."""

    ORBIT = auto()
    PAN = auto()
    PAN_HORIZONTAL = auto()
    ZOOM_DRAG = auto()
    ZOOM_SCROLL = auto()
    PLAY_PAUSE = auto()
    STEP = auto()
    STEP_BACK = auto()
    RESET = auto()
    FASTER = auto()
    SLOWER = auto()
    OPEN_DROPPED = auto()
    RELOAD = auto()
    SCREENSHOT = auto()
    RECORD = auto()
    OPEN = auto()
    GALLERY = auto()
    COPY_STATE = auto()
    SAVE_MODEL = auto()
    RESTART = auto()
    QUIT = auto()
    ALIGN = auto()
    FREE_CAMERA = auto()
    PREVIOUS_CAMERA = auto()
    NEXT_CAMERA = auto()
    PANELS = auto()
    RIGHT_PANELS = auto()
    BOTTOM_PANELS = auto()
    PALETTE = auto()
    HELP = auto()
    INFO = auto()
    PROFILER = auto()
    SENSORS = auto()
    LARGER_FONT = auto()
    SMALLER_FONT = auto()
    THEME = auto()
    FULL_SCREEN = auto()
    SELECT = auto()
    SELECT_PARENT = auto()
    LOOK_AT = auto()
    TRACK = auto()
    TURN_BODY = auto()
    PULL_BODY = auto()
    PULL_BODY_HORIZONTAL = auto()
    SWITCH = auto()


@dataclass(frozen=True)
class Binding:
    """One row: what triggers it, what it does, how the help says it; `repeat` while the key is held.

    A key that is `always` there works even if shortcuts are switched off.
    """

    trigger: str
    action: Action
    help: str
    group: str
    repeat: bool = False
    always: bool = False


@dataclass(frozen=True)
class Event:
    """A trigger that happened; dx and dy in fractions of the view's height, or scroll notches in dy.

    x and y are the place of a click in the view, from -1 to 1, right and up.
    """

    trigger: str
    dx: float = 0.0
    dy: float = 0.0
    x: float = 0.0
    y: float = 0.0
    path: str = ""


BINDINGS = (
    Binding("Left drag", Action.ORBIT, "orbit", "Camera"),
    Binding("Right drag", Action.PAN, "pan in the vertical plane", "Camera"),
    Binding("Shift+Right drag", Action.PAN_HORIZONTAL, "pan in the horizontal plane", "Camera"),
    Binding("Middle drag", Action.ZOOM_DRAG, "zoom", "Camera"),
    Binding("Scroll", Action.ZOOM_SCROLL, "zoom", "Camera"),
    Binding("Right double-click", Action.LOOK_AT, "look at the point", "Camera"),
    Binding("Ctrl+Right double-click", Action.TRACK, "track the body", "Camera"),
    Binding("Escape", Action.FREE_CAMERA, "free camera", "Camera", always=True),
    Binding("Ctrl+A", Action.ALIGN, "look at the whole model", "Camera"),
    Binding("[", Action.PREVIOUS_CAMERA, "previous camera of the model", "Camera"),
    Binding("]", Action.NEXT_CAMERA, "next camera of the model", "Camera"),
    Binding("Left double-click", Action.SELECT, "select the body", "Selection"),
    Binding("Page up", Action.SELECT_PARENT, "select the parent body", "Selection"),
    Binding("Ctrl+Left drag", Action.TURN_BODY, "turn the selected body", "Selection"),
    Binding("Ctrl+Right drag", Action.PULL_BODY, "pull it in the vertical plane", "Selection"),
    Binding("Ctrl+Shift+Right drag", Action.PULL_BODY_HORIZONTAL, "pull it in the horizontal plane", "Selection"),
    Binding("Ctrl+Alt+Left drag", Action.PULL_BODY, "pull it, for trackpads", "Selection"),
    Binding("Space", Action.PLAY_PAUSE, "play or pause", "Time"),
    Binding("Right arrow", Action.STEP, "one step forward", "Time", repeat=True),
    Binding("Left arrow", Action.STEP_BACK, "one step back", "Time", repeat=True),
    Binding("Backspace", Action.RESET, "back to the start", "Time"),
    Binding("=", Action.FASTER, "faster", "Time", repeat=True),
    Binding("-", Action.SLOWER, "slower", "Time", repeat=True),
    *(Binding(s.key, Action.SWITCH, s.label.lower(), "Picture") for s in SWITCHES if s.key),
    *(
        Binding(row.key(g), Action.SWITCH, f"{row.label.lower()[:-1]} {g}", "Groups")
        for row in GROUPS
        for g in range(NGROUP)
        if row.key(g)
    ),
    Binding("Drop a file", Action.OPEN_DROPPED, "open it", "File"),
    Binding("Ctrl+O", Action.OPEN, "open a file", "File"),
    Binding("Ctrl+G", Action.GALLERY, "gallery of bundled scenes", "File"),
    Binding("Ctrl+L", Action.RELOAD, "read the file again", "File"),
    Binding("Ctrl+S", Action.SAVE_MODEL, "save the model with its edits", "File"),
    Binding("Ctrl+C", Action.COPY_STATE, "copy the state as a keyframe", "File"),
    Binding("Ctrl+P", Action.SCREENSHOT, "save a picture of the view", "File"),
    Binding("Ctrl+R", Action.RECORD, "begin or end a video", "File"),
    Binding("Ctrl+Shift+R", Action.RESTART, "start the program anew, to run changed source", "File"),
    Binding("Ctrl+Q", Action.QUIT, "quit", "File"),
    Binding("Ctrl+K", Action.PALETTE, "search all commands, options and elements", "Window", always=True),
    Binding("Tab", Action.PANELS, "left panels", "Window"),
    Binding("Shift+Tab", Action.RIGHT_PANELS, "right panels", "Window"),
    Binding("Ctrl+B", Action.BOTTOM_PANELS, "timeline, plots and tables", "Window"),
    Binding("F1", Action.HELP, "this help", "Window", always=True),
    Binding("F2", Action.INFO, "numbers about the run", "Window"),
    Binding("F3", Action.PROFILER, "profiler", "Window"),
    Binding("F4", Action.SENSORS, "sensors", "Window"),
    Binding("F5", Action.FULL_SCREEN, "full screen", "Window"),
    Binding("Ctrl+=", Action.LARGER_FONT, "larger font", "Window", repeat=True),
    Binding("Ctrl+-", Action.SMALLER_FONT, "smaller font", "Window", repeat=True),
    Binding("Ctrl+D", Action.THEME, "dark or light", "Window"),
)

BY_TRIGGER = {binding.trigger: binding for binding in BINDINGS}
BY_ACTION = {binding.action: binding for binding in reversed(BINDINGS)}


def modified(trigger: str, ctrl: bool = False, shift: bool = False, alt: bool = False) -> str:
    """The trigger with the modifiers held, as the table writes it."""
    held = [name for name, down in (("Ctrl", ctrl), ("Shift", shift), ("Alt", alt)) if down]
    return "+".join([*held, trigger])


def find(trigger: str) -> Binding | None:
    """The binding of a trigger, if there is one."""
    return BY_TRIGGER.get(trigger)


def hint(action: Action) -> str:
    """What an action does, and its key: the tooltip of a button that does the same."""
    return f"{BY_ACTION[action].help}   {BY_ACTION[action].trigger}"


def help_table() -> Iterable[tuple[str, list[Binding]]]:
    """The bindings by group, in the order of the table."""
    groups: dict[str, list[Binding]] = {}
    for binding in BINDINGS:
        groups.setdefault(binding.group, []).append(binding)
    return groups.items()
