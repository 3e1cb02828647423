//! What a picture of the system shows: bodies, links between them, axes.

use isotrope_algebra::syntax::{Grammar, Span};
use isotrope_algebra::{ExprId, Pool};
use toml_edit::{Item, Value};

use crate::ModelCode;
use crate::build::Builder;
use crate::diagnostics::{Place, Reporter};
use crate::expression::Expression;
use crate::family::{Expanded, expand, indexed_name};
use crate::key::read_key;
use crate::parameters::Parameters;
use crate::read::Reader;
use crate::resolve::{Context, Names};
use crate::text::Text;

/// A picture as a file declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneModel {
    /// What moves.
    pub bodies: Vec<SceneBody>,
    /// Pairs of bodies that are linked, counted from 1; 0 is the origin.
    pub links: Vec<[usize; 2]>,
    /// The names of the axes, if they are given.
    pub axes: Option<Vec<String>>,
    /// Where it is.
    pub place: Place,
}

/// A body of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneBody {
    /// Its name: `bob`, `mass[3]`.
    pub name: String,
    /// Where it is, in positions, velocities and time: two or three expressions.
    pub at: Vec<ExprId>,
    /// How large it is drawn.
    pub radius: Option<ExprId>,
}

/// The table as given.
#[derive(Debug, Default)]
pub(crate) struct RawScene<'d> {
    bodies: Vec<RawBody<'d>>,
    links: RawLinks,
    axes: Option<Vec<String>>,
    place: Place,
}

#[derive(Debug, Default)]
enum RawLinks {
    #[default]
    None,
    /// From the origin to the first, from there to the second, and so on.
    Chain,
    Pairs(Vec<([i64; 2], Place)>),
}

#[derive(Debug)]
struct RawBody<'d> {
    name: Option<Text<'d>>,
    at: Vec<Text<'d>>,
    radius: Option<Text<'d>>,
    place: Place,
}

const KEYS: [&str; 3] = ["bodies", "links", "axes"];
const BODY: [&str; 3] = ["name", "at", "radius"];

