//! The mechanics of a system at the points of a step.

use isotrope_algebra::calculus::{SparseRows, Substitution, substitute};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool, Rational};

use isotrope_model::OwnDiscreteLagrangian;

use super::stages::Digits;
use super::{
    After, Defect, Definition, DiscretiseError, Duration, Equations, Memory, Pair, Size, Unknown,
    UnknownKind,
};
use isotrope_derive::least_norm;
use isotrope_derive::{
    ConstraintRows, Degenerate, Dynamics, Eliminated, HamiltonianField, Mechanics, Solved,
    StateSpace, Symbols, System, Written,
};
use isotrope_derive::{Saddle, reactions};

/// A place where the mechanics is evaluated.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub q: Vec<ExprId>,
    pub v: Vec<ExprId>,
    pub t: ExprId,
}

/// Why momenta have no velocities by a linear solve.
const NOT_QUADRATIC: &str = "the Lagrangian is not quadratic in the velocities";

/// Velocities and multipliers.
pub(super) type Velocities = (Vec<ExprId>, Vec<ExprId>);

/// Writes equations: the system, the step, and what is written so far.
pub(super) struct Writer<'s> {
    pub symbols: &'s Symbols,
    pub dynamics: &'s Dynamics,
    pub rows: &'s ConstraintRows,
    /// λ(q, v, t), for the start.
    pub multipliers: &'s [ExprId],
    /// The discrete Lagrangian of the model.
    pub own: Option<&'s OwnDiscreteLagrangian>,
    /// dt/ds, where the model says it.
    pub rate: Option<ExprId>,
    /// v' and p' with eliminated multipliers.
    pub eliminated: &'s Eliminated,
    /// The equations of first order, where the Lagrangian is affine in the velocities.
    pub first_order: Option<&'s Degenerate>,
    /// The system in state space, if it is one.
    pub state: Option<&'s StateSpace>,
    /// Hamilton's equations, where the model is given by H and has no constraints.
    pub hamiltons_equations: Option<HamiltonianField>,
    /// Are they all there is? Then energy and forces are functions of (q, p), and there is no Lagrangian.
    pub no_lagrangian: bool,
    /// x' = f(x, t), where the equations are of first order.
    pub rates: Option<&'s [ExprId]>,
    pub h: ExprId,
    /// How irrational coefficients are written.
    pub digits: Digits,
    pub pool: Pool,
    pub budget: &'s mut Budget,
    pub unknowns: Vec<Unknown>,
    pub impulses: usize,
    pub residual: Vec<ExprId>,
    pub fixed_point: Option<Vec<ExprId>>,
    pub after: After,
    pub pair: Option<Pair>,
    /// The time that the step takes, if that is not h.
    pub duration: Option<Duration>,
    /// Evaluations in one round.
    pub evaluations: u32,
    definitions: Vec<Vec<Definition>>,
    memory: Vec<Memory>,
    sizes: Vec<Size>,
    /// What is measured of functions that are to be preserved.
    pub defects: Vec<Defect>,
    /// Symbols of the parameters.
    pub parameters: Vec<ExprId>,
    before_the_start: Vec<Vec<Definition>>,
    /// M does not depend on the velocities: p is inverted by a linear solve.
    pub quadratic: bool,
    /// L_q + F or A depend on the velocities.
    pub coupled: bool,
    /// The Legendre map v ↦ L_v depends on positions or time.
    pub varying_mass: bool,
}

impl<'s> Writer<'s> {
    pub(super) fn new(
        system: &'s System,
        step: &Rational,
        budget: &'s mut Budget,
    ) -> Result<Self, DiscretiseError> {
        Self::of(system, &system.mechanics, step, budget)
    }

