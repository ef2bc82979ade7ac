"""The pods of each overlay work together, by an engine that runs them as their manifests say."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from howff.servicekit import ids
from support.k8s.rendering import OVERLAYS, Cluster, kustomize_command, rendered
from support.k8s.running import IMAGE, Running, engine

IS_WANTED = bool(os.environ.get("HOWFF_CONTAINER_TESTS"))
pytestmark = [
    pytest.mark.skipif(not IS_WANTED, reason="needs a container engine: make test-containers"),
    pytest.mark.skipif(
        kustomize_command() is None, reason="there is no kubectl 1.27 or kustomize 5, or later"
    ),
]
PROCESSES: Final = ("game", "lobby", "scoring", "bots")
NATS: Final = ("nats-0", "nats-1", "nats-2")
OVER_WITHIN: Final = 180.0
POLL: Final = 0.5


def answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5).is_success
    except httpx.HTTPError:
        return False


@contextmanager
def pods_of(name: str, folder: Path) -> Iterator[Running]:
    """Give the pods of an overlay, all of them ready; `prod` has the PostgreSQL of `dev`."""
    client = engine()
    if client is None:
        pytest.skip(f"no engine is here that has the image {IMAGE}")
    dev = rendered(OVERLAYS / "dev")
    databases = [each for each in dev if "postgres" in str(each["metadata"])]
    objects = dev if name == "dev" else [*rendered(OVERLAYS / name), *databases]
    with Running(client, Cluster(objects), folder) as pods:
        pods.start("nats")
        pods.start("postgres")
        pods.wait_until("nats-0", lambda host: answers(f"http://{host}:8222/healthz"))
        pods.start("migrations")
        pods.wait_done("migrations-0")  # PostgreSQL has to answer first
        for each in PROCESSES:
            pods.start(each)
        wait_until_ready(pods)
        yield pods


def wait_until_ready(pods: Running) -> None:
    for each in PROCESSES:
        pods.wait_until(f"{each}-0", lambda host: answers(f"http://{host}:9000/readyz"))


def asked(method: str, url: str, **options: Any) -> Any:
    """Return what is answered, asking again while a service has to wait for an election."""
    deadline = time.monotonic() + OVER_WITHIN
    while True:
        answer = httpx.request(method, url, timeout=10, **options)
        is_later = answer.status_code == httpx.codes.SERVICE_UNAVAILABLE
        if not (is_later and time.monotonic() < deadline):
            assert answer.is_success, answer.text
            return answer.json()
        time.sleep(POLL)


def told_at(url: str, is_good: Callable[[Any], bool], **headers: str) -> None:
    """Ask again and again until the answer is good."""
    deadline = time.monotonic() + OVER_WITHIN
    while not is_good(found := asked("GET", url, headers=headers)):
        assert time.monotonic() < deadline, found
        time.sleep(POLL)


def play_a_match_of_bots(pods: Running) -> None:
    """Let two bots play a match to its end."""
    lobby, game = (f"http://{pods.address(each)}:8000" for each in ("lobby-0", "game-0"))
    guest = asked("POST", f"{lobby}/v1/accounts/guests", json={})
    headers = {"Authorization": f"Bearer {guest['access_token']}"}
    wish = {"game": "troedler", "seats": [{"bot": "random"}, {"bot": "casual"}]}
    once = {**headers, "Idempotency-Key": ids.new_id()}
    match = asked("POST", f"{game}/v1/matches", json=wish, headers=once)["match"]
    told_at(f"{game}/v1/matches/{match}", lambda found: found["outcome"] is not None, **headers)


def wait_until_counted(pods: Running, count: int) -> None:
    """Wait until scoring has counted so many matches: it has fetched and verified each."""
    address = f"http://{pods.address('scoring-0')}:8000/v1/statistics/troedler"
    told_at(address, lambda found: sum(each["matches"] for each in found["groups"]) == count)


def is_lag_known_to_keda(pods: Running) -> bool:
    """Return whether the leader of the workers' consumer tells its lag, asked as KEDA does.

    It asks any server for the addresses of all, which have to mean something where it runs,
    and then each of them whether it leads.
    """
    scaler = Cluster(rendered(OVERLAYS / "prod")).named("ScaledObject", "bots")
    assert scaler is not None
    wanted = scaler["spec"]["triggers"][0]["metadata"]
    query = {"acc": wanted["account"], "consumers": "true", "config": "true"}
    addresses = asked("GET", f"http://{pods.address('nats-0')}:8222/varz")["connect_urls"]
    service = wanted["natsServerMonitoringEndpoint"].partition(":")[0]
    assert {each.partition(":")[0] for each in addresses} == {f"{each}.{service}" for each in NATS}
    leaders = set[str]()
    for name in NATS:
        told = asked("GET", f"http://{pods.address(name)}:8222/jsz", params=query)
        found = (each for each in _consumers(told, wanted) if "num_pending" in each)
        leaders |= {each["cluster"]["leader"] for each in found} & {name}
    return len(leaders) == 1


def _consumers(told: Any, wanted: dict[str, str]) -> list[Any]:
    return [
        consumer
        for account in told["account_details"]
        if account["name"] == wanted["account"]
        for stream in account["stream_detail"]
        if stream["name"] == wanted["stream"]
        for consumer in stream["consumer_detail"]
        if consumer["name"] == wanted["consumer"]
    ]


def test_bots_play_in_the_pods_of_a_laptop(tmp_path: Path) -> None:
    with pods_of("dev", tmp_path) as pods:
        play_a_match_of_bots(pods)
        wait_until_counted(pods, 1)


def test_bots_play_on_while_one_of_three_servers_of_nats_is_gone(tmp_path: Path) -> None:
    with pods_of("prod", tmp_path) as pods:
        play_a_match_of_bots(pods)
        assert is_lag_known_to_keda(pods)
        pods.kill("nats-2")
        play_a_match_of_bots(pods)
        wait_until_ready(pods)
        wait_until_counted(pods, 2)
