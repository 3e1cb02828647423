//! From the table of a group to its symbols, its Lagrangian and where the motion begins.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::evaluate::evaluate_ball;
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::syntax::Grammar;
use isotrope_algebra::{Budget, ExprId, Pool, Precision};
use rustc_hash::FxHashMap;

use crate::ModelCode;
use crate::build::Builder;
use crate::diagnostics::{Place, Reporter};
use crate::expression::Expression;
use crate::family::{Ranges, indexed_name};
use crate::group::{
    GroupKind, LieGroup, RawGroup, kinetic_minus_potential, no_rotation, rotation_numbers,
};
use crate::model::{Constraint, Coordinate, SystemKind};
use crate::read::RawInitial;
use crate::resolve::{Context, Names};
use crate::scope::{Family, Meaning, Scope};

impl Scope<'_> {
    /// Is a family of coordinates one of components of the algebra?
    pub(crate) fn is_component(&self, family: usize) -> bool {
        self.families.get(family).is_some_and(|family| family.first < self.components)
    }

    /// Declares matrices, translations and velocities of a group.
    pub(crate) fn declare_group(
        &mut self,
        group: &RawGroup<'_>,
        pool: &mut Pool,
        reporter: &mut Reporter,
    ) {
        for (k, kind) in group.factors.iter().enumerate() {
            let (suffix, size) = (group.suffix(k), kind.size() as i64);
            self.add_entries(format!("R{suffix}"), vec![(1, size); 2], group.place, pool, reporter);
            if kind.has_translation() {
                self.add_entries(
                    format!("x{suffix}"),
                    vec![(1, size)],
                    group.place,
                    pool,
                    reporter,
                );
            }
        }
        for (k, kind) in group.factors.iter().enumerate() {
            let (suffix, size) = (group.suffix(k), kind.size() as i64);
            let ranges = if kind.spins() == 1 { Vec::new() } else { vec![(1, 3)] };
            self.add_components(format!("omega{suffix}"), ranges, group.place, pool, reporter);
            if kind.has_translation() {
                let name = format!("v{suffix}");
                self.add_components(name, vec![(1, size)], group.place, pool, reporter);
            }
        }
        self.components = self.coordinates.len();
        self.derive_entries(&group.factors, pool);
    }

    fn add_entries(
        &mut self,
        name: String,
        ranges: Vec<(i64, i64)>,
        place: Place,
        pool: &mut Pool,
        reporter: &mut Reporter,
    ) {
        let ranges = Ranges(ranges);
        let meaning = Meaning::Entries(self.entry_families.len());
        self.declare(&name, meaning, place, reporter);
        let first = self.entries.len();
        for offset in 0..ranges.count().unwrap_or(0) {
            let own = indexed_name(&name, &ranges.indices(offset));
            self.entries.push(pool.symbol(&own));
            self.entry_names.push(own);
        }
        self.entry_families.push(Family { name, ranges, first });
    }

    fn add_components(
        &mut self,
        name: String,
        ranges: Vec<(i64, i64)>,
        place: Place,
        pool: &mut Pool,
        reporter: &mut Reporter,
    ) {
        let ranges = Ranges(ranges);
        let family = self.families.len();
        let meaning = Meaning::Coordinates { family, group: None };
        self.declare(&name, meaning, place, reporter);
        self.declare(&format!("p_{name}"), Meaning::Momenta(family), place, reporter);
        let first = self.coordinates.len();
        for offset in 0..ranges.count().unwrap_or(0) {
            let indices = ranges.indices(offset);
            let own = indexed_name(&name, &indices);
            // No coordinate has this velocity; the symbol keeps its place in the list.
            let position = pool.symbol(&format!("∫{own}"));
            let velocity = pool.symbol(&own);
            let acceleration = pool.symbol(&format!("{own}'"));
            let momentum = pool.symbol(&indexed_name(&format!("p_{name}"), &indices));
            self.coordinates.push(Coordinate {
                name: own,
                position,
                velocity,
                acceleration,
                momentum,
                place,
            });
        }
        self.families.push(Family { name, ranges, first });
    }

    /// R' = R ω^ and x' = R v.
    fn derive_entries(&mut self, factors: &[GroupKind], pool: &mut Pool) {
        let velocity: Vec<ExprId> = self.coordinates.iter().map(|c| c.velocity).collect();
        let (mut entry, mut component) = (0, 0);
        for kind in factors {
            let size = kind.size();
            let at = |list: &[ExprId], k: usize| list.get(k).copied().unwrap_or(ExprId::ZERO);
            let matrix: Vec<ExprId> =
                (0..size * size).map(|k| at(&self.entries, entry + k)).collect();
            let omega: Vec<ExprId> =
                (0..kind.spins()).map(|k| at(&velocity, component + k)).collect();
            for i in 0..size {
                for j in 0..size {
                    // (R ω^)_ij: columns of R times those of ω^.
                    let rate = if size == 2 {
                        let other = at(&matrix, i * size + 1 - j);
                        let product = pool.mul(other, at(&omega, 0));
                        if j == 0 { product } else { pool.neg(product) }
                    } else {
                        let (k, l) = ((j + 1) % 3, (j + 2) % 3);
                        let plus = pool.mul(at(&matrix, i * size + k), at(&omega, l));
                        let minus = pool.mul(at(&matrix, i * size + l), at(&omega, k));
                        pool.sub(plus, minus)
                    };
                    self.entry_rates.push((at(&matrix, i * size + j), rate));
                }
            }
            entry += size * size;
            component += kind.spins();
            if kind.has_translation() {
                for i in 0..size {
                    let terms: Vec<ExprId> = (0..size)
                        .map(|j| pool.mul(at(&matrix, i * size + j), at(&velocity, component + j)))
                        .collect();
                    let rate = pool.sum(&terms);
                    self.entry_rates.push((at(&self.entries, entry + i), rate));
                }
                entry += size;
                component += size;
            }
        }
    }
}

