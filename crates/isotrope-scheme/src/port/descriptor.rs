//! Collocation with means of the efforts for E x' = (J − R) z + g u with a constant matrix E: at the nodes c_i of Gauss
//!
//! E u'(c_i) = (J − R)(u(c_i)) e_i + g(u(c_i)) u_i,   e_i = (1/b_i) ∫ ℓ_i(τ) z(u(τ)) dτ.
//!
//! As ∇H = Eᵀ z and E u' = Σ ℓ_i E u'(c_i), ΔH = h Σ b_i e_iᵀ E u'(c_i): the balance is exact whatever the step.
//!
//! E u' does not contain the part of u in ker E, on which H does not depend. With x = w + K μ, K a basis of ker E, w is a
//! polynomial of degree s that begins at the state, and μ one of degree s − 1 through unknown values at the nodes: what the
//! multipliers were before the step is not used, so that they cannot oscillate. At the end of the step μ follows from the
//! constraints where these are linear in it; H does not change by that.
//!
//! After V. Mehrmann and R. Morandin, Structure-preserving discretization for port-Hamiltonian descriptor systems (2019).

use isotrope_algebra::{ExprId, Internal, Rational};

use super::collocation::{integral, lagrange, rounded, value};
use super::{Flow, Form, Quadrature, balance};
use crate::mechanics::{Point, Writer};
use crate::registry::Written;
use crate::stages::Numbers;
use crate::{DiscretiseError, UnknownKind, degenerate};
use isotrope_derive::Descriptor;
use isotrope_methods::table::Table;

/// x = w + K μ at the start, and the unknowns of the stages.
struct Ways<'d> {
    descriptor: &'d Descriptor,
    /// w at the start; zero for the coordinates of μ.
    start: Vec<ExprId>,
    /// Rates of w at the stages; zero for the coordinates of μ.
    slopes: Vec<Vec<ExprId>>,
    /// μ at the stages.
    values: Vec<Vec<ExprId>>,
}

impl<'d> Ways<'d> {
    fn new(writer: &mut Writer<'_>, descriptor: &'d Descriptor, nodes: &[Rational]) -> Self {
        let free = |i: usize| descriptor.kernel.iter().position(|(column, _)| *column == i);
        let (q, v) = (writer.symbols.position.clone(), writer.symbols.velocity.clone());
        let acceleration = writer.eliminated.acceleration.clone();
        let names = writer.symbols.names.clone();
        let start = Self::without_kernel(writer, descriptor, &q);
        let (mut slopes, mut values) = (Vec::new(), Vec::new());
        for (stage, node) in nodes.iter().enumerate() {
            let far = writer.pool.scale(node, writer.h);
            let rates = writer.drifted(&v, far, &acceleration);
            let rates = Self::without_kernel(writer, descriptor, &rates);
            let places = writer.drifted(&q, far, &v);
            let mut slope = vec![ExprId::ZERO; q.len()];
            for i in (0..q.len()).filter(|&i| free(i).is_none()) {
                let name = format!("{}'_{}", names[i], stage + 1);
                slope[i] = writer.unknown(&name, UnknownKind::Velocity(i), rates[i]);
            }
            slopes.push(slope);
            let mut own = Vec::with_capacity(descriptor.kernel.len());
            for (i, _) in &descriptor.kernel {
                let name = format!("{}_µ{}", names[*i], stage + 1);
                own.push(writer.unknown(&name, UnknownKind::Position(*i), places[*i]));
            }
            values.push(own);
        }
        Self { descriptor, start, slopes, values }
    }

    /// w of x = w + K μ.
    fn without_kernel(
        writer: &mut Writer<'_>,
        descriptor: &Descriptor,
        x: &[ExprId],
    ) -> Vec<ExprId> {
        let mut w = x.to_vec();
        for (column, vector) in &descriptor.kernel {
            let back = writer.pool.neg(x[*column]);
            w = writer.drifted(&w, back, vector);
        }
        for (column, _) in &descriptor.kernel {
            w[*column] = ExprId::ZERO;
        }
        w
    }

    /// w + K Σ shares_i μ_i, by shares of the rates and of the values.
    fn place(
        &self,
        writer: &mut Writer<'_>,
        mark: &str,
        rates: &[Rational],
        shares: &[Rational],
    ) -> Vec<ExprId> {
        let w = writer.combined(&self.start, rates, writer.h, &self.slopes);
        let zeros = vec![ExprId::ZERO; self.descriptor.kernel.len()];
        let mu = writer.combined(&zeros, shares, ExprId::ONE, &self.values);
        let x = self.with_kernel(writer, w, &mu);
        writer.define(mark, x)
    }

    /// w + K μ.
    fn with_kernel(&self, writer: &mut Writer<'_>, w: Vec<ExprId>, mu: &[ExprId]) -> Vec<ExprId> {
        let mut x = w;
        for ((_, vector), &mu) in self.descriptor.kernel.iter().zip(mu) {
            x = writer.drifted(&x, mu, vector);
        }
        x
    }
}

