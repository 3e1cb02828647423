//! A sign of life on stderr for what takes more than a second.

use std::io::IsTerminal as _;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::ProgressBar;

/// A spinner that appears after a second and vanishes when dropped; nothing if stderr is
/// not a terminal.
#[derive(Debug)]
pub(crate) struct Progress {
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    pub(crate) fn start(doing: &'static str) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self { running: None };
        }
        let (sender, receiver) = channel::<()>();
        let thread = std::thread::spawn(move || {
            use std::sync::mpsc::RecvTimeoutError::Timeout;
            if receiver.recv_timeout(Duration::from_secs(1)) != Err(Timeout) {
                return;
            }
            let spinner = ProgressBar::new_spinner().with_message(doing);
            while receiver.recv_timeout(Duration::from_millis(120)) == Err(Timeout) {
                spinner.tick();
            }
            spinner.finish_and_clear();
        });
        Self { running: Some((sender, thread)) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.running.take() {
            drop(sender);
            // A spinner that failed has nothing more to say.
            let _ = thread.join();
        }
    }
}
