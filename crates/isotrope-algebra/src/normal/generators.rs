//! The generators of a normal form and the relations between them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Fraction;
use crate::angles::{Angles, has_angle};
use crate::functions::{Circular, Function, Hyperbolic, Relation};
use crate::polynomial::{Monomial, Polynomial, PowerRule};
use crate::pool::{ExprId, Node, Pool};
use crate::{Budget, OrInternal, OutOfBudget, Rational};

const DOING: &str = "computing a normal form";
/// Operations for repeated factors of a polynomial.
const LOOKING: u64 = 200_000;

/// How arguments of sines and cosines become generators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AngleSplitting {
    /// Angle sums and multiples are taken apart: decides every trigonometric identity.
    Split,
    /// Each argument stays whole: shorter results, fewer identities.
    Whole,
}

/// The generators of some expressions: what the variables of their polynomials stand for.
#[derive(Debug, Clone)]
pub struct Generators {
    /// The expression behind each polynomial variable.
    expressions: Vec<ExprId>,
    variables: FxHashMap<ExprId, usize>,
    angles: Angles,
    /// Polynomial variables (cos, sin) of each base angle, once used.
    circle: Vec<Option<(usize, usize)>>,
    exponentials: Vec<Option<usize>>,
    /// Common denominator of the exponents of each radical's base.
    radicals: FxHashMap<ExprId, i64>,
    rules: Vec<PowerRule>,
}

impl Generators {
    /// Prepares normal forms of `expressions`.
    pub fn new(
        pool: &mut Pool,
        expressions: &[ExprId],
        splitting: AngleSplitting,
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let nodes = parts(pool, expressions);
        budget.spend(nodes.len() as u64, DOING)?;
        let mut arguments = Vec::new();
        let mut radicals: FxHashMap<ExprId, i64> = FxHashMap::default();
        for &id in &nodes {
            match pool.node(id) {
                Node::Call(function, argument) if has_angle(function) => arguments.push(argument),
                Node::Product(pairs) => {
                    for (base, exponent) in pairs.iter() {
                        if let Some((_, d)) = pool.as_number(exponent).and_then(Rational::as_small)
                            && d > 1
                        {
                            let entry = radicals.entry(base).or_insert(1);
                            *entry = lcm(*entry, d);
                        }
                    }
                }
                _ => {}
            }
        }
        arguments.sort_unstable();
        arguments.dedup();
        let angles = match splitting {
            AngleSplitting::Split => match Angles::split(pool, &arguments, false, budget) {
                Ok(angles) => angles,
                Err(crate::evaluate::NotExact::OutOfBudget(stop)) => return Err(stop),
                Err(crate::evaluate::NotExact::Function { .. }) => Angles::whole(&arguments),
            },
            AngleSplitting::Whole => Angles::whole(&arguments),
        };
        // cos(n x) has n/2 terms, found by n products: what is out of reach is refused before it is begun.
        let multiples = angles.angles.values().flatten().map(|&(_, n)| n.unsigned_abs());
        let products = multiples.fold(0, |sum: u64, n| sum.saturating_add(n.saturating_mul(n)));
        if products > budget.left() {
            budget.spend(products, DOING)?;
        }
        let bases = angles.bases.len();
        Ok(Self {
            expressions: Vec::new(),
            variables: FxHashMap::default(),
            angles,
            circle: vec![None; bases],
            exponentials: vec![None; bases],
            radicals,
            rules: Vec::new(),
        })
    }

    /// What each polynomial variable stands for.
    pub fn expressions(&self) -> &[ExprId] {
        &self.expressions
    }

    /// The rewriting rules between generators, such as `s^2 -> 1 - c^2`.
    pub fn rules(&self) -> &[PowerRule] {
        &self.rules
    }

    /// Rewrites with the relations and removes common factors until nothing changes.
    pub fn reduce(
        &self,
        fraction: &Fraction,
        budget: &mut Budget,
    ) -> Result<Fraction, OutOfBudget> {
        let mut current = fraction.clone();
        // Cancelling can make a relation apply again; in practice once is enough.
        for _ in 0..4 {
            let reduced = Fraction {
                numerator: current.numerator.reduce(&self.rules, budget)?,
                denominator: current.denominator.reduce(&self.rules, budget)?,
            };
            if reduced.denominator.is_zero() {
                return Ok(current);
            }
            let reduced = self.rationalised(&reduced.cancelled(budget)?, budget)?;
            if reduced == current {
                break;
            }
            current = reduced;
        }
        Ok(current)
    }

