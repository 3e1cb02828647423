"""Keywords as the text of a model file, so that there is one grammar."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import ModelError, own

_DEEPEST = 8


def _quoted(text: str) -> str:
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    parts = []
    for character in text:
        if character in escapes:
            parts.append(escapes[character])
        elif ord(character) < 32 or ord(character) == 127:
            parts.append(f"\\u{ord(character):04x}")
        else:
            parts.append(character)
    return '"' + "".join(parts) + '"'


def _value(value: Any, depth: int) -> str:
    if depth > _DEEPEST:
        message = "the keywords of the model are nested too deeply"
        raise own(ModelError, "ISO-REQUEST-007", message, "a model has tables of expressions")
    if isinstance(value, Mapping):
        inside = (f"{_quoted(str(key))} = {_value(item, depth + 1)}" for key, item in value.items())
        return "{ " + ", ".join(inside) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(item, depth + 1) for item in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 2**63 else _quoted(str(value))
    if isinstance(value, float):
        return _quoted(repr(value))
    if type(value).__module__.startswith("numpy") and hasattr(value, "tolist"):
        return _value(value.tolist(), depth)
    return _quoted(str(value).replace("**", "^"))


def toml(tables: Mapping[str, Any]) -> str:
    """The text of a model with these tables."""
    plain = [key for key, value in tables.items() if not isinstance(value, Mapping)]
    lines = [f"{_quoted(key)} = {_value(tables[key], 0)}" for key in plain]
    for key, table in tables.items():
        if isinstance(table, Mapping):
            lines += ["", f"[{_quoted(key)}]"]
            lines += [f"{_quoted(str(k))} = {_value(item, 1)}" for k, item in table.items()]
    return "\n".join(lines) + "\n"
