//! Steps that balance power: x' = (J − R) ∇H + g u with a discrete gradient in the place of ∇H.
//!
//! With ∇̄H·Δx = ΔH and Δx = h ((J − R) ∇̄H + g u), J skew, the energy changes by what is dissipated and what
//! ports supply and by nothing else, whatever the step:
//!
//! ΔH = h (−∇̄Hᵀ R ∇̄H + yᵀ u),   y = gᵀ ∇̄H.
//!
//! `gradient` has the discrete gradients, `collocation` steps of high order with several of them. Differences
//! of H are means of its derivative along a way, which are exact for polynomials, and near rest no difference of two
//! energies spoils them; what is piecewise a polynomial is taken piece by piece (`pieces`). Elsewhere what is missing to the difference itself is added, as far as it is more than
//! rounding (`Form::balanced`). `descriptor` has steps for E x' = (J − R) z + g u.
//!
//! A scheme reports with `Exchange` what ports supplied and what was dissipated; the assembler sums
//! it up in the state and measures each step's defect. With a matrix E (`descriptor.rs`), x is w +
//! K μ with K a basis of ker E: w has rates, μ has values at the stages, and nothing of μ is
//! carried along.

mod collocation;
mod descriptor;
mod gradient;

pub(super) use collocation::average;
pub(super) use gradient::gonzalez;

use isotrope_algebra::calculus::{Substitution, derivative, substitute};
use isotrope_algebra::{ExprId, OrInternal, Rational};
use isotrope_model::StateKind;

use super::chord::degree;
use super::energy::tiny;
use super::equations::{Exchange, UnknownKind};
use super::mechanics::{Point, Writer};
use super::pieces::{Parted, Way, jumps};
use super::registry::{Capabilities, Entry, Family, InStateSpace, Recipe, Written};
use super::stages::{Digits, Numbers};
use super::{DiscretiseError, degenerate};
use isotrope_derive::{StateSpace, Structure};
use isotrope_methods::table::Table;

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "power-balance",
    citation: None,
    capabilities: Capabilities {
        state_space: InStateSpace::Only,
        balance_power: true,
        ..Capabilities::MECHANICS
    },
    entries: &[
        Entry {
            name: "avf-4",
            about: "collocation with two means of ∇H (Cohen–Hairer): balances power",
            recipe: Recipe::Plain(|writer| collocation::write(writer, 2)),
            citation: Some("D. Cohen, E. Hairer, BIT 51 (2011), 91-101"),
            ..Entry::BLANK
        },
        Entry {
            name: "avf-6",
            about: "the same with three",
            recipe: Recipe::Plain(|writer| collocation::write(writer, 3)),
            citation: Some("D. Cohen, E. Hairer, BIT 51 (2011), 91-101"),
            ..Entry::BLANK
        },
        Entry {
            name: "itoh-abe",
            about: "differences of H one coordinate after the other: balances power",
            recipe: Recipe::Plain(|writer| gradient::itoh_abe(writer, gradient::Ways::There)),
            citation: Some("T. Itoh, K. Abe, J. Comput. Phys. 76 (1988), 85-102"),
            ..Entry::BLANK
        },
        Entry {
            name: "itoh-abe-2",
            about: "the mean of itoh-abe in the order of the coordinates and in the reverse one: symmetric",
            recipe: Recipe::Plain(|writer| {
                gradient::itoh_abe(writer, gradient::Ways::ThereAndBack)
            }),
            ..Entry::BLANK
        },
    ],
};

/// Points of quadrature where it is not exact.
const POINTS: usize = 8;
/// The most points that polynomials are given.
const MOST_POINTS: usize = 16;

