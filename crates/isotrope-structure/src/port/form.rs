//! A port-Hamiltonian form, and what is computed of it.
//!
//! `x' = (J - R) dH + sum g_a u_a`: the columns `g_a` and one resistive port for every state on
//! which `R` acts make the bivector `D = -(J + sum g_a ^ d_(u_a))` on states and ports. Its graph
//! is an almost Dirac structure; it is Dirac exactly if J is Poisson, every g_a a Poisson vector
//! field, and the g_a commute.

use isotrope_algebra::linear::Matrix;
use isotrope_algebra::normal::{Zero, is_zero, simplify, size};
use isotrope_algebra::{Budget, ExprId, Function, Node, Pool};
use isotrope_geometry::{CourantTensor, DiracStructure};

use super::ansatz::{Direction, Dissipation};
use super::ring::Ring;
use super::sign::{Condition, Relation, Verdict, not_zero, positive_energy, semidefinite};
use super::{Origin, PortError, Problem};
use crate::geometry::{HomologicalReport, homological_of_bivector};

/// What a port is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortKind {
    /// What the structure leaves of the rates, with a function of the states as its input.
    Residual,
    /// An input of the model.
    Input,
    /// Dissipation: the input is minus `R` times the output.
    Resistive,
}

impl PortKind {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Residual => "residual",
            Self::Input => "input",
            Self::Resistive => "resistive",
        }
    }
}

/// A port `g u`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    /// Its coordinate beside the states.
    pub coordinate: ExprId,
    /// What it is there for.
    pub kind: PortKind,
    /// The column `g`.
    pub column: Vec<ExprId>,
    /// The input `u`.
    pub input: ExprId,
    /// The output `y = g . dH`.
    pub output: ExprId,
}

/// How the residual enters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Realisation {
    /// There is none.
    Closed,
    /// One port with the residual as its column and the input 1.
    Modulated,
    /// One constant port for every state of the support.
    Constant,
}

/// What decides between forms, in this order.
#[derive(Debug, Clone)]
pub struct Criteria {
    /// Are J and R zero, with all of the rates in ports? That is not a structure.
    pub trivial: bool,
    /// Is R positive semidefinite?
    pub passive: Verdict,
    /// Ports for the residual, and the states that they act on.
    pub residual_ports: usize,
    /// Is the Courant tensor zero?
    pub integrable: Zero,
    /// Is H positive definite?
    pub positive: Verdict,
    /// The rank of R, as the number of states that it acts on.
    pub dissipated: usize,
    /// The degree of the entries of J and R.
    pub degree: u32,
    /// How long the form is written.
    pub size: u64,
}

/// One port-Hamiltonian form of the equations.
#[derive(Debug, Clone)]
pub struct Form {
    /// Where H comes from.
    pub origin: Origin,
    /// The entries of R that were asked for.
    pub dissipation: Dissipation,
    /// How the residual enters.
    pub realisation: Realisation,
    /// The energy.
    pub hamiltonian: ExprId,
    /// The antisymmetric matrix.
    pub j: Matrix,
    /// The symmetric matrix.
    pub r: Matrix,
    /// The ports; resistive ones last.
    pub ports: Vec<Port>,
    /// The states at which the residual acts.
    pub residual_support: Vec<usize>,
    /// `H' = f . dH` without the inputs of the model.
    pub power: ExprId,
    /// Is `H' = -dH R dH + sum y u` an identity, and `f = (J - R) dH + sum g u`?
    pub balance: Zero,
    /// States and port coordinates.
    pub base: Vec<ExprId>,
    /// The matrix of D.
    pub bivector: Matrix,
    /// The Courant tensor of its graph.
    pub courant: CourantTensor,
    /// Q and its square.
    pub homological: HomologicalReport,
    /// What parameters (and states, for logarithms) have to satisfy.
    pub conditions: Vec<Condition>,
    /// Directions of the family of structures with the same energy and residual.
    pub directions: Vec<Direction>,
    /// How many directions there are.
    pub freedom: usize,
    /// What decides between forms.
    pub criteria: Criteria,
}

/// What determines a form.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub origin: Origin,
    pub dissipation: Dissipation,
    pub realisation: Realisation,
    pub hamiltonian: ExprId,
    pub gradient: Vec<ExprId>,
    pub j: Matrix,
    pub r: Matrix,
    pub residual: Vec<ExprId>,
    pub degree: u32,
    pub directions: Vec<Direction>,
    pub freedom: usize,
}

