"""Refusals around NATS: of its server, of a connection, of streams, of buckets."""

from howff.engine.errors import RefusalError


class NatsError(RefusalError):
    """The base of the refusals around NATS."""


class ServerNotInstalledError(NatsError):
    """The program nats-server is not where it was installed."""

    code = "nats_server_not_installed"

    def __init__(self, path: str) -> None:
        super().__init__("no nats-server", expected=f"a program at {path!r}", found="none")


class ServerNotReadyError(NatsError):
    """A server that was started ended early, or is not ready in time."""

    code = "nats_server_not_ready"

    def __init__(self, name: str, *, found: str) -> None:
        super().__init__(f"nats-server {name!r}", expected="a server that is ready", found=found)


class NotConnectedError(NatsError):
    """No server could be connected to in time."""

    code = "nats_not_connected"

    def __init__(self, name: str, *, found: str) -> None:
        super().__init__(f"connection {name!r}", expected="a server that answers", found=found)


class ConnectionLostError(NatsError):
    """A connection has ended for good; only a new process helps."""

    code = "nats_connection_lost"

    def __init__(self, name: str) -> None:
        expected, found = "a connection that reconnects", "one that ended for good"
        super().__init__(f"connection {name!r}", expected=expected, found=found)


class NatsUnavailableError(NatsError):
    """JetStream did not answer, or has no leader at the moment."""

    code = "nats_unavailable"
    retry_after = 1
    """Seconds after which it is worth another try."""

    def __init__(self, what: str, *, found: str) -> None:
        super().__init__(what, expected="an answer of JetStream", found=found)


class RequirementError(NatsError):
    """A server lacks what a promise of durability rests on."""

    code = "nats_requirement"


class JetStreamRefusedError(NatsError):
    """JetStream refused what was asked of it."""

    code = "jetstream_refused"

    def __init__(self, what: str, *, found: str) -> None:
        super().__init__(what, expected="JetStream to take it", found=found)


class DiffersError(NatsError):
    """Something on the server is configured in another way than this version wants it."""

    def __init__(self, what: str, field: str, *, wanted: object, found: object) -> None:
        super().__init__(what, expected=f"{field} to be {wanted!r}", found=repr(found))
        self.field = field


class StreamDiffersError(DiffersError):
    """A stream has another configuration than is wanted."""

    code = "stream_differs"


class ConsumerDiffersError(DiffersError):
    """A durable consumer has another configuration than is wanted."""

    code = "consumer_differs"


class WrongKeyError(NatsError):
    """A key of a bucket is not one that a subject may be built from."""

    code = "wrong_key"


class StreamLostError(NatsError):
    """A stream is not the one that a reader has read, or has lost what it read."""

    code = "stream_lost"
