"""The alarms: each is raised by its trouble and by no other, as Prometheus itself computes them."""

import json
import subprocess
from typing import Any, Final

import yaml  # type: ignore[import-untyped]

from support.observed import DEPLOY, RULES

COMPOSE: Final = yaml.safe_load((DEPLOY.parent / "docker-compose.yml").read_text())
IMAGE: Final[str] = COMPOSE["services"]["prometheus"]["image"]
SERVICES: Final = ("lobby", "game", "scoring", "bots")
WELL: Final = {
    **{f'up{{job="howff", service="{each}"}}': "1x80" for each in SERVICES},
    'howff_ready{service="game", check="nats"}': "1x40 0x4 1x36",
    'howff_http_duration_seconds_count{service="game", http_response_status_code="200"}': "0+99x80",
    'howff_http_duration_seconds_count{service="game", http_response_status_code="503"}': "0+1x80",
    'howff_append_duration_seconds_bucket{journal="MATCHES", le="1"}': "0+99x80",
    'howff_append_duration_seconds_bucket{journal="MATCHES", le="2.5"}': "0+99x80",
    'howff_append_duration_seconds_bucket{journal="MATCHES", le="+Inf"}': "0+99x80",
    'howff_consumer_pending{service="game", consumer="outbox"}': "500x40 3x40",
    'howff_feed_lag_seconds_bucket{le="2.5"}': "0+99x80",
    'howff_feed_lag_seconds_bucket{le="5"}': "0+100x80",
    'howff_feed_lag_seconds_bucket{le="+Inf"}': "0+100x80",
    'howff_deadline_lateness_seconds_bucket{le="10"}': "0+99x80",
    'howff_deadline_lateness_seconds_bucket{le="30"}': "0+100x80",
    'howff_deadline_lateness_seconds_bucket{le="+Inf"}': "0+100x80",
    'howff_bot_decisions_total{result="chosen"}': "0+98x80",
    'howff_bot_decisions_total{result="moot"}': "0+50x80",
    'howff_bot_decisions_total{result="late"}': "0+1x80",
}
"""What a server tells that is well: metrics, and their values every 15 seconds."""
TROUBLES: Final = {
    "ServiceAway": {'up{job="howff", service="game"}': "1x70 0x10"},
    "NotReady": {'howff_ready{service="game", check="nats"}': "1x70 0x10"},
    "RequestsFail": {
        'howff_http_duration_seconds_count{service="game", http_response_status_code="503"}': (
            "0+5x80"
        )
    },
    "AppendsAreSlow": {
        'howff_append_duration_seconds_bucket{journal="MATCHES", le="1"}': "0+90x80",
    },
    "ConsumerIsBehind": {
        'howff_consumer_pending{service="game", consumer="outbox"}': "3x30 101x50"
    },
    "FeedsAreLate": {'howff_feed_lag_seconds_bucket{le="2.5"}': "0+90x80"},
    "FlagsFallLate": {'howff_deadline_lateness_seconds_bucket{le="10"}': "0+90x80"},
    "BotsAreLate": {'howff_bot_decisions_total{result="thinker_died"}': "0+10x80"},
}
"""What is told otherwise when an alarm has to be raised."""


def case(series: dict[str, str], *raised: str) -> dict[str, Any]:
    """Return a test for `promtool`: after 20 minutes of *series* these alarms are *raised*."""
    return {
        "interval": "15s",
        "input_series": [{"series": name, "values": told} for name, told in series.items()],
        "promql_expr_test": [
            {
                "expr": 'count by (alertname) (ALERTS{alertstate="firing"})',
                "eval_time": "20m",
                "exp_samples": [
                    {"labels": f'{{alertname="{each}"}}', "value": 1} for each in raised
                ],
            }
        ],
    }


def test_each_alarm_is_raised_by_its_trouble_and_by_no_other() -> None:
    alarms = {rule["alert"] for group in RULES["groups"] for rule in group["rules"]}
    assert TROUBLES.keys() == alarms
    gone = {name: told for name, told in WELL.items() if 'service="bots"' not in name}
    cases = [
        case(WELL),
        case(gone, "ServiceAway"),
        *(case(WELL | told, alarm) for alarm, told in TROUBLES.items()),
    ]
    tests = {"rule_files": ["/etc/prometheus/alerts.yml"], "tests": cases}
    checked = subprocess.run(  # noqa: S603
        [
            *("docker", "run", "--rm", "--interactive", "--entrypoint", "sh"),
            *("--volume", f"{DEPLOY / 'prometheus'}:/etc/prometheus:ro", IMAGE, "-c"),
            "promtool check config /etc/prometheus/prometheus.yml"
            " && cat >/tmp/tests.yml && promtool test rules /tmp/tests.yml",
        ],
        input=json.dumps(tests),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
