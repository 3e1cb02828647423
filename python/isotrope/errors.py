"""What is refused, as exceptions with a code, a place and a way out."""

from __future__ import annotations

import json
from operator import index
from typing import Any


class Error(Exception):
    """Something that is wrong with a question; ``str`` shows the place with carets."""

    def __init__(self, diagnostics: str, rendered: str) -> None:
        super().__init__(diagnostics, rendered)
        self.diagnostics: list[dict[str, Any]] = json.loads(diagnostics)
        self._rendered = rendered

    @property
    def code(self) -> str:
        """The stable code of the first diagnostic: ``ISO-MODEL-024``."""
        return str(self.diagnostics[0]["code"])

    @property
    def message(self) -> str:
        """What is wrong, in a sentence."""
        return str(self.diagnostics[0]["message"])

    @property
    def hint(self) -> str | None:
        """The way out, if one is known."""
        hint = self.diagnostics[0]["hint"]
        return None if hint is None else str(hint)

    def __str__(self) -> str:
        return self._rendered.rstrip() or f"{self.message} [{self.code}]"


class ModelError(Error, ValueError):
    """A model, a table or another file says something that has no meaning."""


class RefusedError(Error, ValueError):
    """A request that cannot be answered."""


class OutOfBudget(Error, RuntimeError):
    """An expression grew too large, or a question could not be decided."""


class FileError(Error, OSError):
    """A file that cannot be read or written."""


class StepFailed(Error, ArithmeticError):
    """A step that could not be made."""

    @property
    def failure(self) -> dict[str, Any]:
        """The number of the step, its time, the residual, and the reason."""
        return dict(self.diagnostics[0]["failure"])


class Bug(Error, RuntimeError):
    """A mistake of isotrope itself: please report it."""


class Remark(UserWarning):
    """Something that one should know although there is an answer."""


_BUDGET = {"ISO-DERIVE-009", "ISO-MODIFIED-006", "ISO-PORT-007", "ISO-STABILITY-014"}
_BUDGET |= {"ISO-EXPRESSION-003"}
_FAMILIES: dict[str, type[Error]] = {
    "FILE": FileError,
    "INTERNAL": Bug,
    "MODEL": ModelError,
    "DERIVE": ModelError,
    "TABLE": ModelError,
    "PROBLEM": ModelError,
    "GEOMETRY": ModelError,
}


def refused(diagnostics: str, rendered: str) -> Error:
    """The exception of a refusal of the facade."""
    code = str(json.loads(diagnostics)[0]["code"])
    kind = OutOfBudget if code in _BUDGET else _FAMILIES.get(code.split("-")[1], RefusedError)
    return kind(diagnostics, rendered)


def own(kind: type[Error], code: str, message: str, hint: str | None = None) -> Error:
    """An exception that Python itself finds."""
    diagnostic = {"code": code, "message": message, "hint": hint, "place": None}
    help_ = f"\n  = help: {hint}" if hint else ""
    return kind(json.dumps([diagnostic]), f"error[{code}]: {message}{help_}")


def count(number: Any, what: str) -> int:
    """A number of things: a whole one that is not negative, and not larger than machines count."""
    whole = index(number)
    if not 0 <= whole < 1 << 63:
        raise own(RefusedError, "ISO-REQUEST-001", f"{whole} {what}", "give a whole number from 0 on")
    return whole


def stuck(facts: str, _: str) -> Error:
    """The exception of a step that was not made."""
    failure = json.loads(facts)
    message = f"step {failure['step']} at t = {failure['t']}: {failure['reason']}"
    diagnostic: dict[str, Any] = {"code": "ISO-REQUEST-006", "message": message}
    diagnostic |= {"hint": "take a smaller step, or another method", "place": None}
    return StepFailed(json.dumps([diagnostic | {"failure": failure}]), "")


def bug(message: str, _: str) -> Error:
    """The exception of a panic."""
    hint = "this is a mistake of isotrope: please report it with what you did"
    return own(Bug, "ISO-INTERNAL-001", message, hint)
