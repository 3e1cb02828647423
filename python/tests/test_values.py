"""Models and expressions are values."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest

import isotrope as iso


def test_models_are_values() -> None:
    m = iso.load("models/pendulum.toml")
    n = iso.Model(m.text)
    assert m == n and hash(m) == hash(n) and m != m.set(g=1) and m.set(g=1) == n.set(g=1)
    assert pickle.loads(pickle.dumps(m.set(g="3/2").initial(x=1))) == m.set(g="3/2").initial(x=1)
    assert m.set(g=1).set(g=2) == m.set(g=2)
    assert {m: 1}[n] == 1


def test_keywords_are_the_grammar_of_files() -> None:
    m = iso.Model(
        coordinates=["x", "y"], lagrangian="m/2*(x'^2+y'^2) - m*g*y", constraints={"rod": "x^2 + y^2 = l^2"},
        parameters={"m": 1, "l": 1, "g": "981/100"}, position={"x": "l", "y": 0}, velocity={"x": 0, "y": 0},
    )
    file = iso.load("models/pendulum.toml")
    assert m.derive().json["multipliers"] == file.derive().json["multipliers"]
    run = m.run("rattle", step="1/100", time=1)
    assert np.array_equal(run.table, file.run("rattle", step="1/100", time=1).table)


@pytest.mark.parametrize("step", ["1/100", 0.01, Fraction(1, 100), np.float64(0.01)])
def test_numbers_are_exact_whatever_they_are_written_as(step: object) -> None:
    m = iso.load("models/pendulum_angle.toml")
    assert m.run("gauss-2", step=step, time=1).json["steps"] == 100


def test_expressions_are_compared_exactly() -> None:
    e = iso.Expr("sin(x)^2 + cos(x)^2")
    assert e == 1 and e == "1" and e != "x" and not (e != iso.Expr("1"))
    with pytest.raises(TypeError):
        hash(e)
    assert e.latex and e.mathml.startswith("<math")
    assert str(pickle.loads(pickle.dumps(e))) == str(e)


def test_derivations_hold_expressions() -> None:
    s = iso.load("models/sleigh.toml").derive()
    blade = s.multipliers["blade"]
    assert str(blade) == "-J*m*theta'*(x'*cos(theta) + y'*sin(theta))/(a^2*m + J)"
    assert s.mass_matrix[0][0] == "m" and isinstance(s.mass_matrix[0][0], iso.Expr)
    assert s.constraints[0].kind == "nonholonomic" and s.conserved[0].expression == s.energy
    assert "<math" in s._repr_html_() and "Chaplygin" in str(s)
    assert "\\begin{document}" in s.latex
    with pytest.raises(AttributeError, match="it has"):
        s.nothing  # noqa: B018
    assert "L_d" in str(iso.load("models/pendulum_angle.toml").derive("variational-midpoint"))


def test_compiled_expressions_broadcast() -> None:
    f = iso.Expr("a*sin(x) + y^2").lambdify("x", "y", a=2)
    x, y = np.linspace(0, 1, 5)[:, None], np.arange(3.0)
    assert np.allclose(f(x, y), 2 * np.sin(x) + y**2, rtol=1e-15) and f(x, y).shape == (5, 3)
    assert isinstance(f(0.5, 1), float) and f(np.empty((0,)), 1.0).shape == (0,)
    assert np.array_equal(pickle.loads(pickle.dumps(f))(x, y), f(x, y))
    assert np.isnan(iso.Expr("log(x)").lambdify("x")(-1.0))
    with pytest.raises(iso.Error, match="no value"):
        iso.Expr("x + y").lambdify("x")


def test_a_run_and_a_compiled_expression_have_the_same_bits() -> None:
    m = iso.load("models/pendulum_angle.toml").set(g=2)
    r, s = m.run("gauss-2", step="1/10", time=1), m.derive()
    energy = s.energy.lambdify("theta", "theta'", m=1, l=1, g=2)
    assert np.allclose(energy(r["theta"], r["theta'"]), r.energy, rtol=0, atol=1e-15)


def test_exact_numbers_of_tables_are_fractions() -> None:
    found = iso.construct("bilinear", stages=2, order=2, structure=4, pattern="strict", time_limit=200)
    assert found.table is not None and "constructed" in found.table
    method = found.json["methods"][0]
    assert method["b"] == ["1/2", "1/2"]
    assert iso.Record(method)["b"] == [Fraction(1, 2)] * 2


def test_linear_test_equations_of_methods() -> None:
    gauss, rk4 = iso.method("gauss-2").linear, iso.method("rk4").linear
    assert gauss is not None and rk4 is not None
    assert gauss.a_stable and not gauss.l_stable and gauss.algebraically_stable and not rk4.a_stable
    assert gauss.stability_function == "(1 + z/2 + z^2/12)/(1 - z/2 + z^2/12)"
    z = np.array([0.3 - 1j, -2.0])
    np.testing.assert_allclose(rk4.R(z), 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24, rtol=1e-14)
    np.testing.assert_allclose(np.abs(gauss.R(1j * np.linspace(-5, 5, 11))), 1, rtol=1e-14)
    assert sum(rk4.embedded.weights) == 1 and rk4.embedded.order == 3


def test_one_question_does_not_change_the_answer_to_another() -> None:
    m = iso.load("models/kepler.toml")
    before = m.derive().json
    assert m.derive(integrals=2).json != before
    assert m.derive().json == before == iso.load("models/kepler.toml").derive().json
