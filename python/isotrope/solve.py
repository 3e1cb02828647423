"""``solve_ivp`` for people who know SciPy, and the solution between the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import RefusedError, own

if TYPE_CHECKING:
    from .model import Model
    from .result import Run

Array = NDArray[np.float64]

_MOST = 1 << 17


class Interpolation:
    """Cubic Hermite polynomials through the rows of a run.

    Positions are interpolated with their velocities; velocities and momenta with slopes of the fourth order
    in the distance of rows.
    """

    def __init__(self, run: Run) -> None:
        self.t, self.y = run.t, run.y
        if len(self.t) < 2:
            raise own(RefusedError, "ISO-REQUEST-003", "a solution needs two rows", "run with a stride")
        slopes = np.gradient(self.y, self.t, axis=1, edge_order=2) if len(self.t) > 2 else None
        if slopes is None:
            slopes = np.repeat(np.diff(self.y, axis=1) / np.diff(self.t), 2, axis=1)
        elif len(self.t) > 4 and np.allclose(np.diff(self.t), self.t[1] - self.t[0], rtol=1e-9):
            h, y = self.t[1] - self.t[0], self.y
            slopes[:, 2:-2] = (y[:, :-4] - 8 * y[:, 1:-3] + 8 * y[:, 3:-1] - y[:, 4:]) / (12 * h)
            first = np.array([-25.0, 48.0, -36.0, 16.0, -3.0]) / (12 * h)
            second = np.array([-3.0, -10.0, 18.0, -6.0, 1.0]) / (12 * h)
            slopes[:, 0], slopes[:, 1] = y[:, :5] @ first, y[:, :5] @ second
            slopes[:, -1], slopes[:, -2] = y[:, :-6:-1] @ -first, y[:, :-6:-1] @ -second
        rates = run.v.T
        known = len(rates) if run._layout["first_order"] or len(rates) * 2 == len(self.y) else 0
        slopes[:known] = rates[:known]
        self.slopes = slopes

    def __call__(self, t: ArrayLike) -> Array:
        at = np.asarray(t, dtype=np.float64)
        direction = 1.0 if self.t[-1] >= self.t[0] else -1.0
        k = np.searchsorted(direction * self.t, direction * at.ravel(), side="right") - 1
        k = np.clip(k, 0, len(self.t) - 2)
        h = self.t[k + 1] - self.t[k]
        s = (at.ravel() - self.t[k]) / h
        y0, y1, d0, d1 = self.y[:, k], self.y[:, k + 1], self.slopes[:, k], self.slopes[:, k + 1]
        left = (1 + 2 * s) * (1 - s) ** 2 * y0 + s * (1 - s) ** 2 * h * d0
        right = s**2 * (3 - 2 * s) * y1 + s**2 * (s - 1) * h * d1
        found: Array = (left + right).reshape((len(self.y), *at.shape))
        return found


class OdeResult(dict[str, Any]):
    """The result of :func:`solve_ivp`, with the names of SciPy as keys and attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(name) from error

    def __dir__(self) -> list[str]:
        return list(self)


def _names(model: Model) -> list[str]:
    """What a motion begins with, as ``initial`` calls it."""
    state = model.derive().json.get("state")
    if state is not None:
        return list(model.coordinates)
    rate = "p_{}" if "[hamiltonian]" in model.text or '["hamiltonian"]' in model.text else "{}'"
    return [*model.coordinates, *(rate.format(name) for name in model.coordinates)]


def solve_ivp(
    model: Model,
    t_span: tuple[float, float],
    y0: ArrayLike | None = None,
    method: str = "dop853",
    t_eval: ArrayLike | None = None,
    dense_output: bool = False,
    events: Any = None,
    vectorized: bool = False,
    args: Any = None,
    *,
    rtol: float = 1e-3,
    atol: float | None = 1e-6,
    max_step: float = np.inf,
    first_step: float | None = None,
    rows: int = 100,
) -> OdeResult:
    """SciPy's ``solve_ivp`` with a model in the place of the function.

    Without ``t_eval`` there are ``rows`` + 1 times of equal distance. Times of equal distance are read off the
    method's own polynomial; other times are interpolated between rows that are dense enough for the tolerance.
    Motions begin at t = 0, as models do.
    """
    if events is not None or args is not None:
        message = "events and args are not understood"
        hint = "events come with a later version; give parameters with model.set(...)"
        raise own(RefusedError, "ISO-REQUEST-001", message, hint)
    start, end = (float(bound) for bound in t_span)
    if start != 0.0:
        message = f"a motion begins at t = 0, not at {start}"
        raise own(RefusedError, "ISO-RUN-003", message, "shift the time of the model")
    if y0 is not None:
        names, given = _names(model), np.asarray(y0, dtype=np.float64).ravel()
        if len(names) != len(given):
            message = f"y0 has {len(given)} numbers, and a motion begins with {len(names)}"
            raise own(RefusedError, "ISO-REQUEST-003", message, ", ".join(names))
        model = model.initial(**{name: float(x) for name, x in zip(names, given, strict=True)})
    wanted = None if t_eval is None else np.asarray(t_eval, dtype=np.float64)
    if wanted is not None:
        low, high = min(start, end), max(start, end)
        inside = wanted.ndim == 1 and bool(np.all((wanted >= low) & (wanted <= high)))
        if not inside or np.any(np.diff(wanted) * (1.0 if end >= start else -1.0) <= 0):
            message = "t_eval has times outside of t_span, or not in its order"
            raise own(RefusedError, "ISO-REQUEST-003", message, "give increasing times within t_span")
    options: dict[str, Any] = {}
    if method == "dop853":
        options = {"rtol": max(rtol, 1e-15), "atol": atol or None, "first_step": first_step}
        options["max_step"] = None if np.isinf(max_step) else max_step

    def run(count: int) -> Run:
        from fractions import Fraction

        time = Fraction(end)
        return model.run(method, str(time / count), str(time), **options)

    count, picked = _grid(end, wanted, rows)
    found = run(count)
    if picked is not None and found.success:
        times, values = found.t[picked], found.y[:, picked]
    elif wanted is None or not found.success:
        times, values = found.t, found.y
    else:
        found, values = _dense(run, found, wanted, count, rtol, atol or 0.0)
        times = wanted
    return OdeResult(
        t=times, y=values, sol=Interpolation(found) if dense_output else None, t_events=None,
        y_events=None, nfev=found.nfev, njev=found.njev, nlu=found.nlu, status=found.status,
        message=found.message, success=found.success, run=found,
    )


def _grid(end: float, wanted: Array | None, rows: int) -> tuple[int, Array | None]:
    """How many steps, and which rows are wanted where all of them are of equal distance."""
    if wanted is None or len(wanted) == 0:
        return rows, None
    for count in range(1, 4 * max(len(wanted), rows) + 1):
        index = wanted / end * count
        if np.all(np.abs(index - np.round(index)) <= 1e-12 * count):
            return count, np.round(index).astype(np.int64)
    return max(4 * len(wanted), rows), None


def _dense(
    run: Any, found: Run, wanted: Array, count: int, rtol: float, atol: float
) -> tuple[Run, Array]:
    """Halves the distance of rows until the interpolation is as exact as the solution."""
    values = Interpolation(found)(wanted)
    while count < _MOST:
        count *= 2
        found = run(count)
        if not found.success:
            break
        before, values = values, Interpolation(found)(wanted)
        scale = atol + rtol * np.abs(values).max(axis=1, keepdims=True)
        # The error falls by 16 with every halving.
        if np.all(np.abs(values - before) <= 4 * scale):
            break
    return found, values
