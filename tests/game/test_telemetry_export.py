"""The process and its collector: one that takes everything, ones that are no use, and none."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from howff.servicekit.nats.server import NatsServer, free_ports
from howff.servicekit.telemetry.export import ENDED_WITHIN
from howff.servicekit.telemetry.setup import ENDPOINT
from support.service import nats_server, wait_until
from support.telemetry import traceparent

TRACE: Final = 0x0AF7_6519_16CD_43DD_8448_EB21_1C80_319C
END: Final = 10.0
"""Seconds in which the service has to end."""
WITHOUT: Final = """
import sys, threading
from howff.servicekit.telemetry.setup import exported
from howff.servicekit.telemetry.tracing import sending
with exported("test", "1"), sending("S", "s.1") as headers:
    assert headers == {}
    assert threading.enumerate() == [threading.main_thread()]
assert not [each for each in sys.modules if each.startswith("opentelemetry.sdk")]
"""


LAST: Final = """
import os
from howff.servicekit.telemetry.setup import exported
from howff.servicekit.telemetry.tracing import sending
with exported("test", "1"), sending("LAST", "s.1"):
    pass
os._exit(0)  # whatever was not sent by now is lost
"""
BUSY: Final = """
import time
from howff.servicekit.telemetry.logs import set_up_logs
from howff.servicekit.telemetry.setup import exported
from howff.servicekit.telemetry.tracing import sending
set_up_logs("json")
times = []
with exported("test", "1"):
    for _ in range(9000):
        start = time.perf_counter()
        with sending("S", "s.1"):
            pass
        times.append(time.perf_counter() - start)
        if _ % 1000 == 0:
            time.sleep(0.1)
    start = time.perf_counter()
print(max(times), time.perf_counter() - start)
"""


@dataclass(slots=True)
class Collector:
    """A collector that keeps what it gets, by path."""

    got: list[tuple[str, bytes]] = field(default_factory=list)
    url: str = ""

    def spans(self) -> list[Any]:
        requests = [
            ExportTraceServiceRequest.FromString(body)
            for path, body in self.got
            if path == "/v1/traces"
        ]
        return [
            (resources.resource, span)
            for request in requests
            for resources in request.resource_spans
            for scope in resources.scope_spans
            for span in scope.spans
        ]

    def metrics(self) -> set[str]:
        requests = [
            ExportMetricsServiceRequest.FromString(body)
            for path, body in self.got
            if path == "/v1/metrics"
        ]
        return {
            metric.name
            for request in requests
            for resources in request.resource_metrics
            for scope in resources.scope_metrics
            for metric in scope.metrics
        }


@contextmanager
def collecting() -> Iterator[Collector]:
    collector = Collector()

    class Taking(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            collector.got.append((self.path, self.rfile.read(length)))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Taking) as server:
        collector.url = f"http://127.0.0.1:{server.server_port}"
        serving = threading.Thread(target=server.serve_forever, args=(0.05,))
        serving.start()
        try:
            yield collector
        finally:
            server.shutdown()
            serving.join()


@dataclass(frozen=True, slots=True)
class Game:
    """The service as a process of its own, which writes its log as JSON."""

    process: subprocess.Popen[bytes]
    log: Path

    @property
    def lines(self) -> list[dict[str, str]]:
        return [json.loads(each) for each in self.log.read_text().splitlines()]

    @property
    def url(self) -> str:
        told = [each["message"] for each in self.lines if "serving on" in each["message"]]
        return told[0].rpartition(" ")[2] if told else ""

    def ask(self, **headers: str) -> None:
        assert httpx.get(f"{self.url}/v1/games", headers=headers).status_code == 200

    def end(self) -> None:
        """Ask it to end, and wait until it has."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(END) == 0


@contextmanager
def game_on(nats: NatsServer, log: Path, collector: str) -> Iterator[Game]:
    environment = os.environ | {
        "HOWFF_PORT": "0",
        "HOWFF_NATS_URL": nats.url,
        "HOWFF_NATS_MONITOR_URLS": nats.monitor_url,
        "HOWFF_LOG_FORMAT": "json",
        "OTEL_BSP_SCHEDULE_DELAY": "100",
        "OTEL_METRIC_EXPORT_INTERVAL": "200",
        ENDPOINT: collector,
    }
    command = [sys.executable, "-m", "howff.game"]
    with log.open("wb") as output, subprocess.Popen(command, env=environment, stderr=output) as one:  # noqa: S603 — our own program
        game = Game(one, log)
        try:
            wait_until(lambda: bool(game.url))
            yield game
        finally:
            one.kill()


def test_a_collector_gets_what_the_service_does(tmp_path: Path) -> None:
    with (
        nats_server() as nats,
        collecting() as collector,
        game_on(nats, tmp_path / "log", collector.url) as game,
    ):
        game.ask(traceparent=traceparent(TRACE))
        wait_until(lambda: bool(collector.spans()))
        game.end()
    ((resource, span),) = collector.spans()
    assert span.name == "GET /v1/games"
    assert int.from_bytes(span.trace_id) == TRACE
    named = {each.key: each.value.string_value for each in resource.attributes}
    assert (named["service.namespace"], named["service.name"]) == ("howff", "game")
    assert named["service.instance.id"]
    assert "howff.http.duration" in collector.metrics()


def test_a_collector_gets_what_was_left_at_the_end() -> None:
    with collecting() as collector:
        ran(LAST, **{ENDPOINT: collector.url})
        assert [span.name for _, span in collector.spans()] == ["send LAST"]


@contextmanager
def silent() -> Iterator[str]:
    """Give the address of somebody who takes connections and never answers."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


@contextmanager
def gone() -> Iterator[str]:
    """Give an address where nobody listens."""
    yield f"http://127.0.0.1:{free_ports(1)[0]}"


@pytest.mark.parametrize("useless", [silent, gone])
def test_a_collector_that_is_no_use_slows_nobody_down_and_fills_no_log(useless: Any) -> None:
    with useless() as url:
        process = ran(BUSY, **{ENDPOINT: url, "OTEL_BSP_SCHEDULE_DELAY": "50"})
    longest, ended = map(float, process.stdout.split())
    assert longest < 1
    assert ended < ENDED_WITHIN + 2
    lines = [json.loads(each)["logger"] for each in process.stderr.splitlines()]
    assert len([each for each in lines if each.startswith("opentelemetry")]) <= 1


def test_without_a_collector_there_is_no_exporter_and_no_thread() -> None:
    assert ran(WITHOUT, **{ENDPOINT: ""}).returncode == 0


def ran(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Return how a *program* of ours has ended, which has to be well."""
    return subprocess.run(  # noqa: S603 — lines of our own
        [sys.executable, "-c", program],
        env=os.environ | environment,
        capture_output=True,
        check=True,
        text=True,
        timeout=30,
    )
