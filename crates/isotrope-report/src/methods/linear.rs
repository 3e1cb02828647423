//! What linear test equations say of a table, in words and as JSON.

use isotrope_algebra::number::field::{FieldElement, NumberField};
use isotrope_algebra::{Budget, Precision};
use isotrope_certify::{Dense, Embedded, LinearTheory, Reach, ScalarStability};
use schemars::JsonSchema;
use serde::Serialize;

use super::detail::wrapped;

/// Exact numbers are written where they are had within this.
const EXACT_BUDGET: u64 = 20_000_000;
/// Longer exact texts give way to decimals.
const LONGEST: usize = 24;
const DIGITS: usize = 17;
const SHOWN: usize = 6;

/// What linear test equations say of a table.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct LinearRecord {
    /// C(η) and B(η) hold up to this η; `null` where weights differ.
    stage_order: Option<usize>,
    /// On y' = λ y, z = h λ; `null` for several tables.
    scalar: Option<ScalarRecord>,
    /// h ω up to which oscillations q'' = −ω² q do not grow; `null`: always.
    oscillations: Option<f64>,
    /// Is the determinant of such a step 1?
    keeps_area: bool,
    /// Weights of a lower order for the same stages.
    embedded: Option<EmbeddedRecord>,
    /// A continuous solution.
    dense: Option<DenseRecord>,
}

/// One table on y' = λ y.
#[derive(Debug, JsonSchema, Serialize)]
struct ScalarRecord {
    /// Numerator of R(z), ascending, exact.
    numerator: Vec<String>,
    /// Denominator of R(z), ascending, exact.
    denominator: Vec<String>,
    /// |R| ≤ 1 from minus this to 0; `null`: on the whole half-axis.
    negative_axis: Option<f64>,
    /// |R| ≤ 1 from −i to i times this; `null`: on the whole axis.
    imaginary_axis: Option<f64>,
    /// |R| ≤ 1 in the left half-plane, proved.
    a_stable: bool,
    /// That, and R(∞) = 0.
    l_stable: bool,
    /// b ≥ 0 and the matrix of algebraic stability is not negative, proved.
    algebraically_stable: bool,
    /// The last stage is the end of the step; `null` where stages are not written out.
    stiffly_accurate: Option<bool>,
}

/// Weights of a lower order.
#[derive(Debug, JsonSchema, Serialize)]
struct EmbeddedRecord {
    /// Their order.
    order: usize,
    /// The dimension of all weights of this order.
    dimension: usize,
    /// The simplest, exact; one more than stages: the last is of the first stage of the next step.
    weights: Vec<String>,
}

/// Weights b(θ) of a continuous solution.
#[derive(Debug, JsonSchema, Serialize)]
struct DenseRecord {
    /// Its order everywhere in the step.
    order: usize,
    /// For each stage the coefficients of θ, θ², …, exact; a stage more than the table has is the first of the next step.
    weights: Vec<Vec<String>>,
}

impl LinearRecord {
    pub(super) fn new(theory: &LinearTheory, field: &NumberField) -> Self {
        let exact = &mut Texts::new(field);
        Self {
            stage_order: theory.stage_order,
            scalar: theory.scalar.as_ref().map(|scalar| ScalarRecord {
                numerator: exact.list(&scalar.numerator),
                denominator: exact.list(&scalar.denominator),
                negative_axis: finite(&scalar.negative),
                imaginary_axis: finite(&scalar.imaginary_squared).map(f64::sqrt),
                a_stable: scalar.a_stable,
                l_stable: scalar.l_stable,
                algebraically_stable: scalar.algebraically_stable,
                stiffly_accurate: scalar.stiffly_accurate,
            }),
            oscillations: finite(&theory.oscillator_squared).map(f64::sqrt),
            keeps_area: theory.keeps_area,
            embedded: theory.embedded.as_ref().map(|pair| EmbeddedRecord {
                order: pair.order,
                dimension: pair.dimension,
                weights: exact.list(&pair.weights),
            }),
            dense: theory.dense.as_ref().map(|dense| DenseRecord {
                order: dense.order,
                weights: dense.weights.iter().map(|of| exact.list(of)).collect(),
            }),
        }
    }
}

fn finite(reach: &Reach) -> Option<f64> {
    Some(reach.to_f64()).filter(|x| x.is_finite())
}

