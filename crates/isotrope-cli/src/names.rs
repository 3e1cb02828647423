//! Names that arguments take, and what they mean to the facade.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use isotrope_bench::Workload;

/// What the rows of a comparison are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SortName {
    /// As listed.
    Given,
    /// The name of the method.
    Name,
    /// The computed order, highest first.
    Order,
    /// The error of the energy.
    Energy,
    /// The violation of the constraints.
    Constraint,
    /// The distance to the reference solution.
    Reference,
    /// The time of a step.
    Cost,
}

/// How steps are executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BackendName {
    /// Machine code.
    Native,
    /// One operation after the other: the reference.
    Interpreter,
}

/// Which conserved quantities a run watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WatchName {
    /// Energy and momenta, which take no time to find.
    Usual,
    /// All that `derive` finds.
    All,
}

/// What `flow` judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FlowCheck {
    /// Steps keep dq∧dp on the constraint manifold.
    Symplectic,
    /// Steps keep the bracket of a system in state space: dΦ D dΦᵀ = D∘Φ.
    Poisson,
}

/// Structure functions, all of them, or the 2-form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StructurePart {
    /// The Legendre map, p = ∂L/∂v.
    Psi,
    /// The constraints on velocities, A(q) v = 0.
    PhiV,
    /// The constraints on positions, φ(q) = 0.
    PhiQ,
    /// All of these.
    All,
    /// The 2-form dq ∧ dp on the constraint manifold.
    Form,
}

/// Families of trees that have a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TreeFamily {
    /// Runge–Kutta methods for y' = f(y).
    Rk,
    /// Partitioned methods for q' = f(q, p), p' = g(q, p).
    Prk,
    /// Nyström methods for q'' = f(q, q').
    Nystrom,
    /// Three tables for q' = v, v' = f(q, v), p' = g(q, v).
    Qvp,
}

/// What a picture of a run shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PictureName {
    /// Coordinates against time.
    Time,
    /// Velocities against coordinates.
    Phase,
    /// The paths of points (x, y) of the plane, or two coordinates.
    Configuration,
    /// The error of the energy against time.
    Energy,
    /// Violations of constraints against time.
    Constraints,
    /// The axes of a body on the sphere of space (models with [lie_group]).
    Sphere,
    /// The momentum of a body on its sphere (models with [lie_group]).
    Polhode,
}

/// A workload by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkloadName(pub Workload);

impl ValueEnum for WorkloadName {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [WorkloadName; 8] = {
            let mut all = [WorkloadName(Workload::Pendulum); 8];
            let mut k = 0;
            while k < all.len() {
                all[k] = WorkloadName(Workload::ALL[k]);
                k += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.about()))
    }
}

/// The same names here and in the facade.
macro_rules! same_names {
    ($here:ident is $there:path: $($name:ident),*) => {
        impl From<$here> for $there {
            fn from(name: $here) -> Self {
                match name {
                    $($here::$name => Self::$name,)*
                }
            }
        }
    };
}

same_names!(SortName is isotrope::SortKey: Given, Name, Order, Energy, Constraint, Reference, Cost);
same_names!(WatchName is isotrope::Watch: Usual, All);
same_names!(BackendName is isotrope::Backend: Native, Interpreter);
same_names!(FlowCheck is isotrope::FlowCheck: Symplectic, Poisson);
same_names!(StructurePart is isotrope::StructurePart: Psi, PhiV, PhiQ, All, Form);
same_names!(TreeFamily is isotrope::TreeFamily: Rk, Prk, Nystrom, Qvp);
same_names!(
    PictureName is isotrope::rooms::study::pictures::Picture:
    Time, Phase, Configuration, Energy, Constraints, Sphere, Polhode
);
