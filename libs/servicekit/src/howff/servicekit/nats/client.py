"""The client of nats-py, mended where it leaves something behind when a line breaks.

It would wait for the old line to be closed in order before it connects again or ends, which a peer
that is gone keeps it from for a quarter of an hour, and keep a place for every answer to a request
that it could not send.
"""

import asyncio
from collections.abc import Iterable
from typing import Final

from nats.aio.client import Client
from nats.aio.transport import TcpTransport

CLOSED_WITHIN: Final = 2.0
"""Seconds that a client which is closed has for what it has not written yet."""
_BROKEN_LINE: Final = (OSError, RuntimeError)


class _Line(TcpTransport):
    """A line on which a write in vain leaves no error of its own, whatever Python it runs on.

    `writelines` of asyncio calls `None` on a line that was closed, from Python 3.12 on until 3.13.6
    (gh-136234); the client would lose the task that writes, and never write again by itself.
    """

    def __bool__(self) -> bool:
        """Be kept by the client, which would make a line of its own in place of none."""
        return True

    def writelines(self, payload: Iterable[bytes]) -> None:
        self.write(b"".join(payload))  # type: ignore[no-untyped-call]


class PromptClient(Client):
    """A client that is done with a broken line at once, and with its own end within a bound."""

    def __init__(self) -> None:
        super().__init__()
        self._transport = _Line()  # type: ignore[no-untyped-call]

    @property
    def server_id(self) -> str:
        """The id of the server that it is connected to, or was at last."""
        identity: str = self._server_info.get("server_id", "")
        return identity

    async def publish(
        self,
        subject: str,
        payload: bytes = b"",
        reply: str = "",
        headers: dict[str, str] | None = None,
    ) -> None:
        """Publish a message; what could not be sent is not answered either."""
        try:
            await super().publish(subject, payload, reply, headers)
        except Exception:
            self._resp_map.pop(reply.rpartition(".")[2], None)
            raise

    async def _send_ping(self, future: asyncio.Future[bool] | None = None) -> None:
        """Ask for a sign of life behind what was not written yet, which has arrived when it comes.

        The client of nats-py asks at once, so that `flush` could end before a subscription began.
        """
        if self.is_connected and self._transport is not None and self._pending:
            pending, self._pending, self._pending_data_size = self._pending, [], 0
            self._transport.writelines(pending)
        await super()._send_ping(future)

    def break_off(self) -> None:
        """Drop what was not yet written, and tell all who wait for answers that none will come.

        Whatever they have asked for may have been done.
        """
        self._pending.clear()
        self._pending_data_size = 0
        answers, self._resp_map = self._resp_map, {}
        for answer in answers.values():
            if not answer.done():
                answer.set_exception(ConnectionResetError("the line broke before the answer"))

    async def _attempt_reconnect(self) -> None:
        self._abort()
        # So it is closed already when the client waits for it: to end that wait would end `close`.
        await asyncio.sleep(0)
        await super()._attempt_reconnect()

    async def _close(self, status: int, do_cbs: bool = True) -> None:  # noqa: FBT001, FBT002
        loop = asyncio.get_running_loop()
        aborting = loop.call_later(CLOSED_WITHIN, self._abort)
        try:
            await super()._close(status, do_cbs)
        except _BROKEN_LINE:  # in the middle, while it wrote what was left
            self.break_off()
            self._status = Client.DISCONNECTED
            await super()._close(status, do_cbs)
        finally:
            aborting.cancel()

    def _abort(self) -> None:
        """Close the line without waiting for its peer to take what was written."""
        line = self._transport
        if isinstance(line, TcpTransport) and line._io_writer is not None:  # noqa: SLF001
            line._io_writer.transport.abort()  # noqa: SLF001
