"""Commands that wait until there is a model, or until its kernels are compiled."""

from __future__ import annotations

from app.run import commands as cmd
from app.run.status import Status


class Deferred:
    """In the order in which they were sent."""

    def __init__(self, status: Status) -> None:
        self._status = status
        self._commands: list[cmd.Command] = []

    def add(self, command: cmd.Command) -> None:
        """Let a command wait."""
        self._commands.append(command)
        self._count()

    def clear(self) -> None:
        """Drop them."""
        self.take()

    def take(self) -> list[cmd.Command]:
        """They wait no longer."""
        commands, self._commands = self._commands, []
        self._count()
        return commands

    def _count(self) -> None:
        """Show how many wait that change the model or its state."""
        self._status.update(waiting=sum(type(command) in cmd.EDITS for command in self._commands))
