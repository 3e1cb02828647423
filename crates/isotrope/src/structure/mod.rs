//! What a system is: its derivation, initial data, geometry, ports.

mod check;
mod derivation;
mod geometry;
mod port;

pub use check::{CheckAnswer, CheckRequest};
pub use derivation::{Discretisation, discrete_scheme};
pub use geometry::{
    GeometryAnswer, GeometryRequest, geometry_of_file, is_geometry_file, refuse_for_geometry_file,
};
pub use port::{PortAnswer, PortRequest, component, connected};
