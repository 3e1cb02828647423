//! Discrete Lagrangians: the codes of what is refused.

error_codes! {
    /// Why there is no discrete Lagrangian to show.
    DiscreteCode;
    /// There is no discrete Lagrangian of this name, or none that can be printed.
    NoDiscreteLagrangian = "ISO-DISCRETE-001", "Name a variational method, such as variational-midpoint; docs/discrete.md lists them.";
    /// The discrete Lagrangian does not apply to this model, or grows too large for it.
    NotApplicable = "ISO-DISCRETE-002", "See docs/discrete.md for what applies where; otherwise take fewer points, fewer pieces or a smaller system.";
}
