//! Signals that ask a command to end: it writes what it has, and the exit code says which signal came.
//!
//! Ctrl-C (SIGINT), SIGTERM and SIGHUP set the flag; a second one ends the program at once. A signal that was ignored when
//! the program started (`nohup`, jobs in the background of a script) stays ignored.

use std::sync::atomic::{AtomicU8, Ordering};

use isotrope::Stop;

/// The number of Ctrl-C.
const INTERRUPT: u8 = 2;

/// The signal that came.
static CAME: AtomicU8 = AtomicU8::new(INTERRUPT);

/// The exit code of a command that a signal ended: 128 and its number, as shells have it.
pub(crate) fn exit_code() -> u8 {
    128 + CAME.load(Ordering::Relaxed)
}

/// A signal came: it sets the flag, or ends the program where the flag was set already.
fn came(signal: u8, stop: &Stop) {
    CAME.store(signal, Ordering::Relaxed);
    if stop.set_again() {
        std::process::exit(exit_code().into());
    }
}

/// From now on signals set the flag. Where nothing can listen to them they end the program, as usual.
#[cfg(unix)]
pub(crate) fn end_by(stop: &Stop) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let ignored = ignored();
    let is_heard = |signal: &i32| ignored >> (signal - 1) & 1 == 0;
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(is_heard);
    let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) else { return };
    let stop = stop.clone();
    std::thread::spawn(move || {
        for signal in signals.forever() {
            came(u8::try_from(signal).unwrap_or(INTERRUPT), &stop);
        }
    });
}

/// Only Ctrl-C is known everywhere.
#[cfg(not(unix))]
pub(crate) fn end_by(stop: &Stop) {
    let stop = stop.clone();
    let _ = ctrlc::set_handler(move || came(INTERRUPT, &stop));
}

/// The signals that were ignored when the program started, a bit each. Linux tells; elsewhere all are heard.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or(0)
}
