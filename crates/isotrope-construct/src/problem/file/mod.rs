//! Problem files: TOML with groups, rates and what is to be preserved.
//!
//! ```toml
//! name = "rigid body"
//! parameters = { I1 = "1", I2 = "2", I3 = "symbol" }  # exact; symbols stand for all values
//!
//! [groups]                     # one table (A, b) each
//! m = ["m1", "m2", "m3"]
//!
//! [define]                     # abbreviations, in this order
//! omega3 = "m3/I3"
//!
//! [rates]                      # x' = …
//! m1 = "m2*omega3 - m3*m2/I2"
//! m2 = "m3*m1/I1 - m1*omega3"
//! m3 = "m1*m2/I2 - m2*m1/I1"
//!
//! [manifold]                   # what vanishes where solutions live, and is to be preserved
//! sphere = "m1^2 + m2^2 + m3^2 = 1"
//!
//! [structure]                  # invariants
//! energy = "m1^2/(2*I1) + m2^2/(2*I2) + m3^2/(2*I3)"
//!
//! [balance]                    # d energy/dt = supply; `group` integrates the supply
//! action = { energy = "m1^3", supply = "3*m1^2*(m2*omega3 - m3*m2/I2)", group = "m" }
//! ```

mod read;
mod sections;

pub use isotrope_model::codes::ProblemCode;
/// One thing that is wrong with a problem file.
pub type ProblemFileError = isotrope_model::file_errors::FileError<ProblemCode>;
type Reporter = isotrope_model::file_errors::FileReporter<ProblemCode>;
pub use read::{parse_problem, parse_problem_within};

/// The text of a problem file.
#[derive(Debug, Clone, Copy)]
pub struct ProblemText<'a> {
    /// The name of the file, for a problem that has none of its own.
    pub name: &'a str,
    /// The bytes of the file.
    pub bytes: &'a [u8],
}

impl<'a> ProblemText<'a> {
    /// A file.
    pub fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        Self { name, bytes }
    }
}
