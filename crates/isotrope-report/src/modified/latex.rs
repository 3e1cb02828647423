//! The modified equations as a complete LaTeX document.

use isotrope_algebra::print::{Format, escape_latex, to_latex as expression_to_latex};
use isotrope_algebra::{Budget, ExprId};

use super::PRINTED;
use super::powers::{Power, in_latex};
use super::terms::Written;
use super::text::systems;
use crate::PREAMBLE;
use isotrope_study::modified::{Modified, ModifiedModel};

/// A document: equations, Hamiltonian, and what was measured.
pub fn to_latex(modified: &Modified) -> String {
    let mut out = String::from(PREAMBLE);
    out.push_str("\\begin{document}\n");
    match &modified.model {
        Some(model) => of_model(&mut out, modified, model),
        None => by_trees(&mut out, modified),
    }
    out.push_str("\\end{document}\n");
    out
}

fn section(out: &mut String, title: &str) {
    out.push_str(&format!("\n\\section*{{{}}}\n", escape_latex(title)));
}

/// `left &= …`, a line for each power of h.
fn series(out: &mut String, list: &[(String, Vec<Power>)], remainder: usize) {
    out.push_str("\\begin{align*}\n");
    for (place, (left, powers)) in list.iter().enumerate() {
        if place > 0 {
            out.push_str(" \\\\[1ex]\n");
        }
        out.push_str(&format!("{left} &= "));
        for (number, power) in powers.iter().enumerate() {
            let sign = match (number, power.negative) {
                (_, true) => "-",
                (0, false) => "",
                (_, false) => "+",
            };
            let line = if number == 0 { "" } else { " \\\\\n  &\\quad " };
            let h = in_latex(power.power);
            out.push_str(&format!("{line}{sign} {h} \\fit{{{}}}", power.body));
        }
        out.push_str(&format!(" + O({})", in_latex(remainder)));
    }
    out.push_str("\n\\end{align*}\n");
}

fn powers(texts: &[Option<String>]) -> Vec<Power> {
    let texts = texts.iter().enumerate();
    texts.filter_map(|(power, text)| Some(Power::new(power, text.as_ref()?))).collect()
}

fn by_trees(out: &mut String, modified: &Modified) {
    section(out, &format!("Modified equations of {}", modified.method));
    let family = modified.trees.family();
    let rates: Vec<(String, Vec<Power>)> = family
        .colours()
        .iter()
        .enumerate()
        .map(|(colour, group)| {
            let rate = Written(modified, Format::Latex).rate(colour);
            (format!(r"\dot {}", group.name()), powers(&rate))
        })
        .collect();
    series(out, &rates, modified.remainder);
    letter(out, modified);
    if let Some(sums) = Written(modified, Format::Latex).hamiltonian_by_trees() {
        section(out, "Modified Hamiltonian");
        let words = systems(modified)
            .replace("f = J^-1 H'", "$f = J^{-1} H'$")
            .replace("H = p.M^-1.p/2 + U(q)", r"$H = p^{\mathsf T} M^{-1} p/2 + U(q)$")
            .replace("constant M", "constant $M$")
            .replace("f = -M^-1 U_q", "$f = -M^{-1} U_q$");
        out.push_str(&format!("{words}\n"));
        series(out, &[(r"\widetilde H".to_owned(), powers(&sums))], modified.remainder);
    }
}

fn letter(out: &mut String, modified: &Modified) {
    if let Some((letter, number)) = modified.numbers.generator() {
        let name = isotrope_algebra::print::latex_name(letter);
        out.push_str(&format!(
            "with ${name} = {:.15}\\ldots$, \\texttt{{{}}}.\n",
            number.to_f64(),
            number.to_string().replace('^', r"\^{}")
        ));
    }
}

fn of_model(out: &mut String, modified: &Modified, model: &ModifiedModel) {
    let name = &model.system.model.name;
    section(out, &format!("Modified equations of {} for {name}", modified.method));
    let list: Vec<(String, Vec<Power>)> = model
        .equations
        .iter()
        .map(|equation| {
            let left = format!(
                r"\frac{{\mathrm d}}{{\mathrm dt}} {}",
                expression(model, equation.variable)
            );
            (left, written(model, &equation.powers))
        })
        .collect();
    series(out, &list, modified.remainder);
    letter(out, modified);
    match &model.hamiltonian {
        Ok(powers) => {
            section(out, "Modified Hamiltonian");
            let list = [(r"\widetilde H".to_owned(), written(model, powers))];
            series(out, &list, modified.remainder);
        }
        Err(reason) => {
            section(out, "Energy along the modified equations");
            out.push_str(&format!(
                "There is no modified Hamiltonian: {}.\n",
                escape_latex(&reason.to_string())
            ));
            let list = [(r"\dot E".to_owned(), written(model, &model.energy_rate))];
            series(out, &list, modified.remainder);
        }
    }
    if !model.constraint_rates.is_empty() {
        section(out, "Constraints along the modified equations");
        let names = model.constraint_names();
        let list: Vec<(String, Vec<Power>)> = names
            .iter()
            .zip(&model.constraint_rates)
            .map(|(name, rate)| {
                let left =
                    format!(r"\frac{{\mathrm d}}{{\mathrm dt}}\,\text{{{}}}", escape_latex(name));
                (left, written(model, &rate.powers))
            })
            .collect();
        series(out, &list, modified.remainder);
    }
    if let Ok(defect) = &model.defect
        && let Some(slope) = defect.slope
    {
        section(out, "Defect");
        out.push_str(&format!(
            "One step differs from the flow of these equations by $O(h^{{{slope:.3}}})$, measured; \
             expected is $O(h^{{{}}})$ or better.\n",
            modified.remainder + 1
        ));
    }
}

fn written(model: &ModifiedModel, list: &[ExprId]) -> Vec<Power> {
    let texts: Vec<Option<String>> =
        list.iter().map(|&id| (!id.is_zero()).then(|| expression(model, id))).collect();
    let found = powers(&texts);
    if found.is_empty() { vec![Power::new(0, "0")] } else { found }
}

fn expression(model: &ModifiedModel, id: ExprId) -> String {
    expression_to_latex(&model.system.model.pool, id, &mut Budget::new(PRINTED))
        .unwrap_or_else(|_| r"\cdots".to_owned())
}
