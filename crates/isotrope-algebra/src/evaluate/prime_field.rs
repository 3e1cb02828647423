//! Evaluation at random points of a prime field.
//!
//! A rational identity that holds holds modulo every prime, so one nonzero value is a proof
//! that an expression is not identically zero. Sines, cosines and exponentials of
//! polynomials are included: by Ax's theorem the exponentials of polynomials that are
//! linearly independent over Q are algebraically independent, so each independent angle may
//! be a random point of the circle.
//!
//! The prime is `2 r + 1` with `r` prime, so that the quadratic residues behave like the
//! positive numbers: exactly one of `u` and `-u` is a residue, and residues have unique
//! residues as roots of every order.
//!
//! It is 2305843009213542959: products fit in 128 bits, √(u²) = |u| has an image, and the
//! smallest primes (2, 3, 5, …, 23) are residues too. Angles are written over *base angles* that
//! are linearly independent over Q (`angles.rs`), each of which gets a random point of the circle,
//! or of the line for exponentials.
//!
//! There are two levels of fidelity. `Exact` admits only what is a homomorphism: its "not zero" is
//! a proof. `Generic` treats roots, absolute values and unknown functions as if their arguments
//! were generic; it serves for guesses (ranks, symmetries) that are verified afterwards or marked
//! as not proved. Random numbers come from a seeded generator, so runs repeat.

use rustc_hash::FxHashMap;

use super::gaussian::{Gaussian, GaussianField, Values};
use crate::angles::{Angle, Angles, has_angle};
use crate::functions::{Circular, Function, Hyperbolic, Relation};
use crate::linear::{Residues, solve_rows};
use crate::modular::{self, Random};
use crate::pool::{ExprId, Node, Pool};
use crate::{Budget, OrInternal, OutOfBudget};

/// A safe prime for which 2, 3, 5, ..., 23 are quadratic residues.
const PRIME: u64 = 2_305_843_009_213_542_959;

/// The next one below.
const SECOND_PRIME: u64 = 2_305_843_009_213_057_079;

/// What an evaluation may assume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fidelity {
    /// Only what is a homomorphism: a nonzero value proves a nonzero expression.
    Exact,
    /// Roots and absolute values as if arguments were generic, other functions as unknown
    /// functions: good for guesses that are verified afterwards.
    Generic,
}

/// Why an expression has no exact evaluation over a prime field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotExact {
    /// A function or root that has no homomorphic image.
    #[error("no exact evaluation over a prime field")]
    Function {
        /// The subexpression.
        at: ExprId,
    },
    /// Preparing took too long.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

/// A prepared evaluation of some expressions; see [`FieldPlan::evaluate`].
#[derive(Debug, Clone)]
pub struct FieldPlan {
    nodes: Vec<ExprId>,
    slots: FxHashMap<ExprId, usize>,
    outputs: Vec<ExprId>,
    angles: FxHashMap<ExprId, Angle>,
    bases: usize,
    prime: u64,
}

impl FieldPlan {
    /// The prime of the field.
    pub const PRIME: u64 = PRIME;

    /// Another prime with the same properties.
    pub const SECOND_PRIME: u64 = SECOND_PRIME;

    /// Prepares the evaluation of `outputs`.
    pub fn new(
        pool: &mut Pool,
        outputs: &[ExprId],
        fidelity: Fidelity,
        budget: &mut Budget,
    ) -> Result<Self, NotExact> {
        let nodes = pool.reachable(outputs);
        budget.spend(nodes.len() as u64, "preparing an evaluation")?;
        let mut arguments: Vec<ExprId> = Vec::new();
        for &id in &nodes {
            if fidelity == Fidelity::Exact {
                check_exact(pool, id)?;
            }
            if let Node::Call(function, argument) = pool.node(id)
                && has_angle(function)
            {
                arguments.push(argument);
            }
        }
        arguments.sort_unstable();
        arguments.dedup();
        let Angles { angles, bases } =
            Angles::split(pool, &arguments, fidelity == Fidelity::Exact, budget)?;
        let slots = nodes.iter().enumerate().map(|(slot, &id)| (id, slot)).collect();
        let outputs = outputs.to_vec();
        Ok(Self { nodes, slots, outputs, angles, bases: bases.len(), prime: PRIME })
    }

    /// The same evaluation modulo [`FieldPlan::SECOND_PRIME`]: what both primes say of a rational
    /// number is hardly an accident.
    #[must_use]
    pub fn modulo_second_prime(mut self) -> Self {
        self.prime = SECOND_PRIME;
        self
    }

