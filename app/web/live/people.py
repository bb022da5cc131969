"""Who looks at a viewer, who drives it, and who would like to. One drives; without a driver whoever asks does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

NOBODY = 0


@dataclass
class Person:
    """A page that is connected."""

    number: int
    name: str
    # came by the printed address, not by the password
    owner: bool
    # the cookie
    token: str


class People:
    """All that are connected."""

    def __init__(self) -> None:
        self.all: dict[int, Person] = {}
        self.driver = NOBODY
        # who has asked, in their order
        self.asking: list[int] = []
        self._last = 0
        # whose page has gone while it drove: it drives again when it returns before another one does
        self._left = ""

    def come(self, owner: bool, token: str) -> Person:
        """Somebody comes; drives if nobody does, unless the one who drove is only away."""
        self._last += 1
        person = Person(self._last, f"{'owner' if owner else 'visitor'} {self._last}", owner, token)
        self.all[person.number] = person
        if self.driver == NOBODY and (self._left in ("", token) or len(self.all) == 1):
            self._drive(person.number)
        return person

    def go(self, number: int) -> None:
        """Somebody has gone."""
        person = self.all.pop(number)
        self.asking = [other for other in self.asking if other != number]
        if self.driver != number:
            return
        self.driver, self._left = NOBODY, person.token
        if self.asking:
            self._drive(self.asking[0])

    def ask(self, number: int) -> None:
        """Somebody would like to drive; at once if nobody does, or if it is the owner who asks a visitor."""
        driver = self.all.get(self.driver)
        if driver is None or (self.all[number].owner and not driver.owner):
            self._drive(number)
        elif number != self.driver and number not in self.asking:
            self.asking.append(number)

    def give(self, number: int, to: int) -> None:
        """The driver hands control over; to nobody, if nobody has that number."""
        if number != self.driver:
            return
        if to in self.all:
            self._drive(to)
        elif to == NOBODY:
            self.driver, self._left = NOBODY, ""
            if self.asking:
                self._drive(self.asking[0])

    def deny(self, number: int, to: int) -> None:
        """The driver does not."""
        if number == self.driver:
            self.asking = [other for other in self.asking if other != to]

    def message(self) -> dict[str, Any]:
        """What all pages are told."""
        people = [{"id": p.number, "name": p.name, "owner": p.owner} for p in self.all.values()]
        return {"t": "people", "driver": self.driver, "list": people, "asking": self.asking}

    def _drive(self, number: int) -> None:
        self.driver, self._left = number, ""
        self.asking = [other for other in self.asking if other != number]
