//! Measured orders for the terminal.

use std::fmt::Write as _;

use isotrope_algebra::print::visible;
use isotrope_certify::DefectOrder;

use super::{Convergence, Errors, Slope};
use crate::report::{Table, significant};

type Kind = (&'static str, fn(&Errors) -> &[Option<f64>]);

/// In the order of the slopes of a row.
const KINDS: [Kind; 7] = [
    ("solution", |e| &e.solution),
    ("energy", |e| &e.energy),
    ("|phi|", |e| &e.constraint_position),
    ("|Av+b|", |e| &e.constraint_velocity),
    ("|p-L_v|", |e| &e.legendre),
    ("momenta", |e| &e.momentum),
    ("structure", |e| &e.structure),
];

impl Convergence {
    /// One line a method: measured powers of h, and the verdict.
    #[must_use]
    pub fn to_text(&self) -> String {
        let time = significant(self.time, 6);
        let mut out = format!("{}: measured global orders, time {time}\n\n", visible(&self.model));
        let seen = |kind: &Kind| {
            self.rows.iter().any(|row| kind.1(&row.errors).iter().any(Option::is_some))
        };
        let kinds: Vec<(usize, &Kind)> =
            KINDS.iter().enumerate().filter(|(_, kind)| seen(kind)).collect();
        let mut widths = vec![8; kinds.len() + 1];
        widths[0] = 0;
        widths.extend([9, 4]);
        let mut table = Table::of_numbers(kinds.len() + 4).at_least(widths);
        let names = kinds.iter().map(|(_, kind)| kind.0);
        table.heading(["method"].into_iter().chain(names).chain(["(k, m)", "form", "verdict"]));
        for row in &self.rows {
            let mut cells = vec![row.method.clone()];
            for &(k, _) in &kinds {
                cells.push(match row.slopes[k] {
                    Slope::Power(power) | Slope::Bending(power) => format!("{power:.2}"),
                    Slope::Rounding => "rounding".to_owned(),
                    Slope::Unknown => "-".to_owned(),
                });
            }
            let show = |order: Option<DefectOrder>| {
                order.map_or_else(|| "-".to_owned(), |order| order.to_string())
            };
            let pair = format!("({}, {})", show(row.local.k), show(row.local.m));
            cells.extend([pair, show(row.local.form), row.reason.clone()]);
            table.line(cells);
        }
        let _ = write!(out, "{table}");
        out.push_str("\n(k, m): one very small step in long numbers: order of the solution, local exponent of the ");
        let preserved = self.rows.iter().any(|row| !row.local.preserved.is_empty());
        out.push_str(match self.state_space {
            _ if preserved => {
                "functions\nthat the method was made to preserve, structure: their defects; form: of the 2-form or the bracket\n"
            }
            true => "balance of energy; form: of the bracket\n",
            false => "structure; form: of the 2-form\n",
        });
        if let Some(reference) = &self.reference {
            let (step, error) = (reference.step, reference.estimated_error);
            let _ = writeln!(
                out,
                "reference: {} with step {}, error about {error:.0e}",
                reference.method,
                significant(step, 4)
            );
        }
        out
    }
}
