//! Bytes → table, or everything that is wrong with the file.

use isotrope_algebra::Rational;
use isotrope_algebra::print::visible;
use isotrope_algebra::syntax::Span;
use isotrope_model::Text;
use isotrope_model::document::FileKind;
use isotrope_model::file_errors::FileLabel;
use toml_edit::{Array, Item, TableLike, Value};

use super::declared::Declared;
use super::entries::Entries;
use super::{Reporter, TableCode, TableError, TableFile, TableText};
use crate::table::nystrom::Nystrom;
use crate::table::{Coefficients, STAGE_LIMIT, Table, TableProblem};
use isotrope_model::files::{TomlReader, item_span, stem, value_kind, value_span};

pub(super) const FILE: FileKind =
    FileKind { example: "b = [\"1/2\", \"1/2\"]", too_large: "tables have at most 64 stages" };

const KEYS: [&str; 13] = [
    "name",
    "description",
    "version",
    "stages",
    "a",
    "abar",
    "b",
    "bbar",
    "btil",
    "c",
    "ahat",
    "beta",
    "declared",
];

/// Reads a table file: every error at once, or the exact table and what is declared about it.
///
/// ```
/// use isotrope_methods::table::file::{TableText, parse_table};
/// let file = "name = \"midpoint\"\na = [[\"1/2\"]]\nb = [1]\n[declared]\norder = 2\n";
/// let read = parse_table(&TableText::new("midpoint.toml", file.as_bytes())).unwrap();
/// assert_eq!(read.table.stages, 1);
///
/// let errors = parse_table(&TableText::new("bad.toml", b"a = [[\"pi\"]]\nb = [1]")).unwrap_err();
/// assert_eq!(errors[0].code.to_string(), "ISO-TABLE-012");
/// ```
pub fn parse_table(source: &TableText<'_>) -> Result<TableFile, Vec<TableError>> {
    let mut reporter = Reporter::default();
    match build(source, &mut reporter) {
        Some(file) if reporter.is_empty() => Ok(file),
        _ => Err(reporter.finish()),
    }
}

fn build(source: &TableText<'_>, reporter: &mut Reporter) -> Option<TableFile> {
    let (file, document) = reporter.open(source.bytes, FILE)?;
    Reader(TomlReader { source: file, reporter }).table_file(source.name, document.as_table())
}

/// A reader of TOML that knows what stands in a table file.
pub(super) struct Reader<'r>(pub(super) TomlReader<'r, TableCode>);

impl<'r> std::ops::Deref for Reader<'r> {
    type Target = TomlReader<'r, TableCode>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl std::ops::DerefMut for Reader<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// The parts of a table as given; `None` where the value was refused.
#[derive(Default)]
struct Parts<'d> {
    stages: Option<(usize, Span)>,
    matrices: [Option<Matrix<'d>>; 3],
    lists: [Option<List<'d>>; 5],
    /// Parts that have a key, even if the value was refused.
    given: Vec<&'static str>,
}

pub(super) struct Matrix<'d> {
    pub(super) rows: Vec<List<'d>>,
    pub(super) span: Span,
}

pub(super) struct List<'d> {
    pub(super) entries: Vec<Option<Text<'d>>>,
    pub(super) span: Span,
}

const MATRICES: [&str; 3] = ["a", "abar", "ahat"];
/// The nodes `c` are not part of a table; a file may give them, and then they must be right. Of a Nyström method they are.
const LISTS: [&str; 5] = ["b", "bbar", "btil", "c", "beta"];

