//! What is measured on the way: means, extremes, strobes, sections, escapes.

use std::sync::Mutex;

use isotrope::Observed;
use isotrope::rooms::kernel::integrate::{Member, Watch};
use isotrope::rooms::study::in_columns::InColumns;
use isotrope::rooms::tape::interpret::Scratch;

/// What is looked at, in steps.
#[derive(Debug, Default)]
pub struct Looks {
    /// Means, least and largest values: expressions in this order.
    pub values: Option<InColumns>,
    /// How many of them are means, how many least values.
    pub means: usize,
    /// How many least values follow.
    pub least: usize,
    /// Steps before which nothing is measured.
    pub transient: u64,
    /// Steps between two looks.
    pub every: u64,
    /// Steps between two flashes, how many are kept, what is kept.
    pub strobe: Option<(u64, usize, InColumns)>,
    /// What passes through zero, how many crossings are kept, what is kept.
    pub section: Option<(InColumns, usize, InColumns)>,
    /// A member ends once this is above (or below) a number.
    pub escape: Option<(InColumns, bool, f64)>,
}

impl Looks {
    /// Is there nothing to look at?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_none()
            && self.strobe.is_none()
            && self.section.is_none()
            && self.escape.is_none()
    }

    fn often(&self) -> bool {
        self.values.is_some() || self.section.is_some() || self.escape.is_some()
    }
}

/// What was seen of a member.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// Looks that means are over.
    pub count: u64,
    /// Sums, least and largest values.
    pub values: Vec<f64>,
    /// What flashes show, the last ones, the oldest first.
    pub flashes: Ring,
    /// What crossings show.
    pub crossings: Ring,
    /// It escaped.
    pub escaped: bool,
    before: Option<(f64, Vec<f64>)>,
    row: Vec<f64>,
    buffer: Vec<f64>,
    scratch: Scratch,
}

/// The last lists of numbers.
#[derive(Debug, Clone, Default)]
pub struct Ring(std::collections::VecDeque<Vec<f64>>);

impl Ring {
    fn push(&mut self, list: Vec<f64>, most: usize) {
        if self.0.len() == most {
            self.0.pop_front();
        }
        self.0.push_back(list);
    }

    /// The number at a place of a list; lists that are missing are at the end.
    #[must_use]
    pub fn at(&self, list: usize, place: usize) -> f64 {
        self.0.get(list).and_then(|list| list.get(place)).copied().unwrap_or(f64::NAN)
    }
}

/// Looks at the members of a shard.
pub struct Watcher<'w> {
    /// What is looked at.
    pub looks: &'w Looks,
    /// How states become rows.
    pub observed: &'w Observed<'w>,
    /// The members.
    pub members: &'w [Member],
    /// What was seen of each.
    pub seen: Vec<Mutex<Seen>>,
}

impl<'w> Watcher<'w> {
    /// Of these members.
    #[must_use]
    pub fn new(looks: &'w Looks, observed: &'w Observed<'w>, members: &'w [Member]) -> Self {
        let seen = members.iter().map(|_| Mutex::default()).collect();
        Self { looks, observed, members, seen }
    }
}

impl Watch for Watcher<'_> {
    fn begin(&self, member: usize) {
        if let Some(Ok(mut seen)) = self.seen.get(member).map(Mutex::lock) {
            *seen = Seen::default();
        }
    }

    fn next(&self, done: u64) -> u64 {
        let after = |every: u64| (done / every + 1) * every;
        let often = if self.looks.often() { after(self.looks.every) } else { u64::MAX };
        let flash = self.looks.strobe.as_ref().map_or(u64::MAX, |(every, ..)| after(*every));
        often.min(flash)
    }

    fn look(&self, member: usize, state: &[f64], done: u64) -> bool {
        let (Some(Ok(mut seen)), Some(about)) =
            (self.seen.get(member).map(Mutex::lock), self.members.get(member))
        else {
            return true;
        };
        let seen = &mut *seen;
        let parameters = &about.parameters;
        self.observed.row(state, &mut seen.row);
        let Looks { values, strobe, section, escape, .. } = self.looks;
        let measured = done > self.looks.transient;
        let (row, scratch) = (&seen.row, &mut seen.scratch);
        let buffer = &mut seen.buffer;
        if done.is_multiple_of(self.looks.every) {
            if let Some((expression, above, bound)) = escape
                && let Some(&[value]) = expression.seen(row, parameters, (buffer, scratch))
                && (value > *bound) == *above
                && value != *bound
            {
                seen.escaped = true;
                return false;
            }
            if let (Some(values), true) = (values, measured)
                && let Some(now) = values.seen(row, parameters, (buffer, scratch))
            {
                gather(&mut seen.values, now, self.looks);
                seen.count += 1;
            }
            if let (Some((at, most, of)), true) = (section, measured)
                && let Some(&[height]) = at.seen(row, parameters, (buffer, scratch))
                && let Some(here) = of.at(row, parameters, scratch)
            {
                if let Some((before, there)) = &seen.before
                    && *before < 0.0
                    && height >= 0.0
                {
                    // On the line between two looks.
                    let part = before / (before - height);
                    let between = there.iter().zip(&here).map(|(a, b)| a + part * (b - a));
                    seen.crossings.push(between.collect(), *most);
                }
                seen.before = Some((height, here));
            }
        }
        if let (Some((every, most, of)), true) = (strobe, measured)
            && done.is_multiple_of(*every)
            && let Some(here) = of.at(row, parameters, scratch)
        {
            seen.flashes.push(here, *most);
        }
        true
    }
}

/// Adds to sums and extremes.
fn gather(all: &mut Vec<f64>, now: &[f64], looks: &Looks) {
    if all.is_empty() {
        all.extend_from_slice(now);
        return;
    }
    for (k, (all, now)) in all.iter_mut().zip(now).enumerate() {
        *all = match k {
            k if k < looks.means => *all + now,
            k if k < looks.means + looks.least => all.min(*now),
            _ => all.max(*now),
        };
    }
}
