"""What the application needs of a window, whatever shows it: a screen, or a browser."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sim.user_error import UserError

TITLE = "Kinetoscope"
START_SIZE = (1400, 900)
X11 = sys.platform.startswith("linux")
# windows that a process can have at a time; without X11 they would share one event loop
MOST_WINDOWS = 32 if X11 else 1


LOOPBACK = "127.0.0.1"
# names of this machine that only it can reach
LOCAL = (LOOPBACK, "::1", "localhost")


@dataclass(frozen=True)
class WebWish:
    """How a viewer is served to browsers: on this machine alone, or for others, who need a password or the address."""

    host: str = LOOPBACK
    port: int | None = None
    password: str = ""
    origins: tuple[str, ...] = ()
    certificate: Path | None = None
    key: Path | None = None
    # it goes on with the pages of the process that has started it
    resumes: bool = False

    @property
    def is_open(self) -> bool:
        """Whether other machines can reach it."""
        return self.host not in LOCAL


@dataclass(frozen=True)
class WindowWish:
    """What a script wants of its window: a title instead of the model's name, a size on the screen, or browsers."""

    title: str = ""
    size: tuple[int, int] | None = None
    web: WebWish | None = None

    def __post_init__(self) -> None:
        if self.size is not None and not (len(self.size) == 2 and all(int(n) == n > 0 for n in self.size)):
            raise ValueError(f"size must be a width and a height in pixels, not {self.size!r}")


class NoScreen(UserError):
    """No window can be opened; the message says why."""


class Window(Protocol):
    """A window: its size, its events, and what it shows besides pictures."""

    # grows with each event
    events: int
    closed: bool
    # the user has pressed the close button
    asked_to_close: bool
    # minimised: drawing is pointless
    hidden: bool
    # another process shows the same from now on
    goes_on: bool
    # called with code and name of each key press, unless the user types into a field
    key_listener: Callable[[int, str], None] | None

    @property
    def visible(self) -> bool: ...
    @property
    def dpi_scale(self) -> float: ...
    @property
    def busy(self) -> bool: ...
    @property
    def button_held(self) -> bool: ...
    @property
    def visitor_drives(self) -> bool: ...
    @property
    def shape(self) -> tuple[int, int, bool]: ...

    def run(self, frame: Callable[[], None], begin: Callable[[], None]) -> None: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...
    def flip(self) -> None: ...
    def feed(self) -> bool: ...
    def take_dropped(self) -> list[str]: ...
    def take_pinches(self) -> list[tuple[float, float, float]]: ...
    def offer(self, path: Path) -> None: ...
    def update_display_size(self) -> None: ...
    def update_cursor(self) -> None: ...
    def restore_shape(self, width: int, height: int, full_screen: bool) -> None: ...
    def toggle_full_screen(self) -> None: ...
    def get_framebuffer_size(self) -> tuple[int, int]: ...
    def set_caption(self, caption: str) -> None: ...
    def set_clipboard_text(self, text: str) -> None: ...
