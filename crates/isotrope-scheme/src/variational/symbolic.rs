//! Discrete Lagrangians as formulas: what is printed, and what the compiled step is checked against.

use isotrope_algebra::calculus::{Substitution, gradient, substitute};
use isotrope_algebra::normal::{Zero, is_zero, simplify, size};
use isotrope_algebra::{Budget, ExprId, Pool, Rational};

use super::assemble::Assembly;
use super::lagrangian::{Action, DiscreteLagrangian, Pace, Piece};
use super::numerals::Numerals;
use super::step::refusal;
use crate::DiscretiseError;
use isotrope_derive::reactions;
use isotrope_derive::{ConstraintRows, LagrangianMechanics, PointSymmetry, System};

/// The action of a step as a formula.
#[derive(Debug, Clone)]
pub struct DiscreteAction {
    /// Holds all expressions; those of the system are in it.
    pub pool: Pool,
    /// h.
    pub step: ExprId,
    /// The time at the beginning of the step.
    pub time: ExprId,
    /// Points of a step: its beginning, those in which the action is stationary, its end.
    pub points: Vec<Vec<ExprId>>,
    /// The positions one step earlier.
    pub previous: Vec<ExprId>,
    /// Where the points are in the step.
    pub places: Vec<ExprId>,
    /// S, whose stationary value is L_d.
    pub action: ExprId,
    /// ∂S/∂q for each point.
    pub derivatives: Vec<Vec<ExprId>>,
    /// The discrete force on each point.
    pub forces: Vec<Vec<ExprId>>,
    /// Λ for each point and constraint.
    pub impulses: Vec<Vec<ExprId>>,
    /// AᵀΛ for each point.
    pub reactions: Vec<Vec<ExprId>>,
    /// What constraints demand of the points of a step.
    pub conditions: Vec<Condition>,
    /// Nodes and weights of each piece; none of a piece that is written in the model.
    pub quadratures: Vec<Vec<(ExprId, ExprId)>>,
    /// Are all numbers exact? Those of many points are written to twenty digits.
    pub exact: bool,
}

/// What a constraint demands of the points of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition {
    /// Which constraint.
    pub row: usize,
    /// Is it φ at a point, and not A v + b of the polynomial?
    pub on_position: bool,
    /// What has to vanish.
    pub value: ExprId,
}

/// Expressions up to this size are shortened, with this many operations each.
const SHORT: u64 = 2_000;
const SHORTENING: u64 = 200_000;
/// Systems with more coordinates are not: their formulas are too long to read.
const READABLE: usize = 12;
/// Operations for one question whether something vanishes.
const ZERO_TEST: u64 = 3_000_000;

impl DiscreteAction {
    /// The action of a discrete Lagrangian on a system.
    pub fn new(
        system: &System,
        lagrangian: &DiscreteLagrangian,
        budget: &mut Budget,
    ) -> Result<Self, DiscretiseError> {
        if system.mechanics.group().is_some() {
            let reason = crate::NO_COORDINATES;
            return Err(DiscretiseError::NotApplicable { reason });
        }
        let Some(LagrangianMechanics { dynamics, rows, .. }) = system.mechanics.lagrangian() else {
            let reason = match system.mechanics.degenerate() {
                Some(_) => {
                    "the Lagrangian is linear in the velocities, and its plain variational steps are unstable: \
                     dvi-1, dvi-2, dvi-4 and projected:NAME are for such systems"
                }
                None => "the system has no Lagrangian",
            };
            return Err(DiscretiseError::NotApplicable { reason });
        };
        if let Some(reason) = refusal(rows, lagrangian) {
            return Err(DiscretiseError::NotApplicable { reason });
        }
        if lagrangian.pace != Pace::Even {
            return Err(DiscretiseError::NotApplicable {
                reason: "formulas are written for steps of equal length; ask for the method without its \
                         prefix",
            });
        }
        let symbols = &system.symbols;
        let mut numerals = Numerals { pool: system.model.pool.clone(), exact: true, budget };
        // A discrete Lagrangian of the model has named the step and its end already.
        let own = system.model.discrete.as_ref();
        let step = own.map_or_else(|| fresh(&mut numerals.pool, "h"), |own| own.step);
        let count = 1 + lagrangian.pieces.iter().map(degree).sum::<usize>();
        let mut points = vec![symbols.position.clone()];
        for k in 1..count {
            let last = k + 1 == count;
            if let Some(own) = own.filter(|_| last) {
                points.push(own.end.clone());
                continue;
            }
            let mark = if last { "next".to_owned() } else { k.to_string() };
            let pool = &mut numerals.pool;
            let named = symbols.names.iter().map(|name| fresh(pool, &marked(name, &mark)));
            points.push(named.collect());
        }
        let pool = &mut numerals.pool;
        let earlier = symbols.names.iter().map(|name| fresh(pool, &marked(name, "prev")));
        let previous = earlier.collect();
        let assembly = Assembly::new(system, dynamics, rows, step, &points);
        let built = assembly.all(&mut numerals, lagrangian)?;
        let Numerals { mut pool, exact, budget } = numerals;
        let action = pool.sum(&built.terms);
        let mut derivatives = Vec::with_capacity(points.len());
        for point in &points {
            derivatives.push(gradient(&mut pool, action, point, budget)?);
        }
        let mut made = Self {
            pool,
            step,
            time: symbols.time,
            points,
            previous,
            places: built.places,
            action,
            derivatives,
            forces: built.forces,
            impulses: Vec::new(),
            reactions: Vec::new(),
            conditions: built.conditions,
            quadratures: built.quadratures,
            exact,
        };
        made.react(system, rows, budget)?;
        if symbols.dimension() <= READABLE {
            made.tidy();
        }
        Ok(made)
    }

