//! Magnetic 2-forms: implicit Lagrangian systems on the graph of Ω + π*B.
//!
//! With Ω = dq∧dp, Ω♭(q', p') = (−p', q') and (i_v B)_j = vⁱ B_ij the condition that (q', p') and the Dirac
//! differential (−L_q, v) of L belong to the graph of Ω + π*B reads q' = v and
//!
//! p' − L_q = i_{q'} B,
//!
//! p = L_v being the *kinetic* momentum. A one-form θ with dθ = B makes them the Euler–Lagrange equations of
//! L − θ(v), since those of L + A(v) are p' − L_q = −i_{q'} dA. The *canonical* momentum L_v − θ has
//! dq∧d(p − θ) = Ω + π*B: what keeps the canonical form in it keeps the magnetic one in p.

use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool, print};
use isotrope_geometry::{PrimitiveRoad, TwoForm, divisors};
use isotrope_model::{MagneticForm, Model};

use super::{DeriveError, Mechanics, Symbols};

/// A closed 2-form on the configurations and what follows from it.
#[derive(Debug, Clone)]
pub struct Magnetic {
    /// B.
    pub form: TwoForm,
    /// θ with dθ = B.
    pub primitive: Option<MagneticPrimitive>,
    /// The equations of L − θ(v), with the same motions.
    pub canonical: Option<Box<Mechanics>>,
}

/// A one-form θ with dθ = B, which is proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MagneticPrimitive {
    /// Its components.
    pub components: Vec<ExprId>,
    /// How it was found; `None` if the model has it.
    pub road: Option<PrimitiveRoad>,
    /// It has no value where one of these vanishes.
    pub singular: Vec<ExprId>,
}

impl Magnetic {
    /// Forces together with i_v B.
    pub(super) fn forces(
        &self,
        pool: &mut Pool,
        symbols: &Symbols,
        forces: Vec<ExprId>,
    ) -> Vec<ExprId> {
        let lorentz = self.force(pool, symbols);
        forces.into_iter().zip(lorentz).map(|(force, own)| pool.add(force, own)).collect()
    }

    /// i_v B.
    pub fn force(&self, pool: &mut Pool, symbols: &Symbols) -> Vec<ExprId> {
        self.form.contract(pool, &symbols.velocity)
    }

    /// −θ(v).
    pub(super) fn minus_primitive(&self, pool: &mut Pool, symbols: &Symbols) -> Option<ExprId> {
        let primitive = self.primitive.as_ref()?;
        let parts = primitive.components.iter().zip(&symbols.velocity);
        let terms: Vec<ExprId> = parts.map(|(&theta, &v)| pool.mul(theta, v)).collect();
        let sum = pool.sum(&terms);
        Some(pool.neg(sum))
    }
}

/// The form of a model with a proof that it is closed, and a primitive if one is found.
pub(super) fn read(
    pool: &mut Pool,
    symbols: &Symbols,
    given: Option<&MagneticForm>,
    budget: &mut Budget,
) -> Result<Result<Option<Magnetic>, DeriveError>, OutOfBudget> {
    let Some(given) = given else { return Ok(Ok(None)) };
    let form = two_form(pool, symbols, given);
    if let Some(found) = form.unclosed(pool, budget)? {
        let component = name(symbols, &found.indices);
        let value = print::to_text(pool, found.value, &mut Budget::new(100_000))
            .unwrap_or_else(|_| "…".to_owned());
        let inside = |k: usize| found.indices.contains(&k);
        let mut entries = given.entries.iter();
        let place = entries.find(|entry| inside(entry.first) && inside(entry.second));
        let place = place.map_or(given.place, |entry| entry.place);
        let decided = found.zero == Zero::No;
        return Ok(Err(DeriveError::MagneticNotClosed { component, value, decided, place }));
    }
    let found = match &given.primitive {
        Some((components, place)) => {
            let slope = TwoForm::exact(pool, &symbols.position, components, budget)?;
            if let Some((indices, zero)) = form.difference(pool, &slope, budget) {
                let (component, place) = (name(symbols, &indices), *place);
                let decided = zero == Zero::No;
                return Ok(Err(DeriveError::MagneticPrimitive { component, decided, place }));
            }
            Some((components.clone(), None))
        }
        None => form.primitive(pool, budget)?.map(|(theta, road)| (theta, Some(road))),
    };
    let primitive = found.map(|(components, road)| {
        let singular = divisors(pool, &components, &symbols.position);
        MagneticPrimitive { components, road, singular }
    });
    Ok(Ok(Some(Magnetic { form, primitive, canonical: None })))
}

fn two_form(pool: &mut Pool, symbols: &Symbols, given: &MagneticForm) -> TwoForm {
    let pairs: Vec<_> =
        given.entries.iter().map(|entry| (entry.first, entry.second, entry.value)).collect();
    TwoForm::new(pool, &symbols.position, &pairs)
}

/// `dx∧dy∧dz`.
fn name(symbols: &Symbols, indices: &[usize]) -> String {
    indices.iter().map(|&k| format!("d{}", symbols.names[k])).collect::<Vec<_>>().join("∧")
}

/// The forces of a model with that of its magnetic 2-form.
pub(super) fn all_forces(model: &mut Model, symbols: &Symbols) -> Vec<ExprId> {
    let forces = model.forces.clone();
    let Some(given) = model.magnetic.as_ref() else { return forces };
    let form = two_form(&mut model.pool, symbols, given);
    let magnetic = Magnetic { form, primitive: None, canonical: None };
    magnetic.forces(&mut model.pool, symbols, forces)
}
