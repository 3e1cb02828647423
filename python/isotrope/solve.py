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


class Solution:
    """The solution between the rows of a run: ``sol(t)`` has a column for each time.

    ``kind`` says what it is. ``collocation``: the method's own polynomials, of degree s + 1 in the positions of s stages;
    ``quintic``: through (q, p) with two exact derivatives at both ends of every step; ``cubic``: Hermite polynomials
    through the rows, with the velocities of positions and slopes of the fourth order for everything else.
    """

    def __init__(self, kind: str, ts: Array, degree: int) -> None:
        if len(ts) < 2:
            raise own(RefusedError, "ISO-REQUEST-003", "a solution needs two rows", "run with a stride")
        self.kind, self.ts, self.degree = kind, ts, degree
        self._direction = 1.0 if ts[-1] >= ts[0] else -1.0

    @property
    def t_min(self) -> float:
        """The earliest time."""
        return float(min(self.ts[0], self.ts[-1]))

    @property
    def t_max(self) -> float:
        """The latest time."""
        return float(max(self.ts[0], self.ts[-1]))

    def __repr__(self) -> str:
        return f"<solution for t in [{self.t_min}, {self.t_max}]: {self.kind}, degree {self.degree}>"

    def __call__(self, t: ArrayLike) -> Array:
        at = np.asarray(t, dtype=np.float64)
        times = at.ravel()
        k = np.searchsorted(self._direction * self.ts, self._direction * times, side="right") - 1
        k = np.clip(k, 0, len(self.ts) - 2)
        theta = (times - self.ts[k]) / (self.ts[k + 1] - self.ts[k])
        values = self._within(k, theta)
        found: Array = values.reshape((len(values), *at.shape))
        return found

    def _within(self, k: NDArray[np.int64], theta: Array) -> Array:
        raise NotImplementedError


class Polynomials(Solution):
    """Polynomials of a degree d in every step, through d + 1 points of equal distance of each."""

    def __init__(self, kind: str, ts: Array, degree: int, y: Array) -> None:
        super().__init__(kind, ts, degree)
        self.y = y
        # Newton's form in s = d θ: exact at the points themselves, the first of them without rounding.
        rows = np.stack([y[:, k : y.shape[1] - degree + k : degree] for k in range(degree + 1)])
        for order in range(1, degree + 1):
            rows[order:] = (rows[order:] - rows[order - 1 : -1]) / order
        self._differences = rows

    def _within(self, k: NDArray[np.int64], theta: Array) -> Array:
        s = self.degree * theta
        value = self._differences[self.degree][:, k]
        for order in range(self.degree - 1, -1, -1):
            value = self._differences[order][:, k] + (s - order) * value
        found: Array = value
        return found


class Cubic(Solution):
    """Cubic Hermite polynomials through the rows of a run."""

    def __init__(self, run: Run) -> None:
        super().__init__("cubic", run.t, 3)
        self.y, t = run.y, run.t
        slopes = np.gradient(self.y, t, axis=1, edge_order=2) if len(t) > 2 else None
        if slopes is None:
            slopes = np.repeat(np.diff(self.y, axis=1) / np.diff(t), 2, axis=1)
        elif len(t) > 4 and np.allclose(np.diff(t), t[1] - t[0], rtol=1e-9):
            h, y = t[1] - t[0], self.y
            slopes[:, 2:-2] = (y[:, :-4] - 8 * y[:, 1:-3] + 8 * y[:, 3:-1] - y[:, 4:]) / (12 * h)
            first = np.array([-25.0, 48.0, -36.0, 16.0, -3.0]) / (12 * h)
            second = np.array([-3.0, -10.0, 18.0, -6.0, 1.0]) / (12 * h)
            slopes[:, 0], slopes[:, 1] = y[:, :5] @ first, y[:, :5] @ second
            slopes[:, -1], slopes[:, -2] = y[:, :-6:-1] @ -first, y[:, :-6:-1] @ -second
        rates = run.v.T
        known = len(rates) if run._layout["first_order"] or len(rates) * 2 == len(self.y) else 0
        slopes[:known] = rates[:known]
        self.slopes = slopes

    def _within(self, k: NDArray[np.int64], theta: Array) -> Array:
        h = self.ts[k + 1] - self.ts[k]
        y0, y1, d0, d1 = self.y[:, k], self.y[:, k + 1], self.slopes[:, k], self.slopes[:, k + 1]
        left = (1 + 2 * theta) * (1 - theta) ** 2 * y0 + theta * (1 - theta) ** 2 * h * d0
        right = theta**2 * (3 - 2 * theta) * y1 + theta**2 * (theta - 1) * h * d1
        found: Array = left + right
        return found


_KINDS = {"collocation": "collocation", "hermite": "quintic"}


def between(run: Run) -> Solution:
    """The method's own polynomials where it has some, otherwise cubic ones through the rows.

    The own ones are read off the same steps, made once more with as many rows in each as their degree asks for; they have the
    bits of the first run at its rows. A run without all of its steps has cubic ones.
    """
    asked = run._asked
    every = len(run) > 1 and len(run) == int(run.json["steps_done"]) + 1
    if asked is None or not every or "dense" in asked:
        return Cubic(run)
    trial = run.model._prepared({**asked, "dense": 2})
    inside = trial.layout.get("inside")
    if trial.steps is None or inside is None:
        return Cubic(run)
    kind, degree = inside
    prepared = run.model._prepared({**asked, "dense": degree})
    assert prepared.steps is not None
    from .result import run as run_steps

    again = run_steps(run.model, prepared, 1, degree, None, False)
    if len(again) != degree * (len(run) - 1) + 1:
        return Cubic(run)
    return Polynomials(_KINDS[kind], run.t, degree, np.array(again.y))


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
    sol: Solution | None = None
    if dense_output and found.success:
        sol = between(found)
        if sol.kind == "cubic":
            # So many rows that what is between them is as exact as the solution.
            # Thirds, because halving never makes a row of them.
            thirds = np.concatenate([found.t[:-1] + k / 3 * np.diff(found.t) for k in (1, 2)])
            sol = Cubic(_dense(run, found, thirds, len(found) - 1, rtol, atol or 0.0)[0])
    return OdeResult(
        t=times, y=values, sol=sol, t_events=None,
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
    values = Cubic(found)(wanted)
    while count < _MOST:
        count *= 2
        found = run(count)
        if not found.success:
            break
        before, values = values, Cubic(found)(wanted)
        scale = atol + rtol * np.abs(values).max(axis=1, keepdims=True)
        # The error falls by 16 with every halving.
        if np.all(np.abs(values - before) <= 4 * scale):
            break
    return found, values
