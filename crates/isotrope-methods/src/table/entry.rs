//! The names of single entries.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Table;

/// One coefficient of a table, by its place among the stages (from zero).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
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

/// Text that names no entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the name of a coefficient, such as a11, b2 or a[1,10]")]
pub struct NotAnEntry(pub String);

impl FromStr for Entry {
    type Err = NotAnEntry;

    /// Reads what `Display` writes.
    fn from_str(text: &str) -> Result<Self, NotAnEntry> {
        let refused = || NotAnEntry(text.to_owned());
        let end = text.find(|c: char| !c.is_ascii_lowercase()).ok_or_else(refused)?;
        let (name, place) = text.split_at(end);
        let inside = place.strip_prefix('[').and_then(|place| place.strip_suffix(']'));
        let places: Vec<String> = match inside {
            Some(inside) => inside.split(',').map(str::to_owned).collect(),
            None => place.chars().map(String::from).collect(),
        };
        let numbers: Option<Vec<usize>> = places
            .iter()
            .map(|place| place.parse::<usize>().ok().and_then(|number| number.checked_sub(1)))
            .collect();
        let entry = match (name, numbers.ok_or_else(refused)?.as_slice()) {
            ("a", &[row, column]) => Self::A { row, column },
            ("abar", &[row, column]) => Self::Abar { row, column },
            ("b", &[index]) => Self::B(index),
            ("bbar", &[index]) => Self::Bbar(index),
            ("btil", &[index]) => Self::Btil(index),
            _ => return Err(refused()),
        };
        // One name for each entry: `a01` and `a[1,1]` are refused.
        if entry.to_string() == text { Ok(entry) } else { Err(refused()) }
    }
}

impl From<Entry> for String {
    fn from(entry: Entry) -> Self {
        entry.to_string()
    }
}

impl TryFrom<String> for Entry {
    type Error = NotAnEntry;

    fn try_from(text: String) -> Result<Self, NotAnEntry> {
        text.parse()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_as_the_entry_that_has_it() {
        for (row, column) in [(0, 0), (1, 8), (0, 9), (11, 2)] {
            let entries = [
                Entry::A { row, column },
                Entry::Abar { row, column },
                Entry::B(row),
                Entry::Bbar(column),
                Entry::Btil(row),
            ];
            for entry in entries {
                assert_eq!(entry.to_string().parse(), Ok(entry));
            }
        }
        for text in ["", "a", "a1", "a01", "a[1,1]", "b0", "b[1]", "c11", "a111", "b[x]"] {
            assert_eq!(text.parse::<Entry>(), Err(NotAnEntry(text.to_owned())));
        }
    }
}
