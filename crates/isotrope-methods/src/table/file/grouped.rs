//! Files with tables for groups of variables.
//!
//! ```toml
//! name = "symplectic Euler"
//! stages = 1
//!
//! [groups.q]
//! variables = ["q"]
//! a = [[1]]
//! b = [1]
//!
//! [groups.p]
//! variables = ["p"]
//! a = [[0]]
//! b = [1]
//!
//! [declared]                 # claims of the author, to be checked
//! class = "general"          # of which systems: trees, a problem file, or the problem below
//! order = 1
//! structure = 3
//!
//! [problem]                  # the problem in groups that it was made for, as in a problem file
//! ```

use isotrope_algebra::print::visible;
use isotrope_algebra::syntax::Span;
use isotrope_model::Text;
use isotrope_model::file_errors::FileLabel;
use isotrope_model::files::{TomlReader, item_span, quoted, shorten, stem};
use toml_edit::{Item, TableLike};

use super::declared::ClaimedOrder;
use super::entries::Entries;
use super::read::{FILE, List, Matrix, Reader};
use super::write::{Writer, line};
use super::{Reporter, TableCode, TableError};
use crate::table::{GroupTable, GroupedTable, STAGE_LIMIT};
use crate::trees::Family;

/// The text of a file with tables for groups.
pub type GroupedText<'a> = super::TableText<'a>;

/// What the author claims of a grouped method.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GroupedDeclared {
    /// The systems it is about, as written.
    pub class: Option<(String, Span)>,
    /// The order of the solution.
    pub order: Option<(u32, Span)>,
    /// The exponent of the local defect of the structure functions.
    pub structure: Option<(ClaimedOrder, Span)>,
}

/// What a file with tables for groups says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupedFile {
    /// The tables.
    pub table: GroupedTable,
    /// What the author says about it.
    pub description: Option<String>,
    /// What the author claims.
    pub declared: GroupedDeclared,
    /// Is there a `[problem]`?
    pub has_problem: bool,
    /// Where the groups stand, and where the variables of each.
    pub places: Vec<(Span, Vec<Span>)>,
}

const KEYS: [&str; 7] =
    ["name", "description", "version", "stages", "groups", "declared", "problem"];
const OF_GROUP: [&str; 3] = ["variables", "a", "b"];
const CLAIMS: [&str; 3] = ["class", "order", "structure"];

/// Does a file have tables for groups? What it is otherwise, is not asked.
#[must_use]
pub fn is_grouped(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).ok();
    let document = text.and_then(|text| text.parse::<toml_edit::DocumentMut>().ok());
    document.is_some_and(|document| document.contains_key("groups"))
}

/// Reads a file with tables for groups: every error at once, or the exact tables and what is declared of them.
///
/// ```
/// use isotrope_methods::table::{GroupedText, parse_grouped};
/// let file = br#"
/// groups.q = { variables = ["x"], a = [[0]], b = [1] }
/// groups.p = { variables = ["y"], a = [[1]], b = [1, 0] }
/// "#;
/// let errors = parse_grouped(&GroupedText::new("euler.toml", file)).unwrap_err();
/// assert_eq!(errors[0].code.to_string(), "ISO-TABLE-010");
/// ```
pub fn parse_grouped(source: &GroupedText<'_>) -> Result<GroupedFile, Vec<TableError>> {
    let mut reporter = Reporter::default();
    match build(source, &mut reporter) {
        Some(file) if reporter.is_empty() => Ok(file),
        _ => Err(reporter.finish()),
    }
}

fn build(source: &GroupedText<'_>, reporter: &mut Reporter) -> Option<GroupedFile> {
    let (file, document) = reporter.open(source.bytes, FILE)?;
    Reader(TomlReader { source: file, reporter }).grouped_file(source.name, document.as_table())
}

/// The table of a group as given.
struct Group<'d> {
    name: String,
    here: Span,
    variables: Vec<(String, Span)>,
    a: Option<Matrix<'d>>,
    b: Option<List<'d>>,
    given: Vec<&'static str>,
}

