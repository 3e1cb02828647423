"""Models: values made from files, text, keywords or SymPy, and the studies of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _isotrope
from .answer import Answer, Derivation, Flow, Table
from .errors import RefusedError, count, own
from .expr import Expr, encodable
from .toml import toml

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .ensemble import Ensemble
    from .result import Run
    from .stepper import Stepper

Number = Any
"""An exact number: an int, a Fraction, a Decimal, text such as ``"1/100"``, a SymPy number, or a float."""

Progress = Callable[[int, int, str], object]

_KEPT = 8


def exact(value: Number) -> str:
    """A number as text; a float is the shortest decimal that reads back as it."""
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, bool) or value is None:
        raise TypeError(f"a number is wanted, not {value!r}")
    if isinstance(value, float):
        return repr(float(value))
    if type(value).__module__.startswith("numpy"):
        return exact(value.item())
    return str(value).replace("**", "^")


def watcher(progress: bool | Progress | None) -> Progress | None:
    """What is called with (done, total, what); ``True`` is a bar of tqdm, where there is one."""
    if progress is None or progress is False:
        return None
    if progress is not True:
        return progress
    from .progress import bar

    return bar()


class Prepared(NamedTuple):
    """Compiled steps, or the report that says why there are none."""

    steps: _isotrope.Steps | None
    report: str
    columns: list[str]
    layout: dict[str, Any]


class Model:
    """A mechanical system: a value, equal to others with the same text.

    >>> m = Model(coordinates=["theta"], lagrangian="theta'^2/2 + cos(theta)",
    ...           position={"theta": 1}, velocity={"theta": 0})
    >>> m.derive().equations.v.theta
    Expr('-sin(theta)')
    """

    def __init__(
        self,
        text: str | bytes | None = None,
        *,
        source: str | None = None,
        name: str | None = None,
        coordinates: Sequence[str] | None = None,
        lagrangian: str | Expr | None = None,
        hamiltonian: str | Expr | None = None,
        constraints: Mapping[str, Any] | None = None,
        forces: Mapping[str, Any] | None = None,
        parameters: Mapping[str, Number] | None = None,
        define: Mapping[str, Any] | None = None,
        position: Mapping[str, Number] | None = None,
        velocity: Mapping[str, Number] | None = None,
        momentum: Mapping[str, Number] | None = None,
        **tables: Any,
    ) -> None:
        given: dict[str, Any] = {"name": name, "coordinates": coordinates}
        given |= {"parameters": parameters, "define": define}
        given |= {"lagrangian": {"L": lagrangian} if lagrangian is not None else None}
        given |= {"hamiltonian": {"H": hamiltonian} if hamiltonian is not None else None}
        given |= {"constraints": constraints, "forces": forces}
        initial = {"position": position, "velocity": velocity, "momentum": momentum}
        given["initial"] = {key: value for key, value in initial.items() if value is not None} or None
        given |= tables
        given = {key: value for key, value in given.items() if value is not None}
        if text is not None and given:
            raise TypeError(f"a model is given by text or by keywords, not by both ({', '.join(given)})")
        if text is None:
            text = toml(given)
        self._begin(source or "<model>", text if isinstance(text, bytes) else _bytes(text), {}, {})

    def _begin(
        self, source: str, text: bytes, changed: dict[str, str], initial: dict[str, str]
    ) -> None:
        self._source, self._bytes, self._set, self._initial = source, text, changed, initial
        pairs = ([f"{k}={v}" for k, v in part.items()] for part in (changed, initial))
        self._model = _isotrope.Model(source, text, *pairs)
        self._steps: dict[str, Prepared] = {}

    @classmethod
    def _made(
        cls, source: str, text: bytes, changed: dict[str, str], initial: dict[str, str]
    ) -> Model:
        model = cls.__new__(cls)
        model._begin(source, text, changed, initial)
        return model

    # A value.

    @property
    def text(self) -> str:
        """The text of the model file."""
        return self._bytes.decode(errors="replace")

    @property
    def name(self) -> str:
        """The name that the model gives itself."""
        return self._model.name

    @property
    def coordinates(self) -> list[str]:
        """The names of its coordinates."""
        return self._model.names[0]

    @property
    def parameters(self) -> list[str]:
        """The names of its parameters."""
        return self._model.names[1]

    def _key(self) -> tuple[Any, ...]:
        return (self._bytes, tuple(self._set.items()), tuple(self._initial.items()))

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Model) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return (Model._made, (self._source, self._bytes, self._set, self._initial))

    def __repr__(self) -> str:
        return f"<model {self.name}: {', '.join(self.coordinates[:8])}>"

    def set(self, **values: Number) -> Model:
        """The model with other values of parameters."""
        changed = self._set | {name: exact(value) for name, value in values.items()}
        return Model._made(self._source, self._bytes, changed, self._initial)

    def initial(self, **values: Number) -> Model:
        """The model with other initial values: ``m.initial(x=0.3, **{"x'": 0})``."""
        initial = self._initial | {name: exact(value) for name, value in values.items()}
        return Model._made(self._source, self._bytes, self._set, initial)

    # Studies.

    def _ask(
        self, study: str, asked: dict[str, Any], progress: bool | Progress | None = None
    ) -> tuple[dict[str, Any], bool, str]:
        given = {key: value for key, value in asked.items() if value is not None}
        text, negative, words = self._model.ask(study, json.dumps(given), watcher(progress))
        return json.loads(text), negative, words

    def _report(self, format: str, discrete: str | None) -> str:
        return self._model.report(format, discrete)

    def derive(
        self,
        discrete: str | None = None,
        *,
        integrals: int | None = None,
        integrals_time: int | None = None,
    ) -> Derivation:
        """Equations of motion, geometry, conserved quantities: exact.

        ``integrals`` seeks those that are polynomials of this degree in velocities, momenta or states, and
        ``integrals_time`` lets them depend on the time.
        """
        asked = {"discrete": discrete, "integrals": integrals, "integrals_time": integrals_time}
        return Derivation(self._ask("derive", asked)[0], self, discrete)

    def check(self, project: bool = False, tolerance: float | None = None) -> Answer:
        """Are the initial data consistent, and is the initial point regular?"""
        return Answer(*self._ask("check", {"project": project, "tolerance": tolerance}))

    def recommend(self) -> Table:
        """Methods that suit the model, the best first, with reasons."""
        return Table(*self._ask("recommend", {}))

    def compare(
        self,
        methods: str | Sequence[str] | None = None,
        steps: Number | Sequence[Number] | None = None,
        time: Number | None = None,
        *,
        tolerance: float | None = None,
        max_steps: int | None = None,
        sort: str | None = None,
        progress: bool | Progress | None = None,
    ) -> Table:
        """Runs many methods beside a reference solution."""
        asked: dict[str, Any] = {"methods": _names(methods), "steps": _numbers(steps), "time": _number(time)}
        asked |= {"tolerance": tolerance, "max_steps": max_steps, "sort": sort}
        return Table(*self._ask("compare", asked, progress))

    def convergence(
        self,
        methods: str | Sequence[str] | None = None,
        step: Number | None = None,
        time: Number | None = None,
        *,
        levels: int | None = None,
        progress: bool | Progress | None = None,
    ) -> Table:
        """Measured orders beside the computed ones."""
        asked: dict[str, Any] = {"methods": _names(methods), "step": _number(step), "time": _number(time)}
        return Table(*self._ask("convergence", asked | {"levels": levels}, progress))

    def drift(
        self,
        methods: str | Sequence[str] | None = None,
        steps: Number | Sequence[Number] | None = None,
        time: Number | None = None,
        *,
        section: str | None = None,
        progress: bool | Progress | None = None,
    ) -> Table:
        """What methods do in the long run."""
        asked: dict[str, Any] = {"methods": _names(methods), "steps": _numbers(steps), "time": _number(time)}
        return Table(*self._ask("drift", asked | {"section": section}, progress))

    def flow(
        self,
        method: Any = None,
        step: Number | None = None,
        time: Number | None = None,
        *,
        sensitivity: Sequence[str] = (),
        second: bool = False,
        lyapunov: bool = False,
        shoot: Mapping[str, Number] | None = None,
        periodic: bool = False,
        fix: Sequence[str] = (),
        check: str | None = None,
        backend: str = "native",
        progress: bool | Progress | None = None,
    ) -> Flow:
        """Derivatives of the discrete flow: monodromy, exponents, sensitivities, orbits."""
        asked: dict[str, Any] = {"method": _method(method), "step": _number(step), "time": _number(time)}
        asked |= {"lyapunov": lyapunov, "second": second, "periodic": periodic, "check": check}
        asked |= {"sensitivity": _list(sensitivity), "fix": _list(fix), "backend": backend}
        asked |= {"shoot": [f"{name}={exact(value)}" for name, value in (shoot or {}).items()]}
        return Flow(*self._ask("flow", asked, progress))

    def stability(
        self,
        vary: tuple[str, Number, Number] | str,
        *,
        guess: Mapping[str, Number] | None = None,
        points: int | None = None,
        methods: str | Sequence[str] | None = None,
        step: Number | None = None,
        progress: bool | Progress | None = None,
    ) -> Table:
        """Follows an equilibrium along a parameter: ``vary=("P", 0, 4)``."""
        if not isinstance(vary, str):
            name, low, high = vary
            vary = f"{name}={exact(low)}..{exact(high)}"
        asked: dict[str, Any] = {"vary": vary, "points": points, "step": _number(step)}
        asked |= {"guess": [f"{name}={exact(value)}" for name, value in (guess or {}).items()]}
        asked |= {"methods": None if methods is None else (_names(methods) or "").split(",")}
        return Table(*self._ask("stability", asked, progress))

    def geometry(
        self,
        methods: str | Sequence[str] | None = None,
        step: Number | None = None,
        time: Number | None = None,
        *,
        per_step: bool = False,
        progress: bool | Progress | None = None,
    ) -> Answer:
        """The Dirac structure, and how far steps are from it."""
        asked: dict[str, Any] = {"methods": _names(methods), "step": _number(step), "time": _number(time)}
        return Answer(*self._ask("geometry", asked | {"per_step": per_step}, progress))

    def port(
        self,
        hamiltonian: str | Expr | None = None,
        *,
        search: bool = False,
        degree: int | None = None,
        integrals: int | None = None,
        form: int | None = None,
        progress: bool | Progress | None = None,
    ) -> Answer | Model:
        """Port-Hamiltonian forms of the equations; with ``form=k`` that form as a model."""
        asked: dict[str, Any] = {"hamiltonian": None if hamiltonian is None else str(hamiltonian)}
        asked |= {"search": search, "degree": degree, "integrals": integrals}
        if form is not None:
            given = {key: value for key, value in asked.items() if value is not None}
            return Model(self._model.port_form(json.dumps(given), count(form, "forms")))
        return Answer(*self._ask("port", asked, progress))

    def scene(self) -> Answer:
        """What a picture of the model shows."""
        return Answer(*self._ask("scene", {}))

    # Runs.

    def _request(
        self, method: Any, step: Number | None, time: Number | None, options: dict[str, Any]
    ) -> dict[str, Any]:
        adaptive = {key: options.pop(key, None) for key in ("rtol", "atol", "max_step", "first_step")}
        for key in ("max_step", "first_step"):
            adaptive[key] = _number(adaptive[key])
        if isinstance(adaptive["atol"], Mapping):
            parts = (f"{name}={exact(size)}" for name, size in adaptive["atol"].items())
            adaptive["atol"] = ",".join(parts)
        elif adaptive["atol"] is not None:
            adaptive["atol"] = exact(adaptive["atol"])
        asked: dict[str, Any] = {"method": _method(method), "step": _number(step), "time": _number(time)}
        asked |= {"adaptive": {k: v for k, v in adaptive.items() if v is not None}} | options
        return {key: value for key, value in asked.items() if value is not None}

    def _prepared(
        self, asked: dict[str, Any], progress: bool | Progress | None = None
    ) -> Prepared:
        key = json.dumps(asked)
        known = self._steps.get(key)
        if known is None:
            steps, report = self._model.prepare(key, watcher(progress))
            columns = ["t"] if steps is None else steps.columns
            known = Prepared(steps, report, columns, {} if steps is None else json.loads(steps.layout))
            while len(self._steps) >= _KEPT:
                self._steps.pop(next(iter(self._steps)), None)
            self._steps[key] = known
        return known

    def run(
        self,
        method: Any = None,
        step: Number | None = None,
        time: Number | None = None,
        *,
        stride: int | None = 1,
        dense: int = 1,
        tolerance: float | None = None,
        compensated: bool = False,
        backend: str = "native",
        project: bool = False,
        max_steps: int | None = None,
        rtol: float | None = None,
        atol: float | str | Mapping[str, float] | None = None,
        max_step: Number | None = None,
        first_step: Number | None = None,
        progress: bool | Progress | None = None,
        on_interrupt: str = "raise",
    ) -> Run:
        """Integrates from the initial values; ``stride=None`` keeps no rows.

        A step that fails is data: ``success`` is false and the rows until then are there;
        ``check()`` raises.
        """
        from .result import run

        if on_interrupt not in ("raise", "return"):
            raise ValueError(f'on_interrupt is "raise" or "return", not {on_interrupt!r}')
        if stride is not None and count(stride, "rows") < 1:
            message = "the stride counts from 1"
            raise own(RefusedError, "ISO-RUN-002", message, "leave it out, or give None for no rows")
        options: dict[str, Any] = {"tolerance": tolerance, "compensated": compensated, "backend": backend}
        options |= {"project": project, "max_steps": max_steps, "dense": dense if dense != 1 else None}
        options |= {"rtol": rtol, "atol": atol, "max_step": max_step, "first_step": first_step}
        asked = self._request(method, step, time, options)
        prepared, keeps = self._prepared(asked, progress), on_interrupt == "return"
        return run(self, prepared, stride, dense, watcher(progress), keeps, asked)

    def ensemble(
        self,
        method: Any = None,
        step: Number | None = None,
        time: Number | None = None,
        *,
        threads: int = 0,
        project: bool = False,
        tolerance: float | None = None,
        max_steps: int | None = None,
        progress: bool | Progress | None = None,
        **members: ArrayLike,
    ) -> Ensemble:
        """Runs every member of arrays of initial values and parameters, which broadcast."""
        from .ensemble import ensemble

        options: dict[str, Any] = {"tolerance": tolerance, "project": project, "max_steps": max_steps}
        asked = self._request(method, step, time, options)
        return ensemble(self, self._prepared(asked, progress), members, threads, watcher(progress))

    def stepper(
        self,
        method: Any = None,
        step: Number | None = None,
        *,
        inputs: Sequence[str] = (),
        tolerance: float | None = None,
    ) -> Stepper:
        """Single steps for control loops, with parameters as inputs."""
        from .stepper import Stepper

        return Stepper(self, _method(method), _number(step), tuple(_list(inputs)), tolerance)


def load(path: str | PathLike[str]) -> Model:
    """Reads a model file."""
    name = encodable(fspath(path))
    return Model(_isotrope.Model.read(name), source=name)


def _bytes(text: str) -> bytes:
    if not isinstance(text, str):
        raise TypeError(f"the text of a model is str or bytes, not {type(text).__name__}")
    return encodable(text).encode()


def _number(value: Number | None) -> str | None:
    return None if value is None else exact(value)


def _numbers(values: Any) -> list[str]:
    if values is None:
        return []
    if isinstance(values, str):
        return [part.strip() for part in values.split(",")]
    return [exact(value) for value in values] if hasattr(values, "__iter__") else [exact(values)]


def _method(method: Any) -> str | None:
    return None if method is None else encodable(str(getattr(method, "name", method)))


def _names(methods: Any) -> str | None:
    if methods is None or isinstance(methods, str):
        return methods
    return ",".join(str(_method(one)) for one in _several(methods))


def _several(values: Any) -> list[Any]:
    return [values] if hasattr(values, "name") else list(values)


def _list(names: Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else [encodable(name) for name in names]
