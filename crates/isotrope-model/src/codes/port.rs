//! Port-Hamiltonian forms: the codes of what is refused.

error_codes! {
    /// Why there is no port-Hamiltonian form.
    PortCode;
    /// An expression of the equations or of the Hamiltonian is undefined.
    Undefined = "ISO-PORT-001", "Look for a division by zero or the logarithm of zero.";
    /// A rate depends on time.
    TimeDependent = "ISO-PORT-002", "Name the function of time under `[inputs]`: it then enters through a port.";
    /// A rate is not affine in an input.
    NotAffine = "ISO-PORT-003", "Make the nonlinear function of the input an input itself.";
    /// A Hamiltonian that cannot be read, or contains other names than states and parameters.
    Hamiltonian = "ISO-PORT-004", "Write it in the states and parameters of the file.";
    /// Too many states, an ansatz with too many monomials, or an energy with too many terms.
    TooLarge = "ISO-PORT-005", "Take a smaller `--degree`, or give the energy with `--hamiltonian`.";
    /// The structure of a form cannot be examined.
    NotExamined = "ISO-PORT-006", "Write the equations with fewer functions.";
    /// The search takes too many operations.
    OutOfBudget = "ISO-PORT-007", "Take a smaller `--degree`, give the energy with `--hamiltonian`, or fix parameters with `--set`.";
    /// The model is not written as equations of its state, or has a matrix E.
    NotEquations = "ISO-PORT-008", "Write it with `[equations]`, `[poisson]` or `[port]`.";
    /// The form to save does not exist.
    NoSuchForm = "ISO-PORT-009", "Forms are counted from 1, in the order of the report.";
    /// The form to save does not exist at the values of the file: it divides by zero there, or takes the logarithm of what is not positive.
    Violated = "ISO-PORT-010", "Save another form, or change parameters and initial values.";
}
