"""What dashboard and alarms ask Prometheus for."""

import json
from pathlib import Path
from typing import Any, Final

import yaml  # type: ignore[import-untyped]

DEPLOY: Final = Path(__file__).parents[2] / "deploy"
DASHBOARD: Final[dict[str, Any]] = json.loads(
    (DEPLOY / "grafana/dashboards/howff.json").read_text()
)
RULES: Final[dict[str, Any]] = yaml.safe_load((DEPLOY / "prometheus/alerts.yml").read_text())


def expressions() -> list[str]:
    """Return all that is asked, in the language of Prometheus."""
    panels = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    return [*panels, *(rule["expr"] for group in RULES["groups"] for rule in group["rules"])]
