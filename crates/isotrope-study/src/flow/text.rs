//! The report as people read it.

use std::fmt::Write as _;

use isotrope_algebra::print::visible;

use super::{FlowReport, Lyapunov, Monodromy, Shooting, Symplectic};
use crate::report::{self, Align, Table, shortest};

/// Matrices up to this size are written out.
const WRITTEN: usize = 12;

/// A number with this many digits, without the dust of rounding.
fn number(x: f64) -> String {
    if x == 0.0 || (x.abs() < 1e5 && x.abs() >= 1e-4) {
        format!("{x:.9}")
    } else {
        format!("{x:.6e}")
    }
}

/// A number with all of its digits.
fn all_digits(x: f64) -> String {
    let plain = x == 0.0 || (x.abs() < 1e5 && x.abs() >= 1e-4);
    if plain { format!("{x:.16}") } else { format!("{x:.16e}") }
}

/// Lines of numbers with names before them; names of the columns above.
fn lines(out: &mut String, columns: &[String], rows: &[(String, &[f64])]) {
    let count = rows.iter().map(|(_, values)| values.len()).max().unwrap_or(0).max(columns.len());
    let mut widths = vec![16; count + 1];
    widths[0] = rows.iter().map(|(name, _)| report::columns(name)).max().unwrap_or(0) + 1;
    let mut table = Table::new([Align::Left, Align::Right]).indented(2).gap(1).at_least(widths);
    if !columns.is_empty() {
        table.heading([String::new()].into_iter().chain(columns.iter().cloned()));
    }
    for (name, values) in rows.iter().filter(|(_, values)| !values.is_empty()) {
        table.line([name.clone()].into_iter().chain(values.iter().map(|&x| number(x))));
    }
    let _ = write!(out, "{table}");
}

impl FlowReport {
    /// The report: the same runs, the same text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        let Self { method, steps, .. } = self;
        let model = visible(&self.model);
        let [step, time] = [self.step, self.time].map(shortest);
        let _ = match (self.paced, &self.failure) {
            (false, _) => {
                writeln!(out, "{model}: {method}, {steps} steps of {step} to t = {time}\n")
            }
            (true, Some(_)) => writeln!(out, "{model}: {method}, {steps} steps of s = {step}\n"),
            (true, None) => writeln!(
                out,
                "{model}: {method}, {steps} steps of s = {step}, to s = {time}, t = {}\n",
                shortest(self.end.t)
            ),
        };
        if let Some(shooting) = &self.shooting {
            shot(&mut out, shooting);
        }
        if let Some(failure) = &self.failure {
            let _ = writeln!(
                out,
                "{} at step {}, t = {}: {}",
                self.outcome,
                failure.step,
                shortest(failure.t),
                failure.reason
            );
            return out;
        }
        let _ = writeln!(out, "state");
        let (start, end) = (&self.start, &self.end);
        let names = ["start q", "start p", "end q", "end p"].map(str::to_owned);
        let [first_q, first_p, last_q, last_p] = names;
        let first = [(first_q, &start.q[..]), (last_q, &end.q[..])];
        let last = [(first_p, &start.p[..]), (last_p, &end.p[..])];
        if self.coordinates == self.velocities {
            let ([a, b], [c, d]) = (first, last);
            lines(&mut out, &self.coordinates, &[a, c, b, d]);
        } else {
            lines(&mut out, &self.coordinates, &first);
            lines(&mut out, &self.velocities, &last);
        }
        out.push('\n');
        for remark in &self.remarks {
            let _ = writeln!(out, "{}\n", capitalised(remark));
        }
        if let Some(monodromy) = &self.monodromy {
            matrix(&mut out, monodromy, self.dimension, self.start.p.is_empty());
        }
        match &self.poisson {
            Some(found) => structure(&mut out, "Poisson map", found),
            None => structure(&mut out, "symplectic", &self.symplectic),
        }
        if let Some(lyapunov) = &self.lyapunov {
            exponents(&mut out, lyapunov);
        }
        if let Some(list) = &self.sensitivities {
            let _ = writeln!(out, "derivatives of the end");
            let rows: Vec<(String, &[f64])> = list
                .iter()
                .flat_map(|d| [(format!("q by {}", d.by), &d.q), (format!("p by {}", d.by), &d.p)])
                .filter(|(_, values)| !values.is_empty())
                .map(|(name, values)| (name, values.as_slice()))
                .collect();
            lines(&mut out, &self.coordinates, &rows);
            out.push('\n');
        }
        if let Some(list) = &self.second {
            let _ = writeln!(out, "second derivatives of the end");
            let rows: Vec<(String, &[f64])> = list
                .iter()
                .flat_map(|d| {
                    let by = d.by.join(", ");
                    [(format!("q by {by}"), &d.q), (format!("p by {by}"), &d.p)]
                })
                .filter(|(_, values)| !values.is_empty())
                .map(|(name, values)| (name, values.as_slice()))
                .collect();
            lines(&mut out, &self.coordinates, &rows);
            out.push('\n');
        }
        if let Some(cost) = &self.cost {
            let _ = writeln!(
                out,
                "{} directions: {} operations a step, {} with derivatives in {}",
                cost.directions, cost.operations, cost.operations_with_derivatives, cost.width
            );
        }
        out
    }
}

