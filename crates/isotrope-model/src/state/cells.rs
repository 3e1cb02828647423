//! Entries of matrices and columns. Their keys are coordinates, `"q,p"`; those of families run with an index,
//! `"q[i],p[i]"`, `"x[i=1..N-1],x[i+1]"`.

use std::rc::Rc;

use isotrope_algebra::syntax::{
    Grammar, LowerError, LowerLimits, Reference, Resolution, Resolver, Span, lower,
};
use isotrope_algebra::{Budget, ExprId, Pool};
use rustc_hash::FxHashMap;

use crate::ModelCode;
use crate::build::{Builder, coordinate_hint};
use crate::diagnostics::{Place, Reporter, shorten};
use crate::expression::{Expression, report_lowering};
use crate::family::{Expanded, Rank, expand, indexed_name};
use crate::key::read_key;
use crate::parameters::Parameters;
use crate::read::Entry;
use crate::resolve::{Context, Names};
use crate::scope::{Meaning, Scope};
use crate::state::MatrixEntry;
use crate::text::Text;

/// Which entries of a matrix are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Triangle {
    /// Above the diagonal; the others follow with the opposite sign.
    Skew,
    /// On and above the diagonal.
    Symmetric,
    /// All that are not zero.
    Whole,
}

/// An entry of a matrix, or of a column: then both indices are the same.
pub(super) struct Cell<'d> {
    row: usize,
    pub(super) column: usize,
    place: Place,
    /// How special its key is.
    rank: Rank,
    /// The values of the indices in its expression.
    values: Vec<i64>,
    expression: Rc<Expression<'d>>,
}

/// The coordinates that a key runs over, with the values of its indices.
struct Run {
    rank: Rank,
    names: Vec<String>,
    cells: Vec<(usize, Vec<i64>)>,
}

impl Run {
    fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }
}

/// Operations for the indices of one key.
const INDICES: u64 = 10_000;