    /// Impulses and their reactions, for each point.
    fn react(
        &mut self,
        system: &System,
        rows: &ConstraintRows,
        budget: &mut Budget,
    ) -> Result<(), DiscretiseError> {
        let n = system.symbols.dimension();
        let last = self.points.len() - 1;
        for k in 0..=last {
            let mark = match k {
                0 => String::new(),
                k if k == last => "next".to_owned(),
                k => k.to_string(),
            };
            let pool = &mut self.pool;
            let impulses: Vec<ExprId> = rows
                .names
                .iter()
                .map(|name| fresh(pool, &marked(&format!("Lambda_{name}"), &mark)))
                .collect();
            let free = reactions(pool, n, &rows.matrix, &impulses);
            let map = self.at(system, k);
            self.reactions.push(substitute(&mut self.pool, &free, &map, budget)?);
            self.impulses.push(impulses);
        }
        Ok(())
    }

    /// What the positions and the time of the system are at a point.
    fn at(&mut self, system: &System, point: usize) -> Substitution {
        let positions = system.symbols.position.iter().copied();
        let mut map: Substitution = positions.zip(self.points[point].iter().copied()).collect();
        let way = self.pool.mul(self.places[point], self.step);
        map.insert(self.time, self.pool.add(self.time, way));
        map
    }

    fn tidy(&mut self) {
        self.action = shorter(&mut self.pool, self.action);
        let pool = &mut self.pool;
        let lists = self.derivatives.iter_mut().chain(&mut self.forces).flatten();
        lists.for_each(|expression| *expression = shorter(pool, *expression));
        let conditions = self.conditions.iter_mut();
        conditions.for_each(|condition| condition.value = shorter(pool, condition.value));
    }

    /// Is the point in which the action is stationary nowhere but at the ends?
    pub fn is_direct(&self) -> bool {
        self.points.len() == 2
    }

    /// p = −D₁S − F₀: the discrete Legendre transform at the beginning.
    pub fn momenta_before(&mut self) -> Vec<ExprId> {
        let parts = self.derivatives[0].iter().zip(&self.forces[0]);
        let pool = &mut self.pool;
        parts
            .map(|(&derivative, &force)| {
                let sum = pool.add(derivative, force);
                pool.neg(sum)
            })
            .collect()
    }

    /// p⁺ = D₂S + F₁: the discrete Legendre transform at the end.
    pub fn momenta_after(&mut self) -> Vec<ExprId> {
        let last = self.points.len() - 1;
        let parts = self.derivatives[last].iter().zip(&self.forces[last]);
        let pool = &mut self.pool;
        parts.map(|(&derivative, &force)| pool.add(derivative, force)).collect()
    }

    /// From the ends and the time of a step to those of the step before; of actions without inner
    /// points.
    pub(super) fn one_step_back(&mut self) -> Option<Substitution> {
        let [begin, end] = self.points.as_slice() else { return None };
        let pairs = begin.iter().zip(&self.previous).chain(end.iter().zip(begin));
        let mut map: Substitution = pairs.map(|(&from, &to)| (from, to)).collect();
        map.insert(self.time, self.pool.sub(self.time, self.step));
        Some(map)
    }

    /// D₂L_d(q⁻, q) + D₁L_d(q, q⁺) with forces, without reactions; `None` where something is stationary
    /// between.
    pub fn euler_lagrange(
        &mut self,
        budget: &mut Budget,
    ) -> Result<Option<Vec<ExprId>>, DiscretiseError> {
        let Some(map) = self.one_step_back() else { return Ok(None) };
        let arriving = self.momenta_after();
        let arriving = substitute(&mut self.pool, &arriving, &map, budget)?;
        let leaving = self.momenta_before();
        let pairs = arriving.into_iter().zip(leaving);
        let mut equations: Vec<ExprId> = pairs.map(|(a, b)| self.pool.sub(a, b)).collect();
        if equations.len() <= READABLE {
            equations.iter_mut().for_each(|x| *x = shorter(&mut self.pool, *x));
        }
        Ok(Some(equations))
    }

