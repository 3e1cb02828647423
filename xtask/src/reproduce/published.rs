//! Numbers of the sources, as printed.

/// What a printed number is compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantity {
    /// The largest error of the energy.
    Energy,
    /// Its square.
    EnergySquared,
    /// The largest violation of a constraint on positions.
    Position,
    /// The largest violation of a constraint on velocities.
    Velocity,
    /// Time of computation: shown, not judged.
    Seconds,
}

/// Where the errors of staggered schemes are measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pair {
    /// (q_k, v_k).
    Own,
    /// (q_{k+1}, M⁻¹p_{k+1}).
    Shifted,
}

/// One printed line.
pub(super) struct Line {
    /// The method as the source calls it.
    pub source: &'static str,
    /// The method here.
    pub method: &'static str,
    /// The step.
    pub step: &'static str,
    /// Printed numbers, one for each column.
    pub printed: &'static [Option<f64>],
    /// Why a number is not reproduced, where that is known.
    pub remark: &'static str,
}

/// One printed table.
pub(super) struct Published {
    pub title: &'static str,
    /// Source and circumstances.
    pub about: &'static str,
    pub model: &'static str,
    pub time: &'static str,
    /// Further arguments.
    pub arguments: &'static [&'static str],
    /// Headings of the printed columns with what they are compared with.
    pub columns: &'static [(&'static str, Quantity)],
    pub pair: Pair,
    /// Are the initial data printed? Otherwise only sizes and slopes can agree.
    pub data_known: bool,
    pub lines: &'static [Line],
    /// What the comparison says.
    pub conclusion: &'static str,
}

const fn line(
    source: &'static str,
    method: &'static str,
    step: &'static str,
    printed: &'static [Option<f64>],
    remark: &'static str,
) -> Line {
    Line { source, method, step, printed, remark }
}

const STAGGERED: &str = "measured at what a step leaves behind";
const NO_DATA: &str = "the initial data are not printed";
const COINCIDE: &str = "printed as order 4; the stages coincide and it is of order 1";

