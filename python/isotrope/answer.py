"""Answers: the JSON of a command, with attributes, exact expressions and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .expr import Expr

if TYPE_CHECKING:
    import pandas

# Below these keys, text is an expression ...
_EXPRESSIONS = frozenset(
    """lagrangian momenta mass_matrix energy hamiltonian multipliers equations side_conditions
    residual dirac_differential expression rate momentum forces frame value constraint_value vector
    covector field parameters magnetic H J R g Q courant casimirs kernel reduction discrete
    discrete_lagrangian equation rates matrices conditions""".split()
)
# ... but not under these, which are words.
_WORDS = frozenset(
    """name kind why proof constraint names title verdict reason isotropic description quasi_velocities
    coordinates note notes hidden method methods class power_balance""".split()
)
# Exact numbers of tables.
_NUMBERS = frozenset("a b abar bbar btil c gamma sigma exact numerator denominator weights".split())
_RATIONAL = re.compile(r"-?\d+(/\d+)?\Z")


def _wrapped(value: Any, key: str, kind: str) -> Any:
    if key in _WORDS:
        kind = "words"
    elif key in _EXPRESSIONS:
        kind = "expression"
    elif key in _NUMBERS:
        kind = "number"
    if isinstance(value, dict):
        return Record(value, kind)
    if isinstance(value, list):
        return [_wrapped(item, "", kind) for item in value]
    if isinstance(value, str) and kind == "number" and _RATIONAL.match(value):
        return Fraction(value)
    if isinstance(value, str) and kind in ("number", "expression"):
        return Expr(value)
    return value


class Record(Mapping[str, Any]):
    """A part of an answer: keys are attributes, too."""

    def __init__(self, json: dict[str, Any], kind: str = "") -> None:
        self._json, self._kind = json, kind

    @property
    def json(self) -> dict[str, Any]:
        """What the command prints with ``--json``."""
        return self._json

    def __getitem__(self, key: str) -> Any:
        return _wrapped(self._json[key], key, self._kind)

    def __iter__(self) -> Iterator[str]:
        return iter(self._json)

    def __len__(self) -> int:
        return len(self._json)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "_json" not in self.__dict__:
            raise AttributeError(name)
        key = "lambda" if name == "lam" else name
        if key in self._json:
            return self[key]
        known = ", ".join(self._json)
        raise AttributeError(f"the answer has no {name!r}; it has {known}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(key for key in self._json if key.isidentifier())]

    def __repr__(self) -> str:
        return repr(self._json)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Record):
            return self._json == other._json
        return self._json == other if isinstance(other, dict) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


class Answer(Record):
    """The answer of a study."""

    def __init__(self, json: dict[str, Any], negative: bool = False, text: str = "") -> None:
        super().__init__(json)
        self._negative, self._text = negative, text

    @property
    def negative(self) -> bool:
        """Is the answer "no": does a property fail, or a run not complete?"""
        return self._negative

    def __str__(self) -> str:
        return self._text or repr(self._json)

    def __repr__(self) -> str:
        return f"<{type(self).__name__.lower()}: {', '.join(self._json)}>"

    def __reduce__(self) -> tuple[type[Answer], tuple[Any, ...]]:
        return (type(self), (self._json, self._negative, self._text))

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


def _flat(value: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, item in value.items():
        if isinstance(item, dict):
            found |= _flat(item, f"{prefix}{key}.")
        else:
            found[prefix + key] = item
    return found


class Table(Answer):
    """An answer with rows."""

    @property
    def rows(self) -> list[Record]:
        """The rows, one a method."""
        key = next((key for key in ("rows", "methods", "trees") if key in self._json), None)
        return [Record(row) for row in self._json[key]] if key else [Record(self._json)]

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame; keys of nested records are joined by dots."""
        import pandas

        return pandas.DataFrame([_flat(row.json) for row in self.rows])

    def plot(self, ax: Any = None) -> Any:
        """Errors against steps, or errors of methods."""
        from .plot import table

        return table(self, ax)


