"""Questions that are not about one model: methods, conditions, construction, geometry, connections."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import Any

from . import _isotrope
from .answer import Answer, Construction, Method, Table
from .model import Model, Progress, exact, watcher


def _asked(
    study: str,
    asked: dict[str, Any],
    model: Model | None = None,
    progress: bool | Progress | None = None,
) -> tuple[dict[str, Any], bool, str, str | None, str | None]:
    given = {key: value for key, value in asked.items() if value is not None}
    if "request" in given:
        given["request"] = {k: v for k, v in given["request"].items() if v is not None}
    inner = None if model is None else model._model
    text, negative, words, latex, html = _isotrope.ask(
        study, json.dumps(given), inner, watcher(progress)
    )
    return json.loads(text), negative, words, latex, html


def methods(*, progress: bool | Progress | None = None) -> Table:
    """All methods with what was computed of them."""
    return Table(*_asked("methods", {}, progress=progress)[:3])


def method(name: str) -> Method:
    """One method with what was computed of it."""
    return Method(*_asked("method", {"name": name})[:3])


def certify(table: str | PathLike[str], *, name: str | None = None) -> Method:
    """What is computed of a table: the path of a file, or its text."""
    text = fspath(table)
    if "\n" not in text and "=" not in text:
        path, text = text, _isotrope.Model.read(text).decode(errors="surrogateescape")
        name = name or path
    return Method(*_asked("certify", {"text": text, "name": name})[:3])


def trees(
    family: str | None = None,
    order: int | None = None,
    *,
    groups: str | None = None,
    natural: bool = False,
    counts: bool = False,
) -> Table:
    """The coloured trees of a family of methods, one order condition each."""
    request = {"family": family, "order": order, "groups": groups}
    return Table(*_asked("trees", {"request": request | {"natural": natural, "counts": counts}})[:3])


def conditions(
    of: str | Model | None = None,
    *,
    groups: str | PathLike[str] | None = None,
    part: str | None = None,
    order: int | None = None,
    given: int | None = None,
    progress: bool | Progress | None = None,
) -> Answer:
    """What a class of systems, a model, or a problem in groups asks of methods."""
    asked: dict[str, Any] = {"request": {"order": order, "given": given}, "part": part}
    asked |= {"groups": None if groups is None else fspath(groups)}
    asked |= {"class": of if isinstance(of, str) else None}
    model = of if isinstance(of, Model) else None
    return Answer(*_asked("conditions", asked, model, progress)[:3])


def construct(
    of: str | Model | None = None,
    *,
    stages: int = 2,
    order: int = 2,
    structure: int | None = None,
    form: int | None = None,
    part: str | None = None,
    pattern: Sequence[str] = (),
    fix: Mapping[str, Any] | None = None,
    methods: int | None = None,
    groups: str | PathLike[str] | None = None,
    symbolic: bool = False,
    pareto: bool = False,
    combinations: bool = False,
    time_limit: int | None = None,
    progress: bool | Progress | None = None,
) -> Construction:
    """Methods from order and structure conditions: of a class, a model, or a problem in groups."""
    patterns = [pattern] if isinstance(pattern, str) else list(pattern)
    request: dict[str, Any] = {"stages": stages, "order": order, "structure": structure}
    request |= {"form": form, "part": part, "pattern": patterns, "methods": methods, "pareto": pareto}
    request |= {"combinations": combinations, "time_limit": time_limit}
    request |= {"fix": [f"{name}={exact(value)}" for name, value in (fix or {}).items()]}
    asked: dict[str, Any] = {"request": request, "symbolic": symbolic}
    asked |= {"groups": None if groups is None else fspath(groups)}
    asked |= {"class": of if isinstance(of, str) else None}
    model = of if isinstance(of, Model) else None
    found = _asked("construct", asked, model, progress)
    return Construction(found[0], found[1], found[2], found[3])


def modified(method: Any, model: Model | None = None, *, order: int = 4) -> Answer:
    """The differential equations that a method solves exactly."""
    name = str(getattr(method, "name", method))
    return Answer(*_asked("modified", {"method": name, "order": order}, model)[:3])


def geometry(file: str | PathLike[str]) -> Answer:
    """What the object of a geometry file is."""
    return Answer(*_asked("geometry", {"file": fspath(file)})[:3])


def connect(
    parts: Mapping[str, Model], joins: Sequence[str] | str, *, name: str | None = None
) -> Model:
    """Joins models at their ports: ``connect({"a": one, "b": two}, ["a.u,b.u"])``."""
    pairs = [(key, model._model) for key, model in parts.items()]
    text = _isotrope.connected(name, pairs, [joins] if isinstance(joins, str) else list(joins))
    return Model(text)


def explain(code: str) -> Answer:
    """What a code means and what to do about it."""
    return Answer(*_asked("explain", {"code": code})[:3])
