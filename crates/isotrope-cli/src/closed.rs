//! Was standard output closed when the program started (`isotrope … >&-`)?
//!
//! Before `main`, Rust opens `/dev/null` in place of a standard stream that is closed, and an answer would be lost
//! without an error. So Linux is asked before that.

use std::io::{Error, Result};

/// An error if whatever is written to standard output is lost.
pub(crate) fn output_is_open() -> Result<()> {
    match early::closed() {
        true => Err(Error::other("standard output is closed")),
        false => Ok(()),
    }
}

#[cfg(target_os = "linux")]
mod early {
    use std::sync::atomic::{AtomicBool, Ordering};

    static CLOSED: AtomicBool = AtomicBool::new(false);

    pub(super) fn closed() -> bool {
        CLOSED.load(Ordering::Relaxed)
    }

    extern "C" fn look() {
        let streams = std::path::Path::new("/proc/self/fd");
        let closed = streams.is_dir() && streams.join("1").symlink_metadata().is_err();
        CLOSED.store(closed, Ordering::Relaxed);
    }

    #[expect(
        unsafe_code,
        reason = "functions of this section run before the program; this one reads two names"
    )]
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;
}

#[cfg(not(target_os = "linux"))]
mod early {
    pub(super) fn closed() -> bool {
        false
    }
}
