"""The rows of Python in docs/performance.md: ``cargo xtask bench --python`` runs this in an environment of its own."""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import isotrope as iso

MODELS = Path(__file__).resolve().parents[2] / "models"


def seconds(work: Callable[[], Any], samples: int = 15, least: float = 0.02) -> float:
    """The least of samples, each of which lasts long enough for the clock: other programs only add to it."""
    work()
    start, count = time.perf_counter(), 0
    while time.perf_counter() - start < least:
        work()
        count += 1
    found = []
    for _ in range(samples):
        start = time.perf_counter()
        for _ in range(count):
            work()
        found.append((time.perf_counter() - start) / count)
    return min(found)


def row(*cells: Any) -> None:
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


# What a call costs.


def import_time() -> float:
    code = "import time, numpy; s = time.perf_counter(); import isotrope; print(time.perf_counter() - s)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(9)]
    return statistics.median(float(run.stdout) for run in runs)


def calls() -> None:
    row("what", "measured", "goal")
    row("---", "---:", "---:")
    row("`import isotrope` beyond NumPy", f"{import_time() * 1e3:.1f} ms", "15 ms")
    m = iso.load(MODELS / "pendulum_angle.toml")
    inside = min(
        m.run("gauss-2", "1/100", 10, stride=None).cost.run_seconds for _ in range(101)
    )
    whole = seconds(lambda: m.run("gauss-2", "1/100", 10, stride=None))
    over = (whole - 1.1 * inside) * 1e6
    what = f"`m.run` of 1000 prepared steps ({inside * 1e6:.0f} µs in Rust): beyond 1.1 × that"
    row(what, f"{over:.0f} µs", "15 µs")
    rows = seconds(lambda: m.run("gauss-2", "1/100", 10))
    row("the same with 1001 rows", f"{rows * 1e6:.0f} µs", "")
    f = m.stepper("gauss-2", "1/100")
    x = f.initial()
    row("`f(x)`", f"{seconds(lambda: f(x)) * 1e6:.2f} µs", "0.8 µs")
    row("`f.into(x)`", f"{seconds(lambda: f.into(x)) * 1e6:.2f} µs", "0.4 µs")
    count = 10_000
    angles = np.linspace(0.1, 3, count)
    states = np.array([f.initial([a, 0.0]) for a in angles])
    alone = seconds(lambda: m.ensemble("gauss-2", "1/100", 10, theta=angles, threads=1).success, 3)
    batch = seconds(lambda: f.batch(states, n=1000, threads=1), 3)
    row("`f.batch`, 10⁴ members, 1000 steps, beside `m.ensemble`", f"{batch / alone:.2f} ×", "1.05 ×")
    a = seconds(lambda: f.jacobian(x))
    row("`f.jacobian(x)`", f"{a * 1e6:.1f} µs", "")
    flow = seconds(lambda: f.derivatives(x[:2], n=1000), 5)
    row("`f.derivatives(x, n=1000)`", f"{flow * 1e6:.0f} µs", "")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    r = m.run("verlet", "1/100000", 100)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert len(r) == 10**7 + 1 and np.shares_memory(r.q, r.table)
    row("10⁷ rows: memory beside the table", f"{(after - before) * 1024 / r.table.nbytes:.2f} ×", "1.15 ×")


# Beside others, at equal error.


def pendulum(t: float, y: Any) -> Any:
    return [y[1], -9.81 * np.sin(y[0])]


def kepler(t: float, y: Any) -> Any:
    r3 = (y[0] ** 2 + y[1] ** 2) ** 1.5
    return [y[2], y[3], -y[0] / r3, -y[1] / r3]


def rigid_body(t: float, y: Any) -> Any:
    return [y[1] * y[2] * (1 / 3 - 1 / 2), y[2] * y[0] * (1 - 1 / 3), y[0] * y[1] * (1 / 2 - 1)]


DOUBLE = """coordinates = ["a", "b"]
lagrangian.L = "a'^2 + b'^2/2 + a'*b'*cos(a - b) + 2*g*cos(a) + g*cos(b)"
parameters.g = "981/100"
initial = { position = { a = 1, b = "1/2" }, velocity = { a = 0, b = 0 } }
"""


def double_pendulum(t: float, y: Any) -> Any:
    a, b, u, v = y
    c, s, g = np.cos(a - b), np.sin(a - b), 9.81
    p, q = -s * v**2 - 2 * g * np.sin(a), s * u**2 - g * np.sin(b)
    d = 2 - c**2
    return [u, v, (p - c * q) / d, (2 * q - c * p) / d]


KEPLER = """coordinates = ["x", "y"]
lagrangian.L = "(x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)"
initial = { position = { x = "2/5", y = 0 }, velocity = { x = 0, y = 2 } }
"""
PENDULUM = """coordinates = ["theta"]
lagrangian.L = "theta'^2/2 + g*cos(theta)"
parameters.g = "981/100"
initial = { position.theta = "3/2", velocity.theta = 0 }
"""
RIGID = """coordinates = ["x", "y", "z"]
[equations]
"x'" = "y*z*(1/3 - 1/2)"
"y'" = "z*x*(1 - 1/3)"
"z'" = "x*y*(1/2 - 1)"
[initial]
position = { x = 1, y = "1/2", z = "1/3" }
"""
SYSTEMS = {
    "pendulum": (PENDULUM, pendulum, 20),
    "double pendulum": (DOUBLE, double_pendulum, 5),
    "Kepler, e = 0.6": (KEPLER, kepler, 20),
    "rigid body": (RIGID, rigid_body, 50),
}
METHODS = ("gauss-4", "gauss-6", "gauss-8", "rk4", "rkn-12", "yoshida-8", "dop853")


