"""Runs: the names of SciPy, arrays without copies, and what fails."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import isotrope as iso


def test_names_and_shapes_are_those_of_scipy() -> None:
    m = iso.load("models/pendulum_angle.toml")
    ours = m.run("gauss-2", step="1/100", time=1)
    theirs = solve_ivp(lambda t, y: [y[1], -9.81 * np.sin(y[0])], (0, 1), [np.pi / 2, 0])
    for name in ("t", "y", "nfev", "njev", "nlu", "status", "message", "success"):
        assert type(getattr(ours, name)) is type(theirs[name]) or name == "success", name
    assert ours.y.shape == (2, 101) and ours.t.shape == (101,)
    assert np.shares_memory(ours.y, ours.table) and np.shares_memory(ours.q, ours.table)
    assert ours.success is True and ours.status == 0


SYSTEMS = {
    "models/pendulum_angle.toml": lambda t, y: [y[1], -9.81 * np.sin(y[0])],
    "models/equations/lorenz.toml": lambda t, y: [
        10 * (y[1] - y[0]), 28 * y[0] - y[1] - y[0] * y[2], y[0] * y[1] - 8 / 3 * y[2]
    ],
    "models/henon_heiles.toml": lambda t, y: [
        y[2], y[3], -y[0] - 2 * y[0] * y[1], -y[1] - y[0] ** 2 + y[1] ** 2
    ],
    "models/damped_pendulum.toml": lambda t, y: [y[1], -9.81 * np.sin(y[0]) - 0.2 * y[1]],
    "models/poisson/rigid_body.toml": lambda t, y: [
        y[1] * y[2] * (1 / 3 - 1 / 2), y[2] * y[0] * (1 - 1 / 3), y[0] * y[1] * (1 / 2 - 1)
    ],
}


@pytest.mark.parametrize("path", SYSTEMS)
def test_solve_ivp_agrees_with_scipy(path: str) -> None:
    m, times = iso.load(path), np.linspace(0, 1, 11)
    ours = iso.solve_ivp(m, (0, 1), t_eval=times, rtol=1e-11, atol=1e-12)
    start = ours.y[:, 0]
    theirs = solve_ivp(
        SYSTEMS[path], (0, 1), start, t_eval=times, method="DOP853", rtol=1e-11, atol=1e-12
    )
    assert np.allclose(ours.t, times) and ours.success
    assert np.allclose(ours.y, theirs.y, rtol=1e-8, atol=1e-9)


def test_other_times_and_other_starts_are_as_exact_as_asked() -> None:
    m, times = iso.load("models/pendulum_angle.toml"), [0.1, 0.33, 0.777, 0.99]
    ours = iso.solve_ivp(m, (0, 1), [0.5, -1.0], t_eval=times, rtol=1e-8, atol=1e-9)
    theirs = solve_ivp(
        SYSTEMS["models/pendulum_angle.toml"], (0, 1), [0.5, -1.0], t_eval=times,
        method="DOP853", rtol=1e-11, atol=1e-12,
    )
    assert np.allclose(ours.y, theirs.y, rtol=1e-7, atol=1e-8)
    dense = iso.solve_ivp(m, (0, 1), [0.5, -1.0], rtol=1e-9, dense_output=True)
    assert np.allclose(dense.sol(times), theirs.y, rtol=1e-5, atol=1e-6)


def test_columns_are_views() -> None:
    r = iso.load("models/pendulum.toml").run("rattle", step="1/100", time=1)
    assert r.columns[:3] == ["t", "x", "y"] and np.shares_memory(r["x"], r.table)
    assert np.array_equal(r["x'"], r["v_x"]) and r.lam.shape == (101, 1)
    assert np.allclose(r["x"] ** 2 + r["y"] ** 2, 1, atol=1e-14)
    assert r.errors.constraint_position_max < 1e-14
    assert np.array_equal(r.energy, r.table[:, -1])
    with pytest.raises(KeyError, match="no column"):
        r["z"]


def test_no_rows_a_stride_and_rows_within_a_step() -> None:
    m = iso.load("models/pendulum_angle.toml")
    assert len(m.run("gauss-2", step="1/100", time=1, stride=None)) == 0
    assert len(m.run("gauss-2", step="1/100", time=1, stride=30)) == 5
    dense = m.run("gauss-2", step="1/100", time=1, dense=4)
    assert len(dense) == 401 and np.all(np.diff(dense.t) > 0)


def test_a_failed_step_is_data() -> None:
    m = iso.Model(
        coordinates=["x"], equations={"x'": "x^2"}, position={"x": 1}, run={"method": "rk4"}
    )
    r = m.run("gauss-2", step="1/10", time=3)
    assert not r.success and r.status == -1 and 0 < len(r) < 31 and r.failure is not None
    with pytest.raises(iso.StepFailed) as failed:
        r.check()
    assert failed.value.failure["step"] == r.failure.step
    assert isinstance(failed.value, ArithmeticError)
    again = pickle.loads(pickle.dumps(failed.value))
    assert again.failure == failed.value.failure


def test_a_method_that_does_not_apply_is_an_answer() -> None:
    r = iso.load("models/sleigh.toml").run("rattle", step="1/10", time=1)
    assert r.outcome == "not-applicable" and len(r) == 0 and not r.success


def test_rows_go_elsewhere(tmp_path: Path) -> None:
    import pandas
    import pyarrow.parquet

    r = iso.load("models/pendulum.toml").run("rattle", step="1/100", time=1)
    assert list(r.to_pandas().columns) == r.columns[1:]
    dataset = r.to_xarray()
    assert np.array_equal(dataset["x"].values, r["x"]) and dataset.attrs["method"] == "rattle"
    assert r.to_arrow().column_names == r.columns
    for ending in ("csv", "npz", "parquet"):
        r.save(tmp_path / f"run.{ending}")
    assert np.array_equal(pandas.read_csv(tmp_path / "run.csv")["x"], r["x"])
    assert np.array_equal(np.load(tmp_path / "run.npz")["x"], r["x"])
    table = pyarrow.parquet.read_table(tmp_path / "run.parquet")
    assert np.array_equal(table["x"].to_numpy(), r["x"])
    again = pickle.loads(pickle.dumps(r))
    assert np.array_equal(again.table, r.table) and again.json == r.json


def test_pictures_are_drawn(tmp_path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    r = iso.load("models/pendulum.toml").run("rattle", step="1/50", time=2)
    assert len(r.plot().lines) == 2
    assert len(r.plot("x : y").lines) == 1
    r.animate(frames=4).save(tmp_path / "pendulum.gif")
    assert (tmp_path / "pendulum.gif").stat().st_size > 1000
    study = r.model.convergence("rk4,rattle", levels=4)
    assert len(study.plot().lines) == 2


def test_ensembles_broadcast() -> None:
    m = iso.load("models/pendulum_angle.toml")
    angles, g = np.linspace(0.1, 1, 5)[:, None], np.array([9.81, 1.62])
    e = m.ensemble("gauss-2", step="1/100", time=1, theta=angles, g=g)
    assert e.shape == (5, 2) and e["theta"].shape == (5, 2) and e.success.all()
    for i in range(5):
        for k in range(2):
            one = m.set(g=g[k]).initial(theta=angles[i, 0]).run("gauss-2", "1/100", 1)
            assert np.isclose(e["theta"][i, k], one["theta"][-1], rtol=1e-13, atol=1e-14)
    assert e.errors["energy_max"].shape == (5, 2)


def test_ensembles_of_states_and_of_momenta() -> None:
    for path, name in (("models/equations/lorenz.toml", "x"), ("models/henon_heiles.toml", "p_x")):
        m = iso.load(path)
        e = m.ensemble("rk4", step="1/100", time="1/2", **{name: [0.1, 0.2, 0.3]})
        column = name
        for k, value in enumerate((0.1, 0.2, 0.3)):
            r = m.initial(**{name: value}).run("rk4", "1/100", "1/2")
            assert np.isclose(e[column][k], r[column][-1], rtol=1e-12), path


def test_10_000_runs_keep_memory_flat() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1])

    if not Path("/proc/self/statm").exists():
        pytest.skip("no account of memory here")
    m = iso.load("models/pendulum_angle.toml")
    for _ in range(300):
        m.run("verlet", step="1/100", time="1/10")
    before = resident()
    for _ in range(10_000):
        m.run("verlet", step="1/100", time="1/10")
    assert resident() - before < 2000, "pages"


def test_ensembles_on_groups() -> None:
    m = iso.load("models/heavy_top.toml")
    rates, moments = np.linspace(3, 5, 4), np.array([[0.4], [0.5]])
    e = m.ensemble("lie-cayley", "1/100", 1, C=moments, **{"omega[3]": rates})
    assert e.shape == (2, 4) and e.success.all()
    for i in range(2):
        for k in range(4):
            one = m.set(C=float(moments[i, 0])).initial(**{"omega[3]": float(rates[k])})
            r = one.run("lie-cayley", "1/100", 1)
            for name in ("e0", "e3", "omega[1]", "energy"):
                assert e[name][i, k] == r[name][-1], name
    # A quaternion of any length is the rotation of its direction.
    turned = {"e0": [1.0, 2e200], "e1": [1.0, 2e200], "e2": 0.0, "e3": 0.0}
    found = m.ensemble("lie-cayley", "1/100", 1, **turned)
    np.testing.assert_allclose(found["omega[1]"][0], found["omega[1]"][1], rtol=1e-13)
    for wrong in ({"e0": [0.0], "e1": 0.0, "e2": 0.0, "e3": 0.0}, {"p_omega[1]": [1.0]}, {"omega[4]": [1.0]}):
        with pytest.raises(iso.RefusedError):
            m.ensemble("lie-cayley", "1/100", 1, **wrong)
