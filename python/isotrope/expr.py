"""Expressions: shown in notebooks, compared exactly, evaluated over arrays, handed to SymPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _isotrope
from .errors import OutOfBudget, own

if TYPE_CHECKING:
    import sympy


class Expr:
    """An exact expression in the grammar of model files.

    >>> energy = Expr("m*(x'^2 + y'^2)/2")
    >>> energy == Expr("m*x'^2/2 + m*y'^2/2")
    True
    >>> energy.lambdify("x'", "y'", m=2.0)(3.0, 4.0)
    25.0

    Equality is decided, so there is no hash that agrees with it: use ``str(e)`` as a key.
    """

    __slots__ = ("_expression", "_text")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"an expression is read from text, not from {type(text).__name__}")
        self._text = text
        self._expression: _isotrope.Expression | None = None

    def _read(self) -> _isotrope.Expression:
        if self._expression is None:
            self._expression = _isotrope.Expression(encodable(self._text))
        return self._expression

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Expr({self._text!r})"

    def __reduce__(self) -> tuple[type[Expr], tuple[str]]:
        return (type(self), (self._text,))

    @property
    def latex(self) -> str:
        """LaTeX, for math mode."""
        return self._read().latex

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex}$"

    @property
    def mathml(self) -> str:
        """MathML."""
        return self._read().mathml

    @property
    def symbols(self) -> list[str]:
        """The names that occur in it, in alphabetical order."""
        return self._read().symbols

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (str, int)) and not isinstance(other, bool):
            other = Expr(str(other))
        if not isinstance(other, Expr):
            return NotImplemented
        if self._text == other._text:
            return True
        decided = self._read().equals(other._read())
        if decided is None:
            message = f"whether {self} equals {other} is not decided"
            raise own(OutOfBudget, "ISO-EXPRESSION-003", message, "compare values instead")
        return decided

    def lambdify(self, *names: str, **values: float) -> Function:
        """A compiled function of these names; names that are not given are all that have no value."""
        rest = [name for name in self.symbols if name not in values and name not in names]
        if names and rest:
            text = ", ".join(rest)
            message = f"{text} of the expression have no value"
            hint = "name them as arguments, or give values: lambdify('x', m=1)"
            raise own(_refused(), "ISO-EXPRESSION-002", message, hint)
        return Function(self, (*names, *rest), values)

    def to_sympy(self, functions: dict[str, Any] | None = None) -> sympy.Expr:
        """The same in SymPy; ``functions`` says what names become, otherwise symbols."""
        from .sympy import to_sympy

        return to_sympy(self._text, functions)


def _refused() -> Any:
    from .errors import RefusedError

    return RefusedError


def encodable(text: str) -> str:
    """Text that UTF-8 can hold: lone surrogates are refused with a code."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        message = f"the character {text[error.start]!r} is no text"
        raise own(_refused(), "ISO-REQUEST-001", message, "write Unicode without surrogates") from None
    return text


class Function:
    """A compiled expression: broadcasts over arrays like NumPy."""

    def __init__(self, expr: Expr, names: tuple[str, ...], values: dict[str, float]) -> None:
        self.expr, self.names, self.values = expr, names, dict(values)
        self._formula = expr._read().formula([*names, *values])

    def __reduce__(self) -> tuple[type[Function], tuple[Any, ...]]:
        return (type(self), (self.expr, self.names, self.values))

    def __repr__(self) -> str:
        return f"<function of ({', '.join(self.names)}): {self.expr}>"

    def __call__(self, *arguments: ArrayLike) -> float | NDArray[np.float64]:
        if len(arguments) != len(self.names):
            raise TypeError(f"{self!r} takes {len(self.names)} arguments, not {len(arguments)}")
        arrays = [np.asarray(a, dtype=np.float64) for a in (*arguments, *self.values.values())]
        shape = np.broadcast_shapes(*(a.shape for a in arrays))
        flat = [
            a.reshape(1) if a.size == 1 else np.ascontiguousarray(np.broadcast_to(a, shape)).ravel()
            for a in arrays
        ]
        if 0 in shape:
            return np.empty(shape)
        found = self._formula.values(flat)
        if not shape:
            return float(found[0])
        return np.broadcast_to(found, shape).copy() if found.size == 1 else found.reshape(shape)