impl Reader<'_> {
    pub(crate) fn scene<'d>(&mut self, item: &'d Item, place: Place) -> RawScene<'d> {
        let mut raw = RawScene { place, ..RawScene::default() };
        for (key, item) in self.table(item, "a table [scene]", place) {
            let here = key.whole();
            match key.text.as_ref() {
                "bodies" => raw.bodies = self.bodies(item, here),
                "links" => raw.links = self.links(item, here),
                "axes" => raw.axes = self.axes(item, here),
                other => self.unknown_key(other, here, &KEYS, "[scene]"),
            }
        }
        raw
    }

    fn bodies<'d>(&mut self, item: &'d Item, place: Place) -> Vec<RawBody<'d>> {
        let mut bodies = Vec::new();
        // Inline tables in a list, or [[scene.bodies]].
        let tables: Vec<(&dyn toml_edit::TableLike, Option<Span>)> = match item {
            Item::ArrayOfTables(tables) => tables
                .iter()
                .map(|table| {
                    let span = table.span().map(|span| Span::new(span.start, span.end));
                    (table as &dyn toml_edit::TableLike, span)
                })
                .collect(),
            Item::Value(Value::Array(list)) => {
                let mut tables: Vec<(&dyn toml_edit::TableLike, Option<Span>)> = Vec::new();
                for value in list {
                    let span = value.span().map(|span| Span::new(span.start, span.end));
                    match value.as_inline_table() {
                        Some(table) => tables.push((table, span)),
                        None => self.wrong_scene(
                            span.map_or(place, Place::file),
                            "a body is a table: { at = [\"x\", \"y\"] }",
                        ),
                    }
                }
                tables
            }
            _ => {
                self.wrong_type(item, "a list of bodies", place);
                return Vec::new();
            }
        };
        for (table, span) in tables {
            let here = span.map_or(place, Place::file);
            let mut body = RawBody { name: None, at: Vec::new(), radius: None, place: here };
            for (key, item) in self.items(table) {
                let place = key.whole();
                match key.text.as_ref() {
                    "name" => body.name = self.expression(item, place),
                    "at" => body.at = self.texts(item, place),
                    "radius" => body.radius = self.expression(item, place),
                    other => self.unknown_key(other, place, &BODY, "a body"),
                }
            }
            if !(2..=3).contains(&body.at.len()) {
                self.wrong_scene(here, "a body is at two or three coordinates of the picture");
                continue;
            }
            bodies.push(body);
        }
        bodies
    }

    /// A list of expressions.
    fn texts<'d>(&mut self, item: &'d Item, place: Place) -> Vec<Text<'d>> {
        let Some(list) = item.as_array() else {
            self.wrong_type(item, "a list of expressions", place);
            return Vec::new();
        };
        list.iter().filter_map(|value| self.value(value, place)).collect()
    }

    fn links(&mut self, item: &Item, place: Place) -> RawLinks {
        let wrong =
            "links are pairs of bodies, [[0, 1], [1, 2]] with 0 for the origin, or \"chain\"";
        if item.as_str() == Some("chain") {
            return RawLinks::Chain;
        }
        let Some(list) = item.as_array() else {
            self.wrong_scene(self.place(item, place), wrong);
            return RawLinks::None;
        };
        let mut pairs = Vec::with_capacity(list.len());
        for value in list {
            let here = value.span().map_or(place, |s| Place::file(Span::new(s.start, s.end)));
            let numbers = value.as_array().map(|pair| {
                pair.iter().map(|number| number.as_integer()).collect::<Option<Vec<i64>>>()
            });
            match numbers.flatten().as_deref() {
                Some(&[from, to]) => pairs.push(([from, to], here)),
                _ => self.wrong_scene(here, wrong),
            }
        }
        RawLinks::Pairs(pairs)
    }

    fn axes(&mut self, item: &Item, place: Place) -> Option<Vec<String>> {
        let names = item.as_array().and_then(|list| {
            list.iter().map(|name| name.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
        });
        let names = names.filter(|names| (2..=3).contains(&names.len()));
        if names.is_none() {
            let place = self.place(item, place);
            self.wrong_scene(place, "axes are two or three names");
        }
        names
    }

    fn wrong_scene(&mut self, place: Place, message: &str) {
        self.reporter.error(ModelCode::Scene, place, message).hint(ModelCode::Scene.advice());
    }
}

/// More bodies make no picture.
const MOST_BODIES: usize = 10_000;

impl RawScene<'_> {
    /// The bodies of a group are drawn from the group.
    pub(crate) fn refuse_on_group(&self, reporter: &mut Reporter) {
        if !self.bodies.is_empty() {
            let message = "the bodies of a Lie group are drawn as they turn, not by a [scene]";
            reporter.error(ModelCode::Scene, self.place, message).hint("leave out `bodies`");
        }
    }
}

/// The expressions of a picture before they are lowered.
pub(crate) struct SceneText<'d> {
    bodies: Vec<BodyText<'d>>,
    links: RawLinks,
    axes: Option<Vec<String>>,
    place: Place,
}

struct BodyText<'d> {
    name: String,
    expanded: Expanded,
    at: Vec<Expression<'d>>,
    radius: Option<Expression<'d>>,
    place: Place,
}

