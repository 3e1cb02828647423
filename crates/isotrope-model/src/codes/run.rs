//! Runs: the codes of what is refused.

error_codes! {
    /// What keeps a method from being run.
    RunCode;
    /// A tolerance that is not between 0 and 1.
    Tolerance = "ISO-RUN-001", "Give a small number, such as 1e-13.";
    /// A stride, or a number of threads, of zero.
    ZeroCount = "ISO-RUN-002", "Leave it out, or count from 1.";
    /// A step or a time that is missing or not a number.
    StepOrTime = "ISO-RUN-003", "Give `--step` and `--time` as decimals or exact constants, or write `[run]` in the model.";
    /// A time that is not a whole number of steps.
    NotWholeSteps = "ISO-RUN-004", "Choose a time that is a whole number of steps, with the same sign.";
    /// A member of an ensemble for which the model has no values.
    MemberWithoutValues = "ISO-RUN-005", "Change the table of members.";
    /// Steps that cannot be derived or compiled for this model.
    NotPrepared = "ISO-RUN-006", "Take a smaller system, fewer stages or another method.";
    /// There is no method of this name that can be run.
    UnknownMethod = "ISO-RUN-007", "`isotrope methods` lists all; `rkd:FILE` takes a table of your own.";
    /// An output that would overwrite the table of members; now ISO-FILE-010, as for every file that is read.
    OverwritesMembers = "ISO-RUN-008", "Write to another file.";
    /// A picture without a file of its own that ends in `.svg` or `.png`.
    PictureFile = "ISO-RUN-009", "Give each `--plot` another name, and not more `--plot-what` than `--plot`.";
    /// A picture that the model does not have: no points of the plane, no constraints.
    NoSuchPicture = "ISO-RUN-010", "Choose another `--plot-what`.";
    /// A list of methods without a name.
    EmptyMethodList = "ISO-RUN-011", "Name some, separated by commas, or `published` or `all`; `isotrope methods` lists them.";
    /// This study takes no systems on Lie groups.
    LieGroup = "ISO-RUN-012", "derive, check, run, compare, convergence and drift take them; otherwise write the model in coordinates, with `[lagrangian]`.";
    /// Initial values that could not be projected onto the constraints.
    NotProjected = "ISO-RUN-013", "Start nearer to the constraints; `isotrope check` prints the residuals.";
    /// A singular Lagrangian that leaves velocities free, without conditions on them.
    GaugeNotFixed = "ISO-RUN-014", "Choose a gauge: `[gauge_fix]` with a coordinate and its value; `isotrope derive` prints the gauge directions.";
    /// `derive --reduce` of a system that is not singular, or whose final manifold has no coordinates by formulas.
    NotReduced = "ISO-RUN-015", "Choose a gauge with `[gauge_fix]`, or run the model itself: `project:gauss-2` keeps all constraints.";
    /// The geometry of the model cannot be followed along a trajectory.
    NoTrajectoryGeometry = "ISO-RUN-020", "Take a model with a `[lagrangian]` and masses.";
    /// Tolerances or lengths of steps of an adaptive method that cannot be used: not positive, for a coordinate that
    /// does not exist, or asked of a method whose steps are all the same.
    Adaptive = "ISO-RUN-021", "Take `dop853` for `--rtol`, `--atol`, `--max-step` and `--first-step`; write `--atol 1e-9` or `--atol x=1e-9,v_x=1e-6`.";
}
