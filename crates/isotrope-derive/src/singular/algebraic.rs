//! The Legendre map of a Lagrangian that is algebraic in the velocities, such as −m √(t'² − x'²).
//!
//! p_i = L_{v_i} and e = p·v − L are polynomial relations between (q, v, p, e) and the roots in L. The part of their ideal
//! without velocities and roots, from a Gröbner basis in an order that eliminates, has the primary constraints and a relation
//! for e, which gives H where e is linear in it. That all of it vanishes on the Legendre map is proved by putting L_v and the
//! energy in; that there are as many as the rank of the Hessian leaves is checked.

use isotrope_algebra::calculus::{Substitution, jacobian, substitute};
use isotrope_algebra::ideal::{BasisEngine, BasisRequest, Coefficients, F4, VariableOrder};
use isotrope_algebra::normal::{AngleSplitting, Generators, Zero, is_zero, size};
use isotrope_algebra::{Budget, ExprId, Polynomial, Pool};

use super::elimination::eliminate;
use super::primary::{NoHamiltonian, fresh, short};
use super::rounds::split;
use super::surface::Surface;
use crate::manifold::coefficients;
use crate::{Dynamics, Symbols};

/// H and the primary constraints.
pub(super) struct Algebraic {
    pub(super) hamiltonian: ExprId,
    pub(super) primaries: Vec<ExprId>,
    pub(super) rank: usize,
}

/// What a basis may cost.
const BASIS: u64 = 400_000_000;
/// What one proof may cost.
const PROOF: u64 = 3_000_000;

pub(super) fn legendre(
    pool: &mut Pool,
    symbols: &Symbols,
    dynamics: &Dynamics,
    budget: &mut Budget,
) -> Result<Algebraic, NoHamiltonian> {
    let n = symbols.dimension();
    let energy = short(pool, dynamics.energy);
    let e = fresh(pool, "energy");
    let mut relations = Vec::with_capacity(n + 1);
    for (&p, &momentum) in symbols.momentum.iter().zip(&dynamics.momenta) {
        relations.push(pool.sub(p, momentum));
    }
    relations.push(pool.sub(e, energy));
    let found = relations_without_velocities(pool, symbols, &relations, budget)?;
    // What vanishes on the Legendre map: with L_v and the energy put in, nothing is left.
    let mut map: Substitution =
        symbols.momentum.iter().copied().zip(dynamics.momenta.iter().copied()).collect();
    map.insert(e, energy);
    let mut proved = Vec::new();
    for candidate in found {
        let there = substitute(pool, &[candidate], &map, budget)?[0];
        if is_zero(pool, there, &mut Budget::new(PROOF)) == Zero::Yes {
            proved.push(candidate);
        }
    }
    proved.sort_by_key(|&relation| size(pool, relation));
    let (with, without): (Vec<ExprId>, Vec<ExprId>) =
        proved.into_iter().partition(|&relation| pool.depends_on(relation, &[e]));
    let mut moving = symbols.position.clone();
    moving.extend(&symbols.velocity);
    let rank = rank_of_hessian(pool, dynamics, &Surface::new(&moving, &[]), n, budget)?;
    let primaries = independent(pool, symbols, without, n - rank, budget)?;
    for relation in with {
        let Some(list) = coefficients(pool, relation, e, budget)? else { continue };
        let [constant, slope] = list[..] else { continue };
        let there = substitute(pool, &[slope], &map, budget)?[0];
        if is_zero(pool, there, &mut Budget::new(PROOF)) != Zero::No {
            continue;
        }
        let quotient = pool.div(constant, slope);
        let minus = pool.neg(quotient);
        let hamiltonian = short(pool, minus);
        return Ok(Algebraic { hamiltonian, primaries, rank });
    }
    Err(NoHamiltonian::Refused)
}

fn rank_of_hessian(
    pool: &mut Pool,
    dynamics: &Dynamics,
    plain: &Surface,
    n: usize,
    budget: &mut Budget,
) -> Result<usize, NoHamiltonian> {
    let mut rows = vec![vec![ExprId::ZERO; n]; n];
    for (dense, row) in rows.iter_mut().zip(&dynamics.mass) {
        row.iter().for_each(|&(j, value)| dense[j as usize] = value);
    }
    Ok(eliminate(pool, plain, rows, n, budget)?.rank())
}

