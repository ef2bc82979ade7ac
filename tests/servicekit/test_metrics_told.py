"""Metrics that are asked for beside the probes, in the form that Prometheus reads."""

import os
import subprocess
import sys
from typing import Final

import pytest

from howff.servicekit.telemetry.setup import ENDPOINT, METRICS

ASKED: Final = """
import asyncio, sys, threading
import httpx
from howff.servicekit.readiness import Finding, Readiness
from howff.servicekit.telemetry.metrics import record_pending, record_request
from howff.servicekit.telemetry.setup import exported
from howff.servicekit.web.health import probes_served

async def look():
    return Finding(False, "nothing")

async def main():
    readiness = Readiness({"shelf": look}, asyncio.Event())
    async with probes_served(readiness, host="127.0.0.1", port=0) as url:
        async with httpx.AsyncClient(base_url=url, trust_env=False) as http:
            answer = await http.get("/metrics")
    print(answer.status_code, answer.headers["content-type"])
    print(answer.text)

with exported("shop", "1"):
    record_request("GET", "/things/{thing}", 200, 0.003)
    record_pending("outbox", 3)
    asyncio.run(main())
"""


def told(**environment: str) -> str:
    """Return what is answered where a process is asked for its metrics."""
    kept = {name: text for name, text in os.environ.items() if name not in {METRICS, ENDPOINT}}
    done = subprocess.run(  # noqa: S603 — a process of its own, for telemetry is set up once in each
        [sys.executable, "-c", ASKED],
        env={**kept, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_metrics_are_told_beside_the_probes_where_they_are_asked_for() -> None:
    text = told(OTEL_METRICS_EXPORTER="prometheus")
    assert text.startswith("200 text/plain")
    for line in (
        'howff_http_duration_seconds_bucket{http_request_method="GET",'
        'http_response_status_code="200",http_route="/things/{thing}",le="0.005"} 1.0',
        'howff_consumer_pending{consumer="outbox"} 3.0',
        'howff_ready{check="process"} 1.0',
        'howff_ready{check="shelf"} 0.0',
    ):
        assert line in text
    assert 'service_name="shop"' in text


@pytest.mark.parametrize("exporter", ["", "none", "otlp"])
def test_metrics_are_told_to_nobody_where_they_are_not_asked_for(exporter: str) -> None:
    assert told(OTEL_METRICS_EXPORTER=exporter).startswith("404 ")
