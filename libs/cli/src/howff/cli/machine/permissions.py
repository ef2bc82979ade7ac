"""What each user of NATS may publish and subscribe: the one table of it.

`make nats-users` writes it to `deploy/nats`, as every server is told it; `howff up` uses it too.
"""

import secrets
import sys
from pathlib import Path
from typing import Final

from howff.servicekit.nats.accounts import (
    API,
    Account,
    Accounts,
    FromEnvironment,
    Passwords,
    configuration_of,
)

# Who may make a stream could let it take what others hold. A stream that stands there can't be made
# otherwise, and nobody may change or delete one; the services refuse those that are not as wanted.


def stream(name: str, *subjects: str) -> tuple[str, ...]:
    """Return what it takes to make a stream or to look whether it is as wanted, and to publish."""
    return f"{API}STREAM.INFO.{name}", f"{API}STREAM.CREATE.{name}", *subjects


def got(name: str) -> tuple[str, ...]:
    """Return what it takes to get messages of a stream from its leader."""
    return (f"{API}STREAM.MSG.GET.{name}",)


def got_anywhere(name: str) -> tuple[str, ...]:
    """Return what it takes to get messages of a stream, also from any replica."""
    return *got(name), f"{API}DIRECT.GET.{name}"


def read(name: str) -> tuple[str, ...]:
    """Return what it takes to read a stream in its order, by a consumer that lives with the reader.

    Each reader has another name, so any consumer may be made and asked for its next messages, but
    for those that are `durable_of` others.
    """
    return f"{API}CONSUMER.CREATE.{name}.*", f"{API}CONSUMER.MSG.NEXT.{name}.*"


def durable_of(name: str, durable: str) -> tuple[str, ...]:
    """Return what a reader of a stream may not do, lest another's durable consumer lose messages.

    Whoever may make a consumer may change it too: one that is told to leave out a message passes
    over that for good.
    """
    return f"{API}CONSUMER.CREATE.{name}.{durable}", fetched(name, durable)


def made(name: str, durable: str, filtered: str | None = None) -> tuple[str, ...]:
    """Return what it takes to make a durable consumer of a stream, or to look how it is."""
    creation = f"{API}CONSUMER.CREATE.{name}.{durable}"
    return looked_at(name, durable), f"{creation}.{filtered}" if filtered else creation


def looked_at(name: str, durable: str) -> str:
    """Return what it takes to look how a durable consumer is."""
    return f"{API}CONSUMER.INFO.{name}.{durable}"


def fetched(name: str, durable: str) -> str:
    """Return what it takes to ask for the next messages of a durable consumer."""
    return f"{API}CONSUMER.MSG.NEXT.{name}.{durable}"


def acknowledged(name: str, durable: str) -> str:
    """Return what it takes to say what became of the messages of a durable consumer."""
    return f"$JS.ACK.{name}.{durable}.>"


def worked_off(name: str, durable: str, filtered: str | None = None) -> tuple[str, ...]:
    """Return what it takes to make a durable consumer, and to work off what it brings."""
    made_first = made(name, durable, filtered)
    return *made_first, fetched(name, durable), acknowledged(name, durable)


def purged(name: str) -> tuple[str, ...]:
    """Return what it takes to take messages out of a stream."""
    return (f"{API}STREAM.PURGE.{name}",)


SEED_QUESTIONS: Final = ("game.seed_commitment", "game.seed_discard")

