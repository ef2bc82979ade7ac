"""Names in answers: asked for when an answer goes out, so that erased ones stand nowhere."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from howff.scoring.application.answers import Named
from howff.scoring.application.ports import Names

M = TypeVar("M", bound=BaseModel)


async def named(answer: M, names: Names) -> M:
    """Return *answer* with the names of all accounts that it tells of, asked for at once."""
    accounts = tuple(dict.fromkeys(_accounts_in(answer)))
    called = await names.called(accounts) if accounts else {}
    found: M = _with_names(answer, called) if called else answer
    return found


def _accounts_in(told: Any) -> Iterator[str]:
    match told:
        case tuple():
            for each in told:
                yield from _accounts_in(each)
        case BaseModel():
            if isinstance(told, Named) and (account := getattr(told, told.account_in)) is not None:
                yield account
            for _, value in told:
                yield from _accounts_in(value)
        case _:
            pass


def _with_names(told: Any, called: Mapping[str, str]) -> Any:
    match told:
        case tuple():
            return tuple(_with_names(each, called) for each in told)
        case BaseModel():
            changed = {name: _with_names(value, called) for name, value in told}
            if isinstance(told, Named):
                changed["name"] = called.get(getattr(told, told.account_in))
            return told.model_copy(update=changed)
        case _:
            return told