fn dot(pool: &mut Pool, a: &[ExprId], b: &[ExprId]) -> ExprId {
    let terms: Vec<ExprId> = a.iter().zip(b).map(|(&x, &y)| pool.mul(x, y)).collect();
    pool.sum(&terms)
}

fn unit(n: usize, at: usize) -> Vec<ExprId> {
    let mut column = vec![ExprId::ZERO; n];
    column[at] = ExprId::ONE;
    column
}

/// Names for port coordinates: x5 after x1, …, x4, and w1, w2, … otherwise.
pub(super) fn port_coordinates(pool: &mut Pool, problem: &Problem, count: usize) -> Vec<ExprId> {
    let names: Vec<String> = problem.states.iter().map(|&x| pool.label(x)).collect();
    let stem = names.first().map(|name| name.trim_end_matches(|c: char| c.is_ascii_digit()));
    let numbered = stem.filter(|stem| {
        let expected = (1..=names.len()).map(|i| format!("{stem}{i}"));
        !stem.is_empty() && names.iter().cloned().eq(expected)
    });
    let (stem, mut number) = match numbered {
        Some(stem) => (stem.to_owned(), names.len()),
        None => ("w".to_owned(), 0),
    };
    let taken: Vec<ExprId> = problem.states.iter().chain(&problem.symbols).copied().collect();
    let mut list = Vec::with_capacity(count);
    while list.len() < count {
        number += 1;
        let symbol = pool.symbol(&format!("{stem}{number}"));
        if !taken.contains(&symbol) {
            list.push(symbol);
        }
    }
    list
}

impl Draft {
    fn support(&self) -> Vec<usize> {
        (0..self.residual.len()).filter(|&i| !self.residual[i].is_zero()).collect()
    }

    fn ports(&self, pool: &mut Pool, problem: &Problem, budget: &mut Budget) -> Vec<Port> {
        let n = problem.states.len();
        let mut list: Vec<(PortKind, Vec<ExprId>, ExprId)> = Vec::new();
        match self.realisation {
            Realisation::Closed => {}
            Realisation::Modulated => {
                list.push((PortKind::Residual, self.residual.clone(), ExprId::ONE));
            }
            Realisation::Constant => {
                for i in self.support() {
                    list.push((PortKind::Residual, unit(n, i), self.residual[i]));
                }
            }
        }
        for (&input, column) in problem.inputs.iter().zip(&problem.columns) {
            list.push((PortKind::Input, column.clone(), input));
        }
        let lost = self.r.apply(pool, &self.gradient);
        for (i, &lost) in lost.iter().enumerate() {
            if self.r.row(i).iter().any(|entry| !entry.is_zero()) {
                let input = pool.neg(lost);
                let input = simplify(pool, input, budget);
                list.push((PortKind::Resistive, unit(n, i), input));
            }
        }
        let coordinates = port_coordinates(pool, problem, list.len());
        list.into_iter()
            .zip(coordinates)
            .map(|((kind, column, input), coordinate)| {
                let output = dot(pool, &column, &self.gradient);
                let output = simplify(pool, output, budget);
                Port { coordinate, kind, column, input, output }
            })
            .collect()
    }

    /// Is `f = (J - R) dH + sum g u` with J antisymmetric and R symmetric, and then
    /// `H' = -dH R dH + sum y u`?
    fn balance(
        &self,
        pool: &mut Pool,
        problem: &Problem,
        ports: &[Port],
        budget: &mut Budget,
    ) -> Zero {
        let n = problem.states.len();
        let forward = self.j.apply(pool, &self.gradient);
        let lost = self.r.apply(pool, &self.gradient);
        let mut claims = Vec::new();
        for i in 0..n {
            let mut terms = vec![forward[i], pool.neg(lost[i])];
            for port in ports.iter().filter(|port| port.kind != PortKind::Resistive) {
                terms.push(pool.mul(port.column[i], port.input));
            }
            let sum = pool.sum(&terms);
            claims.push(pool.sub(problem.rates[i], sum));
            for k in 0..n {
                claims.push(pool.add(self.j.get(i, k), self.j.get(k, i)));
                claims.push(pool.sub(self.r.get(i, k), self.r.get(k, i)));
            }
        }
        let mut power = vec![dot(pool, &problem.rates, &self.gradient)];
        power.push(dot(pool, &self.gradient, &lost));
        for port in ports.iter().filter(|port| port.kind != PortKind::Resistive) {
            let supplied = pool.mul(port.output, port.input);
            power.push(pool.neg(supplied));
        }
        claims.push(pool.sum(&power));
        let mut answer = Zero::Yes;
        for claim in claims {
            match is_zero(pool, claim, budget) {
                Zero::Yes => {}
                Zero::No => return Zero::No,
                unknown @ Zero::Unknown { .. } => answer = unknown,
            }
        }
        answer
    }

