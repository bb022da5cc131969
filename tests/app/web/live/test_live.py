"""A viewer without a screen, seen from its pages: frames, input, roles, drops and downloads, and who is refused."""

from __future__ import annotations

import json
import random
import socket
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from app.run.commands import SetPaused
from app.web.live import server
from app.web.live.delta import PREFIX
from app.web.live.protocol import MOST_UNSEEN
from tests.app.web.live.conftest import PASSWORD, Host
from tests.app.web.live.page import Page, get, sign_in
from tests.patience import PATIENCE


def where(host: Host, words: str) -> tuple[float, float]:
    """The middle of the view, or where the ball is."""
    rect, seen, state = host.application.rect, host.application.current_view(), host.application.snapshot.state
    x, y = 0.0, 0.0
    if words == "ball":
        assert seen is not None and state is not None
        found = seen.project(state.xpos[1], rect.aspect)
        assert found is not None
        x, y = found
    return rect.x + (x + 1) / 2 * rect.width, rect.y + (1 - y) / 2 * rect.height


def test_a_page_comes_in(host: Host) -> None:
    with Page(host.address) as page:
        page.until(lambda: page.shown.header.get("batches"))
        assert page.drives and page.said["welcome"]["owner"]
        page.until(lambda: page.said.get("title", {}).get("s", "").startswith("ball"))
        header = page.shown.header
        assert header["ui"]["size"] == [1000, 700]
        assert {key[0] for key in map(json.loads, page.shown.rows)} == {"opaque", "planes"}
        assert header["camera"]["orbit"]["distance"] == pytest.approx(host.application.view.camera.distance)
        assert page.shown.lists and page.shown.textures
        # textures that commands use are there
        page.drawn(["m", 3, 3])
    assert "moderngl.context" not in sys.modules


def test_while_nothing_happens_nothing_is_sent(host: Host) -> None:
    with Page(host.address) as page:
        page.until(lambda: page.shown.header.get("batches"))
        with pytest.raises(TimeoutError):
            # what an event leaves behind fades
            for _ in range(300):
                page.hear(1.0)


def test_keys_and_clicks(host: Host) -> None:
    application = host.application
    with Page(host.address) as page:
        page.until(lambda: page.shown.header.get("batches"))
        paused = application.run_state.paused
        page.drawn(["m", *where(host, "view")])
        page.key("Space")
        page.until(lambda: application.run_state.paused is not paused)
        page.key("Space")
        page.until(lambda: application.run_state.paused is paused)
        page.key("Backspace")
        page.until(lambda: application.snapshot.state is not None and application.snapshot.state.xpos[1][2] == 1)
        # rays find the ball, without GL
        x, y = where(host, "ball")
        page.drawn(["m", x, y], *(["b", 0, down, x, y, 0] for down in (1, 0, 1, 0)))
        page.until(lambda: application.view.selection is not None)
        assert str(application.view.selection) == "Selection(kind='body', index=1)"
        # a drag turns the camera
        azimuth = application.view.camera.azimuth
        page.drawn(["b", 0, 1, x, y, 0])
        page.drawn(["m", x + 50, y])
        page.drawn(["b", 0, 0, x + 50, y, 0])
        assert application.view.camera.azimuth != azimuth
        # two fingers zoom
        distance = application.view.camera.distance
        page.drawn(["p", x, y, 0, 0, 0.1])
        assert application.view.camera.distance < distance


def test_frames_wait_for_who_is_slow(host: Host) -> None:
    with Page(host.address) as page:
        page.until(lambda: page.shown.header.get("batches"))
        page.acks = False
        host.application.send(SetPaused(False))
        try:
            before = page.shown.serial
            with pytest.raises(TimeoutError):
                for _ in range(100):
                    page.hear(0.5)
            assert before < page.shown.serial <= before + MOST_UNSEEN
            page.send(t="ack", n=page.shown.serial)
            page.hear()
        finally:
            host.application.send(SetPaused(True))
        # frames that never were
        page.send(t="ack", n=page.shown.serial + 100)
        with pytest.raises(ConnectionClosed):
            while True:
                page.hear()


