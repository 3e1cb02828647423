//! Commented model files to start from.

const LAGRANGIAN: &str = include_str!("templates/lagrangian.toml");
const LIE_GROUP: &str = include_str!("templates/lie_group.toml");
const NONHOLONOMIC: &str = include_str!("templates/nonholonomic.toml");
const POISSON: &str = include_str!("templates/poisson.toml");
const PORT: &str = include_str!("templates/port.toml");
const EQUATIONS: &str = include_str!("templates/equations.toml");
const HAMILTONIAN: &str = include_str!("templates/hamiltonian.toml");

/// What a new model begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Template {
    /// A Lagrangian.
    #[default]
    Lagrangian,
    /// A Hamiltonian.
    Hamiltonian,
    /// A body that rotates.
    LieGroup,
    /// A Lagrangian with a constraint on velocities.
    Nonholonomic,
    /// A bracket and a Hamiltonian.
    Poisson,
    /// A port-Hamiltonian system.
    Port,
    /// Plain differential equations.
    Equations,
}

impl Template {
    /// The text of a new model.
    #[must_use]
    pub fn text(self, name: &str) -> String {
        let text = match self {
            Self::Lagrangian => LAGRANGIAN,
            Self::Hamiltonian => HAMILTONIAN,
            Self::LieGroup => LIE_GROUP,
            Self::Nonholonomic => NONHOLONOMIC,
            Self::Poisson => POISSON,
            Self::Port => PORT,
            Self::Equations => EQUATIONS,
        };
        text.replace("@NAME@", name)
    }
}

/// A name that is a file name everywhere: letters, digits, `_` and `-`.
#[must_use]
pub fn file_name(name: &str) -> Option<String> {
    let name = name.strip_suffix(".toml").unwrap_or(name);
    let clean: String = name
        .trim()
        .chars()
        .map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' })
        .take(64)
        .collect();
    clean.chars().any(char::is_alphanumeric).then_some(clean)
}
