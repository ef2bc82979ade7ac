"""Run the service: `python -m howff.game`."""

import gc
import logging
import sys
from collections.abc import Iterator

from pydantic import ValidationError

from howff.engine.errors import RefusalError
from howff.game.app import running_service
from howff.game.settings import Settings
from howff.servicekit import ids
from howff.servicekit.telemetry.logs import set_up_logs
from howff.servicekit.telemetry.setup import exported
from howff.servicekit.web.health import probes_served, readiness_of
from howff.servicekit.web.serving import run, serve


async def main(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT."""
    async with (
        running_service(settings) as app,
        probes_served(readiness_of(app), host=settings.host, port=settings.health_port),
    ):
        # What lives as long as the process need not be looked through at every collection.
        gc.collect()
        gc.freeze()
        await serve(app, host=settings.host, port=settings.port, told=_tell)


def _tell(url: str) -> None:
    logging.getLogger(__name__).info("serving on %s", url)


def _start() -> None:
    try:
        settings = Settings()
        set_up_logs(settings.log_format)
        with exported("game", ids.new_id()):
            run(main(settings))
    except* RefusalError as group:
        # Several parts may end for the same reason, which is told once.
        lines = dict.fromkeys(f"{each.code}  {each}" for each in _refusals(group))
        sys.exit("\n".join(lines))
    except* ValidationError as group:
        sys.exit("\n".join(_wrong_settings(group)))


def _wrong_settings(group: BaseExceptionGroup[ValidationError]) -> Iterator[str]:
    for error in group.exceptions:
        assert isinstance(error, ValidationError), "settings are read in one place"
        for each in error.errors():
            name = f"HOWFF_{each['loc'][0]}".upper()
            expected = each["msg"].removeprefix("Input should be ")
            yield f"wrong_setting  {name}: expected {expected}, found {each['input']!r}"


def _refusals(group: BaseExceptionGroup[RefusalError]) -> list[RefusalError]:
    found: list[RefusalError] = []
    for each in group.exceptions:
        found += _refusals(each) if isinstance(each, BaseExceptionGroup) else [each]
    return found


if __name__ == "__main__":
    _start()
