//! Coloured rooted trees: the order conditions of a family of methods, one tree each.
//!
//! The variables of x' = F(x) come in groups, one *colour* each, and each group is treated
//! with its own table. A [`Family`] says which colours there are and which groups the rate of
//! each depends on; [`Trees::up_to`] lists all trees, with
//!
//! - γ(t) = |t| ∏ γ(child), the density, and σ(t), the number of symmetries;
//! - the elementary weight φ(t) = ∏ A_child φ(child) (componentwise), w(t) = b_root · φ(t),
//!   and the order condition w(t) = 1/γ(t);
//! - the elementary differential F(t): the exact solution is x + Σ h^|t| F(t)/(γ(t) σ(t)).
//!
//! (Hairer, Nørsett, Wanner, *Solving Ordinary Differential Equations I*, II.2, II.14, II.15.)
//!
//! ```
//! use isotrope_algebra::Budget;
//! use isotrope_methods::trees::{Family, Trees};
//! let trees = Trees::up_to(&Family::qvp(), 5, &mut Budget::new(100_000)).unwrap();
//! assert_eq!(trees.len(), 202);
//! let tree = trees.find("v[q[v]v]").unwrap();
//! assert_eq!(trees.condition(tree), "bbar.((a.(abar.1))*(abar.1)) = 1/8");
//! assert_eq!(trees.differential(tree), "f_qv(f, f)");
//! ```

mod count;
mod cuts;
mod dependencies;
mod differential;
mod drawing;
mod family;
mod forest;
mod generate;
mod groups;
mod listing;
mod name;
mod quantities;
mod weight;

pub use count::{Counter, OrderCount};
pub use cuts::{Cut, Rerooted};
pub use dependencies::dependencies;
pub use family::{Colour, Dependency, Family};
pub use generate::{TreeId, Trees};
pub use groups::{GroupsError, GroupsErrorReason};
pub use listing::{
    LARGEST_COUNTED_ORDER, LARGEST_LIST, LARGEST_LISTED_ORDER, Listing, TreesError, list,
};
