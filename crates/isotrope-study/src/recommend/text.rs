//! A recommendation for the terminal.

use std::fmt::Write as _;

use isotrope_algebra::print::visible;

use super::facts::Form;
use super::{Facts, Recommendation};
use crate::report::{Align, Table, wrap};

impl Facts {
    /// What was found, in a few words.
    #[must_use]
    pub fn in_words(&self) -> String {
        let mut words: Vec<String> = vec![
            match self.kind {
                Form::Lagrangian => "a Lagrangian",
                Form::Hamiltonian => "a Hamiltonian alone",
                Form::FirstOrder => "a Lagrangian linear in the velocities",
                Form::LieGroup => "a Lagrangian on a Lie group",
                Form::StateSpace => "rates in state space",
            }
            .to_owned(),
        ];
        let many = |count: usize, what: &str| match count {
            1 => format!("1 {what}"),
            count => format!("{count} {what}s"),
        };
        words.push(many(self.dimension, "coordinate"));
        match (self.position_constraints, self.velocity_constraints) {
            (0, 0) => {}
            (positions, 0) => words.push(many(positions, "constraint") + " on positions"),
            (0, velocities) => words.push(many(velocities, "constraint") + " on velocities"),
            (positions, velocities) => words.push(format!(
                "{} on positions, {velocities} on velocities",
                many(positions, "constraint")
            )),
        }
        if let (Some(class), Some(reason)) = (self.class, &self.class_reason) {
            words.push(format!("class {} ({reason})", class.name()));
        }
        if self.separable {
            words.push("separable".to_owned());
        }
        words.push(
            match (self.energy, self.power, self.conservative) {
                (false, ..) => "no energy is known",
                (_, true, _) => "energy is supplied or dissipated",
                (_, _, true) => "the energy is conserved",
                _ => "the energy depends on time",
            }
            .to_owned(),
        );
        if self.kind == Form::StateSpace && self.symplectic {
            words.push(
                if self.constant_bracket { "constant bracket" } else { "a bracket" }.to_owned(),
            );
        }
        words.join("; ")
    }
}

impl Recommendation {
    /// The system, then the methods with their reasons.
    #[must_use]
    pub fn to_text(&self, width: usize) -> String {
        let mut out = format!("{}\n", visible(&self.model));
        let _ = writeln!(out, "{}\n", wrap(&self.system.in_words(), width, 2).join("\n"));
        let mut table = Table::new([Align::Right, Align::Left]).within(width);
        for method in &self.methods {
            table.line([method.rank.to_string(), method.name.clone(), method.reason.clone()]);
        }
        let _ = write!(out, "{table}");
        if self.methods.is_empty() {
            out.push_str("no method was found that makes steps of this system\n");
        }
        out
    }
}
