//! The orders to which a table keeps structure, energy and form on every class: infinite ones
//! by the conditions of [`exactness`](super::exactness), finite ones by expansion on random
//! problems over a prime field.

use isotrope_algebra::Rational;
use isotrope_algebra::modular::Random;

use super::certificate::{ClassOrders, DefectOrder, Sampling};
use super::exactness::Exactness;
use isotrope_methods::PrimeTable;
use isotrope_methods::classes::{
    Class, ClassError, Defect, Defects, Part, measure, vanishing_probability,
};

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructureOrders {
    /// Class by class.
    pub classes: Vec<ClassOrders>,
    /// The energy on the widest class.
    pub energy: DefectOrder,
    /// Random problems used.
    pub sampling: Sampling,
}

/// A nonzero coefficient at the first possible order is a proof, and one problem shows it.
const FIRST_PROBLEMS: usize = 2;
/// Powers of h that are examined beyond the first possible one, for methods of low order and of
/// high order, where they are expensive and gains unlikely.
const LOW_ORDER: usize = 4;
const LOW_FURTHER: usize = 6;
const HIGH_FURTHER: usize = 2;
/// Zeros are believed after this many problems.
const PROBLEMS: usize = 4;

/// The orders of a method of order `order` on all classes. An order k gives defects O(hᵏ⁺¹);
/// beyond that, a few more powers of h are examined.
pub fn structure_orders(
    table: &PrimeTable,
    exactness: Exactness,
    order: usize,
    random: &mut Random,
) -> Result<StructureOrders, ClassError> {
    let further = if order <= LOW_ORDER { LOW_FURTHER } else { HIGH_FURTHER };
    let mut sampler = Sampler { table, order, further, random, problems: 0, bits: u32::MAX };
    let mut energy = DefectOrder::AtLeast(order + 1);
    let mut classes = Vec::new();
    for class in Class::ALL {
        let exact = |part: Part| is_exact(exactness, class, part);
        let mut structure_parts: Vec<Part> = [Part::Psi, Part::PhiV, Part::PhiQ]
            .into_iter()
            .filter(|&part| class.has(part) && !exact(part))
            .collect();
        if class == Class::Symplectic {
            // Without constraints ψ = p − M v is all there is: the structure is the 2-form.
            structure_parts.clear();
        }
        let wants_form = class.has(Part::Form) && !exact(Part::Form);
        let wants_energy = class == Class::Generic;
        let found = sampler.look(class, &structure_parts, wants_form, wants_energy)?;
        if let Some(found) = found.energy {
            energy = found;
        }
        classes.push(ClassOrders {
            class,
            structure: (class != Class::Symplectic)
                .then_some(found.structure.unwrap_or(DefectOrder::Infinite)),
            weakest: found.weakest,
            form: class.has(Part::Form).then_some(found.form.unwrap_or(DefectOrder::Infinite)),
        });
    }
    let sampling = Sampling { problems: sampler.problems, bits: sampler.bits };
    Ok(StructureOrders { classes, energy, sampling })
}

/// The order to which some structure functions of a class are kept; the others do not count.
pub(super) fn kept_parts(
    table: &PrimeTable,
    exactness: Exactness,
    order: usize,
    (class, parts): (Class, &[Part]),
    random: &mut Random,
) -> Result<DefectOrder, ClassError> {
    let further = if order <= LOW_ORDER { LOW_FURTHER } else { HIGH_FURTHER };
    let mut sampler = Sampler { table, order, further, random, problems: 0, bits: u32::MAX };
    let open: Vec<Part> =
        parts.iter().copied().filter(|&part| !is_exact(exactness, class, part)).collect();
    let found = sampler.look(class, &open, false, false)?;
    Ok(found.structure.unwrap_or(DefectOrder::Infinite))
}

