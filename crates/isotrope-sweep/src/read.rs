//! The text of a study, or everything that is wrong with it.

use std::collections::BTreeMap;

use isotrope::codes::SweepCode;
use isotrope::rooms::algebra::syntax::Span;
use isotrope::rooms::model::Text;
use isotrope::rooms::model::document::FileKind;
use isotrope::rooms::model::file_errors::{FileError, FileReporter};
use isotrope::rooms::model::files::{TomlReader, item_span, shorten, stem};
use toml_edit::{Item, TableLike, Value};

use crate::study::{
    Axis, Bound, Kind, Measure, Near, Reduction, Runs, Sample, Section, Strobe, Study, Values,
};

const FILE: FileKind =
    FileKind { example: "model = \"duffing.toml\"", too_large: "a study has at most a megabyte" };

const KEYS: [&str; 9] =
    ["version", "name", "model", "set", "run", "axes", "sample", "measure", "reduce"];
const RUN: [&str; 5] = ["method", "step", "time", "tolerance", "project"];
const SAMPLE: [&str; 3] = ["kind", "count", "seed"];
const MEASURE: [&str; 11] = [
    "final",
    "errors",
    "mean",
    "min",
    "max",
    "every",
    "transient",
    "strobe",
    "section",
    "attractor",
    "escape",
];
const AXIS: [&str; 6] = ["from", "to", "count", "log", "file", "column"];

/// Columns of files that axes name.
pub type Columns<'c> = dyn FnMut(&str, &str) -> Result<Vec<f64>, String> + 'c;

/// Reads a study; `columns` answers for files of axes.
pub fn read_study(
    name: &str,
    bytes: &[u8],
    columns: &mut Columns<'_>,
) -> Result<Study, Vec<FileError<SweepCode>>> {
    let mut reporter = FileReporter::default();
    let study = match reporter.open(bytes, FILE) {
        Some((source, document)) => {
            let mut reader =
                Reader { toml: TomlReader { source, reporter: &mut reporter }, columns };
            Some(reader.study(stem(name), document.as_table()))
        }
        None => None,
    };
    match study {
        Some(study) if reporter.is_empty() => Ok(study),
        _ => Err(reporter.finish()),
    }
}

struct Reader<'r, 'c> {
    toml: TomlReader<'r, SweepCode>,
    columns: &'r mut Columns<'c>,
}

impl Reader<'_, '_> {
    fn error(&mut self, code: SweepCode, span: Span, message: impl Into<String>) {
        self.toml.reporter.error(code, span, message);
    }

    fn study(&mut self, stem: &str, root: &dyn TableLike) -> Study {
        let mut study = Study {
            name: self.toml.plain(root, "name").unwrap_or_else(|| stem.to_owned()),
            model: self.toml.plain(root, "model").unwrap_or_default(),
            set: Vec::new(),
            run: Runs::default(),
            axes: Vec::new(),
            sample: Sample::Grid,
            measure: Measure::default(),
            reduce: Vec::new(),
        };
        self.toml.version(root);
        for (key, _) in self.toml.items(root) {
            self.toml.known(&key, &KEYS, "a study");
        }
        if study.model.is_empty() {
            self.error(SweepCode::Missing, Span::new(0, 0), "the study names no `model`");
        }
        for (key, text) in self.toml.texts(root, "set") {
            study.set.push(format!("{}={}", key.text, text.text));
        }
        study.run = self.runs(root);
        study.axes = self.axes(root);
        study.sample = self.sample(root, study.axes.len());
        study.measure = self.measure(root);
        study.reduce = self.reductions(root);
        study
    }

    fn runs(&mut self, root: &dyn TableLike) -> Runs {
        let mut runs = Runs::default();
        for (key, item) in self.toml.section(root, "run") {
            let here = key.whole().span;
            match key.text.as_ref() {
                "method" => runs.methods = self.words(item, here),
                "step" => runs.steps = self.words(item, here),
                "time" => runs.time = self.toml.text(item, here).map(|text| text.text.into_owned()),
                "tolerance" => runs.tolerance = self.number(item, here),
                "project" => runs.project = self.truth(item, here),
                _ => {
                    self.toml.known(&key, &RUN, "[run]");
                }
            }
        }
        runs
    }

