"""Terminal emulators: the command that runs another one in a new terminal window."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from os.path import basename

# terminal -> arguments before the command to run in it
TERMINALS: Mapping[str, tuple[str, ...]] = {
    "x-terminal-emulator": ("-e",),
    "gnome-terminal": ("--",),
    "ptyxis": ("--",),
    "kgx": ("-e",),
    "konsole": ("-e",),
    "xfce4-terminal": ("-x",),
    "mate-terminal": ("-x",),
    "tilix": ("-e",),
    "terminator": ("-x",),
    "kitty": (),
    "alacritty": ("-e",),
    "wezterm": ("start", "--"),
    "ghostty": ("-e",),
    "foot": (),
    "urxvt": ("-e",),
    "st": ("-e",),
    "xterm": ("-e",),
}
# what says that there is a screen
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")


def in_terminal(
    command: Sequence[str], environment: Mapping[str, str], which: Callable[[str], str | None] = shutil.which
) -> list[str] | None:
    """The arguments that run a command in a terminal window; None without a screen or a terminal emulator."""
    if not any(environment.get(name) for name in DISPLAYS):
        return None
    own = environment.get("TERMINAL", "")
    for name in (own, *TERMINALS) if own else TERMINALS:
        program = which(name)
        if program is not None:
            return [program, *TERMINALS.get(basename(name), ("-e",)), *command]
    return None
