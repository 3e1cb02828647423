//! What a method does, computed: order, structure, form, energy, symmetry, cost.
//!
//! Four things are certified apart and never mixed: the order of the solution; the *submanifold
//! order*, the local defect of the constraints and of the Legendre map; the *form order*, the
//! local defect of the 2-form on the constraint manifold; and symmetry.
//!
//! The trait `Stages` of `isotrope-methods` is the algebra of stage vectors; conditions written
//! with it (`order.rs`, `simplifying.rs`, `exactness.rs`, `symmetry.rs`) apply to tables over a
//! field, to collocation tables and to their images in a prime field alike. `effective.rs` reduces
//! a table to what it does: equal stages merged, unused ones dropped. Nothing outside this crate
//! can make a `Certified<M>`.
//!
//! *Backward error analysis* (`modified/`). `coefficients.rs` turns the weights of a method into
//! those of its modified field, in any algebra of stages; `differentials.rs` writes the elementary
//! differentials of a model, each derivative once for all trees that use it; `field.rs`,
//! `hamiltonian.rs` and `rates.rs` sum them up. The defect is measured on the expressions that are
//! printed (`small_steps/defect.rs`).

mod applies_to;
mod canonical_form;
mod certificate;
mod class_of;
mod composed;
mod cost;
mod effective;
mod exactness;
mod fingerprint;
mod free;
mod grouped;
mod in_state_space;
mod linear_theory;
pub mod modified;
mod on_groups;
mod order;
mod registry;
mod simplifying;
mod small_steps;
pub mod stored;
mod structure;
mod symmetry;
mod table;
mod verdict;

pub use applies_to::applies_to;
pub use canonical_form::keeps_canonical_form;
pub use certificate::{
    Certificate, Certified, ClassOrders, DefectOrder, Evidence, LocalDefects, NotAnExponent,
    Sampling,
};
pub use class_of::{ClassOfModel, class_of};
pub use composed::{ComposedError, certify_composition};
pub use cost::Cost;
pub use exactness::{Exactness, exactness};
pub use fingerprint::{Fingerprint, fingerprint};
pub use grouped::{GroupedOrder, grouped_order};
pub use in_state_space::{StateClass, StateOrders};
pub use linear_theory::{Dense, Embedded, LinearTheory, Reach, ScalarStability, linear_theory};
pub use on_groups::{GroupClass, GroupOrders};
pub use order::{ElementaryWeights, order_by_trees, order_on_class};
pub use registry::{
    RegistryError, certified, computed, method, method_names, order_of_table, stored_names,
};
pub use simplifying::{Simplifying, common_simplifying_assumptions, simplifying_assumptions};
pub use small_steps::{
    LocalMethod, LocalOrders, ModifiedDefect, ProblemSizes, SmallStepError, certify_scheme,
    local_orders, local_orders_in, modified_defect,
};
pub use symmetry::is_symmetric;
pub use table::{CertifyError, certify, kept_exactly, kept_parts, order, properties};
pub use verdict::{Claimed, Verdict, verdicts};
