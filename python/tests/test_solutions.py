"""Solutions between rows: what they are, and their orders."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import isotrope as iso

PENDULUM = "models/pendulum_angle.toml"
EVERYWHERE = np.linspace(0, 1, 997)


def reference(path: str) -> Any:
    return iso.load(path).run("gauss-6", "1/2000", 1, dense=7).sol


def errors(path: str, method: str, steps: list[int], exact: Any) -> Any:
    m = iso.load(path)
    found = [m.run(method, f"1/{n}", 1).sol(EVERYWHERE) for n in steps]
    return np.array([np.abs(one - exact).max(axis=1) for one in found])


# The solution between steps has the order of the polynomial where that is less than that of the method: a collocation
# method of s stages has h^min(2s, s + 2) in positions and h^min(2s, s + 1) in velocities.
@pytest.mark.parametrize(
    ("path", "method", "kind", "orders"),
    [
        (PENDULUM, "midpoint", "collocation", (2, 2)),
        (PENDULUM, "gauss-2", "collocation", (4, 3)),
        (PENDULUM, "gauss-3", "collocation", (5, 4)),
        (PENDULUM, "rk4", "cubic", (4, 4)),
        (PENDULUM, "verlet", "cubic", (2, 2)),
        ("models/lotka_volterra.toml", "rk4", "cubic", (4, 4)),
        ("models/henon_heiles.toml", "gauss-3", None, (4, 4)),
    ],
)
def test_solutions_have_the_order_of_their_polynomials(
    path: str, method: str, kind: str | None, orders: tuple[int, int]
) -> None:
    m = iso.load(path)
    exact_run = m.run("gauss-4", "1/8000", 1)
    exact = exact_run.sol(EVERYWHERE)
    steps = [40, 80, 160]
    found = errors(path, method, steps, exact)
    solution = m.run(method, "1/40", 1).sol
    assert kind is None or solution.kind == kind
    half = len(exact) // 2
    for rows, order in ((found[:, :half], orders[0]), (found[:, half:], orders[1])):
        size = rows.max(axis=1)
        if rows.size and size[-1] > 1e-12:
            measured = np.log2(size[:-1] / size[1:])
            assert np.all(measured > order - 0.35), (measured, order)


@pytest.mark.parametrize("method", ["midpoint", "gauss-2", "gauss-3", "rk4", "verlet"])
def test_solutions_pass_through_the_rows(method: str) -> None:
    r = iso.load(PENDULUM).run(method, "1/20", 2)
    np.testing.assert_allclose(r.sol(r.t), r.y, rtol=0, atol=1e-14)
    assert np.array_equal(r.sol(r.t)[:, :-1], r.y[:, :-1])
    assert r.sol(0.3).shape == (2,) and r.sol([[0.1, 0.2]]).shape == (2, 1, 2)
    assert (r.sol.t_min, r.sol.t_max) == (0.0, 2.0) and r.sol is r.sol
    again = pickle.loads(pickle.dumps(r))
    assert np.array_equal(again.sol(EVERYWHERE), r.sol(EVERYWHERE))


def test_own_polynomials_are_the_rows_inside_of_steps() -> None:
    m = iso.load(PENDULUM)
    r, fine = m.run("gauss-3", "1/10", 2), m.run("gauss-3", "1/10", 2, dense=11)
    np.testing.assert_allclose(r.sol(fine.t), fine.y, rtol=0, atol=2e-14)


def test_rows_that_are_not_all_steps_have_cubic_solutions() -> None:
    m = iso.load(PENDULUM)
    assert m.run("gauss-2", "1/100", 1, stride=10).sol.kind == "cubic"
    with pytest.raises(iso.RefusedError):
        _ = m.run("gauss-2", "1/100", 1, stride=None).sol


def test_a_dense_output_is_as_exact_as_the_tolerance() -> None:
    m = iso.load(PENDULUM)
    found = iso.solve_ivp(m, (0, 3), dense_output=True, rtol=1e-9, atol=1e-11, rows=10)
    t = np.linspace(0, 3, 301)
    exact = iso.solve_ivp(m, (0, 3), t_eval=t, rtol=1e-12, atol=1e-13).y
    np.testing.assert_allclose(found.sol(t), exact, atol=1e-7)
    assert found.t.shape == (11,)