class Derivation(Answer):
    """Everything that is derived from a model, exactly."""

    def __init__(self, json: dict[str, Any], model: Any, discrete: str | None = None) -> None:
        super().__init__(json)
        self._model, self._discrete = model, discrete

    def __reduce__(self) -> tuple[Any, ...]:
        return (Derivation, (self._json, self._model, self._discrete))

    def __str__(self) -> str:
        return str(self._model._report("text", self._discrete))

    @property
    def html(self) -> str:
        """A self-contained page."""
        return str(self._model._report("html", self._discrete))

    @property
    def latex(self) -> str:
        """A complete LaTeX document."""
        return str(self._model._report("latex", self._discrete))

    def _repr_html_(self) -> str:
        page = self.html
        start, end = page.find("<body"), page.rfind("</body>")
        return page[page.find(">", start) + 1 : end] if 0 <= start < end else page

    def discrete(self, method: str) -> Derivation:
        """The equations of a discrete Lagrangian on the model."""
        found = self._model.derive(discrete=method)
        assert isinstance(found, Derivation)
        return found


class Flow(Answer):
    """Derivatives of the discrete flow; matrices are arrays."""

    def __getitem__(self, key: str) -> Any:
        import numpy as np

        value = self._json[key]
        if isinstance(value, list) and value and isinstance(value[0], (list, float, int)):
            try:
                return np.asarray(value, dtype=np.float64)
            except (TypeError, ValueError):
                return value
        return super().__getitem__(key)


class Method(Answer):
    """A method with what was computed of it; goes into ``run``."""

    @property
    def name(self) -> str:
        """Its name."""
        return str(self._json["name"])

    @property
    def linear(self) -> Linear | None:
        """What linear test equations say of a table; nothing for methods that are none."""
        found = self._json.get("linear")
        return None if found is None else Linear(found)

    def __str__(self) -> str:
        return self._text or self.name


class Linear(Record):
    """What the test equations y' = λy and q'' = -ω²q say of a method, proved from its exact coefficients."""

    @property
    def stability_function(self) -> Expr | None:
        """R(z): a step multiplies the solution of y' = λy by R(hλ)."""
        if self._json["scalar"] is None:
            return None

        def polynomial(coefficients: list[str]) -> str:
            powers = ("", "*z", *(f"*z^{k}" for k in range(2, len(coefficients))))
            return " + ".join(f"({a}){power}" for a, power in zip(coefficients, powers) if a != "0")

        scalar = self._json["scalar"]
        numerator, denominator = polynomial(scalar["numerator"]), polynomial(scalar["denominator"])
        return Expr(f"({numerator})/({denominator})")

    def R(self, z: Any) -> Any:
        """The stability function at complex numbers; not a number where the method is no table of one kind."""
        import numpy as np

        z = np.asarray(z, dtype=np.complex128)
        scalar = self._json["scalar"]
        if scalar is None:
            return np.full_like(z, np.nan)
        parts = []
        for key in ("numerator", "denominator"):
            exact = self["scalar"][key]
            parts.append([float(a) if isinstance(a, Fraction) else float(a.lambdify()()) for a in exact])
        top, bottom = (np.polynomial.polynomial.polyval(z, part) for part in parts)
        with np.errstate(divide="ignore", invalid="ignore"):
            return top / bottom

    def _proved(self, key: str) -> bool | None:
        scalar = self._json["scalar"]
        return None if scalar is None else scalar[key]

    @property
    def a_stable(self) -> bool | None:
        """Is |R| ≤ 1 on the left half-plane?"""
        return self._proved("a_stable")

    @property
    def l_stable(self) -> bool | None:
        """Is it A-stable with R(∞) = 0?"""
        return self._proved("l_stable")

    @property
    def algebraically_stable(self) -> bool | None:
        """Do solutions of contractive systems not move apart?"""
        return self._proved("algebraically_stable")


class Construction(Table):
    """Methods that were constructed, and why there are no others."""

    def __init__(
        self, json: dict[str, Any], negative: bool = False, text: str = "", table: str | None = None
    ) -> None:
        super().__init__(json, negative, text)
        self._table = table

    def __reduce__(self) -> tuple[type[Answer], tuple[Any, ...]]:
        return (type(self), (self._json, self._negative, self._text, self._table))

    @property
    def table(self) -> str | None:
        """The first method as a table file, for ``run`` (as ``rkd:FILE``) and ``certify``."""
        return self._table

    def save(self, path: Any) -> None:
        """Writes the first method as a table file."""
        from pathlib import Path

        if self._table is None:
            raise ValueError("there is no method to save")
        Path(path).write_text(self._table, encoding="utf-8")
