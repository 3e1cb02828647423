//! Runge–Kutta methods on v = f(q, t).

use isotrope_algebra::ExprId;

use super::{finish, rates};
use crate::DiscretiseError;
use crate::equations::Exchange;
use crate::mechanics::{Point, Writer};
use crate::port::exchanged;
use crate::stages::{Numbers, count};
use isotrope_methods::table::Table;

/// K_i = f(q + h Σ a_ij K_j, t + c_i h) and q⁺ = q + h Σ b_i K_i; stages that need themselves are unknown.
pub(crate) fn table(writer: &mut Writer<'_>, table: &Table) -> Result<(), DiscretiseError> {
    let rates = rates(writer)?;
    let numbers = Numbers::new(table, writer.digits, writer.budget)?;
    if numbers.is_partitioned() {
        return Err(DiscretiseError::NotApplicable {
            reason: "the tables for positions and velocities differ, and here velocities are functions \
                     of the positions: there is one equation, v = f(q)",
        });
    }
    let size = numbers.count();
    let later = |i: usize| numbers.row(i).iter().skip(i).any(|number| !number.is_zero());
    // Slopes of stages that come one after the other are filled in below.
    let mut slopes: Vec<Vec<ExprId>> = vec![Vec::new(); size];
    for (i, slope) in slopes.iter_mut().enumerate().filter(|(i, _)| later(*i)) {
        *slope = writer.unknown_stage(&numbers.node(i), i);
    }
    let here = writer.here();
    let (mut found, mut work) = (Vec::new(), Vec::new());
    let mut exchange: Option<[Vec<ExprId>; 2]> = None;
    for i in 0..size {
        let moved = writer.combined(&here.q, numbers.row(i), writer.h, &slopes);
        let q = writer.define(&format!("_{}", i + 1), moved);
        let ahead = writer.pool.scale(&numbers.node(i), writer.h);
        let t = writer.pool.add(here.t, ahead);
        let place = Point { q, v: here.v.clone(), t };
        let field = writer.at(&place, rates)?;
        let field = writer.define(&format!("'_{}", i + 1), field);
        if later(i) {
            for (&unknown, &value) in slopes[i].iter().zip(&field) {
                let difference = writer.pool.sub(unknown, value);
                writer.residual.push(difference);
            }
            found.extend(&field);
        } else {
            slopes[i].clone_from(&field);
        }
        let factor = writer.pool.scale(&numbers.weights()[i], writer.h);
        if let Some(parts) = exchanged(writer, &place, factor)? {
            let [supplied, dissipated] = exchange.get_or_insert_default();
            supplied.push(parts.supplied);
            dissipated.push(parts.dissipated);
        }
        work.push(writer.work(&Point { v: field, ..place }, factor, &[])?);
    }
    writer.evaluations = count(if found.is_empty() { size } else { found.len() / here.q.len() });
    writer.fixed_point = (!found.is_empty()).then_some(found);
    let zeros = vec![ExprId::ZERO; here.q.len()];
    let way = writer.combined(&zeros, numbers.weights(), writer.h, &slopes);
    let q = writer.drifted(&here.q, ExprId::ONE, &way);
    let q = writer.define("⁺", q);
    writer.after.work = writer.pool.sum(&work);
    writer.after.exchange = exchange.map(|parts| {
        let [supplied, dissipated] = parts.map(|part| writer.pool.sum(&part));
        Exchange { supplied, dissipated }
    });
    finish(writer, q, way, None)
}
