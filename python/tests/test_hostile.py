"""Whatever is passed: an exception with a code, or one of Python's own; never a crash."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import isotrope as iso

SPRING = {
    "coordinates": ["x"], "lagrangian": "x'^2/2 - k*x^2/2", "parameters": {"k": 1},
    "position": {"x": 1}, "velocity": {"x": 0},
}


def spring(**other: Any) -> iso.Model:
    return iso.Model(**(SPRING | other))


class Lying:
    """An object whose interface points nowhere."""

    __array_interface__ = {"shape": (2,), "typestr": "<f8", "data": (0, False), "version": 3}


class Refusing:
    def __str__(self) -> str:
        raise RuntimeError("no text")

    def __float__(self) -> float:
        raise RuntimeError("no number")


def cycle() -> dict[str, Any]:
    table: dict[str, Any] = {}
    table["x"] = table
    return table


def deep() -> Any:
    value: Any = "x"
    for _ in range(10_000):
        value = [value]
    return value


CASES: dict[str, Callable[[], Any]] = {
    "text of 64 MiB": lambda: iso.Model("#" * (64 << 20)),
    "NUL in text": lambda: iso.Model("name = '\0'"),
    "NUL in a path": lambda: iso.load("models/\0.toml"),
    "lone surrogate in text": lambda: iso.Model("name = '\ud800'"),
    "lone surrogate in a name": lambda: spring(name="\ud800"),
    "lone surrogate in a path": lambda: iso.load("\udfff"),
    "bytes that are not UTF-8": lambda: iso.Model(b"\xff\xfe"),
    "text that is none": lambda: iso.Model(7),  # type: ignore[arg-type]
    "no model": lambda: iso.Model(""),
    "text and keywords": lambda: iso.Model("", coordinates=["x"]),
    "a folder": lambda: iso.load("models"),
    "a file that is not there": lambda: iso.load("nothing.toml"),
    "an empty path": lambda: iso.load(""),
    "a number for a path": lambda: iso.load(1),  # type: ignore[arg-type]
    "a coordinate called __class__": lambda: spring(coordinates=["__class__ "]),
    "a coordinate called sin": lambda: spring(coordinates=["sin"]),
    "a coordinate with a quote": lambda: spring(coordinates=['x"']),
    "a coordinate with a newline": lambda: spring(coordinates=["x\ny"]),
    "a hundred thousand coordinates": lambda: spring(coordinates=["x"] * 100_000),
    "an unknown keyword": lambda: spring(lagrangean="x"),
    "a dict that holds itself": lambda: spring(constraints=cycle()),
    "a list without end": lambda: spring(coordinates=deep()),
    "a value that refuses to be text": lambda: spring(parameters={"k": Refusing()}),
    "a key that refuses to be text": lambda: spring(parameters={Refusing(): 1}),
    "a parameter that is nan": lambda: spring(parameters={"k": float("nan")}).run("verlet", 1, 1),
    "a parameter that is infinite": lambda: spring(parameters={"k": float("inf")}).run("verlet", 1, 1),
    "a parameter that is None": lambda: spring(parameters={"k": None}),
    "a parameter that is a model": lambda: spring(parameters={"k": object()}),
    "an expression that never ends": lambda: spring(lagrangian="(" * 100_000),
    "a tower of powers": lambda: spring(lagrangian="x'^2 + 9^9^9^9^9^9"),
    "set of nothing known": lambda: spring().set(c=1),
    "set with a name of another kind": lambda: spring().set(**{"x = 1\nk": 1}),
    "set of None": lambda: spring().set(k=None),
    "set of True": lambda: spring().set(k=True),
    "initial of nothing known": lambda: spring().initial(y=1),
    "initial that is nan": lambda: spring().initial(x=float("nan")),
    "a method that is not there": lambda: spring().run("gaus-2", "1/10", 1),
    "a method with a NUL": lambda: spring().run("gauss-2\0", "1/10", 1),
    "a method that is a surrogate": lambda: spring().run("\ud800", "1/10", 1),
    "a method that is a number": lambda: spring().run(3, "1/10", 1),
    "a method file that is not there": lambda: spring().run("rkd:nothing.toml", "1/10", 1),
    "no step": lambda: spring().run("verlet", None, 1),
    "a step of zero": lambda: spring().run("verlet", 0, 1),
    "a step that is nan": lambda: spring().run("verlet", float("nan"), 1),
    "a step that is infinite": lambda: spring().run("verlet", float("inf"), 1),
    "a step that is True": lambda: spring().run("verlet", True, 1),
    "a step that is text": lambda: spring().run("verlet", "import os", 1),
    "a step that does not fit": lambda: spring().run("verlet", 0.3, 1),
    "a time against the step": lambda: spring().run("verlet", 0.1, -1),
    "a stride of zero": lambda: spring().run("verlet", 0.1, 1, stride=0),
    "a negative stride": lambda: spring().run("verlet", 0.1, 1, stride=-1),
    "a stride that is text": lambda: spring().run("verlet", 0.1, 1, stride="x"),  # type: ignore[arg-type]
    "a stride beyond integers": lambda: spring().run("verlet", 0.1, 1, stride=2**70),
    "dense beyond integers": lambda: spring().run("gauss-2", 0.1, 1, dense=2**70),
    "a tolerance of 2": lambda: spring().run("gauss-2", 0.1, 1, tolerance=2),
    "a tolerance that is text": lambda: spring().run("gauss-2", 0.1, 1, tolerance="x"),  # type: ignore[arg-type]
    "an unknown backend": lambda: spring().run("gauss-2", 0.1, 1, backend="gpu"),
    "an unknown way to be interrupted": lambda: spring().run("gauss-2", 0.1, 1, on_interrupt="ignore"),
    "progress that cannot be called": lambda: spring().run(
        "gauss-2", "1/1000", 10**8, stride=None, progress=7  # type: ignore[arg-type]
    ),
    "rows beyond memory": lambda: spring().run("verlet", "1/1000", 10**15),
    "negative max_steps": lambda: spring().run("verlet", 0.1, 1, max_steps=-1),
    "an ensemble of nothing": lambda: spring().ensemble("verlet", 0.1, 1),
    "an ensemble without members": lambda: spring().ensemble("verlet", 0.1, 1, x=[]),
    "an ensemble of nan": lambda: spring().ensemble("verlet", 0.1, 1, x=[1, float("nan")]),
    "an ensemble of text": lambda: spring().ensemble("verlet", 0.1, 1, x=["a"]),
    "an ensemble of shapes that do not fit": lambda: spring().ensemble("verlet", 0.1, 1, x=[1, 2], k=[1, 2, 3]),
    "an ensemble of unknown names": lambda: spring().ensemble("verlet", 0.1, 1, z=[1]),
    "an ensemble of a name with a comma": lambda: spring().ensemble("verlet", 0.1, 1, **{"x,k": [1]}),
    "a lying array": lambda: spring().ensemble("verlet", 0.1, 1, x=Lying()),  # type: ignore[arg-type]
    "a stepper for an input that is not there": lambda: spring().stepper("verlet", 0.1, inputs=["u"]),
    "a stepper for an input that is a surrogate": lambda: spring().stepper("verlet", 0.1, inputs=["\ud800"]),
    "a state that is too short": lambda: spring().stepper("verlet", 0.1)(np.zeros(3)),
    "a state with two axes": lambda: spring().stepper("verlet", 0.1)(np.zeros((3, 3))),
    "a state of text": lambda: spring().stepper("verlet", 0.1)(["x"]),
    "inputs where there are none": lambda: (f := spring().stepper("verlet", 0.1))(f.initial(), [1.0]),
    "a negative number of steps": lambda: (f := spring().stepper("verlet", 0.1))(f.initial(), n=-1),
    "a state of floats in place": lambda: (f := spring().stepper("verlet", 0.1)).into(
        f.initial().astype(np.float32)  # type: ignore[arg-type]
    ),
    "a state that is read-only in place": lambda: (
        (f := spring().stepper("verlet", 0.1)), (x := f.initial()).setflags(write=False), f.into(x)
    ),
    "an expression that is none": lambda: iso.Expr("x +")._read(),
    "an expression of nothing": lambda: iso.Expr("")._read(),
    "an expression that is a number": lambda: iso.Expr(1),  # type: ignore[arg-type]
    "an expression with a surrogate": lambda: iso.Expr("\ud800")._read(),
    "an expression of brackets": lambda: iso.Expr("(" * 1_000_000)._read(),
    "an expression without values": lambda: iso.Expr("x*y").lambdify("x"),
    "arguments that are missing": lambda: iso.Expr("x*y").lambdify("x", "y")(1.0),
    "arguments that do not broadcast": lambda: iso.Expr("x*y").lambdify("x", "y")([1, 2], [1, 2, 3]),
    "a certificate of nothing": lambda: iso.certify("stages = 0\na = 1"),
    "a table that is not there": lambda: iso.certify("nothing.toml"),
    "a method that has no certificate": lambda: iso.method("gauss-99"),
    "a class that is not there": lambda: iso.conditions("round"),
    "stages beyond integers": lambda: iso.construct(stages=2**70),
    "a negative order": lambda: iso.trees("rk", -1),
    "trees of order a thousand": lambda: iso.trees("rk", 1000),
    "a geometry file that is not there": lambda: iso.geometry("nothing.toml"),
    "parts that have no ports": lambda: iso.connect({"a": spring()}, "a.u,a.v"),
    "a join that is no join": lambda: iso.connect({"a": spring()}, "x"),
    "a code that is not there": lambda: iso.explain("ISO-X-1"),
    "events": lambda: iso.solve_ivp(spring(), (0, 1), events=[lambda t, y: y[0]]),
    "a y0 that is too long": lambda: iso.solve_ivp(spring(), (0, 1), [1, 2, 3]),
    "times outside": lambda: iso.solve_ivp(spring(), (0, 1), t_eval=[0.5, 2]),
    "times backwards": lambda: iso.solve_ivp(spring(), (0, 1), t_eval=[0.5, 0.2]),
    "a start that is not zero": lambda: iso.solve_ivp(spring(), (1, 2)),
    "an end that is nan": lambda: iso.solve_ivp(spring(), (0, float("nan"))),
    "a vary that is no range": lambda: spring().stability("k"),
    "a flow of nothing known": lambda: spring().flow("verlet", 0.1, 1, sensitivity=["z"]),
    "a file with an unknown ending": lambda: spring().run("verlet", 0.1, 1).save("run.xyz"),
    "a folder that is not there": lambda: spring().run("verlet", 0.1, 1).save("absent/run.csv"),
    "a column that is not there": lambda: spring().run("verlet", 0.1, 1)["z"],
}
OWN = (iso.Error, TypeError, ValueError, OverflowError, KeyError, RuntimeError, RecursionError)


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 60


@pytest.mark.parametrize("name", CASES)
def test_hostile(name: str) -> None:
    with pytest.raises(OWN) as raised:
        CASES[name]()
    assert not isinstance(raised.value, iso.Bug), raised.value
    if isinstance(raised.value, iso.Error):
        assert raised.value.code.startswith("ISO-") and raised.value.message
        again = pickle.loads(pickle.dumps(raised.value))
        assert type(again) is type(raised.value) and str(again) == str(raised.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of unix")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    import subprocess
    import sys

    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    code = f"import isotrope as iso\ntry: iso.load({str(pipe)!r})\nexcept iso.Error as e: print(e.code)"
    # Either it is refused, or Ctrl-C ends the wait: nothing hangs for good.
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        out, _ = process.communicate(timeout=3)
        assert out.startswith("ISO-")
    except subprocess.TimeoutExpired:
        with pipe.open("w") as writer:
            writer.write("")
        out, _ = process.communicate(timeout=10)
        assert out.startswith("ISO-")


def test_an_array_that_is_lent_is_not_written() -> None:
    f = spring().stepper("verlet", 0.1)
    x = f.initial()
    view = x[:]
    f.into(view)
    assert not np.array_equal(x, f.initial())
    with pytest.raises(iso.RefusedError):
        f.into(np.broadcast_to(np.float64(1.0), (f.size,)))


def test_pickles_with_another_text_are_read_like_any_text() -> None:
    kept = pickle.dumps(spring())
    with pytest.raises((iso.Error, pickle.UnpicklingError, ValueError)):
        pickle.loads(kept.replace(b"lagrangian", b"lagrangiax"))


FLOATS = hnp.floating_dtypes(sizes=(32, 64), endianness="?") | hnp.integer_dtypes(endianness="?")


@settings(max_examples=60, deadline=None)
@given(hnp.arrays(FLOATS, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5)))
def test_arrays_of_all_shapes_and_types(values: np.ndarray[Any, Any]) -> None:
    m = spring()
    try:
        e = m.ensemble("verlet", "1/10", 1, x=values)
        assert e.shape == values.shape and e["x"].shape == values.shape
    except iso.RefusedError as refused:
        finite = values.size and np.isfinite(values.astype(np.float64)).all()
        assert not finite, refused


@settings(max_examples=60, deadline=None)
@given(hnp.arrays(FLOATS, hnp.array_shapes(min_dims=0, max_dims=2, max_side=30)), st.booleans())
def test_states_of_all_shapes_and_strides(values: np.ndarray[Any, Any], backwards: bool) -> None:
    f = spring().stepper("verlet", "1/10")
    values = values[::-1] if backwards and values.ndim else values
    try:
        with np.errstate(all="ignore"):
            assert f(values).shape == (f.size,)
    except (iso.RefusedError, iso.StepFailed) as refused:
        assert values.shape != (f.size,) or isinstance(refused, iso.StepFailed)
    good = np.repeat(f.initial(), 2)[::2]
    assert not good.flags.c_contiguous and np.array_equal(f(good), f(f.initial()))
