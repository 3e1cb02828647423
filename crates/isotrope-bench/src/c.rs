//! The C programs: compiled in a temporary folder by the compiler of the machine.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const COMMON: &str = include_str!("../c/common.h");
const FLAGS: [&str; 3] = ["-O3", "-march=native", "-fno-math-errno"];

/// A C compiler with a folder of its own, removed at the end.
#[derive(Debug)]
pub struct Compiler {
    folder: PathBuf,
}

impl Compiler {
    /// The compiler `cc` of this machine, if it has one that works.
    #[must_use]
    pub fn find() -> Option<Self> {
        let folder = std::env::temp_dir().join(format!("isotrope-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).ok()?;
        let compiler = Self { folder };
        std::fs::write(compiler.folder.join("common.h"), COMMON).ok()?;
        let works =
            Command::new("cc").arg("--version").output().is_ok_and(|it| it.status.success());
        works.then_some(compiler)
    }

    /// Compiles files (name and text) to a program; `input` is what it reads.
    pub(super) fn build(
        &self,
        files: &[(&str, &str)],
        flags: &[String],
        input: String,
    ) -> Option<Reference> {
        let program = self.folder.join("program");
        let mut command = Command::new("cc");
        command.current_dir(&self.folder).args(FLAGS).args(flags).arg("-o").arg(&program);
        for (name, text) in files {
            std::fs::write(self.folder.join(name), text).ok()?;
            command.arg(name);
        }
        let done = command.args(["-lm", "-lpthread"]).output().ok()?;
        done.status.success().then_some(Reference { program, input })
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A compiled C program. The next one that is built takes its place.
#[derive(Debug)]
pub(super) struct Reference {
    program: PathBuf,
    input: String,
}

impl Reference {
    /// Runs the program: nanoseconds and accuracy, several times.
    pub(super) fn samples(&self) -> Vec<(f64, f64)> {
        self.output().unwrap_or_default().lines().filter_map(sample).collect()
    }

    fn output(&self) -> Option<String> {
        let mut child = Command::new(&self.program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        child.stdin.take()?.write_all(self.input.as_bytes()).ok()?;
        String::from_utf8(child.wait_with_output().ok()?.stdout).ok()
    }
}

fn sample(line: &str) -> Option<(f64, f64)> {
    let (ns, accuracy) = line.split_once(' ')?;
    Some((ns.parse().ok()?, accuracy.parse().ok()?))
}
