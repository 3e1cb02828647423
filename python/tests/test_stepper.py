"""Steppers: pure calls, in place, many at once, derivatives."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import isotrope as iso

METHODS = [
    ("models/pendulum.toml", "rattle"), ("models/sleigh.toml", "dirac-2"),
    ("models/pendulum_angle.toml", "ab3"), ("models/henon_heiles.toml", "gauss-3"),
    ("models/equations/lorenz.toml", "rk4"), ("models/rigid_body.toml", "lie-midpoint"),
    ("models/pendulum_angle.toml", "variational-midpoint"),
]


@pytest.mark.parametrize(("path", "method"), METHODS)
def test_single_steps_are_those_of_a_run(path: str, method: str) -> None:
    m = iso.load(path)
    r = m.run(method, step="1/100", time="1/5")
    if r.outcome == "not-applicable":
        pytest.skip(r.message)
    f = m.stepper(method, "1/100")
    x = f.initial()
    for k in range(21):
        assert np.array_equal(x[: f.moving], r.y[:, k]) or np.allclose(
            x[: f.moving], r.y[:, k], rtol=1e-13, atol=1e-15
        ), k
        x = f(x)


def test_calls_are_pure_and_in_place_is_the_same() -> None:
    f = iso.load("models/damped_pendulum.toml").stepper("rk4", 1e-2, inputs=["g"])
    x = f.initial()
    before = x.copy()
    y = f(x, [3.0], n=10)
    assert np.array_equal(x, before)
    f.into(x, [3.0], n=10)
    assert np.array_equal(x, y)
    assert not np.array_equal(f(before, [9.81]), f(before, [3.0]))
    assert np.array_equal(f(before, [9.81]), f(before))
    again = pickle.loads(pickle.dumps(f))
    assert np.array_equal(again(before, [3.0], n=10), y)


def test_many_have_the_bits_of_one() -> None:
    f = iso.load("models/pendulum_angle.toml").stepper("gauss-2", "1/100", inputs=["g"])
    rng = np.random.default_rng(1)
    states = np.array([f.initial(rng.normal(size=2)) for _ in range(37)])
    g = rng.uniform(1, 10, size=(37, 1))
    many = f.batch(states, g, n=7)
    assert all(np.array_equal(many[k], f(states[k], g[k], n=7)) for k in range(37))
    assert f.batch(states[:0], g[:0]).shape == (0, f.size)


def test_threads_may_share_a_stepper() -> None:
    f = iso.load("models/pendulum.toml").stepper("rattle", "1/100")
    x = f.initial()

    def work(_: int) -> bytes:
        return f(x, n=5000).tobytes()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(work, range(16)))) == 1


def test_derivatives_are_those_of_central_differences() -> None:
    f = iso.load("models/damped_pendulum.toml").stepper("rk4", 1e-2, inputs=["g", "c"])
    x, u = f.initial([1.0, 0.5]), np.array([9.81, 0.2])
    a, b = f.jacobian(x, u)
    for k in range(2):
        h = 1e-5
        moved = [f(f.initial(x[:2] + s * h * np.eye(2)[k]), u)[:2] for s in (1, -1)]
        assert np.allclose(a[:, k], (moved[0] - moved[1]) / (2 * h), rtol=1e-8, atol=1e-9)
        turned = [f(x, u + s * h * np.eye(2)[k])[:2] for s in (1, -1)]
        assert np.allclose(b[:, k], (turned[0] - turned[1]) / (2 * h), rtol=1e-8, atol=1e-9)


def test_a_symplectic_step_has_determinant_one() -> None:
    f = iso.load("models/pendulum_angle.toml").stepper("verlet", "1/10")
    a, b = f.jacobian(f.initial())
    assert abs(np.linalg.det(a) - 1) < 1e-14 and b.shape == (2, 0)


@pytest.mark.parametrize("name", ["h", "theta", ""])
def test_inputs_are_parameters(name: str) -> None:
    with pytest.raises(iso.RefusedError) as refused:
        iso.load("models/pendulum_angle.toml").stepper("verlet", "1/10", inputs=[name])
    assert refused.value.code == "ISO-REQUEST-004"


def test_members_that_cannot_move_are_refused_as_one_is() -> None:
    f = iso.load("models/pendulum_angle.toml").stepper("gauss-2", "1/100")
    for wrong in (np.inf, -np.inf, 1e300, np.nan):
        state = np.full(f.size, wrong)
        for call in (lambda x: f(x), lambda x: f.into(x), lambda x: f.batch(np.array([x] * 5))):
            with pytest.raises(iso.StepFailed):
                call(state)


@pytest.mark.parametrize("wrong", [-1, 2**70])
def test_counts_are_counts(wrong: int) -> None:
    f = iso.load("models/pendulum_angle.toml").stepper("gauss-2", "1/100")
    x = f.initial()
    states = np.array([x, x])
    calls = [
        lambda: f(x, n=wrong), lambda: f.into(x, n=wrong), lambda: f.batch(states, n=wrong),
        lambda: f.batch(states, threads=wrong), lambda: f.derivatives(x[:2], n=wrong),
    ]
    for call in calls:
        with pytest.raises(iso.RefusedError):
            call()
    with pytest.raises(TypeError):
        f(x, n=1.5)  # type: ignore[arg-type]