/// With this many stages.
pub(super) fn write(writer: &mut Writer<'_>, descriptor: &Descriptor, stages: usize) -> Written {
    if stages > 1 && descriptor.index > 2 {
        return Err(DiscretiseError::NotApplicable {
            reason: "the system has index 3 or more, where the stages of several means are too sensitive to be found; \
                     take avf, or a Runge–Kutta method on the underlying equations",
        });
    }
    let form = Form::new(writer)?;
    let gauss = Numbers::new(&Table::gauss(stages)?, writer.digits, writer.budget)?;
    let nodes: Vec<Rational> = (0..stages).map(|i| gauss.node(i)).collect();
    let ways = Ways::new(writer, descriptor, &nodes);
    let basis =
        (0..stages).map(|i| lagrange(&nodes, i)).collect::<Result<Vec<Vec<Rational>>, _>>()?;
    let Quadrature { numbers: quadrature, exact } = {
        let mut all = form.effort.clone();
        all.push(form.explicit);
        form.quadrature_of(writer, stages, &all)?
    };
    let digits = writer.digits;
    let here = writer.here();
    let at = |tau: &Rational| -> Vec<Rational> {
        basis.iter().map(|p| rounded(value(p, tau), digits)).collect()
    };
    let (mut efforts, mut explicit) = (Vec::new(), Vec::new());
    for (k, weight) in quadrature.weights().iter().enumerate() {
        let tau = quadrature.node(k);
        let rates: Vec<Rational> =
            basis.iter().map(|p| rounded(value(&integral(p), &tau), digits)).collect();
        let q = ways.place(writer, &format!("_{}", k + 1), &rates, &at(&tau));
        let later = writer.pool.scale(&tau, writer.h);
        let t = writer.pool.add(here.t, later);
        let place = Point { q, v: here.v.clone(), t };
        let effort = writer.at(&place, &form.effort)?;
        efforts.push(writer.define(&format!("_z{}", k + 1), effort));
        let rate = writer.at(&place, &[form.explicit])?[0];
        explicit.push(writer.pool.scale(weight, rate));
    }
    let zeros = vec![ExprId::ZERO; here.q.len()];
    let (mut means, mut rates) = (Vec::with_capacity(stages), Vec::with_capacity(stages));
    for (i, basis) in basis.iter().enumerate() {
        let share = |k: usize| -> Result<Rational, Internal> {
            let weight = &quadrature.weights()[k] * &value(basis, &quadrature.node(k));
            Ok(rounded(weight.divided_by(&gauss.weights()[i])?, digits))
        };
        let shares = (0..quadrature.count()).map(share).collect::<Result<Vec<Rational>, _>>()?;
        let effort = writer.combined(&zeros, &shares, ExprId::ONE, &efforts);
        means.push(writer.define(&format!("_e{}", i + 1), effort));
        let rate = |row: &Vec<ExprId>| super::dot(writer, row, &ways.slopes[i]);
        rates.push(descriptor.matrix.iter().map(rate).collect::<Vec<_>>());
    }
    let explicit = writer.pool.sum(&explicit);
    if !exact {
        let q = ways.place(writer, "_close", gauss.weights(), &at(&Rational::ONE));
        let end = Point { q, v: here.v.clone(), t: writer.later() };
        means = form.balanced(writer, gauss.weights(), &rates, means, (&end, explicit))?;
    }
    let mut flows: Vec<Flow> = Vec::with_capacity(stages);
    for (i, effort) in means.iter().enumerate() {
        let own: Vec<Rational> =
            (0..stages).map(|j| if i == j { Rational::ONE } else { Rational::ZERO }).collect();
        let q = ways.place(writer, &format!("_c{}", i + 1), gauss.row(i), &own);
        let later = writer.pool.scale(&nodes[i], writer.h);
        let t = writer.pool.add(here.t, later);
        let flow = form.flow(writer, &Point { q, v: here.v.clone(), t }, effort)?;
        for (&left, &rate) in rates[i].iter().zip(&flow.rate) {
            let difference = writer.pool.sub(left, rate);
            writer.residual.push(difference);
        }
        flows.push(flow);
    }
    balance(writer, gauss.weights(), &flows, explicit);
    let way = writer.combined(&zeros, gauss.weights(), writer.h, &ways.slopes);
    let shares = at(&Rational::ONE);
    let mut mu = {
        let none = vec![ExprId::ZERO; descriptor.kernel.len()];
        writer.combined(&none, &shares, ExprId::ONE, &ways.values)
    };
    if let Some(correction) = &descriptor.correction {
        let q = ways.place(writer, "_end", gauss.weights(), &shares);
        let end = Point { q, v: here.v.clone(), t: writer.later() };
        let shifts = writer.at(&end, correction)?;
        mu = mu.iter().zip(shifts).map(|(&mu, shift)| writer.pool.add(mu, shift)).collect();
    }
    let moved: Vec<ExprId> = descriptor
        .kernel
        .iter()
        .zip(&mu)
        .map(|((column, _), &mu)| writer.pool.sub(mu, here.q[*column]))
        .collect();
    let way = ways.with_kernel(writer, way, &moved);
    let q = writer.drifted(&here.q, ExprId::ONE, &way);
    let q = writer.define("⁺", q);
    degenerate::finish(writer, q, way, None)
}
