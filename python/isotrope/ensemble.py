"""Ensembles: many initial values and parameters at once, broadcast like NumPy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .answer import Record
from .errors import RefusedError, count, own

if TYPE_CHECKING:
    from .model import Model, Prepared


class Ensemble:
    """What became of every member, in the shape in which the members were given."""

    def __init__(
        self,
        shape: tuple[int, ...],
        columns: list[str],
        table: NDArray[np.float64],
        members: list[dict[str, Any]],
        json: dict[str, Any],
    ) -> None:
        self.shape, self.columns, self.table = shape, columns, table
        self.members, self._json = members, json

    @property
    def json(self) -> dict[str, Any]:
        """The report of all, with the members under ``rows``."""
        return self._json | {"members": self.members}

    @property
    def report(self) -> Record:
        """The report of all members together."""
        return Record(self._json, "words")

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        wanted = f"v_{name[:-1]}" if name.endswith("'") else name
        if wanted not in self.columns:
            raise KeyError(f"there is no column {name!r}; there are {', '.join(self.columns)}")
        return self.table[:, self.columns.index(wanted)].reshape(self.shape)

    @property
    def final(self) -> dict[str, NDArray[np.float64]]:
        """Where the members ended: an array for each column."""
        return {name: self[name] for name in self.columns}

    @property
    def success(self) -> NDArray[np.bool_]:
        """Which members reached the end."""
        done: NDArray[np.bool_] = np.asarray(self.outcome == "completed")
        return done

    @property
    def outcome(self) -> NDArray[np.str_]:
        """How each member ended."""
        return np.array([one["outcome"] for one in self.members], dtype=np.str_).reshape(self.shape)

    @property
    def errors(self) -> dict[str, NDArray[np.float64]]:
        """The largest errors of each member; not a number where there are none."""
        names = [k for k, v in self.members[0]["errors"].items() if not isinstance(v, dict)]
        rows = (one["errors"] for one in self.members)
        numbers = [[np.nan if row[k] is None else row[k] for k in names] for row in rows]
        table = np.array(numbers, dtype=np.float64)
        return {name: table[:, k].reshape(self.shape) for k, name in enumerate(names)}

    def to_pandas(self) -> Any:
        """A data frame with a row for each member."""
        import pandas

        return pandas.DataFrame(self.table, columns=self.columns)

    def __repr__(self) -> str:
        done = int(self.success.sum())
        return f"<ensemble {self.shape}: {done} of {self.success.size} completed>"


def ensemble(
    model: Model,
    prepared: Prepared,
    members: Mapping[str, ArrayLike],
    threads: int,
    progress: Any,
) -> Ensemble:
    """Runs the members."""
    steps, report, columns, _ = prepared
    if steps is None:
        reason = (json.loads(report)["failure"] or {}).get("reason", "the method does not apply")
        raise own(RefusedError, "ISO-RUN-006", str(reason), "take another method")
    if not members:
        message = "an ensemble without a quantity that varies"
        raise own(RefusedError, "ISO-REQUEST-003", message, "give arrays: x=…, g=…")
    try:
        arrays = np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in members.values()))
    except (TypeError, ValueError) as error:
        message = f"the members are no arrays of numbers that broadcast: {error}"
        raise own(RefusedError, "ISO-REQUEST-003", message, "give shapes that fit") from None
    shape = arrays[0].shape
    values = np.stack([a.ravel() for a in arrays], axis=1) if arrays[0].size else None
    if values is None:
        raise own(RefusedError, "ISO-REQUEST-003", "an ensemble without members", "give some")
    names = list(members)
    table, told, text = steps.ensemble(model._model, names, values, count(threads, "threads"), progress)
    # Before the row: the number of the member, and whether it completed.
    return Ensemble(shape, columns, table[:, 2:], [json.loads(one) for one in told], json.loads(text))
