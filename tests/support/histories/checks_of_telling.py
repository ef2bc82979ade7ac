"""Checks of what clients were told: answers, reads, feeds, and what stays secret."""

import base64
import re
from collections.abc import Iterator, Mapping
from typing import Final

from howff.match.commit import commit_to_json
from support.histories.course import Course
from support.histories.history import Frame, History, Read, Sent, Session

SALT: Final = re.compile(rb"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
"""What has the form of a salt, which opens one sealed field."""


def answers_tell_their_commit(history: History, logs: Mapping[str, Course]) -> Iterator[str]:
    """What answers a command is its commit as its seat may know it, and not a byte more."""
    answered: dict[tuple[str, int, str], float] = {}
    for each in sorted(history.sends, key=lambda sent: sent.answered):
        if not each.is_ok:
            continue
        key = each.order.match, each.order.seat, each.order.command
        is_repeated = answered.setdefault(key, each.answered) < each.sent
        course, version = logs[each.order.match], each.content["version"]
        if version <= course.newest and not _is_answer(course, each, is_repeated=is_repeated):
            yield f"{key}: the answer does not tell version {version} as its seat knows it"


def reads_show_the_log(history: History, logs: Mapping[str, Course]) -> Iterator[str]:
    """A look shows a version of the log, and none older than what anybody had been told before."""
    for read in history.reads:
        if not read.is_ok:
            continue
        course, version = logs[read.match], read.version
        first, last = course.certain(read.sent), course.possible(read.answered)
        if not first <= version <= last:
            yield f"{_title(read)}: shows {version}, but {first} to {last} were the newest then"
        elif version <= course.newest and not _is_seen(course, read):
            yield f"{_title(read)}: is not what {read.look.viewer} may see of version {version}"


def feeds_tell_the_log(history: History, logs: Mapping[str, Course]) -> Iterator[str]:
    """A feed tells every commit once, in order, as its viewer may know it then, up to the end."""
    for session in history.sessions:
        course = logs[session.match]
        yield from _gaps(session)
        for frame in session.frames:
            if frame.version > course.possible(frame.at):
                yield f"{_feed(session)}: {frame.kind} {frame.version} before it was sent"
            elif frame.kind == "commit" and not _is_told(course, session, frame):
                yield f"{_feed(session)}: version {frame.version} is not as it may be told then"
            elif frame.kind == "over" and not course.state(frame.version).is_over:
                yield f"{_feed(session)}: over before the end"
        if not session.is_complete:
            yield f"{_feed(session)}: told up to {session.told} of {len(course.commits)}"


def secrets_are_kept(history: History, logs: Mapping[str, Course]) -> Iterator[str]:
    """Before the end nothing holds the seed, and nothing but told commits holds salts."""
    for match, texts in _texts(history).items():
        course = logs[match]
        seed = course.record.seed
        forms = (seed, seed.hex().encode(), base64.b64encode(seed)[:40])
        over = course.reached[-1] if course.states and course.states[-1].is_over else None
        for at, text, may_have_salts in texts:
            if over is not None and at >= over:
                continue  # the seed is told with the last commit
            if any(form in text for form in forms):
                yield f"{match}: the seed stands in {text[:80]!r}"
            if not may_have_salts and SALT.search(text):
                yield f"{match}: a salt stands in {text[:80]!r}"


def _is_answer(course: Course, each: Sent, *, is_repeated: bool) -> bool:
    seat, version, told = each.order.seat, each.content["version"], each.content["commit"]
    if not is_repeated and told == commit_to_json(course.told(version, seat, version, live=True)):
        return True
    first = max(version, course.certain(each.sent))
    versions = range(first, course.possible(each.answered) + 1)
    return any(told == commit_to_json(course.told(version, seat, by)) for by in versions)


def _is_seen(course: Course, read: Read) -> bool:
    match read.look.reading:
        case "match":
            return bool(read.content == course.look(read.version, read.look.viewer))
        case "moves":
            assert read.look.viewer is not None, "a spectator has no moves"
            return bool(read.content == course.moves(read.version, read.look.viewer))
        case "events":
            return _are_told(course, read, read.content["commits"])
        case "export":
            return _are_told(course, read, read.content[1:])


def _are_told(course: Course, read: Read, commits: list[object]) -> bool:
    versions = range(read.look.after + 1, read.version + 1)
    expected = [
        commit_to_json(course.told(version, read.look.viewer, read.version)) for version in versions
    ]
    return commits == expected


def _gaps(session: Session) -> Iterator[str]:
    told = session.after
    for frame in session.frames:
        if frame.kind == "commit":
            if frame.version != told + 1:
                yield f"{_feed(session)}: version {frame.version} after {told}"
            told = frame.version
        elif frame.version != told:
            yield f"{_feed(session)}: {frame.kind} at {frame.version} after {told}"


def _is_told(course: Course, session: Session, frame: Frame) -> bool:
    viewer, version = session.viewer, frame.version
    known = course.certain(frame.asked)
    if version > known and frame.line == course.line(version, viewer, version, live=True):
        return True
    versions = range(max(version, known), course.possible(frame.at) + 1)
    return any(frame.line == course.line(version, viewer, by) for by in versions)


def _texts(history: History) -> dict[str, list[tuple[float, bytes, bool]]]:
    """Return everything told of each match: when, what, and whether salts may stand in it."""
    texts: dict[str, list[tuple[float, bytes, bool]]] = {}
    for each in history.sends:
        texts.setdefault(each.order.match, []).append((each.answered, each.body, each.is_ok))
    for read in history.reads:
        tells = read.look.reading in {"events", "export"}
        texts.setdefault(read.match, []).append((read.answered, read.body, tells))
    for session in history.sessions:
        lines = ((frame.at, frame.line, True) for frame in session.frames)
        texts.setdefault(session.match, []).extend(lines)
    return texts


def _title(read: Read) -> str:
    return f"{read.match}: {read.look.reading} of {read.look.viewer}"


def _feed(session: Session) -> str:
    return f"{session.match}: feed of {session.viewer} after {session.after}"
