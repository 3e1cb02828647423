"""Every study of every model says what the command says: the same JSON, or the same refusal."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from conftest import MODELS, ROOT, timeless, told

import isotrope as iso

SHORT = {"step": "1/1000", "time": "1/50"}
AT = ("--step", "1/1000", "--time", "1/50")

Study = Callable[[iso.Model], Any]
# The study, and the arguments of the command that ask the same question.
STUDIES: dict[str, tuple[Study, tuple[str, ...]]] = {
    "derive": (lambda m: m.derive(), ()),
    "derive --integrals 2": (lambda m: m.derive(integrals=2), ()),
    "check": (lambda m: m.check(), ()),
    "check --project": (lambda m: m.check(project=True), ()),
    "run": (lambda m: m.run(**SHORT, stride=None), AT),
    "methods --for": (lambda m: m.recommend(), ()),
    "compare": (lambda m: m.compare(steps="1/1000", time="1/50"), (*AT, "--no-html")),
    "convergence": (
        lambda m: m.convergence(step="1/50", time="1/25", levels=2),
        ("--step", "1/50", "--time", "1/25", "--levels", "2"),
    ),
    "drift": (lambda m: m.drift(steps="1/1000", time="1/50"), AT),
    "flow": (lambda m: m.flow("gauss-2", **SHORT), (*AT, "--method", "gauss-2")),
    "geometry": (lambda m: m.geometry(), ()),
    "port": (lambda m: m.port(degree=1, integrals=1), ("--degree", "1", "--integrals", "1")),
    "conditions": (lambda m: iso.conditions(m, order=2), ("--order", "2")),
    "modified midpoint": (lambda m: iso.modified("midpoint", m, order=2), ("--order", "2")),
    "construct": (
        lambda m: iso.construct(m, stages=1, order=1, pattern="explicit", time_limit=600),
        ("--stages", "1", "--order", "1", "--pattern", "explicit", "--time-limit", "600"),
    ),
    "stability": (
        lambda m: m.stability((m.parameters[0], 1, 2), points=3, methods="none"),
        ("--points", "3", "--methods", "none"),
    ),
}
# In the usual run: one model of each kind.
FEW = {"pendulum", "sleigh", "henon_heiles", "monopole_sphere", "lorenz", "toda", "rlc", "heavy_top"}
QUICK = {"derive", "check", "check --project", "run", "flow", "geometry", "drift", "methods --for"}
SLOW = {("heavy_top", "derive"), ("heavy_top", "geometry"), ("monopole_sphere", "geometry")}
CASES = [
    pytest.param(
        str(path.relative_to(ROOT)),
        study,
        marks=[]
        if path.stem in FEW and study in QUICK and (path.stem, study) not in SLOW
        else [pytest.mark.long],
    )
    for path in MODELS
    for study in STUDIES
]


def answered(question: Callable[[], Any]) -> Any:
    """The JSON of an answer, or the words of a refusal."""
    try:
        return timeless(question().json)
    except iso.Error as refused:
        return str(refused).split()


@pytest.mark.parametrize(("path", "study"), CASES)
def test_the_package_says_what_the_command_says(path: str, study: str) -> None:
    ask, arguments = STUDIES[study]
    m = iso.load(path)
    if study == "stability":
        if not m.parameters:
            pytest.skip("nothing can vary")
        arguments = (*arguments, "--vary", f"{m.parameters[0]}=1..2")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", iso.Remark)
        found = answered(lambda: ask(m))
    code, out, err = told(*study.split(), path, *arguments, "--json")
    if code == 2:
        # Remarks come before a refusal.
        words = err[err.index("error") :].split()
        assert found == words
    else:
        assert found == timeless(json.loads(out))
