//! Certificates: what is computed of methods, by two roads each.

mod local;
mod mutations;
mod on_groups;
mod published;
mod registry;
mod state_space;
mod stored;
mod support;
mod symmetry;
