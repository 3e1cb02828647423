"""What the tests share: models, and the command to compare with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODELS = sorted(ROOT.glob("models/*.toml")) + sorted(ROOT.glob("models/*/*.toml"))
MODELS = [path for path in MODELS if path.parent.name not in ("geometry", "groups", "tables")]
BAD = sorted(ROOT.glob("tests/bad_models/*.toml"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="what takes minutes as well")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--long"):
        for item in items:
            if "long" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="takes minutes: --long"))


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: Any) -> None:
    """Paths are those of the repository, as in the documentation; caches are empty ones."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


def command() -> list[str]:
    """The command of the same build, or the one in the package."""
    built = os.environ.get("ISOTROPE", "")
    return [built] if built and Path(built).exists() else [sys.executable, "-m", "isotrope"]


def told(*arguments: str) -> tuple[int, str, str]:
    """What the command does: exit code, stdout, stderr."""
    done = subprocess.run(
        [*command(), *arguments], capture_output=True, text=True, cwd=ROOT, check=False
    )
    return done.returncode, done.stdout, done.stderr


TIMES = {"compile_seconds", "run_seconds", "ns_per_step", "seconds", "cost_seconds"}
TIMES |= {"seconds_per_step", "seconds_per_step_with_derivatives"}


def timeless(value: Any) -> Any:
    """An answer without what a clock has measured."""
    if isinstance(value, dict):
        return {key: timeless(item) for key, item in value.items() if key not in TIMES}
    return [timeless(item) for item in value] if isinstance(value, list) else value


def json_of(*arguments: str) -> Any:
    """The JSON of the command."""
    code, out, err = told(*arguments, "--json")
    assert code in (0, 1), err
    return timeless(json.loads(out))
