//! Studies: tables of members, pictures, reports.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod ensemble;
mod pictures;
mod report;
