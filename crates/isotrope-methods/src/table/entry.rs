//! The names of single entries.

use std::fmt;

use super::Table;

/// One coefficient of a table, by its place among the stages (from zero).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Entry {
    /// `a_ij`.
    A {
        /// The row, from zero.
        row: usize,
        /// The column, from zero.
        column: usize,
    },
    /// `abar_ij`.
    Abar {
        /// The row, from zero.
        row: usize,
        /// The column, from zero.
        column: usize,
    },
    /// `b_i`.
    B(usize),
    /// `bbar_i`.
    Bbar(usize),
    /// `btil_i`.
    Btil(usize),
}

impl fmt::Display for Entry {
    /// `a11`, `abar21`, `b1`, counted from one; `a[1,10]` beyond nine stages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, first, second) = match *self {
            Self::A { row, column } => ("a", row + 1, Some(column + 1)),
            Self::Abar { row, column } => ("abar", row + 1, Some(column + 1)),
            Self::B(index) => ("b", index + 1, None),
            Self::Bbar(index) => ("bbar", index + 1, None),
            Self::Btil(index) => ("btil", index + 1, None),
        };
        match second {
            Some(second) if first > 9 || second > 9 => write!(f, "{name}[{first},{second}]"),
            Some(second) => write!(f, "{name}{first}{second}"),
            None if first > 9 => write!(f, "{name}[{first}]"),
            None => write!(f, "{name}{first}"),
        }
    }
}

impl Table {
    /// The names of all entries: `a` by rows, `abar`, `b`, `bbar`, `btil`.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        let s = self.stages;
        let places = move || (0..s).flat_map(move |row| (0..s).map(move |column| (row, column)));
        places()
            .map(|(row, column)| Entry::A { row, column })
            .chain(places().map(|(row, column)| Entry::Abar { row, column }))
            .chain((0..s).map(Entry::B))
            .chain((0..s).map(Entry::Bbar))
            .chain((0..s).map(Entry::Btil))
    }

    /// Does the table have this entry?
    pub fn has(&self, entry: Entry) -> bool {
        let inside = |index: usize| index < self.stages;
        match entry {
            Entry::A { row, column } | Entry::Abar { row, column } => inside(row) && inside(column),
            Entry::B(index) | Entry::Bbar(index) | Entry::Btil(index) => inside(index),
        }
    }
}
