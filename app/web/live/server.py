"""The server of the live viewer: a thread that talks to pages, and hands what the driver does to the application.

The application's thread calls `show`, `tell` and `offer`, and takes what has come with `take`; it never waits for a
line. Each page has a task that sends the newest picture as soon as the page can take one, so that nothing queues.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from app.web.live import messages
from app.web.live.answers import MOST_BYTES, Answers
from app.web.live.assets import AssetStore
from app.web.live.delta import Delta
from app.web.live.doors import Doors, Refused
from app.web.live.listening import Listening, listen
from app.web.live.messages import BadMessage
from app.web.live.people import NOBODY, People, Person
from app.web.live.picture import Picture
from app.web.live.protocol import MOST_CHUNK, MOST_TEXT, MOST_UNSEEN, PROTOCOL
from app.web.live.uploads import MOST_BYTES as MOST_UPLOAD
from app.web.live.uploads import TooLarge, Upload, Uploads

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

# pages at a time, and connections before they have said what they want
MOST_PAGES, MOST_SOCKETS = 16, 64
# of a page, until its first message has come, s
HELLO_SECONDS = 10.0
# that connections have to end by themselves, s
CLOSE_SECONDS = 2.0
# messages of one page each second, and at once; who sends more waits
MOST_RATE, MOST_BURST = 300.0, 600.0
# what waits for an application that is busy, and when it is looked at again, s
MOST_NEWS, BUSY_SECONDS = 1000, 0.05
# texts that wait for a slow page
MOST_TEXTS = 64
# codes with which a connection is closed
SIGN_IN, NOT_FROM_HERE, CLOSED, TOO_MANY, MALFORMED = 4401, 4403, 4410, 4429, 1008
# kinds of texts of which the last is said to whoever comes later
STATES = ("title", "cursor", "typing")


class Driver(NamedTuple):
    """Another one drives now, or nobody; and the size of that page."""

    owner: bool | None
    size: messages.Size | None


class Dropped(NamedTuple):
    """A file was dropped on the page."""

    path: Path


News = messages.Input | messages.Size | messages.Clip | messages.Close | Driver | Dropped


@dataclass(eq=False)
class Page:
    """One connection."""

    connection: ServerConnection
    person: Person
    size: messages.Size
    delta: Delta = field(default_factory=Delta)
    texts: deque[str] = field(default_factory=lambda: deque(maxlen=MOST_TEXTS))
    wanted: asyncio.Event = field(default_factory=asyncio.Event)
    shown: Picture | None = None
    acked: int = 0
    upload: Upload | None = None
    allowance: float = MOST_BURST
    heard: float = field(default_factory=time.monotonic)

    @property
    def takes(self) -> bool:
        """Whether it can take a frame."""
        return self.delta.serial - self.acked < MOST_UNSEEN

    def say(self, message: Mapping[str, Any]) -> None:
        """Queue a text."""
        self.texts.append(json.dumps(message))
        self.wanted.set()


class LiveServer:
    """Serves one viewer."""

    def __init__(self, doors: Doors, listening: Listening, files: Mapping[str, tuple[str, bytes]]) -> None:
        self.assets = AssetStore()
        # set when there is something for the application to do
        self.news = threading.Event()
        self._doors, self._listening = doors, listening
        self._answers = Answers(doors, files, self.assets)
        self._people, self._pages = People(), dict[int, Page]()
        self._uploads = Uploads()
        self._inbox: deque[News] = deque()
        self._picture: Picture | None = None
        self._states: dict[str, dict[str, Any]] = {}
        self._sockets = 0
        self._loop = asyncio.new_event_loop()
        self._closing = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="web server", daemon=True)
        self._thread.start()

    # for the application's thread

    @property
    def watched(self) -> bool:
        """Whether a page is connected."""
        return bool(self._pages)

    @property
    def takes(self) -> bool:
        """Whether a page can take a frame."""
        return any(page.takes for page in list(self._pages.values()))

    def take(self) -> list[News]:
        """What has come since the last call."""
        self.news.clear()
        taken = []
        while self._inbox:
            taken.append(self._inbox.popleft())
        return taken

    def show(self, picture: Picture) -> None:
        """Show this from now on."""
        self._picture = picture
        self._soon(self._wake)

    def tell(self, message: dict[str, Any], driver_only: bool = False) -> None:
        """Tell pages something; the last of each kind of state is told to whoever comes later."""
        self._soon(self._tell, message, driver_only)

    def offer(self, path: Path) -> None:
        """Offer a file to the driver."""
        self._soon(self._offer, path)

    def close(self, why: str) -> None:
        """Close; with a reason, for good."""
        if self._thread.is_alive():
            self._soon(self._end, why)
            self._thread.join(5.0)
        self._uploads.close()

    def _soon(self, call: Any, *arguments: Any) -> None:
        # the loop may have ended
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call, *arguments)

    # on the server's thread

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        server = await listen(self._listening, self)
        await self._closing.wait()
        server.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(server.wait_closed(), CLOSE_SECONDS)

    def _wake(self) -> None:
        for page in self._pages.values():
            page.wanted.set()

    def _tell(self, message: dict[str, Any], driver_only: bool) -> None:
        if message["t"] in STATES:
            self._states[message["t"]] = message
        for number, page in self._pages.items():
            if not driver_only or number == self._people.driver:
                page.say(message)

    def _offer(self, path: Path) -> None:
        page = self._pages.get(self._people.driver)
        if page is None:
            return
        try:
            size = path.stat().st_size
        except OSError:
            return
        if size > MOST_BYTES:
            page.say({"t": "note", "s": f"{path.name} is too large to be sent: it is on the host, {path}"})
        else:
            url = self._answers.downloads.add(path)
            page.say({"t": "file", "name": path.name, "url": url, "size": size})

    def _end(self, why: str) -> None:
        for page in self._pages.values() if why else ():
            page.say({"t": "bye", "why": why})
        self._loop.call_later(0.2, self._closing.set)

    def _post(self, news: News) -> None:
        self._inbox.append(news)
        self.news.set()

    # connections; called by `listening.py`

    def socket_opened(self) -> bool:
        """Count a connection; False if there are too many."""
        self._sockets += 1
        return self._sockets <= MOST_SOCKETS

    def socket_closed(self) -> None:
        """One less."""
        self._sockets -= 1

    async def process(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer a request, or let a WebSocket be opened."""
        from websockets.datastructures import Headers
        from websockets.http11 import Response

        wants_socket = request.path.partition("?")[0].endswith("/ws")
        if wants_socket:
            try:
                self._doors.check(request.headers)
                return None
            except Refused as refused:
                return connection.respond(HTTPStatus(refused.status), f"{refused}\n")
        found = await self._answers.answer(request.path, request.headers)
        headers = Headers()
        for name, value in found.headers.items():
            headers[name] = value
        headers["Content-Length"], headers["Connection"] = str(len(found.body)), "close"
        return Response(found.status.value, found.status.phrase, headers, found.body)

    async def handle(self, connection: ServerConnection) -> None:
        """Talk to one page until it goes."""
        assert connection.request is not None
        try:
            entry = self._doors.check_socket(connection.request.headers)
        except Refused as refused:
            await connection.close(SIGN_IN if refused.status == 401 else NOT_FROM_HERE, str(refused)[:100])
            return
        if len(self._pages) >= MOST_PAGES:
            await connection.close(TOO_MANY, f"{MOST_PAGES} pages look at this viewer already")
            return
        try:
            hello = await asyncio.wait_for(connection.recv(), HELLO_SECONDS)
            first = messages.parse(hello) if isinstance(hello, str) and len(hello) <= MOST_TEXT else None
        except (TimeoutError, BadMessage):
            first = None
        if not isinstance(first, messages.Hello) or first.protocol != PROTOCOL:
            await connection.close(MALFORMED, "the page is of another version: load it again")
            return
        await self._talk(connection, entry, messages.Size(*first[:3]))

    async def _talk(self, connection: ServerConnection, entry: Any, size: messages.Size) -> None:
        """All messages of a page that has come in."""
        from websockets.exceptions import ConnectionClosed

        page = Page(connection, self._people.come(entry.owner, entry.token), size)
        number = page.person.number
        self._pages[number] = page
        page.say(self._welcome(page))
        for state in self._states.values():
            page.say(state)
        self._people_changed(came=page)
        sender = asyncio.create_task(self._send(page))
        try:
            async for message in connection:
                await self._pace(page)
                self._hear(page, message)
        except BadMessage as bad:
            await connection.close(MALFORMED, str(bad)[:100])
        except ConnectionClosed:
            pass
        finally:
            sender.cancel()
            del self._pages[number]
            if page.upload is not None:
                page.upload.abandon()
            drove = self._people.driver
            self._people.go(number)
            self._people_changed(drove)

    def _welcome(self, page: Page) -> dict[str, Any]:
        limits = {"upload": MOST_UPLOAD, "chunk": MOST_CHUNK}
        title = self._states.get("title", {}).get("s", "")
        return {
            "t": "welcome", "you": page.person.number, "owner": page.person.owner, "protocol": PROTOCOL,
            "title": title, "limits": limits,
        }  # fmt: skip

    async def _send(self, page: Page) -> None:
        """Send what is newest, whenever the page can take it."""
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                await page.wanted.wait()
                page.wanted.clear()
                while page.texts:
                    await page.connection.send(page.texts.popleft())
                picture = self._picture
                if picture is None or picture is page.shown or not page.takes:
                    continue
                page.shown = picture
                message = page.delta.message(picture)
                if message is not None:
                    await page.connection.send(message)
                # the application may make the next one
                self.news.set()
        except ConnectionClosed:
            pass

    async def _pace(self, page: Page) -> None:
        """Let a page that says too much wait: its line fills up, and nothing here."""
        now = time.monotonic()
        page.allowance = min(page.allowance + MOST_RATE * (now - page.heard), MOST_BURST) - 1.0
        page.heard = now
        if page.allowance < 0:
            await asyncio.sleep(-page.allowance / MOST_RATE)
        while len(self._inbox) > MOST_NEWS:
            await asyncio.sleep(BUSY_SECONDS)

    def _hear(self, page: Page, message: str | bytes) -> None:
        """One message of a page."""
        if isinstance(message, bytes):
            self._take_part(page, message)
            return
        if len(message) > MOST_TEXT:
            raise BadMessage("too long")
        said, number = messages.parse(message), page.person.number
        drives = number == self._people.driver
        match said:
            case messages.Ack(serial):
                self._ack(page, serial)
            case messages.Size():
                page.size = said
                if drives:
                    self._post(said)
            case messages.Input() | messages.Clip():
                if drives:
                    self._post(said)
            case messages.Name(text):
                page.person.name = text or page.person.name
                self._people_changed()
            case messages.Close():
                # what ends the run of everybody is the owner's to say
                if drives and page.person.owner:
                    self._post(said)
            case messages.UploadBegin(files):
                self._begin_upload(page, files, drives)
            case messages.Hello():
                raise BadMessage("said already")
            case _:
                self._change_roles(number, said)

    def _ack(self, page: Page, serial: int) -> None:
        if not page.acked <= serial <= page.delta.serial:
            raise BadMessage("that frame was not sent")
        page.acked = serial
        page.wanted.set()
        self.news.set()

    def _change_roles(self, number: int, said: messages.Message) -> None:
        drove = self._people.driver
        match said:
            case messages.Drive():
                self._people.ask(number)
            case messages.Give(to):
                self._people.give(number, to)
            case messages.Deny(to):
                self._people.deny(number, to)
        self._people_changed(drove)

    def _people_changed(self, drove: int | None = None, came: Page | None = None) -> None:
        """Tell all; and the application, if another one drives than before, or the one who came."""
        driver = self._people.driver
        if (came is not None and driver == came.person.number) or (drove is not None and driver != drove):
            page = self._pages.get(driver)
            known = page is not None and driver != NOBODY
            self._post(Driver(page.person.owner if known and page else None, page.size if known and page else None))
        message = self._people.message()
        for page in self._pages.values():
            page.say(message)

    # uploads

    def _begin_upload(self, page: Page, files: tuple[tuple[str, int], ...], drives: bool) -> None:
        if not drives:
            page.say({"t": "note", "s": "only who drives can open files"})
            files = ()
        if page.upload is not None:
            raise BadMessage("one drop after another")
        if not files:
            return
        try:
            page.upload = self._uploads.begin(files)
        except TooLarge as error:
            page.say({"t": "note", "s": str(error)})
        except OSError as error:
            page.say({"t": "note", "s": f"the files cannot be kept: {error.strerror}"})
        self._finish_upload(page)

    def _take_part(self, page: Page, data: bytes) -> None:
        if page.upload is None:
            # of one that was refused
            return
        try:
            page.upload.take(data)
        except ValueError as error:
            raise BadMessage(str(error)) from error
        except OSError as error:
            page.upload.abandon()
            page.upload = None
            page.say({"t": "note", "s": f"the files cannot be kept: {error.strerror}"})
        self._finish_upload(page)

    def _finish_upload(self, page: Page) -> None:
        if page.upload is None or not page.upload.done:
            return
        found, page.upload = page.upload.opened(), None
        if found is None:
            page.say({"t": "note", "s": "there is no model and no recording among these files"})
        elif page.person.number == self._people.driver:
            self._post(Dropped(found))


def tls_context(certificate: Path, key: Path | None) -> ssl.SSLContext:
    """TLS with a certificate from files."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context
