"""Gradients of steppers in JAX and PyTorch, against central differences and a Verlet method written in JAX."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isotrope as iso

STEP, STEPS = 0.01, 300
PENDULUM = "models/pendulum_angle.toml"


def stepper(path: str = PENDULUM, method: str = "verlet", inputs: tuple[str, ...] = ("g",)) -> Any:
    return iso.load(path).stepper(method, "1/100", inputs=inputs)


def differences(function: Any, x: Any, h: float) -> Any:
    """Central differences of the fourth order."""
    columns = []
    for k in range(len(x)):
        e = h * np.eye(len(x))[k]
        f = [function(x + s * e) for s in (-2, -1, 1, 2)]
        columns.append((f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h))
    return np.stack(columns, axis=-1)


CASES = [
    (PENDULUM, "verlet", ("g",)), (PENDULUM, "gauss-2", ("g", "l")), (PENDULUM, "rk4", ("g", "m")),
    ("models/henon_heiles.toml", "variational-midpoint", ()),
    ("models/equations/lorenz.toml", "rk4", ()), ("models/damped_pendulum.toml", "ab3", ("c",)),
]


@pytest.mark.parametrize(("path", "method", "inputs"), CASES)
def test_derivatives_of_many_steps_are_central_differences(
    path: str, method: str, inputs: tuple[str, ...]
) -> None:
    f = stepper(path, method, inputs)
    x, u = f.initial()[: f.moving] + 0.1, f.usual

    def end(x: Any, u: Any) -> Any:
        return f(f.initial(x, u), u, n=100)[: f.moving]

    y, a, b = f.derivatives(x, u, n=100)
    np.testing.assert_allclose(y, end(x, u), rtol=1e-11, atol=1e-12)
    size = np.abs(a).max()
    np.testing.assert_allclose(a, differences(lambda x: end(x, u), x, 1e-3), atol=1e-6 * size)
    if inputs:
        found = differences(lambda u: end(x, u), u, 1e-3)
        np.testing.assert_allclose(b, found, atol=1e-6 * max(1.0, np.abs(b).max()))
    many = f.derivatives(np.stack([x, x]), np.stack([u, u]), n=100)
    assert all(np.array_equal(part[1], one) for part, one in zip(many, (y, a, b), strict=True))


def test_constraints_keep_tangents_tangent() -> None:
    f = iso.load("models/pendulum.toml").stepper("rattle", "1/100", inputs=["g"])
    x = f.initial()[: f.moving]
    y, _, b = f.derivatives(x, [9.81], n=100)
    found = differences(lambda u: f(f.initial(x, u), u, n=100)[: f.moving], np.array([9.81]), 1e-3)
    np.testing.assert_allclose(b, found, atol=1e-6)
    # x² + y² = l² holds along the family of motions.
    assert abs(y[:2] @ b[:2, 0]) < 1e-12


@pytest.fixture
def jax() -> Any:
    jax = pytest.importorskip("jax", reason="needs jax")
    jax.config.update("jax_enable_x64", True)
    return jax


@pytest.mark.long
def test_gradients_in_jax_are_those_of_a_verlet_written_in_jax(jax: Any) -> None:
    np_, f = jax.numpy, stepper()
    flow = iso.jax.flow(f, n=STEPS)

    def verlet(x: Any, p: Any) -> Any:
        # l = 1 and m = 1 cancel in theta'' = -g sin(theta) / l.
        def force(q: Any) -> Any:
            return -p[0] * np_.sin(q)

        def step(at: Any, _: Any) -> Any:
            q, v = at
            half = v + STEP / 2 * force(q)
            q = q + STEP * half
            return (q, half + STEP / 2 * force(q)), None

        (q, v), _ = jax.lax.scan(step, (x[0], x[1]), None, length=STEPS)
        return np_.stack([q, v])

    x, p = np_.array([1.0, 0.3]), np_.array([9.81])
    np.testing.assert_allclose(flow(x, p), verlet(x, p), rtol=1e-11)

    def loss(flow: Any) -> Any:
        return lambda x, p: flow(x, p)[0] ** 2 + np_.sin(flow(x, p)[1])

    ours = jax.jit(jax.grad(loss(flow), argnums=(0, 1)))(x, p)
    theirs = jax.jit(jax.grad(loss(verlet), argnums=(0, 1)))(x, p)
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12)
    for mode in (jax.jacfwd, jax.jacrev):
        np.testing.assert_allclose(mode(flow)(x, p), jax.jacrev(verlet)(x, p), rtol=1e-11, atol=1e-12)
    # Many at once: in x alone, and in both.
    xs, ps = np_.array([[1.0, 0.3], [2.0, 0.1], [0.5, 1.0]]), np_.array([[9.0], [1.0], [3.0]])
    np.testing.assert_allclose(jax.vmap(flow, (0, None))(xs, p)[0], flow(xs[0], p), rtol=1e-14)
    grads = jax.jit(jax.vmap(jax.grad(loss(flow), argnums=1)))(xs, ps)
    np.testing.assert_allclose(grads, jax.vmap(jax.grad(loss(verlet), argnums=1))(xs, ps), rtol=1e-10)
    # Without inputs, those of the model; single precision stays single.
    np.testing.assert_allclose(flow(x), flow(x, np_.asarray(f.usual)))
    assert flow(x.astype(np_.float32), p).dtype == np_.float32
    with pytest.raises(iso.RefusedError):
        flow(x[:1], p)


@pytest.mark.long
def test_gradients_in_torch_are_central_differences() -> None:
    torch = pytest.importorskip("torch", reason="needs torch")
    f = stepper(inputs=("g", "l"))
    apply = iso.torch.Flow.apply
    x = torch.tensor([1.0, 0.3], dtype=torch.float64, requires_grad=True)
    p = torch.tensor([9.81, 1.2], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x, p: apply(f, 100, x, p), (x, p), eps=1e-6, atol=1e-6)
    xs = torch.tensor([[1.0, 0.3], [2.0, 0.1]], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x, p: apply(f, 100, x, p), (xs, p), eps=1e-6, atol=1e-6)
    with torch.no_grad():
        plain = apply(f, 100, xs, p)
    np.testing.assert_allclose(plain.numpy(), apply(f, 100, xs, p).detach().numpy(), rtol=1e-11)
    single = apply(f, 10, x.detach().float().requires_grad_(), None)
    assert single.dtype == torch.float32
    single.sum().backward()
