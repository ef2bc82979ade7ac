"""The commands against a server that tells what none of ours would."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final

import pytest
from typer.testing import Result

from howff.cli.server.logins import KeptLogin, keep_login
from howff.cli.server.matches import seen
from howff.engine.catalogue import game_of
from howff.engine.codec import to_json, to_tagged
from howff.engine.outcome import Outcome
from howff.engine.seats import Seat
from howff.match.commit import commit_to_json
from howff.match.export import write_export
from howff.match.replay import replay
from howff.match.verify import verify
from support.cli import howff, played_export
from support.online import refused
from support.running import run
from support.wire import Answering, Asked, Line, answer, answering

STEALTHY: Final = "\x1b]0;pwn\x1b[31m[/]eva"
GAME: Final = game_of("troedler")
STEPS: Final = tuple(replay(played_export(), GAME))


TOKEN: Final = "a.b.c"  # noqa: S105 — of nobody
NOBODY: Final = answer(200, {"items": []})
"""What a server says of accounts that it does not know."""
STANDING: Final[dict[str, Any]] = {
    "resigned": None,
    "stand_in": None,
    "wants": [],
    "milliseconds_left": None,
    "is_running": False,
}
TIMED: Final = STANDING | {"milliseconds_left": 5000}
CLOCKS: Final = {"at": "2026-11-28T12:00:00.000Z", "is_paused": False}


def told(at: int, **changes: Any) -> dict[str, Any]:
    """Return what a server tells seat 0 of the match after the commit *at*, with *changes*."""
    match = STEPS[at].match
    return {
        "match": "a-match",
        "version": match.version,
        "game": GAME.key,
        "rules_version": GAME.rules_version,
        "seats": [{"account": "ivy"}, {"account": STEALTHY}],
        "to_act": list(match.to_act),
        "is_over": match.is_over,
        "is_aborted": False,
        "standings": [STANDING] * 2,
        "clocks": None,
        "view": to_json(GAME.view_type, GAME.view(match.state, Seat(0))),
        "outcome": match.outcome and to_json(Outcome, match.outcome),
    } | changes


def asked_of(server: Mapping[str, bytes], *arguments: str, typed: str = "") -> Result:
    """Return how a command ends, with `{url}` for a *server* of these answers by path."""

    async def give(asked: Asked, line: Line) -> None:
        path = asked.target.partition("?")[0].removeprefix("/v1/")
        await line.send(({"accounts": NOBODY} | dict(server)).get(path, answer(200, {})))

    return answered_by(give, *arguments, typed=typed)


def answered_by(give: Answering, *arguments: str, typed: str = "") -> Result:
    """Return how a command ends, with `{url}` for a server that answers by *give*."""

    async def story() -> Result:
        async with answering(give) as wire:
            login = KeptLogin(server=wire.url, account="ivy", name="ivy", token=TOKEN)
            keep_login(login)
            whole = (argument.replace("{url}", wire.url) for argument in arguments)
            return await asyncio.to_thread(lambda: howff(*whole, typed=typed))

    return run(story)


def feed_of(version: int) -> bytes:
    """Return a feed of the first commits, up to *version*, that then says that all is over."""
    commits = [commit_to_json(step.commit) for step in STEPS[:version]]
    frames = [f"event: commit\ndata: {json.dumps(commit)}\n\n" for commit in commits]
    frames.append(f'event: over\ndata: {{"version": {version}}}\n\n')
    head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
    return (head + "".join(frames)).encode()


def watched(match: dict[str, Any], feed: bytes) -> Result:
    server = {"matches/a-match": answer(200, match), "matches/a-match/events": feed}
    return asked_of(server, "watch", "{url}/v1/matches/a-match", "--board")


def played(match: dict[str, Any]) -> Result:
    state = STEPS[match["version"] - 1].match.state
    moves = [{"move": to_tagged(move)} for move in GAME.legal_moves(state, Seat(0))]
    server = {
        "matches/a-match": answer(200, match),
        "matches/a-match/moves": answer(200, {"version": match["version"], "moves": moves}),
        "matches/a-match/events": answer(204),
    }
    arguments = ("--server", "{url}", "--account", "ivy", "--match", "a-match")
    return asked_of(server, "play", "troedler", *arguments, typed="q\n")


def is_turn_of(seat: int, at: int) -> bool:
    return STEPS[at].match.to_act == (seat,)


OWN_TURN: Final = next(at for at in range(len(STEPS)) if is_turn_of(0, at))
OTHERS_TURN: Final = next(at for at in range(len(STEPS)) if is_turn_of(1, at))


def test_commands_to_the_terminal_in_a_name_are_not_passed_on_to_a_watcher() -> None:
    result = watched(told(-1), feed_of(len(STEPS)))
    assert result.exit_code == 0, result.output
    assert "Ranking" in result.stdout
    assert "[/]eva" in result.stdout
    assert "\x1b" not in result.output
    assert "\x07" not in result.output


def test_commands_to_the_terminal_in_a_name_are_not_passed_on_to_a_player() -> None:
    result = played(told(OWN_TURN))
    assert result.exit_code == 0, result.output
    assert "Your move" in result.stdout
    assert "[/]eva" in result.stdout
    assert "\x1b" not in result.output


def test_the_names_of_figures_are_shown_as_they_stand_but_for_commands() -> None:
    outcome = told(-1)["outcome"]
    outcome["figures"] = [[{"name": "[/]\x1b[31mpoints", "value": 3}]] * 2
    result = watched(told(-1, outcome=outcome), feed_of(len(STEPS)))
    assert result.exit_code == 0, result.output
    assert "[31mpoints" in result.stdout
    assert "\x1b" not in result.output


def test_commands_to_the_terminal_in_how_seats_stand_are_not_passed_on() -> None:
    standings = [STANDING | {"milliseconds_left": 2**53 - 1}] * 2
    standings[1] = standings[1] | {"stand_in": STEALTHY}
    result = played(told(OWN_TURN, standings=standings, clocks=CLOCKS))
    assert result.exit_code == 0, result.output
    assert "[/]eva) plays for" in result.stdout
    assert "Time left: ivy 104249991 days 8:59:00" in result.stdout
    assert "\x1b" not in result.output


def test_a_match_that_was_aborted_has_no_ranking() -> None:
    changes = {"is_over": True, "is_aborted": True, "outcome": None}
    result = watched(told(OWN_TURN, **changes), feed_of(STEPS[OWN_TURN].match.version))
    assert result.exit_code == 0, result.output
    assert "Ranking" not in result.stdout


@pytest.mark.parametrize(
    "changes",
    [
        {"outcome": None},
        {"is_over": False},
        {"outcome": {"places": [1], "figures": [[], []]}},
        {"outcome": {"places": [1, 2], "figures": [[]]}},
        {"seats": []},
        {"seats": [{"account": "ivy"}]},
        {"seats": [{"account": "ivy"}] * 3},
        {"match": "a\x1b[31m"},
        {"is_aborted": True},
        {"is_aborted": True, "is_over": False, "outcome": None},
        {"standings": []},
        {"standings": [STANDING] * 3},
        {"standings": [STANDING | {"wants": ["everything"]}] * 2},
        {"standings": [STANDING | {"milliseconds_left": "long"}] * 2},
        {"standings": [TIMED] * 2},
        {"clocks": CLOCKS},
        {"clocks": CLOCKS, "standings": [TIMED, STANDING]},
        {"clocks": CLOCKS | {"at": "yesterday"}, "standings": [TIMED] * 2},
        {"clocks": CLOCKS | {"at": "2026-11-28"}, "standings": [TIMED] * 2},
        {"clocks": {"at": CLOCKS["at"]}, "standings": [TIMED] * 2},
    ],
)
def test_a_match_that_can_not_be_is_refused(changes: dict[str, Any]) -> None:
    assert refused(watched(told(-1, **changes), feed_of(len(STEPS))), "malformed")


def test_a_view_that_no_board_can_draw_is_refused() -> None:
    view = told(OWN_TURN)["view"]
    view["players"] = view["players"][:1]
    assert refused(played(told(OWN_TURN, view=view)), "malformed")


def test_a_feed_that_ends_before_the_match_is_refused() -> None:
    assert refused(watched(told(OWN_TURN), answer(204)), "broken_feed")
    assert refused(watched(told(-1), feed_of(3)), "broken_feed")
    result = played(told(OTHERS_TURN))
    assert refused(result, "broken_feed")
    assert "It goes on with --match a-match" in result.stdout


@pytest.mark.parametrize(
    ("accounts", "names"),
    [
        (("ivy", "freya"), ("ivy", "freya")),
        (("ivy", None), ("ivy", "Bot 1")),
        (("ivy", "ivy"), ("ivy 0", "ivy 1")),
        (
            ("tournament-player-01", "tournament-player-02"),
            ("tourname…ayer-01", "tourname…ayer-02"),
        ),
        (
            ("tournament-a-player-01", "tournament-b-player-01"),
            ("tourname…ayer-01 0", "tourname…ayer-01 1"),
        ),
        (("\x1b\x07", "\x1b\x1b"), ("\ufffd\ufffd 0", "\ufffd\ufffd 1")),
    ],
)
def test_seats_are_told_apart_by_their_names(
    accounts: tuple[str | None, ...], names: tuple[str, ...]
) -> None:
    seats = [{"account": account} for account in accounts]
    assert seen(told(-1, seats=seats)).names == names


CHECKS: Final = [
    {"name": check.name, "result": check.result, "detail": ""}
    for check in verify(played_export(), GAME).checks
]


def audited(export: bytes, **changes: Any) -> Result:
    """Return how an audit ends of a server that gives this *export*, and its report *changes*."""
    audit = {"match": "a-match", "version": len(STEPS), "viewer": "all", "is_sound": True}
    server = {
        "matches/a-match/audit": answer(200, audit | {"checks": CHECKS} | changes),
        "matches/a-match/export": exported(export),
    }
    return asked_of(server, "audit", "{url}/v1/matches/a-match")


def exported(content: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/jsonl\r\ncontent-length: %d\r\n\r\n"
    return head % len(content) + content


SOUND: Final = write_export(played_export())
CHANGED: Final = SOUND.replace(b'"round":1', b'"round":2', 1)
FAILED: Final = {"name": "chain", "result": "failed", "detail": f"broken{STEALTHY}"}


def test_an_audit_says_whether_the_server_and_the_export_agree() -> None:
    agreed = audited(SOUND)
    assert agreed.exit_code == 0, agreed.output
    assert agreed.stdout.count("passed") == 12
    assert "The server and this command agree" in agreed.stdout


def test_a_report_that_says_else_than_the_export_is_refused() -> None:
    assert refused(audited(CHANGED), "audit_differs")
    assert refused(audited(SOUND, checks=[]), "audit_differs")
    assert refused(audited(SOUND, checks=CHECKS[:-1]), "audit_differs")
    assert refused(audited(SOUND, version=3), "audit_differs")
    assert refused(audited(SOUND, is_sound=False, checks=[FAILED]), "audit_differs")


def test_what_only_one_of_both_could_check_is_no_contradiction() -> None:
    assert CHECKS[-1]["name"] == "decisions"
    unchecked = [*CHECKS[:-1], CHECKS[-1] | {"result": "not checked"}]
    assert audited(SOUND, checks=unchecked).exit_code == 0


def test_a_failure_that_a_server_tells_of_itself_ends_an_audit_with_status_1() -> None:
    result = audited(SOUND, viewer="spectator", is_sound=False, checks=[FAILED])
    assert result.exit_code == 1
    assert "chain: broken" in result.stdout
    assert "\x1b" not in result.output
    assert "The match goes on" in result.stdout


@pytest.mark.parametrize(
    "changes",
    [
        {"match": "another"},
        {"is_sound": False},
        {"checks": [FAILED]},
        {"checks": [FAILED | {"result": "splendid"}]},
        {"version": None},
    ],
)
def test_a_report_that_is_none_is_refused(changes: dict[str, Any]) -> None:
    assert refused(audited(SOUND, **changes), "malformed")


def test_an_export_of_another_match_is_not_told_again_in_its_name() -> None:
    server = {"matches/another/export": exported(SOUND)}
    assert refused(asked_of(server, "replay", "{url}/v1/matches/another"), "malformed")


def test_the_export_that_a_server_gives_has_to_verify_before_it_is_told_again() -> None:
    server = {"matches/a-match/export": exported(CHANGED)}
    assert refused(asked_of(server, "replay", "{url}/v1/matches/a-match"), "not_verified")


def test_a_match_of_a_server_is_told_again_by_the_names_of_its_accounts() -> None:
    server = {"matches/a-match/export": exported(SOUND)}
    result = asked_of(server, "replay", "{url}/v1/matches/a-match", "--at", "2")
    assert result.exit_code == 0, result.output
    assert "seat:0 is ivy, seat:1 is Bot 1" in result.stdout


def test_whoever_waits_without_a_terminal_reads_a_line_for_each_change_that_matters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("howff.cli.online.quick._PATIENCE", 0.0)
    ticket = {"id": "t", "state": "open", "ended_because": None, "table": None, "window": 0}
    ticket |= {"opened_at": "2026-11-28T12:00:00.000Z"}
    ended = {"state": "ended", "ended_because": "expired"}
    changes = iter(({"window": 118}, {"window": 119}, {"state": "claimed"}, ended))

    async def give(asked: Asked, line: Line) -> None:
        if asked.target == "/v1/me/feed":
            await line.hold()
        elif asked.target == "/v1/tickets/t":
            await line.send(answer(200, ticket | next(changes)))
        else:
            await line.send(answer(200, ticket))

    result = answered_by(give, "quick", "troedler", "--server", "{url}", "--account", "ivy")
    assert refused(result, "ticket_ended")
    told = [line.partition("  ")[2] for line in result.stdout.splitlines()[1:]]
    assert told == [
        "Looking for others whose ratings differ by up to 118",
        "A table is being made up",
    ]
