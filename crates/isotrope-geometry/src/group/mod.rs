//! Lie groups of mechanics: rotations and motions of the plane and of space, translations, products.
//! What a group of rotations has to say stands in one file (`plane`, `space`); the rest follows.
//!
//! An element is a list of numbers: for a rotation of the plane (cos, sin), for one of space a unit
//! quaternion, which has neither singular places nor six conditions to keep; then the translation.
//! An element of the algebra is (ω, v), left-trivialised: g' = g ξ, so ω and v are seen from the body.
//! Everything is an expression and holds identically where the numbers of rotations have norm 1.

mod angle;
mod factor;
mod plane;
mod product;
mod retraction;
mod space;
#[cfg(test)]
mod tests;
mod turning;
mod vector;

pub use angle::Series;
pub use factor::Factor;
pub use product::Group;
pub use retraction::{Retraction, Side};
