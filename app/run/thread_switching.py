"""How often Python's threads take turns, which is one number for the whole process: shorter while a simulation runs.

With the default of 5 ms a busy GUI thread holds the GIL so long that the simulation runs at 0.57 of its rate; with 0.5
it is 0.86. The last one to end gives the process back the interval that it had.
"""

from __future__ import annotations

import sys
import threading

SHORT = 0.0005


class Turns:
    """Who wants short turns, and how long they were before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users: set[object] = set()
        self._before = 0.0

    def shorten(self, user: object) -> None:
        """Have short turns as long as this user wants them."""
        with self._lock:
            if not self._users:
                self._before = sys.getswitchinterval()
                sys.setswitchinterval(SHORT)
            self._users.add(user)

    def give_back(self, user: object) -> None:
        """A user wants them no longer, or never did."""
        with self._lock:
            if self._users == {user}:
                sys.setswitchinterval(self._before)
            self._users.discard(user)


turns = Turns()
