//! Studies over many runs: parameters, initial data, steps and methods, kept in a store that survives `kill -9`.
//!
//! ```text
//! study.toml ─Plan::read▶ Plan ─shards▶ Shard ─Work::shard▶ Part ─Store::put▶ parts/g000-s000042.parquet
//!                                                                 └ Table ─▶ pictures, tables, reductions
//! ```
//!
//! A *plan* is text: the study, its model and all files it names, with what divides it into groups, which are compiled
//! once, and shards, which are computed at once. The bytes of a part depend on the plan and the number of its shard
//! alone, not on the machine, threads, the order of shards, interruptions or the time; a store that is finished is the
//! same whoever made it. Nothing is locked: a part is written beside its place and renamed, and one that is
//! computed twice is the same twice.

#![warn(missing_docs)]

pub mod answers;
pub mod look;
pub mod picture;
pub mod plan;
pub mod points;
pub mod read;
pub mod run;
pub mod sobol;
pub mod store;
pub mod study;
pub mod table;
pub mod work;

pub use plan::{Group, Plan, Shard};
pub use store::Store;
pub use work::Work;