    /// The prime this evaluation computes with.
    pub fn prime(&self) -> u64 {
        self.prime
    }

    /// The values of the outputs at a random point, where `fixed` gives the values of some
    /// symbols. `None` when the point is singular (a zero denominator, a root that does not
    /// exist): try another.
    pub fn evaluate(
        &self,
        pool: &Pool,
        random: &mut Random,
        fixed: &FxHashMap<ExprId, u64>,
    ) -> Option<Vec<u64>> {
        self.evaluate_in(&Residues(self.prime), pool, random, fixed)
    }

    /// The values at a random point, where square roots of numbers that have none are multiples of i, a root of -1:
    /// pairs a + b i. However many roots there are, hardly a point is singular.
    pub fn evaluate_with_roots(
        &self,
        pool: &Pool,
        random: &mut Random,
        fixed: &FxHashMap<ExprId, u64>,
    ) -> Option<Vec<Gaussian>> {
        self.evaluate_in(&GaussianField(self.prime), pool, random, fixed)
    }

    fn evaluate_in<F: Values>(
        &self,
        field: &F,
        pool: &Pool,
        random: &mut Random,
        fixed: &FxHashMap<ExprId, u64>,
    ) -> Option<Vec<F::Element>> {
        let salt = random.next_u64();
        let prime = self.prime;
        let circle = (0..self.bases).map(|_| circle_point(random, prime)).collect();
        let line: Vec<u64> = (0..self.bases).map(|_| 1 + random.below(prime - 1)).collect();
        let mut point = Point {
            plan: self,
            field: field.clone(),
            circle,
            line,
            salt,
            values: Vec::new(),
            solved: FxHashMap::default(),
        };
        for &id in &self.nodes {
            let value = match pool.node(id) {
                Node::Symbol(_) => field.residue(match fixed.get(&id) {
                    Some(&value) => value % prime,
                    None => random.below(prime),
                }),
                Node::Pi => field.residue(random.below(prime)),
                _ => point.node(pool, id)?,
            };
            point.values.push(value);
        }
        Some(self.outputs.iter().map(|id| point.values[self.slots[id]]).collect())
    }

    /// The values at up to `tries` random points until one is regular.
    pub fn evaluate_somewhere(
        &self,
        pool: &Pool,
        random: &mut Random,
        fixed: &FxHashMap<ExprId, u64>,
        tries: usize,
    ) -> Option<Vec<u64>> {
        (0..tries).find_map(|_| self.evaluate(pool, random, fixed))
    }
}

