//! Tables with one entry for each coordinate: forces, positions, velocities, momenta.

use isotrope_algebra::syntax::{Grammar, ParseLimits};
use isotrope_algebra::{ExprId, Pool};

use crate::ModelCode;
use crate::build::coordinate_hint;
use crate::diagnostics::{Place, Reporter, shorten};
use crate::expression::{Expression, read_expression};
use crate::family::{Expanded, Ranges, Rank, expand};
use crate::key::{Key, read_key};
use crate::parameters::Parameters;
use crate::read::Entry;
use crate::resolve::{Context, Names};
use crate::scope::{Meaning, Scope};
use crate::text::Text;

/// An entry for some of the coordinates of a family.
pub(crate) struct Component<'d> {
    pub(crate) expanded: Expanded,
    /// `None` if its text was refused.
    expression: Option<Expression<'d>>,
    key: Place,
    /// Ranges and first coordinate of the family.
    family: (Ranges, usize),
}

impl Component<'_> {
    /// The coordinate at a position of the expanded key.
    pub(crate) fn coordinate(&self, offset: usize) -> Option<usize> {
        let indices = self.expanded.ranges.indices(offset);
        Some(self.family.1 + self.family.0.offset(&indices)?)
    }
}

/// Reads entries whose keys are coordinates.
pub(crate) struct Targets<'s, 'd, 'r> {
    pub(crate) scope: &'s Scope<'d>,
    pub(crate) parameters: &'r mut Parameters<'d>,
    pub(crate) pool: &'r mut Pool,
    pub(crate) parse: &'r mut ParseLimits,
    pub(crate) reporter: &'r mut Reporter,
    /// Some entry was refused: what it was for is not missing.
    pub(crate) refused: bool,
}

impl<'d> Targets<'_, 'd, '_> {
    /// Reads all entries; errors are reported.
    pub(crate) fn read(&mut self, entries: Vec<Entry<'d>>, what: &str) -> Vec<Component<'d>> {
        let mut components = Vec::new();
        for Entry { key: text, value, .. } in entries {
            let before = components.len();
            let Some(key) = read_key(&text, self.parse, self.reporter) else {
                self.refused = true;
                continue;
            };
            if key.primes > 0 {
                let message = format!("{what} is given without primes");
                self.reporter
                    .error(ModelCode::NotACoordinate, text.whole(), message)
                    .hint(format!("write {} here", key.name));
                continue;
            }
            let Some(family) = self.family(&key, &text, what) else { continue };
            components.extend(self.component(&key, &text, value, family));
            self.refused |= components.len() == before;
        }
        components
    }

    /// The family of coordinates that a key names.
    pub(crate) fn family(&mut self, key: &Key, text: &Text<'_>, what: &str) -> Option<usize> {
        match self.scope.meaning(&key.name) {
            Some(Meaning::Coordinates { family, .. }) => Some(family),
            meaning => {
                let name = shorten(&key.name);
                let message = match meaning {
                    Some(Meaning::Momenta(_)) => {
                        format!("{what} is given by the name of its coordinate, not `{name}`")
                    }
                    _ => format!("{what} belongs to a coordinate, and `{name}` is not one"),
                };
                if self.scope.families.is_empty() {
                    return None;
                }
                let hint = match key.name.strip_prefix("p_") {
                    Some(base) if matches!(meaning, Some(Meaning::Momenta(_))) => {
                        format!("write {base}")
                    }
                    _ => coordinate_hint(&key.name, self.scope),
                };
                self.reporter.error(ModelCode::NotACoordinate, text.whole(), message).hint(hint);
                None
            }
        }
    }

    /// One entry for a family of coordinates.
    pub(crate) fn component(
        &mut self,
        key: &Key,
        text: &Text<'d>,
        value: Option<Text<'d>>,
        family: usize,
    ) -> Option<Component<'d>> {
        let family = self.scope.families.get(family)?;
        let place = text.whole();
        if key.indices.len() != family.ranges.0.len() {
            let name = &family.name;
            let (message, hint) = match family.ranges.0.len() {
                0 => (format!("`{name}` has no index"), format!("write {name}")),
                1 => {
                    (format!("`{name}` is indexed"), format!("write \"{name}[i]\" for all of them"))
                }
                n => (format!("`{name}` has {n} indices"), format!("write \"{name}[i,j]\"")),
            };
            self.reporter.error(ModelCode::Indexing, place, message).hint(hint);
            return None;
        }
        let ranges = &family.ranges;
        let expanded = expand(key, text, Some(ranges), self.parameters, self.pool, self.reporter)?;
        let inside = |ends: fn(&(i64, i64)) -> i64| {
            ranges.offset(&expanded.ranges.0.iter().map(ends).collect::<Vec<_>>()).is_some()
        };
        if expanded.count > 0 && !(inside(|range| range.0) && inside(|range| range.1)) {
            let message = format!("`{}` is outside the range {ranges}", shorten(&text.text));
            self.reporter
                .error(ModelCode::IndexOutOfRange, place, message)
                .hint("correct the index, or declare more coordinates");
            return None;
        }
        let expression = value.and_then(|value| {
            let names = expanded.names();
            read_expression(value, Grammar::Expression, &names, self.parse, self.reporter)
        });
        Some(Component { expanded, expression, key: place, family: (ranges.clone(), family.first) })
    }
}

/// Lowers entries and spreads them over the coordinates. The more special of two entries
/// for one coordinate counts; two equally special ones are an error.
pub(crate) fn spread<'s, 'd>(
    names: &mut Names<'s, 'd, '_>,
    components: &'s [Component<'d>],
    count: usize,
    context: Context,
    pool: &mut Pool,
) -> Vec<Option<(ExprId, Place)>> {
    let mut owners: Vec<Option<(Rank, usize)>> = vec![None; count];
    for (number, component) in components.iter().enumerate() {
        let rank = component.expanded.rank;
        for offset in 0..component.expanded.count {
            let slot = component.coordinate(offset).and_then(|k| owners.get_mut(k));
            let Some(slot) = slot else { continue };
            match slot {
                Some((other, first)) if *other == rank => {
                    let first = components.get(*first).map_or(component.key, |first| first.key);
                    names
                        .reporter
                        .error(ModelCode::DuplicateComponent, component.key, "this is given twice")
                        .hint("keep one of the two")
                        .label(first, "first given here");
                    break;
                }
                Some((other, _)) if *other > rank => {}
                _ => *slot = Some((rank, number)),
            }
        }
    }
    let mut spread = vec![None; count];
    for (number, component) in components.iter().enumerate() {
        let Some(expression) = &component.expression else { continue };
        let place = expression.text.whole();
        for offset in 0..component.expanded.count {
            let Some(coordinate) = component.coordinate(offset) else { continue };
            let mine = owners.get(coordinate).copied().flatten().is_some_and(|(_, n)| n == number);
            if !mine {
                continue;
            }
            let indices = component.expanded.ranges.indices(offset);
            let values = component.expanded.values(&indices);
            let Some(value) = names.lower(expression, &values, context, pool) else { break };
            if let Some(slot) = spread.get_mut(coordinate) {
                *slot = Some((value, place));
            }
        }
    }
    spread
}