/// Which structure functions of which class the conditions speak of.
fn is_exact(exactness: Exactness, class: Class, part: Part) -> bool {
    match (class, part) {
        (Class::Generic | Class::Natural | Class::Holonomic, _) => false,
        (_, Part::Psi) => exactness.legendre,
        (Class::Bilinear, Part::PhiV) => exactness.bilinear_velocity,
        (Class::Sphere | Class::Quadrics, Part::PhiV) => exactness.sphere_velocity,
        (Class::Sphere | Class::Quadrics, Part::PhiQ) => exactness.sphere_position,
        (Class::Sphere | Class::Quadrics, Part::Form) => exactness.sphere_form,
        (Class::Symplectic, Part::Form) => exactness.symplectic_form,
        _ => false,
    }
}

struct Sampler<'t> {
    table: &'t PrimeTable,
    order: usize,
    further: usize,
    random: &'t mut Random,
    problems: usize,
    bits: u32,
}

/// `None`: not asked for.
#[derive(Debug, Default)]
struct Found {
    structure: Option<DefectOrder>,
    weakest: Option<Part>,
    form: Option<DefectOrder>,
    energy: Option<DefectOrder>,
}

impl Sampler<'_> {
    /// Examines higher and higher orders until everything asked for has failed.
    fn look(
        &mut self,
        class: Class,
        parts: &[Part],
        wants_form: bool,
        wants_energy: bool,
    ) -> Result<Found, ClassError> {
        let mut found = Found::default();
        let (mut open_structure, mut open_form, mut open_energy) =
            (!parts.is_empty(), wants_form, wants_energy);
        for beyond in 0..=self.further {
            if !(open_structure || open_form || open_energy) {
                break;
            }
            let looked_at = self.order + 1 + beyond;
            let samples = if beyond == 0 { FIRST_PROBLEMS } else { PROBLEMS };
            let defects = self.measure(class, looked_at, samples)?;
            if open_structure {
                let (defect, part) = earliest(&defects, parts);
                open_structure = defect.is_none();
                found.weakest = part;
                found.structure = Some(exponent(defect, looked_at));
            }
            if open_form {
                open_form = defects.form.order().is_none();
                found.form = Some(exponent(defects.form.order(), looked_at));
            }
            if open_energy {
                open_energy = defects.energy.order().is_none();
                found.energy = Some(exponent(defects.energy.order(), looked_at));
            }
        }
        Ok(found)
    }

    fn measure(
        &mut self,
        class: Class,
        max_order: usize,
        samples: usize,
    ) -> Result<Defects, ClassError> {
        let field = &self.table.field;
        self.problems += samples;
        let one = vanishing_probability(class, max_order, field.prime());
        self.bits = self.bits.min(bits(&one));
        measure(field, &self.table.coefficients, class, max_order, samples, self.random)
    }
}

/// The largest n with probability ≤ 2⁻ⁿ.
pub(super) fn bits(probability: &Rational) -> u32 {
    let mut bound = Rational::ONE;
    let half = isotrope_methods::stages::unit_fraction(2);
    let mut bits = 0;
    while bits < 63 && &(&bound * &half) >= probability {
        bound = &bound * &half;
        bits += 1;
    }
    bits
}

fn exponent(found: Option<usize>, looked_at: usize) -> DefectOrder {
    found.map_or(DefectOrder::AtLeast(looked_at + 1), DefectOrder::Exactly)
}

fn earliest(defects: &Defects, parts: &[Part]) -> (Option<usize>, Option<Part>) {
    let of = |part: Part| match part {
        Part::Psi => defects.psi,
        Part::PhiV => defects.phi_v,
        Part::PhiQ => defects.phi_q,
        Part::All | Part::Form => Defect::NotApplicable,
    };
    parts
        .iter()
        .filter_map(|&part| of(part).order().map(|order| (order, part)))
        .min_by_key(|(order, _)| *order)
        .map_or((None, None), |(order, part)| (Some(order), Some(part)))
}