    fn conditions(
        &self,
        pool: &mut Pool,
        problem: &Problem,
        ports: &[Port],
        passive: &Verdict,
        budget: &mut Budget,
    ) -> Result<Vec<Condition>, PortError> {
        let mut list: Vec<Condition> = Vec::new();
        let mut all = problem.rates.clone();
        all.push(self.hamiltonian);
        all.extend(self.j.entries().iter().chain(self.r.entries()));
        all.extend(ports.iter().flat_map(|port| port.column.iter().copied().chain([port.input])));
        for condition in denominators(pool, &all, budget)? {
            if !list.contains(&condition) {
                list.push(condition);
            }
        }
        for argument in logarithms(pool, self.hamiltonian) {
            list.push(Condition { expression: argument, relation: Relation::Positive });
        }
        for condition in passive.conditions() {
            if !list.contains(condition) {
                list.push(*condition);
            }
        }
        Ok(list)
    }

    /// Computes everything that a form says.
    pub fn examine(
        self,
        pool: &mut Pool,
        problem: &Problem,
        budget: &mut Budget,
    ) -> Result<Form, PortError> {
        let n = problem.states.len();
        let ports = self.ports(pool, problem, budget);
        let balance = self.balance(pool, problem, &ports, budget);
        let base: Vec<ExprId> =
            problem.states.iter().copied().chain(ports.iter().map(|p| p.coordinate)).collect();
        let mut bivector = Matrix::zero(base.len(), base.len());
        for i in 0..n {
            for k in 0..n {
                let value = pool.neg(self.j.get(i, k));
                bivector.set(i, k, value);
            }
            for (a, port) in ports.iter().enumerate() {
                bivector.set(n + a, i, port.column[i]);
                let value = pool.neg(port.column[i]);
                bivector.set(i, n + a, value);
            }
        }
        let graph = DiracStructure::graph_of_bivector(&base, &bivector);
        let courant = graph.courant_tensor(pool, budget)?;
        let homological = homological_of_bivector(pool, &base, &bivector, budget)?;
        let passive = semidefinite(pool, &problem.states, &self.r, &problem.values, budget)?;
        let positive =
            positive_energy(pool, &problem.states, self.hamiltonian, &problem.values, budget)?;
        let conditions = self.conditions(pool, problem, &ports, &passive, budget)?;
        let power = dot(pool, &problem.drift, &self.gradient);
        let power = simplify(pool, power, budget);
        let written = self.j.entries().iter().chain(self.r.entries()).chain(&self.residual);
        let written: u64 = written.filter(|e| !e.is_zero()).map(|&e| size(pool, e)).sum();
        let residual_support = self.support();
        let dissipated = ports.iter().filter(|port| port.kind == PortKind::Resistive).count();
        let criteria = Criteria {
            trivial: self.j.entries().iter().chain(self.r.entries()).all(|e| e.is_zero())
                && !residual_support.is_empty(),
            passive,
            residual_ports: residual_support.len(),
            integrable: courant.vanishes(),
            positive,
            dissipated,
            degree: self.degree,
            size: written.saturating_add(size(pool, self.hamiltonian)),
        };
        Ok(Form {
            origin: self.origin,
            dissipation: self.dissipation,
            realisation: self.realisation,
            hamiltonian: self.hamiltonian,
            j: self.j,
            r: self.r,
            ports,
            residual_support,
            power,
            balance,
            base,
            bivector,
            courant,
            homological,
            conditions,
            directions: self.directions,
            freedom: self.freedom,
            criteria,
        })
    }
}

/// The conditions that denominators do not vanish.
fn denominators(
    pool: &mut Pool,
    expressions: &[ExprId],
    budget: &mut Budget,
) -> Result<Vec<Condition>, PortError> {
    let mut list = Vec::new();
    for &expression in expressions {
        let (ring, fractions) = Ring::new(pool, &[], &[expression], budget)?;
        let denominator = ring.expression(pool, &fractions[0].denominator);
        for condition in not_zero(pool, denominator, budget)? {
            if !list.contains(&condition) {
                list.push(condition);
            }
        }
    }
    Ok(list)
}

/// The arguments of logarithms.
fn logarithms(pool: &Pool, expression: ExprId) -> Vec<ExprId> {
    let nodes = pool.reachable(&[expression]);
    nodes
        .into_iter()
        .filter_map(|id| match pool.node(id) {
            Node::Call(Function::Log, argument) => Some(argument),
            _ => None,
        })
        .collect()
}
