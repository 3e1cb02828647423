//! From arguments to a question.

use crate::problem::Problem;
use crate::symbolic::{self, SymbolicConditions, SymbolicError};
use crate::{Pattern, Question, StructureLevel, UnknownPattern, Unknowns, UnknownsError};
use isotrope_algebra::modular::Random;
use isotrope_algebra::{Budget, OutOfBudget, Rational, Stop};
use isotrope_methods::classes::{
    Class, ClassError, Condition, Conditions, Part, Structure, UnknownClass, conditions,
};
use isotrope_methods::trees::{Family, Trees};
use isotrope_model::codes::ConstructCode;

/// The largest power of h that structure conditions are computed for.
pub const LARGEST_POWER: usize = 7;
/// The seed of the random problems: answers do not change from run to run.
const SEED: u64 = 0x6e75_6d65_7269_6373;
/// Operations for conditions.
const BUDGET: u64 = 40_000_000_000;

/// Where the structure conditions come from.
#[derive(Debug)]
pub enum Source {
    /// A class of mechanical systems, by random problems.
    Class(Class),
    /// One problem in groups, or one model, by exact expansion.
    Problem(Box<Problem>),
}

/// What is to be preserved, and how well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// The number of stages.
    pub stages: usize,
    /// The order of the solution.
    pub order: usize,
    /// The exponent of the local defect of the structure functions.
    pub structure: Option<usize>,
    /// The exponent of the local defect of the 2-form.
    pub form: Option<usize>,
    /// Methods that are listed.
    pub most: usize,
}

/// What is known of the tables in advance, and which part of the structure counts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Restrictions<'a> {
    /// Patterns by name, also several in one text.
    pub patterns: &'a [String],
    /// Prescribed entries, `a21=1/2`.
    pub fixed: &'a [String],
    /// `legendre`, `constraints`, or a part of a problem in groups; `None`: all of the structure.
    pub part: Option<&'a str>,
}

/// A question with what is needed to check answers.
#[derive(Debug)]
pub struct Asked {
    /// The question.
    pub question: Question,
    /// Where the conditions come from.
    pub source: Source,
    /// What is wanted.
    pub wanted: Wanted,
    /// The patterns.
    pub patterns: Vec<Pattern>,
    /// Prescribed entries.
    pub fixed: Vec<(String, Rational)>,
    /// The part of the structure that is to be kept, as it was named; `None`: all of it.
    pub part: Option<String>,
    /// Conditions of a class, if any were needed.
    pub of_class: Vec<Conditions>,
    /// Conditions of a problem.
    pub of_problem: Option<SymbolicConditions>,
    /// A bound for the probability that a condition was missed; zero if they are proved.
    pub failure_probability: Rational,
    /// Was the time up before all conditions of the structure were collected? Then only the order is asked for, and
    /// certificates tell what methods keep.
    pub uncollected: bool,
}

