//! What a study is: a model, axes, how to sample them, what to measure.

use std::collections::BTreeMap;

use isotrope::rooms::tape::math::{Numbers, exp, log};

/// A study, as its file says.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// How it is called.
    pub name: String,
    /// The file of the model, relative to the study.
    pub model: String,
    /// Parameters that the model has otherwise.
    pub set: Vec<String>,
    /// How the members run.
    pub run: Runs,
    /// What is varied, the slowest first.
    pub axes: Vec<Axis>,
    /// Which points of the axes are taken.
    pub sample: Sample,
    /// What is kept of a member.
    pub measure: Measure,
    /// Small tables after the runs.
    pub reduce: Vec<Reduction>,
}

/// How members run; several methods or steps split the study into groups.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Runs {
    /// Methods; empty: that of the model.
    pub methods: Vec<String>,
    /// Steps; empty: that of the model.
    pub steps: Vec<String>,
    /// The time; `None`: that of the model.
    pub time: Option<String>,
    /// When iterations end.
    pub tolerance: Option<f64>,
    /// Project initial values onto the constraints?
    pub project: bool,
}

/// One axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// A parameter or an initial value: x, x', v_x, p_x.
    pub name: String,
    /// Its values.
    pub values: Values,
}

/// The values of an axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// From one number to another.
    Range {
        /// The first.
        from: f64,
        /// The last.
        to: f64,
        /// How many, in a grid.
        count: u64,
        /// Equal ratios instead of equal differences?
        logarithmic: bool,
    },
    /// These.
    List(Vec<f64>),
}

impl Values {
    /// How many there are in a grid.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self {
            Self::Range { count, .. } => *count,
            Self::List(list) => list.len() as u64,
        }
    }

    /// The value with this number in a grid.
    #[must_use]
    pub fn nth(&self, number: u64) -> f64 {
        match self {
            Self::List(list) => {
                usize::try_from(number).ok().and_then(|k| list.get(k)).copied().unwrap_or(f64::NAN)
            }
            Self::Range { from, count: 1, .. } => *from,
            Self::Range { from, .. } if number == 0 => *from,
            Self::Range { to, count, .. } if number + 1 == *count => *to,
            Self::Range { count, .. } => self.between(number as f64 / (count - 1) as f64),
        }
    }

    /// The value at a part of the way, from 0 to 1.
    #[must_use]
    pub fn between(&self, part: f64) -> f64 {
        match self {
            Self::Range { from, to, logarithmic: false, .. } => from + part * (to - from),
            Self::Range { from, to, .. } => {
                let numbers = &mut Numbers;
                let (low, high) = (log(numbers, from.abs()), log(numbers, to.abs()));
                from.signum() * exp(numbers, low + part * (high - low))
            }
            Self::List(list) => {
                let place = (part * list.len() as f64) as usize;
                list.get(place.min(list.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
            }
        }
    }
}

/// Which points of the axes are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sample {
    /// All combinations, the last axis fastest.
    Grid,
    /// Independent points.
    Random {
        /// How many.
        count: u64,
        /// Where the generator begins.
        seed: u64,
    },
    /// A point in every one of `count` strata of every axis.
    Latin {
        /// How many.
        count: u64,
        /// Where the generator begins.
        seed: u64,
    },
    /// Sobol's sequence from its first point on, with the direction numbers of Joe and Kuo.
    Sobol {
        /// How many.
        count: u64,
    },
}

/// What is kept of a member besides its outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// The last row.
    pub last: bool,
    /// The errors of a run.
    pub errors: bool,
    /// Means of expressions over time.
    pub mean: BTreeMap<String, String>,
    /// Least values.
    pub min: BTreeMap<String, String>,
    /// Largest values.
    pub max: BTreeMap<String, String>,
    /// Looks at every so many steps, for means and extremes.
    pub every: u64,
    /// The time before which nothing is measured.
    pub transient: Option<String>,
    /// States at equal distances in time.
    pub strobe: Option<Strobe>,
    /// Crossings of a surface, upwards.
    pub section: Option<Section>,
    /// Where the member ends up.
    pub attractor: Option<Near>,
    /// It ends once this holds: `expression > number`.
    pub escape: Option<Bound>,
}

impl Default for Measure {
    fn default() -> Self {
        Self {
            last: true,
            errors: true,
            mean: BTreeMap::new(),
            min: BTreeMap::new(),
            max: BTreeMap::new(),
            every: 1,
            transient: None,
            strobe: None,
            section: None,
            attractor: None,
            escape: None,
        }
    }
}

/// States at equal distances in time.
#[derive(Debug, Clone, PartialEq)]
pub struct Strobe {
    /// The distance: a constant, or an expression in parameters that are no axes.
    pub every: String,
    /// How many are kept, the last ones.
    pub last: usize,
    /// What is kept; empty: all coordinates.
    pub of: Vec<String>,
}

/// Crossings of a surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// It is where this passes through zero, upwards.
    pub at: String,
    /// How many are kept, the last ones.
    pub last: usize,
    /// What is kept; empty: all coordinates and velocities.
    pub of: Vec<String>,
}

/// The nearest of some points.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    /// Expressions whose values are compared; empty: the coordinates.
    pub of: Vec<String>,
    /// The points.
    pub points: Vec<Vec<f64>>,
    /// How near it has to be.
    pub radius: f64,
}

/// Something that is larger, or smaller, than a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// The expression.
    pub expression: String,
    /// Larger, or smaller?
    pub above: bool,
    /// Than what.
    pub bound: f64,
}

/// A small table after the runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Reduction {
    /// How it is called.
    pub name: String,
    /// What is done with the values.
    pub kind: Kind,
    /// The column.
    pub of: String,
    /// The axes that it is told for.
    pub by: Vec<String>,
    /// Leave members out that did not complete? Otherwise they forbid a mean.
    pub completed_only: bool,
}

/// What is done with the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// How much of all members has each value.
    Fraction,
    /// The mean.
    Mean,
}