GAME: Final = Account(
    "game",
    asks=(
        *stream("MATCHES", "match.*"),
        *got_anywhere("MATCHES"),
        *worked_off("MATCHES", "outbox"),
        *stream("CONTRACTS", "contract.match_started.*", "contract.match_refused.*"),
        "contract.match_ended.*",
        *stream("STARTS"),
        *worked_off("STARTS", "starter"),
        *stream("WORK", "work.decision_due.*"),
        *made("WORK", "bots"),
        *stream("DEADLINES", "deadline.at.*"),
        *got("DEADLINES"),
        *purged("DEADLINES"),
        *worked_off("DEADLINES", "deadlines", "deadline.due.*"),
        *stream("CLOCKED", "clocked.*"),
        *purged("CLOCKED"),
        *stream("KV_SEEDS", "$KV.SEEDS.*"),
        *got("KV_SEEDS"),
        *stream("KV_GAME_KEYS", "$KV.GAME_KEYS.*"),
        *got("KV_GAME_KEYS"),
        *stream("KV_TURNS", "$KV.TURNS.*"),
        *got("KV_TURNS"),
        *stream("KV_TOKENS"),
        *read("KV_TOKENS"),
    ),
    hears=("committed.match.*",),
    answers=SEED_QUESTIONS,
)
LOBBY: Final = Account(
    "lobby",
    asks=(
        *stream("LOBBY", "lobby.>"),
        *got_anywhere("LOBBY"),
        *read("LOBBY"),
        looked_at("LOBBY", "outbox"),
        acknowledged("LOBBY", "outbox"),
        *stream("CONTRACTS"),
        *got("CONTRACTS"),
        *read("CONTRACTS"),
        looked_at("CONTRACTS", "lobby"),
        acknowledged("CONTRACTS", "lobby"),
        *stream("STARTS", "start.*"),
        *stream("KV_TOKENS", "$KV.TOKENS.*"),
        *got("KV_TOKENS"),
        *read("KV_TOKENS"),
        *stream("KV_LOBBY_KEYS", "$KV.LOBBY_KEYS.*"),
        *got("KV_LOBBY_KEYS"),
        *read("KV_LOBBY_KEYS"),
        *stream("KV_LOBBY_LEASES", "$KV.LOBBY_LEASES.*"),
        *got("KV_LOBBY_LEASES"),
        *stream("KV_TURNS"),
        *got("KV_TURNS"),
        *read("KV_TURNS"),
    ),
    asks_others={"game": SEED_QUESTIONS},
    among_itself=("fed.lobby.>",),
)
BOTS: Final = Account(
    "bots",
    asks=(looked_at("WORK", "bots"), fetched("WORK", "bots"), acknowledged("WORK", "bots")),
)
SCORING: Final = Account(
    "scoring",
    asks=(
        *stream("CONTRACTS", "contract.rated.*"),
        *got("CONTRACTS"),
        *read("CONTRACTS"),
        *stream("KV_TOKENS"),
        *read("KV_TOKENS"),
    ),
    except_for=durable_of("CONTRACTS", "lobby"),
)
SERVICES: Final = (LOBBY, GAME, BOTS, SCORING)
"""The users of a server that the services work with."""
DRILL: Final = Account("drill", asks=(*stream("MATCHES", "match.*"), *got_anywhere("MATCHES")))
"""The user of a restore drill, on a server of its own."""


def with_new_passwords() -> Accounts:
    """Return the accounts of the services, with passwords that nobody knows yet."""
    return Accounts(SERVICES, {each.user: secrets.token_hex() for each in SERVICES})


def from_environment(users: tuple[Account, ...]) -> Passwords:
    """Return passwords that a server takes from `HOWFF_NATS_<USER>_PASSWORD`."""
    return {each.user: FromEnvironment(f"HOWFF_NATS_{each.name}_PASSWORD") for each in users}


FILES: Final = {"users.conf": SERVICES, "drill.conf": (DRILL,)}
"""The files that servers include, by their names."""
_HEAD: Final = """\
# What each user of NATS may do. Made of howff.cli.machine.permissions by `make nats-users`.
# Include it in the configuration of each server; its environment has the passwords, which begin
# with a letter and have nothing but letters and digits.
"""


def content_of(name: str) -> str:
    """Return what the file of this *name* has to be."""
    users = FILES[name]
    return _HEAD + configuration_of(Accounts(users, from_environment(users)))


def write_files(folder: Path) -> None:
    """Write all files into *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        (folder / name).write_text(content_of(name))


if __name__ == "__main__":
    write_files(Path(sys.argv[1]))
