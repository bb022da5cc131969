"""Shows a viewer in browsers: who may come in, on which address, and what is printed about it."""

from __future__ import annotations

import os

from app.files.output import reason
from app.ui.windows import WebWish, WindowWish
from app.web.live.doors import Doors, Keys
from app.web.live.listening import bound
from app.web.live.server import LiveServer, tls_context
from app.web.page import live_files
from app.web_screen import WebScreen
from sim.user_error import UserError

# port, secret and cookie of a viewer whose program is started again
PAGES = "KINETOSCOPE_PAGES"
MEANING = (
    "Whoever can reach {address} and knows {key} can look at this viewer, drive it, and through its panels open and "
    "save files as {user}. {tls}"
)
PLAIN = "Without --tls-cert all of it, the {key} too, can be read on the way: use it in networks that you trust."
SHELTERED = "What is sent is encrypted."


def begin(wish: WebWish) -> tuple[LiveServer, str]:
    """Serve; returns the server and the address with its secret."""
    if wish.key is not None and wish.certificate is None:
        raise UserError("--tls-key needs --tls-cert, the file with the certificate")
    try:
        tls = None if wish.certificate is None else tls_context(wish.certificate, wish.key)
    except OSError as error:
        raise UserError(f"the certificate {wish.certificate} cannot be used: {reason(error)}") from error
    port, *keys = (os.environ.get(PAGES, "").split() if wish.resumes else []) or [""]
    listening = bound(wish.host, int(port) if keys else wish.port, tls, shared=bool(keys))
    doors = Doors(wish.host, wish.password, wish.origins, tls is not None, Keys(*keys) if keys else None)
    # for a process that goes on with the session
    os.environ[PAGES] = " ".join((str(listening.port), *doors.keys))
    host = os.uname().nodename if wish.host in ("0.0.0.0", "::", "") else wish.host
    host = f"[{host}]" if ":" in host else host
    address = f"{'https' if tls else 'http'}://{host}:{listening.port}/"
    return LiveServer(doors, listening, live_files()), f"{address}?key={doors.keys.secret}"


def announce(wish: WebWish, address: str) -> None:
    """Print the address, and what it means that others can reach it."""
    if wish.is_open:
        key = "the password" if wish.password else "the address below"
        tls = SHELTERED if wish.certificate is not None else PLAIN.format(key=key.removeprefix("the "))
        user = os.environ.get("USER") or "you"
        print("kinetoscope: " + MEANING.format(address=address.partition("?")[0], key=key, user=user, tls=tls))
    print(f"kinetoscope: open {address}", flush=True)


def web_screen(window: WindowWish, wish: WebWish) -> WebScreen:
    """A screen on a server of its own; says where."""
    server, address = begin(wish)
    try:
        screen = WebScreen(server, window)
    except BaseException:
        server.close("the viewer could not be opened")
        raise
    announce(wish, address)
    return screen