/// The lines of a certificate.
pub(super) fn to_text(theory: &LinearTheory, field: &NumberField) -> String {
    let exact = &mut Texts::new(field);
    let mut out = String::new();
    let mut line =
        |label: &str, text: &str| out.push_str(&format!("  {label:11}  {}\n", wrapped(text)));
    if let Some(scalar) = &theory.scalar {
        line("linear", &format!("R(z) = {}", exact.quotient(scalar)));
        line("", &in_words(scalar));
    }
    let oscillations = match &theory.oscillator_squared {
        Reach::Everywhere => "stays bounded for all steps".to_owned(),
        Reach::Nowhere => "grows with all small steps".to_owned(),
        up_to => format!("stays bounded for h w <= {}", short(up_to.to_f64().sqrt())),
    };
    let area = if theory.keeps_area { ", area is kept" } else { "" };
    line("oscillator", &format!("q'' = -w^2 q {oscillations}{area}"));
    if let Some(order) = theory.stage_order {
        line("stage order", &order.to_string());
    }
    if let Some(Embedded { order, dimension, weights }) = &theory.embedded {
        let family = match dimension {
            1 => "one of a line of them".to_owned(),
            more => format!("one of a family of dimension {more}"),
        };
        line("embedded", &format!("order {order}: {}, {family}", exact.list(weights).join("  ")));
    }
    if let Some(Dense { order, weights }) = &theory.dense {
        line("dense", &format!("order {order}, with x = (t - t0)/h:"));
        for (number, weights) in (1..).zip(weights) {
            if weights.iter().all(FieldElement::is_zero) {
                continue;
            }
            let mut terms = vec![FieldElement::zero()];
            terms.extend_from_slice(weights);
            let terms = exact.polynomial(&terms, "x");
            line("", &format!("b{number}(x) = {terms}"));
        }
    }
    let last = theory.embedded.as_ref().and_then(|pair| pair.weights.get(theory.stages));
    let last = last
        .into_iter()
        .chain(theory.dense.iter().filter_map(|dense| dense.weights.get(theory.stages)).flatten());
    if last.into_iter().any(|weight| !weight.is_zero()) {
        line("", "the last weight is that of the first stage of the next step");
    }
    out
}

fn in_words(scalar: &ScalarStability) -> String {
    let mut words = Vec::new();
    if scalar.a_stable {
        words.push(if scalar.l_stable { "A-stable and L-stable" } else { "A-stable" }.to_owned());
    } else {
        let mut places = Vec::new();
        match &scalar.negative {
            Reach::Nowhere => {}
            Reach::Everywhere => places.push("for all z < 0".to_owned()),
            up_to => places.push(format!("on [-{}, 0]", short(up_to.to_f64()))),
        }
        match &scalar.imaginary_squared {
            Reach::Nowhere => places.push("nowhere on the imaginary axis near 0".to_owned()),
            Reach::Everywhere => places.push("on the imaginary axis".to_owned()),
            up_to => {
                let end = short(up_to.to_f64().sqrt());
                places.push(format!("on [-{end}i, {end}i]"));
            }
        }
        words.push(format!("|R| <= 1 {}", places.join(", ")));
    }
    if scalar.algebraically_stable {
        words.push("algebraically stable".to_owned());
    }
    if scalar.stiffly_accurate == Some(true) {
        words.push("stiffly accurate".to_owned());
    }
    words.join("; ")
}

/// A few digits.
fn short(value: f64) -> String {
    let digits = format!("{value:.SHOWN$}");
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Exact texts where they are short, decimals elsewhere.
struct Texts<'f> {
    field: &'f NumberField,
    budget: Budget,
}

impl<'f> Texts<'f> {
    fn new(field: &'f NumberField) -> Self {
        Self { field, budget: Budget::new(EXACT_BUDGET) }
    }

    fn text(&mut self, value: &FieldElement) -> String {
        if let Ok(exact) = self.field.to_algebraic(value, &mut self.budget) {
            let text = exact.to_string();
            if text.len() <= LONGEST && !text.starts_with("root") {
                return text;
            }
        }
        match self.field.enclosure(value, Precision::new(96)) {
            Ok(ball) => format!("≈{}", ball.to_decimal(DIGITS)),
            Err(_) => "?".to_owned(),
        }
    }

    fn list(&mut self, values: &[FieldElement]) -> Vec<String> {
        values.iter().map(|value| self.text(value)).collect()
    }

    fn quotient(&mut self, scalar: &ScalarStability) -> String {
        let above = self.polynomial(&scalar.numerator, "z");
        if scalar.denominator.len() <= 1 {
            return above;
        }
        format!("({above})/({})", self.polynomial(&scalar.denominator, "z"))
    }

    /// A sum of powers, ascending.
    fn polynomial(&mut self, coefficients: &[FieldElement], variable: &str) -> String {
        let mut out = String::new();
        for (power, coefficient) in coefficients.iter().enumerate() {
            if coefficient.is_zero() {
                continue;
            }
            let text = self.text(coefficient);
            let plain = text.replacen("≈-", "-≈", 1);
            let (sign, size) = match plain.strip_prefix('-') {
                Some(size) if !size.contains(['+', '-']) => ("-", size.to_owned()),
                None if !plain.contains(['+', '-']) => ("+", plain),
                _ => ("+", format!("({text})")),
            };
            if !out.is_empty() {
                out.push_str(&format!(" {sign} "));
            } else if sign == "-" {
                out.push('-');
            }
            let factor = match power {
                0 => String::new(),
                1 => variable.to_owned(),
                _ => format!("{variable}^{power}"),
            };
            match (size.as_str(), factor.as_str()) {
                (size, "") => out.push_str(size),
                ("1", factor) => out.push_str(factor),
                (size, factor) => match size.strip_prefix("1/") {
                    Some(divisor) if divisor.bytes().all(|b| b.is_ascii_digit()) => {
                        out.push_str(&format!("{factor}/{divisor}"));
                    }
                    _ => out.push_str(&format!("{size}*{factor}")),
                },
            }
        }
        if out.is_empty() { "0".to_owned() } else { out }
    }
}