/// The Hamiltonian form of a system, with the inputs put in.
struct Form {
    /// ∇H, or the efforts z.
    effort: Vec<ExprId>,
    /// H, and H_t.
    energy: ExprId,
    explicit: ExprId,
    /// ∇H and, last, H_t, with what has kinks apart.
    parted: Parted,
    /// The state and the time.
    variables: Vec<ExprId>,
    skew: Vec<Vec<ExprId>>,
    symmetric: Option<Vec<Vec<ExprId>>>,
    columns: Vec<Vec<ExprId>>,
    inputs: Vec<ExprId>,
}

/// What happens at a stage.
struct Flow {
    /// (J − R) e + g u.
    rate: Vec<ExprId>,
    /// yᵀ u and eᵀ R e.
    exchange: Exchange,
}

/// The matrices of a system in state space, or why there are none.
fn structure<'s>(writer: &Writer<'s>) -> Result<(&'s StateSpace, &'s Structure), DiscretiseError> {
    let refused = |reason| DiscretiseError::NotApplicable { reason };
    let state = writer.state.ok_or(refused("the system is not given in state space"))?;
    let structure = state.structure.as_ref();
    let none = "the equations have no Hamiltonian; write the system as [port] or [poisson]";
    Ok((state, structure.ok_or(refused(none))?))
}

impl Form {
    fn new(writer: &mut Writer<'_>) -> Result<Self, DiscretiseError> {
        let (state, structure) = structure(writer)?;
        let driven: Substitution =
            state.inputs.iter().map(|input| (input.symbol, input.value)).collect();
        let mut rows = |rows: &[Vec<ExprId>]| -> Result<Vec<Vec<ExprId>>, DiscretiseError> {
            let mut found = Vec::with_capacity(rows.len());
            for row in rows {
                found.push(substitute(&mut writer.pool, row, &driven, writer.budget)?);
            }
            Ok(found)
        };
        let skew = rows(&structure.skew)?;
        let symmetric = structure.symmetric.as_deref().map(&mut rows).transpose()?;
        let columns = rows(&structure.columns)?;
        let energy = state.energy.or_internal("a structure comes with an energy")?;
        let time = writer.symbols.time;
        let explicit = derivative(&mut writer.pool, energy, time, writer.budget)?;
        let mut variables = writer.symbols.position.clone();
        variables.push(time);
        let mut all = structure.effort.clone();
        all.push(explicit);
        let parted = Parted::new(&mut writer.pool, &all, &variables, &[]);
        Ok(Self {
            effort: structure.effort.clone(),
            energy,
            explicit,
            parted,
            variables,
            skew,
            symmetric,
            columns,
            inputs: state.inputs.iter().map(|input| input.value).collect(),
        })
    }

    /// (J − R) e + g u and what goes through the ports, with the matrices and inputs at a place.
    fn flow(
        &self,
        writer: &mut Writer<'_>,
        place: &Point,
        effort: &[ExprId],
    ) -> Result<Flow, DiscretiseError> {
        let mut rate = applied(writer, place, &self.skew, effort)?;
        let mut dissipated = ExprId::ZERO;
        if let Some(symmetric) = &self.symmetric {
            let resisted = applied(writer, place, symmetric, effort)?;
            dissipated = dot(writer, effort, &resisted);
            rate = writer.drifted(&rate, ExprId::MINUS_ONE, &resisted);
        }
        let inputs = writer.at(place, &self.inputs)?;
        let mut supplied = Vec::with_capacity(inputs.len());
        for (column, input) in self.columns.iter().zip(inputs) {
            let column = writer.at(place, column)?;
            rate = writer.drifted(&rate, input, &column);
            let output = dot(writer, &column, effort);
            supplied.push(writer.pool.mul(output, input));
        }
        let supplied = writer.pool.sum(&supplied);
        Ok(Flow { rate, exchange: Exchange { supplied, dissipated } })
    }

    /// Quadrature on [0, 1] that is exact along polynomial ways of a degree, with weights of degree one less,
    /// where the smooth part of ∇H is a polynomial.
    fn quadrature(
        &self,
        writer: &mut Writer<'_>,
        way: usize,
    ) -> Result<Quadrature, DiscretiseError> {
        self.quadrature_of(writer, way, &self.parted.smooth)
    }

