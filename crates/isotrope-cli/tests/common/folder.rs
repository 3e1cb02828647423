//! Where the models that are shipped are.

use std::path::{Path, PathBuf};

/// The directory of the models that are shipped.
pub fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}
