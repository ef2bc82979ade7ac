"""Connections of HTTP: uvicorn's, which alone would take without limit and wait without end."""

import asyncio
from math import inf
from typing import Final

from httptools import HttpParserError
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from howff.servicekit.web.bodies import MOST_BYTES
from howff.servicekit.web.problems import problem

LARGEST_HEAD: Final = 64 * 1024
"""Bytes after which the headers of a request must have ended."""
LARGEST_FRAMING: Final = 6 * MOST_BYTES
"""Bytes that may come after a head and are none of its body: sizes and ends of chunks.

Chunks of one byte have five such bytes each, so the largest body may come in them. Refused is
what has more to say: extensions of chunks, sizes with many zeros, a trailer that never ends.
Counted together with the head, for reads know nothing of where it ends.
"""
HEAD_PATIENCE: Final = 10.0
"""Seconds within which a head must have come."""
READ_PATIENCE: Final = 30.0
"""Seconds within which a client must have read what the server had to keep for it."""


class BoundedHttp(HttpToolsProtocol):
    """HTTP with a client that may send and keep waiting only so much.

    A request with more beside its body is answered with 400, and so is one with a trailer, which
    uvicorn would add to its headers. How large a body may be is the application's to say.

    While no answer is owed, a client has `HEAD_PATIENCE` for a head, counted from its first byte,
    and for its first head from the start; the end of silence after an answer is uvicorn's part.
    Whoever is late is closed without a word: a 408 could be read as the answer to a request under
    way. Whoever reads too little for `READ_PATIENCE` is cut off, also while closing, for the last
    bytes would wait for ever.
    """

    _is_in_head = True
    _other_bytes = 0
    """Bytes of the request that is coming, without its body."""
    _owed = 0
    """Answers to requests that have come."""
    _head_due = inf
    _reading_due = inf
    _next_look: asyncio.TimerHandle

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._head_due = self.loop.time() + HEAD_PATIENCE
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        self._next_look.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._other_bytes += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._is_in_head and self._other_bytes > LARGEST_HEAD:
            self.send_400_response("The head of the request is too large.")
        elif self._other_bytes > LARGEST_HEAD + LARGEST_FRAMING:
            self.send_400_response("There is too much between the parts of the body.")
        elif not self._owed and self._head_due == inf:
            self._head_due = self.loop.time() + HEAD_PATIENCE

    def send_400_response(self, msg: str) -> None:
        answer = problem(
            400, "malformed_request", "Malformed request", msg, {"Connection": "close"}
        )
        headers = [*self.server_state.default_headers, *answer.raw_headers]
        lines = [b"%b: %b\r\n" % each for each in headers]
        self.transport.write(b"".join([STATUS_LINE[400], *lines, b"\r\n", answer.body]))
        self.transport.close()

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._is_in_head:
            what = "a trailer"
            raise HttpParserError(what)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._is_in_head = False
        self._owed += 1
        self._head_due = inf

    def on_body(self, body: bytes) -> None:
        self._other_bytes -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._is_in_head = True
        self._other_bytes = 0

    def on_response_complete(self) -> None:
        self._owed -= 1
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._reading_due = self.loop.time() + READ_PATIENCE

    def resume_writing(self) -> None:
        super().resume_writing()
        self._reading_due = inf

    def _look(self) -> None:
        """End the connection if its client is late, and look again before it can be."""
        now = self.loop.time()
        if now >= self._reading_due:
            self.transport.abort()
            return
        if now >= self._head_due:
            self.transport.close()
            self._head_due = inf
        if self.transport.is_closing() and self._reading_due == inf:
            self._reading_due = now + READ_PATIENCE
        # What becomes due later takes no timer of its own: no patience ends before the next look.
        latest = now + min(HEAD_PATIENCE, READ_PATIENCE)
        due = min(self._head_due, self._reading_due, latest)
        self._next_look = self.loop.call_at(due, self._look)
