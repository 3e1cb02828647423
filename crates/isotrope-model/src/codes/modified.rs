//! Modified equations: the codes of what is refused.

error_codes! {
    /// Why there is no modified equation.
    ModifiedCode;
    /// A method whose step is not a series in the derivatives of the equations, or depends on earlier steps: it has no modified equation of this kind.
    NoSeries = "ISO-MODIFIED-001", "Choose a Runge–Kutta table, Verlet's method or yoshida-4.";
    /// A composition whose coefficients are solutions of a system of equations, not numbers of a field that can be computed with exactly.
    Composition = "ISO-MODIFIED-002", "Choose yoshida-4, or verlet, the base of the compositions.";
    /// An order that is zero or too large.
    Order = "ISO-MODIFIED-003", "Choose an order from 1 to 8.";
    /// The model has a Hamiltonian whose velocities have no formula, so there are no equations in positions and velocities.
    NoLagrangian = "ISO-MODIFIED-004", "Leave out the model, or give a Lagrangian.";
    /// The coefficients of the method could not be computed with.
    Coefficients = "ISO-MODIFIED-005", "Write them with fewer different roots, or take fewer stages.";
    /// The equations grew beyond what is computed.
    OutOfBudget = "ISO-MODIFIED-006", "Choose a smaller order.";
}
