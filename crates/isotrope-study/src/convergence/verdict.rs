//! What a measured order says of a computed one.

use isotrope_certify::DefectOrder;
use schemars::JsonSchema;
use serde::Serialize;

use super::Slope;
use super::slope::spread;

/// What measurement says of computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The measured order is the computed one; or above it, on a model kinder than most.
    Agrees,
    /// It is lower.
    Disagrees,
    /// It is the computed one, and lower than the published one.
    KnownDeficiency,
    /// No power of h is seen: the errors are rounding, or their slopes do not settle.
    NotMeasured,
}

impl Verdict {
    /// Its name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Disagrees => "disagrees",
            Self::KnownDeficiency => "known-deficiency",
            Self::NotMeasured => "not-measured",
        }
    }
}

/// How far a measured order may be below the computed one, up to fourth order; see [`spread`].
const SLACK: f64 = 0.25;

fn slack(order: usize) -> f64 {
    SLACK * spread(order as f64)
}

/// What is known of the order of a method.
#[derive(Debug, Clone, Copy, Default)]
pub struct Orders {
    /// It was computed.
    pub computed: Option<usize>,
    /// It was published.
    pub published: Option<usize>,
    /// One very small step on the model, in long numbers, is of this order.
    pub small: Option<DefectOrder>,
}

impl Orders {
    /// Does a very small step show the computed order?
    fn is_shown(&self) -> bool {
        self.small.zip(self.computed).is_some_and(|(small, computed)| match small {
            DefectOrder::Exactly(small) | DefectOrder::AtLeast(small) => small >= computed,
            DefectOrder::Infinite => true,
        })
    }
}

/// The verdict; none where nothing was computed. Slopes that still vary do not disagree with anything, nor do those of
/// steps that are too long: high orders reach rounding of doubles before their errors are powers of h, and there a
/// very small step in long numbers decides.
#[must_use]
pub fn verdict(orders: &Orders, slope: Slope) -> Option<Verdict> {
    let computed = orders.computed?;
    let shown = orders.is_shown();
    let small = if shown { Verdict::Agrees } else { Verdict::NotMeasured };
    let Some(measured) = slope.power() else { return Some(small) };
    if measured < computed as f64 - slack(computed) {
        let varies = matches!(slope, Slope::Bending(_));
        return Some(if varies || shown { small } else { Verdict::Disagrees });
    }
    match orders.published {
        Some(claim) if claim > computed && measured < claim as f64 - slack(claim) => {
            Some(Verdict::KnownDeficiency)
        }
        _ => Some(Verdict::Agrees),
    }
}

/// The verdict in words.
pub(super) fn words(orders: &Orders, slope: Slope) -> String {
    let Orders { computed, published, small } = *orders;
    let measured = slope.power();
    let found = verdict(orders, slope);
    let mut text = match computed {
        Some(order) => format!("computed {order}"),
        None => "not computed".to_owned(),
    };
    let low = |power: f64| computed.is_some_and(|order| power < order as f64 - slack(order));
    text.push_str(&match (measured, small) {
        (Some(power), _) if found == Some(Verdict::NotMeasured) => {
            format!(", not measured: {power:.2} at the finest steps, and slopes still vary")
        }
        (Some(power), Some(small)) if found == Some(Verdict::Agrees) && low(power) => {
            format!(", {} ({power:.2} before rounding)", of_small(small))
        }
        (Some(power), _) => format!(", measured {power:.2}"),
        (None, Some(small)) if found == Some(Verdict::Agrees) => {
            format!(", {}", of_small(small))
        }
        (None, _) => ", not measured: the errors are rounding, not asymptotic at these steps, or too few runs completed".to_owned(),
    });
    match (found, published) {
        (Some(Verdict::KnownDeficiency), Some(claim)) => {
            text.push_str(&format!("; published claim {claim}: known deficiency"));
        }
        (Some(Verdict::Agrees), _) if above(computed, measured) => {
            text.push_str(": better on this model than in general");
        }
        (Some(Verdict::Agrees), _) => text.push_str(": agrees"),
        (Some(Verdict::Disagrees), _) => text.push_str(": disagrees"),
        (_, Some(claim)) => text.push_str(&format!("; published claim {claim}")),
        (Some(Verdict::KnownDeficiency | Verdict::NotMeasured) | None, None) => {}
    }
    text
}

fn of_small(order: DefectOrder) -> String {
    match order {
        DefectOrder::Exactly(small) | DefectOrder::AtLeast(small) => {
            format!("measured {small} in a very small step")
        }
        DefectOrder::Infinite => "exact on this model".to_owned(),
    }
}

fn above(computed: Option<usize>, measured: Option<f64>) -> bool {
    match (computed, measured) {
        (Some(computed), Some(measured)) => measured > computed as f64 + slack(computed),
        _ => false,
    }
}