def error(end: Any, exact: Any) -> float:
    return float(np.abs(end - exact).max())


def ours(m: iso.Model, time_: int, exact: Any, wanted: float) -> tuple[float, str, float] | None:
    """The fastest of our methods whose end is as near as wanted."""
    best = None
    for method in METHODS:
        settings: list[dict[str, Any]] = [{"step": f"{time_}/{time_ * n}"} for n in (5, 10, 20, 40, 80, 160, 320, 640)]
        if method == "dop853":
            settings = [{"step": str(time_), "rtol": 10.0**-k, "atol": 10.0**-k} for k in range(6, 15)]
        for setting in settings:
            try:
                r = m.run(method, time=time_, stride=1 if method == "dop853" else None, **setting)
            except iso.Error:
                break
            if not r.success:
                continue
            end = np.array(m.run(method, time=time_, stride=10**9, **setting).y[:, -1])
            found = error(end, exact)
            if found <= wanted:
                took = seconds(lambda: m.run(method, time=time_, stride=None, **setting), 5)  # noqa: B023
                if best is None or took < best[0]:
                    best = (took, f"{method} {setting.get('rtol', setting['step'])}", found)
                break
    return best


def in_heyoka(name: str, start: Any, end: float, exact: Any, wanted: float) -> float | None:
    try:
        import heyoka as hy
    except ImportError:
        return None
    names = [f"y{k}" for k in range(len(start))]
    y = hy.make_vars(*names)
    if name == "pendulum":
        rates = [y[1], -9.81 * hy.sin(y[0])]
    elif name.startswith("Kepler"):
        r3 = (y[0] ** 2 + y[1] ** 2) ** 1.5
        rates = [y[2], y[3], -y[0] / r3, -y[1] / r3]
    elif name == "rigid body":
        rates = rigid_body(0, y)
    else:
        a, b, u, v = y
        c, s, g = hy.cos(a - b), hy.sin(a - b), 9.81
        p, q = -s * v**2 - 2 * g * hy.sin(a), s * u**2 - g * hy.sin(b)
        d = 2 - c**2
        rates = [u, v, (p - c * q) / d, (2 * q - c * p) / d]
    for k in range(6, 16):
        ta = hy.taylor_adaptive(list(zip(y, rates, strict=True)), list(start), tol=10.0**-k)

        def work(ta: Any = ta) -> None:
            ta.time = 0.0
            ta.state[:] = start
            ta.propagate_until(end)

        work()
        if error(ta.state, exact) <= wanted:
            return seconds(work, 5)
    return None


def in_diffrax(name: str, start: Any, end: float, exact: Any, wanted: float) -> float | None:
    try:
        import diffrax
        import jax
    except ImportError:
        return None
    jax.config.update("jax_enable_x64", True)
    jnp = jax.numpy

    def rate(t: Any, y: Any, _: Any) -> Any:
        if name == "pendulum":
            return jnp.stack([y[1], -9.81 * jnp.sin(y[0])])
        if name.startswith("Kepler"):
            return jnp.stack(kepler(t, y))
        if name == "rigid body":
            return jnp.stack(rigid_body(t, y))
        a, b, u, v = y
        c, s, g = jnp.cos(a - b), jnp.sin(a - b), 9.81
        p, q = -s * v**2 - 2 * g * jnp.sin(a), s * u**2 - g * jnp.sin(b)
        d = 2 - c**2
        return jnp.stack([u, v, (p - c * q) / d, (2 * q - c * p) / d])

    for k in range(6, 15):
        control = diffrax.PIDController(rtol=10.0**-k, atol=10.0**-k)

        @jax.jit
        def solve(y0: Any, control: Any = control) -> Any:
            return diffrax.diffeqsolve(
                diffrax.ODETerm(rate), diffrax.Dopri8(), 0.0, float(end), 0.01, y0,
                stepsize_controller=control, max_steps=100_000, saveat=diffrax.SaveAt(t1=True),
            ).ys[0]

        y0 = jnp.asarray(start)
        if error(np.asarray(solve(y0)), exact) <= wanted:
            return seconds(lambda: solve(y0).block_until_ready(), 5)  # noqa: B023
    return None


def beside_others() -> None:
    from scipy.integrate import solve_ivp

    row("system, time", "error", "ours", "time, µs", "`solve_ivp` (DOP853)", "heyoka.py", "diffrax")
    row("---", "---:", "---", "---:", "---:", "---:", "---:")
    for name, (text, rate, end) in SYSTEMS.items():
        m = iso.Model(text)
        start = np.array(m.run("rk4", "1/10", "1/10").y[:, 0])
        exact = solve_ivp(rate, (0, end), start, method="DOP853", rtol=3e-14, atol=1e-15).y[:, -1]
        their_end = solve_ivp(rate, (0, end), start, method="DOP853", rtol=1e-9, atol=1e-9).y[:, -1]
        wanted = error(their_end, exact)
        theirs = seconds(lambda: solve_ivp(rate, (0, end), start, method="DOP853", rtol=1e-9, atol=1e-9), 5)  # noqa: B023
        best = ours(m, end, exact, wanted)
        if best is None:
            row(f"{name}, {end}", f"{wanted:.1e}", "none as exact", "", "", "", "")
            continue
        took, method, _ = best
        others = [other(name, start, end, exact, wanted) for other in (in_heyoka, in_diffrax)]
        told = ["not installed" if other is None else f"{other / took:.1f} ×" for other in others]
        row(f"{name}, {end}", f"{wanted:.1e}", method, f"{took * 1e6:.0f}", f"{theirs / took:.0f} ×", *told)


if __name__ == "__main__":
    print(json.dumps({"isotrope": iso.__version__, "numpy": np.__version__, "python": sys.version.split()[0]}))
    calls()
    print()
    beside_others()