    /// Frees the denominator of generators with a quadratic rule (sines, square roots) by
    /// multiplying with the conjugate, where that does not make it longer.
    fn rationalised(
        &self,
        fraction: &Fraction,
        budget: &mut Budget,
    ) -> Result<Fraction, OutOfBudget> {
        let mut current = fraction.clone();
        for rule in &self.rules {
            let variable = rule.variable();
            if rule.power() != 2 || current.denominator.degree_in(variable) != 1 {
                continue;
            }
            let flip = Polynomial::variable(variable).negate();
            let conjugate = current.denominator.substitute(variable, &flip, budget)?;
            let product = Fraction {
                numerator: current
                    .numerator
                    .mul(&conjugate, budget)?
                    .reduce(&self.rules, budget)?,
                denominator: current
                    .denominator
                    .mul(&conjugate, budget)?
                    .reduce(&self.rules, budget)?,
            };
            if product.denominator.is_zero() {
                continue;
            }
            let product = product.cancelled(budget)?;
            if product.denominator.len() <= current.denominator.len()
                && product.numerator.len() <= current.numerator.len()
            {
                current = product;
            }
        }
        Ok(current)
    }

    fn variable(&mut self, id: ExprId) -> usize {
        if let Some(&variable) = self.variables.get(&id) {
            return variable;
        }
        let variable = self.expressions.len();
        self.expressions.push(id);
        self.variables.insert(id, variable);
        variable
    }

