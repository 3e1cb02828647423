//! Elementary weights and order conditions, as text and in LaTeX.

use super::family::Colour;
use super::generate::{TreeId, Trees};
use super::name::{Part, runs};

/// φ(t) as it is written: the unit vector, one factor, or a componentwise product.
#[derive(Default)]
enum Stages {
    #[default]
    Unit,
    Factor(String),
    Product(String),
}

impl Trees {
    /// The elementary weight w(t) = b_root · ∏ A_child φ(child) as text.
    ///
    /// `.` applies a matrix or pairs with weights, `*` and `^` are componentwise, `1` is the
    /// vector of ones.
    pub fn weight(&self, tree: TreeId) -> String {
        let whole = self.compose(tree, |_, children| self.stages(children));
        apply(&self.family.colours[whole.colour].weights.text, &whole.value)
    }

    /// The order condition w(t) = 1/γ(t) as text.
    pub fn condition(&self, tree: TreeId) -> String {
        let gamma = self.gamma(tree);
        let right = if gamma.is_one() { "1".to_owned() } else { format!("1/{gamma}") };
        format!("{} = {right}", self.weight(tree))
    }

    /// The elementary weight in LaTeX, products of vectors with ⊙.
    pub fn weight_latex(&self, tree: TreeId) -> String {
        let whole = self.compose(tree, |_, children| self.stages_latex(children));
        let weights = format!(r"{}^{{\mathsf T}}", self.family.colours[whole.colour].weights.latex);
        apply_latex(&weights, &whole.value)
    }

    /// The order condition in LaTeX.
    pub fn condition_latex(&self, tree: TreeId) -> String {
        let gamma = self.gamma(tree);
        let right =
            if gamma.is_one() { "1".to_owned() } else { format!(r"\tfrac{{1}}{{{gamma}}}") };
        format!("{} = {right}", self.weight_latex(tree))
    }

    fn stages(&self, children: &[&Part<Stages>]) -> Stages {
        compose(children, &self.family.colours, apply, "*", |factor, power| match power {
            1 => format!("({factor})"),
            _ => format!("({factor})^{power}"),
        })
    }

    fn stages_latex(&self, children: &[&Part<Stages>]) -> Stages {
        let factor = |matrix: &Colour, stages: &Stages| apply_latex(&matrix.matrix.latex, stages);
        let written = |factor: String, power| match power {
            1 => factor,
            _ => format!(r"({factor})^{{\odot {power}}}"),
        };
        compose_with(children, &self.family.colours, factor, r" \odot ", written)
    }
}

fn compose(
    children: &[&Part<Stages>],
    colours: &[Colour],
    apply: impl Fn(&str, &Stages) -> String,
    times: &str,
    written: impl Fn(String, usize) -> String,
) -> Stages {
    compose_with(children, colours, |colour, s| apply(&colour.matrix.text, s), times, written)
}

fn compose_with(
    children: &[&Part<Stages>],
    colours: &[Colour],
    apply: impl Fn(&Colour, &Stages) -> String,
    times: &str,
    written: impl Fn(String, usize) -> String,
) -> Stages {
    let runs = runs(children);
    let factor = |child: &Part<Stages>| apply(&colours[child.colour], &child.value);
    match runs.as_slice() {
        [] => Stages::Unit,
        [(child, 1)] => Stages::Factor(factor(child)),
        _ => {
            let factors: Vec<String> =
                runs.iter().map(|(child, power)| written(factor(child), *power)).collect();
            Stages::Product(factors.join(times))
        }
    }
}

fn apply(symbol: &str, stages: &Stages) -> String {
    match stages {
        Stages::Unit => format!("{symbol}.1"),
        Stages::Factor(text) | Stages::Product(text) => format!("{symbol}.({text})"),
    }
}

fn apply_latex(symbol: &str, stages: &Stages) -> String {
    match stages {
        Stages::Unit => format!(r"{symbol} \mathbf 1"),
        Stages::Factor(text) => format!("{symbol} {text}"),
        Stages::Product(text) => format!(r"{symbol} \bigl({text}\bigr)"),
    }
}