/// What the question whether a matrix is symmetric may cost.
const SYMMETRY: u64 = 1_000_000;

/// The determinant of a matrix of one, two or three rows.
fn determinant(pool: &mut Pool, rows: &[Vec<ExprId>]) -> ExprId {
    let [first, rest @ ..] = rows else { return ExprId::ONE };
    let mut terms = Vec::with_capacity(first.len());
    for (j, &entry) in first.iter().enumerate().filter(|(_, entry)| !entry.is_zero()) {
        let without = |row: &Vec<ExprId>| [&row[..j], &row[j + 1..]].concat();
        let minor: Vec<Vec<ExprId>> = rest.iter().map(without).collect();
        let minor = determinant(pool, &minor);
        let term = pool.mul(entry, minor);
        terms.push(if j % 2 == 0 { term } else { pool.neg(term) });
    }
    pool.sum(&terms)
}

/// Is an expression of parameters positive at their values? Yes, where they have none.
fn is_positive(names: &Names<'_, '_, '_>, expression: ExprId, pool: &mut Pool) -> bool {
    let symbols = names.scope.parameter_symbols.iter().copied().enumerate();
    let values: Option<Substitution> =
        symbols.map(|(k, symbol)| Some((symbol, names.parameters.exact(k)?))).collect();
    let Some(values) = values else { return true };
    let Ok(value) = substitute(pool, &[expression], &values, &mut Budget::new(SYMMETRY)) else {
        return true;
    };
    match evaluate_ball(pool, value[0], &FxHashMap::default(), Precision::new(128)) {
        Ok(ball) => ball.is_positive(),
        Err(_) => true,
    }
}

/// Expressions of the table before they are lowered.
pub(crate) struct GroupParts<'d> {
    inertia: Vec<Vec<Expression<'d>>>,
    inertia_place: Place,
    mass: Option<Expression<'d>>,
    potential: Option<Expression<'d>>,
    rotations: Vec<Rotation<'d>>,
    translations: Vec<(Place, Vec<Expression<'d>>)>,
}

impl Builder<'_> {
    /// Reads the expressions of the table and of the initial placement.
    pub(crate) fn read_group<'d>(
        &mut self,
        group: &RawGroup<'d>,
        initial: Option<&RawInitial<'d>>,
    ) -> GroupParts<'d> {
        let mut one =
            |text: &crate::text::Text<'d>| self.read(text.clone(), Grammar::Expression, &[]);
        let (inertia_place, inertia) = match &group.inertia {
            Some((place, rows)) => {
                let rows = rows.iter().map(|row| row.iter().filter_map(&mut one).collect());
                (*place, rows.collect())
            }
            None => (group.place, Vec::new()),
        };
        let mass = group.mass.as_ref().and_then(&mut one);
        let potential = group.potential.as_ref().and_then(&mut one);
        let mut rotations = Vec::new();
        let mut translations = Vec::new();
        for rotation in initial.into_iter().flat_map(|initial| &initial.rotations) {
            let axis =
                rotation.axis.as_ref().map(|axis| axis.iter().filter_map(&mut one).collect());
            if let Some(angle) = one(&rotation.angle) {
                rotations.push((axis, angle, rotation.place));
            }
        }
        for (place, list) in initial.into_iter().flat_map(|initial| &initial.translations) {
            translations.push((*place, list.iter().filter_map(&mut one).collect()));
        }
        GroupParts { inertia, inertia_place, mass, potential, rotations, translations }
    }
}