def test_meshes_and_files_of_the_page(host: Host) -> None:
    cookie = sign_in(host.address)
    answer, body = get(host.address, "/", cookie)
    assert answer.status == 200 and b"<canvas" in body
    assert "script-src 'self'" in str(answer.headers["Content-Security-Policy"])
    for name, kind in (("client.js", "javascript"), ("style.css", "css")):
        answer, _ = get(host.address, f"/some/prefix/{name}", cookie)
        assert answer.status == 200 and kind in str(answer.headers["Content-Type"])
    for path in ("/etc/passwd", "/../../etc/passwd", "/asset/..%2f..%2fx", "/asset/0", "/download/x/y", "/ws/x", "//"):
        answer, _ = get(host.address, path, cookie)
        assert answer.status in (200 if path == "//" else 404,)


def test_who_is_refused(host: Host) -> None:
    address = host.address
    for path in ("/", "/client.js", "/asset/0", "/download/a/b"):
        assert get(address, path)[0].status == 401
    assert b"<input" in get(address, "/")[1]
    assert get(address, "/?key=wrong")[0].status == 401
    assert get(address, "/enter", X_Kinetoscope_Key="wrong")[0].status == 401
    cookie = sign_in(address)
    assert get(address, "/", cookie, Host="evil.example")[0].status == 403
    assert get(address, "/", cookie, Origin="https://evil.example")[0].status == 403
    assert get(address, "/", cookie, Sec_Fetch_Site="cross-site")[0].status == 403
    with pytest.raises(InvalidStatus, match="403"):
        Page(address, cookie, origin="https://evil.example")
    for wrong in ("kinetoscope=1", cookie + "x"):
        page = Page(address, wrong, hello=False)
        with pytest.raises(ConnectionClosed) as closed:
            page.hear()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == server.SIGN_IN


def test_nonsense_does_no_harm(host: Host) -> None:
    """Messages that do not keep to the protocol end their connection, and bytes that are no request end theirs."""
    dice = random.Random(1)
    cookie = sign_in(host.address)
    good = json.dumps({"t": "in", "n": 1, "e": [["b", 0, 1, 5, 5, 0], ["k", "KeyA", "a", 1, 0]]})
    for number in range(60):
        page = Page(host.address, cookie, hello=bool(number % 3))
        text = [*good]
        for _ in range(dice.randrange(1, 6)):
            text[dice.randrange(len(text))] = dice.choice('{}[]",:0-9aeé\x00\ud7ff')
        try:
            page.socket.send("{" + "".join(text) if number % 2 else bytes(dice.randbytes(40)))
            page.socket.send("[]")
            while True:
                page.hear()
        except ConnectionClosed as closed:
            assert closed.rcvd is not None and closed.rcvd.code in (server.MALFORMED, 1007)
    parts = urlsplit(host.address)
    for _ in range(20):
        with socket.create_connection((parts.hostname or "", parts.port or 0)) as raw:
            raw.sendall(dice.randbytes(200) + b"\r\n\r\n")
    with Page(host.address, cookie) as page:
        # too large
        page.socket.send(b"x" * 300_000)
        with pytest.raises(ConnectionClosed):
            while True:
                page.hear()
    with Page(host.address, cookie) as page:
        page.until(lambda: page.shown.header.get("batches"))


def test_not_too_many(host: Host) -> None:
    cookie = sign_in(host.address)
    pages = [Page(host.address, cookie) for _ in range(server.MOST_PAGES)]
    one_more = Page(host.address, cookie, hello=False)
    with pytest.raises(ConnectionClosed) as closed:
        one_more.hear()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == server.TOO_MANY
    for page in pages:
        page.close()
    end = time.monotonic() + PATIENCE
    while host.application.window.visible and time.monotonic() < end:
        time.sleep(0.01)
    Page(host.address, cookie).close()


