//! Bytes → geometric object, or everything that is wrong with the file.

use isotrope_algebra::ExprId;
use isotrope_algebra::syntax::Span;
use isotrope_model::Text;
use isotrope_model::document::FileKind;
use toml_edit::TableLike;

use super::{
    GeometryCode, GeometryFile, GeometryFileError, GeometryObject, GeometryText, PlacedTree,
    Reporter,
};
use isotrope_model::files::{FormulaReader, item_span, span_in, span_of, stem};

const FILE: FileKind = FileKind {
    example: "\"x,y\" = \"z\"",
    too_large: "geometry files have at most 64 coordinates",
};

/// The sections with objects.
const OBJECTS: [&str; 6] =
    ["bivector", "two_form", "distribution", "dirac", "lie_algebra", "graded"];

const KEYS: [&str; 16] = [
    "name",
    "description",
    "version",
    "coordinates",
    "periods",
    "gauge",
    "pullback",
    "pushforward",
    "parameters",
    "define",
    "bivector",
    "two_form",
    "distribution",
    "dirac",
    "lie_algebra",
    "graded",
];

/// The sections of which a model has one.
const SYSTEMS: [&str; 6] =
    ["lagrangian", "hamiltonian", "lie_group", "poisson", "equations", "port"];

/// Is the text that of a geometry file, and not that of a model?
pub fn is_geometry(bytes: &[u8]) -> bool {
    let mut reporter = Reporter::default();
    match reporter.open(bytes, FILE) {
        Some((_, document)) => {
            let root = document.as_table();
            !SYSTEMS.iter().any(|key| root.contains_key(key))
        }
        // What is broken is reported at its headings.
        None => {
            let text = String::from_utf8_lossy(bytes);
            let heading = |key: &&str| {
                let mut sections = text.lines().filter_map(|line| line.trim().strip_prefix('['));
                sections.any(|line| line.trim_start().starts_with(*key))
            };
            OBJECTS.iter().any(heading) && !SYSTEMS.iter().any(heading)
        }
    }
}

/// Reads a geometry file: every error at once, or the object.
pub fn parse_geometry(source: &GeometryText<'_>) -> Result<GeometryFile, Vec<GeometryFileError>> {
    let mut reporter = Reporter::default();
    match build(source, &mut reporter) {
        Some(file) if reporter.is_empty() => Ok(file),
        _ => Err(reporter.finish()),
    }
}

fn build(source: &GeometryText<'_>, reporter: &mut Reporter) -> Option<GeometryFile> {
    let (text, document) = reporter.open(source.bytes, FILE)?;
    Reader(FormulaReader::new(text, reporter)).file(source.name, document.as_table())
}

/// A reader of formulas that knows what stands in a geometry file.
pub(super) struct Reader<'r>(FormulaReader<'r, GeometryCode>);

impl<'r> std::ops::Deref for Reader<'r> {
    type Target = FormulaReader<'r, GeometryCode>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl std::ops::DerefMut for Reader<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Reader<'_> {
    fn file(&mut self, file_name: &str, root: &dyn TableLike) -> Option<GeometryFile> {
        for (key, _) in self.toml.items(root) {
            self.toml.known(&key, &KEYS, "a geometry file");
        }
        self.toml.version(root);
        let name = self.toml.plain(root, "name").unwrap_or_else(|| stem(file_name).to_owned());
        let description = self.toml.plain(root, "description");
        let object = self.object(root);
        let base = object.as_ref().and_then(GeometryObject::base).map(<[ExprId]>::to_vec);
        let transforms = match base {
            Some(base) => self.transforms(root, &base),
            None => {
                let given = |key: &&str| root.contains_key(key);
                if let Some(key) = ["gauge", "pullback", "pushforward"].into_iter().find(given)
                    && object.is_some()
                {
                    let message = format!("[{key}] is for Dirac structures");
                    let span = span_in(root.get(key));
                    self.error(GeometryCode::Object, span, message);
                }
                Vec::new()
            }
        };
        if !self.is_clean() {
            return None;
        }
        let circles = self.circles(root, object.as_ref()?.base().map(<[ExprId]>::to_vec));
        if !self.is_clean() {
            return None;
        }
        let place = OBJECTS.iter().find_map(|key| root.get(key)).and_then(item_span);
        let pool = std::mem::take(&mut self.expressions.pool);
        let (object, place) = (object?, place.unwrap_or_default());
        Some(GeometryFile { name, description, pool, object, transforms, circles, place })
    }

    fn object(&mut self, root: &dyn TableLike) -> Option<GeometryObject> {
        let given: Vec<&str> = OBJECTS.into_iter().filter(|key| root.contains_key(key)).collect();
        let constants = self.parameters(root);
        if let (["lie_algebra" | "graded"], Some(item)) = (&given[..], root.get("define")) {
            let message = "[define] is for the other sections: here formulas stand alone";
            self.error(GeometryCode::Object, span_of(item), message);
        }
        if let (["lie_algebra" | "graded"], Some(item)) = (&given[..], root.get("coordinates")) {
            let message = format!("[{}] names its coordinates itself", given[0]);
            let hint = "leave out `coordinates` at the beginning of the file".to_owned();
            let span = span_of(item);
            self.hinted(GeometryCode::Object, span, message, Some(hint));
        }
        match given[..] {
            ["lie_algebra"] => return self.lie_algebra(root),
            ["graded"] => return self.graded(root, constants),
            ["bivector" | "two_form" | "distribution" | "dirac"] | ["two_form", "distribution"] => {
            }
            [] => {
                let message = "the file has no geometric object";
                self.error(GeometryCode::Object, Span::new(0, 0), message);
                return None;
            }
            [first, second, ..] => {
                let message = format!("[{first}] and [{second}] do not belong together");
                let span = span_in(root.get(second));
                self.error(GeometryCode::Object, span, message);
                return None;
            }
            [_] => return None,
        }
        let base = self.coordinates(root)?;
        self.definitions(root);
        match given[..] {
            ["bivector"] => {
                let matrix = self.pairs(root, "bivector", &base)?;
                Some(GeometryObject::Bivector { base, matrix })
            }
            ["two_form"] => {
                let matrix = self.pairs(root, "two_form", &base)?;
                Some(GeometryObject::TwoForm { base, matrix })
            }
            ["dirac"] => self.dirac(root, base),
            _ => self.distribution(root, base),
        }
    }

    /// The tree of a graded expression, with the places of its parts.
    pub(super) fn placed(&mut self, text: &Text<'_>) -> Option<PlacedTree> {
        let tree = self.tree(text)?;
        let spans = tree.nodes().iter().map(|node| (node.span, text.place(node.span).span));
        Some(PlacedTree { spans: spans.collect(), place: text.whole().span, tree })
    }
}
