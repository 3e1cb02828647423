//! The same for every item, with as many threads as there are processors.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use isotrope_algebra::Stop;

/// The number of threads that work side by side; one where there are no threads.
#[must_use]
pub fn processors() -> usize {
    if cfg!(target_family = "wasm") {
        return 1;
    }
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The results in the order of the items. All threads work under the [`Stop`] of this one.
///
/// ```
/// let squares = isotrope_study::parallel::map(&[1, 2, 3], |x| x * x);
/// assert_eq!(squares, [1, 4, 9]);
/// ```
pub fn map<T: Sync, R: Send + Sync>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let results: Vec<OnceLock<R>> = items.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let take = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let (Some(item), Some(result)) = (items.get(number), results.get(number)) else {
                break;
            };
            result.get_or_init(|| work(item));
        }
    };
    let threads = processors().min(items.len());
    let stop = Stop::current();
    if threads < 2 {
        take();
    } else {
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| Stop::under(stop.clone(), take));
            }
            take();
        });
    }
    results.into_iter().filter_map(OnceLock::into_inner).collect()
}