    /// The same with other equations of the system.
    pub(super) fn of(
        system: &'s System,
        mechanics: &'s Mechanics,
        step: &Rational,
        budget: &'s mut Budget,
    ) -> Result<Self, DiscretiseError> {
        let alone = mechanics.hamiltonian_field().map(HamiltonianField::in_momenta);
        let Some(Solved { dynamics, rows, eliminated }) = mechanics.in_coordinates().or(alone)
        else {
            return Err(DiscretiseError::NotApplicable { reason: super::lie::NO_COORDINATES });
        };
        let mut pool = system.model.pool.clone();
        let hamiltons_equations = match mechanics.state() {
            Some(_) => None,
            None => system.hamiltons_equations(&mut pool, budget)?,
        };
        let h = pool.number(step.clone());
        let symbols = &system.symbols;
        let mut driving = dynamics.gradient.clone();
        driving.extend(&dynamics.forces);
        driving.extend(rows.matrix.iter().flatten().map(|entry| entry.1));
        let below = pool.reachable(&driving);
        let coupled = symbols.velocity.iter().any(|v| below.binary_search(v).is_ok());
        let below = pool.reachable(&dynamics.momenta);
        let mut moving = symbols.position.iter().chain([&symbols.time]);
        let varying_mass = moving.any(|x| below.binary_search(x).is_ok());
        let quadratic = dynamics.mass_is_velocity_free(&pool, symbols);
        Ok(Self {
            symbols,
            dynamics,
            rows,
            multipliers: &eliminated.multipliers,
            own: system.model.discrete.as_ref(),
            rate: system.model.rate.map(|rate| rate.value),
            eliminated,
            first_order: mechanics.degenerate(),
            state: mechanics.state(),
            hamiltons_equations,
            no_lagrangian: alone.is_some(),
            rates: system.mechanics.first_order(),
            h,
            digits: Digits::Double,
            pool,
            budget,
            unknowns: Vec::new(),
            impulses: 0,
            residual: Vec::new(),
            fixed_point: None,
            after: After::empty(),
            pair: None,
            duration: None,
            evaluations: 1,
            definitions: Vec::new(),
            memory: Vec::new(),
            sizes: Vec::new(),
            defects: Vec::new(),
            parameters: system.model.parameters.iter().map(|one| one.symbol).collect(),
            before_the_start: Vec::new(),
            quadratic,
            coupled,
            varying_mass,
        })
    }

    pub(super) fn finish(mut self) -> Result<Equations, OutOfBudget> {
        self.report_all_multipliers()?;
        Ok(Equations {
            pool: self.pool,
            definitions: self.definitions,
            unknowns: self.unknowns,
            impulses: self.impulses,
            residual: self.residual,
            fixed_point: self.fixed_point,
            after: self.after,
            pair: self.pair,
            duration: self.duration,
            memory: self.memory,
            sizes: self.sizes,
            before_the_start: self.before_the_start,
            evaluations: self.evaluations,
            bounds: Vec::new(),
            defects: self.defects,
        })
    }

    /// Multipliers of a scheme are those of the independent constraints; what is reported are those
    /// of least norm for all of them.
    fn report_all_multipliers(&mut self) -> Result<(), OutOfBudget> {
        let rows = self.rows;
        if self.after.multipliers.is_empty() || rows.redundant.is_empty() {
            return Ok(());
        }
        let t = self.later();
        let (q, v) = (self.after.position.clone(), self.after.velocity.clone());
        let end = Point { q, v, t };
        let (a, aside) = (self.constraints(&end)?, self.rows_at(&end, &rows.redundant_matrix())?);
        let multipliers = std::mem::take(&mut self.after.multipliers);
        self.after.multipliers =
            least_norm(&mut self.pool, &rows.redundant, &a, &aside, &multipliers);
        Ok(())
    }

    /// A symbol that the model does not have.
    fn fresh(&mut self, name: &str) -> ExprId {
        let mut name = name.to_owned();
        while self.pool.find_symbol(&name).is_some() {
            name.push('_');
        }
        self.pool.symbol(&name)
    }

    fn group(&mut self, names: Vec<String>, values: Vec<ExprId>) -> (Vec<ExprId>, Vec<Definition>) {
        let named = values.into_iter().zip(names);
        let group: Vec<Definition> =
            named.map(|(value, name)| Definition { symbol: self.fresh(&name), value }).collect();
        (group.iter().map(|definition| definition.symbol).collect(), group)
    }

