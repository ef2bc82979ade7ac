"""Starting a service: its settings, its logs and telemetry, and an end that says why."""

import sys
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Protocol, TypeVar

from pydantic import ValidationError

from howff.engine.errors import RefusalError
from howff.servicekit import ids
from howff.servicekit.running import run
from howff.servicekit.telemetry.logs import LogFormat, set_up_logs
from howff.servicekit.telemetry.setup import exported


class HasLogFormat(Protocol):
    """The part of settings that is looked at before anything else."""

    @property
    def log_format(self) -> LogFormat: ...


S = TypeVar("S", bound=HasLogFormat)


def start(
    name: str, settings: Callable[[], S], main: Callable[[S], Coroutine[Any, Any, None]]
) -> None:
    """Run *main* to its end, as the service *name*; exit with a line for each refusal."""
    try:
        read = settings()
        set_up_logs(read.log_format)
        with exported(name, ids.new_id()):
            run(main(read))
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