    /// Normal forms (not yet reduced by the relations) of expressions this was prepared for.
    /// `None` for an expression that is undefined.
    pub fn fractions(
        &mut self,
        pool: &mut Pool,
        expressions: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Option<Vec<Fraction>>, OutOfBudget> {
        let nodes = parts(pool, expressions);
        let mut images: FxHashMap<ExprId, Fraction> = FxHashMap::default();
        for id in nodes {
            budget.spend(1, DOING)?;
            match self.fraction(pool, id, &images, budget)? {
                Some(fraction) => images.insert(id, fraction),
                None => return Ok(None),
            };
        }
        Ok(Some(expressions.iter().map(|id| images[id].clone()).collect()))
    }

    fn fraction(
        &mut self,
        pool: &mut Pool,
        id: ExprId,
        images: &FxHashMap<ExprId, Fraction>,
        budget: &mut Budget,
    ) -> Result<Option<Fraction>, OutOfBudget> {
        let fraction = match pool.node(id) {
            Node::Number(value) => Fraction::from_polynomial(Polynomial::constant(value.clone())),
            Node::Undefined => return Ok(None),
            Node::Sum(pairs) => {
                let mut sum = Fraction::from_polynomial(Polynomial::zero());
                // Terms over 1 first and together: adding them one by one is quadratic.
                let mut whole = Vec::new();
                let mut broken = Vec::new();
                for (term, coefficient) in pairs.iter() {
                    let Some(number) = pool.as_number(coefficient) else { return Ok(None) };
                    let image = &images[&term];
                    if image.denominator.is_one() {
                        budget.spend(image.numerator.len() as u64, DOING)?;
                        whole.extend(
                            image.numerator.terms().iter().map(|(m, c)| (m.clone(), c * number)),
                        );
                    } else {
                        let numerator = image.numerator.scale(number, budget)?;
                        broken.push(Fraction { numerator, denominator: image.denominator.clone() });
                    }
                }
                sum.numerator = Polynomial::from_terms(whole);
                for part in broken {
                    sum = sum.add(&part, budget)?;
                }
                sum.numerator = sum.numerator.reduce(&self.rules, budget)?;
                sum
            }
            Node::Product(pairs) => {
                let pairs: Vec<_> = pairs.iter().collect();
                let mut product = Fraction::from_polynomial(Polynomial::one());
                for (base, exponent) in pairs {
                    let power = self.power(pool, base, exponent, images, budget)?;
                    let Some(power) = power else { return Ok(None) };
                    product = product.mul(&power, budget)?;
                }
                product.numerator = product.numerator.reduce(&self.rules, budget)?;
                product
            }
            Node::Call(function, argument) => match function.descriptor().relation {
                Relation::Circle(part) => self.circular_call(pool, part, argument, budget)?,
                Relation::Exponential(part) => {
                    self.exponential_call(pool, part, argument, budget)?
                }
                Relation::AbsoluteValue => self.absolute_value(id, &images[&argument], budget)?,
                Relation::Sign => {
                    // |u|/u, the same as u/|u|.
                    let size = pool.call(Function::Abs, argument);
                    let inner = &images[&argument];
                    match inner.powi(-1, budget)? {
                        // The sign of zero.
                        None => inner.clone(),
                        Some(_) if size == argument => Fraction::from_polynomial(Polynomial::one()),
                        Some(inverse) => {
                            let size = self.absolute_value(size, inner, budget)?;
                            size.mul(&inverse, budget)?
                        }
                    }
                }
                Relation::Generator => {
                    Fraction::from_polynomial(Polynomial::variable(self.variable(id)))
                }
            },
            Node::System(_) => Fraction::from_polynomial(Polynomial::zero()),
            Node::Pi | Node::Symbol(_) | Node::Atan2(..) | Node::Solution { .. } => {
                Fraction::from_polynomial(Polynomial::variable(self.variable(id)))
            }
        };
        Ok(Some(fraction))
    }

    /// |u|, a generator whose square is u².
    fn absolute_value(
        &mut self,
        id: ExprId,
        inner: &Fraction,
        budget: &mut Budget,
    ) -> Result<Fraction, OutOfBudget> {
        let fresh = !self.variables.contains_key(&id);
        let variable = self.variable(id);
        if fresh && inner.denominator.is_one() {
            let square = inner.numerator.powi(2, budget)?;
            self.add_rule(variable, 2, square);
        }
        Ok(Fraction::from_polynomial(Polynomial::variable(variable)))
    }

    fn add_rule(&mut self, variable: usize, power: u16, replacement: Polynomial) {
        self.rules.extend(PowerRule::new(variable, power, replacement));
    }

    fn power(
        &mut self,
        pool: &mut Pool,
        base: ExprId,
        exponent: ExprId,
        images: &FxHashMap<ExprId, Fraction>,
        budget: &mut Budget,
    ) -> Result<Option<Fraction>, OutOfBudget> {
        let Some(number) = pool.as_number(exponent).cloned() else {
            // b^(n + 2) = b^n b^2: the numeric part of the exponent is an ordinary power.
            let id = pool.power(base, exponent);
            return Ok(Some(Fraction::from_polynomial(Polynomial::variable(self.variable(id)))));
        };
        if let Some(n) = number.as_integer() {
            return images[&base].powi(n, budget);
        }
        let Some((n, d)) = number.as_small() else {
            let id = pool.power(base, exponent);
            return Ok(Some(Fraction::from_polynomial(Polynomial::variable(self.variable(id)))));
        };
        // u^(n/d) = r^(n q/d) with r = u^(1/q), q common to all radicals of u.
        let q = self.radicals.get(&base).copied().unwrap_or(d);
        let (q, multiple) = if q % d == 0 { (q, n * (q / d)) } else { (d, n) };
        let root_exponent = pool.ratio(1, q);
        let root = pool.power(base, root_exponent);
        let fresh = !self.variables.contains_key(&root);
        let variable = self.variable(root);
        let inner = &images[&base];
        if fresh
            && inner.denominator.is_constant()
            && let Ok(power) = u16::try_from(q)
            && let Some(scale) = inner.denominator.as_constant().and_then(|c| c.recip())
        {
            let replacement = inner.numerator.scale(&scale, budget)?;
            self.add_rule(variable, power, replacement);
        }
        let generator = Fraction::from_polynomial(Polynomial::variable(variable));
        let power = generator.powi(multiple, budget)?;
        // r^-n with r^q = u rationalises: r^(q-n)/u.
        Ok(match power {
            Some(power)
                if multiple < 0
                    && inner.denominator.is_constant()
                    && !inner.numerator.is_zero() =>
            {
                let whole = multiple.div_euclid(q);
                let rest = multiple.rem_euclid(q);
                let root = generator.powi(rest, budget)?;
                let base = inner.powi(whole, budget)?;
                match (root, base) {
                    (Some(root), Some(base)) => Some(root.mul(&base, budget)?),
                    _ => Some(power),
                }
            }
            other => other,
        })
    }

    fn circular_call(
        &mut self,
        pool: &mut Pool,
        part: Circular,
        argument: ExprId,
        budget: &mut Budget,
    ) -> Result<Fraction, OutOfBudget> {
        let (cosine, sine) = self.circle_value(pool, argument, budget)?;
        Ok(match part {
            Circular::Cosine => Fraction::from_polynomial(cosine),
            Circular::Sine => Fraction::from_polynomial(sine),
            Circular::Tangent if cosine.is_zero() => Fraction::from_polynomial(Polynomial::zero()),
            Circular::Tangent => Fraction { numerator: sine, denominator: cosine },
        })
    }

    fn exponential_call(
        &mut self,
        pool: &mut Pool,
        part: Hyperbolic,
        argument: ExprId,
        budget: &mut Budget,
    ) -> Result<Fraction, OutOfBudget> {
        let plus = self.exponential(pool, argument)?;
        let minus =
            Fraction { numerator: plus.denominator.clone(), denominator: plus.numerator.clone() };
        let half = Rational::half();
        let opposite = Fraction {
            numerator: minus.numerator.negate(),
            denominator: minus.denominator.clone(),
        };
        let mut sinh = plus.add(&opposite, budget)?;
        let mut cosh = plus.add(&minus, budget)?;
        Ok(match part {
            Hyperbolic::Exponential => plus,
            Hyperbolic::Sine => {
                sinh.numerator = sinh.numerator.scale(&half, budget)?;
                sinh
            }
            Hyperbolic::Cosine => {
                cosh.numerator = cosh.numerator.scale(&half, budget)?;
                cosh
            }
            Hyperbolic::Tangent => sinh.mul(
                &Fraction { numerator: cosh.denominator, denominator: cosh.numerator },
                budget,
            )?,
        })
    }

    fn circle_value(
        &mut self,
        pool: &mut Pool,
        argument: ExprId,
        budget: &mut Budget,
    ) -> Result<(Polynomial, Polynomial), OutOfBudget> {
        let combination = self.angles.angles.get(&argument).cloned();
        let combination = combination.or_internal("angles are split before they are used")?;
        let mut value = (Polynomial::one(), Polynomial::zero());
        for (base, multiple) in combination {
            let (c, s) = self.circle_variables(pool, base as usize);
            let sine = Polynomial::variable(s);
            let point = (Polynomial::variable(c), if multiple < 0 { sine.negate() } else { sine });
            for _ in 0..multiple.unsigned_abs() {
                let (a, b) = &value;
                let cosine = a.mul(&point.0, budget)?.sub(&b.mul(&point.1, budget)?, budget)?;
                let sine = a.mul(&point.1, budget)?.add(&b.mul(&point.0, budget)?, budget)?;
                value = (cosine.reduce(&self.rules, budget)?, sine.reduce(&self.rules, budget)?);
            }
        }
        Ok(value)
    }

    /// The base angles in use: (base, cosine variable, sine variable).
    pub(super) fn circle_pairs(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        self.circle.iter().enumerate().filter_map(|(base, pair)| pair.map(|(c, s)| (base, c, s)))
    }

    /// The same generators with `c^2 -> 1 - s^2` instead of `s^2 -> 1 - c^2` for one base.
    pub(super) fn with_sine_kept(&self, base: usize) -> Self {
        let mut swapped = self.clone();
        if let Some(Some((c, s))) = self.circle.get(base).copied() {
            swapped.rules.retain(|rule| rule.variable() != s);
            let square = Polynomial::from_terms([
                (Monomial::one(), Rational::ONE),
                (Monomial::power(s, 2), Rational::integer(-1)),
            ]);
            swapped.add_rule(c, 2, square);
        }
        swapped
    }

    pub(super) fn base_angle(&self, pool: &mut Pool, base: usize) -> ExprId {
        let (term, denominator) = self.angles.bases[base];
        let factor = pool.ratio(1, denominator);
        pool.mul(factor, term)
    }

    fn circle_variables(&mut self, pool: &mut Pool, base: usize) -> (usize, usize) {
        if let Some(pair) = self.circle[base] {
            return pair;
        }
        let angle = self.base_angle(pool, base);
        let (cosine, sine) = (pool.call(Function::Cos, angle), pool.call(Function::Sin, angle));
        let (c, s) = (self.variable(cosine), self.variable(sine));
        let square = Polynomial::from_terms([
            (Monomial::one(), Rational::ONE),
            (Monomial::power(c, 2), Rational::integer(-1)),
        ]);
        self.add_rule(s, 2, square);
        self.circle[base] = Some((c, s));
        (c, s)
    }

    fn exponential(&mut self, pool: &mut Pool, argument: ExprId) -> Result<Fraction, OutOfBudget> {
        let combination = self.angles.angles.get(&argument).cloned();
        let combination = combination.or_internal("angles are split before they are used")?;
        let mut result = Fraction::from_polynomial(Polynomial::one());
        let mut up = Monomial::one();
        let mut down = Monomial::one();
        for (base, multiple) in combination {
            let variable = match self.exponentials[base as usize] {
                Some(variable) => variable,
                None => {
                    let angle = self.base_angle(pool, base as usize);
                    let id = pool.call(Function::Exp, angle);
                    let variable = self.variable(id);
                    self.exponentials[base as usize] = Some(variable);
                    variable
                }
            };
            let Ok(power) = u16::try_from(multiple.unsigned_abs()) else {
                return Err(OutOfBudget::spent(u16::MAX.into(), DOING));
            };
            let side = if multiple < 0 { &mut down } else { &mut up };
            if let Some(product) = side.checked_mul(&Monomial::power(variable, power)) {
                *side = product;
            }
        }
        result.numerator = Polynomial::term(up, Rational::ONE);
        result.denominator = Polynomial::term(down, Rational::ONE);
        Ok(result)
    }

    /// The expression of a polynomial in the generators, multiplied out.
    pub fn polynomial_to_expression(&self, pool: &mut Pool, polynomial: &Polynomial) -> ExprId {
        let terms: Vec<_> = polynomial
            .terms()
            .iter()
            .map(|(monomial, coefficient)| {
                let powers: Vec<_> = monomial
                    .variables()
                    .map(|v| (self.expressions[v], monomial.exponent(v)))
                    .collect();
                let powers: Vec<_> = powers
                    .into_iter()
                    .map(|(id, exponent)| pool.powi(id, exponent.into()))
                    .collect();
                (coefficient.clone(), pool.product(&powers))
            })
            .collect();
        pool.linear_combination(&terms)
    }

    /// The expression of a polynomial: common monomials and repeated factors stand in front.
    pub(super) fn factored(&self, pool: &mut Pool, polynomial: &Polynomial) -> ExprId {
        let common = polynomial.monomial_content();
        let rest = polynomial.checked_div_monomial(&common).unwrap_or_else(|| polynomial.clone());
        let front = self.polynomial_to_expression(pool, &Polynomial::term(common, Rational::ONE));
        // A polynomial too large to look at stays as it is; an operation takes longer with many generators.
        let mut budget = Budget::new(LOOKING);
        if rest.len() > 1
            && !rest.is_seen_square_free()
            && (rest.len() as u64).saturating_mul(self.expressions.len() as u64) <= LOOKING
            && let Ok(parts) = rest.square_free(&mut budget)
            && parts.factors.iter().any(|factor| factor.1 > 1)
        {
            let mut factors = vec![front, pool.number(parts.unit)];
            for (factor, power) in &parts.factors {
                let factor = self.polynomial_to_expression(pool, factor);
                factors.push(pool.powi(factor, (*power).into()));
            }
            return pool.product(&factors);
        }
        let rest = self.polynomial_to_expression(pool, &rest);
        pool.mul(front, rest)
    }

    /// The expression of a fraction, see [`Generators::polynomial_to_expression`].
    pub fn to_expression(&self, pool: &mut Pool, fraction: &Fraction) -> ExprId {
        let numerator = self.factored(pool, &fraction.numerator);
        let denominator = self.factored(pool, &fraction.denominator);
        pool.div(numerator, denominator)
    }
}

/// Is there an angle or an exponent that could be taken apart?
pub(super) fn has_angles(pool: &Pool, expressions: &[ExprId]) -> bool {
    let is_angle =
        |id: &ExprId| matches!(pool.node(*id), Node::Call(function, _) if has_angle(function));
    parts(pool, expressions).iter().any(is_angle)
}

/// What expressions are rational functions of, and the parts between: children before parents. What stands inside of
/// a sine is no such part, however deep it is.
fn parts(pool: &Pool, expressions: &[ExprId]) -> Vec<ExprId> {
    let mut seen: FxHashSet<ExprId> = expressions.iter().copied().collect();
    let mut open = expressions.to_vec();
    open.sort_unstable();
    open.dedup();
    let mut found = Vec::new();
    while let Some(id) = open.pop() {
        found.push(id);
        let mut part = |id: ExprId| {
            if seen.insert(id) {
                open.push(id);
            }
        };
        match pool.node(id) {
            Node::Sum(pairs) => pairs.iter().for_each(|(term, _)| part(term)),
            Node::Product(pairs) => {
                let powers = pairs.iter().filter(|pair| pool.as_number(pair.1).is_some());
                powers.for_each(|(base, _)| part(base));
            }
            Node::Call(function, argument) => match function.descriptor().relation {
                Relation::AbsoluteValue | Relation::Sign => part(argument),
                Relation::Circle(_) | Relation::Exponential(_) | Relation::Generator => {}
            },
            _ => {}
        }
    }
    found.sort_unstable();
    found
}

fn lcm(a: i64, b: i64) -> i64 {
    let g = Rational::integer(a).gcd(&Rational::integer(b)).as_integer().unwrap_or(1);
    (a / g).saturating_mul(b)
}
