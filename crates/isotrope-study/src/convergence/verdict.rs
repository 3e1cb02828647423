//! What a measured order says of a computed one.

use schemars::JsonSchema;
use serde::Serialize;

use super::Slope;

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

/// How far a measured order may be below the computed one.
const SLACK: f64 = 0.25;

/// The verdict; none where nothing was computed. Slopes that still vary do not disagree with anything.
#[must_use]
pub fn verdict(computed: Option<usize>, published: Option<usize>, slope: Slope) -> Option<Verdict> {
    let computed = computed?;
    let Some(measured) = slope.power() else { return Some(Verdict::NotMeasured) };
    if measured < computed as f64 - SLACK {
        let varies = matches!(slope, Slope::Bending(_));
        return Some(if varies { Verdict::NotMeasured } else { Verdict::Disagrees });
    }
    match published {
        Some(claim) if claim > computed && measured < claim as f64 - SLACK => {
            Some(Verdict::KnownDeficiency)
        }
        _ => Some(Verdict::Agrees),
    }
}

/// The verdict in words.
pub(super) fn words(computed: Option<usize>, published: Option<usize>, slope: Slope) -> String {
    let measured = slope.power();
    let found = verdict(computed, published, slope);
    let mut text = match computed {
        Some(order) => format!("computed {order}"),
        None => "not computed".to_owned(),
    };
    text.push_str(&match measured {
        Some(power) if found == Some(Verdict::NotMeasured) => {
            format!(", not measured: {power:.2} at the finest steps, and slopes still vary")
        }
        Some(power) => format!(", measured {power:.2}"),
        None => ", not measured: the errors are rounding, not asymptotic at these steps, or too few runs completed".to_owned(),
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

fn above(computed: Option<usize>, measured: Option<f64>) -> bool {
    match (computed, measured) {
        (Some(computed), Some(measured)) => measured > computed as f64 + SLACK,
        _ => false,
    }
}