    /// Symbols for expressions that are used more than once: q⁺ for `mark` ⁺.
    pub(super) fn define(&mut self, mark: &str, values: Vec<ExprId>) -> Vec<ExprId> {
        let names = self.symbols.names.iter().map(|name| format!("{name}{mark}")).collect();
        let (symbols, group) = self.group(names, values);
        self.definitions.push(group);
        symbols
    }

    /// The same for what there is one of for each constraint.
    pub(super) fn define_impulses(&mut self, mark: &str, values: Vec<ExprId>) -> Vec<ExprId> {
        let names = self.rows.names.iter().map(|name| format!("Λ_{name}{mark}")).collect();
        let (symbols, group) = self.group(names, values);
        self.definitions.push(group);
        symbols
    }

    /// The same for what is used only for the first values of numbers carried along.
    pub(super) fn define_before(&mut self, mark: &str, values: Vec<ExprId>) -> Vec<ExprId> {
        let names = self.symbols.names.iter().map(|name| format!("{name}{mark}")).collect();
        let (symbols, group) = self.group(names, values);
        self.before_the_start.push(group);
        symbols
    }

    /// A symbol for one expression.
    pub(super) fn define_one(&mut self, name: &str, value: ExprId) -> ExprId {
        let symbol = self.fresh(name);
        self.definitions.push(vec![Definition { symbol, value }]);
        symbol
    }

    /// A new unknown.
    pub(super) fn unknown(&mut self, name: &str, kind: UnknownKind, guess: ExprId) -> ExprId {
        let symbol = self.fresh(name);
        self.unknowns.push(Unknown { symbol, kind, guess });
        symbol
    }

    /// Unknown velocities with those of the state as a guess: x'₁ for `mark` ₁.
    pub(super) fn unknown_velocities(&mut self, mark: &str) -> Vec<ExprId> {
        let names = self.symbols.names.clone();
        let guesses = self.symbols.velocity.clone();
        let named = names.iter().zip(guesses).enumerate();
        named
            .map(|(i, (name, guess))| {
                self.unknown(&format!("{name}'{mark}"), UnknownKind::Velocity(i), guess)
            })
            .collect()
    }

    /// A number carried along; [`Writer::keep`] sets its next value.
    pub(super) fn remember(&mut self, name: &str, start: ExprId) -> ExprId {
        let symbol = self.fresh(name);
        self.memory.push(Memory { symbol, start, next: symbol, shown: None });
        symbol
    }

    /// How many numbers are carried along.
    pub(super) fn remembered(&self) -> usize {
        self.memory.len()
    }

    /// The same for a number that is shown in rows of output.
    pub(super) fn remember_as(&mut self, name: &'static str, start: ExprId) -> ExprId {
        let symbol = self.remember(name, start);
        if let Some(memory) = self.memory.last_mut() {
            memory.shown = Some(name);
        }
        symbol
    }

    /// The next value of a number carried along.
    pub(super) fn keep(&mut self, symbol: ExprId, next: ExprId) {
        if let Some(memory) = self.memory.iter_mut().find(|memory| memory.symbol == symbol) {
            memory.next = next;
        }
    }

    /// The size of a quantity in the problem, for what has to be compared with others in its own unit. For all steps at
    /// once it is 1: what is claimed of a scheme holds for all sizes.
    pub(super) fn size(&mut self, name: &str, of: UnknownKind) -> ExprId {
        if matches!(self.digits, Digits::Bits(_)) {
            return ExprId::ONE;
        }
        if let Some(size) = self.sizes.iter().find(|size| size.of == of) {
            return size.symbol;
        }
        let symbol = self.fresh(&format!("size_{name}"));
        self.sizes.push(Size { symbol, of });
        symbol
    }

    /// The place at the beginning of the step.
    pub(super) fn here(&self) -> Point {
        let symbols = self.symbols;
        Point { q: symbols.position.clone(), v: symbols.velocity.clone(), t: symbols.time }
    }

