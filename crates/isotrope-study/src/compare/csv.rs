//! A comparison for spreadsheets.

use isotrope_output::writers::quoted;

use super::Comparison;

impl Comparison {
    /// One line a row, all digits; empty where nothing applies.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut out = String::from(
            "method,step,time,steps,outcome,order,energy_max,energy_final,\
             constraint_position_max,constraint_velocity_max,legendre_max,momentum_max,\
             reference_max,reference_final,residual_evaluations,ns_per_step\n",
        );
        for row in &self.rows {
            let (run, errors) = (&row.run, &row.run.errors);
            let number = |value: Option<f64>| {
                value.filter(|x| x.is_finite()).map_or_else(String::new, |x| format!("{x:e}"))
            };
            let count = |value: Option<u64>| value.map_or_else(String::new, |x| x.to_string());
            let cells = [
                quoted(&run.method),
                number(Some(run.step)),
                number(Some(run.time)),
                run.steps.to_string(),
                run.outcome.name().to_owned(),
                count(row.order.map(|order| order as u64)),
                number(errors.energy_max),
                number(errors.energy_final),
                number(errors.constraint_position_max),
                number(errors.constraint_velocity_max),
                number(errors.legendre_max),
                number(errors.momentum_max.0.iter().map(|entry| entry.1).reduce(f64::max)),
                number(row.reference_max),
                number(row.reference_final),
                count(run.cost.residual_evaluations),
                number(run.cost.ns_per_step),
            ];
            out.push_str(&cells.join(","));
            out.push('\n');
        }
        out
    }
}
