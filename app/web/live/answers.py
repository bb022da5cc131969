"""What the server answers to plain requests: the page, meshes and textures, files that were made for the user."""

from __future__ import annotations

import asyncio
import html
import mimetypes
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, quote, urlsplit

from app.web.live.assets import AssetStore
from app.web.live.doors import Doors, Refused

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
FOR_EVER = "private, max-age=31536000, immutable"
# files that can be fetched, and the largest
MOST_FILES, MOST_BYTES = 64, 1 << 30
# by which a page sends the password: a page of others cannot
KEY_HEADER = "X-Kinetoscope-Key"
# without a script the address of the secret stays in no history, and the next request has the cookie
SIGNED_IN = '<!doctype html><meta http-equiv="refresh" content="0;url=./"><title>Kinetoscope</title>'
SIGN_IN = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Kinetoscope</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="style.css">
<body class="sign-in"><main><h1>Kinetoscope</h1><p id="why">{why}</p>{form}</main></body></html>"""
FORM = """<label>Password <input id="password" type="password" autofocus></label> <button id="enter">Enter</button>
<script src="enter.js"></script>"""
ENTER = """"use strict";
const field = document.getElementById("password");
async function enter() {
  const answer = await fetch("enter", { headers: { "X-Kinetoscope-Key": encodeURIComponent(field.value) } });
  if (answer.ok) location.replace("./");
  else document.getElementById("why").textContent = await answer.text();
}
document.getElementById("enter").addEventListener("click", enter);
field.addEventListener("keydown", (event) => event.key === "Enter" && enter());
"""


class Answer(NamedTuple):
    """Status, headers and body."""

    status: HTTPStatus
    headers: dict[str, str]
    body: bytes


class Downloads:
    """Files that pages may fetch, by a name that cannot be guessed."""

    def __init__(self) -> None:
        self._files: OrderedDict[str, Path] = OrderedDict()

    def add(self, path: Path) -> str:
        """The relative address of a file."""
        number = secrets.token_urlsafe(12)
        self._files[number] = path
        while len(self._files) > MOST_FILES:
            self._files.popitem(last=False)
        return f"download/{number}/{quote(path.name)}"

    def get(self, number: str) -> Path | None:
        """The file of an address."""
        return self._files.get(number)


class Answers:
    """Answers requests; `files` are those of the page by name, with their types."""

    def __init__(self, doors: Doors, files: Mapping[str, tuple[str, bytes]], assets: AssetStore) -> None:
        self._doors, self._files, self._assets = doors, files, assets
        self.downloads = Downloads()

    async def answer(self, path: str, headers: Mapping[str, str]) -> Answer:
        """The answer to a GET request."""
        try:
            self._doors.check(headers)
            return await self._found(path, headers)
        except Refused as refused:
            return said(HTTPStatus(refused.status), str(refused))
        except ValueError:
            return said(HTTPStatus.BAD_REQUEST, "not an address")

    async def _found(self, address: str, headers: Mapping[str, str]) -> Answer:
        parts = urlsplit(address)
        # a proxy may leave its prefix before all names
        folders, name = parts.path.split("/")[:-1], parts.path.rpartition("/")[2]
        above = folders[-1] if folders else ""
        if name in ("style.css", "enter.js"):
            # the sign-in page has them too
            return self._file(name)
        if name == "enter":
            return self._enter(_unquoted(headers.get(KEY_HEADER, "")), said(HTTPStatus.OK, "welcome"))
        if not name and (key := parse_qs(parts.query, max_num_fields=8).get("key")):
            return self._enter(key[0], _page(HTTPStatus.OK, SIGNED_IN))
        try:
            self._doors.visitor(headers)
        except Refused as refused:
            if name:
                raise
            return self._sign_in(str(refused))
        if name in self._files:
            return self._file(name)
        if above == "asset":
            return await self._asset(name)
        if len(folders) > 1 and folders[-2] == "download":
            return await self._download(above)
        return said(HTTPStatus.NOT_FOUND, "there is nothing of that name")

    def _file(self, name: str) -> Answer:
        if name == "enter.js":
            return Answer(HTTPStatus.OK, _kind("text/javascript"), ENTER.encode())
        if name not in self._files:
            return said(HTTPStatus.NOT_FOUND, "there is nothing of that name")
        kind, body = self._files[name]
        return Answer(HTTPStatus.OK, _kind(kind), body)

    def _enter(self, key: str, welcome: Answer) -> Answer:
        return welcome._replace(headers={**welcome.headers, "Set-Cookie": self._doors.enter(key)})

    def _sign_in(self, why: str) -> Answer:
        password = self._doors.takes_password
        why = "This viewer has a password." if password else f"To come in, {why}."
        return _page(HTTPStatus.UNAUTHORIZED, SIGN_IN.format(why=html.escape(why), form=FORM if password else ""))

    async def _asset(self, content: str) -> Answer:
        # made where it holds up nobody
        body = await asyncio.to_thread(self._assets.get, content)
        if body is None:
            return said(HTTPStatus.NOT_FOUND, "there is no such mesh or texture any more")
        headers = {**_kind("application/octet-stream"), "Content-Encoding": "gzip", "Cache-Control": FOR_EVER}
        return Answer(HTTPStatus.OK, headers, body)

    async def _download(self, number: str) -> Answer:
        path = self.downloads.get(number)
        body = await asyncio.to_thread(_read, path) if path is not None else None
        if path is None or body is None:
            return said(HTTPStatus.NOT_FOUND, "there is no such file any more, or it is too large")
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        # never shown as a page of this site
        name = f"attachment; filename*=UTF-8''{quote(path.name, errors='replace')}"
        return Answer(HTTPStatus.OK, {**_kind(kind), "Content-Disposition": name}, body)


def said(status: HTTPStatus, text: str) -> Answer:
    """A short text."""
    return Answer(status, _kind("text/plain; charset=utf-8"), text.encode("utf-8", "replace") + b"\n")


def _page(status: HTTPStatus, text: str) -> Answer:
    return Answer(status, _kind("text/html; charset=utf-8"), text.encode())


def _kind(kind: str) -> dict[str, str]:
    return {**HEADERS, "Content-Type": kind, "Cache-Control": "no-store"}


def _unquoted(text: str) -> str:
    from urllib.parse import unquote

    return unquote(text)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.stat().st_size <= MOST_BYTES else None
    except OSError:
        return None
