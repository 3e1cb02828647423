//! A sign of life on stderr for what takes more than a second.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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

/// A bar with rate and remaining time; nothing if stderr is not a terminal.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: Option<ProgressBar>,
    begun: std::time::Instant,
    watcher: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Bar {
    /// For work that tells how far it is by [`Bar::set`]. It appears after a second.
    pub(crate) fn start(total: u64, unit: &'static str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            // Drawn for the first time when a second has passed.
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
            let template = format!(
                "{{wide_bar}} {{human_pos}} of {{human_len}} {unit}, {{per_sec}}, {{eta}} left"
            );
            if let Ok(style) = ProgressStyle::with_template(&template) {
                bar.set_style(style);
            }
            bar
        });
        Self { bar, begun: std::time::Instant::now(), watcher: None }
    }

    /// For work in other threads that counts in `made`.
    pub(crate) fn watch(total: u64, unit: &'static str, made: &Arc<AtomicU64>) -> Self {
        let mut shown = Self::start(total, unit);
        let Some(bar) = shown.bar.clone() else { return shown };
        let (sender, receiver) = channel::<()>();
        let (made, begun) = (Arc::clone(made), shown.begun);
        let thread = std::thread::spawn(move || {
            use std::sync::mpsc::RecvTimeoutError::Timeout;
            while receiver.recv_timeout(Duration::from_millis(200)) == Err(Timeout) {
                draw(&bar, begun, made.load(Ordering::Relaxed));
            }
        });
        shown.watcher = Some((sender, thread));
        shown
    }

    /// So much is done.
    pub(crate) fn set(&self, done: u64) {
        if let Some(bar) = &self.bar {
            draw(bar, self.begun, done);
        }
    }
}

fn draw(bar: &ProgressBar, begun: std::time::Instant, done: u64) {
    if bar.is_hidden() && begun.elapsed() > Duration::from_secs(1) {
        bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(8));
    }
    bar.set_position(done);
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.watcher.take() {
            drop(sender);
            let _ = thread.join();
        }
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
