"""HEAD: whatever can be got can be asked for without its body."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadAsGet:
    """The middleware that answers HEAD as GET, up to the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "HEAD":
            asked = {**scope, "method": "GET"}
            await self._app(asked, receive, _head_alone(send, scope, asked))
        else:
            await self._app(scope, receive, send)


def _head_alone(send: Send, scope: Scope, asked: Scope) -> Send:
    async def send_head(message: Message) -> None:
        if message["type"] == "http.response.start":
            scope["route"] = asked.get("route")  # for those outside who tell what was asked for
            await send(message)
            # At once: the body of a feed may never come. The server then reports a disconnect.
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    return send_head