pub(super) const TABLES: [Published; 7] = [
    Published {
        title: "Chaplygin sleigh on an incline, from rest",
        about: "Slides \"Intégrateur préservant la structure de Dirac\", first comparison; h = 0.01, t = 10. \
                The printed energy column is the square of the error. The printed constraint column holds \
                squares of residuals in 32-digit arithmetic, which doubles cannot have, and is left out.",
        model: "sleigh_incline",
        time: "10",
        arguments: &[],
        columns: &[("energy²", Quantity::EnergySquared)],
        pair: Pair::Own,
        data_known: true,
        lines: &[
            line("EEM", "euler-c", "0.01", &[Some(0.3433)], ""),
            line("EIM", "implicit-euler-c", "0.01", &[Some(0.3316)], ""),
            line("Dirac-1", "dirac-1", "0.01", &[Some(0.1602)], ""),
            line("Dirac-2", "dirac-2", "0.01", &[Some(0.0081)], ""),
            line(
                "Trapèzes",
                "trapezoid",
                "0.01",
                &[Some(7.0912)],
                "misprint, or another problem: no form of the trapezoidal rule comes near it",
            ),
            line(
                "Trapèzes",
                "trapezoid-c",
                "0.01",
                &[Some(7.0912)],
                "misprint, or another problem: no form of the trapezoidal rule comes near it",
            ),
            line("Runge-Kutta", "rk4", "0.01", &[Some(1.0306e-16)], ""),
            line("Dirac-Runge-Kutta", "dirac-rk", "0.01", &[None], COINCIDE),
        ],
        conclusion: "The table is that of the index-two forms of Euler's methods and of `rk4` on the field with \
                     eliminated multipliers; all but the trapezoidal rule are reproduced.",
    },
    Published {
        title: "Chaplygin sleigh on the plane",
        about: "Slides \"Pseudo-geometric integrators\"; t = 10. Both versions of RKD-2 print the same errors, \
                the times are those of the first; their coefficients are not printed, and `rkd-midpoint` satisfies the same conditions.",
        model: "sleigh",
        time: "10",
        arguments: &[],
        columns: &[
            ("energy", Quantity::Energy),
            ("constraint", Quantity::Velocity),
            ("seconds", Quantity::Seconds),
        ],
        pair: Pair::Shifted,
        data_known: true,
        lines: &[
            line("RKD-2", "rkd-midpoint", "0.01", &[Some(7e-6), Some(5e-6), Some(23.77)], ""),
            line("RKD-2", "rkd-midpoint", "0.001", &[Some(7e-8), Some(5e-8), Some(95.84)], ""),
            line("RKD-2", "rkd-midpoint", "0.0001", &[Some(7e-10), Some(5e-10), Some(700.14)], ""),
            line("Dirac-2", "dirac-2", "0.01", &[Some(7.9e-3), Some(1e-2), Some(1.62)], STAGGERED),
            line(
                "Dirac-2",
                "dirac-2",
                "0.001",
                &[Some(7.6e-4), Some(1e-3), Some(18.05)],
                STAGGERED,
            ),
            line(
                "Dirac-2",
                "dirac-2",
                "0.0001",
                &[Some(1.2e-4), Some(1e-4), Some(223.83)],
                STAGGERED,
            ),
        ],
        conclusion: "RKD-2 is of order two and Dirac-2 of order one, in the printed numbers as in ours.",
    },
    Published {
        title: "Pendulum at three steps",
        about: "The same slides, and the paper in Programming and Computer Software; t = 10. The initial data are \
                not printed; ours start horizontally at rest.",
        model: "pendulum",
        time: "10",
        arguments: &[],
        columns: &[
            ("energy", Quantity::Energy),
            ("constraint", Quantity::Position),
            ("seconds", Quantity::Seconds),
        ],
        pair: Pair::Own,
        data_known: false,
        lines: &[
            line("RKD-2", "rkd-midpoint", "0.01", &[Some(1e-2), Some(1e-2), Some(1.64)], NO_DATA),
            line("RKD-2", "rkd-midpoint", "0.001", &[Some(1e-4), Some(1e-5), Some(7.27)], NO_DATA),
            line(
                "RKD-2",
                "rkd-midpoint",
                "0.0001",
                &[Some(1e-6), Some(1e-7), Some(80.36)],
                NO_DATA,
            ),
            line("Dirac-2", "dirac-2", "0.01", &[Some(13.26), Some(2.72e-2), Some(0.25)], NO_DATA),
            line("Dirac-2", "dirac-2", "0.001", &[Some(1.8), Some(1.5e-3), Some(2.24)], NO_DATA),
            line(
                "Dirac-2",
                "dirac-2",
                "0.0001",
                &[Some(1.9e-1), Some(1.4e-4), Some(24.63)],
                NO_DATA,
            ),
        ],
        conclusion: "The slopes of the energy agree: two for RKD-2, one for Dirac-2, which was published as order \
                     two. Our constraint column is the one on positions, of order two for both; the printed one of \
                     Dirac-2 falls with order one, as the constraint on velocities does at what a step leaves behind.",
    },
    Published {
        title: "Pendulum, \"Dirac 2 vs All Stars\"",
        about: "Slides \"Pseudo-geometric integrators\". Neither step nor initial data nor the measured quantity \
                are printed; ours is the constraint on positions with h = 0.01, t = 10.",
        model: "pendulum",
        time: "10",
        arguments: &[],
        columns: &[("error", Quantity::Position)],
        pair: Pair::Own,
        data_known: false,
        lines: &[
            line("Runge-Kutta 4", "rk4", "0.01", &[Some(9.4e-8)], NO_DATA),
            line("Adams-Bashforth 3", "ab3", "0.01", &[Some(1.36601e-4)], NO_DATA),
            line("Dirac order 2", "dirac-2", "0.01", &[Some(2.04053e-3)], NO_DATA),
            line("Trapezium 2", "trapezoid", "0.01", &[Some(1.28399e-2)], NO_DATA),
            line("Dirac order 1", "dirac-1", "0.01", &[Some(0.952115)], NO_DATA),
        ],
        conclusion: "",
    },
    Published {
        title: "Three particles",
        about: "Slides \"Intégrateur préservant la structure de Dirac\"; h = 0.01, t = 10. The slide prints no \
                velocities, and from rest the system is in equilibrium: ours are those of models/three_particles.toml.",
        model: "three_particles",
        time: "10",
        arguments: &[],
        columns: &[("energy", Quantity::Energy)],
        pair: Pair::Own,
        data_known: false,
        lines: &[
            line("EEM", "euler-c", "0.01", &[Some(37.0433)], NO_DATA),
            line("IEM", "implicit-euler-c", "0.01", &[Some(1.7777)], NO_DATA),
            line("ESM", "symplectic-euler-c", "0.01", &[Some(1.5798e-4)], NO_DATA),
            line("Dirac-1", "dirac-1", "0.01", &[Some(1.5799e-4)], NO_DATA),
            line("Trapèzes", "trapezoid", "0.01", &[Some(2.3395e-6)], NO_DATA),
            line("Dirac-2", "dirac-2", "0.01", &[Some(0.6297)], NO_DATA),
            line("Runge-Kutta", "rk4", "0.01", &[Some(2.8584e-7)], NO_DATA),
        ],
        conclusion: "",
    },
    Published {
        title: "Dirac-Runge-Kutta on three particles",
        about: "The same slides, t = 1; the printed column is a root mean square, ours the largest error.",
        model: "three_particles",
        time: "1",
        arguments: &[],
        columns: &[("energy", Quantity::Energy)],
        pair: Pair::Own,
        data_known: false,
        lines: &[
            line("DRK", "dirac-rk", "0.01", &[Some(0.8192)], COINCIDE),
            line("DRK", "dirac-rk", "0.002", &[Some(0.4213)], COINCIDE),
            line("DRK", "dirac-rk", "0.001", &[Some(0.3514)], COINCIDE),
            line("DRK", "dirac-rk", "0.0005", &[Some(0.3177)], COINCIDE),
            line("DRK", "dirac-rk", "0.0004", &[Some(0.3110)], COINCIDE),
            line("DRK", "dirac-rk", "0.00025", &[Some(0.3014)], COINCIDE),
        ],
        conclusion: "The printed errors do not go to zero with the step; ours do, with order one.",
    },
    Published {
        title: "Dirac-Runge-Kutta on the sleigh",
        about: "The same slides, t = 1; the printed column is a root mean square, ours the largest error.",
        model: "sleigh",
        time: "1",
        arguments: &[],
        columns: &[("energy", Quantity::Energy)],
        pair: Pair::Own,
        data_known: false,
        lines: &[
            line("DRK", "dirac-rk", "0.01", &[Some(0.0129)], COINCIDE),
            line("DRK", "dirac-rk", "0.002", &[Some(0.0048)], COINCIDE),
            line("DRK", "dirac-rk", "0.001", &[Some(0.0025)], COINCIDE),
            line("DRK", "dirac-rk", "0.0005", &[Some(0.00332)], COINCIDE),
            line("DRK", "dirac-rk", "0.0004", &[Some(0.0031)], COINCIDE),
        ],
        conclusion: "Both are of order one until the printed numbers stop to fall.",
    },
];
