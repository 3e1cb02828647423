//! Requests as JSON: the codes of what is refused.

error_codes! {
    /// What keeps a request from being read.
    RequestCode;
    /// A request that is not what its study takes: an unknown name, or a value of another kind. Only programs send
    /// requests.
    Unreadable = "ISO-REQUEST-001", "Look the request up in the documentation of the library.";
    /// A request for a study that does not exist.
    UnknownStudy = "ISO-REQUEST-002", "Ask for one that the documentation of the library lists.";
    /// An array that does not fit: of the wrong length, or with numbers that are not finite.
    Array = "ISO-REQUEST-003", "Pass as many finite numbers as the message says.";
    /// An input of a stepper that is not a parameter of the model, or that other parameters depend on.
    Input = "ISO-REQUEST-004", "Name a parameter of the model that no other parameter is computed from.";
    /// Rows that do not fit into memory.
    Memory = "ISO-REQUEST-005", "Ask for fewer rows with a larger stride, or write them to a file.";
    /// A step that could not be made, where a program asked for its result and not for a report.
    NoStep = "ISO-REQUEST-006", "Take a smaller step, or another method; the report of a run says how far it went.";
    /// Something of another program that has no counterpart in model files: a function that is not a coordinate, a second
    /// derivative in a Lagrangian, a name that has a meaning here, or keywords that are nested without end.
    NoCounterpart = "ISO-REQUEST-007", "Write it in positions and velocities, with names and functions of model files.";
}
