//! Runs what is missing of a store.

use std::sync::atomic::{AtomicU64, Ordering};

use isotrope::{Event, Failure, Host, Stop};

use crate::plan::Shard;
use crate::store::Store;
use crate::work::Work;

/// Which shards, and how.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Threads; 0: as many as there are processors.
    pub threads: usize,
    /// Only every N-th shard, from the K-th on, K from 1.
    pub share: Option<(u64, u64)>,
    /// Only these shards.
    pub shards: Option<Vec<u64>>,
    /// Compute shards with failed members again? Their bytes do not change unless the program did.
    pub retry_failed: bool,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Status {
    /// Shards of the plan.
    pub shards: u64,
    /// Shards that are there.
    pub done: u64,
    /// Members of these.
    pub members_done: u64,
    /// Members of the plan.
    pub members: u64,
    /// Members that did not complete, of the shards that were looked at.
    pub failed: u64,
    /// Is every part there?
    pub complete: bool,
}

impl Request {
    fn wants(&self, shard: Shard) -> bool {
        let share = self.share.is_none_or(|(k, n)| shard.number % n == (k - 1) % n);
        let listed = self.shards.as_ref().is_none_or(|list| list.contains(&shard.number));
        share && listed
    }
}

/// Runs what is missing; `pause` is asked between shards whether to end there.
pub fn run(
    host: &Host,
    store: &Store,
    request: &Request,
    pause: &mut dyn FnMut() -> bool,
) -> Result<Status, Failure> {
    let plan = store.plan();
    let work = Work::new(plan)?;
    let present = store.present();
    let mut missing = Vec::new();
    for shard in plan.shards().filter(|shard| request.wants(*shard)) {
        let there = present.contains(&shard.file());
        let again = request.retry_failed
            && there
            && store.get(shard)?.is_none_or(|part| failed_in(&part) > 0);
        if !there || again {
            missing.push(shard);
        }
    }
    let threads = match request.threads {
        0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        threads => threads,
    };
    let of: u64 = missing.iter().map(|shard| shard.count).sum();
    let done = AtomicU64::new(0);
    let stop = host.stop().during(Stop::current).unwrap_or_default();
    let mut ended = false;
    for group in missing.chunk_by(|one, other| one.group == other.group) {
        let compiled = work.compile(host, group[0].group)?;
        let running = work.begin(&compiled)?;
        for shard in group {
            if host.is_stopped() || pause() {
                ended = true;
                break;
            }
            let part = work.shard(&running, *shard, threads, (&stop, &|_| {}))?;
            let Some(part) = part else {
                ended = true;
                break;
            };
            store.put(*shard, &part.to_bytes())?;
            let now = done.fetch_add(shard.count, Ordering::Relaxed) + shard.count;
            host.tell(Event::Steps { done: now, of });
        }
        if ended {
            break;
        }
    }
    host.tell(Event::End);
    if host.is_stopped() {
        store.log("interrupted");
        return Err(Failure::Interrupted {
            doing: "running the study; what is done is kept".to_owned(),
        });
    }
    status(store)
}

/// What is there of a store: files are counted, and looked into for failures.
pub fn status(store: &Store) -> Result<Status, Failure> {
    let plan = store.plan();
    let present = store.present();
    let mut status = Status {
        shards: 0,
        done: 0,
        members_done: 0,
        members: plan.members(),
        failed: 0,
        complete: false,
    };
    for shard in plan.shards() {
        status.shards += 1;
        if !present.contains(&shard.file()) {
            continue;
        }
        if let Some(part) = store.get(shard)? {
            status.done += 1;
            status.members_done += shard.count;
            status.failed += failed_in(&part);
        }
    }
    status.complete = status.done == status.shards;
    Ok(status)
}

/// Members of a part that neither completed nor escaped.
fn failed_in(part: &isotrope::rooms::output::writers::Part) -> u64 {
    let Some(outcomes) = part.column("outcome") else { return 0 };
    let fine = |row: usize| matches!(outcomes.word(row), Some("completed" | "escaped"));
    (0..part.rows()).filter(|row| !fine(*row)).count() as u64
}
