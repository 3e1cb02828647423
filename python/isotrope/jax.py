"""Flows for JAX: ``F = iso.jax.flow(f, n=1000); jax.grad(lambda x0, p: F(x0, p)[0])(x0, p)``.

The derivatives are exact: every step carries its tangents along, in the compiled program. They are a linear map that JAX
transposes, so forward and reverse mode, ``jit`` and ``vmap`` all work; second derivatives are refused by JAX.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

if TYPE_CHECKING:
    from .stepper import Stepper


def flow(f: Stepper, n: int = 1) -> Callable[..., Any]:
    """``F(x0, p)``: what a motion begins with, after ``n`` steps of ``f`` from ``x0`` with the inputs ``p``.

    ``x0`` has the ``f.moving`` numbers that a motion begins with, ``p`` the inputs of ``f``; without ``p`` they are
    those of the model. Steps are made in double precision; the answer has the precision of ``x0``, so say
    ``jax.config.update("jax_enable_x64", True)`` for all digits.
    """
    size, count = f.moving, len(f.inputs)

    def rows(x: Any, p: Any) -> tuple[tuple[int, ...], Any, Any]:
        """Motions as rows; every axis but the last is one of ``vmap``."""
        x, p = np.asarray(x, dtype=np.float64), np.asarray(p, dtype=np.float64)
        shape = np.broadcast_shapes(x.shape[:-1], p.shape[:-1])
        x = np.broadcast_to(x, (*shape, size)).reshape(-1, size)
        return shape, x, np.broadcast_to(p, (*shape, count)).reshape(-1, count)

    def values(x: Any, p: Any) -> Any:
        shape, begun, inputs = rows(x, p)
        states = np.array([f.initial(row, u) for row, u in zip(begun, inputs, strict=True)])
        ends = f.batch(states.reshape(len(begun), f.size), inputs, n=n)
        return ends[:, :size].reshape((*shape, size)).astype(x.dtype)

    def linearised(x: Any, p: Any) -> Any:
        shape, begun, inputs = rows(x, p)
        ends = f.derivatives(begun, inputs, n)
        shapes = ((size,), (size, size), (size, count))
        return tuple(
            end.reshape(shape + own).astype(x.dtype) for end, own in zip(ends, shapes, strict=True)
        )

    def shaped(x: Any, *shapes: tuple[int, ...]) -> tuple[Any, ...]:
        return tuple(jax.ShapeDtypeStruct(shape, x.dtype) for shape in shapes)

    @jax.custom_jvp
    def primal(x: Any, p: Any) -> Any:
        (form,) = shaped(x, (size,))
        return jax.pure_callback(values, form, x, p, vmap_method="expand_dims")

    @primal.defjvp
    def tangent(primals: tuple[Any, Any], tangents: tuple[Any, Any]) -> tuple[Any, Any]:
        (x, p), (dx, dp) = primals, tangents
        forms = shaped(x, (size,), (size, size), (size, count))
        y, a, b = jax.pure_callback(linearised, forms, x, p, vmap_method="expand_dims")
        return y, a @ dx + b @ dp

    def moved(x0: Any, p: Any = None) -> Any:
        x = jnp.asarray(x0, dtype=jnp.result_type(float, x0))
        given = f.usual if p is None else p
        inputs = jnp.asarray(given, dtype=x.dtype)
        if x.shape != (size,) or inputs.shape != (count,):
            from .errors import RefusedError, own

            message = f"x0 has the shape {x.shape} and p {inputs.shape}"
            hint = f"a motion begins with {size} numbers and has {count} inputs; jax.vmap makes many"
            raise own(RefusedError, "ISO-REQUEST-003", message, hint)
        return primal(x, inputs)

    return moved
