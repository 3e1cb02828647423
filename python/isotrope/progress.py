"""Progress for people who wait: a bar of tqdm where it is installed, a line otherwise."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def bar() -> Callable[[int, int, str], object]:
    """A watcher for a terminal or a notebook."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _line
    shown: dict[str, Any] = {}

    def tell(done: int, total: int, what: str) -> None:
        if not total:
            return
        if shown.get("total") != total:
            shown["bar"] = tqdm(total=total, desc=what, unit="step", unit_scale=True)
            shown["total"] = total
        shown["bar"].update(done - shown["bar"].n)
        if done == total:
            shown.pop("bar").close()
            shown.clear()

    return tell


def _line(done: int, total: int, what: str) -> None:
    part = f" {100 * done // total} %" if total else ""
    print(f"\r{what}{part}   ", end="", file=sys.stderr, flush=True)