    /// The same for these expressions.
    fn quadrature_of(
        &self,
        writer: &mut Writer<'_>,
        way: usize,
        expressions: &[ExprId],
    ) -> Result<Quadrature, DiscretiseError> {
        // k points are exact up to degree 2k − 1.
        let wanted = degree(&writer.pool, expressions, &self.variables)
            .map(|degree| (degree * way + way - 1) / 2 + 1);
        let count = wanted.map_or(POINTS + 2 * (way - 1), |count| count.min(MOST_POINTS));
        writer.evaluations = super::stages::count(count);
        let numbers = Numbers::new(&Table::gauss(count)?, writer.digits, writer.budget)?;
        Ok(Quadrature { numbers, exact: wanted == Some(count) })
    }

    /// The smooth parts of ∇H and of H_t.
    fn smooth(&self) -> (&[ExprId], &[ExprId]) {
        self.parted.smooth.split_at(self.effort.len())
    }

    /// What kinks contribute to the means of ∇H and, last, H_t along a way, with these weights; and whether that is
    /// exact.
    fn kinks(
        &self,
        writer: &mut Writer<'_>,
        way: &Way<'_>,
        weights: &[Vec<Rational>],
    ) -> Result<(Vec<Vec<ExprId>>, bool), DiscretiseError> {
        let (means, exact) = self.parted.means(writer, way, weights, &self.variables)?;
        // Along a jump of H there is a difference that no mean of ∇H sees.
        let whole = self.parted.is_smooth() || !jumps(&writer.pool, self.energy, &self.variables);
        Ok((means, exact && whole))
    }

    /// What kinks contribute to the mean of one component of ∇H; and whether that is exact.
    fn kinks_of(
        &self,
        writer: &mut Writer<'_>,
        i: usize,
        way: &Way<'_>,
    ) -> Result<(ExprId, bool), DiscretiseError> {
        let parted = self.parted.only(i);
        let (means, exact) = parted.means(writer, way, &[vec![Rational::ONE]], &self.variables)?;
        let whole = parted.is_smooth() || !jumps(&writer.pool, self.energy, &self.variables);
        Ok((means[0][i], exact && whole))
    }

    /// Efforts that balance the difference of H itself, where quadrature did not: e_i + c G d_i with
    /// c Σ b_i d_i·G d_i = δ, G the metric of sizes, d_i the rates at the stages and h δ what is missing. Of δ only what is more than the rounding
    /// of H is taken, δ⁵/(δ⁴ + τ⁴): at rest differences of H are nothing else.
    fn balanced(
        &self,
        writer: &mut Writer<'_>,
        weights: &[Rational],
        rates: &[Vec<ExprId>],
        efforts: Vec<Vec<ExprId>>,
        (end, explicit): (&Point, ExprId),
    ) -> Result<Vec<Vec<ExprId>>, DiscretiseError> {
        let (mut powers, mut squares) = (vec![explicit], Vec::with_capacity(rates.len()));
        let directions: Vec<Vec<ExprId>> = rates.iter().map(|rate| lowered(writer, rate)).collect();
        for (k, (rate, effort)) in rates.iter().zip(&efforts).enumerate() {
            let weight = &weights[k];
            let power = dot(writer, rate, effort);
            powers.push(writer.pool.scale(weight, power));
            let square = dot(writer, rate, &directions[k]);
            squares.push(writer.pool.scale(weight, square));
        }
        let here = writer.here();
        let power = writer.pool.sum(&powers);
        let missing = self.missing(writer, (&here, end), power)?;
        let size = writer.pool.sum(&squares);
        let factor = ratio(writer, missing, size);
        let factor = writer.define_one("missing", factor);
        let mut closed = Vec::with_capacity(efforts.len());
        for (k, (effort, direction)) in efforts.iter().zip(&directions).enumerate() {
            let effort = writer.drifted(effort, factor, direction);
            closed.push(writer.define(&format!("_b{}", k + 1), effort));
        }
        Ok(closed)
    }