/// As many relations as there have to be, with independent differentials along p.
fn independent(
    pool: &mut Pool,
    symbols: &Symbols,
    relations: Vec<ExprId>,
    wanted: usize,
    budget: &mut Budget,
) -> Result<Vec<ExprId>, NoHamiltonian> {
    let mut variables = symbols.position.clone();
    variables.extend(&symbols.momentum);
    let plain = Surface::new(&variables, &[]);
    let n = symbols.dimension();
    let (mut found, mut rows) = (Vec::new(), Vec::new());
    for relation in relations {
        if found.len() == wanted {
            break;
        }
        let parts = split(pool, relation, budget)?;
        let mut moving = parts.iter().filter(|part| pool.depends_on(part.expression, &variables));
        let (Some(part), None) = (moving.next(), moving.next()) else { continue };
        let mut row = vec![ExprId::ZERO; n];
        for &(column, value) in &jacobian(pool, &[part.expression], &symbols.momentum, budget)?[0] {
            row[column as usize] = value;
        }
        let mut more = rows.clone();
        more.push(row);
        if eliminate(pool, &plain, more.clone(), n, budget)?.rank() == more.len() {
            rows = more;
            found.push(part.expression);
        }
    }
    if found.len() == wanted { Ok(found) } else { Err(NoHamiltonian::Refused) }
}

/// The relations that follow without velocities and roots of them.
fn relations_without_velocities(
    pool: &mut Pool,
    symbols: &Symbols,
    relations: &[ExprId],
    budget: &mut Budget,
) -> Result<Vec<ExprId>, NoHamiltonian> {
    let mut generators = Generators::new(pool, relations, AngleSplitting::Whole, budget)?;
    let fractions = generators.fractions(pool, relations, budget)?;
    let Some(fractions) = fractions else { return Err(NoHamiltonian::Refused) };
    let expressions = generators.expressions().to_vec();
    let moving: Vec<usize> = (0..expressions.len())
        .filter(|&k| pool.depends_on(expressions[k], &symbols.velocity))
        .collect();
    let ruled = |k: usize| generators.rules().iter().any(|rule| rule.variable() == k);
    let algebraic = moving.iter().all(|&k| symbols.velocity.contains(&expressions[k]) || ruled(k));
    if !algebraic {
        return Err(NoHamiltonian::Refused);
    }
    // The inverse of what is divided by, then what is eliminated, then the others.
    let others = (0..expressions.len()).filter(|k| !moving.contains(k));
    let order: Vec<usize> = moving.iter().copied().chain(others).collect();
    let mut place = vec![0; expressions.len()];
    order.iter().enumerate().for_each(|(at, &k)| place[k] = at + 1);
    let mut back = vec![0; expressions.len() + 1];
    order.iter().enumerate().for_each(|(at, &k)| back[at + 1] = k);
    let rename = |polynomial: &Polynomial, map: &[usize]| {
        Polynomial::from_terms(polynomial.terms().iter().map(|(monomial, value)| {
            let parts = monomial.variables().map(|k| (map[k], monomial.exponent(k)));
            let renamed = parts.fold(isotrope_algebra::Monomial::one(), |product, (k, power)| {
                product.with_exponent(k, power)
            });
            (renamed, value.clone())
        }))
    };
    let mut ideal = Vec::new();
    let mut divisor = Polynomial::one();
    for fraction in &fractions {
        ideal.push(rename(&fraction.numerator, &place));
        if fraction.denominator.variables().iter().any(|k| moving.contains(k)) {
            divisor = divisor.mul(&rename(&fraction.denominator, &place), budget)?;
        }
    }
    for rule in generators.rules().iter().filter(|rule| moving.contains(&rule.variable())) {
        let power = Polynomial::term(
            isotrope_algebra::Monomial::power(place[rule.variable()], rule.power()),
            isotrope_algebra::Rational::ONE,
        );
        ideal.push(power.sub(&rename(rule.replacement(), &place), budget)?);
        divisor = divisor.mul(&Polynomial::variable(place[rule.variable()]), budget)?;
    }
    let inverse = Polynomial::variable(0).mul(&divisor, budget)?;
    ideal.push(inverse.sub(&Polynomial::one(), budget)?);
    let request = BasisRequest {
        polynomials: &ideal,
        variables: expressions.len() + 1,
        order: VariableOrder::Eliminating(moving.len() + 1),
        coefficients: Coefficients::Rational,
    };
    let basis = F4::new(BASIS).basis(&request).map_err(|_| NoHamiltonian::Refused)?;
    let free = basis.iter().filter(|g| g.variables().iter().all(|&k| k > moving.len()));
    let free: Vec<Polynomial> = free.map(|g| rename(g, &back)).collect();
    Ok(free.iter().map(|g| generators.polynomial_to_expression(pool, g)).collect())
}