/// Why a question cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum ConstructError {
    /// The class.
    #[error(transparent)]
    Class(#[from] UnknownClass),
    /// A pattern.
    #[error(transparent)]
    Pattern(#[from] UnknownPattern),
    /// The unknowns.
    #[error(transparent)]
    Unknowns(#[from] UnknownsError),
    /// A prescribed entry that is not `name=value`.
    #[error("`{text}` is not of the form a21=1/2")]
    Prescribed {
        /// What was given.
        text: String,
    },
    /// Conditions of a class.
    #[error(transparent)]
    Conditions(#[from] ClassError),
    /// Conditions of a problem.
    #[error(transparent)]
    Symbolic(#[from] SymbolicError),
    /// An order of zero, or powers of h beyond what is computed.
    #[error("{what} {value}: from {least} to {most} can be asked for")]
    Range {
        /// What it is.
        what: &'static str,
        /// The value.
        value: usize,
        /// The least.
        least: usize,
        /// The largest.
        most: usize,
    },
    /// The 2-form of a class or problem that does not keep it.
    #[error("{0}")]
    NoForm(String),
    /// A part of the structure that there is not.
    #[error("the structure has no part `{name}`")]
    NoPart {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The budget ran out.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

impl ConstructError {
    /// The stable code.
    pub fn code(&self) -> ConstructCode {
        match self {
            Self::Class(_) => ConstructCode::UnknownClass,
            Self::Pattern(_) => ConstructCode::UnknownPattern,
            Self::Unknowns(UnknownsError::OutOfBudget(_)) => ConstructCode::TooLarge,
            Self::Unknowns(_) | Self::Prescribed { .. } => ConstructCode::NotPrescribable,
            Self::Range { .. } => ConstructCode::OutOfRange,
            Self::NoForm(_) => ConstructCode::NoForm,
            Self::NoPart { .. } => ConstructCode::NoPart,
            Self::Conditions(_) | Self::Symbolic(_) | Self::OutOfBudget(_) => {
                ConstructCode::TooLarge
            }
        }
    }

    /// The way out.
    pub fn hint(&self) -> String {
        match self {
            Self::Class(_) => {
                format!("the classes are {}", Class::ALL.map(Class::name).join(", "))
            }
            Self::Pattern(_) => {
                format!("the patterns are {}", Pattern::ALL.map(Pattern::name).join(", "))
            }
            Self::Unknowns(UnknownsError::NoEntry { known, .. }) => {
                let some: Vec<&str> = known.iter().take(12).map(String::as_str).collect();
                format!("entries that are free: {}", some.join(", "))
            }
            Self::Unknowns(UnknownsError::Stages { stages: 0, .. }) => {
                "a method has one stage at least".to_owned()
            }
            Self::Unknowns(UnknownsError::Stages { .. } | UnknownsError::OutOfBudget(_)) => {
                "ask for fewer stages".to_owned()
            }
            Self::Unknowns(_) => "leave the entry out, or choose another pattern".to_owned(),
            Self::Prescribed { .. } => {
                "name an entry and give it an exact value: --fix a21=1/2 --fix b1=0".to_owned()
            }
            Self::Range { value, least, .. } if value < least => {
                "a method of order k keeps the structure to order k + 1 for free".to_owned()
            }
            Self::Range { .. } => "conditions of higher powers are too many to solve".to_owned(),
            Self::NoPart { known, .. } if known.is_empty() => {
                "without constraints the structure is the 2-form: leave --part out".to_owned()
            }
            Self::NoPart { known, .. } => format!("the parts are {}", known.join(", ")),
            Self::NoForm(_) => {
                "ask for --structure, or for the form of a holonomic class: --class sphere, \
                 quadrics, holonomic or symplectic"
                    .to_owned()
            }
            Self::Conditions(_) | Self::Symbolic(_) | Self::OutOfBudget(_) => {
                "ask for a lower --structure, or a simpler problem".to_owned()
            }
        }
    }
}

/// Sets up the question.
pub fn ask(
    source: Source,
    wanted: Wanted,
    patterns: &[String],
    fixed: &[String],
) -> Result<Asked, ConstructError> {
    ask_within(source, wanted, Restrictions { patterns, fixed, part: None }, &Stop::new())
}

/// The same; when the flag is set, without conditions of the structure.
pub fn ask_within(
    source: Source,
    wanted: Wanted,
    Restrictions { patterns, fixed, part }: Restrictions<'_>,
    limit: &Stop,
) -> Result<Asked, ConstructError> {
    let mut wanted = wanted;
    if matches!(source, Source::Class(class) if class.is_free()) {
        // Without constraints the structure is the 2-form.
        wanted.form = wanted.form.max(wanted.structure);
        wanted.structure = None;
    }
    let budget = &mut Budget::new(BUDGET);
    let patterns = patterns
        .iter()
        .flat_map(|text| text.split(','))
        .map(|name| name.trim().parse::<Pattern>())
        .collect::<Result<Vec<_>, _>>()?;
    let prescribed = fixed.iter().map(|text| prescription(text)).collect::<Result<Vec<_>, _>>()?;
    in_range("the order", wanted.order, 1, LARGEST_POWER)?;
    for (what, value) in
        [("the structure order", wanted.structure), ("the form order", wanted.form)]
    {
        if let Some(value) = value {
            in_range(what, value, 2, LARGEST_POWER + 1)?;
        }
    }
    let family = match &source {
        Source::Class(_) => Family::qvp(),
        Source::Problem(problem) => problem.family.clone(),
    };
    let unknowns = Unknowns::new(&family, wanted.stages, &patterns, &prescribed, budget)?;
    let mut asked = Asked {
        question: Question {
            unknowns,
            trees: Trees::up_to(&family, wanted.order + 1, budget)?,
            order: wanted.order,
            class: match &source {
                Source::Class(class) => Some(*class),
                Source::Problem(_) => None,
            },
            structure: Vec::new(),
            most: wanted.most,
        },
        source,
        wanted,
        patterns,
        fixed: prescribed,
        part: part.map(str::to_owned),
        of_class: Vec::new(),
        of_problem: None,
        failure_probability: Rational::ZERO,
        uncollected: false,
    };
    if let Err(error) = limit.during(|| asked.add_structure(&mut Budget::new(BUDGET))) {
        // The flag of the work around ends all of it.
        if !limit.is_set() || Stop::requested() {
            return Err(error);
        }
        asked.uncollected = true;
    }
    Ok(asked)
}

fn in_range(
    what: &'static str,
    value: usize,
    least: usize,
    most: usize,
) -> Result<(), ConstructError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(ConstructError::Range { what, value, least, most })
}

fn prescription(text: &str) -> Result<(String, Rational), ConstructError> {
    let wrong = || ConstructError::Prescribed { text: text.to_owned() };
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    let value = value.trim().parse().map_err(|_| wrong())?;
    Ok((name.trim().to_owned(), value))
}

impl Asked {
    fn add_structure(&mut self, budget: &mut Budget) -> Result<(), ConstructError> {
        let order = self.wanted.order;
        let structure = self.wanted.structure.filter(|&m| m > order + 1);
        let form = self.wanted.form.filter(|&m| m > order + 1);
        let mut levels: Vec<StructureLevel> = Vec::new();
        let mut add = |power: usize, conditions: Vec<Condition>| match levels
            .iter_mut()
            .find(|level| level.power == power)
        {
            Some(level) => level.conditions.extend(conditions),
            None => levels.push(StructureLevel { power, conditions }),
        };
        match &self.source {
            Source::Class(class) => {
                let random = &mut Random::new(SEED);
                let parts = parts_of(*class, self.part.as_deref())?;
                let wanted = [
                    (structure, Structure::Submanifold, parts),
                    (form, Structure::Form, vec![Part::Form]),
                ];
                if self.wanted.form.is_some() && !class.has(Part::Form) {
                    return Err(ConstructError::NoForm(format!(
                        "systems of the class {class} do not keep the 2-form"
                    )));
                }
                for (exponent, kind, parts) in wanted {
                    let Some(exponent) = exponent else { continue };
                    let found =
                        conditions(*class, kind, exponent - 1, random, budget, &mut |_| {})?;
                    for (power, part) in (order + 1..exponent)
                        .flat_map(|power| parts.iter().map(move |part| (power, *part)))
                    {
                        add(power, found.given(part, power, order, budget)?);
                    }
                    self.failure_probability =
                        &self.failure_probability + &found.failure_probability;
                    take_longer(&mut self.question.trees, found.trees());
                    self.of_class.push(found);
                }
            }
            Source::Problem(problem) => {
                if self.wanted.form.is_some() {
                    return Err(ConstructError::NoForm(
                        "the 2-form is known for classes of mechanical systems only".to_owned(),
                    ));
                }
                // Two powers more: methods are often better than they were asked to be.
                let reach = (structure.unwrap_or(order).max(order) + 1).min(LARGEST_POWER);
                let found = symbolic::conditions(problem, reach, budget)?;
                let parts = named_parts(&found, self.part.as_deref())?;
                for power in order + 1..structure.unwrap_or(0) {
                    match &parts {
                        None => add(power, found.given(power, order, budget)?),
                        Some(parts) => {
                            for part in parts {
                                add(power, found.given_part(part, power, order, budget)?);
                            }
                        }
                    }
                }
                if let Some(probability) = &found.failure_probability {
                    self.failure_probability = probability.clone();
                }
                take_longer(&mut self.question.trees, found.trees());
                self.of_problem = Some(found);
            }
        }
        levels.sort_by_key(|level| level.power);
        self.question.structure = levels;
        Ok(())
    }
}

/// The structure functions of a class that count.
pub(crate) fn parts_of(class: Class, name: Option<&str>) -> Result<Vec<Part>, ConstructError> {
    let parts = match name {
        None => return Ok(vec![Part::All]),
        Some(LEGENDRE) if !class.is_free() => vec![Part::Psi],
        Some(CONSTRAINTS) => {
            [Part::PhiV, Part::PhiQ].into_iter().filter(|part| class.has(*part)).collect()
        }
        Some(_) => Vec::new(),
    };
    if parts.is_empty() {
        let known = if class.is_free() { Vec::new() } else { vec![LEGENDRE, CONSTRAINTS] };
        return Err(no_part(name, &known));
    }
    Ok(parts)
}

/// The parts of a problem that count; `None`: all of them.
pub(crate) fn named_parts(
    conditions: &SymbolicConditions,
    name: Option<&str>,
) -> Result<Option<Vec<String>>, ConstructError> {
    let Some(name) = name else { return Ok(None) };
    let wanted: &[&str] = match name {
        LEGENDRE => &["psi"],
        CONSTRAINTS => &["phi_v", "phi_q"],
        other => &[other],
    };
    let known: Vec<&str> = conditions.parts().collect();
    let parts: Vec<String> =
        known.iter().filter(|part| wanted.contains(part)).map(|&part| part.to_owned()).collect();
    if parts.is_empty() { Err(no_part(Some(name), &known)) } else { Ok(Some(parts)) }
}

const LEGENDRE: &str = "legendre";
const CONSTRAINTS: &str = "constraints";

fn no_part(name: Option<&str>, known: &[&str]) -> ConstructError {
    ConstructError::NoPart {
        name: name.unwrap_or_default().to_owned(),
        known: known.iter().map(|&part| part.to_owned()).collect(),
    }
}

/// Trees are listed by order, so longer lists begin with shorter ones.
fn take_longer(trees: &mut Trees, other: &Trees) {
    if other.max_order() > trees.max_order() {
        *trees = other.clone();
    }
}