def test_visitors_watch_and_ask(host: Host) -> None:
    application = host.application
    answer, _ = get(host.address, "/enter", X_Kinetoscope_Key=PASSWORD.replace(" ", "%20"))
    visitor_cookie = str(answer.headers["Set-Cookie"]).partition(";")[0]
    with Page(host.address) as owner, Page(host.address, visitor_cookie) as visitor:
        assert owner.drives and not visitor.drives
        visitor.send(t="name", s="Eve")
        # what a visitor does is not heard
        number = visitor.do(["k", "Tab", "Tab", 1, 0])
        left = application.view.prefs.show_left
        visitor.send(t="close")
        visitor.send(t="drive")
        owner.until(lambda: owner.said["people"]["asking"])
        assert application.view.prefs.show_left is left and not application.window.closed
        assert visitor.shown.header.get("n") != number
        asking = owner.said["people"]["asking"][0]
        assert {"id": asking, "name": "Eve", "owner": False} in owner.said["people"]["list"]
        owner.send(t="give", to=asking)
        visitor.until(lambda: visitor.drives)
        visitor.drawn(["m", *where(host, "view")])
        # it starts no programs and ends nothing
        visitor.key("KeyQ", 1)
        assert not application.window.closed and "for the owner" in application.view.feedback.message
        visitor.key("KeyR", 3)
        assert "for the owner" in application.view.feedback.message
        owner.send(t="drive")
        owner.until(lambda: owner.drives)
        # a button that was held is not held any more
        assert not application.window.busy


def test_a_drop_and_a_download(host: Host, tmp_path: Path) -> None:
    application = host.application
    content = host.model.read_bytes()
    with Page(host.address) as page:
        page.until(lambda: page.shown.header.get("batches"))
        page.send(t="up", files=[{"name": "parts/a.obj", "size": 3}, {"name": "dropped.xml", "size": len(content)}])
        page.socket.send(b"v 0" + content[:10])
        page.socket.send(content[10:])
        page.until(lambda: application.run_state.path.endswith("dropped.xml"))
        dropped = Path(application.run_state.path)
        assert dropped.read_bytes() == content and dropped.stat().st_mode & 0o077 == 0o044
        assert dropped.parent.parent.stat().st_mode & 0o077 == 0
        assert (dropped.parent / "parts" / "a.obj").read_bytes() == b"v 0"
        # nothing to open, and too much
        for files in ([{"name": "a.txt", "size": 0}], [{"name": "a.xml", "size": 1 << 40}]):
            page.said.pop("note", None)
            page.send(t="up", files=files)
            page.until(lambda: "note" in page.said)
        made = tmp_path / "a b.txt"
        made.write_text("made")
        application.view.feedback.show_saved(made)
        page.drawn(["m", 7, 7])
        page.until(lambda: "file" in page.said)
        answer, body = get(host.address, f"/{page.said['file']['url']}", page.cookie)
        assert (answer.status, body) == (200, b"made")
        assert "attachment" in str(answer.headers["Content-Disposition"])


def test_a_page_that_comes_back(host: Host) -> None:
    """The run goes on while nobody looks, and who comes next sees it as it is."""
    application = host.application
    with Page(host.address) as page:
        page.until(lambda: page.shown.header.get("batches"))
        cookie = page.cookie
        application.send(SetPaused(False))
    steps = application.run_state.steps
    end = time.monotonic() + PATIENCE
    while application.run_state.steps < steps + 10 and time.monotonic() < end:
        time.sleep(0.01)
    assert application.run_state.steps >= steps + 10
    application.send(SetPaused(True))
    with Page(host.address, cookie) as page:
        assert page.drives
        page.until(lambda: page.shown.header.get("batches"))
        assert page.shown.bytes > PREFIX.size
