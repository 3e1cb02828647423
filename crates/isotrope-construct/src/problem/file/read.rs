//! Bytes → problem, or everything that is wrong with the file.

use isotrope_algebra::Budget;
use isotrope_algebra::syntax::Span;
use isotrope_model::Text;
use isotrope_model::document::FileKind;
use isotrope_model::file_errors::FileLabel;
use toml_edit::TableLike;

use super::{ProblemCode, ProblemFileError, ProblemText, Reporter};
use crate::problem::{Draft, Parameter, Problem, ProblemError, StructureFunction, StructureKind};
use isotrope_model::files::{FormulaReader, shorten, stem};

const FILE: FileKind = FileKind {
    example: "groups = { x = [\"x1\", \"x2\"] }",
    too_large: "problems have at most 32 groups and 200 variables",
};

const KEYS: [&str; 10] = [
    "name",
    "description",
    "version",
    "parameters",
    "groups",
    "define",
    "rates",
    "structure",
    "balance",
    "manifold",
];

/// Operations for reading off dependencies and checking what is preserved.
const OPERATIONS: u64 = 200_000_000;

/// Reads a problem file: every error at once, or the problem, checked: what is to be preserved is
/// constant along solutions.
pub fn parse_problem(source: &ProblemText<'_>) -> Result<Problem, Vec<ProblemFileError>> {
    let mut reporter = Reporter::default();
    match build(source, &mut reporter) {
        Some(problem) if reporter.is_empty() => Ok(problem),
        _ => Err(reporter.finish()),
    }
}

fn build(source: &ProblemText<'_>, reporter: &mut Reporter) -> Option<Problem> {
    let (text, document) = reporter.open(source.bytes, FILE)?;
    let mut reader = Reader { file: FormulaReader::new(text, reporter), places: Vec::new() };
    let mut problem = reader.problem(source.name, document.as_table())?;
    problem.text = Some(text.to_owned());
    Some(problem)
}

/// Reads the problem that stands under `[problem]` of another file, with the places of that file. `None` if there
/// is none.
pub fn parse_problem_within(
    source: &ProblemText<'_>,
) -> Result<Option<Problem>, Vec<ProblemFileError>> {
    let mut reporter = Reporter::default();
    let mut found = None;
    if let Some((text, document)) = reporter.open(source.bytes, FILE) {
        let Some(item) = document.as_table().get("problem") else { return Ok(None) };
        let mut reader =
            Reader { file: FormulaReader::new(text, &mut reporter), places: Vec::new() };
        match item.as_table_like() {
            Some(root) => found = reader.problem(source.name, root),
            None => reader.file.toml.wrong_type(item, "a table [problem]", Span::default()),
        }
    }
    match found {
        Some(problem) if reporter.is_empty() => Ok(Some(problem)),
        _ => Err(reporter.finish()),
    }
}

pub(super) struct Reader<'r> {
    pub(super) file: FormulaReader<'r, ProblemCode>,
    /// Where each structure function stands.
    places: Vec<(String, Span)>,
}

impl Reader<'_> {
    fn problem(&mut self, file_name: &str, root: &dyn TableLike) -> Option<Problem> {
        for (key, _) in self.file.toml.items(root) {
            self.file.toml.known(&key, &KEYS, "a problem file");
        }
        self.file.toml.version(root);
        let mut draft = Draft {
            name: self.file.toml.plain(root, "name").unwrap_or_else(|| stem(file_name).to_owned()),
            description: self.file.toml.plain(root, "description"),
            ..Draft::default()
        };
        for (name, value) in self.file.parameters(root) {
            let value = self.file.expressions.pool.as_number(value).cloned();
            draft.parameters.push(Parameter { name, value });
        }
        self.groups(root, &mut draft);
        self.file.definitions(root);
        self.rates(root, &mut draft);
        for (section, kind) in
            [("manifold", StructureKind::Manifold), ("structure", StructureKind::Invariant)]
        {
            for (key, text) in self.file.toml.texts(root, section) {
                let name = key.text.to_string();
                self.place(&name, &key, text.whole().span);
                let read = match kind {
                    StructureKind::Manifold => self.file.equation(&text),
                    _ => self.file.read(&text),
                };
                if let Some(expression) = read {
                    draft.structure.push(StructureFunction {
                        part: name.clone(),
                        name,
                        kind,
                        expression,
                    });
                }
            }
        }
        self.balances(root, &mut draft);
        if self.places.is_empty() && self.file.is_clean() {
            let message = "the problem has nothing to preserve";
            let hint = "write an invariant under [structure], a balance under [balance], or equations under [manifold]";
            let code = ProblemCode::MissingPart;
            self.file.hinted(code, Span::new(0, 0), message, Some(hint.into()));
        }
        if !self.file.is_clean() {
            return None;
        }
        draft.pool = std::mem::take(&mut self.file.expressions.pool);
        let finished = draft.finish(&mut Budget::new(OPERATIONS));
        finished.map_err(|error| self.refuse(&error)).ok()
    }

    /// What is wrong with the mathematics, at the place of the function.
    fn refuse(&mut self, error: &ProblemError) {
        let code = match error {
            ProblemError::NotInvariant { .. } => ProblemCode::NotInvariant,
            ProblemError::NotBalanced { .. } => ProblemCode::NotBalanced,
            ProblemError::NotTangent { .. } => ProblemCode::NotTangent,
            ProblemError::Manifold => ProblemCode::Manifold,
            ProblemError::Undecided { .. } => ProblemCode::Undecided,
            ProblemError::Time | ProblemError::NotMechanical | ProblemError::OutOfBudget(_) => {
                ProblemCode::TooLarge
            }
        };
        let named = |name: &str| self.places.iter().find(|(known, _)| known == name);
        // The equations of the manifold were read first.
        let place = error.function().map_or_else(|| self.places.first(), named);
        let place = place.map_or_else(Span::default, |(_, span)| *span);
        let hint = Some(error.hint().to_owned());
        self.file.hinted(code, place, error.to_string(), hint);
    }

    /// Remembers where a structure function stands; two of one name are reported.
    pub(super) fn place(&mut self, name: &str, key: &Text<'_>, span: Span) {
        if let Some((_, first)) = self.places.iter().find(|(known, _)| known == name) {
            let message = format!("`{}` is to be preserved twice", shorten(name));
            let labels = vec![FileLabel { span: *first, message: "the first is here".into() }];
            let here = key.whole().span;
            self.file.toml.reporter.with(ProblemCode::RepeatedName, here, message, None, labels);
        }
        self.places.push((name.to_owned(), span));
    }
}