    /// Is the action unchanged by a symmetry of the Lagrangian, acting on all points at once? Then
    /// the momentum p·ξ − G is the same at both ends of a step.
    pub fn is_invariant(
        &mut self,
        system: &System,
        symmetry: &PointSymmetry,
        budget: &mut Budget,
    ) -> Result<Zero, DiscretiseError> {
        let mut terms = Vec::new();
        for (point, derivative) in self.points.clone().iter().zip(&self.derivatives.clone()) {
            let map: Substitution =
                system.symbols.position.iter().copied().zip(point.iter().copied()).collect();
            let field = substitute(&mut self.pool, &symmetry.field, &map, budget)?;
            let pairs = field.into_iter().zip(derivative);
            terms.extend(pairs.map(|(xi, &d)| self.pool.mul(xi, d)).collect::<Vec<_>>());
        }
        // ξ(S) = G(q⁺) − G(q).
        if let (Some(first), Some(last)) = (self.points.first(), self.points.last()) {
            for (point, sign) in [(first.clone(), 1), (last.clone(), -1)] {
                let map: Substitution =
                    system.symbols.position.iter().copied().zip(point).collect();
                let gauge = substitute(&mut self.pool, &[symmetry.gauge], &map, budget)?;
                let sign = self.pool.number(Rational::integer(sign));
                terms.push(self.pool.mul(sign, gauge[0]));
            }
        }
        let sum = self.pool.sum(&terms);
        Ok(self.vanishes(sum))
    }

    /// What forces and reactions do to the momentum along a field in one step:
    /// Σ ξ(q_k)·(F_k + A(q_k)ᵀΛ_k) over all points.
    pub fn push_along(
        &mut self,
        system: &System,
        field: &[ExprId],
        budget: &mut Budget,
    ) -> Result<ExprId, DiscretiseError> {
        let mut terms = Vec::new();
        for k in 0..self.points.len() {
            let map = self.at(system, k);
            let field = substitute(&mut self.pool, field, &map, budget)?;
            for (i, xi) in field.into_iter().enumerate() {
                let push = self.pool.add(self.forces[k][i], self.reactions[k][i]);
                terms.push(self.pool.mul(xi, push));
            }
        }
        let sum = self.pool.sum(&terms);
        Ok(shorter(&mut self.pool, sum))
    }

    /// Is S(q₀, …, q_s, h) = −S(q_s, …, q₀, −h), with the time at the other end?
    pub fn is_self_adjoint(&mut self, budget: &mut Budget) -> Result<Zero, DiscretiseError> {
        let mut map = Substitution::default();
        for (point, mirrored) in self.points.iter().zip(self.points.iter().rev()) {
            map.extend(point.iter().copied().zip(mirrored.iter().copied()));
        }
        map.insert(self.step, self.pool.neg(self.step));
        map.insert(self.time, self.pool.add(self.time, self.step));
        let mirrored = substitute(&mut self.pool, &[self.action], &map, budget)?[0];
        let sum = self.pool.add(self.action, mirrored);
        Ok(self.vanishes(sum))
    }

    /// Is an expression zero? Within a budget of its own, so that one question leaves the others theirs.
    pub fn vanishes(&mut self, expression: ExprId) -> Zero {
        is_zero(&mut self.pool, expression, &mut Budget::new(ZERO_TEST))
    }

    /// Are all of them zero? The first answer that is not "yes".
    pub fn all_vanish(&mut self, expressions: &[ExprId]) -> Zero {
        let answers = expressions.iter().map(|&expression| self.vanishes(expression));
        let mut answers = answers.filter(|answer| *answer != Zero::Yes);
        answers.next().unwrap_or(Zero::Yes)
    }
}

/// A shorter form of an expression where one is cheap to find.
pub(super) fn shorter(pool: &mut Pool, expression: ExprId) -> ExprId {
    if size(pool, expression) > SHORT {
        return expression;
    }
    simplify(pool, expression, &mut Budget::new(SHORTENING))
}

/// `x[3]` becomes `x_next[3]`.
pub(super) fn marked(name: &str, mark: &str) -> String {
    if mark.is_empty() {
        return name.to_owned();
    }
    let (base, index) = name.split_at(name.find('[').unwrap_or(name.len()));
    format!("{base}_{mark}{index}")
}

/// How many points a piece adds.
pub(super) fn degree(piece: &Piece) -> usize {
    match piece.action {
        Action::Galerkin { degree, .. } => degree,
        Action::Own { .. } => 1,
    }
}

/// A symbol that the pool does not have.
pub(super) fn fresh(pool: &mut Pool, name: &str) -> ExprId {
    let mut name = name.to_owned();
    while pool.find_symbol(&name).is_some() {
        name.push('_');
    }
    pool.symbol(&name)
}
