"""Runs: trajectories as arrays, with the names of SciPy beside our own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _isotrope
from .answer import Record
from .errors import stuck

if TYPE_CHECKING:
    import pandas

    from .model import Model, Prepared
    from .solve import Solution

Array = NDArray[np.float64]


class Run:
    """What became of a run: rows, a report, and where it ended.

    ``table`` has a row for each time; ``t``, ``y``, ``q``, ``v``, ``p``, ``lam`` and ``energy`` are
    views of it. ``y`` is (positions, velocities) with a column for each time, as in SciPy; for a model
    that is given by momenta (positions, momenta), for equations of first order the state.
    """

    def __init__(
        self,
        model: Model,
        columns: list[str],
        layout: dict[str, Any],
        table: Array,
        json: dict[str, Any],
        asked: dict[str, Any] | None = None,
    ) -> None:
        self.model, self.columns, self.table = model, columns, table
        self._layout, self._json, self._asked = layout, json, asked
        self._sol: Solution | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return (Run, (self.model, self.columns, self._layout, self.table, self._json, self._asked))

    # The report.

    @property
    def json(self) -> dict[str, Any]:
        """What ``isotrope run --json`` prints."""
        return self._json

    @property
    def outcome(self) -> str:
        """``completed``, or why it ended."""
        return str(self._json["outcome"])

    @property
    def success(self) -> bool:
        """Did it reach the end?"""
        return self.outcome == "completed"

    @property
    def status(self) -> int:
        """0 at the end, -1 after a failed step, as in SciPy."""
        return 0 if self.success else -1

    @property
    def message(self) -> str:
        """How it ended, in words."""
        failure = self._json["failure"]
        return f"{self.outcome}: {failure['reason']}" if failure else self.outcome

    @property
    def failure(self) -> Record | None:
        """The step that was not made."""
        failure = self._json["failure"]
        return None if failure is None else Record(failure)

    @property
    def errors(self) -> Record:
        """The largest errors of all steps."""
        return Record(self._json["errors"], "words")

    @property
    def cost(self) -> Record:
        """Iterations, evaluations and times."""
        return Record(self._json["cost"], "words")

    @property
    def final(self) -> Record:
        """Where it ended."""
        return Record(self._json["final"], "words")

    @property
    def nfev(self) -> int:
        """Evaluations of the equations."""
        return int(self._json["cost"]["residual_evaluations"] or 0)

    @property
    def njev(self) -> int:
        """Evaluations of Jacobians: they are part of the compiled step, and not counted."""
        return 0

    @property
    def nlu(self) -> int:
        """Rounds of Newton's method, each with one elimination."""
        return int(self._json["cost"]["newton_iterations"] or 0)

    def check(self) -> Run:
        """Raises :class:`isotrope.StepFailed` unless the run reached its end."""
        failure = self._json["failure"]
        if failure is not None:
            raise stuck(json.dumps(failure | {"outcome": self.outcome}), "")
        if not self.success:
            facts = {"step": self._json["steps_done"], "t": self._json["final"]["t"], "residual": None}
            raise stuck(json.dumps(facts | {"outcome": self.outcome, "reason": self.outcome}), "")
        return self

    # Arrays.

    def _columns(self, first: int, count: int) -> Array:
        return self.table[:, first : first + count]

    @property
    def t(self) -> Array:
        """The times."""
        return self.table[:, 0] if self.table.shape[1] else self.table[:, :0].ravel()

    @property
    def q(self) -> Array:
        """Positions, a row for each time."""
        return self._columns(1, self._layout["dimension"])

    @property
    def v(self) -> Array:
        """Velocities."""
        return self._columns(1 + self._layout["dimension"], self._layout["rates"])

    @property
    def p(self) -> Array:
        """Momenta; no columns where there are none."""
        first = 1 + self._layout["dimension"] + self._layout["rates"]
        return self._columns(first, self._layout["rates"] if self._layout["momenta"] else 0)

    @property
    def lam(self) -> Array:
        """Multipliers, a column for each constraint."""
        rates = self._layout["rates"] * (2 if self._layout["momenta"] else 1)
        return self._columns(1 + self._layout["dimension"] + rates, len(self._layout["constraints"]))

    @property
    def energy(self) -> Array:
        """The energy."""
        return self["energy"]

    @property
    def y(self) -> Array:
        """What a motion begins with, a column for each time."""
        layout = self._layout
        if layout["first_order"]:
            return self.q.T
        if layout["in_momenta"]:
            return np.concatenate([self.q, self.p], axis=1).T
        return self._columns(1, layout["dimension"] + layout["rates"]).T

    def __getitem__(self, name: str) -> Array:
        wanted = f"v_{name[:-1]}" if name.endswith("'") else name
        if wanted not in self.columns:
            raise KeyError(f"there is no column {name!r}; there are {', '.join(self.columns)}")
        return self.table[:, self.columns.index(wanted)]

    def __len__(self) -> int:
        return len(self.table)

    @property
    def sol(self) -> Solution:
        """The solution between the rows; ``sol.kind`` says how: :class:`isotrope.solve.Solution`."""
        if self._sol is None:
            from .solve import between

            self._sol = between(self)
        return self._sol

    # Elsewhere.

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame with the time as index."""
        import pandas

        return pandas.DataFrame(self.table, columns=self.columns).set_index("t")

    def to_xarray(self) -> Any:
        """A dataset with the coordinate ``t``, and the report as attributes."""
        import xarray

        columns = {name: ("t", self[name]) for name in self.columns[1:]}
        attributes = {key: str(self._json[key]) for key in ("model", "method", "step", "outcome")}
        return xarray.Dataset(columns, coords={"t": self.t}, attrs=attributes)

    def to_arrow(self) -> Any:
        """A table of Arrow."""
        import pyarrow

        return pyarrow.table({name: self.table[:, k] for k, name in enumerate(self.columns)})

    def save(self, path: Any) -> None:
        """Writes the rows: ``.csv``, ``.npz`` or ``.parquet``."""
        from os import fspath

        _isotrope.save_rows(fspath(path), self.columns, self.table)

    def plot(self, *what: str, ax: Any = None) -> Any:
        """Columns against time, or with one name ``"x : y"`` one against the other."""
        from .plot import run

        return run(self, what, ax)

    def animate(self, seconds: float = 6.0, frames: int = 120) -> Any:
        """The scene of the model as something that a notebook plays."""
        from .plot import animate

        return animate(self, seconds, frames)

    def __repr__(self) -> str:
        lines = [f"{self._json['model']}: {self._json['method']}, {self.message}"]
        lines.append(f"  t: {self.t.shape}  columns: {', '.join(self.columns)}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f"<tr><td>{escape(str(key))}</td><td>{escape(str(value))}</td></tr>"
            for key, value in self._json["errors"].items()
        )
        return f"<b>{escape(self.message)}</b><table>{rows}</table>"


def run(
    model: Model,
    prepared: Prepared,
    stride: int | None,
    dense: int,
    progress: Any,
    keeps_part: bool,
    asked: dict[str, Any] | None = None,
) -> Run:
    """Runs prepared steps; a method that does not apply is an answer without rows."""
    steps, report, columns, layout = prepared
    if steps is None:
        layout = {"dimension": 0, "rates": 0, "momenta": False, "constraints": []}
        layout |= {"first_order": False, "in_momenta": False, "group": False}
        return Run(model, columns, layout, np.empty((0, 1)), json.loads(report))
    table, text = steps.run(stride, dense, progress, keeps_part)
    return Run(model, columns, layout, table, json.loads(text), asked)