impl Builder<'_> {
    pub(crate) fn read_scene<'d>(
        &mut self,
        raw: RawScene<'d>,
        parameters: &mut Parameters<'d>,
    ) -> SceneText<'d> {
        let mut bodies: Vec<BodyText<'d>> = Vec::with_capacity(raw.bodies.len());
        for (number, body) in (1..).zip(raw.bodies) {
            let named = match &body.name {
                None => Some((format!("body_{number}"), Expanded::single())),
                Some(text) => read_key(text, &mut self.parse, self.reporter).and_then(|key| {
                    if key.primes > 0 {
                        let message = "a body is named without primes";
                        self.reporter
                            .error(ModelCode::BadName, text.whole(), message)
                            .hint(format!("write name = \"{}\"", key.name));
                        return None;
                    }
                    let pool = &mut self.pool;
                    let expanded = expand(&key, text, None, parameters, pool, self.reporter)?;
                    Some((key.name, expanded))
                }),
            };
            let Some((name, expanded)) = named else { continue };
            let binders = expanded.names();
            let at = body.at.into_iter();
            let at: Vec<_> =
                at.filter_map(|text| self.read(text, Grammar::Expression, &binders)).collect();
            let radius =
                body.radius.and_then(|text| self.read(text, Grammar::Expression, &binders));
            bodies.push(BodyText { name, expanded, at, radius, place: body.place });
        }
        SceneText { bodies, links: raw.links, axes: raw.axes, place: raw.place }
    }
}

impl<'d> SceneText<'d> {
    /// The picture, if everything in it could be read.
    pub(crate) fn lower<'s>(
        &'s self,
        names: &mut Names<'s, 'd, '_>,
        pool: &mut Pool,
    ) -> Option<SceneModel> {
        let mut bodies = Vec::new();
        for body in &self.bodies {
            if bodies.len() + body.expanded.count > MOST_BODIES {
                let message = format!("a picture has at most {MOST_BODIES} bodies");
                names
                    .reporter
                    .error(ModelCode::Scene, body.place, message)
                    .hint("draw fewer of them");
                return None;
            }
            for offset in 0..body.expanded.count {
                let indices = body.expanded.ranges.indices(offset);
                let values = body.expanded.values(&indices);
                let mut lower = |expression: &'s Expression<'d>, context| {
                    names.lower(expression, &values, context, pool)
                };
                let at = body.at.iter().map(|part| lower(part, Context::SCENE));
                let at = at.collect::<Option<Vec<_>>>()?;
                let radius = match &body.radius {
                    Some(radius) => Some(lower(radius, Context::RADIUS)?),
                    None => None,
                };
                bodies.push(SceneBody { name: indexed_name(&body.name, &indices), at, radius });
            }
            if let Some(first) = self.bodies.first()
                && first.at.len() != body.at.len()
            {
                let message = "all bodies of a picture are in the plane, or all in space";
                names
                    .reporter
                    .error(ModelCode::Scene, body.place, message)
                    .hint("give each the same number of coordinates")
                    .label(first.place, "the first is here");
            }
        }
        if let (Some(axes), Some(first)) = (&self.axes, self.bodies.first())
            && axes.len() != first.at.len()
        {
            let message = format!("{} axes for bodies at {} places", axes.len(), first.at.len());
            names
                .reporter
                .error(ModelCode::Scene, self.place, message)
                .hint("name an axis for each coordinate of the picture");
        }
        let count = bodies.len();
        let links = match &self.links {
            RawLinks::None => Vec::new(),
            RawLinks::Chain => (1..=count).map(|to| [to - 1, to]).collect(),
            RawLinks::Pairs(pairs) => {
                let mut links = Vec::with_capacity(pairs.len());
                for ([from, to], place) in pairs {
                    let number = |n: i64| usize::try_from(n).ok().filter(|&number| number <= count);
                    match (number(*from), number(*to)) {
                        (Some(from), Some(to)) if from != to => links.push([from, to]),
                        _ => {
                            let message = format!("there is no link from {from} to {to}");
                            let hint = format!(
                                "bodies are counted from 1 to {count}, and 0 is the origin"
                            );
                            names.reporter.error(ModelCode::Scene, *place, message).hint(hint);
                        }
                    }
                }
                links
            }
        };
        Some(SceneModel { bodies, links, axes: self.axes.clone(), place: self.place })
    }
}

impl SceneModel {
    /// All expressions.
    pub(crate) fn expressions_mut(&mut self) -> impl Iterator<Item = &mut ExprId> {
        self.bodies.iter_mut().flat_map(|body| body.at.iter_mut().chain(&mut body.radius))
    }
}