    /// (H(to) − H(from))/h − power, without what is nothing but rounding.
    fn missing(
        &self,
        writer: &mut Writer<'_>,
        (from, to): (&Point, &Point),
        power: ExprId,
    ) -> Result<ExprId, DiscretiseError> {
        let mut both = [ExprId::ZERO; 2];
        for (energy, place) in both.iter_mut().zip([from, to]) {
            let value = writer.at(place, &[self.energy])?[0];
            *energy = writer.define_one("H_there", value);
        }
        let change = writer.pool.sub(both[1], both[0]);
        let expected = writer.pool.mul(writer.h, power);
        let missing = writer.pool.sub(change, expected);
        let missing = writer.define_one("defect", missing);
        let squares: Vec<ExprId> = both.iter().map(|&energy| writer.pool.powi(energy, 2)).collect();
        let squares = writer.pool.sum(&squares);
        let bits = match writer.digits {
            Digits::Double => 2 * ROUNDING_BITS,
            Digits::Bits(bits) => 2 * bits.saturating_sub(16),
        };
        let share = writer.pool.powi(ExprId::HALF, i64::from(bits));
        let rounding = writer.pool.mul(share, squares);
        let rounding = writer.define_one("rounding", rounding);
        // δ⁴/(δ⁴ + τ⁴) with u = τ²/(δ² + τ²): fourth powers of energies in small units would be no numbers.
        let square = writer.pool.powi(missing, 2);
        let both = writer.pool.add(square, rounding);
        let share = ratio(writer, rounding, both);
        let share = writer.define_one("share", share);
        let rest = writer.pool.sub(ExprId::ONE, share);
        let [share, rest] = [share, rest].map(|x| writer.pool.powi(x, 2));
        let whole = writer.pool.add(share, rest);
        let part = writer.pool.div(rest, whole);
        let part = writer.pool.mul(part, missing);
        Ok(writer.pool.div(part, writer.h))
    }
}

/// Differences of H below 2⁻⁴⁷ of H are rounding: a part, in every unit.
const ROUNDING_BITS: u32 = 47;

/// Points and weights, and whether they integrate ∇H along the way exactly.
struct Quadrature {
    numbers: Numbers,
    exact: bool,
}

/// G d with the metric G = diag(1/s_i²) of the sizes of the coordinates. With a matrix E the rates are E x', rows of
/// equations, and G is 1.
fn lowered(writer: &mut Writer<'_>, rate: &[ExprId]) -> Vec<ExprId> {
    if writer.state.is_some_and(|state| state.descriptor.is_some()) {
        return rate.to_vec();
    }
    let names = writer.symbols.names.clone();
    let parts = rate.iter().zip(&names).enumerate();
    parts
        .map(|(i, (&rate, name))| {
            let size = writer.size(name, UnknownKind::Position(i));
            let weight = writer.pool.powi(size, -2);
            writer.pool.mul(weight, rate)
        })
        .collect()
}

/// x/y, and 0 where both are.
fn ratio(writer: &mut Writer<'_>, x: ExprId, y: ExprId) -> ExprId {
    let nothing = tiny(writer);
    let y = writer.pool.add(y, nothing);
    writer.pool.div(x, y)
}

/// The matrix at a place, applied to a vector.
fn applied(
    writer: &mut Writer<'_>,
    place: &Point,
    rows: &[Vec<ExprId>],
    x: &[ExprId],
) -> Result<Vec<ExprId>, DiscretiseError> {
    let mut images = Vec::with_capacity(rows.len());
    for row in rows {
        let row = writer.at(place, row)?;
        images.push(dot(writer, &row, x));
    }
    Ok(images)
}

