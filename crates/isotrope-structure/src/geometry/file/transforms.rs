//! What is done to a Dirac structure before it is examined.

use isotrope_algebra::ExprId;
use isotrope_algebra::linear::Matrix;
use isotrope_algebra::syntax::Span;
use toml_edit::{Item, TableLike};

use super::GeometryCode;
use super::read::Reader;
use isotrope_model::files::{item_span, span_in, span_of};

/// A change of a Dirac structure.
#[derive(Debug, Clone)]
pub enum Transform {
    /// `e^B`: `v + a` becomes `v + a + i_v B`.
    Gauge(Matrix),
    /// The backward image along a map from other coordinates.
    Pullback {
        /// The coordinates of the source.
        source: Vec<ExprId>,
        /// The coordinates of the base as functions of them.
        images: Vec<ExprId>,
    },
    /// The forward image along a map to other coordinates.
    Pushforward {
        /// The coordinates of the target.
        target: Vec<ExprId>,
        /// They as functions of the coordinates of the base.
        images: Vec<ExprId>,
        /// A point of the base over every point of the target.
        section: Vec<ExprId>,
        /// Where the section stands.
        place: Span,
    },
}

impl Reader<'_> {
    /// The sections `gauge`, then `pullback` or `pushforward`.
    pub(super) fn transforms(&mut self, root: &dyn TableLike, base: &[ExprId]) -> Vec<Transform> {
        let mut list = Vec::new();
        if root.contains_key("gauge")
            && let Some(form) = self.pairs(root, "gauge", base)
        {
            list.push(Transform::Gauge(form));
        }
        for key in ["pullback", "pushforward"] {
            if let Some(item) = root.get(key).filter(|item| item.as_table_like().is_none()) {
                let wanted = format!("a table for `{key}`");
                self.toml.wrong_type(item, &wanted, Span::default());
                return list;
            }
        }
        let table = |key: &str| root.get(key).and_then(Item::as_table_like);
        let place = |key: &str| span_in(root.get(key));
        if let (Some(_), Some(item)) = (table("pullback"), root.get("pushforward")) {
            let message = "one map is taken: [pullback] or [pushforward]";
            self.error(GeometryCode::Object, span_of(item), message);
            return list;
        }
        if let Some(map) = table("pullback")
            && let Some(source) = self.coordinates(map)
        {
            let images = self.map(map, base, &source, "coordinates", place("pullback"));
            list.extend(images.map(|images| Transform::Pullback { source, images }));
        }
        if let Some(map) = table("pushforward")
            && let Some(target) = self.coordinates(map)
            && let Some(images) = self.map(map, &target, base, "section", place("pushforward"))
        {
            let here = map.get("section").and_then(item_span).unwrap_or(place("pushforward"));
            let Some(section) = map.get("section").and_then(Item::as_table_like) else {
                let span = here;
                let message = "[pushforward] needs a point over every point of its target";
                let hint =
                    Some("write section = { x = \"…\" }, functions of the target".to_owned());
                self.hinted(GeometryCode::MissingPart, span, message, hint);
                return list;
            };
            let section = self.map(section, base, &target, "", here);
            let push = |section| Transform::Pushforward { target, images, section, place: here };
            list.extend(section.map(push));
        }
        list
    }

    /// One function of `arguments` for each of `names`; other keys but `coordinates` and `besides` are
    /// refused.
    fn map(
        &mut self,
        table: &dyn TableLike,
        names: &[ExprId],
        arguments: &[ExprId],
        besides: &str,
        place: Span,
    ) -> Option<Vec<ExprId>> {
        let wanted = self.symbol_names(names);
        let mut images: Vec<Option<ExprId>> = vec![None; names.len()];
        for (key, item) in self.toml.items(table) {
            if key.text == "coordinates" || key.text == besides {
                continue;
            }
            let span = key.whole().span;
            let Some(index) = self.number(&key.text, &wanted, span) else { continue };
            let Some(text) = self.toml.text(item, span) else { continue };
            let Some(value) = self.read(&text) else { continue };
            let others = names.iter().copied().filter(|name| !arguments.contains(name));
            let others: Vec<ExprId> = others.collect();
            if self.expressions.pool.depends_on(value, &others) {
                let shown = self.symbol_names(arguments).join(", ");
                let message = format!("this is a function of {shown}");
                self.error(GeometryCode::UnknownName, text.whole().span, message);
            }
            images[index] = Some(value);
        }
        for (name, image) in wanted.iter().zip(&images) {
            if image.is_none() && self.is_clean() {
                let message = format!("the map has no `{name}`");
                let hint = Some(format!("write {name} = \"…\""));
                self.hinted(GeometryCode::MissingPart, place, message, hint);
            }
        }
        if !self.is_clean() {
            return None;
        }
        images.into_iter().collect()
    }
}
