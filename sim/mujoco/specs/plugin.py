"""MjsPlugin: it keeps its values and is not run; a spec that uses one does not compile."""

from __future__ import annotations

from typing import Any


class MjsPlugin:
    """A plugin instance, or that of an element."""

    __slots__ = ("active", "config", "id", "info", "name", "plugin_name", "signature")

    def __init__(self, **values: Any) -> None:
        self.name = self.plugin_name = self.info = ""
        self.active, self.id, self.signature = False, -1, 0
        self.config: dict[str, str] = {}
        for name, value in values.items():
            if name not in self.__slots__:
                raise TypeError(f"add_plugin(): incompatible function arguments: unknown argument '{name}'")
            setattr(self, name, value)

    def _assign(self, other: MjsPlugin) -> None:
        self.name, self.plugin_name, self.active, self.info = other.name, other.plugin_name, other.active, other.info