    /// A text or a list of texts; numbers are texts, too.
    fn words(&mut self, item: &Item, place: Span) -> Vec<String> {
        let list: Vec<Option<Text<'_>>> = match item.as_array() {
            Some(array) => array.iter().map(|value| self.toml.value_text(value, place)).collect(),
            None => vec![item.as_value().and_then(|value| self.toml.value_text(value, place))],
        };
        if list.is_empty() || list.iter().any(Option::is_none) {
            self.toml.wrong_type(item, "a text, or a list of texts,", place);
        }
        list.into_iter().flatten().map(|text| text.text.into_owned()).collect()
    }

    fn number(&mut self, item: &Item, place: Span) -> Option<f64> {
        let number = item.as_value().and_then(number_of);
        if number.is_none() {
            self.toml.wrong_type(item, "a number", place);
        }
        number
    }

    fn whole(&mut self, item: &Item, place: Span) -> Option<u64> {
        let whole = item.as_integer().and_then(|number| u64::try_from(number).ok());
        if whole.is_none() {
            self.toml.wrong_type(item, "a whole number", place);
        }
        whole
    }

    fn truth(&mut self, item: &Item, place: Span) -> bool {
        if item.as_bool().is_none() {
            self.toml.wrong_type(item, "true or false", place);
        }
        item.as_bool().unwrap_or(false)
    }

    fn axes(&mut self, root: &dyn TableLike) -> Vec<Axis> {
        let mut axes: Vec<Axis> = Vec::new();
        let section = self.toml.section(root, "axes");
        if section.is_empty() && self.toml.reporter.is_empty() {
            self.error(SweepCode::Missing, Span::new(0, 0), "the study has no `[axes]`");
        }
        for (key, item) in section {
            let here = key.whole().span;
            let name = key.text.trim().to_owned();
            if axes.iter().any(|axis| same(&axis.name, &name)) {
                self.error(SweepCode::Axis, here, format!("`{}` is an axis twice", shorten(&name)));
                continue;
            }
            if let Some(values) = self.values(item, here) {
                axes.push(Axis { name, values });
            }
        }
        axes
    }

    fn values(&mut self, item: &Item, place: Span) -> Option<Values> {
        let here = item_span(item).unwrap_or(place);
        if let Some(array) = item.as_array() {
            let list: Option<Vec<f64>> = array.iter().map(number_of).collect();
            return self.list(list.ok_or_else(|| "a value is not a number".to_owned()), here);
        }
        let Some(table) = item.as_table_like() else {
            self.toml.wrong_type(item, "a list of numbers, or { from, to, count },", place);
            return None;
        };
        for (key, _) in self.toml.items(table) {
            self.toml.known(&key, &AXIS, "an axis");
        }
        if let Some(file) = table.get("file") {
            let column = table.get("column").and_then(Item::as_str).unwrap_or_default();
            let Some(name) = file.as_str() else {
                self.toml.wrong_type(file, "the name of a file", place);
                return None;
            };
            let list = (self.columns)(name, column);
            return self.list(list, here);
        }
        let count = match table.get("count") {
            Some(item) => self.whole(item, place)?,
            None => {
                self.error(SweepCode::Axis, here, "the axis has no `count`");
                return None;
            }
        };
        let ends = match table.get("log").map(|item| (item, item.as_array())) {
            None => [table.get("from"), table.get("to")]
                .map(|end| end.and_then(Item::as_value).and_then(number_of)),
            Some((_, Some(array))) if array.len() == 2 => {
                [0, 1].map(|k| array.get(k).and_then(number_of))
            }
            Some((item, _)) => {
                self.toml.wrong_type(item, "a list of two numbers", place);
                return None;
            }
        };
        let [Some(from), Some(to)] = ends else {
            self.error(SweepCode::Axis, here, "the axis has no `from` and `to`, both finite");
            return None;
        };
        let logarithmic = table.get("log").is_some();
        if count == 0 {
            self.error(SweepCode::Axis, here, "the axis has no values: `count` is 0");
            return None;
        }
        if logarithmic && (from * to <= 0.0) {
            let message = "equal ratios lead from one number to another of the same sign, not zero";
            self.error(SweepCode::Axis, here, message);
            return None;
        }
        Some(Values::Range { from, to, count, logarithmic })
    }

    fn list(&mut self, list: Result<Vec<f64>, String>, here: Span) -> Option<Values> {
        match list {
            Err(message) => self.error(SweepCode::Axis, here, message),
            Ok(list) if list.is_empty() => {
                self.error(SweepCode::Axis, here, "the axis has no values");
            }
            Ok(list) if !list.iter().all(|value| value.is_finite()) => {
                self.error(SweepCode::Axis, here, "a value of the axis is not finite");
            }
            Ok(list) => return Some(Values::List(list)),
        }
        None
    }

    fn sample(&mut self, root: &dyn TableLike, axes: usize) -> Sample {
        let Some(item) = root.get("sample") else { return Sample::Grid };
        let section = self.toml.section(root, "sample");
        let here = item_span(item).unwrap_or_default();
        let (mut kind, mut count, mut seed) = ("grid".to_owned(), None, 1);
        for (key, item) in section {
            let place = key.whole().span;
            match key.text.as_ref() {
                "kind" => kind = self.words(item, place).join(","),
                "count" => count = self.whole(item, place),
                "seed" => seed = self.whole(item, place).unwrap_or(1),
                _ => {
                    self.toml.known(&key, &SAMPLE, "[sample]");
                }
            }
        }
        let counted = count.filter(|count| *count > 0);
        match (kind.as_str(), counted) {
            ("grid", _) => Sample::Grid,
            ("random", Some(count)) => Sample::Random { count, seed },
            ("latin", Some(count)) => Sample::Latin { count, seed },
            ("sobol", Some(_)) if axes > crate::sobol::AXES => {
                let message = format!("Sobol' points have at most {} axes", crate::sobol::AXES);
                self.error(SweepCode::Sample, here, message);
                Sample::Grid
            }
            ("sobol", Some(count)) => Sample::Sobol { count },
            ("random" | "latin" | "sobol", None) => {
                self.error(SweepCode::Sample, here, "the sample has no `count`");
                Sample::Grid
            }
            (other, _) => {
                let message =
                    format!("there is no sample `{}`: grid, random, latin, sobol", shorten(other));
                self.error(SweepCode::Sample, here, message);
                Sample::Grid
            }
        }
    }

    fn measure(&mut self, root: &dyn TableLike) -> Measure {
        let mut measure = Measure::default();
        for (key, item) in self.toml.section(root, "measure") {
            let here = key.whole().span;
            match key.text.as_ref() {
                "final" => measure.last = self.truth(item, here),
                "errors" => measure.errors = self.truth(item, here),
                "mean" => measure.mean = self.named(item, here),
                "min" => measure.min = self.named(item, here),
                "max" => measure.max = self.named(item, here),
                "every" => measure.every = self.whole(item, here).unwrap_or(1).max(1),
                "transient" => {
                    measure.transient = self.toml.text(item, here).map(|t| t.text.into_owned());
                }
                "strobe" => measure.strobe = self.strobe(item, here),
                "section" => measure.section = self.crossing(item, here),
                "attractor" => measure.attractor = self.near(item, here),
                "escape" => measure.escape = self.bound(item, here),
                _ => {
                    self.toml.known(&key, &MEASURE, "[measure]");
                }
            }
        }
        measure
    }

    /// Names with expressions.
    fn named(&mut self, item: &Item, place: Span) -> BTreeMap<String, String> {
        let Some(table) = item.as_table_like() else {
            self.toml.wrong_type(item, "a table { name = \"expression\" }", place);
            return BTreeMap::new();
        };
        let mut named = BTreeMap::new();
        for (key, item) in self.toml.items(table) {
            if let Some(text) = self.toml.text(item, key.whole().span) {
                named.insert(key.text.into_owned(), text.text.into_owned());
            }
        }
        named
    }

    fn fields<'d>(
        &mut self,
        item: &'d Item,
        keys: &[&str],
        place: Span,
    ) -> Option<&'d dyn TableLike> {
        let Some(table) = item.as_table_like() else {
            self.toml.wrong_type(item, &format!("a table with {}", keys.join(", ")), place);
            return None;
        };
        for (key, _) in self.toml.items(table) {
            self.toml.known(&key, keys, "this measure");
        }
        Some(table)
    }

    fn last(&mut self, table: &dyn TableLike, place: Span) -> usize {
        const MOST: u64 = 4096;
        let last = table.get("last").and_then(|item| self.whole(item, place)).unwrap_or(1);
        if last == 0 || last > MOST {
            let message = format!("from 1 to {MOST} can be kept, not {last}");
            self.error(SweepCode::Measure, place, message);
        }
        usize::try_from(last.clamp(1, MOST)).unwrap_or(1)
    }

    fn list_of(&mut self, table: &dyn TableLike, place: Span) -> Vec<String> {
        table.get("of").map(|item| self.words(item, place)).unwrap_or_default()
    }

    fn strobe(&mut self, item: &Item, place: Span) -> Option<Strobe> {
        let table = self.fields(item, &["every", "last", "of"], place)?;
        let every = table.get("every").and_then(|item| self.toml.text(item, place));
        let Some(every) = every.map(|text| text.text.into_owned()) else {
            self.error(SweepCode::Measure, place, "the strobe has no `every`");
            return None;
        };
        let (last, of) = (self.last(table, place), self.list_of(table, place));
        Some(Strobe { every, last, of })
    }

    fn crossing(&mut self, item: &Item, place: Span) -> Option<Section> {
        let table = self.fields(item, &["at", "last", "of"], place)?;
        let at = table.get("at").and_then(|item| self.toml.text(item, place));
        let Some(at) = at.map(|text| text.text.into_owned()) else {
            self.error(SweepCode::Measure, place, "the section has no `at`");
            return None;
        };
        // `x = 0` is written, `x - (0)` is what passes through zero.
        let at = match at.split_once('=') {
            Some((left, right)) => format!("{left} - ({right})"),
            None => at,
        };
        let (last, of) = (self.last(table, place), self.list_of(table, place));
        Some(Section { at, last, of })
    }

    fn near(&mut self, item: &Item, place: Span) -> Option<Near> {
        let table = self.fields(item, &["kind", "points", "radius", "of"], place)?;
        let kind = table.get("kind").and_then(Item::as_str).unwrap_or("near");
        if kind != "near" {
            let message = format!("there is no attractor `{}`: near", shorten(kind));
            self.error(SweepCode::Measure, place, message);
            return None;
        }
        let point = |value: &Value| -> Option<Vec<f64>> {
            match value.as_array() {
                Some(array) => array.iter().map(number_of).collect(),
                None => number_of(value).map(|number| vec![number]),
            }
        };
        let array = table.get("points").and_then(Item::as_array);
        let points: Option<Vec<Vec<f64>>> = array.map(|array| array.iter().map(point).collect())?;
        let radius = table.get("radius").and_then(|item| self.number(item, place));
        match (points, radius) {
            (Some(points), Some(radius)) if radius > 0.0 && !points.is_empty() => {
                Some(Near { of: self.list_of(table, place), points, radius })
            }
            _ => {
                let message = "attractors are `points`, lists of numbers, and a `radius` above 0";
                self.error(SweepCode::Measure, place, message);
                None
            }
        }
    }

    fn bound(&mut self, item: &Item, place: Span) -> Option<Bound> {
        let text = self.toml.text(item, place)?.text.into_owned();
        let found = text.split_once('>').map(|parts| (parts, true));
        let found = found.or_else(|| text.split_once('<').map(|parts| (parts, false)));
        let bound = found.and_then(|((expression, bound), above)| {
            let bound = bound.trim_start_matches('=').trim().parse().ok()?;
            Some(Bound { expression: expression.trim().to_owned(), above, bound })
        });
        if bound.is_none() {
            let here = item_span(item).unwrap_or(place);
            let message = format!("`{}` is not `expression > number`", shorten(&text));
            self.error(SweepCode::Measure, here, message);
        }
        bound
    }

    fn reductions(&mut self, root: &dyn TableLike) -> Vec<Reduction> {
        const FIELDS: [&str; 3] = ["of", "by", "completed_only"];
        let mut reductions = Vec::new();
        for (key, item) in self.toml.section(root, "reduce") {
            let here = key.whole().span;
            let kind = match key.text.split('_').next() {
                Some("fraction") => Kind::Fraction,
                Some("mean") => Kind::Mean,
                _ => {
                    let message = format!(
                        "there is no reduction `{}`: fraction, mean, or names that begin so: mean_energy",
                        shorten(&key.text)
                    );
                    self.error(SweepCode::UnknownKey, here, message);
                    continue;
                }
            };
            let Some(table) = self.fields(item, &FIELDS, here) else { continue };
            let of = table.get("of").and_then(Item::as_str).unwrap_or_default().to_owned();
            if of.is_empty() {
                self.error(SweepCode::Missing, here, "the reduction says not `of` which column");
            }
            reductions.push(Reduction {
                name: key.text.clone().into_owned(),
                kind,
                of,
                by: table.get("by").map(|item| self.words(item, here)).unwrap_or_default(),
                completed_only: table
                    .get("completed_only")
                    .is_some_and(|item| self.truth(item, here)),
            });
        }
        reductions
    }
}

/// A finite number.
fn number_of(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Integer(number) => *number.value() as f64,
        Value::Float(number) => *number.value(),
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// Do two names of axes mean the same?
pub fn same(one: &str, other: &str) -> bool {
    plain(one) == plain(other)
}

/// `v_x` and `dot(x)` are x'.
fn plain(name: &str) -> String {
    let dotted = name.strip_prefix("dot(").and_then(|rest| rest.strip_suffix(')'));
    match dotted.or_else(|| name.strip_prefix("v_")) {
        Some(coordinate) => format!("{coordinate}'"),
        None => name.to_owned(),
    }
}
