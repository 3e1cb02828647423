//! The certificate of a symmetric composition.

use isotrope_algebra::modular::Random;
use isotrope_algebra::{Ball, Budget, Precision};

use super::certificate::{Certificate, Certified, ClassOrders, DefectOrder, Evidence};
use super::cost::Cost;
use super::table::{CertifyError, certify};
use isotrope_methods::Composed;
use isotrope_methods::classes::{
    Class, Dimensions, Enclosure, Enclosures, Scalars as _, Vanishing, measure_one,
};
use isotrope_methods::composition::CompositionError;
use isotrope_methods::stages::unit_fraction;
use isotrope_methods::table::{Coefficients, Table};

/// Why a composition has no certificate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ComposedError {
    /// The base is not a symmetric method of order 2.
    #[error("the base `{base}` is not a symmetric method of order 2")]
    Base {
        /// Its name.
        base: String,
    },
    /// The base has no certificate.
    #[error(transparent)]
    Certify(#[from] CertifyError),
    /// The coefficients are not those of the order.
    #[error(transparent)]
    Composition(#[from] CompositionError),
    /// No order condition of the next order is seen to fail.
    #[error("the order could be higher than the {order} that was proved")]
    Higher {
        /// The order that was proved.
        order: usize,
    },
}

/// The precision: the coefficients of h^9 of a step are of moderate size.
const BITS: u32 = 128;

/// A small problem is enough to show a defect.
const WITNESS: Dimensions = Dimensions { coordinates: 2, constraints: 1, affine: 0, terms: 3 };

/// Certifies a composition. What its base keeps exactly, it keeps exactly; what the base keeps
/// to finite order, it keeps at least as well as its solution.
pub fn certify_composition(
    composed: Composed,
    budget: &mut Budget,
) -> Result<Certified<Composed>, ComposedError> {
    let base = certify(composed.base.clone(), budget)?;
    let known = base.certificate();
    if known.order != Some(2) || known.symmetric != Some(true) {
        return Err(ComposedError::Base { base: composed.base.name.clone() });
    }
    let gamma = composed.composition.coefficients(Precision::new(BITS))?;
    let order = composed.composition.order();
    let table = composed_table(&composed.base, &gamma, budget)?;
    let first_failing_tree =
        first_failing_tree(&table, order + 1).ok_or(ComposedError::Higher { order })?;
    let scalars = Enclosures::new(Precision::new(BITS));
    // What is not infinite is O(hᵏ⁺¹); one problem with a coefficient that is certainly not zero
    // shows that it is no better.
    let inherit = |of: DefectOrder, found: Option<usize>| match (of, found) {
        (DefectOrder::Infinite, _) => DefectOrder::Infinite,
        (_, Some(power)) => DefectOrder::Exactly(power),
        (_, None) => DefectOrder::AtLeast(order + 1),
    };
    // A problem with constant mass is one of the wider classes, too.
    let witness = |class: Class| {
        measure_one(&scalars, &table, class, WITNESS, order + 1, &mut Random::new(1))
            .map_err(CertifyError::from)
    };
    let (nonholonomic, holonomic) = (witness(Class::ConstantMass)?, witness(Class::Holonomic)?);
    let classes = known
        .classes
        .iter()
        .map(|orders| {
            let found = match orders.class {
                Class::Generic | Class::Natural | Class::ConstantMass => Some(&nonholonomic),
                Class::Holonomic => Some(&holonomic),
                Class::Bilinear | Class::Sphere | Class::Quadrics | Class::Symplectic => None,
            };
            let (structure, weakest) = found.map_or((None, None), |found| {
                let (defect, part) = found.structure();
                (defect.order(), part)
            });
            let form = found.and_then(|found| found.form.order());
            // What fails first on the witness need not fail first on a wider class.
            let own = matches!(orders.class, Class::ConstantMass | Class::Holonomic);
            ClassOrders {
                class: orders.class,
                structure: orders.structure.map(|of| inherit(of, structure)),
                weakest: weakest.filter(|_| own),
                form: orders.form.map(|of| {
                    // The second step must begin on the manifold.
                    let stays = orders.structure.is_none_or(|of| of == DefectOrder::Infinite);
                    let of = if stays { of } else { DefectOrder::AtLeast(order + 1) };
                    inherit(of, form)
                }),
            }
        })
        .collect();
    let energy = known.energy.map(|of| inherit(of, nonholonomic.energy.order()));
    let steps = composed.composition.length();
    let certificate = Certificate {
        order: Some(order),
        evidence: Some(Evidence::Composition { steps }),
        first_failing_tree: Some(first_failing_tree),
        classes,
        energy,
        symmetric: Some(true),
        cost: known.cost.as_ref().map(|cost| Cost {
            stages: steps * cost.stages,
            systems: cost.systems.repeat(steps),
            ..cost.clone()
        }),
        ..Certificate::default()
    };
    Ok(Certified::new(composed, certificate))
}

/// The composition as one table: block k is γₖ times the base, and the blocks before it have
/// contributed their weights.
fn composed_table(
    base: &Table,
    gamma: &[Ball],
    budget: &mut Budget,
) -> Result<Coefficients<Enclosure>, ComposedError> {
    let precision = Precision::new(BITS);
    let table = base.enclosures(precision, budget).map_err(CertifyError::from)?;
    let scale = |step: &Ball, x: &Ball| Enclosure(step.mul(x).ok());
    let zero = Enclosure::from(Ball::zero(precision));
    let matrix = |block: &[Vec<Ball>], weights: &[Ball]| -> Vec<Vec<Enclosure>> {
        let rows = gamma.iter().enumerate().flat_map(|(k, step)| {
            let zero = &zero;
            block.iter().map(move |row| {
                let before =
                    gamma[..k].iter().flat_map(|g| weights.iter().map(move |b| scale(g, b)));
                let here = row.iter().map(|a| scale(step, a));
                let after = (gamma.len() - k - 1) * weights.len();
                before.chain(here).chain(std::iter::repeat_n(zero.clone(), after)).collect()
            })
        });
        rows.collect()
    };
    let vector = |weights: &[Ball]| -> Vec<Enclosure> {
        gamma.iter().flat_map(|step| weights.iter().map(move |b| scale(step, b))).collect()
    };
    Ok(Coefficients {
        a: matrix(&table.a, &table.b),
        abar: matrix(&table.abar, &table.bbar),
        b: vector(&table.b),
        bbar: vector(&table.bbar),
        btil: vector(&table.btil),
    })
}

/// b·abar·cⁿ⁻² of the composed table, in balls: the name of the tree q\[v\[q…q\]\], the first of
/// its order, if that is certainly not 1/(n(n−1)).
fn first_failing_tree(table: &Coefficients<Enclosure>, order: usize) -> Option<String> {
    let precision = Precision::new(BITS);
    let scalars = Enclosures::new(precision);
    let row = |entries: &[Enclosure], x: &[Enclosure]| {
        scalars.sum_of_products(x.len(), |i| (&entries[i], &x[i]))
    };
    let apply = |matrix: &[Vec<Enclosure>], x: &[Enclosure]| -> Vec<Enclosure> {
        matrix.iter().map(|entries| row(entries, x)).collect()
    };
    let unit = vec![scalars.one(); table.b.len()];
    let nodes = apply(&table.a, &unit);
    let leaves = order.checked_sub(2)?;
    let power = (0..leaves)
        .fold(unit, |power, _| power.iter().zip(&nodes).map(|(x, c)| scalars.mul(x, c)).collect());
    let weight = row(&table.b, &apply(&table.abar, &power));
    let wanted = scalars.rational(&(unit_fraction(order) * unit_fraction(order - 1)))?;
    let fails = scalars.vanishing(&scalars.sub(&weight, &wanted)) == Vanishing::NonZero;
    fails.then(|| format!("q[v[{}]]", "q".repeat(leaves)))
}