impl<'d> GroupParts<'d> {
    /// ½ ω·Iω + ½ m|v|² − V.
    pub(crate) fn lower_system<'s>(
        &'s self,
        group: &RawGroup<'_>,
        names: &mut Names<'s, 'd, '_>,
        pool: &mut Pool,
    ) -> Option<SystemKind> {
        let kind = *group.factors.first()?;
        let place = group.inertia.as_ref()?.0;
        if group.factors.len() > 1 || names.scope.coordinates.len() > names.scope.components {
            let message = "inertia describes one factor, and there is more than that";
            names
                .reporter
                .error(ModelCode::Group, place, message)
                .hint("write the Lagrangian: L = \"…\"");
            return None;
        }
        let spins = kind.spins();
        let rows: Vec<usize> = self.inertia.iter().map(Vec::len).collect();
        let diagonal = rows == vec![1; spins];
        if !diagonal && rows != vec![spins; spins] {
            let message =
                format!("the inertia of {} is {spins} numbers or as many rows", kind.name());
            let hint = if spins == 1 { "write inertia = 2" } else { "write inertia = [1, 2, 3]" };
            names.reporter.error(ModelCode::Group, self.inertia_place, message).hint(hint);
            return None;
        }
        if kind.has_translation() != self.mass.is_some() {
            let (message, hint) = if kind.has_translation() {
                ("a body that moves has a mass", "add mass = 1")
            } else {
                ("a body that only rotates has no mass beside its inertia", "remove mass")
            };
            names.reporter.error(ModelCode::Group, group.place, message).hint(hint);
            return None;
        }
        let mut inertia = vec![vec![ExprId::ZERO; spins]; spins];
        for (i, row) in self.inertia.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                let column = if diagonal { i } else { j };
                inertia[i][column] = names.lower(entry, &[], Context::INERTIA, pool)?;
            }
        }
        for (i, row) in inertia.iter().enumerate() {
            for (j, &entry) in row.iter().enumerate().take(i) {
                let difference = pool.sub(entry, inertia[j][i]);
                if is_zero(pool, difference, &mut Budget::new(SYMMETRY)) == Zero::No {
                    let message = format!(
                        "the inertia is symmetric: its entries {},{} and {},{} are not equal",
                        i + 1,
                        j + 1,
                        j + 1,
                        i + 1
                    );
                    let hint = "write the whole matrix by rows, or the principal moments [1, 2, 3]";
                    names.reporter.error(ModelCode::Group, self.inertia_place, message).hint(hint);
                    return None;
                }
            }
        }
        let moment = (0..spins).find(|&i| !is_positive(names, inertia[i][i], pool));
        let minor = |size: usize| -> Vec<Vec<ExprId>> {
            inertia[..size].iter().map(|row| row[..size].to_vec()).collect()
        };
        let indefinite = (2..=spins).any(|size| {
            let determinant = determinant(pool, &minor(size));
            !is_positive(names, determinant, pool)
        });
        if moment.is_some() || indefinite {
            let message = match moment {
                Some(i) => format!("the moment of inertia {},{} is not positive", i + 1, i + 1),
                None => "the inertia is not positive definite".to_owned(),
            };
            let hint = "moments of inertia are positive; other quadratic forms go into L = \"…\"";
            names.reporter.error(ModelCode::Group, self.inertia_place, message).hint(hint);
            return None;
        }
        let mass = match &self.mass {
            Some(expression) => {
                let mass = names.lower(expression, &[], Context::INERTIA, pool)?;
                if !is_positive(names, mass, pool) {
                    let place = expression.text.whole();
                    names
                        .reporter
                        .error(ModelCode::Group, place, "the mass is not positive")
                        .hint("masses are positive at the values of the parameters");
                    return None;
                }
                mass
            }
            None => ExprId::ZERO,
        };
        let potential = match &self.potential {
            Some(potential) => names.lower(potential, &[], Context::POTENTIAL, pool)?,
            None => ExprId::ZERO,
        };
        let velocity: Vec<ExprId> = names.scope.coordinates.iter().map(|c| c.velocity).collect();
        let parts = velocity.split_at(spins.min(velocity.len()));
        let lagrangian = kinetic_minus_potential(pool, parts, &inertia, mass, potential);
        Some(SystemKind::Lagrangian { lagrangian, place })
    }

    /// Where the motion begins, and what a group cannot take.
    pub(crate) fn finish<'s>(
        &'s self,
        group: &RawGroup<'_>,
        constraints: &[Constraint],
        discrete: bool,
        names: &mut Names<'s, 'd, '_>,
        pool: &mut Pool,
    ) -> Option<LieGroup> {
        if discrete {
            let message = "a discrete Lagrangian belongs to coordinates, not to a [lie_group]";
            names.reporter.error(ModelCode::Group, group.place, message).hint("remove [discrete]");
        }
        let velocity: Vec<ExprId> = names.scope.coordinates.iter().map(|c| c.velocity).collect();
        for constraint in constraints {
            if !pool.depends_on(constraint.expression, &velocity) {
                let message = format!("the constraint `{}` contains no velocity", constraint.name);
                names.reporter.error(ModelCode::Group, constraint.place, message).hint(
                    "constraints of a [lie_group] are on omega, v and the velocities of coordinates",
                );
            }
        }
        let several = |count: usize| count > 0 && count != group.factors.len();
        if several(self.rotations.len()) {
            let place = self.rotations.first().map_or(group.place, |rotation| rotation.2);
            let wanted = group.factors.len();
            let message = format!("the group has {wanted} rotations, not {}", self.rotations.len());
            let hint = "write one for each: [{ axis = [0, 0, 1], angle = 1 }, …]";
            names.reporter.error(ModelCode::Rotation, place, message).hint(hint);
        }
        let moving = group.factors.iter().filter(|kind| kind.has_translation()).count();
        if !self.translations.is_empty() && self.translations.len() != moving {
            let place = self.translations.first().map_or(group.place, |(place, _)| *place);
            let (message, hint) = match moving {
                0 => ("the group has no translations".to_owned(), "remove it"),
                1 => ("the group has one translation".to_owned(), "write [1, 2, 3]"),
                _ => (
                    format!("the group has {moving} translations"),
                    "write one list for each: [[1, 2, 3], [4, 5, 6]]",
                ),
            };
            names.reporter.error(ModelCode::Rotation, place, message).hint(hint);
        }
        let mut initial = Vec::new();
        let mut translations = self.translations.iter();
        for (k, &kind) in group.factors.iter().enumerate() {
            match self.rotations.get(k) {
                Some(rotation) => initial.extend(lower_rotation(rotation, kind, names, pool)?),
                None => initial.extend(no_rotation(kind)),
            }
            if !kind.has_translation() {
                continue;
            }
            match translations.next() {
                Some((place, list)) if list.len() != kind.size() => {
                    let message = format!("a translation has {} components", kind.size());
                    names.reporter.error(ModelCode::Rotation, *place, message);
                }
                Some((_, list)) => {
                    for component in list {
                        initial.push(names.lower(component, &[], Context::INITIAL, pool)?);
                    }
                }
                None => initial.extend(vec![ExprId::ZERO; kind.size()]),
            }
        }
        Some(LieGroup {
            factors: group.factors.clone(),
            entries: names.scope.entries.clone(),
            entry_names: names.scope.entry_names.clone(),
            initial,
            components: names.scope.components,
            place: group.place,
        })
    }
}

type Rotation<'d> = (Option<Vec<Expression<'d>>>, Expression<'d>, Place);

fn lower_rotation<'s, 'd>(
    (axis, angle, place): &'s Rotation<'d>,
    kind: GroupKind,
    names: &mut Names<'s, 'd, '_>,
    pool: &mut Pool,
) -> Option<Vec<ExprId>> {
    let angle = names.lower(angle, &[], Context::INITIAL, pool)?;
    let mut direction = Vec::new();
    for component in axis.iter().flatten() {
        direction.push(names.lower(component, &[], Context::INITIAL, pool)?);
    }
    let wanted = if kind.size() == 2 { 0 } else { 3 };
    if direction.len() != wanted || (wanted > 0 && direction.iter().all(|x| x.is_zero())) {
        let (message, hint) = match wanted {
            0 => ("a rotation of the plane has no axis", "write { angle = \"pi/6\" }"),
            _ => (
                "a rotation of space has an axis of three components, not all zero",
                "write { axis = [0, 0, 1], angle = \"pi/6\" }",
            ),
        };
        names.reporter.error(ModelCode::Rotation, *place, message).hint(hint);
        return None;
    }
    Some(rotation_numbers(pool, kind, &direction, angle))
}
