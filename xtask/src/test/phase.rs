//! The phases of the test command and what they cost.

use std::time::{Duration, Instant};

use super::say;

/// What one phase took.
#[derive(Debug)]
struct Phase {
    name: &'static str,
    wall: Duration,
    /// Where the system tells.
    processor: Option<Duration>,
}

/// The phases so far.
#[derive(Debug, Default)]
pub struct Phases(Vec<Phase>);

impl Phases {
    /// Runs a phase and remembers what it took.
    pub fn time<T>(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, String> {
        let (start, before) = (Instant::now(), processor());
        let outcome = work();
        let processor = before.zip(processor()).map(|(before, after)| after.saturating_sub(before));
        self.0.push(Phase { name, wall: start.elapsed(), processor });
        outcome
    }

    /// The table of phases.
    pub fn print(&self) {
        say("\nphase                      wall      processor");
        let row = |name: &str, wall: Duration, processor: Option<Duration>| {
            let processor = processor.map_or_else(|| "?".to_owned(), seconds);
            say(&format!("{name:<22} {:>9} {processor:>14}", seconds(wall)));
        };
        for phase in &self.0 {
            row(phase.name, phase.wall, phase.processor);
        }
        let wall = self.0.iter().map(|phase| phase.wall).sum();
        row("all", wall, self.0.iter().map(|phase| phase.processor).sum());
    }
}

/// Seconds with one decimal.
pub fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// Processor time of this process and of all children that ended, from Linux's account of them.
fn processor() -> Option<Duration> {
    // Ticks of USER_HZ, which is 100 on every architecture that Rust runs tests on.
    const TICK: Duration = Duration::from_millis(10);
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the name in brackets: utime, stime, cutime and cstime are the fields 14 to 17.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: Option<Vec<u32>> =
        fields.get(11..15)?.iter().map(|field| field.parse().ok()).collect();
    Some(TICK * ticks?.iter().sum())
}
