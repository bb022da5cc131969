"""Who may come in: the secret of the printed address, a password, cookies, and from which pages.

A page that the user has not asked for may send requests to an address of this machine. It has no cookie: that is sent
only from pages of the same site, and cannot be read by scripts. Beside that the headers Host, against names that lead
here by a trick, and Origin, against pages of others, are checked for each request.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
import time
from collections import OrderedDict, deque
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import NamedTuple
from urllib.parse import urlsplit

# tries that fail, and the seconds in which no more of them are answered
MOST_TRIES, TRY_SECONDS = 10, 30.0
# cookies that are known at a time; the oldest goes
MOST_COOKIES = 256
# characters of a header that is looked at
LONGEST = 4096


class Refused(Exception):
    """A request that is not answered: the status, and why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Pass(NamedTuple):
    """A cookie, and whether it came with the secret rather than with the password."""

    token: str
    owner: bool


class Doors:
    """The secret, the password, and the cookies that were given for them."""

    def __init__(self, host: str, password: str = "", origins: tuple[str, ...] = (), tls: bool = False) -> None:
        self.secret = secrets.token_urlsafe(24)
        # cookies do not know of ports: two viewers on one machine have two names
        self.cookie = f"kinetoscope-{secrets.token_hex(4)}"
        self._password = password
        self._tls = tls
        self._passes: OrderedDict[str, Pass] = OrderedDict()
        self._tries: deque[float] = deque(maxlen=MOST_TRIES)
        self._origins = {_site(origin) for origin in origins}
        own = {"localhost", host.lower(), socket.gethostname().lower(), socket.getfqdn().lower()}
        self._names = own | {name for name, _ in self._origins} - {""}

    @property
    def takes_password(self) -> bool:
        """Whether a password opens too."""
        return bool(self._password)

    def check(self, headers: Mapping[str, str]) -> None:
        """Raise Refused if a request comes by a name that is not ours, or from a page of others."""
        host = _one(headers, "Host")
        name, _ = _site(f"//{host}")
        if not (name in self._names or _is_address(name)):
            raise Refused(403, f"{name!r} is no name of this viewer: start it with --origin https://{name}")
        origin = _one(headers, "Origin")
        if origin and not self._is_own(origin, host, headers):
            raise Refused(403, f"the page {origin} is not this viewer: start it with --origin {origin}")
        site = _one(headers, "Sec-Fetch-Site")
        # an address that is typed, clicked in a terminal or in another page is a navigation
        if site in ("cross-site", "same-site") and _one(headers, "Sec-Fetch-Mode") != "navigate" and not origin:
            raise Refused(403, "this is asked for by another page")

    def check_socket(self, headers: Mapping[str, str]) -> Pass:
        """The same for the WebSocket, which has to have an origin and a cookie."""
        self.check(headers)
        if not _one(headers, "Origin"):
            raise Refused(403, "a browser says which page it is")
        return self.visitor(headers)

    def visitor(self, headers: Mapping[str, str]) -> Pass:
        """Whose cookie a request has."""
        try:
            morsel = SimpleCookie(_one(headers, "Cookie")).get(self.cookie)
        except CookieError:
            morsel = None
        found = self._passes.get(morsel.value) if morsel is not None else None
        if found is None:
            raise Refused(401, "open the address that Kinetoscope has printed")
        return found

    def enter(self, word: str) -> str:
        """The header that sets a cookie, for the secret or the password; raises Refused for anything else."""
        now = time.monotonic()
        if len(self._tries) == MOST_TRIES and now - self._tries[0] < TRY_SECONDS:
            raise Refused(429, f"too many tries: wait {TRY_SECONDS:g} s")
        given = word.encode("utf-8", "replace")
        owner = hmac.compare_digest(given, self.secret.encode())
        known = bool(self._password) and hmac.compare_digest(given, self._password.encode("utf-8", "replace"))
        if not (owner or known):
            self._tries.append(now)
            raise Refused(401, "that is not the password" if self._password else "that address is not the one printed")
        token = secrets.token_urlsafe(24)
        self._passes[token] = Pass(token, owner)
        while len(self._passes) > MOST_COOKIES:
            self._passes.popitem(last=False)
        # without a path the browser takes the folder of the page, whatever a proxy has put before it
        return f"{self.cookie}={token}; HttpOnly; SameSite=Strict{'; Secure' if self._tls else ''}"

    def _is_own(self, origin: str, host: str, headers: Mapping[str, str]) -> bool:
        """Whether an origin is that of this viewer's pages."""
        site = _site(origin)
        # what the browser or a proxy says of itself; no page can make a browser say so
        if _one(headers, "Sec-Fetch-Site") == "same-origin":
            return bool(site[0])
        forwarded = _one(headers, "X-Forwarded-Host")
        known = [_site(f"//{name}") for name in (host, forwarded) if name]
        return bool(site[0]) and (site in self._origins or site in known)


def _one(headers: Mapping[str, str], name: str) -> str:
    """A header that may be there once."""
    try:
        found = headers.get(name, "")
    except LookupError as error:
        # websockets raises it for a header that is there twice
        raise Refused(400, f"{name} is there twice") from error
    if len(found) > LONGEST:
        raise Refused(431, f"{name} is too long")
    return found


def _site(address: str) -> tuple[str, int | None]:
    """Name and port of an address; without a name if it is none."""
    try:
        parts = urlsplit(address)
        usual = {"http": 80, "https": 443}.get(parts.scheme)
        port = parts.port
        return (parts.hostname or "").lower(), None if port == usual or port in (80, 443) else port
    except ValueError:
        return "", None


def _is_address(name: str) -> bool:
    """Whether a name is an address, which cannot be made to lead elsewhere."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
