//! The sections of a geometry file.

use std::collections::BTreeMap;

use isotrope_algebra::linear::Matrix;
use isotrope_algebra::syntax::{Span, nearest};
use isotrope_algebra::{ExprId, Rational, calculus};
use isotrope_geometry::{Circle, DiracStructure, Generator};
use isotrope_model::Text;
use toml_edit::{Item, TableLike};

use super::read::Reader;
use super::{GeometryCode, GeometryObject, GradedGiven, GradedObject};
use isotrope_model::files::{shorten, span_in, span_of, value_span};

/// Coordinates of a file.
const MOST: usize = 64;

impl Reader<'_> {
    /// A list of names; each is declared as a symbol.
    fn names(&mut self, table: &dyn TableLike, key: &str) -> Option<Vec<(String, ExprId)>> {
        let Some(item) = table.get(key) else {
            let message = format!("`{key}` is missing");
            let hint = Some(format!("write {key} = [\"x\", \"y\"]"));
            let (code, span) = (GeometryCode::MissingPart, Span::new(0, 0));
            self.hinted(code, span, message, hint);
            return None;
        };
        let here = span_of(item);
        let Some(list) = item.as_array() else {
            self.toml.wrong_type(item, "a list of names", here);
            return None;
        };
        if list.len() > MOST {
            let message = format!("{} names, more than {MOST}", list.len());
            self.error(GeometryCode::TooLarge, here, message);
            return None;
        }
        let names = self.symbols(list, "a name", here);
        if names.is_empty() && self.is_clean() {
            let message = format!("`{key}` is not a name of this file");
            self.error(GeometryCode::MissingPart, here, message);
        }
        self.is_clean().then_some(names)
    }

    pub(super) fn coordinates(&mut self, root: &dyn TableLike) -> Option<Vec<ExprId>> {
        let names = self.names(root, "coordinates")?;
        Some(names.into_iter().map(|(_, symbol)| symbol).collect())
    }

    pub(super) fn symbol_names(&self, symbols: &[ExprId]) -> Vec<String> {
        let pool = &self.expressions.pool;
        symbols.iter().map(|&x| pool.label(x)).collect()
    }

    /// The two names of a key `x,y`, as numbers in the list.
    fn pair(&mut self, key: &Text<'_>, names: &[String]) -> Option<(usize, usize)> {
        let span = key.whole().span;
        let parts: Vec<&str> = key.text.split(',').map(str::trim).collect();
        let [first, second] = parts[..] else {
            let message = format!("`{}` is not a pair of names", shorten(&key.text));
            self.error(GeometryCode::Pair, span, message);
            return None;
        };
        let (first, second) = (self.number(first, names, span)?, self.number(second, names, span)?);
        if first == second {
            let message = format!("`{}` names the same twice: that entry is zero", key.text);
            self.error(GeometryCode::Pair, span, message);
            return None;
        }
        Some((first, second))
    }

    pub(super) fn number(&mut self, name: &str, names: &[String], span: Span) -> Option<usize> {
        let found = names.iter().position(|known| known == name);
        if found.is_none() {
            let near = nearest(name, names.iter().map(String::as_str));
            let hint = near.map(|near| format!("did you mean `{near}`?"));
            let message = format!("`{}` is none of {}", shorten(name), shorten(&names.join(", ")));
            self.hinted(GeometryCode::UnknownName, span, message, hint);
        }
        found
    }

    /// Reports a pair that is given a second time.
    fn repeated(&mut self, what: &str, key: &Text<'_>, same: bool) {
        let (code, how) = match same {
            true => (GeometryCode::DuplicateKey, "twice"),
            false => (GeometryCode::Pair, "in both orders"),
        };
        let message = format!("the {what} `{}` is given {how}", shorten(&key.text));
        self.error(code, key.whole().span, message);
    }

    /// An antisymmetric matrix from entries `"x,y" = "…"`.
    pub(super) fn pairs(
        &mut self,
        root: &dyn TableLike,
        section: &str,
        base: &[ExprId],
    ) -> Option<Matrix> {
        let names = self.symbol_names(base);
        let mut matrix = Matrix::zero(base.len(), base.len());
        let mut given = BTreeMap::new();
        for (key, text) in self.toml.texts(root, section) {
            let Some((i, j)) = self.pair(&key, &names) else { continue };
            if let Some(before) = given.insert((i.min(j), i.max(j)), (i, j)) {
                self.repeated("entry", &key, before == (i, j));
                continue;
            }
            let Some(value) = self.read(&text) else { continue };
            matrix.set(i, j, value);
            let opposite = self.expressions.pool.neg(value);
            matrix.set(j, i, opposite);
        }
        self.is_clean().then_some(matrix)
    }

    /// Coordinates on circles: constants of which no sign is asked.
    pub(super) fn circles(
        &mut self,
        root: &dyn TableLike,
        base: Option<Vec<ExprId>>,
    ) -> Vec<(Circle, Span)> {
        let Some(item) = root.get("periods") else { return Vec::new() };
        let moved = ["pullback", "pushforward"].into_iter().find(|key| root.contains_key(key));
        let message = match (&base, moved) {
            (None, _) => "periods are for coordinates of Dirac structures".to_owned(),
            (_, Some(map)) => format!("[{map}] leads to other coordinates, which have no periods"),
            _ => String::new(),
        };
        let Some(base) = base.filter(|_| moved.is_none()) else {
            let hint = Some("leave out `periods`".to_owned());
            self.hinted(GeometryCode::Object, span_of(item), message, hint);
            return Vec::new();
        };
        let names = self.symbol_names(&base);
        let mut circles = Vec::new();
        for (key, text) in self.toml.texts(root, "periods") {
            let place = key.whole().span;
            let Some(index) = self.number(&key.text, &names, place) else { continue };
            let Some(period) = self.read(&text) else { continue };
            if period.is_zero() || self.expressions.pool.depends_on(period, &base) {
                let message = "a period is a constant that is not zero";
                self.error(GeometryCode::WrongType, text.whole().span, message);
                continue;
            }
            circles.push((Circle { coordinate: base[index], period }, place));
        }
        circles
    }

    /// Components by names of coordinates: `{ x = "…", y = "…" }`.
    fn components(&mut self, item: &Item, base: &[ExprId], place: Span) -> Vec<ExprId> {
        let mut row = vec![ExprId::ZERO; base.len()];
        let Some(table) = item.as_table_like() else {
            self.toml.wrong_type(item, "a table of components { x = \"…\" }", place);
            return row;
        };
        let names = self.symbol_names(base);
        for (key, item) in self.toml.items(table) {
            let span = key.whole().span;
            let Some(index) = self.number(&key.text, &names, span) else { continue };
            let Some(text) = self.toml.text(item, span) else { continue };
            if let Some(value) = self.read(&text) {
                row[index] = value;
            }
        }
        row
    }

    pub(super) fn distribution(
        &mut self,
        root: &dyn TableLike,
        base: Vec<ExprId>,
    ) -> Option<GeometryObject> {
        let (mut names, mut forms) = (Vec::new(), Vec::new());
        for (key, item) in self.toml.section(root, "distribution") {
            forms.push(self.components(item, &base, key.whole().span));
            names.push(key.text.to_string());
        }
        let form = match root.get("two_form") {
            Some(_) => Some(self.pairs(root, "two_form", &base)?),
            None => None,
        };
        let place = span_in(root.get("distribution"));
        Some(GeometryObject::Distribution { base, names, forms, form, place })
    }

    pub(super) fn dirac(
        &mut self,
        root: &dyn TableLike,
        base: Vec<ExprId>,
    ) -> Option<GeometryObject> {
        let (mut names, mut generators) = (Vec::new(), Vec::new());
        for (key, item) in self.toml.section(root, "dirac") {
            let here = key.whole().span;
            let Some(table) = item.as_table_like() else {
                self.toml.wrong_type(item, "a generator { vector, covector }", here);
                continue;
            };
            let zeros = || vec![ExprId::ZERO; base.len()];
            let mut generator = Generator { vector: zeros(), covector: zeros() };
            let any = |keys: [&str; 2]| keys.iter().any(|key| table.contains_key(key));
            if any(["vector", "covector"]) && any(["flow", "effort"]) {
                let message = "a generator has vector and covector, or flow and effort, not both";
                let hint = "write { vector = {…}, covector = {…} }; a row of the kernel form is { flow = {…}, effort = {…} }";
                self.hinted(GeometryCode::Object, here, message, Some(hint.to_owned()));
                continue;
            }
            for (part, item) in self.toml.items(table) {
                let span = part.whole().span;
                if !self.toml.known(&part, &["vector", "covector", "flow", "effort"], "a generator")
                {
                    continue;
                }
                let row = self.components(item, &base, span);
                // A row F f + E e = 0 of the kernel form is the generator E + F.
                match part.text.as_ref() {
                    "vector" | "effort" => generator.vector = row,
                    _ => generator.covector = row,
                }
            }
            names.push(key.text.to_string());
            generators.push(generator);
        }
        if generators.is_empty() && self.is_clean() {
            let message = "[dirac] has no generators";
            let span = span_in(root.get("dirac"));
            self.error(GeometryCode::MissingPart, span, message);
        }
        let structure = DiracStructure { base, generators };
        Some(GeometryObject::Dirac { names, structure })
    }

    pub(super) fn lie_algebra(&mut self, root: &dyn TableLike) -> Option<GeometryObject> {
        let table = root.get("lie_algebra").and_then(Item::as_table_like);
        let Some(table) = table else {
            self.toml.section(root, "lie_algebra");
            return None;
        };
        let basis = self.names(table, "basis")?;
        let names: Vec<String> = basis.iter().map(|(name, _)| name.clone()).collect();
        let size = basis.len();
        let mut constants = vec![vec![vec![Rational::ZERO; size]; size]; size];
        let mut given = BTreeMap::new();
        for (key, item) in self.toml.items(table).into_iter().filter(|(key, _)| key.text != "basis")
        {
            let place = key.whole().span;
            let Some((i, j)) = self.pair(&key, &names) else { continue };
            if let Some(before) = given.insert((i.min(j), i.max(j)), (i, j)) {
                self.repeated("bracket", &key, before == (i, j));
                continue;
            }
            let Some(text) = self.toml.text(item, place) else { continue };
            let Some(value) = self.read(&text) else { continue };
            match self.linear(value, &basis) {
                Some(row) => {
                    constants[j][i] = row.iter().map(|entry| -entry).collect();
                    constants[i][j] = row;
                }
                None => {
                    let message =
                        "this is not a combination of the basis with rational coefficients";
                    let span = text.whole().span;
                    self.error(GeometryCode::Constant, span, message);
                }
            }
        }
        Some(GeometryObject::LieAlgebra { basis: names, constants })
    }

    /// The rational coefficients of a linear expression without a constant term.
    fn linear(&mut self, value: ExprId, basis: &[(String, ExprId)]) -> Option<Vec<Rational>> {
        let pool = &mut self.expressions.pool;
        let budget = &mut isotrope_algebra::Budget::new(100_000);
        let mut row = Vec::with_capacity(basis.len());
        let mut parts = Vec::with_capacity(basis.len());
        for &(_, symbol) in basis {
            let slope = calculus::derivative(pool, value, symbol, budget).ok()?;
            let slope = isotrope_algebra::normal::simplify(pool, slope, budget);
            let number = pool.as_number(slope)?.clone();
            parts.push((number.clone(), symbol));
            row.push(number);
        }
        let sum = pool.linear_combination(&parts);
        let rest = pool.sub(value, sum);
        let zero = isotrope_algebra::normal::is_zero(pool, rest, budget);
        (zero == isotrope_algebra::normal::Zero::Yes).then_some(row)
    }

    pub(super) fn graded(
        &mut self,
        root: &dyn TableLike,
        constants: Vec<(String, ExprId)>,
    ) -> Option<GeometryObject> {
        let entries = self.toml.section(root, "graded");
        let table = root.get("graded").and_then(Item::as_table_like)?;
        for (key, _) in &entries {
            let keys = ["coordinates", "field", "degree", "function", "bracket", "pairs"];
            self.toml.known(key, &keys, "[graded]");
        }
        let (stray, owner) = match table.contains_key("field") {
            true => (&["bracket", "pairs"][..], "function"),
            false => (&["degree"][..], "field"),
        };
        for (key, _) in entries.iter().filter(|(key, _)| stray.contains(&key.text.as_ref())) {
            let message = format!("`{}` belongs to a {owner}", key.text);
            let hint = Some(format!("leave it out, or give a `{owner}`"));
            self.hinted(GeometryCode::Object, key.whole().span, message, hint);
        }
        let whole = span_in(root.get("graded"));
        let coordinates = self.degrees(table, whole)?;
        let names: Vec<String> = coordinates.iter().map(|(name, _)| name.clone()).collect();
        let place = |key: &str| span_in(table.get(key));
        let what = match (table.get("field"), table.get("function")) {
            (Some(field), None) => {
                let degree = self.integer(table, "degree", 1)?;
                let mut components = Vec::new();
                let Some(parts) = field.as_table_like() else {
                    self.toml.wrong_type(
                        field,
                        "a table of components { x = \"…\" }",
                        place("field"),
                    );
                    return None;
                };
                for (key, item) in self.toml.items(parts) {
                    let span = key.whole().span;
                    let Some(index) = self.number(&key.text, &names, span) else { continue };
                    let Some(text) = self.toml.text(item, span) else { continue };
                    components.extend(self.placed(&text).map(|tree| (index, tree)));
                }
                GradedGiven::Field { degree, components }
            }
            (None, Some(function)) => {
                let text = self.toml.text(function, place("function"))?;
                let function = self.placed(&text)?;
                let bracket = self.integer(table, "bracket", 1)?;
                let pairs = self.conjugate(table, &names, place("function"))?;
                GradedGiven::Function { bracket, pairs, function, place: place("pairs") }
            }
            _ => {
                let message = "[graded] has either a field or a function";
                let span = span_in(root.get("graded"));
                self.error(GeometryCode::MissingPart, span, message);
                return None;
            }
        };
        Some(GeometryObject::Graded(GradedObject { coordinates, constants, what }))
    }

    fn integer(&mut self, table: &dyn TableLike, key: &str, otherwise: i32) -> Option<i32> {
        let Some(item) = table.get(key) else { return Some(otherwise) };
        let value = item.as_integer().and_then(|value| i32::try_from(value).ok());
        let value = value.filter(|value| value.abs() <= 1000);
        if value.is_none() {
            self.toml.wrong_type(item, "an integer of at most 1000", Span::default());
        }
        value
    }

    fn degrees(&mut self, table: &dyn TableLike, place: Span) -> Option<Vec<(String, i32)>> {
        let Some(item) = table.get("coordinates") else {
            let message = "[graded] has no coordinates";
            let hint = Some("write coordinates = { x = 0, c = 1 }, names and degrees".to_owned());
            self.hinted(GeometryCode::MissingPart, place, message, hint);
            return None;
        };
        let Some(list) = item.as_table_like() else {
            self.toml.wrong_type(item, "a table of degrees { x = 0, c = 1 }", Span::default());
            return None;
        };
        let mut coordinates = Vec::new();
        for (key, item) in self.toml.items(list) {
            let degree = item.as_integer().and_then(|value| i32::try_from(value).ok());
            let Some(degree) = degree.filter(|degree| degree.abs() <= 1000) else {
                self.toml.wrong_type(
                    item,
                    "a degree, an integer of at most 1000,",
                    key.whole().span,
                );
                continue;
            };
            let symbol = self.expressions.pool.symbol(&key.text);
            if self.declare(&key, symbol) {
                coordinates.push((key.text.to_string(), degree));
            }
        }
        if coordinates.len() > 4 * MOST {
            let message = format!("{} coordinates, more than {}", coordinates.len(), 4 * MOST);
            let span = span_of(item);
            self.error(GeometryCode::TooLarge, span, message);
        }
        self.is_clean().then_some(coordinates)
    }

    fn conjugate(
        &mut self,
        table: &dyn TableLike,
        names: &[String],
        place: Span,
    ) -> Option<Vec<(usize, usize)>> {
        let Some(item) = table.get("pairs") else {
            let message = "a function needs the pairs of its bracket";
            let hint = Some("write pairs = [[\"x\", \"p\"]]".to_owned());
            self.hinted(GeometryCode::MissingPart, place, message, hint);
            return None;
        };
        let here = span_of(item);
        let mut pairs = Vec::new();
        for value in item.as_array().into_iter().flatten() {
            let span = value_span(value, here);
            let parts: Vec<&str> =
                value.as_array().into_iter().flatten().filter_map(|part| part.as_str()).collect();
            match parts[..] {
                [q, p] => {
                    let (q, p) = (self.number(q, names, span)?, self.number(p, names, span)?);
                    pairs.push((q, p));
                }
                _ => {
                    let message = "a pair of two names is wanted here";
                    self.error(GeometryCode::WrongType, span, message);
                }
            }
        }
        if pairs.is_empty() && self.is_clean() {
            self.toml.wrong_type(item, "a list of pairs", here);
        }
        self.is_clean().then_some(pairs)
    }
}