    /// t + h.
    pub(super) fn later(&mut self) -> ExprId {
        self.pool.add(self.symbols.time, self.h)
    }

    /// Expressions of the system at another place.
    pub(super) fn at(
        &mut self,
        point: &Point,
        expressions: &[ExprId],
    ) -> Result<Vec<ExprId>, OutOfBudget> {
        let symbols = self.symbols;
        let mut map = Substitution::default();
        map.extend(symbols.position.iter().copied().zip(point.q.iter().copied()));
        map.extend(symbols.velocity.iter().copied().zip(point.v.iter().copied()));
        map.insert(symbols.time, point.t);
        map.retain(|from, to| from != to);
        substitute(&mut self.pool, expressions, &map, self.budget)
    }

    /// Rows of a matrix at another place.
    pub(super) fn rows_at(
        &mut self,
        point: &Point,
        rows: &SparseRows,
    ) -> Result<SparseRows, OutOfBudget> {
        let entries: Vec<ExprId> = rows.iter().flatten().map(|entry| entry.1).collect();
        let mut values = self.at(point, &entries)?.into_iter();
        Ok(rows
            .iter()
            .map(|row| row.iter().zip(values.by_ref()).map(|(&(j, _), v)| (j, v)).collect())
            .collect())
    }

    /// A at a place.
    pub(super) fn constraints(&mut self, point: &Point) -> Result<SparseRows, OutOfBudget> {
        self.rows_at(point, &self.rows.matrix)
    }

    /// L_q + F at a place.
    pub(super) fn driving(&mut self, point: &Point) -> Result<Vec<ExprId>, OutOfBudget> {
        let pairs: Vec<_> =
            self.dynamics.gradient.iter().copied().zip(self.dynamics.forces.clone()).collect();
        let sums: Vec<ExprId> = pairs.into_iter().map(|(g, f)| self.pool.add(g, f)).collect();
        self.at(point, &sums)
    }

    /// Solves M(q) v + c(q) = p + reaction of `a` and `a` v + b = 0 for v and the multipliers,
    /// where L_v = M v + c; without rows there is no reaction. Refused if L is not quadratic.
    pub(super) fn velocities(
        &mut self,
        point: &Point,
        momenta: &[ExprId],
        a: &SparseRows,
        b: &[ExprId],
    ) -> Result<Velocities, DiscretiseError> {
        self.velocities_between(point, momenta, a, (a, b))
    }

    /// The same with reactions of other rows than those of the constraint.
    pub(super) fn velocities_between(
        &mut self,
        point: &Point,
        momenta: &[ExprId],
        reactions: &SparseRows,
        (a, b): (&SparseRows, &[ExprId]),
    ) -> Result<Velocities, DiscretiseError> {
        if !self.quadratic {
            return Err(DiscretiseError::NotApplicable { reason: NOT_QUADRATIC });
        }
        let mass = self.rows_at(point, &self.dynamics.mass)?;
        let zeros = vec![ExprId::ZERO; point.v.len()];
        let rest = Point { v: zeros, ..point.clone() };
        let constant = self.at(&rest, &self.dynamics.momenta)?;
        let impressed: Vec<ExprId> =
            momenta.iter().zip(&constant).map(|(&p, &c)| self.pool.sub(p, c)).collect();
        let saddle =
            Saddle { mass: &mass, constraints: a, reactions, impressed: &impressed, curvature: b };
        Ok(saddle.solve(&mut self.pool))
    }

    /// M⁻¹ times the reaction of `a`, at a place.
    pub(super) fn accelerated(
        &mut self,
        point: &Point,
        a: &SparseRows,
        multipliers: &[ExprId],
    ) -> Result<Vec<ExprId>, OutOfBudget> {
        let mass = self.rows_at(point, &self.dynamics.mass)?;
        let impressed = reactions(&mut self.pool, point.v.len(), a, multipliers);
        let free = Vec::new();
        let saddle = Saddle {
            mass: &mass,
            constraints: &free,
            reactions: &free,
            impressed: &impressed,
            curvature: &[],
        };
        Ok(saddle.solve(&mut self.pool).0)
    }