impl Reader<'_> {
    fn grouped_file(&mut self, file_name: &str, root: &dyn TableLike) -> Option<GroupedFile> {
        let (mut name, mut description, mut stages) = (None, None, None);
        let mut declared = GroupedDeclared::default();
        for (key, item) in self.items(root) {
            let here = key.whole().span;
            match key.text.as_ref() {
                "name" => name = self.plain(root, "name"),
                "description" => description = self.plain(root, "description"),
                "version" => self.version(root),
                "stages" => stages = self.stages(item, here),
                "declared" => declared = self.grouped_claims(item, here),
                // Read below, and where problems are read.
                "groups" | "problem" => {}
                _ => {
                    self.known(&key, &KEYS, "a file with tables for groups");
                }
            }
        }
        let mut groups = Vec::new();
        for (key, item) in self.section(root, "groups") {
            if groups.len() == Family::MAX_COLOURS {
                let message = format!("there are more than {} groups", Family::MAX_COLOURS);
                self.reporter.error(TableCode::TooLarge, key.whole().span, message);
                break;
            }
            if let Some(group) = self.group(&key, item) {
                groups.push(group);
            }
        }
        if groups.is_empty() && self.reporter.is_empty() {
            let message = "the file has no tables for groups of variables";
            self.reporter.error(TableCode::NoGroups, Span::new(0, 0), message);
            return None;
        }
        let count = self.same_sizes(&groups, stages);
        // What a terminal would obey is shown from here on.
        let name = visible(&name.unwrap_or_else(|| stem(file_name).to_owned())).into_owned();
        let table = self.grouped_table(name, &groups, count)?;
        let places = groups
            .iter()
            .map(|group| (group.here, group.variables.iter().map(|variable| variable.1).collect()));
        let (places, has_problem) = (places.collect(), root.contains_key("problem"));
        Some(GroupedFile { table, description, declared, has_problem, places })
    }

    fn group<'d>(&mut self, key: &Text<'d>, item: &'d Item) -> Option<Group<'d>> {
        let here = key.whole().span;
        let Some(table) = item.as_table_like() else {
            self.wrong_type(item, "a table with variables, a and b", here);
            return None;
        };
        let name = visible(&key.text).into_owned();
        let (mut variables, mut given) = (Vec::new(), Vec::new());
        let (mut a, mut b) = (None, None);
        for (key, item) in self.items(table) {
            let place = key.whole().span;
            match key.text.as_ref() {
                "variables" => {
                    given.push("variables");
                    variables = self.variables(item, place);
                }
                "a" => {
                    given.push("a");
                    a = self.matrix(item, &format!("groups.{name}.a"), place);
                }
                "b" => {
                    given.push("b");
                    b = self.list(item, &format!("groups.{name}.b"), place);
                }
                _ => {
                    self.known(&key, &OF_GROUP, "a group");
                }
            }
        }
        for part in ["variables", "b"] {
            if !given.contains(&part) {
                let message = format!("the group `{}` has no `{part}`", shorten(&name));
                self.reporter.error(TableCode::NoGroups, here, message);
            }
        }
        Some(Group { name, here, variables, a, b, given })
    }

    fn variables(&mut self, item: &Item, place: Span) -> Vec<(String, Span)> {
        let Some(list) = item.as_array() else {
            self.wrong_type(item, "a list of names", place);
            return Vec::new();
        };
        let mut names = Vec::new();
        for value in list {
            let span = isotrope_model::files::value_span(value, place);
            match value.as_str() {
                Some(name) => names.push((name.to_owned(), span)),
                None => {
                    let message = "the name of a variable in quotes is wanted here";
                    self.reporter.error(TableCode::WrongType, span, message);
                }
            }
        }
        names
    }

    /// The number of stages; sizes that differ from it are reported.
    fn same_sizes(&mut self, groups: &[Group<'_>], stages: Option<(usize, Span)>) -> usize {
        let first = groups.iter().find_map(|group| group.b.as_ref());
        let (count, span, message) = match (stages, first) {
            (Some((count, span)), _) => (count, span, "the number of stages"),
            (None, Some(list)) => {
                (list.entries.len(), list.span, "the number of stages is taken from this `b`")
            }
            (None, None) => return 0,
        };
        if stages.is_none() && !(1..=STAGE_LIMIT).contains(&count) {
            let message = format!("a table has 1 to {STAGE_LIMIT} stages, not {count}");
            self.reporter.error(TableCode::Stages, span, message);
            return count;
        }
        let reason = FileLabel { span, message: message.into() };
        let mut wrong = |what: String, found: usize, place: Span| {
            if found != count {
                let message = format!("{what} has the size {found}, and stages are {count}");
                let labels = if place == span { Vec::new() } else { vec![reason.clone()] };
                self.reporter.with(TableCode::Shape, place, message, None, labels);
            }
        };
        for group in groups {
            let name = &group.name;
            if let Some(matrix) = &group.a {
                wrong(format!("`groups.{name}.a`"), matrix.rows.len(), matrix.span);
                for (index, row) in matrix.rows.iter().enumerate() {
                    let what = format!("row {} of `groups.{name}.a`", index + 1);
                    wrong(what, row.entries.len(), row.span);
                }
            }
            if let Some(list) = &group.b {
                wrong(format!("`groups.{name}.b`"), list.entries.len(), list.span);
            }
        }
        count
    }

    fn grouped_table(
        &mut self,
        name: String,
        groups: &[Group<'_>],
        stages: usize,
    ) -> Option<GroupedTable> {
        let mut entries = Entries::new();
        for group in groups {
            let rows = group.a.iter().flat_map(|matrix| &matrix.rows);
            for text in rows.chain(&group.b).flat_map(|list| &list.entries).flatten() {
                entries.read(text, self.reporter);
            }
        }
        let whole = groups
            .iter()
            .all(|group| group.b.is_some() && (group.a.is_some() || !group.given.contains(&"a")));
        if !self.reporter.is_empty() || !whole {
            return None;
        }
        let (field, elements) = entries.finish();
        let mut elements = elements.into_iter();
        let mut take = || elements.by_ref().take(stages).collect::<Vec<_>>();
        let groups = groups.iter().map(|group| GroupTable {
            name: group.name.clone(),
            variables: group.variables.iter().map(|variable| variable.0.clone()).collect(),
            a: group.a.as_ref().map(|matrix| matrix.rows.iter().map(|_| take()).collect()),
            b: take(),
        });
        let groups = groups.collect();
        Some(GroupedTable { name, stages, field, groups, preserved: Vec::new() })
    }

    fn grouped_claims(&mut self, item: &Item, place: Span) -> GroupedDeclared {
        let mut declared = GroupedDeclared::default();
        let Some(table) = item.as_table_like() else {
            let hint = Some("write [declared] in a line of its own, then order = 2");
            self.wrong_type_hint(item, "a table [declared]", hint, place);
            return declared;
        };
        for (key, item) in self.items(table) {
            let here = key.whole().span;
            let span = item_span(item).unwrap_or(here);
            match key.text.as_ref() {
                "class" => match item.as_str() {
                    Some(text) => declared.class = Some((text.to_owned(), span)),
                    None => self.wrong_type(item, "a class in quotes", here),
                },
                "order" => match self.claimed(item, "order", here) {
                    Some(ClaimedOrder::Finite(order)) => declared.order = Some((order, span)),
                    Some(ClaimedOrder::Infinite) => {
                        let message = "no method has order \"inf\"";
                        self.reporter.error(TableCode::DeclaredOrder, span, message);
                    }
                    None => {}
                },
                "structure" => {
                    let claimed = self.claimed(item, "structure", here);
                    declared.structure = claimed.map(|order| (order, span));
                }
                _ => {
                    self.known(&key, &CLAIMS, "[declared]");
                }
            }
        }
        declared
    }
}

/// The text of a file with these tables and claims. `problem` is the text of a problem file.
#[must_use]
pub fn write_grouped(
    table: &GroupedTable,
    declared: &GroupedDeclared,
    problem: Option<&str>,
) -> String {
    let mut text = String::new();
    line(&mut text, "name", &quoted(&table.name));
    line(&mut text, "stages", &table.stages.to_string());
    let writer = Writer { field: &table.field };
    for group in &table.groups {
        text.push_str(&format!("\n[groups.{}]\n", key(&group.name)));
        let names: Vec<String> = group.variables.iter().map(|name| quoted(name)).collect();
        line(&mut text, "variables", &format!("[{}]", names.join(", ")));
        if let Some(a) = &group.a {
            line(&mut text, "a", &writer.matrix(a));
        }
        line(&mut text, "b", &writer.list(&group.b));
    }
    let GroupedDeclared { class, order, structure } = declared;
    if class.is_some() || order.is_some() || structure.is_some() {
        text.push_str("\n[declared]\n");
        if let Some((class, _)) = class {
            line(&mut text, "class", &quoted(class));
        }
        if let Some((order, _)) = order {
            line(&mut text, "order", &order.to_string());
        }
        match structure {
            Some((ClaimedOrder::Finite(order), _)) => {
                line(&mut text, "structure", &order.to_string());
            }
            Some((ClaimedOrder::Infinite, _)) => line(&mut text, "structure", "\"inf\""),
            None => {}
        }
    }
    if let Some(nested) = problem.and_then(nested) {
        text.push('\n');
        text.push_str(&nested);
    }
    text
}

/// A file under one key of another.
fn nested(text: &str) -> Option<String> {
    let mut inner = text.parse::<toml_edit::DocumentMut>().ok()?;
    // The comment at the beginning belongs to the file, not to its first key.
    for (mut key, _) in inner.iter_mut() {
        key.leaf_decor_mut().clear();
    }
    let mut outer = toml_edit::DocumentMut::new();
    outer.insert("problem", Item::Table(inner.as_table().clone()));
    Some(outer.to_string())
}

/// A key, in quotes where it has to be.
fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { quoted(name) }
}
