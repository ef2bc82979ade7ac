"""What has to hold of every recorded history: each check returns what violates it, in words."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from howff.match.commit import actor_of
from support.histories.checks_of_deadlines import each_deadline_once
from support.histories.checks_of_logs import (
    chain_is_right,
    exports_are_whole,
    rules_decide_alike,
    stream_keeps_all,
    versions_have_no_gap,
)
from support.histories.checks_of_telling import (
    answers_tell_their_commit,
    feeds_tell_the_log,
    reads_show_the_log,
    secrets_are_kept,
)
from support.histories.course import Course, courses
from support.histories.history import History, Sent
from support.histories.rulings import refusal_at

Check = Callable[[History, Mapping[str, Course]], Iterator[str]]


def acknowledged_stand_once(history: History, logs: Mapping[str, Course]) -> Iterator[str]:
    """Every acknowledged command stands in the log where its receipt says, and nowhere else."""
    for each in history.sends:
        if not each.is_ok:
            continue
        course, receipt = logs[each.order.match], each.content["receipt"]
        version = each.content["version"]
        if not 1 <= version <= len(course.commits):
            yield f"{_name(each)}: acknowledged as version {version}, which the log has not"
            continue
        commit = course.commits[version - 1]
        found = commit.command, commit.actor, commit.move
        if found != (each.order.command, actor_of(each.order.seat), each.order.move):
            yield f"{_name(each)}: version {version} tells of {commit.command} of {commit.actor}"
        promised = tuple(receipt[name] for name in ("match", "version", "hash", "signature"))
        if promised != (commit.match, commit.version, commit.hash, commit.signature):
            yield f"{_name(each)}: its receipt is not that of version {version}"


def commands_are_done_once(history: History, logs: Mapping[str, Course]) -> Iterator[str]:
    """No command stands in the log twice, and none that all answers have refused."""
    sends: dict[tuple[str, str, str], list[Sent]] = {}
    for each in history.sends:
        key = each.order.match, actor_of(each.order.seat), each.order.command
        sends.setdefault(key, []).append(each)
    for match, course in logs.items():
        counts = Counter((match, each.actor, each.command) for each in course.commits)
        for key, count in counts.items():
            if count > 1:
                yield f"{key}: stands in the log {count} times"
            if key in sends and all(each.is_refused for each in sends[key]):
                yield f"{key}: was refused and stands in the log"


def real_time_is_kept(history: History, logs: Mapping[str, Course]) -> Iterator[str]:
    """What was acknowledged before another command was sent has a lower version."""
    del history
    for match, course in logs.items():
        for version, sent in enumerate(course.sent, start=1):
            if sent and version <= (known := course.certain(sent)):
                yield f"{match}: the command of version {version} was sent after {known} was told"


def requests_are_answered(history: History, logs: Mapping[str, Course]) -> Iterator[str]:
    """Every command came to an answer; nothing was answered that no client can understand."""
    del logs
    settled = {each.order.command for each in history.sends if each.is_settled}
    for sent in history.sends:
        if sent.order.command not in settled:
            yield f"{_name(sent)}: never answered"
        if sent.is_settled and not (sent.is_ok or sent.is_refused):
            yield f"{_name(sent)}: answered with {sent.status} {sent.body[:200]!r}"
    for read in history.reads:
        if not read.is_ok and read.status != 503:
            yield f"{read.match}: looking was answered with {read.status} {read.body[:200]!r}"
    for session in history.sessions:
        for status in set(session.statuses) - {200, 204, 503}:
            yield f"{session.match}: a feed was answered with {status}"


def refusals_are_right(history: History, logs: Mapping[str, Course]) -> Iterator[str]:
    """A refusal is what some version says that was the newest while the request was under way."""
    for each in history.sends:
        if not each.is_refused:
            continue
        course = logs[each.order.match]
        first, last = course.certain(each.sent), course.possible(each.answered)
        code = each.content["code"]
        versions = range(max(first, 1), last + 1)
        if all(refusal_at(course, version, each.order) != code for version in versions):
            yield f"{_name(each)}: {code} was right at no version from {first} to {last}"


CHECKS: Final[Mapping[str, Check]] = {
    "acknowledged stand once": acknowledged_stand_once,
    "commands are done once": commands_are_done_once,
    "versions have no gap": versions_have_no_gap,
    "chain is right": chain_is_right,
    "real time is kept": real_time_is_kept,
    "reads show the log": reads_show_the_log,
    "answers tell their commit": answers_tell_their_commit,
    "feeds tell the log": feeds_tell_the_log,
    "rules decide alike": rules_decide_alike,
    "exports are whole": exports_are_whole,
    "refusals are right": refusals_are_right,
    "secrets are kept": secrets_are_kept,
    "stream keeps all": stream_keeps_all,
    "requests are answered": requests_are_answered,
    "each deadline once": each_deadline_once,
}
"""All checks, by the names that tests and reports give them."""


def violations(history: History, names: Iterable[str] = CHECKS) -> dict[str, list[str]]:
    """Return what violates each check that is violated, of those of these *names*.

    Clients only turn to matches whose start was acknowledged. One that has no log at all is lost,
    and nothing else can be judged.
    """
    asked = {each.order.match for each in history.sends}
    asked |= {each.match for each in history.reads} | {each.match for each in history.sessions}
    if lost := asked - history.records.keys():
        told = [f"{match}: was started, and is not there" for match in sorted(lost)]
        return {"acknowledged stand once": told}
    logs = courses(history)
    found = {name: list(CHECKS[name](history, logs)) for name in names}
    return {name: each for name, each in found.items() if each}


def _name(sent: Sent) -> str:
    order = sent.order
    return f"{order.match} seat {order.seat} command {order.command}"
