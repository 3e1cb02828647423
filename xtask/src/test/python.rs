//! The Python package: a virtual environment, the extension in the profile of the other tests, pytest and types.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{cargo, finish, say};

/// Names that an interpreter may have.
const NAMES: [&str; 6] =
    ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10"];

/// What to say where there is none.
pub const ABSENT: &str = "skipped: python: there is no Python from 3.10 on with the module venv";

/// Succeeds for interpreters that can make a virtual environment.
const PROBE: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";

/// An interpreter from 3.10 on.
pub fn interpreter() -> Option<&'static str> {
    NAMES.into_iter().find(|name| {
        let mut probe = Command::new(name);
        probe.args(["-c", PROBE]).stdout(Stdio::null()).stderr(Stdio::null());
        probe.status().is_ok_and(|status| status.success())
    })
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The folder of programs of a virtual environment, and the ending of programs.
const PROGRAMS: &str = if cfg!(windows) { "Scripts" } else { "bin" };

fn program(venv: &Path, name: &str) -> PathBuf {
    venv.join(PROGRAMS).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

fn run(mut command: Command, line: &str) -> Result<(), String> {
    say(&format!("== {line}"));
    let status = command.status().map_err(|error| format!("cannot run {line}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("failed: {line}")) }
}

/// The virtual environment with what the lock file says, made again when that changes.
fn environment(python: &str, target: &Path) -> Result<PathBuf, String> {
    let (venv, lock) = (target.join("venv"), root().join("python/tests/requirements.txt"));
    let told = |error: std::io::Error| format!("{}: {error}", lock.display());
    let wanted = std::fs::read_to_string(&lock).map_err(told)?;
    let stamp = venv.join("requirements.txt");
    let made = std::fs::read_to_string(&stamp).is_ok_and(|made| made == wanted);
    if made && program(&venv, "python").exists() {
        return Ok(venv);
    }
    let mut create = Command::new(python);
    create.args(["-m", "venv", "--clear"]).arg(&venv);
    run(create, &format!("{python} -m venv target/venv"))?;
    let mut install = Command::new(program(&venv, "python"));
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    install.args(["--require-hashes", "--only-binary", ":all:", "-r"]).arg(&lock);
    run(install, "pip install --require-hashes -r python/tests/requirements.txt")?;
    std::fs::write(&stamp, wanted).map_err(told)?;
    Ok(venv)
}

/// What the long tests need besides: JAX, and PyTorch where there is one for processors alone.
fn long_environment(venv: &Path) -> Result<(), String> {
    let install = |arguments: &[&str]| {
        let mut install = Command::new(program(venv, "python"));
        install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        install.args(["--only-binary", ":all:"]).args(arguments).current_dir(root());
        run(install, &format!("pip install {}", arguments.join(" ")))
    };
    install(&["--require-hashes", "-r", "python/tests/requirements-long.txt"])?;
    // The wheel of the usual index brings gigabytes of libraries for graphics cards along.
    if install(&["--index-url", "https://download.pytorch.org/whl/cpu", "torch"]).is_err() {
        say("there is no PyTorch for processors alone within reach: its tests will be skipped");
    }
    Ok(())
}

/// Puts the extension module beside the sources of the package.
fn extension(target: &Path) -> Result<(), String> {
    // The whole workspace, so that nothing is built again with other features than the tests have.
    let arguments = ["build", "--workspace", "--quiet"];
    finish(cargo(&arguments), &arguments)?;
    let (built, name) = match std::env::consts::OS {
        "windows" => ("_isotrope.dll", "_isotrope.pyd"),
        "macos" => ("lib_isotrope.dylib", "_isotrope.abi3.so"),
        _ => ("lib_isotrope.so", "_isotrope.abi3.so"),
    };
    let (from, to) = (target.join("debug").join(built), root().join("python/isotrope").join(name));
    // Another process may have the old one loaded: it keeps its file.
    let _ = std::fs::remove_file(&to);
    let copied = std::fs::copy(&from, &to);
    copied.map(drop).map_err(|error| format!("cannot copy {}: {error}", from.display()))
}

/// Runs everything that is written for Python.
pub fn check(python: &str, target: &Path, long: bool) -> Result<(), String> {
    let venv = environment(python, target)?;
    if long {
        long_environment(&venv)?;
    }
    extension(target)?;
    let tool = |arguments: &[&str]| {
        let mut command = Command::new(program(&venv, "python"));
        command.args(arguments).current_dir(root());
        command.env("PYTHONPATH", root().join("python")).env("MPLBACKEND", "Agg");
        // Beside the extension: the command of the same build.
        command.env(
            "ISOTROPE",
            target.join("debug").join(format!("isotrope{}", std::env::consts::EXE_SUFFIX)),
        );
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        run(command, &format!("python {}", arguments.join(" ")))
    };
    tool(&["-m", "mypy"])?;
    tool(&["-m", "mypy.stubtest", "isotrope._isotrope"])?;
    match long {
        true => tool(&["-m", "pytest", "--long"]),
        false => tool(&["-m", "pytest"]),
    }
}

/// Installs the package as people do, in an environment of its own, and measures it beside others.
pub fn bench(python: &str, target: &Path) -> Result<(), String> {
    let venv = target.join("venv-bench");
    let mut create = Command::new(python);
    create.args(["-m", "venv"]).arg(&venv);
    run(create, &format!("{python} -m venv target/venv-bench"))?;
    let tool = |arguments: &[&str]| {
        let mut command = Command::new(program(&venv, "python"));
        command.args(arguments).current_dir(root());
        run(command, &format!("python {}", arguments.join(" ")))
    };
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    tool(&[&install[..], &["--force-reinstall", "--no-deps", "."]].concat())?;
    tool(&[&install[..], &["numpy", "scipy"]].concat())?;
    for peer in ["heyoka", "diffrax"] {
        if tool(&[&install[..], &["--only-binary", ":all:", peer]].concat()).is_err() {
            say(&format!("{peer} cannot be installed here: its column stays empty"));
        }
    }
    tool(&["python/bench/rows.py"])
}