impl Builder<'_> {
    /// The coordinates that a key names.
    fn run_of<'d>(
        &mut self,
        text: &Text<'d>,
        scope: &Scope<'d>,
        parameters: &mut Parameters<'d>,
    ) -> Option<Run> {
        let place = text.whole();
        let key = read_key(text, &mut self.parse, self.reporter)?;
        let family = match scope.meaning(&key.name) {
            Some(Meaning::Coordinates { family, .. }) if key.primes == 0 => {
                scope.families.get(family)
            }
            _ => None,
        };
        let Some(family) = family.filter(|family| family.ranges.0.len() == key.indices.len())
        else {
            if !scope.families.is_empty() {
                let message = format!("`{}` is not a coordinate", shorten(text.text.trim()));
                let hint = coordinate_hint(&key.name, scope);
                self.reporter.error(ModelCode::StructureEntry, place, message).hint(hint);
            }
            return None;
        };
        let ranges = &family.ranges;
        let expanded: Expanded =
            expand(&key, text, Some(ranges), parameters, &mut self.pool, self.reporter)?;
        let mut cells = Vec::with_capacity(expanded.count);
        for offset in 0..expanded.count {
            let indices = expanded.ranges.indices(offset);
            let Some(at) = ranges.offset(&indices) else {
                let name = indexed_name(&key.name, &indices);
                let message = format!("`{name}` is outside the range {ranges}");
                self.reporter
                    .error(ModelCode::IndexOutOfRange, place, message)
                    .hint("correct the index, or declare more coordinates");
                return None;
            };
            cells.push((family.first + at, expanded.values(&indices)));
        }
        let names = expanded.names().into_iter().map(str::to_owned).collect();
        Some(Run { rank: expanded.rank, names, cells })
    }

    /// Entries of a vector, whose keys are coordinates.
    pub(super) fn column<'d>(
        &mut self,
        entries: Vec<Entry<'d>>,
        scope: &Scope<'d>,
        parameters: &mut Parameters<'d>,
    ) -> Vec<Cell<'d>> {
        let mut cells = Cells::default();
        for Entry { key, value, .. } in entries {
            let place = key.whole();
            let Some(run) = self.run_of(&key, scope, parameters) else { continue };
            let expression =
                value.and_then(|text| self.read(text, Grammar::Expression, &run.names()));
            let Some(expression) = expression.map(Rc::new) else { continue };
            for (row, values) in run.cells {
                let expression = Rc::clone(&expression);
                let cell = Cell { row, column: row, place, rank: run.rank, values, expression };
                if !cells.insert(cell, self.reporter) {
                    break;
                }
            }
        }
        cells.list
    }

    /// Entries of a matrix, whose keys are pairs of coordinates. Indices run on the left.
    pub(super) fn cells<'d>(
        &mut self,
        entries: Vec<Entry<'d>>,
        scope: &Scope<'d>,
        parameters: &mut Parameters<'d>,
        triangle: Triangle,
    ) -> Vec<Cell<'d>> {
        let mut cells = Cells::default();
        for Entry { key, value, .. } in entries {
            let Some((left, right)) = split_pair(&key.text) else {
                self.report_no_pair(&key, scope);
                continue;
            };
            let comma = left.len();
            let left = key.part(Span::new(0, comma));
            let right = key.part(Span::new(comma + 1, comma + 1 + right.len()));
            let run = self.run_of(&left, scope, parameters);
            let binders = run.as_ref().map_or(Vec::new(), Run::names);
            let columns = match &run {
                // A second side without an index of the first is a key like any other, with its own hints.
                Some(run) if !run.names.is_empty() => {
                    self.columns_of(&right, run, scope, parameters)
                }
                _ => {
                    let fixed = self.run_of(&right, scope, parameters);
                    fixed.and_then(|fixed| match fixed.names.is_empty() {
                        true => Some(fixed.cells.into_iter().map(|cell| cell.0).collect()),
                        false => {
                            self.reporter
                                .error(
                                    ModelCode::StructureEntry,
                                    right.whole(),
                                    "an index that runs stands on the left, too",
                                )
                                .hint("write \"q[i],p[i]\"");
                            None
                        }
                    })
                }
            };
            let expression = value.and_then(|text| self.read(text, Grammar::Expression, &binders));
            let (Some(run), Some(columns), Some(expression)) = (run, columns, expression) else {
                continue;
            };
            let expression = Rc::new(expression);
            for ((row, values), column) in run.cells.into_iter().zip(columns) {
                let expression = Rc::clone(&expression);
                let place = key.whole();
                let cell = Cell { row, column, place, rank: run.rank, values, expression };
                if !admitted(&cell, triangle, (&left, &right), self.reporter)
                    || !cells.insert(cell, self.reporter)
                {
                    break;
                }
            }
        }
        cells.list
    }

    fn report_no_pair(&mut self, key: &Text<'_>, scope: &Scope<'_>) {
        let message = format!("`{}` is not a pair of coordinates", shorten(&key.text));
        let names: Vec<&str> = scope.coordinates.iter().map(|c| c.name.as_str()).collect();
        let (a, b) = match names.as_slice() {
            [a, b, ..] => (*a, *b),
            _ => ("x", "y"),
        };
        self.reporter
            .error(ModelCode::StructureEntry, key.whole(), message)
            .hint(format!("write \"{a},{b}\" = \"…\""));
    }

    /// The coordinates on the right, one for each on the left.
    fn columns_of<'d>(
        &mut self,
        right: &Text<'d>,
        run: &Run,
        scope: &Scope<'d>,
        parameters: &mut Parameters<'d>,
    ) -> Option<Vec<usize>> {
        let tree = self.read(right.clone(), Grammar::Expression, &run.names())?.tree;
        let mut columns = Vec::with_capacity(run.cells.len());
        for (_, values) in &run.cells {
            let reporter = &mut *self.reporter;
            let mut resolver = Places { scope, parameters, text: right, reporter };
            let budget = &mut Budget::new(INDICES);
            let limits = LowerLimits::default();
            let found = lower(&tree, values, &mut self.pool, &mut resolver, &limits, budget)?;
            // Positions are interned in order, so their ids ascend.
            let column = scope.coordinates.binary_search_by_key(&found, |c| c.position);
            let Ok(column) = column else {
                let message = format!("`{}` is not a coordinate", shorten(right.text.trim()));
                self.reporter
                    .error(ModelCode::StructureEntry, right.whole(), message)
                    .hint("write a coordinate on each side of the comma: \"q[i],p[i]\"");
                return None;
            };
            columns.push(column);
        }
        Some(columns)
    }
}