impl Reader<'_> {
    fn table_file(&mut self, file_name: &str, root: &dyn TableLike) -> Option<TableFile> {
        let (mut name, mut description) = (None, None);
        let mut declared = Declared::default();
        let mut parts = Parts::default();
        for (key, item) in self.items(root) {
            let here = key.whole().span;
            match key.text.as_ref() {
                "name" => name = self.plain(root, "name"),
                "description" => description = self.plain(root, "description"),
                "version" => self.version(root),
                "stages" => parts.stages = self.stages(item, here),
                "declared" => declared = self.declared(item, here),
                other => {
                    if let Some(k) = MATRICES.iter().position(|name| *name == other) {
                        parts.given.push(MATRICES[k]);
                        parts.matrices[k] = self.matrix(item, MATRICES[k], here);
                    } else if let Some(k) = LISTS.iter().position(|name| *name == other) {
                        parts.given.push(LISTS[k]);
                        parts.lists[k] = self.list(item, LISTS[k], here);
                    } else {
                        self.strange_key(&key, &KEYS, "a table file");
                    }
                }
            }
        }
        let nystrom = ["ahat", "beta"].iter().any(|part| parts.given.contains(part));
        let needed: &[&str] = if nystrom { &["c", "ahat", "beta", "bbar"] } else { &["a", "b"] };
        for part in needed.iter().filter(|part| !parts.given.contains(part)) {
            let message = if nystrom {
                format!("a Nyström method has `c`, `ahat`, `beta` and `bbar`; there is no `{part}`")
            } else {
                format!("the table has no `{part}`")
            };
            let hint = nystrom.then(|| "write c = [0, \"1/2\"] and the others likewise".to_owned());
            self.reporter.with(TableCode::MissingPart, Span::new(0, 0), message, hint, Vec::new());
        }
        if nystrom && parts.given.iter().any(|part| ["a", "abar", "b"].contains(part)) {
            let message =
                "a file has either `ahat` and `beta`, of a Nyström method, or `a` and `b`";
            let hint = Some("leave out the one or the other".to_owned());
            self.reporter.with(
                TableCode::Shape,
                Span::new(0, 0),
                message.to_owned(),
                hint,
                Vec::new(),
            );
            return None;
        }
        let stages = self.check_shape(&parts);
        // Names of methods stand in every output: what a terminal would obey is shown from here on.
        let name = visible(&name.unwrap_or_else(|| stem(file_name).to_owned())).into_owned();
        let table = self.table(name, &parts, stages)?;
        Some(TableFile { table, description, declared })
    }

    /// The number of stages, from what is given; sizes that differ are reported.
    fn check_shape(&mut self, parts: &Parts<'_>) -> usize {
        let declared = parts.stages.map(|(stages, _)| stages);
        let weights = parts.lists[0].as_ref().or(parts.lists[4].as_ref());
        let from_list = weights.map(|list| list.entries.len());
        let matrix = parts.matrices[0].as_ref().or(parts.matrices[2].as_ref());
        let from_matrix = matrix.map(|matrix| matrix.rows.len());
        let Some(stages) = declared.or(from_list).or(from_matrix) else { return 0 };
        if declared.is_none() && (stages == 0 || stages > STAGE_LIMIT) {
            let span = weights.map_or_else(Span::default, |list| list.span);
            let message = format!("a table has 1 to {STAGE_LIMIT} stages, not {stages}");
            self.reporter.error(TableCode::Stages, span, message);
            return stages;
        }
        let reason = match parts.stages {
            Some((_, span)) => FileLabel { span, message: "the number of stages".into() },
            None => {
                let span = weights.map_or_else(Span::default, |list| list.span);
                let name = if parts.lists[0].is_some() { "b" } else { "beta" };
                let message = format!("the number of stages is taken from `{name}`");
                FileLabel { span, message }
            }
        };
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let mut wrong = |what: String, found: usize, unit: &str, span: Span| {
            if found != stages {
                let own = reason.span == span;
                let message = format!(
                    "{what} has {found} {unit}, but there {} {stages} stage{}",
                    if stages == 1 { "is" } else { "are" },
                    plural(stages)
                );
                let labels = if own { Vec::new() } else { vec![reason.clone()] };
                self.reporter.with(TableCode::Shape, span, message, None, labels);
            }
        };
        for (name, matrix) in MATRICES.iter().zip(&parts.matrices) {
            let Some(matrix) = matrix else { continue };
            let rows = matrix.rows.len();
            wrong(format!("`{name}`"), rows, if rows == 1 { "row" } else { "rows" }, matrix.span);
            for (index, row) in matrix.rows.iter().enumerate() {
                let count = row.entries.len();
                let unit = if count == 1 { "entry" } else { "entries" };
                wrong(format!("row {} of `{name}`", index + 1), count, unit, row.span);
            }
        }
        for (name, list) in LISTS.iter().zip(&parts.lists) {
            let Some(list) = list else { continue };
            let count = list.entries.len();
            let unit = if count == 1 { "entry" } else { "entries" };
            wrong(format!("`{name}`"), count, unit, list.span);
        }
        stages
    }

    fn table(&mut self, name: String, parts: &Parts<'_>, stages: usize) -> Option<Table> {
        // Every entry is read, even if sizes are wrong: all errors at once.
        let mut entries = Entries::new();
        let rows = parts.matrices.iter().flatten().flat_map(|matrix| &matrix.rows);
        for list in rows.chain(parts.lists.iter().flatten()) {
            for text in list.entries.iter().flatten() {
                entries.read(text, self.reporter);
            }
        }
        let whole = parts.given.iter().all(|given| {
            let matrix = MATRICES.iter().position(|name| name == given);
            let list = LISTS.iter().position(|name| name == given);
            matrix.is_some_and(|k| parts.matrices[k].is_some())
                || list.is_some_and(|k| parts.lists[k].is_some())
        });
        if !self.reporter.is_empty() || !whole {
            return None;
        }
        let (field, elements) = entries.finish();
        let mut elements = elements.into_iter();
        let mut take = || elements.by_ref().take(stages).collect::<Vec<_>>();
        let [a, abar, ahat] = [0, 1, 2].map(|k| {
            let matrix = parts.matrices[k].as_ref();
            matrix.map(|matrix| matrix.rows.iter().map(|_| take()).collect::<Vec<_>>())
        });
        let [b, bbar, btil, c, beta] =
            [0, 1, 2, 3, 4].map(|k| parts.lists[k].as_ref().map(|_| take()));
        if let (Some(ahat), Some(beta)) = (ahat, beta) {
            let nystrom =
                Nystrom { c: c?, ahat, beta, btil: btil.or_else(|| bbar.clone())?, bbar: bbar? };
            let coefficients = nystrom.coefficients(&field);
            return self.made(Table::pointwise(name, field, coefficients));
        }
        let (a, b) = (a?, b?);
        for (i, (row, node)) in a.iter().zip(c.iter().flatten()).enumerate() {
            let sum = row.iter().fold(field.rational(Rational::ZERO), |sum, x| field.add(&sum, x));
            if sum != *node {
                let entry = parts.lists[3].as_ref().and_then(|list| list.entries.get(i));
                let span = entry.and_then(Option::as_ref).map(|text| text.whole().span);
                let message = format!("c{} is not the sum of row {} of `a`", i + 1, i + 1);
                self.reporter.error(TableCode::Nodes, span.unwrap_or_default(), message);
            }
        }
        if !self.reporter.is_empty() {
            return None;
        }
        let coefficients = Coefficients {
            abar: abar.unwrap_or_else(|| a.clone()),
            bbar: bbar.unwrap_or_else(|| b.clone()),
            btil: btil.unwrap_or_else(|| b.clone()),
            a,
            b,
        };
        self.made(Table::pointwise(name, field, coefficients))
    }

    fn made(&mut self, table: Result<Table, TableProblem>) -> Option<Table> {
        table
            .map_err(|problem| {
                self.reporter.error(TableCode::Shape, Span::default(), problem.to_string());
            })
            .ok()
    }

    /// Reports a key that is not one of those known.
    pub(super) fn strange_key(&mut self, key: &Text<'_>, known: &[&str], owner: &str) {
        match key.text.as_ref() {
            "groups" => {
                let hint = "a file with tables for groups of variables is taken as grouped:FILE";
                self.unknown_key(key, owner, hint.to_owned());
            }
            // Published tables have it.
            "atil" => {
                let hint = "stages of the momenta are never used; leave it out".to_owned();
                self.unknown_key(key, owner, hint);
            }
            _ => {
                self.known(key, known, owner);
            }
        }
    }

    pub(super) fn stages(&mut self, item: &Item, place: Span) -> Option<(usize, Span)> {
        let span = item_span(item).unwrap_or(place);
        let Some(number) = item.as_integer() else {
            let hint = Some("write stages = 2");
            self.wrong_type_hint(item, "an integer for `stages`", hint, place);
            return None;
        };
        let stages = usize::try_from(number).ok().filter(|n| (1..=STAGE_LIMIT).contains(n));
        if stages.is_none() {
            let message = format!("a table has 1 to {STAGE_LIMIT} stages, not {number}");
            self.reporter.error(TableCode::Stages, span, message);
        }
        stages.map(|stages| (stages, span))
    }

    pub(super) fn matrix<'d>(
        &mut self,
        item: &'d Item,
        name: &str,
        place: Span,
    ) -> Option<Matrix<'d>> {
        let Some(array) = item.as_array() else {
            self.wrong_type(item, &format!("a list of rows for `{name}`"), place);
            return None;
        };
        let span = item_span(item).unwrap_or(place);
        let mut rows = Vec::new();
        for value in array {
            let here = value_span(value, span);
            match value.as_array() {
                Some(row) => rows.push(self.entries(row, here)),
                None => {
                    let found = value_kind(value);
                    let message = format!("a row `[…]` of `{name}` is wanted here, not {found}");
                    self.reporter.error(TableCode::WrongType, here, message);
                }
            }
        }
        // Rows that are not rows have been reported; a count would repeat it.
        (rows.len() == array.len()).then_some(Matrix { rows, span })
    }

    pub(super) fn list<'d>(&mut self, item: &'d Item, name: &str, place: Span) -> Option<List<'d>> {
        match item.as_array() {
            Some(array) => Some(self.entries(array, item_span(item).unwrap_or(place))),
            None => {
                self.wrong_type(item, &format!("a list of entries for `{name}`"), place);
                None
            }
        }
    }

    fn entries<'d>(&mut self, array: &'d Array, span: Span) -> List<'d> {
        let entries = array.iter().map(|value| self.entry(value, span)).collect();
        List { entries, span }
    }

    /// An integer, a decimal (exact as written), or an expression in quotes.
    fn entry<'d>(&mut self, value: &'d Value, place: Span) -> Option<Text<'d>> {
        let text = self.value_text(value, place);
        if text.is_none() {
            let found = value_kind(value);
            let message =
                format!("a number or an expression in quotes is wanted here, not {found}");
            self.reporter.error(TableCode::WrongType, value_span(value, place), message);
        }
        text
    }
}
