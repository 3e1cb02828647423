"""SymPy there and back: models from its Lagrangians, expressions to it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.physics.vector import dynamicsymbols

from .errors import ModelError, own
from .model import Model

# Names of functions here, and the classes there.
_FUNCTIONS: dict[str, Any] = {
    name: getattr(sympy, name)
    for name in "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp log sqrt".split()
}
_NAMES = {kind: name for name, kind in _FUNCTIONS.items()}
_FUNCTIONS |= {"abs": sympy.Abs, "atan2": sympy.atan2, "sign": sympy.sign}
_NAMES |= {sympy.Abs: "abs", sympy.atan2: "atan2", sympy.sign: "sign"}
_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)|([^\W\d]\w*(?:\[[^\]]*\])?'*)|(.))", re.DOTALL)


def _refuse(message: str, hint: str | None = None) -> Exception:
    return own(ModelError, "ISO-REQUEST-007", message, hint)


class _Reader:
    """The grammar of expressions, read by precedence."""

    def __init__(self, text: str, functions: Mapping[str, Any]) -> None:
        found = _TOKEN.findall(text)
        self.tokens = [token for triple in found for token in triple if token.strip()]
        self.at, self.functions, self.text = 0, functions, text

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str | None = None) -> str:
        token = self.peek()
        if not token or (wanted is not None and token != wanted):
            raise _refuse(f"`{self.text}` cannot be read at `{token}`")
        self.at += 1
        return token

    def sum(self) -> Any:
        value = self.product()
        while self.peek() in ("+", "-"):
            sign = self.take()
            term = self.product()
            value = value + term if sign == "+" else value - term
        return value

    def product(self) -> Any:
        value = self.signed()
        while self.peek() in ("*", "/"):
            sign = self.take()
            factor = self.signed()
            value = value * factor if sign == "*" else value / factor
        return value

    def signed(self) -> Any:
        if self.peek() in ("+", "-"):
            sign = self.take()
            value = self.signed()
            return value if sign == "+" else -value
        return self.power()

    def power(self) -> Any:
        value = self.atom()
        if self.peek() == "^":
            self.take()
            return value ** self.signed()
        return value

    def atom(self) -> Any:
        token = self.take()
        if token == "(":
            value = self.sum()
            self.take(")")
            return value
        if token[0].isdigit():
            return sympy.Rational(token)
        if self.peek() == "(" and token in _FUNCTIONS:
            self.take()
            arguments = [self.sum()]
            while self.peek() == ",":
                self.take()
                arguments.append(self.sum())
            self.take(")")
            return _FUNCTIONS[token](*arguments)
        if not (token[0].isalpha() or token[0] == "_"):
            raise _refuse(f"`{self.text}` cannot be read at `{token}`")
        if token == "pi":
            return sympy.pi
        return self.functions.get(token, sympy.Symbol(token))


def to_sympy(text: str, functions: Mapping[str, Any] | None = None) -> sympy.Expr:
    """An expression in SymPy; names become symbols, or what ``functions`` says."""
    reader = _Reader(text, functions or {})
    value = reader.sum()
    if reader.peek():
        raise _refuse(f"`{text}` cannot be read at `{reader.peek()}`")
    return sympy.sympify(value)


class _Writer:
    """From SymPy to text."""

    def __init__(self, coordinates: Mapping[Any, str]) -> None:
        self.coordinates = coordinates
        self.symbols: set[str] = set()

    def __call__(self, value: Any) -> str:
        if value in self.coordinates:
            return self.coordinates[value]
        if isinstance(value, sympy.Rational):
            return f"({value})" if value.q != 1 or value < 0 else str(value)
        if isinstance(value, sympy.Float):
            return self(sympy.Rational(str(value)))
        if value is sympy.pi:
            return "pi"
        if value is sympy.E:
            return "exp(1)"
        if isinstance(value, sympy.Symbol):
            return self.symbol(value)
        if isinstance(value, sympy.Add):
            return "(" + " + ".join(self(term) for term in value.args) + ")"
        if isinstance(value, sympy.Mul):
            return "(" + "*".join(self(factor) for factor in value.args) + ")"
        if isinstance(value, sympy.Pow):
            if value.exp == sympy.Rational(1, 2):
                return f"sqrt({self(value.base)})"
            return f"({self(value.base)})^({self(value.exp)})"
        if isinstance(value, sympy.Derivative):
            return self.derivative(value)
        if value.func in _NAMES:
            return f"{_NAMES[value.func]}({', '.join(self(one) for one in value.args)})"
        if isinstance(value, AppliedUndef):
            raise _refuse(f"the function {value} is not a coordinate", "name it among the coordinates")
        raise _refuse(f"{value.func.__name__} has no counterpart here: {value}")

    def symbol(self, value: Any) -> str:
        name = str(value.name)
        if value == dynamicsymbols._t:
            return "t"
        if not re.fullmatch(r"[^\W\d]\w*(\[[^\]]*\])?", name) or name in _FUNCTIONS or name == "pi":
            raise _refuse(f"the symbol {name!r} cannot be a name here", "rename it")
        self.symbols.add(name)
        return name

    def derivative(self, value: Any) -> str:
        name = self.coordinates.get(value.expr)
        if name is None:
            raise _refuse(f"{value} is not the velocity of a coordinate")
        orders = [int(order) for _, order in value.variable_count]
        if orders != [1]:
            raise _refuse(f"{value} is a second derivative", "write L in positions and velocities")
        return f"{name}'"


def from_sympy(
    system: Any,
    coordinates: Sequence[Any] = (),
    *,
    constraints: Mapping[str, Any] | None = None,
    forces: Mapping[Any, Any] | None = None,
    parameters: Mapping[Any, Any] | None = None,
    position: Mapping[Any, Any] | None = None,
    velocity: Mapping[Any, Any] | None = None,
    name: str | None = None,
    **tables: Any,
) -> Model:
    """A model from a Lagrangian in ``dynamicsymbols``, a ``LagrangesMethod`` or a ``KanesMethod``."""
    kind = type(system).__name__
    if kind == "KanesMethod":
        return _from_kane(system, parameters, position, name)
    if kind == "LagrangesMethod":
        return _from_lagranges(system, constraints, parameters, position, velocity, name)
    names = {q: str(q.func) if isinstance(q, AppliedUndef) else str(q) for q in coordinates}
    if not names:
        raise _refuse("a Lagrangian without coordinates", "from_sympy(L, [x, y])")
    write = _Writer(names)
    text = write(sympy.sympify(system))
    equations = {key: _equation(write, value) for key, value in (constraints or {}).items()}
    acting = {names.get(q, str(q)): write(sympy.sympify(f)) for q, f in (forces or {}).items()}
    values = {str(key): _value(value) for key, value in (parameters or {}).items()}
    missing = sorted(write.symbols - set(values) - {"t"})
    if missing:
        # Without a value a symbol would be a mistake; 1 is one that shows.
        raise _refuse(f"{', '.join(missing)} have no values", "parameters={m: 1, …}")
    return Model(
        name=name, coordinates=list(names.values()), lagrangian=text, constraints=equations or None,
        forces=acting or None, parameters=values or None, position=_started(names, position),
        velocity=_started(names, velocity), **tables,
    )


def _equation(write: _Writer, value: Any) -> str:
    if isinstance(value, sympy.Equality):
        return f"{write(value.lhs)} = {write(value.rhs)}"
    return f"{write(sympy.sympify(value))} = 0"


def _value(value: Any) -> str:
    return _Writer({})(sympy.sympify(value))


def _started(names: Mapping[Any, str], values: Mapping[Any, Any] | None) -> dict[str, str] | None:
    if values is None:
        return None
    return {names.get(key, str(key)): _value(value) for key, value in values.items()}


def _from_lagranges(
    system: Any, constraints: Any, parameters: Any, position: Any, velocity: Any, name: str | None
) -> Model:
    coordinates, lagrangian = list(system.q), sympy.Matrix([system._L])[0]
    written = dict(constraints or {})
    holonomic = list(getattr(system, "_hol_coneqs", None) or [])
    written |= {f"holonomic{k + 1}": equation for k, equation in enumerate(holonomic)}
    rest = list(system.coneqs)[len(holonomic) :] if len(system.coneqs) > len(holonomic) else []
    written |= {f"constraint{k + 1}": equation for k, equation in enumerate(rest)}
    forces = dict(zip(coordinates, _acting(system), strict=True))
    return from_sympy(
        lagrangian, coordinates, constraints=written, parameters=parameters, position=position,
        velocity=velocity, name=name, forces={q: f for q, f in forces.items() if f != 0},
    )


def _acting(system: Any) -> list[Any]:
    """Generalised forces of the loads: F = sum of (dv/dq') · force."""
    total = [sympy.Integer(0)] * len(system.q)
    for place, force in system.forcelist or []:
        velocity = place.vel(system.inertial) if hasattr(place, "vel") else place.ang_vel_in(system.inertial)
        for k, rate in enumerate(system.q.diff(dynamicsymbols._t)):
            total[k] += velocity.diff(rate, system.inertial, var_in_dcm=False).dot(force)
    return total


def _from_kane(system: Any, parameters: Any, position: Any, name: str | None) -> Model:
    states = [*system.q, *system.u]
    names = {q: str(q.func) for q in states}
    rates = dict(system.kindiffdict())
    solved = system.rhs()
    write = _Writer(names)
    equations = {}
    for state, rate in zip(states, solved, strict=True):
        equations[f"{names[state]}'"] = write(sympy.sympify(rate).subs(rates))
    values = {str(key): _value(value) for key, value in (parameters or {}).items()}
    return Model(
        name=name, coordinates=list(names.values()), equations=equations, parameters=values or None,
        position=_started(names, position),
    )
