"""The package and the command say the same: the same JSON, the same codes, the same hints."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path

import pytest
from conftest import BAD, MODELS, ROOT, json_of, timeless, told

import isotrope as iso
from isotrope import _isotrope

# Their derivations take seconds, twice.
HEAVY = {"three_particles", "satellite", "rolling_disc", "n_pendulum", "monopole_sphere", "heavy_top"}
HEAVY |= {"ziegler", "rolling_ball", "guiding_centre", "coil"}
NAMES = [
    pytest.param(str(path.relative_to(ROOT)), marks=[pytest.mark.long] if path.stem in HEAVY else [])
    for path in MODELS
]
# A few of each kind for what takes longer.
SOME = ["pendulum", "sleigh", "henon_heiles", "poisson/rigid_body", "port/viv_1"]
SOME = [f"models/{name}.toml" for name in SOME]


@pytest.fixture(autouse=True)
def remarks_are_not_the_point() -> None:
    warnings.simplefilter("ignore", iso.Remark)


@pytest.mark.parametrize("path", NAMES)
def test_derivations_checks_and_runs_are_equal(path: str) -> None:
    m = iso.load(path)
    arguments = ("--step", "1/1000", "--time", "1/50")
    found = m.run(step="1/1000", time="1/50", stride=None)
    assert timeless(found.json) == json_of("run", path, *arguments)
    assert timeless(m.derive().json) == json_of("derive", path)
    assert timeless(m.check().json) == json_of("check", path)


@pytest.mark.parametrize("path", SOME)
def test_geometry_is_equal(path: str) -> None:
    assert timeless(iso.load(path).geometry().json) == json_of("geometry", path)


def test_studies_are_equal() -> None:
    pendulum, angle = "models/pendulum.toml", "models/pendulum_angle.toml"
    m, a = iso.load(pendulum), iso.load(angle)
    methods = "rk4,rattle"
    found = m.compare(["rk4", "rattle"], "1/50", 1)
    asked = ("--methods", methods, "--steps", "1/50", "--time", "1", "--no-html")
    assert timeless(found.json) == json_of("compare", pendulum, *asked)
    found = m.convergence(methods, levels=4)
    asked = ("--methods", methods, "--levels", "4")
    assert timeless(found.json) == json_of("convergence", pendulum, *asked)
    found = m.drift(methods, "1/50", 4)
    asked = ("--methods", methods, "--step", "1/50", "--time", "4")
    assert timeless(found.json) == json_of("drift", pendulum, *asked)
    found = a.flow("gauss-2", "1/50", 1, sensitivity=["g"])
    asked = ("--method", "gauss-2", "--step", "1/50", "--time", "1", "--sensitivity", "g")
    assert timeless(found.json) == json_of("flow", angle, *asked)
    found = a.stability(("g", -1, 10), guess={"theta": "3.1"}, points=5)
    asked = ("--vary", "g=-1..10", "--guess", "theta=3.1", "--points", "5")
    assert timeless(found.json) == json_of("stability", angle, *asked)


@pytest.mark.long
def test_longer_studies_are_equal() -> None:
    angle = "models/pendulum_angle.toml"
    assert timeless(iso.load(angle).recommend().json) == json_of("methods", "--for", angle)
    viv = "models/viv.toml"
    found = iso.load(viv).port()
    assert isinstance(found, iso.Answer)
    assert timeless(found.json) == json_of("port", viv)


def test_questions_without_a_model_are_equal() -> None:
    assert iso.method("rattle").json == json_of("methods", "rattle")
    assert iso.trees("rk", 4).json == json_of("trees", "--family", "rk", "--order", "4")
    table = "tests/tables/one_table_per_equation.toml"
    assert iso.certify(table).json == json_of("certify", table)
    assert iso.certify(table).negative
    asked = ("--stages", "2", "--order", "2", "--structure", "4", "--class", "bilinear")
    found = iso.construct("bilinear", stages=2, order=2, structure=4, pattern="strict", time_limit=200)
    assert timeless(found.json) == json_of("construct", *asked, "--pattern", "strict", "--time-limit", "200")
    conditions = iso.conditions("sphere", order=3)
    assert conditions.json == json_of("conditions", "--class", "sphere", "--order", "3")
    assert iso.modified("midpoint").json == json_of("modified", "midpoint")
    heisenberg = "models/geometry/heisenberg.toml"
    assert iso.geometry(heisenberg).json == json_of("geometry", heisenberg)


def test_what_is_connected_is_equal() -> None:
    parts = {"coil": "models/port/coil.toml", "cone": "models/port/cone.toml"}
    inputs = {name: iso.load(path) for name, path in parts.items()}
    joins = re.findall(r"--join (\S+)", Path("docs/port-systems.md").read_text())
    for join in joins:
        if join.startswith("coil") or "cone" in join:
            code, out, _ = told(
                "connect", *(f"{name}={path}" for name, path in parts.items()), "--join", join
            )
            if code == 0:
                assert iso.connect(inputs, join).text == out
                return
    pytest.skip("the documentation joins other parts")


def codes(text: str) -> list[str]:
    return re.findall(r"ISO-[A-Z]+-\d+", text)


@pytest.mark.parametrize("path", [str(path.relative_to(ROOT)) for path in BAD])
def test_bad_models_are_refused_with_the_same_words(path: str) -> None:
    text = Path(path).read_bytes()
    lines = text.decode(errors="replace").splitlines()
    said = {key: value.split() for key, _, value in (line[2:].partition(": ") for line in lines[:2])}
    arguments, study = said.get("arguments", []), said.get("command", ["derive"])[0]
    pairs: dict[str, list[str]] = {"--set": [], "--initial": []}
    request: dict[str, int] = {}
    for option, value in zip(arguments[::2], arguments[1::2], strict=True):
        if option in pairs:
            pairs[option].append(value)
        else:
            request[option[2:].replace("-", "_")] = int(value)
    code, _, err = told(study, path, *arguments)
    assert code == 2
    with pytest.raises(iso.Error) as refused:
        # Arguments that are no assignments cannot be said with keywords.
        inner = _isotrope.Model(path, text, pairs["--set"], pairs["--initial"])
        inner.ask(study, json.dumps(request))
    found = [one["code"] for one in refused.value.diagnostics]
    assert set(found) == set(said["expect"])
    # The same text, with the same place and the same hint.
    assert str(refused.value).split() == err.split()
    if not (pairs["--set"] or pairs["--initial"]):
        with pytest.raises(iso.Error) as again:
            getattr(iso.load(path), study)(**request)
        assert str(again.value) == str(refused.value)


def test_every_code_of_the_package_is_explained() -> None:
    for path in (ROOT / "python" / "isotrope").glob("*.py"):
        for code in codes(path.read_text()):
            assert iso.explain(code).json["code"] == code


def test_the_command_is_in_the_package() -> None:
    import subprocess
    import sys

    words = [sys.executable, "-m", "isotrope", "explain", "ISO-RUN-003"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.startswith("ISO-RUN-003")) == (0, True)
    done = subprocess.run([*words[:3], "derive", "absent"], capture_output=True, check=False)
    assert done.returncode == 2
