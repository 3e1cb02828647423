//! Time that passes, where there is a clock.

/// A watch that was started.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch {
    #[cfg(not(target_family = "wasm"))]
    begun: std::time::Instant,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self {
            #[cfg(not(target_family = "wasm"))]
            begun: std::time::Instant::now(),
        }
    }

    /// Seconds since the start; none where there is no clock.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn seconds(self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// NaN where there is no clock.
    #[cfg(target_family = "wasm")]
    pub(crate) fn seconds(self) -> f64 {
        f64::NAN
    }
}
