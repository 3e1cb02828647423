//! Rows of a trajectory as a file.

use std::path::Path;

use isotrope_model::codes::FilesCode;
use isotrope_output::writers::{WriteError, open};

use crate::failure::Failure;

/// Writes rows to a file, in the format that its name ends in; how many there are.
pub fn save_rows<'r>(
    path: &Path,
    columns: &[String],
    rows: impl IntoIterator<Item = &'r [f64]>,
) -> Result<u64, Failure> {
    let refused = |error: &WriteError| Failure::plain(error.code(), error, error.hint());
    let mut writer = open(path, columns).map_err(|error| refused(&error))?;
    for row in rows {
        writer.row(row).map_err(|error| match error.inner().downcast_ref::<WriteError>() {
            Some(error) => refused(error),
            None => Failure::plain(FilesCode::Unwritable, &error, FilesCode::Unwritable.hint()),
        })?;
    }
    Ok(writer.finish().map_err(|error| refused(&error))?.rows)
}
