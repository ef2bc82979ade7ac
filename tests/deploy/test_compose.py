"""docker-compose.yml and the files beside it say what the rest of the repository says."""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
import yaml  # type: ignore[import-untyped]

from howff.cli.machine.secret_file import secrets_from
from howff.cli.machine.services import LOBBY_PATHS, SCORING_PATHS
from howff.servicekit import ids
from howff.servicekit.nats.server import ServerPlan

ROOT: Final = Path(__file__).parents[2]
CADDYFILE: Final = (ROOT / "deploy/caddy/Caddyfile").read_text()


def compose() -> Any:
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())


def with_what_follows(paths: tuple[str, ...]) -> set[str]:
    """Return what the proxy matches: a path and all below it; one that begins with `=` alone."""
    alone = {path.removeprefix("=") for path in paths if path.startswith("=")}
    others = [path for path in paths if not path.startswith("=")]
    return {*alone, *others, *(f"{path}/*" for path in others)}


@pytest.mark.parametrize(
    ("service", "paths"),
    [
        ("lobby", with_what_follows(LOBBY_PATHS)),
        ("scoring", with_what_follows(SCORING_PATHS)),
    ],
)
def test_the_proxy_leads_each_path_to_the_service_that_the_front_leads_it_to(
    service: str, paths: set[str]
) -> None:
    (matched,) = re.findall(rf"@{service} path (.*)", CADDYFILE)
    assert set(matched.split()) == paths
    assert re.search(rf"handle @{service} {{\s+reverse_proxy {service}:8000 ", CADDYFILE)


def test_all_other_paths_lead_to_the_match_service() -> None:
    assert re.search(r"handle {\s+reverse_proxy game:8000 ", CADDYFILE)


def test_nats_runs_as_howff_up_runs_it() -> None:
    wanted = json.loads(ServerPlan(Path(), 4222, 8222).configuration())
    text = (ROOT / "deploy/nats/nats.conf").read_text()
    for name, value in (
        ("max_payload", wanted["max_payload"]),
        ("sync_interval", wanted["jetstream"]["sync_interval"]),
        ("max_memory_store", wanted["jetstream"]["max_memory_store"]),
    ):
        assert re.search(rf"^ *{name}: {value}$", text, re.MULTILINE), name


def test_all_users_of_nats_have_a_password_from_outside() -> None:
    named = set(re.findall(r"\$(HOWFF_\w+)", (ROOT / "deploy/nats/users.conf").read_text()))
    assert named
    assert compose()["x-nats-users"].keys() == named


def test_every_secret_that_is_asked_for_is_made_and_no_other() -> None:
    asked = set(re.findall(r"\$\{(\w+):\?", (ROOT / "docker-compose.yml").read_text()))
    lines = secrets_from(ids.new_secret).splitlines()
    assert {line.partition("=")[0] for line in lines if "=" in line} == asked


def test_no_secret_has_a_default() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    assert not re.findall(r"\$\{\w*(?:PASSWORD|KEY|KEYS):-", text)
    assert not re.findall(r"(?:PASSWORD|_KEY|_KEYS): +[^$\s]", text)


def test_nobody_may_become_root_or_write_but_those_who_must() -> None:
    services: dict[str, dict[str, Any]] = compose()["services"]
    assert {name for name, each in services.items() if each.get("cap_drop") != ["ALL"]} == set()
    assert {name for name, each in services.items() if "cap_add" in each} == {"caddy", "postgres"}
    assert {name for name, each in services.items() if not each.get("read_only")} == {
        "postgres",
        "grafana",
    }


def test_nats_and_the_databases_are_reached_by_those_who_need_them_alone() -> None:
    services: dict[str, dict[str, Any]] = compose()["services"]
    within = {
        network: {name for name, each in services.items() if network in each.get("networks", ())}
        for network, settings in compose()["networks"].items()
        if settings == {"internal": True}
    }
    nats = {"nats", "nats-2", "nats-3"}
    assert within == {
        "messages": {*nats, "lobby", "game", "scoring", "bots"},
        "databases": {"postgres", "migrate", "lobby", "scoring"},
    }


def test_every_image_has_a_version() -> None:
    services: dict[str, dict[str, Any]] = compose()["services"]
    images = {each["image"] for each in services.values()}
    assert not [image for image in images if ":" not in image or image.endswith(":latest")]