    /// The smallest change of velocities, in the metric M, that removes violations of `a` v + b = 0.
    pub(super) fn corrections(
        &mut self,
        point: &Point,
        a: &SparseRows,
        violations: &[ExprId],
    ) -> Result<Vec<ExprId>, OutOfBudget> {
        let mass = self.rows_at(point, &self.dynamics.mass)?;
        let zeros = vec![ExprId::ZERO; point.v.len()];
        let saddle = Saddle {
            mass: &mass,
            constraints: a,
            reactions: a,
            impressed: &zeros,
            curvature: violations,
        };
        Ok(saddle.solve(&mut self.pool).0)
    }

    /// p + h (L_q + F) + AᵀΛ, with any factor in place of h.
    pub(super) fn kicked(
        &mut self,
        momenta: &[ExprId],
        factor: ExprId,
        driving: &[ExprId],
        a: &SparseRows,
        multipliers: &[ExprId],
    ) -> Vec<ExprId> {
        let reaction = reactions(&mut self.pool, momenta.len(), a, multipliers);
        let parts = momenta.iter().zip(driving).zip(reaction);
        parts
            .map(|((&p, &d), r)| {
                let impulse = self.pool.mul(factor, d);
                self.pool.sum(&[p, impulse, r])
            })
            .collect()
    }

    /// q + factor v.
    pub(super) fn drifted(&mut self, q: &[ExprId], factor: ExprId, v: &[ExprId]) -> Vec<ExprId> {
        q.iter()
            .zip(v)
            .map(|(&q, &v)| {
                let way = self.pool.mul(factor, v);
                self.pool.add(q, way)
            })
            .collect()
    }

    /// The residuals a v + b at a place where A and b are known.
    pub(super) fn violations(&mut self, a: &SparseRows, b: &[ExprId], v: &[ExprId]) -> Vec<ExprId> {
        a.iter()
            .zip(b)
            .map(|(row, &b)| {
                let mut terms: Vec<ExprId> =
                    row.iter().map(|&(i, value)| self.pool.mul(value, v[i as usize])).collect();
                terms.push(b);
                self.pool.sum(&terms)
            })
            .collect()
    }

    /// A v + b at a place.
    pub(super) fn rates(&mut self, point: &Point) -> Result<Vec<ExprId>, OutOfBudget> {
        let a = self.constraints(point)?;
        let b = self.at(point, &self.rows.offset)?;
        Ok(self.violations(&a, &b, &point.v))
    }

    /// Refuses what schemes with momenta and multipliers cannot take.
    pub(super) fn require_quadratic(&self) -> Result<(), DiscretiseError> {
        if !self.quadratic {
            return Err(DiscretiseError::NotApplicable { reason: NOT_QUADRATIC });
        }
        if self.rows.written.contains(&Written::Chetaev) {
            return Err(DiscretiseError::NotApplicable {
                reason: "a constraint is nonlinear in the velocities",
            });
        }
        Ok(())
    }

    /// factor (F·v − L_t) − Λ·b: work of the forces, of moving constraints and of a Lagrangian
    /// that depends on time.
    pub(super) fn work(
        &mut self,
        point: &Point,
        factor: ExprId,
        multipliers: &[ExprId],
    ) -> Result<ExprId, OutOfBudget> {
        let velocity = self.symbols.velocity.clone();
        let mut terms: Vec<ExprId> = self
            .dynamics
            .working
            .iter()
            .zip(velocity)
            .map(|(&force, v)| self.pool.mul(force, v))
            .collect();
        terms.push(self.pool.neg(self.dynamics.explicit_time));
        let power = self.pool.sum(&terms);
        let power = self.at(point, &[power])?[0];
        let offset = self.at(point, &self.rows.offset)?;
        let mut terms = vec![self.pool.mul(factor, power)];
        for (&lambda, b) in multipliers.iter().zip(offset) {
            let product = self.pool.mul(lambda, b);
            terms.push(self.pool.neg(product));
        }
        Ok(self.pool.sum(&terms))
    }
}
