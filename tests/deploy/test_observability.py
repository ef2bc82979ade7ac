"""Dashboard and alarms ask for metrics that services tell, by the names that they have there."""

import re
import subprocess
import sys
from functools import cache
from typing import Any, Final

import pytest
import yaml  # type: ignore[import-untyped]

from support.observed import DASHBOARD, DEPLOY, RULES, expressions

OPERATIONS: Final = (DEPLOY.parent / "docs/operations.md").read_text()
TOLD: Final = """
import os
from datetime import UTC, datetime
from prometheus_client import generate_latest
from howff.servicekit.telemetry import metrics
from howff.servicekit.telemetry.setup import exported
os.environ["OTEL_METRICS_EXPORTER"] = "prometheus"
with exported("all", "1"):
    now = datetime.now(UTC)
    metrics.record_request("GET", "/v1/games", 200, 0.1)
    with metrics.counted_command("Move", lambda: {"game": "troedler"}):
        pass
    metrics.count_baseline(is_kept=True)
    with metrics.measured_append("MATCHES"):
        pass
    metrics.record_handled("outbox", now)
    metrics.record_pending("outbox", 1)
    metrics.record_ready("nats", is_good=True)
    metrics.record_told(now)
    metrics.record_late(1.0)
    metrics.count_decision("troedler", "random", "chosen")
    metrics.record_thinking("troedler", "random", 0.1)
    print(generate_latest().decode())
"""


@cache
def told() -> dict[str, set[str]]:
    """Return the metrics that a process tells once everything was recorded, with their labels."""
    done = subprocess.run(  # noqa: S603 — a process of its own, for telemetry is set up once in each
        [sys.executable, "-c", TOLD], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, set[str]] = {}
    for name, labels in re.findall(r"^(\w+)(?:\{(.*)\})? ", done.stdout, re.MULTILINE):
        found.setdefault(name, set()).update(re.findall(r'(\w+)="', labels))
    return found


@pytest.mark.parametrize("expression", expressions())
def test_a_query_asks_for_what_is_told(expression: str) -> None:
    asked = set(re.findall(r"\b(?:howff|process)_\w+", expression))
    assert asked <= told().keys()
    assert asked or "up{" in expression
    given = {"service", "job", "le", *(label for name in asked for label in told()[name])}
    labels = re.findall(r'(\w+)[=!]~?"', expression)
    by = [
        each.strip()
        for names in re.findall(r"by \(([^)]*)\)", expression)
        for each in names.split(",")
    ]
    assert {*labels, *by} <= given


def test_every_metric_of_howff_stands_on_the_dashboard() -> None:
    shown = {
        re.sub("_(bucket|count|sum|total)$", "", name)
        for panel in DASHBOARD["panels"]
        for target in panel["targets"]
        for name in re.findall(r"howff_\w+", target["expr"])
    }
    measured = {
        re.sub("_(bucket|count|sum|total|created)$", "", name)
        for name in told()
        if name.startswith("howff_")
    }
    assert shown == measured


def test_every_alarm_is_explained() -> None:
    for group in RULES["groups"]:
        for rule in group["rules"]:
            assert f"| `{rule['alert']}` |" in OPERATIONS
            assert rule["labels"]["severity"] in {"page", "ticket"}


def test_panels_ask_a_source_that_is_provided() -> None:
    file = DEPLOY / "grafana/provisioning/datasources/howff.yml"
    sources = {each["uid"] for each in yaml.safe_load(file.read_text())["datasources"]}
    assert {panel["datasource"]["uid"] for panel in DASHBOARD["panels"]} <= sources
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


def test_the_collector_uses_what_it_declares() -> None:
    config: dict[str, Any] = yaml.safe_load((DEPLOY / "collector/config.yaml").read_text())
    assert config.keys() == {"receivers", "processors", "exporters", "service"}
    for pipeline in config["service"]["pipelines"].values():
        for kind in ("receivers", "processors", "exporters"):
            assert set(pipeline[kind]) == config[kind].keys()
