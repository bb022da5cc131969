"""Three viewers in one process, for tests with real windows: two beside loops of the script, and one that blocks.

Each line on standard input is a Python expression about `a`, `b` and `c`, the handles of two passive viewers and the
application of the launched one; its value after the next turn of all windows is printed as JSON.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from typing import Any

import sim
from app import viewer
from app.run import commands as cmd
from tests.app.script_child import BALL, plain
from tests.app.window_child import Watched

SIZE = (480, 330)
PLACES = {"a": (0, 0), "b": (500, 0), "c": (0, 350), "d": (500, 350)}


class Placed(Watched):
    """A viewer at its own place on the screen."""

    made: dict[str, Placed] = {}  # noqa: RUF012
    others: list[viewer.Handle] = []  # noqa: RUF012

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        name = self._wish.title
        self.made[name] = self
        self.window.set_location(*PLACES[name])

    @classmethod
    def open_another(cls, m: sim.Model) -> None:
        """Open one more viewer, once."""
        if not cls.others:
            cls.others.append(viewer.launch_passive(m, sim.Data(m), title="d", size=SIZE))

    def take_focus(self) -> None:
        """Have the keyboard, from the next turn on."""
        self.window.clock.schedule_once(lambda _: self.window.activate(), 0)

    @property
    def middle(self) -> tuple[int, int]:
        """The middle of the view on the screen."""
        x, y = PLACES[self._wish.title]
        return int(x + self.rect.x + self.rect.width / 2), int(y + self.rect.y + self.rect.height / 2)


def turns(count: int = 3) -> None:
    """Wait for so many turns of each window that is open."""
    for application in list(Placed.made.values()):
        beats = application.beats
        while not application.window.closed and application.beats < beats + count:
            time.sleep(0.001)


def stepping(m: sim.Model, d: sim.Data, handle: viewer.Handle) -> None:
    """A loop of the script."""
    while handle.is_running():
        sim.step(m, d)
        handle.sync()
        time.sleep(0.001)


def answers(names: dict[str, Any]) -> None:
    """Answer questions."""
    while "c" not in Placed.made:
        time.sleep(0.001)
    for line in sys.stdin:
        turns()
        print(json.dumps(plain(eval(line, {**globals(), **names, "c": Placed.made["c"]}))), flush=True)


def main() -> None:
    """Open all three."""
    viewer.Application = Placed
    m = sim.loads(BALL)
    names: dict[str, Any] = {"cmd": cmd}
    for title in ("a", "b"):
        d = sim.Data(m)
        handle = viewer.launch_passive(m, d, title=title, size=SIZE, show_left_ui=False, show_right_ui=False)
        names |= {title: handle, f"d{title}": d}
        threading.Thread(target=stepping, args=(m, d, handle), daemon=True).start()
    threading.Thread(target=answers, args=(names,), daemon=True).start()
    viewer.launch(m, title="c", size=SIZE, show_left_ui=False, show_right_ui=False)
    print("launch has returned", names["a"].is_running(), names["b"].is_running(), flush=True)


if __name__ == "__main__":
    main()
