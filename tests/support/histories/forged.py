"""Histories with one thing changed, each of which a check has to notice."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import orjson

from support.histories.history import History, Record, Sent

Forge = Callable[[History], None]


@dataclass(frozen=True, slots=True)
class Forgery:
    """What is changed, and the check that has to notice it."""

    name: str
    noticed_by: str
    forge: Forge


def _acknowledged(history: History) -> Sent:
    return next(each for each in history.sends if each.is_ok)


def _record_of(history: History, sent: Sent) -> Record:
    return history.records[sent.order.match]


def _loses_commits(history: History) -> None:
    first = _acknowledged(history)
    record = _record_of(history, first)
    messages = record.messages[: first.content["version"] - 1]
    history.records[record.match] = replace(record, messages=messages)


def _loses_a_match(history: History) -> None:
    del history.records[_acknowledged(history).order.match]


def _has_a_gap(history: History) -> None:
    record = _record_of(history, _acknowledged(history))
    messages = record.messages[:2] + record.messages[3:]
    history.records[record.match] = replace(record, messages=messages)


def _changes_an_event(history: History) -> None:
    record = _record_of(history, _acknowledged(history))
    position, content = record.messages[-1]
    commit = orjson.loads(content)
    commit["events"] = commit["events"][:1]
    messages = (*record.messages[:-1], (position, orjson.dumps(commit)))
    history.records[record.match] = replace(record, messages=messages)


def _sends_after_it_was_known(history: History) -> None:
    first = _acknowledged(history)
    end = max(each.answered for each in history.sends) + 1
    sends = [each for each in history.sends if each.order != first.order]
    history.sends = [*sends, replace(first, sent=end, answered=end + 1)]


def _is_never_answered(history: History) -> None:
    first = _acknowledged(history)
    sends = [each for each in history.sends if each.order.command != first.order.command]
    history.sends = [*sends, replace(first, status=None, body=b"")]


def _answers_with_a_bug(history: History) -> None:
    history.sends.append(replace(_acknowledged(history), status=500, body=b"{}"))


def _is_told_more(history: History) -> None:
    first = next(each for each in history.sends if each.is_ok and each.content["commit"]["salts"])
    content = orjson.loads(first.body)
    content["commit"]["bot"] = {"policy": "random"}
    changed = replace(first, body=orjson.dumps(content))
    history.sends = [changed if each is first else each for each in history.sends]


def _looks_back(history: History) -> None:
    looks = [each for each in history.reads if each.look.reading == "match"]
    old, new = looks[0], max(looks, key=lambda read: (read.match == looks[0].match, read.version))
    history.reads.append(replace(old, sent=new.answered, answered=new.answered + 1))


def _exports_another_end(history: History) -> None:
    export = next(each for each in reversed(history.reads) if each.look.reading == "export")
    body = export.body.replace(b'"version":2', b'"version":3')
    history.reads.append(replace(export, body=body))


def _misses_a_frame(history: History) -> None:
    session = max(history.sessions, key=lambda each: each.told - each.after)
    commits = [frame for frame in session.frames if frame.kind == "commit"]
    session.frames.remove(commits[len(commits) // 2])


def _stops_early(history: History) -> None:
    history.sessions[0].is_complete = False


def _goes_back(history: History) -> None:
    history.marks.append(replace(history.marks[-1], last=history.marks[-1].last - 1))


def _begins_anew(history: History) -> None:
    history.marks.append(replace(history.marks[-1], created="another day"))


def _worked_ahead(history: History) -> None:
    history.marks[0] = replace(history.marks[0], floor=history.marks[-1].last + 1)


FORGERIES: Final = (
    Forgery("loses commits", "acknowledged stand once", _loses_commits),
    Forgery("loses a match", "acknowledged stand once", _loses_a_match),
    Forgery("has a gap", "versions have no gap", _has_a_gap),
    Forgery("changes an event", "rules decide alike", _changes_an_event),
    Forgery("sends after it was known", "real time is kept", _sends_after_it_was_known),
    Forgery("is never answered", "requests are answered", _is_never_answered),
    Forgery("answers with a bug", "requests are answered", _answers_with_a_bug),
    Forgery("is told more", "answers tell their commit", _is_told_more),
    Forgery("looks back", "reads show the log", _looks_back),
    Forgery("exports another end", "exports are whole", _exports_another_end),
    Forgery("misses a frame", "feeds tell the log", _misses_a_frame),
    Forgery("stops early", "feeds tell the log", _stops_early),
    Forgery("goes back", "stream keeps all", _goes_back),
    Forgery("begins anew", "stream keeps all", _begins_anew),
    Forgery("worked ahead", "stream keeps all", _worked_ahead),
)
"""All ways in which a history is forged."""
