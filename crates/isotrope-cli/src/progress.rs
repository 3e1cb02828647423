//! A sign of life on stderr for what takes more than a second.

use std::io::IsTerminal as _;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use isotrope::Event;

use crate::diagnostics;

/// Shows what a computation tells.
#[derive(Debug, Default)]
pub(crate) struct Watcher {
    shown: Mutex<Option<Shown>>,
}

#[derive(Debug)]
enum Shown {
    /// What is being done; the spinner goes when it is dropped.
    Work {
        _spinner: Progress,
    },
    Steps(Bar),
}

impl Watcher {
    pub(crate) fn tell(&self, event: Event<'_>) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Begin(doing) => {
                *shown = None;
                *shown = Some(Shown::Work { _spinner: Progress::start(doing.to_owned()) });
            }
            Event::Steps { done, of } => match &*shown {
                Some(Shown::Steps(bar)) => bar.set(done),
                _ => {
                    *shown = None;
                    *shown = Some(Shown::Steps(Bar::start(of, "steps")));
                }
            },
            Event::End => *shown = None,
            Event::Note(text) => {
                *shown = None;
                diagnostics::say(text);
            }
        }
    }
}

/// A spinner that appears after a second and vanishes when dropped; nothing if stderr is
/// not a terminal.
#[derive(Debug)]
struct Progress {
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    fn start(doing: String) -> Self {
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
struct Bar {
    bar: Option<ProgressBar>,
    begun: std::time::Instant,
}

impl Bar {
    /// For work that reports its progress through [`Bar::set`]. It appears after a second.
    fn start(total: u64, unit: &str) -> Self {
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
        Self { bar, begun: std::time::Instant::now() }
    }

    /// So much is done.
    fn set(&self, done: u64) {
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
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