/// May the entry stand where it does? Otherwise it is reported.
fn admitted(
    cell: &Cell<'_>,
    triangle: Triangle,
    (left, right): (&Text<'_>, &Text<'_>),
    reporter: &mut Reporter,
) -> bool {
    let skew = triangle == Triangle::Skew;
    if skew && cell.row == cell.column {
        reporter
            .error(ModelCode::StructureEntry, cell.place, "the diagonal of a skew matrix is zero")
            .hint("remove the entry");
        return false;
    }
    if cell.column < cell.row && triangle != Triangle::Whole {
        let sign = if skew { ", with the opposite sign" } else { "" };
        reporter
            .error(ModelCode::StructureEntry, cell.place, "entries are given above the diagonal")
            .hint(format!("write \"{},{}\" = \"…\"{sign}", right.text.trim(), left.text.trim()));
        return false;
    }
    true
}

/// Entries, each place once.
#[derive(Default)]
struct Cells<'d> {
    list: Vec<Cell<'d>>,
    at: FxHashMap<(usize, usize), usize>,
}

impl<'d> Cells<'d> {
    /// Adds an entry. The more special of two for one place counts; two equally special ones are an error.
    fn insert(&mut self, cell: Cell<'d>, reporter: &mut Reporter) -> bool {
        let next = self.list.len();
        let at = *self.at.entry((cell.row, cell.column)).or_insert(next);
        match self.list.get_mut(at) {
            None => self.list.push(cell),
            Some(known) if known.rank == cell.rank => {
                reporter
                    .error(ModelCode::DuplicateComponent, cell.place, "this entry is given twice")
                    .hint("keep one of the two")
                    .label(known.place, "first given here");
                return false;
            }
            Some(known) if known.rank < cell.rank => *known = cell,
            Some(_) => {}
        }
        true
    }
}

/// Coordinates by their names; integer parameters in their indices.
struct Places<'p, 'd, 't, 'r> {
    scope: &'p Scope<'d>,
    parameters: &'p mut Parameters<'d>,
    text: &'p Text<'t>,
    reporter: &'r mut Reporter,
}

impl Resolver for Places<'_, '_, '_, '_> {
    type Wait = usize;

    fn resolve(&mut self, _: &mut Pool, reference: &Reference<'_>) -> Resolution<usize> {
        let place = self.text.place(reference.span);
        let family = match self.scope.meaning(reference.text) {
            Some(Meaning::Coordinates { family, .. }) if reference.primes == 0 => {
                self.scope.families.get(family)
            }
            _ => None,
        };
        let name = indexed_name(reference.text, reference.indices);
        let Some(family) = family else {
            let message = format!("`{name}` is not a coordinate");
            let hint = coordinate_hint(reference.text, self.scope);
            self.reporter.error(ModelCode::StructureEntry, place, message).hint(hint);
            return Resolution::Refused;
        };
        let found = family.ranges.offset(reference.indices);
        match found.and_then(|at| self.scope.coordinates.get(family.first + at)) {
            Some(coordinate) => Resolution::Value(coordinate.position),
            None => {
                let message = format!("`{name}` is outside the range {}", family.ranges);
                let hint = "let the index run over a part: \"x[i=1..N-1],x[i+1]\"";
                self.reporter.error(ModelCode::IndexOutOfRange, place, message).hint(hint);
                Resolution::Refused
            }
        }
    }

    fn integer(&mut self, pool: &mut Pool, reference: &Reference<'_>) -> Option<i64> {
        let place = self.text.place(reference.span);
        self.parameters.as_integer(reference.text, place, pool, self.reporter)
    }

    fn report(&mut self, error: LowerError) {
        report_lowering(self.text, &error, self.reporter);
    }
}

/// The two sides of the only comma that is not inside of brackets.
pub(crate) fn split_pair(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0i32;
    let mut found = None;
    for (at, character) in text.char_indices() {
        match character {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            ',' if depth == 0 && found.is_some() => return None,
            ',' if depth == 0 => found = Some(at),
            _ => {}
        }
    }
    let at = found?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// The values of entries.
pub(super) fn lower_cells<'s, 'd>(
    cells: &'s [Cell<'d>],
    names: &mut Names<'s, 'd, '_>,
    context: Context,
    pool: &mut Pool,
) -> Vec<MatrixEntry> {
    let mut entries = Vec::with_capacity(cells.len());
    for Cell { row, column, place, values, expression, .. } in cells {
        let value: Option<ExprId> = names.lower(expression, values, context, pool);
        let (row, column, place) = (*row, *column, *place);
        entries.extend(value.map(|value| MatrixEntry { row, column, value, place }));
    }
    entries
}