fn check_exact(pool: &Pool, id: ExprId) -> Result<(), NotExact> {
    let bad = Err(NotExact::Function { at: id });
    match pool.node(id) {
        Node::Undefined | Node::Atan2(..) => bad,
        Node::Call(function, _) if !has_angle(function) => bad,
        Node::Product(pairs) => {
            for (base, exponent) in pairs.iter() {
                match (pool.as_number(base), pool.as_number(exponent)) {
                    (_, Some(e)) if e.is_integer() => {}
                    (Some(b), Some(_)) if !b.is_negative() => {}
                    _ => return bad,
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// A random point (cos, sin) of the circle: -1 is not a square, so `1 + t^2` is never zero.
fn circle_point(random: &mut Random, prime: u64) -> (u64, u64) {
    let t = random.below(prime);
    let square = modular::mul(t, t, prime);
    let inverse = modular::inverse(modular::add(1, square, prime), prime);
    let inverse = inverse.or_noticed("-1 is not a square, so 1 + t^2 is not zero");
    let cosine = modular::mul(modular::sub(1, square, prime), inverse, prime);
    let sine = modular::mul(modular::add(t, t, prime), inverse, prime);
    (cosine, sine)
}

struct Point<'p, F: Values> {
    plan: &'p FieldPlan,
    field: F,
    circle: Vec<(u64, u64)>,
    line: Vec<u64>,
    salt: u64,
    values: Vec<F::Element>,
    solved: FxHashMap<ExprId, Vec<F::Element>>,
}

impl<F: Values> Point<'_, F> {
    fn prime(&self) -> u64 {
        self.plan.prime
    }

    fn value(&self, id: ExprId) -> F::Element {
        self.values[self.plan.slots[&id]]
    }

    fn node(&mut self, pool: &Pool, id: ExprId) -> Option<F::Element> {
        let field = &self.field;
        match pool.node(id) {
            Node::Number(value) => value.modulo(self.prime()).map(|value| field.residue(value)),
            Node::Pi | Node::Symbol(_) => None,
            Node::Undefined => None,
            Node::Sum(pairs) => {
                Some(pairs.iter().fold(field.zero(), |sum, (term, coefficient)| {
                    field.sum(sum, field.product(self.value(term), self.value(coefficient)))
                }))
            }
            Node::Product(pairs) => {
                let mut product = field.one();
                for (base, exponent) in pairs.iter() {
                    product = field.product(product, self.power(pool, base, exponent)?);
                }
                Some(product)
            }
            Node::Call(function, argument) => self.call(function, argument),
            Node::Atan2(y, x) => Some(self.unknown(99, &[self.value(y), self.value(x)])),
            Node::System(system) => {
                let mut matrix = vec![vec![field.zero(); system.size() + 1]; system.size()];
                for (row, column, value) in system.entries() {
                    matrix[row as usize][column as usize] = self.value(value);
                }
                for (row, value) in system.right().enumerate() {
                    matrix[row][system.size()] = self.value(value);
                }
                let Ok(solved) = solve_rows(&mut self.field, matrix);
                self.solved.insert(id, solved?.into_iter().flatten().collect());
                Some(self.field.zero())
            }
            Node::Solution { system, index } => {
                self.solved.get(&system).map(|solution| solution[index as usize])
            }
        }
    }

    fn power(&self, pool: &Pool, base: ExprId, exponent: ExprId) -> Option<F::Element> {
        let b = self.value(base);
        let Some(e) = pool.as_number(exponent) else {
            return Some(self.unknown(98, &[b, self.value(exponent)]));
        };
        match e.as_integer() {
            Some(n) => self.field.power(b, n),
            None => self.field.root_power(b, e),
        }
    }

    fn call(&self, function: Function, argument: ExprId) -> Option<F::Element> {
        let residue = |value| self.field.residue(value);
        let quotient = |(a, b): (u64, u64)| {
            Some(modular::mul(a, modular::inverse(b, self.prime())?, self.prime()))
        };
        match function.descriptor().relation {
            Relation::Circle(part) => {
                let (cosine, sine) = self.circle_value(argument);
                match part {
                    Circular::Sine => Some(residue(sine)),
                    Circular::Cosine => Some(residue(cosine)),
                    Circular::Tangent => quotient((sine, cosine)).map(residue),
                }
            }
            Relation::Exponential(part) => {
                let plus = self.exponential(argument)?;
                if part == Hyperbolic::Exponential {
                    return Some(residue(plus));
                }
                let minus = modular::inverse(plus, self.prime())?;
                let half = modular::inverse(2, self.prime())?;
                let sinh =
                    modular::mul(modular::sub(plus, minus, self.prime()), half, self.prime());
                let cosh =
                    modular::mul(modular::add(plus, minus, self.prime()), half, self.prime());
                match part {
                    Hyperbolic::Sine => Some(residue(sinh)),
                    Hyperbolic::Cosine => Some(residue(cosh)),
                    _ => quotient((sinh, cosh)).map(residue),
                }
            }
            Relation::AbsoluteValue | Relation::Sign => {
                let u = self.field.as_residue(self.value(argument))?;
                let positive = u == 0 || modular::pow(u, (self.prime() - 1) / 2, self.prime()) == 1;
                let sign = function.descriptor().relation == Relation::Sign;
                let size = if sign { u64::from(u != 0) } else { u };
                Some(residue(if positive { size } else { self.prime() - size }))
            }
            Relation::Generator => Some(self.unknown(function as u64, &[self.value(argument)])),
        }
    }

    fn circle_value(&self, argument: ExprId) -> (u64, u64) {
        let multiply = |(a, b): (u64, u64), (c, d): (u64, u64)| {
            let m = |x, y| modular::mul(x, y, self.prime());
            (
                modular::sub(m(a, c), m(b, d), self.prime()),
                modular::add(m(a, d), m(b, c), self.prime()),
            )
        };
        let mut result = (1, 0);
        for &(base, multiple) in &self.plan.angles[&argument] {
            let (c, s) = self.circle[base as usize];
            let mut square =
                if multiple < 0 { (c, modular::sub(0, s, self.prime())) } else { (c, s) };
            let mut count = multiple.unsigned_abs();
            while count > 0 {
                if count & 1 == 1 {
                    result = multiply(result, square);
                }
                square = multiply(square, square);
                count >>= 1;
            }
        }
        result
    }

    fn exponential(&self, argument: ExprId) -> Option<u64> {
        let mut result = 1;
        for &(base, multiple) in &self.plan.angles[&argument] {
            let power =
                modular::pow(self.line[base as usize], multiple.unsigned_abs(), self.prime());
            let power = if multiple < 0 { modular::inverse(power, self.prime())? } else { power };
            result = modular::mul(result, power, self.prime());
        }
        Some(result)
    }

    /// The value of an unknown function: random, but the same for the same arguments.
    fn unknown(&self, name: u64, arguments: &[F::Element]) -> F::Element {
        let mut state = self.salt ^ name;
        for &argument in arguments {
            for part in self.field.parts(argument) {
                state = Random::new(state ^ part).next_u64();
            }
        }
        self.field.residue(Random::new(state).below(self.prime()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rational;

    fn value(pool: &mut Pool, id: ExprId, fidelity: Fidelity) -> Option<u64> {
        let plan = FieldPlan::new(pool, &[id], fidelity, &mut Budget::new(10_000)).ok()?;
        plan.evaluate_somewhere(pool, &mut Random::new(7), &FxHashMap::default(), 50).map(|v| v[0])
    }

    #[test]
    fn both_primes_are_safe_and_small_primes_are_squares() {
        for prime in [PRIME, SECOND_PRIME] {
            let half = (prime - 1) / 2;
            assert!(modular::is_prime(prime) && modular::is_prime(half));
            for small in [2, 3, 5, 7, 11, 13, 17, 19, 23] {
                assert_eq!(modular::pow(small, half, prime), 1);
            }
        }
    }

    #[test]
    fn angle_sums_and_pythagoras_vanish() {
        let mut pool = Pool::new();
        let (x, y) = (pool.symbol("x"), pool.symbol("y"));
        let sum = pool.add(x, y);
        let third = pool.ratio(1, 3);
        let angle = pool.mul(third, x);
        let sine = pool.call(Function::Sin, sum);
        let (sx, cx) = (pool.call(Function::Sin, x), pool.call(Function::Cos, x));
        let (sy, cy) = (pool.call(Function::Sin, y), pool.call(Function::Cos, y));
        let (a, b) = (pool.mul(sx, cy), pool.mul(cx, sy));
        let right = pool.add(a, b);
        let difference = pool.sub(sine, right);
        assert_eq!(value(&mut pool, difference, Fidelity::Exact), Some(0));
        // sin x = 3 sin(x/3) - 4 sin^3(x/3)
        let s = pool.call(Function::Sin, angle);
        let cube = pool.powi(s, 3);
        let right =
            pool.linear_combination(&[(Rational::integer(3), s), (Rational::integer(-4), cube)]);
        let difference = pool.sub(sx, right);
        assert_eq!(value(&mut pool, difference, Fidelity::Exact), Some(0));
        let wrong = pool.add(difference, s);
        assert_ne!(value(&mut pool, wrong, Fidelity::Exact), Some(0));
    }

    #[test]
    fn equal_angles_written_differently_are_equal() {
        // sin((x+y) z) - sin(x z + y z)
        let mut pool = Pool::new();
        let (x, y, z) = (pool.symbol("x"), pool.symbol("y"), pool.symbol("z"));
        let sum = pool.add(x, y);
        let factored = pool.mul(sum, z);
        let (xz, yz) = (pool.mul(x, z), pool.mul(y, z));
        let expanded = pool.add(xz, yz);
        let (a, b) = (pool.call(Function::Sin, factored), pool.call(Function::Sin, expanded));
        let difference = pool.sub(a, b);
        assert!(!difference.is_zero());
        assert_eq!(value(&mut pool, difference, Fidelity::Exact), Some(0));
    }

    #[test]
    fn roots_are_multiplicative_and_not_exact() {
        let mut pool = Pool::new();
        let (x, y) = (pool.symbol("x"), pool.symbol("y"));
        let xy = pool.mul(x, y);
        let (a, b, c) = (pool.sqrt(x), pool.sqrt(y), pool.sqrt(xy));
        let ab = pool.mul(a, b);
        let difference = pool.sub(ab, c);
        assert_eq!(value(&mut pool, difference, Fidelity::Generic), Some(0));
        assert_eq!(value(&mut pool, difference, Fidelity::Exact), None);
    }

    #[test]
    fn a_solve_node_solves() {
        let mut pool = Pool::new();
        let (a, b) = (pool.symbol("a"), pool.symbol("b"));
        let x = pool.solve_node(&[(0, 0, a), (0, 1, b), (1, 0, ExprId::ONE)], &[ExprId::ONE, a]);
        let (p, q) = (pool.mul(a, x[0]), pool.mul(b, x[1]));
        let residual = pool.sum(&[p, q, ExprId::MINUS_ONE]);
        assert_eq!(value(&mut pool, residual, Fidelity::Exact), Some(0));
    }
}
