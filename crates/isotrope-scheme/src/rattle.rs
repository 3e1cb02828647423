//! RATTLE: Störmer–Verlet with the constraints on positions and velocities imposed.

use isotrope_algebra::ExprId;

use super::DiscretiseError;
use super::dirac::impulses;
use super::mechanics::{Point, Writer};
use super::registry::{Capabilities, Claim, Entry, Family, Recipe};
use super::shake::shake;

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "constrained-variational",
    citation: None,
    capabilities: Capabilities { variational: true, ..Capabilities::MECHANICS },
    entries: &[
        Entry {
            name: "rattle",
            about: "Störmer–Verlet with φ(q⁺) = 0 and A(q⁺)v⁺ + b = 0",
            recipe: Recipe::Plain(rattle),
            citation: Some("H. C. Andersen, J. Comput. Phys. 52 (1983), 24-34"),
            claim: Claim::Order(2),
            ..Entry::BLANK
        },
        Entry {
            name: "shake",
            about: "leapfrog with φ(q⁺) = 0 alone; velocities belong to the middle of steps",
            recipe: Recipe::Plain(shake),
            citation: Some(
                "J.-P. Ryckaert, G. Ciccotti, H. J. C. Berendsen, J. Comput. Phys. 23 (1977), 327-341",
            ),
            claim: Claim::Order(2),
            ..Entry::BLANK
        },
    ],
};

/// p½ = p + h/2 (L_q + F)(q,v₁) + A(q)ᵀΛ with L_v(q,v₁) = p½ = L_v(q⁺,v₂), q⁺ = q + h/2 (v₁ + v₂),
/// φ(q⁺) = 0; then p⁺ = p½ + h/2 (L_q + F)(q⁺,v₂) + A(q⁺)ᵀΜ with A(q⁺)v⁺ + b = 0.
///
/// With a constant mass matrix and forces of positions alone v₁ = v₂ is linear in Λ, and Λ is the
/// only unknown.
fn rattle(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    if !writer.rows.all_holonomic() {
        return Err(DiscretiseError::NotApplicable {
            reason: "it needs constraints on positions; a constraint on velocities that integrates \
                     to one can be written so",
        });
    }
    writer.require_quadratic()?;
    let half = writer.pool.mul(ExprId::HALF, writer.h);
    let here = writer.here();
    let a = writer.constraints(&here)?;
    let p = writer.symbols.momentum.clone();
    let implicit = writer.coupled || writer.varying_mass;
    let (v1, v2) = if implicit {
        (writer.unknown_velocities("₁"), writer.unknown_velocities("₂"))
    } else {
        Default::default()
    };
    let impulses = impulses(writer, half);
    let (before, after, momenta) = if implicit {
        let before = Point { v: v1.clone(), ..here };
        let driving = writer.driving(&before)?;
        let kicked = writer.kicked(&p, half, &driving, &a, &impulses);
        let momenta = writer.define("_p½", kicked);
        let sum: Vec<ExprId> = v1.iter().zip(&v2).map(|(&a, &b)| writer.pool.add(a, b)).collect();
        let moved = writer.drifted(&before.q, half, &sum);
        let q = writer.define("⁺", moved);
        let after = Point { q, v: v2, t: writer.later() };
        for point in [&before, &after] {
            let found = writer.at(point, &writer.dynamics.momenta)?;
            for (found, &wanted) in found.into_iter().zip(&momenta) {
                let difference = writer.pool.sub(found, wanted);
                writer.residual.push(difference);
            }
        }
        (before, after, momenta)
    } else {
        let driving = writer.driving(&here)?;
        let kicked = writer.kicked(&p, half, &driving, &a, &impulses);
        let momenta = writer.define("_p½", kicked);
        let (v, _) = writer.velocities(&here, &momenta, &Vec::new(), &[])?;
        let v = writer.define("'½", v);
        let h = writer.h;
        let moved = writer.drifted(&here.q, h, &v);
        let q = writer.define("⁺", moved);
        let t = writer.later();
        (Point { v: v.clone(), ..here }, Point { q, v, t }, momenta)
    };
    let phi = writer.at(&after, &writer.rows.expressions)?;
    writer.residual.extend(phi);
    finish(writer, half, &before, &after, &momenta, &impulses)
}

/// The second half of a step: the force and the impulse at its end.
pub(super) fn finish(
    writer: &mut Writer<'_>,
    half: ExprId,
    before: &Point,
    after: &Point,
    momenta: &[ExprId],
    impulses: &[ExprId],
) -> Result<(), DiscretiseError> {
    let driving = writer.driving(after)?;
    let a = writer.constraints(after)?;
    let b = writer.at(after, &writer.rows.offset)?;
    let kicked = writer.kicked(momenta, half, &driving, &Vec::new(), &[]);
    let (v, last) = writer.velocities(after, &kicked, &a, &b)?;
    let v = writer.define("'⁺", v);
    let there = Point { v: v.clone(), ..after.clone() };
    let first = writer.work(before, half, impulses)?;
    let second = writer.work(after, half, &last)?;
    writer.after.work = writer.pool.add(first, second);
    writer.after.momentum = writer.at(&there, &writer.dynamics.momenta)?;
    writer.after.position = there.q;
    writer.after.velocity = v;
    Ok(())
}
