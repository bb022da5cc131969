"""Values that a script and the user both change: each side gets what the other has changed since the last time.

Where both have changed the same value, the script's counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Side:
    """How one side's values are read and written; equal values mean the same on both sides."""

    read: Callable[[], Values]
    write: Callable[[Values], None]


class Exchange:
    """The values of two sides, and what they were the last time."""

    def __init__(self, script: Side, user: Side) -> None:
        self._script, self._user = script, user
        # in the beginning the script's are those of the window
        values = user.read()
        script.write(values)
        self._of_script, self._of_user = script.read(), values

    def exchange(self) -> None:
        """Pass on what has changed, in both directions."""
        of_script, of_user = self._script.read(), self._user.read()
        to_user = {name: value for name, value in of_script.items() if value != self._of_script[name]}
        to_script = {
            name: value for name, value in of_user.items() if value != self._of_user[name] and name not in to_user
        }
        if to_user:
            self._user.write(to_user)
        if to_script:
            self._script.write(to_script)
        self._of_script, self._of_user = {**of_script, **to_script}, {**of_user, **to_user}
