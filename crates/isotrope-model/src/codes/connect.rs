//! Connections: the codes of what is refused.

error_codes! {
    /// Why components cannot be connected.
    ConnectCode;
    /// Components or joins that cannot be read.
    Unreadable = "ISO-CONNECT-001", "Name components as `motor=FILE`, each once, and join ports as `--join motor.u,load.v` or `motor.u,load.v=3/2`.";
    /// A model that cannot be a component.
    NotAComponent = "ISO-CONNECT-002", "Components are [port] or [poisson] models without indexed coordinates; inputs that are tables have to be joined.";
    /// A join of ports that do not exist, of a port with itself, or of the same two ports again.
    Join = "ISO-CONNECT-003", "Ports are the inputs of the components; join two of them once, with the sum of the moduli.";
    /// The formulas of the whole are too long.
    TooLarge = "ISO-CONNECT-004", "Connect fewer or smaller components.";
}
