//! What a system is: its derivation, initial data, geometry, ports.

mod check;
mod derivation;
mod geometry;
mod port;

pub use check::{CheckAnswer, CheckRequest};
pub use derivation::{DeriveRequest, Discretisation};
pub use geometry::{GeometryAnswer, GeometryRequest, geometry};
pub use port::{PortAnswer, PortRequest, component, connected};
