"""Publishing to a stream, for good."""

from collections.abc import Mapping
from typing import Final

from nats.js.errors import APIError

from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.errors import JetStreamRefusedError, NatsUnavailableError
from howff.servicekit.nats.streams import EXPECTED_SEQUENCE, MOVED_ON, WRONG_LAST_SEQUENCE, answered
from howff.servicekit.telemetry.tracing import sending

_NEW: Final = {EXPECTED_SEQUENCE: "0"}


async def publish(
    connection: Connection, subject: str, content: bytes, *, is_once: bool = False
) -> None:
    """Let *content* stand in the stream of *subject*; with *is_once* only if nothing does there.

    Raises:
        NatsUnavailableError: no answer came; it may have been published.
        JetStreamRefusedError: the server does not take it.
    """
    with sending(subject.rpartition(".")[0], subject) as carried:
        headers = {**(_NEW if is_once else {}), **carried} or None
        publishing = connection.jetstream.publish(subject, content, headers=headers)
        try:
            await answered(f"publishing to {subject}", publishing)
        except JetStreamRefusedError as error:
            if not (is_once and _was_there(error)):
                raise


async def publish_after(
    connection: Connection, position: int, subject: str, content: bytes, headers: Mapping[str, str]
) -> int:
    """Let *content* follow what stands at *position* on *subject*; return where it stands then.

    Position 0 is that of nothing. What the client raises is for `answered`.

    Raises:
        NatsUnavailableError: something else stands there by now.
    """
    expected = {EXPECTED_SEQUENCE: str(position)}
    try:
        ack = await connection.jetstream.publish(subject, content, headers={**expected, **headers})
    except APIError as error:
        if error.err_code not in MOVED_ON:
            raise
        what = f"publishing to {subject}"
        raise NatsUnavailableError(what, found="another write at the time") from error
    return ack.seq


def _was_there(refused: JetStreamRefusedError) -> bool:
    cause = refused.__cause__
    return isinstance(cause, APIError) and cause.err_code == WRONG_LAST_SEQUENCE
