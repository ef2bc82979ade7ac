"""Files with secrets in them."""

import os
from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """Write *text* to a file that its owner alone may read, whatever stood there before."""
    path.unlink(missing_ok=True)
    with open(path, "x", opener=_opened) as file:
        file.write(text)


def _opened(path: str, flags: int) -> int:
    return os.open(path, flags, mode=0o600)
