//! The table `[magnetic]`: a 2-form on the configurations, by pairs of coordinates.

use isotrope_algebra::syntax::Grammar;
use isotrope_algebra::{ExprId, Pool};

use crate::ModelCode;
use crate::build::{Builder, coordinate_hint};
use crate::components::{Component, spread};
use crate::diagnostics::{Place, Reporter, shorten};
use crate::expression::Expression;
use crate::model::{MagneticEntry, MagneticForm};
use crate::read::{Entry, RawModel};
use crate::resolve::{Context, Names};
use crate::scope::Scope;
use crate::state::cells::split_pair;
use crate::text::Text;

/// The table as given.
#[derive(Debug, Default)]
pub(crate) struct RawMagnetic<'d> {
    /// `"x,y" = …`.
    pub(crate) entries: Vec<Entry<'d>>,
    /// `primitive = { x = … }`, and where.
    pub(crate) primitive: Option<(Place, Vec<Entry<'d>>)>,
    /// The table.
    pub(crate) place: Place,
}

/// The form before its expressions are lowered.
pub(crate) struct MagneticText<'d> {
    pairs: Vec<((usize, usize), Expression<'d>, Place)>,
    primitive: Option<(Place, Vec<Component<'d>>)>,
    place: Place,
}

/// Refuses an empty table, and one beside a system that is not a Lagrangian in coordinates.
pub(crate) fn check_system(raw: &RawModel<'_>, reporter: &mut Reporter) {
    let Some(magnetic) = &raw.magnetic else { return };
    if magnetic.entries.is_empty() {
        reporter
            .error(ModelCode::Magnetic, magnetic.place, "[magnetic] has no component of a 2-form")
            .hint("write a component \"x,y\" = \"…\", or remove the table");
    }
    // Systems that have no [magnetic] at all refuse it themselves.
    let Some(table) = raw.table.filter(|table| table.beside.contains(&"magnetic")) else { return };
    if table.name == "lagrangian" {
        return;
    }
    let message = format!("[magnetic] stands beside a [lagrangian], not beside [{}]", table.name);
    reporter
        .error(ModelCode::Magnetic, magnetic.place, message)
        .hint("write the system with [lagrangian], or the magnetic term into its function");
}

impl Builder<'_> {
    /// Reads keys and expressions; errors are reported.
    pub(crate) fn read_magnetic<'d>(
        &mut self,
        scope: &Scope<'d>,
        entries: Vec<Entry<'d>>,
        primitive: Option<(Place, Vec<Component<'d>>)>,
        place: Place,
    ) -> MagneticText<'d> {
        let mut pairs: Vec<((usize, usize), Expression<'d>, Place)> = Vec::new();
        for Entry { key, value, .. } in entries {
            let Some(pair) = pair(&key, scope, self.reporter) else { continue };
            let here = key.whole();
            let same = |old: &&((usize, usize), Expression<'d>, Place)| {
                old.0 == pair || (old.0.1, old.0.0) == pair
            };
            if let Some(old) = pairs.iter().find(same) {
                self.reporter
                    .error(ModelCode::DuplicateComponent, here, "this component is given twice")
                    .hint("keep one of the two: the form is antisymmetric")
                    .label(old.2, "first given here");
                continue;
            }
            let Some(value) = value else { continue };
            if let Some(expression) = self.read(value, Grammar::Expression, &[]) {
                pairs.push((pair, expression, here));
            }
        }
        MagneticText { pairs, primitive, place }
    }
}

/// The positions of the two coordinates of a key.
fn pair(key: &Text<'_>, scope: &Scope<'_>, reporter: &mut Reporter) -> Option<(usize, usize)> {
    if scope.coordinates.is_empty() {
        return None;
    }
    let Some((first, second)) = split_pair(&key.text) else {
        let message = format!("`{}` is not a pair of coordinates", shorten(&key.text));
        reporter
            .error(ModelCode::Magnetic, key.whole(), message)
            .hint("a component of the 2-form is written \"x,y\" = \"…\"");
        return None;
    };
    let mut find = |name: &str| {
        let found = scope.coordinates.iter().position(|coordinate| coordinate.name == name);
        if found.is_none() {
            let message = format!("`{}` is not a coordinate", shorten(name));
            let hint = coordinate_hint(name, scope);
            reporter.error(ModelCode::NotACoordinate, key.whole(), message).hint(hint);
        }
        found
    };
    let (first, second) = (find(first.trim()), find(second.trim()));
    let (first, second) = (first?, second?);
    if first == second {
        reporter
            .error(ModelCode::Magnetic, key.whole(), "a 2-form vanishes on a direction with itself")
            .hint("write two different coordinates");
        return None;
    }
    Some((first, second))
}

impl<'d> MagneticText<'d> {
    /// The form, if everything in it could be read.
    pub(crate) fn lower<'s>(
        &'s self,
        names: &mut Names<'s, 'd, '_>,
        count: usize,
        pool: &mut Pool,
    ) -> Option<MagneticForm> {
        let mut entries = Vec::with_capacity(self.pairs.len());
        for ((first, second), expression, _) in &self.pairs {
            let value = names.lower(expression, &[], Context::MAGNETIC, pool)?;
            let place = expression.text.whole();
            entries.push(MagneticEntry { first: *first, second: *second, value, place });
        }
        let primitive = self.primitive.as_ref().map(|(place, components)| {
            let values = spread(names, components, count, Context::MAGNETIC, pool);
            let value = |part: &Option<(ExprId, Place)>| part.map_or(ExprId::ZERO, |found| found.0);
            (values.iter().map(value).collect(), *place)
        });
        Some(MagneticForm { entries, primitive, place: self.place })
    }
}
