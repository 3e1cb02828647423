//! Indexed things: ranges, and keys expanded over them.

use isotrope_algebra::Pool;
use isotrope_algebra::syntax::{Span, is_reserved};

use crate::ModelCode;
use crate::diagnostics::{Reporter, shorten};
use crate::key::{Key, KeyIndex};
use crate::limits;
use crate::parameters::Parameters;
use crate::text::Text;

/// Index ranges, one for each dimension; the last index runs fastest. None: a scalar.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Ranges(pub(crate) Vec<(i64, i64)>);

impl Ranges {
    /// How many index tuples there are; `None` if more than can be counted.
    pub(crate) fn count(&self) -> Option<usize> {
        self.0.iter().try_fold(1usize, |count, (from, to)| {
            let length = to.checked_sub(*from)?.checked_add(1)?.max(0);
            count.checked_mul(usize::try_from(length).ok()?)
        })
    }

    /// The position of an index tuple.
    pub(crate) fn offset(&self, indices: &[i64]) -> Option<usize> {
        if indices.len() != self.0.len() {
            return None;
        }
        let mut offset = 0usize;
        for (index, (from, to)) in indices.iter().zip(&self.0) {
            if index < from || index > to {
                return None;
            }
            // Counted before, so neither product nor sum overflows.
            offset = offset * usize::try_from(to - from + 1).ok()?
                + usize::try_from(index - from).ok()?;
        }
        Some(offset)
    }

    /// The index tuple at a position.
    pub(crate) fn indices(&self, mut offset: usize) -> Vec<i64> {
        let mut indices = vec![0; self.0.len()];
        for (index, (from, to)) in indices.iter_mut().zip(&self.0).rev() {
            let length = usize::try_from(to - from + 1).unwrap_or(1).max(1);
            *index = from + i64::try_from(offset % length).unwrap_or(0);
            offset /= length;
        }
        indices
    }

    /// Do they share an index tuple?
    pub(crate) fn overlap(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self.0.iter().zip(&other.0).all(|(a, b)| a.0.max(b.0) <= a.1.min(b.1))
    }
}

impl std::fmt::Display for Ranges {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (position, (from, to)) in self.0.iter().enumerate() {
            write!(f, "{}{from}..{to}", if position == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// `x[3,4]` for a name and its indices.
pub(crate) fn indexed_name(name: &str, indices: &[i64]) -> String {
    use std::fmt::Write as _;
    let mut text = name.to_owned();
    for (position, index) in indices.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(text, "{}{index}", if position == 0 { '[' } else { ',' });
    }
    if !indices.is_empty() {
        text.push(']');
    }
    text
}

/// How special a key is; of two keys for one component the more special one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// `"x[i]"`: the whole family.
    All,
    /// `"x[i=2..N]"`.
    Range,
    /// `"x[1]"`, or a scalar.
    Single,
    /// From the command line.
    Argument,
}

/// A key with its ranges evaluated.
#[derive(Debug)]
pub(crate) struct Expanded {
    pub(crate) ranges: Ranges,
    /// For each dimension, the name of its index, if it has one.
    pub(crate) binders: Vec<Option<String>>,
    pub(crate) rank: Rank,
    pub(crate) count: usize,
}

impl Expanded {
    /// Something without indices.
    pub(crate) fn single() -> Self {
        Self { ranges: Ranges::default(), binders: Vec::new(), rank: Rank::Single, count: 1 }
    }

    /// The names of the indices that have one.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.binders.iter().flatten().map(String::as_str).collect()
    }

    /// The values of the named indices in an index tuple.
    pub(crate) fn values(&self, indices: &[i64]) -> Vec<i64> {
        let named = self.binders.iter().zip(indices);
        named.filter(|(binder, _)| binder.is_some()).map(|(_, index)| *index).collect()
    }
}

