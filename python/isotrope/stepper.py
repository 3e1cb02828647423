"""Single steps for control loops and reinforcement learning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _isotrope
from .errors import RefusedError, count, own

if TYPE_CHECKING:
    from .model import Model

Array = NDArray[np.float64]


class Stepper:
    """A step as a function: ``x = f(x, u)``.

    A state is an array of ``f.size`` numbers. The first ``f.moving`` of them are what a motion begins
    with, positions and velocities (or momenta); the rest is what the method remembers. Threads may share
    a stepper; pickled, it is the recipe to make it again.
    """

    def __init__(
        self,
        model: Model,
        method: str | None,
        step: str | None,
        inputs: tuple[str, ...],
        tolerance: float | None = None,
    ) -> None:
        self._recipe = (model, method, step, inputs, tolerance)
        # One step is all that has to be prepared.
        asked = model._request(method, step, step, {"tolerance": tolerance})
        prepared = model._prepared(asked)
        steps = prepared.steps
        if steps is None:
            import json

            reason = json.loads(prepared.report)["failure"]["reason"]
            raise own(RefusedError, "ISO-RUN-006", f"the method does not apply: {reason}")
        self.model, self.inputs = model, inputs
        self._stepper = _isotrope.Stepper(model._model, steps, list(inputs))
        self.size, self.moving, _ = self._stepper.sizes
        # The values that the inputs have in the model.
        self.usual: Array = self._stepper.usual
        self._time, self._energy = self._stepper.places
        self._advance, self._into = self._stepper.advance, self._stepper.into

    def __reduce__(self) -> tuple[Any, ...]:
        return (Stepper, self._recipe)

    def __repr__(self) -> str:
        return f"<stepper of {self.model.name}: {self.size} numbers, inputs {list(self.inputs)}>"

    def initial(self, moving: ArrayLike | None = None, u: ArrayLike | None = None) -> Array:
        """The state in which the model begins, or the one with these positions and velocities.

        What the method remembers, momenta for one, is computed with the inputs ``u``.
        """
        inputs = None if u is None else _array(u, 1)
        return self._stepper.initial(None if moving is None else _array(moving, 1), inputs)

    def __call__(self, x: ArrayLike, u: ArrayLike | None = None, n: int = 1) -> Array:
        """The state after ``n`` steps; ``x`` stays as it is."""
        if type(x) is np.ndarray and u is None and n == 1:
            try:
                return self._advance(x, None, n)
            except TypeError:
                pass
        return self._advance(_array(x, 1), None if u is None else _array(u, 1), count(n, "steps"))

    def into(self, x: Array, u: ArrayLike | None = None, n: int = 1) -> None:
        """The same in place."""
        if not isinstance(x, np.ndarray) or x.dtype != np.float64 or x.ndim != 1:
            message = "a step in place needs an array of float64 with one axis"
            raise own(RefusedError, "ISO-REQUEST-003", message, "call the stepper for a new array")
        self._into(x, None if u is None else _array(u, 1), n if n == 1 else count(n, "steps"))

    def batch(
        self, states: ArrayLike, u: ArrayLike | None = None, n: int = 1, threads: int = 0
    ) -> Array:
        """Many states, a row each; the same bits as one by one."""
        inputs = None if u is None else _array(u, 2)
        return self._stepper.batch(
            _array(states, 2), inputs, count(n, "steps"), count(threads, "threads")
        )

    def jacobian(self, x: ArrayLike, u: ArrayLike | None = None) -> tuple[Array, Array]:
        """The exact derivatives of a step that begins here: ``A`` by ``x[:moving]``, ``B`` by ``u``."""
        inputs = None if u is None else _array(u, 1)
        a, b = self._stepper.jacobian(_array(x, 1), inputs)
        return a, b

    def derivatives(
        self, moving: ArrayLike, u: ArrayLike | None = None, n: int = 1
    ) -> tuple[Array, Array, Array]:
        """Where motions lead after ``n`` steps, and the exact derivatives of that by ``moving`` and ``u``.

        For one motion, ``moving`` is what it begins with; for many, it has a row for each.
        """
        many = np.ndim(moving) != 1
        begun = _array(moving, 2) if many else _array(moving, 1)[None]
        inputs = None if u is None else _array(u, 2) if many else _array(u, 1)[None]
        ends = self._stepper.derivatives(begun, inputs, count(n, "steps"))
        return ends if many else (ends[0][0], ends[1][0], ends[2][0])

    def time(self, x: ArrayLike) -> float:
        """The time of a state."""
        return float(_array(x, 1)[self._time])


def _array(values: ArrayLike, axes: int) -> Array:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        message = f"no array of numbers: {error}"
        raise own(RefusedError, "ISO-REQUEST-003", message, "pass float64") from None
    if array.ndim != axes:
        message = f"an array with {axes} axes is wanted, not with {array.ndim}"
        raise own(RefusedError, "ISO-REQUEST-003", message, "reshape it")
    return array
