"""From a Lagrangian to its exact equations, their geometry, and integrators that keep it.

>>> import isotrope as iso
>>> m = iso.Model(coordinates=["theta"], lagrangian="theta'^2/2 + cos(theta)",
...               position={"theta": 1}, velocity={"theta": 0})
>>> m.run("gauss-4", step="1/100", time=10).y.shape
(2, 1001)
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from . import _isotrope
from .answer import Answer, Construction, Derivation, Flow, Method, Record, Table
from .errors import (
    Bug,
    Error,
    FileError,
    ModelError,
    OutOfBudget,
    RefusedError,
    Remark,
    StepFailed,
)
from .expr import Expr, Function
from .model import Model, load
from .studies import (
    certify,
    conditions,
    connect,
    construct,
    explain,
    geometry,
    method,
    methods,
    modified,
    trees,
)

if TYPE_CHECKING:
    from .ensemble import Ensemble
    from .result import Run
    from .solve import OdeResult, solve_ivp
    from .stepper import Stepper
    from .sympy import from_sympy

__version__ = _isotrope.__version__

# What is imported when it is first used, so that `import isotrope` stays short.
_LATER = {
    "Ensemble": "ensemble",
    "OdeResult": "solve",
    "Run": "result",
    "Stepper": "stepper",
    "from_sympy": "sympy",
    "solve_ivp": "solve",
}

__all__ = [
    "Answer", "Bug", "Construction", "Derivation", "Ensemble", "Error", "Expr", "FileError", "Flow",
    "Function", "Method", "Model", "ModelError", "OdeResult", "OutOfBudget", "Record", "RefusedError",
    "Remark", "Run", "StepFailed", "Stepper", "Table", "certify", "conditions", "connect", "construct",
    "explain", "from_sympy", "geometry", "load", "main", "method", "methods", "modified", "solve_ivp",
    "trees",
]  # fmt: skip


# Modules that need a library of their own.
_MODULES = ("jax", "torch")


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name in _LATER:
        return getattr(import_module(f".{_LATER[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def main() -> int:
    """The command ``isotrope``."""
    return _isotrope.command([sys.executable, "-m", "isotrope"], sys.argv[1:])
