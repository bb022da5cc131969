"""The socket that the server listens on, and how many may knock at a time."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from typing import TYPE_CHECKING, Any, NamedTuple

from app.web.live.protocol import MOST_CHUNK
from sim.user_error import UserError

if TYPE_CHECKING:
    from websockets.asyncio.server import Server

    from app.web.live.server import LiveServer

# the first port that is tried without one that is wished for, and how many after it
PORT, MORE_PORTS = 8765, 20
# until a request is answered, which may be for a large mesh, and between pings to a page that says nothing, s
OPEN_SECONDS, PING_SECONDS = 30.0, 20.0
# of what waits to be read, messages
MOST_WAITING = 16


class Listening(NamedTuple):
    """A bound socket, and TLS if there is any."""

    socket: socket.socket
    tls: ssl.SSLContext | None = None

    @property
    def port(self) -> int:
        """Its number."""
        return int(self.socket.getsockname()[1])


def bound(host: str, port: int | None, tls: ssl.SSLContext | None = None, shared: bool = False) -> Listening:
    """A socket on an address; without a port the first that is free. `shared`: with the process that ends soon."""
    reason: OSError | None = None
    for number in (port,) if port is not None else (*range(PORT, PORT + MORE_PORTS), 0):
        try:
            if not shared:
                # one that is in use is not free, though it could be shared
                with _server(host, number, False) as alone:
                    number = int(alone.getsockname()[1])
            return Listening(_server(host, number, hasattr(socket, "SO_REUSEPORT")), tls)
        except OSError as error:
            reason = error
    raise UserError(f"no page can be served on {host}{'' if port is None else f', port {port}'}: {reason}")


def _server(host: str, port: int, shared: bool) -> socket.socket:
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    return socket.create_server((host, port), family=family, backlog=64, reuse_port=shared)


async def listen(listening: Listening, live: LiveServer) -> Server:
    """Serve on a socket."""
    from websockets.asyncio.server import ServerConnection, serve

    class Counted(ServerConnection):
        """A connection; one too many is closed before it has said anything."""

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            """Count it."""
            self._counted = True
            if not live.socket_opened():
                assert isinstance(transport, asyncio.Transport)
                transport.abort()
            super().connection_made(transport)

        def connection_lost(self, exc: Exception | None) -> None:
            """It is gone."""
            live.socket_closed()
            super().connection_lost(exc)

    quiet: Any = logging.getLogger("kinetoscope.web")
    # who knocks with nonsense is not an error of ours
    quiet.setLevel(logging.CRITICAL)
    return await serve(
        live.handle,
        sock=listening.socket,
        ssl=listening.tls,
        process_request=live.process,
        create_connection=Counted,
        # it would only add to the time that a frame takes
        compression=None,
        max_size=MOST_CHUNK,
        max_queue=MOST_WAITING,
        open_timeout=OPEN_SECONDS,
        ping_interval=PING_SECONDS,
        server_header=None,
        logger=quiet,
    )
