"""Render the overlays and look at what comes out: `make k8s`.

Where nothing renders them, that is said, and they are not looked at.
"""

import sys

from support.k8s.checks import findings
from support.k8s.rendering import (
    NAMES,
    OVERLAYS,
    Cluster,
    NotRenderedError,
    kustomize_command,
    rendered,
)


def main() -> int:
    """Return the status: 0 if all is well, or nothing can be rendered here."""
    if kustomize_command() is None:
        sys.stderr.write(
            "deploy/k8s is not checked: there is no kubectl 1.27 or kustomize 5, or later\n"
        )
        return 0
    found = [f"{name}: {text}" for name in NAMES for text in _findings_of(name)]
    sys.stderr.writelines(f"{line}\n" for line in found)
    return 1 if found else 0


def _findings_of(name: str) -> list[str]:
    try:
        return findings(Cluster(rendered(OVERLAYS / name)))
    except NotRenderedError as error:
        return [str(error)]


if __name__ == "__main__":
    sys.exit(main())