fn dot(writer: &mut Writer<'_>, x: &[ExprId], y: &[ExprId]) -> ExprId {
    let terms: Vec<ExprId> = x.iter().zip(y).map(|(&x, &y)| writer.pool.mul(x, y)).collect();
    writer.pool.sum(&terms)
}

/// The place at τ, on the chord.
fn along(writer: &mut Writer<'_>, slope: &[ExprId], tau: ExprId) -> Point {
    let here = writer.here();
    let way = writer.pool.mul(tau, writer.h);
    let q = writer.drifted(&here.q, way, slope);
    let t = writer.pool.add(here.t, way);
    Point { q, v: here.v, t }
}

/// The place at a part of the step, on the chord, with names for its coordinates.
fn on_chord(writer: &mut Writer<'_>, slope: &[ExprId], part: &Rational, mark: &str) -> Point {
    let here = writer.here();
    let way = writer.pool.scale(part, writer.h);
    let moved = writer.drifted(&here.q, way, slope);
    let q = writer.define(mark, moved);
    let t = writer.pool.add(here.t, way);
    Point { q, v: here.v, t }
}

/// The end of a step: slopes with their weights, what happened at each, and the mean of H_t.
fn finish(
    writer: &mut Writer<'_>,
    weights: &[Rational],
    slopes: &[Vec<ExprId>],
    flows: &[Flow],
    explicit: ExprId,
) -> Written {
    let mut found = Vec::new();
    for (slope, flow) in slopes.iter().zip(flows) {
        for (&unknown, &value) in slope.iter().zip(&flow.rate) {
            let difference = writer.pool.sub(unknown, value);
            writer.residual.push(difference);
        }
        found.extend(&flow.rate);
    }
    writer.fixed_point = Some(found);
    balance(writer, weights, flows, explicit);
    let zeros = vec![ExprId::ZERO; writer.symbols.dimension()];
    let way = writer.combined(&zeros, weights, writer.h, slopes);
    let here = writer.here().q;
    let q = writer.drifted(&here, ExprId::ONE, &way);
    let q = writer.define("⁺", q);
    degenerate::finish(writer, q, way, None)
}

/// What happened at the stages, with their weights, and the mean of H_t.
fn balance(writer: &mut Writer<'_>, weights: &[Rational], flows: &[Flow], explicit: ExprId) {
    let h = writer.h;
    let mut parts = [Vec::new(), Vec::new()];
    for (flow, weight) in flows.iter().zip(weights) {
        let factor = writer.pool.scale(weight, h);
        let both = [flow.exchange.supplied, flow.exchange.dissipated];
        for (part, power) in parts.iter_mut().zip(both) {
            part.push(writer.pool.mul(factor, power));
        }
    }
    let [supplied, dissipated] = parts.map(|part| writer.pool.sum(&part));
    let lost = writer.pool.neg(dissipated);
    let explicit = writer.pool.mul(h, explicit);
    writer.after.work = writer.pool.sum(&[supplied, lost, explicit]);
    if writer.state.is_some_and(|state| state.kind == StateKind::Port) {
        writer.after.exchange = Some(Exchange { supplied, dissipated });
    }
}

/// What goes through the ports of a system at a place, times a factor; none without ports.
pub(super) fn exchanged(
    writer: &mut Writer<'_>,
    place: &Point,
    factor: ExprId,
) -> Result<Option<Exchange>, DiscretiseError> {
    let Some(state) = writer.state.filter(|state| state.kind == StateKind::Port) else {
        return Ok(None);
    };
    let Some(structure) = &state.structure else { return Ok(None) };
    let driven: Substitution =
        state.inputs.iter().map(|input| (input.symbol, input.value)).collect();
    let both = [structure.supplied, structure.dissipated];
    let both = substitute(&mut writer.pool, &both, &driven, writer.budget)?;
    let both = writer.at(place, &both)?;
    let [supplied, dissipated] = [both[0], both[1]].map(|power| writer.pool.mul(factor, power));
    Ok(Some(Exchange { supplied, dissipated }))
}