fn matrix(out: &mut String, monodromy: &Monodromy, dimension: usize, in_state_space: bool) {
    let where_ = match monodromy.basis {
        "tangent" => "on orthonormal tangent vectors of the constraints",
        "q" if in_state_space => "of the state",
        "q" => "in q, from which p follows",
        "body" => "in the momentum of the body and the algebra, (g⁻¹δg, δμ)",
        _ => "in (q, p)",
    };
    let _ = writeln!(out, "derivative of the flow map {where_}");
    if dimension <= WRITTEN {
        let rows: Vec<(String, &[f64])> =
            monodromy.matrix.iter().map(|row| (String::new(), row.as_slice())).collect();
        lines(out, &[], &rows);
    } else {
        let _ = writeln!(out, "  {dimension} × {dimension}: see --json");
    }
    if let Some(determinant) = monodromy.determinant {
        let _ = writeln!(out, "  determinant {determinant:.15}");
    }
    if let Some(list) = &monodromy.multipliers {
        let name = if monodromy.closed { "Floquet multipliers" } else { "eigenvalues" };
        let _ = writeln!(out, "  {name}");
        for [re, im] in list {
            let size = re.hypot(*im);
            let _ = match *im {
                0.0 => writeln!(out, "    {:>16}", number(*re)),
                im => writeln!(
                    out,
                    "    {:>16} {} {} i    size {}",
                    number(*re),
                    if im < 0.0 { "-" } else { "+" },
                    number(im.abs()),
                    number(size)
                ),
            };
        }
    }
    let state = if monodromy.closed { "closes" } else { "does not close" };
    let _ = writeln!(
        out,
        "  the trajectory {state}: |end - start| = {:.1e} of its size\n",
        monodromy.gap
    );
}

fn structure(out: &mut String, label: &str, found: &Symplectic) {
    match (&found.reason, found.defect_max, found.rounding) {
        (Some(reason), ..) => {
            let _ = writeln!(out, "{label}: not applicable. {}\n", capitalised(reason));
        }
        (None, Some(defect), Some(rounding)) => {
            let verdict = if found.is_kept() { "yes" } else { "no" };
            let hidden = verdict == "no" && defect <= rounding;
            let _ = writeln!(
                out,
                "{label}: {verdict}\n  largest defect of a step: {defect:.1e} (rounding: {rounding:.1e}), {} steps{}",
                found.looked_at,
                if hidden { ": below rounding at this step" } else { "" }
            );
            let steps: Vec<String> =
                found.ladder.iter().map(|[h, d]| format!("h = {h}: {d:.1e}")).collect();
            let _ = writeln!(out, "  other steps: {}", steps.join(", "));
            if let Some(power) = found.power {
                let place = if hidden { "at larger steps " } else { "" };
                let _ = writeln!(out, "  {place}the defect is of order h^{power:.2}");
            } else if hidden {
                out.push_str("  at larger steps it is above rounding\n");
            }
            out.push('\n');
        }
        _ => {}
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Sizes of exponents that are written without a power of ten.
const PLAIN: (f64, f64) = (1e-2, 1e4);
/// Digits of the sum of exponents, which is known better than they are: it is the mean divergence.
const OF_SUM: usize = 10;

/// The sum of the exponents; where they cancel only its size.
fn sum(lyapunov: &Lyapunov) -> String {
    let terms: f64 = lyapunov.exponents.iter().map(|x| x.abs()).sum();
    if lyapunov.sum.abs() < 1e-9 * terms {
        return format!("{:.1e}", lyapunov.sum);
    }
    report::significant(lyapunov.sum, OF_SUM)
}

fn exponents(out: &mut String, lyapunov: &Lyapunov) {
    let each = if lyapunov.variable == "s" { ", rates in s and not in t" } else { "" };
    let _ =
        writeln!(out, "Lyapunov exponents over {} = {}{each}", lyapunov.variable, lyapunov.time);
    // In units of time in which they are far from 1, numbers are written with a power of ten.
    let size = lyapunov.exponents.iter().fold(0.0, |most, x| f64::max(most, x.abs()));
    let plain = size == 0.0 || (PLAIN.0..PLAIN.1).contains(&size);
    for (exponent, uncertainty) in lyapunov.exponents.iter().zip(&lyapunov.uncertainty) {
        let _ = match plain {
            true => writeln!(out, "  {exponent:>10.5} ± {uncertainty:.5}"),
            false => writeln!(out, "  {exponent:>13.5e} ± {uncertainty:.1e}"),
        };
    }
    let _ = write!(out, "  sum {}", sum(lyapunov));
    if let Some(pairing) = lyapunov.pairing {
        let _ = write!(out, ", largest sum of a pair {pairing:.1e}");
    }
    out.push_str("\n\n");
}

fn shot(out: &mut String, shooting: &Shooting) {
    let _ = writeln!(out, "Newton's method");
    for (k, iterate) in shooting.iterates.iter().enumerate() {
        let correction =
            iterate.correction.map_or_else(String::new, |x| format!("  correction {x:.1e}"));
        let _ = writeln!(out, "  round {k:>2}  residual {:.1e}{correction}", iterate.residual);
    }
    let _ = match &shooting.reason {
        _ if shooting.equilibrium => {
            writeln!(out, "  converged to an equilibrium, which has every period")
        }
        _ if shooting.converged => writeln!(out, "  converged"),
        Some(reason) => writeln!(out, "  not converged: {reason}"),
        None => writeln!(out, "  not converged"),
    };
    for (name, value) in &shooting.found {
        let _ = writeln!(out, "  {name:<10} = {}", all_digits(*value));
    }
    if let Some(period) = shooting.period {
        let _ = writeln!(out, "  {:<10} = {}", "period", all_digits(period));
    }
    out.push('\n');
}
