"""SymPy there and back."""

from __future__ import annotations

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy.physics.mechanics import (
    LagrangesMethod, Particle, Point, ReferenceFrame, dynamicsymbols,
)

import isotrope as iso
from isotrope.sympy import _Writer, to_sympy

x, y = sympy.symbols("x y", positive=True)
LEAVES = st.sampled_from([x, y, sympy.pi]) | st.fractions(-9, 9, max_denominator=9).map(sympy.Rational)


def _grown(inner: st.SearchStrategy[sympy.Expr]) -> st.SearchStrategy[sympy.Expr]:
    pairs = st.tuples(inner, inner)
    powers = st.tuples(inner, st.integers(1, 3)).map(lambda p: p[0] ** p[1])
    functions = st.tuples(st.sampled_from([sympy.sin, sympy.cos, sympy.exp]), inner)
    return (
        pairs.map(lambda p: p[0] + p[1]) | pairs.map(lambda p: p[0] * p[1]) | powers
        | functions.map(lambda p: p[0](p[1]))
    )


@settings(max_examples=100, deadline=None)
@given(st.recursive(LEAVES, _grown, max_leaves=6))
def test_expressions_come_back(value: sympy.Expr) -> None:
    text = _Writer({})(value)
    plain = {"x": x, "y": y}
    back = to_sympy(text, plain)
    assert back == value or sympy.simplify(back - value) == 0
    # Read and written here on the way.
    ours = iso.Expr(text)._read().text
    again = to_sympy(ours, plain)
    at = {x: sympy.Rational(3, 7), y: sympy.Rational(5, 3)}
    first, second = (sympy.N(one.subs(at), 30) for one in (value, again))
    assert abs(first - second) <= sympy.Float("1e-20") * (1 + abs(first))


def test_a_lagrangian_of_sympy() -> None:
    q, m, g, l = dynamicsymbols("theta"), *sympy.symbols("m g l")
    L = m * l**2 * q.diff() ** 2 / 2 + m * g * l * sympy.cos(q)
    model = iso.from_sympy(
        L, [q], parameters={m: 1, l: 1, g: sympy.Rational(981, 100)}, position={q: sympy.pi / 2},
        velocity={q: 0},
    )
    assert model.derive().equations.v.theta == "-g*sin(theta)/l"
    run = model.run("gauss-2", step="1/100", time=1)
    assert (run.table == iso.load("models/pendulum_angle.toml").run("gauss-2", "1/100", 1).table).all()


def _classics() -> dict[str, tuple[sympy.Expr, list[sympy.Expr]]]:
    a, b = dynamicsymbols("a b")
    da, db = a.diff(), b.diff()
    r = sympy.sqrt(a**2 + b**2)
    return {
        "oscillator": (da**2 / 2 - a**2 / 2, [a]),
        "pendulum": (da**2 / 2 + sympy.cos(a), [a]),
        "kepler": ((da**2 + db**2) / 2 + 1 / r, [a, b]),
        "double pendulum": (
            da**2 + db**2 / 2 + da * db * sympy.cos(a - b) + 2 * sympy.cos(a) + sympy.cos(b), [a, b]
        ),
        "henon-heiles": ((da**2 + db**2 - a**2 - b**2) / 2 - a**2 * b + b**3 / 3, [a, b]),
        "hoop": (da**2 / 2 + sympy.sin(a) ** 2 + sympy.cos(a), [a]),
    }


def q_of(method: LagrangesMethod) -> list[sympy.Expr]:
    return list(method.q)


@pytest.mark.parametrize("name", _classics())
def test_equations_are_those_of_lagranges_method(name: str) -> None:
    L, q = _classics()[name]
    method = LagrangesMethod(L, q)
    method.form_lagranges_equations()
    t = dynamicsymbols._t
    solved = method.rhs()[len(q) :]
    start = {one: sympy.Rational(k + 1, 3) for k, one in enumerate(q)}
    model = iso.from_sympy(method, position=start, velocity={one: 0 for one in q})
    names = {str(one.func): one for one in q}
    names |= {f"{one.func}'": one.diff(t) for one in q}
    for one, theirs in zip(q, solved, strict=True):
        ours = model.derive().equations.v[str(one.func)]
        assert ours == iso.Expr(_Writer({q: str(q.func) for q in q_of(method)})(theirs))
        at = {symbol: sympy.Rational(k + 2, 7) for k, symbol in enumerate(names.values())}
        back = ours.to_sympy(names)
        # The velocities first: they contain the positions.
        values = [sympy.N(e.subs(list(at.items())[::-1]), 30) for e in (back, theirs)]
        assert abs(values[0] - values[1]) < sympy.Float("1e-20")


def test_loads_of_lagranges_method_are_forces() -> None:
    q, k = dynamicsymbols("q"), sympy.symbols("k")
    frame, point = ReferenceFrame("N"), Point("P")
    point.set_vel(frame, q.diff() * frame.x)
    particle = Particle("p", point, 1)
    assert particle.mass == 1
    load = [(point, -k * q * frame.x)]
    method = LagrangesMethod(q.diff() ** 2 / 2, [q], forcelist=load, frame=frame)
    model = iso.from_sympy(method, parameters={k: 2}, position={q: 1}, velocity={q: 0})
    assert model.derive().equations.v.q == "-k*q"


def test_kanes_method_becomes_equations() -> None:
    from sympy.physics.mechanics import KanesMethod

    q, u = dynamicsymbols("q u")
    frame, point = ReferenceFrame("N"), Point("P")
    point.set_vel(frame, u * frame.x)
    kane = KanesMethod(frame, [q], [u], kd_eqs=[q.diff() - u])
    kane.kanes_equations([Particle("p", point, 2)], [(point, -8 * q * frame.x)])
    model = iso.from_sympy(kane, position={q: 1, u: 0})
    final = model.run("gauss-4", step="1/100", time=1).y[:, -1]
    assert abs(final[0] - float(sympy.cos(2))) < 1e-10


@pytest.mark.parametrize(
    "wrong",
    [
        lambda q, t: q.diff(t, 2) ** 2, lambda q, t: sympy.Function("f")(q) + q.diff(t) ** 2,
        lambda q, t: q.diff(t) ** 2 + sympy.Symbol("sin"), lambda q, t: sympy.gamma(q) + q.diff(t) ** 2,
        lambda q, t: q.diff(t) ** 2 + sympy.Symbol("__class__ "), lambda q, t: sympy.zoo * q,
    ],
)
def test_what_has_no_counterpart_is_refused_by_name(wrong: object) -> None:
    q, t = dynamicsymbols("q"), dynamicsymbols._t
    with pytest.raises(iso.ModelError):
        iso.from_sympy(wrong(q, t), [q])  # type: ignore[operator]
