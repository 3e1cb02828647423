//! Workloads: compiled steppers beside what an expert would write in C for that one system.
//!
//! Both are measured in the same run, by turns, because the ratio is what can be compared between
//! machines. The C programs are in `c`; they are compiled when the bench is run, with the
//! compiler of the machine. One file per workload, each with a function `rows`.

mod body;
mod c;
mod chain;
mod code;
mod dirac;
mod ensemble;
mod error;
mod in_c;
mod links;
mod measure;
#[cfg(all(target_arch = "x86_64", unix))]
mod native;
#[cfg(not(all(target_arch = "x86_64", unix)))]
#[path = "interpreted.rs"]
mod native;
mod pendulum;
mod report;
mod sleigh;
mod stepping;

pub use c::Compiler;
pub use error::BenchError;
pub use measure::Clock;
pub use report::{BenchRecord, line};

/// One measured line.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its name: the workload, with a size or a method where it has several.
    pub name: String,
    /// Nanoseconds for one of what is counted.
    pub ns: f64,
    /// Which clock.
    pub clock: Clock,
    /// How wrong the result is; what that means is said in `about`.
    pub accuracy: Option<f64>,
    /// Nanoseconds of the C program.
    pub c_ns: Option<f64>,
    /// Milliseconds for the whole, where that is asked for.
    pub total_ms: Option<f64>,
    /// What is done, counted and compared.
    pub about: String,
}

impl Row {
    /// Time over that of the C program.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        self.c_ns.map(|c| self.ns / c)
    }
}

/// What can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workload {
    /// The Cartesian pendulum, Gauss-2.
    Pendulum,
    /// The Chaplygin sleigh on an incline, Gauss-2.
    Sleigh,
    /// The pendulum by a Dirac scheme.
    Dirac,
    /// The free rigid body on the group of rotations.
    Body,
    /// Chains of 10, 100 and 1000 links by RATTLE.
    Chain,
    /// Ten thousand pendula, in vectors and on two threads.
    Ensemble,
    /// From the text of the N-link pendulum to compiled residual and Jacobian.
    Links,
    /// The pendulum to t = 100: error against time for Gauss-2 to Gauss-8.
    Precision,
}

impl Workload {
    /// All workloads.
    pub const ALL: [Self; 8] = [
        Self::Pendulum,
        Self::Sleigh,
        Self::Dirac,
        Self::Body,
        Self::Chain,
        Self::Ensemble,
        Self::Links,
        Self::Precision,
    ];

    /// The name by which it is asked for.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pendulum => "W1",
            Self::Sleigh => "W2",
            Self::Dirac => "W3",
            Self::Body => "W4",
            Self::Chain => "W5",
            Self::Ensemble => "W6",
            Self::Links => "W7",
            Self::Precision => "precision",
        }
    }

    /// What it measures.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::Pendulum => "The Cartesian pendulum, Gauss-2",
            Self::Sleigh => "The Chaplygin sleigh on an incline, Gauss-2",
            Self::Dirac => "The pendulum by a Dirac scheme",
            Self::Body => "The free rigid body on the group of rotations",
            Self::Chain => "Chains of 10, 100 and 1000 links by RATTLE",
            Self::Ensemble => "Ten thousand pendula, in vectors and on two threads",
            Self::Links => "From the text of the N-link pendulum to compiled residual and Jacobian",
            Self::Precision => "The pendulum to t = 100: error against time for Gauss-2 to Gauss-8",
        }
    }

    /// Measures, without C if there is no compiler; `tell` takes each line as it is ready.
    pub fn rows(
        self,
        compiler: Option<&Compiler>,
        tell: &mut dyn FnMut(Row),
    ) -> Result<(), BenchError> {
        match self {
            Self::Pendulum => pendulum::rows(compiler, tell),
            Self::Sleigh => sleigh::rows(compiler, tell),
            Self::Dirac => dirac::rows(compiler, tell),
            Self::Body => body::rows(compiler, tell),
            Self::Chain => chain::rows(compiler, tell),
            Self::Ensemble => ensemble::rows(compiler, tell),
            Self::Links => links::rows(compiler, tell),
            Self::Precision => pendulum::precision(compiler, tell),
        }
    }
}
