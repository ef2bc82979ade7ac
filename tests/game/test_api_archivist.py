"""What scoring may read: logs of matches that are over, whoever may watch them; nothing else."""

import pytest

from howff.servicekit import clock, ids
from howff.servicekit.web.parts import PartTokens
from howff.servicekit.web.tokens import SCORING
from support.service import Eyes, Service
from support.web import problem_of
from support.workers import KEY

SHORT = {"round_limit": 1}


@pytest.fixture
def archivist(service: Service) -> Eyes:
    token = PartTokens(SCORING, KEY, now=clock.now, new_id=ids.new_id).current()
    return Eyes(service.http, {"Authorization": f"Bearer {token}"})


def test_a_private_match_is_read_whole_once_it_is_over_and_not_before(
    service: Service, archivist: Eyes
) -> None:
    table = service.table(watch="private", options=SHORT)
    path = f"{table.path}/export"
    table.play()
    problem_of(archivist.get(path), 404, "no_such_match")
    problem_of(archivist.get(f"{path}?as=seat:0"), 404, "no_such_match")
    assert table.advance().is_over
    answer = archivist.get(path)
    assert answer.status_code == 200
    assert answer.content == table.eyes(0).get(path).content


def test_a_match_that_goes_on_is_told_as_to_everybody(service: Service, archivist: Eyes) -> None:
    table = service.table(options=SHORT)
    table.play()
    path = f"{table.path}/export"
    assert archivist.get(path).content == service.eyes(None).get(path).content
    problem_of(archivist.get(f"{path}?as=seat:0"), 404, "no_such_match")


@pytest.mark.parametrize("route", ["", "/moves", "/events", "/replay"])
def test_it_is_for_nothing_else(service: Service, archivist: Eyes, route: str) -> None:
    table = service.table(options=SHORT)
    problem_of(archivist.get(f"{table.path}{route}"), 403, "missing_scope")
