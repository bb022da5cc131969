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
from collections import deque
from collections.abc import Mapping
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from typing import NamedTuple
from urllib.parse import urlsplit

# tries that fail, and the seconds in which no more of them are answered
MOST_TRIES, TRY_SECONDS = 10, 30.0
# in a cookie
OWNER, VISITOR = "o", "v"
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


class Keys(NamedTuple):
    """The secret, and the name of the cookie: cookies do not know of ports, and two viewers on a machine have two."""

    secret: str
    cookie: str


def new_keys() -> Keys:
    """Those of a new viewer."""
    return Keys(secrets.token_urlsafe(24), f"kinetoscope-{secrets.token_hex(4)}")


class Doors:
    """The secret, the password, and the cookies for them: signed with the secret, so that none has to be kept."""

    def __init__(
        self,
        host: str,
        password: str = "",
        origins: tuple[str, ...] = (),
        tls: bool = False,
        keys: Keys | None = None,
    ) -> None:
        self.keys = keys or new_keys()
        self._password = password
        self._tls = tls
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
            raise Refused(403, f"{name!r} is not a name of this viewer: start it with --origin https://{name}")
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
            morsel = SimpleCookie(_one(headers, "Cookie")).get(self.keys.cookie)
        except CookieError:
            morsel = None
        token = morsel.value if morsel is not None else ""
        role, _, nonce = token.rpartition(".")[0].partition(".")
        if not hmac.compare_digest(token.encode(), self._token(role, nonce).encode()):
            raise Refused(401, "open the address that Kinetoscope has printed")
        return Pass(token, role == OWNER)

    def enter(self, word: str) -> str:
        """The header that sets a cookie, for the secret or the password; raises Refused for anything else."""
        given = word.encode("utf-8", "replace")
        owner = hmac.compare_digest(given, self.keys.secret.encode())
        # nobody guesses the secret, so nobody can keep the owner out with wrong tries
        if not owner:
            self._check_password(given)
        token = self._token(OWNER if owner else VISITOR, secrets.token_urlsafe(12))
        # without a path the browser takes the folder of the page, whatever a proxy has put before it
        return f"{self.keys.cookie}={token}; HttpOnly; SameSite=Strict{'; Secure' if self._tls else ''}"

    def _token(self, role: str, nonce: str) -> str:
        said = f"{role}.{nonce}"
        # another password makes the cookies of visitors void
        key = self.keys.secret + (self._password if role == VISITOR else "")
        return f"{said}.{hmac.new(key.encode(), said.encode('utf-8', 'replace'), sha256).hexdigest()}"

    def _check_password(self, given: bytes) -> None:
        """Raise Refused if it is not the password, or cannot be told now."""
        if not self._password:
            raise Refused(401, "that address is not the one printed")
        now = time.monotonic()
        if len(self._tries) == MOST_TRIES and now - self._tries[0] < TRY_SECONDS:
            raise Refused(429, f"too many tries: wait {TRY_SECONDS:g} s")
        if not hmac.compare_digest(given, self._password.encode("utf-8", "replace")):
            self._tries.append(now)
            raise Refused(401, "that is not the password")

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