/// Evaluates the ranges of a key. A bare name in brackets that is not a parameter runs over
/// the range of `family`, if there is one.
pub(crate) fn expand(
    key: &Key,
    text: &Text<'_>,
    family: Option<&Ranges>,
    parameters: &mut Parameters<'_>,
    pool: &mut Pool,
    reporter: &mut Reporter,
) -> Option<Expanded> {
    let mut expanded =
        Expanded { ranges: Ranges::default(), binders: Vec::new(), rank: Rank::Single, count: 0 };
    let mut good = true;
    for (dimension, index) in key.indices.iter().enumerate() {
        let axis = match index {
            KeyIndex::Single { tree, span } => match tree.as_bare_name() {
                Some(name) if !parameters.by_name.contains_key(name) => {
                    expanded.rank = expanded.rank.min(Rank::All);
                    whole_family(name, *span, dimension, family, text, reporter)
                        .map(|range| (range, Some(name.to_owned())))
                }
                _ => parameters
                    .integer(tree, text, *span, pool, reporter)
                    .map(|value| ((value, value), None)),
            },
            KeyIndex::Range { binder, from, to, span } => {
                expanded.rank = expanded.rank.min(Rank::Range);
                let from = parameters.integer(from, text, *span, pool, reporter);
                let to = parameters.integer(to, text, *span, pool, reporter);
                from.zip(to).map(|range| (range, binder.clone()))
            }
        };
        let Some((range, binder)) = axis else {
            good = false;
            continue;
        };
        if let Some(name) = &binder
            && !check_binder(name, index.span(), &expanded, text, parameters, reporter)
        {
            good = false;
        }
        expanded.ranges.0.push(range);
        expanded.binders.push(binder);
    }
    if !good {
        return None;
    }
    match expanded.ranges.count() {
        Some(count) if count <= limits::INSTANCES => expanded.count = count,
        _ => {
            reporter
                .error(
                    ModelCode::TooLarge,
                    text.whole(),
                    format!("`{}` is too large a range", key.name),
                )
                .hint("are its bounds what they should be?");
            return None;
        }
    }
    Some(expanded)
}

fn whole_family(
    name: &str,
    span: Span,
    dimension: usize,
    family: Option<&Ranges>,
    text: &Text<'_>,
    reporter: &mut Reporter,
) -> Option<(i64, i64)> {
    let range = family.and_then(|family| family.0.get(dimension)).copied();
    if range.is_none() {
        let message = format!("the range of `{}` is missing", shorten(name));
        reporter
            .error(ModelCode::BadRange, text.place(span), message)
            .hint(format!("write {name}=1..N"));
    }
    range
}

fn check_binder(
    name: &str,
    span: Span,
    expanded: &Expanded,
    text: &Text<'_>,
    parameters: &Parameters<'_>,
    reporter: &mut Reporter,
) -> bool {
    let place = text.place(span);
    if is_reserved(name) || name == "t" {
        reporter
            .error(
                ModelCode::ReservedName,
                place,
                format!("`{name}` cannot be the name of an index"),
            )
            .hint("call it i, j or k");
        return false;
    }
    if let Some(parameter) = parameters.by_name.get(name).and_then(|k| parameters.list.get(*k)) {
        let message = format!("the index `{name}` has the name of a parameter");
        reporter
            .error(ModelCode::NameCollision, place, message)
            .label(parameter.name_place, "declared here");
        return false;
    }
    if expanded.binders.iter().flatten().any(|other| other == name) {
        reporter.error(ModelCode::NameCollision, place, format!("two indices are called `{name}`"));
        return false;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn offsets_number_the_index_tuples(
            ranges in prop::collection::vec((-5i64..5, 0i64..4), 0..3)
        ) {
            let ranges = Ranges(ranges.into_iter().map(|(from, more)| (from, from + more)).collect());
            for offset in 0..ranges.count().unwrap() {
                prop_assert_eq!(ranges.offset(&ranges.indices(offset)), Some(offset));
            }
        }
    }
}
