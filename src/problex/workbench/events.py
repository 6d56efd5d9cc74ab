"""What has happened, for every open tab: a stream of server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from problex._util.records import Record, to_json

SILENCE = 15.0
"""Seconds after which a comment is sent, so that a closed connection is noticed."""
MAX_WAITING = 1000


@dataclass
class Events:
    """The open streams; `publish` may be called by any thread."""

    listeners: set[asyncio.Queue[str | None]] = field(default_factory=set)
    loop: asyncio.AbstractEventLoop | None = None

    def publish(self, name: str, **data: object) -> None:
        """Send an event to every stream."""
        text = format_event(name, data)
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._send, text)

    def _send(self, text: str | None) -> None:
        for queue in list(self.listeners):
            if queue.qsize() < MAX_WAITING:  # a tab that sleeps fetches the state when it wakes
                queue.put_nowait(text)

    def close(self) -> None:
        """End all streams, so that the server can stop; called by the server's thread."""
        self._send(None)

    async def stream(self, hello: Record) -> AsyncIterator[str]:
        """The events from now on; the first is `hello`."""
        self.loop = asyncio.get_running_loop()
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        self.listeners.add(queue)
        try:
            yield format_event("hello", hello)
            while True:
                try:
                    text = await asyncio.wait_for(queue.get(), SILENCE)
                except TimeoutError:
                    text = ": still here\n\n"
                if text is None:
                    return
                yield text
        finally:
            self.listeners.discard(queue)


def format_event(name: str, data: Record) -> str:
    r"""An event as the stream has it.

    >>> format_event("revision", {"revision": 3})
    'event: revision\ndata: {"revision": 3}\n\n'
    """
    return f"event: {name}\ndata: {to_json(data)[0]}\n\n"
