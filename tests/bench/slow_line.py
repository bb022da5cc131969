"""A line between a page and its host that is slow on purpose: a proxy that delays bytes and limits their rate."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator

# bytes that are read at once: with a limited rate each part takes its time
PART = 4096


class SlowLine:
    """Forwards connections to a port of this machine."""

    def __init__(self, port: int, delay: float, rate: float) -> None:
        """Each way takes `delay`, s, and carries `rate`, bits/s; 0 for as many as can be."""
        self._port, self._delay, self._rate = port, delay, rate
        self._connections: set[asyncio.Task[None]] = set()
        self.bytes = 0
        self.port = 0

    async def serve(self, ready: threading.Event, end: asyncio.Event) -> None:
        """Until it is ended."""
        server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        async with server:
            await end.wait()
            for connection in self._connections:
                connection.cancel()
            await asyncio.gather(*self._connections, return_exceptions=True)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._port)
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            with contextlib.suppress(ConnectionError, ExceptionGroup, asyncio.CancelledError):
                await asyncio.gather(self._carry(reader, back), self._carry(there, writer, count=True))
        finally:
            for end in (writer, back):
                end.close()

    async def _carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, count: bool = False) -> None:
        """One direction: parts leave in order, each when the line is free, and arrive later."""
        loop = asyncio.get_running_loop()
        on_the_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(maxsize=256)
        free = loop.time()
        async with asyncio.TaskGroup() as group:
            group.create_task(self._arrive(on_the_way, target))
            while part := await source.read(PART):
                self.bytes += len(part) if count else 0
                free = max(free, loop.time()) + (8 * len(part) / self._rate if self._rate else 0.0)
                await on_the_way.put((free + self._delay, part))
                # what has not left yet waits where it comes from
                await asyncio.sleep(max(free - loop.time(), 0.0))
            await on_the_way.put((free + self._delay, b""))

    async def _arrive(self, on_the_way: asyncio.Queue[tuple[float, bytes]], target: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        while True:
            when, part = await on_the_way.get()
            await asyncio.sleep(max(when - loop.time(), 0.0))
            if not part:
                target.close()
                return
            target.write(part)
            with contextlib.suppress(OSError):
                await target.drain()


@contextlib.contextmanager
def slow_line(port: int, delay: float = 0.0, rate: float = 0.0) -> Iterator[SlowLine]:
    """A line to a port: its own port is that to connect to."""
    line, ready, loop = SlowLine(port, delay, rate), threading.Event(), asyncio.new_event_loop()
    end = asyncio.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(line.serve(ready, end)), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield line
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join(5.0)
