//! The answer for programs.

use isotrope_algebra::OrInternal;
use isotrope_algebra::number::field::FieldElement;
use isotrope_construct::{
    Aim, Answer, Certified, CertifiedMethod, Freedom, LevelReport, SolutionFamily, Source, exact,
    named,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::json::{Exponent, Named, value};

/// What `isotrope construct` answers.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ConstructionRecord {
    /// The stages that were asked for.
    stages: usize,
    /// The order that was asked for.
    order: usize,
    /// The submanifold order that was asked for.
    structure: Option<usize>,
    /// The order of the 2-form that was asked for.
    form: Option<usize>,
    /// The part of the structure that counts; `null`: all of it.
    part: Option<String>,
    /// The class of systems.
    class: Option<&'static str>,
    /// Or the problem.
    problem: Option<String>,
    /// Patterns of the tables, separated by commas.
    pattern: String,
    /// Coefficients that were given.
    fixed: Named<String>,
    /// The number of unknowns.
    unknowns: usize,
    /// The number of conditions.
    conditions: ConditionCounts,
    /// What became of the solutions, condition by condition.
    levels: Vec<LevelRecord>,
    /// The ideal of the conditions.
    ideal: IdealRecord,
    /// Conditions that contradict each other.
    contradiction: Option<Vec<ContradictionRecord>>,
    /// Does none of them follow from the others?
    contradiction_minimal: bool,
    /// Is there exactly one solution? `null`: not decided.
    unique: Option<bool>,
    /// The number of real solutions, where there are finitely many.
    real_solutions: Option<usize>,
    /// The solutions where they are a family.
    family: Option<FamilyRecord>,
    /// A bound for the probability that a condition was missed.
    failure_probability: f64,
    /// What less structure costs.
    choices: Option<Vec<ChoiceRecord>>,
    /// Combinations of known tables.
    combinations: Option<Vec<CombinationRecord>>,
    /// Methods, the best first.
    methods: Vec<MethodRecord>,
    /// `found`; `proved`: that there is none; or `not-found`.
    standing: &'static str,
    /// The theorem that decides, where one does.
    theorem: Option<&'static str>,
    /// Where nothing was found: what meets the conditions of fewer powers of h.
    reached: Option<ReachedRecord>,
}

/// The number of conditions.
#[derive(Debug, JsonSchema, Serialize)]
struct ConditionCounts {
    /// Order conditions, cumulative.
    order: usize,
    /// Structure conditions.
    structure: usize,
    /// Those at the last order that do not follow from the ones before.
    new: Option<usize>,
}

/// What a set of conditions leaves.
#[derive(Debug, JsonSchema, Serialize)]
struct LevelRecord {
    /// `pattern`, `order` or `structure`.
    kind: &'static str,
    /// The order, or the power of h.
    power: Option<usize>,
    /// The number of conditions.
    conditions: usize,
    /// Those that do not follow from the ones before.
    new: Option<usize>,
    /// Are there solutions? `null`: not decided.
    consistent: Option<bool>,
    /// The dimension of the solutions.
    dimension: Option<usize>,
}

/// The ideal of the conditions.
#[derive(Debug, JsonSchema, Serialize)]
struct IdealRecord {
    /// Are there solutions? `null`: not decided.
    consistent: Option<bool>,
    /// The dimension of the solutions.
    dimension: Option<usize>,
    /// The length of its basis.
    basis: Option<usize>,
    /// Is the basis proved over the rationals?
    exact: Option<bool>,
    /// The basis.
    elements: Option<Vec<String>>,
}

/// A condition that is part of a contradiction.
#[derive(Debug, JsonSchema, Serialize)]
struct ContradictionRecord {
    /// The condition.
    condition: String,
    /// Its tree.
    tree: Option<String>,
    /// What vanishes.
    polynomial: String,
}

/// A family of solutions.
#[derive(Debug, JsonSchema, Serialize)]
struct FamilyRecord {
    /// Its dimension.
    dimension: Option<usize>,
    /// Its components.
    components: Vec<ComponentRecord>,
    /// Are these all?
    complete: Option<bool>,
}

/// A component of a family.
#[derive(Debug, JsonSchema, Serialize)]
struct ComponentRecord {
    /// Its dimension.
    dimension: usize,
    /// Unknowns that can be chosen.
    free: Vec<String>,
    /// The others as functions of them.
    parametrisation: Option<Named<String>>,
    /// What vanishes on it.
    equations: Vec<String>,
}

/// The cheapest method for some structure.
#[derive(Debug, JsonSchema, Serialize)]
struct ChoiceRecord {
    /// The submanifold order.
    structure: usize,
    /// The method.
    method: MethodRecord,
}

/// A combination of known tables.
#[derive(Debug, JsonSchema, Serialize)]
struct CombinationRecord {
    /// The table for q.
    q: String,
    /// The table for v.
    v: String,
    /// The table for p.
    p: String,
    /// What was computed of it.
    certified: CombinationOrders,
}

/// What was computed of a combination.
#[derive(Debug, JsonSchema, Serialize)]
struct CombinationOrders {
    /// The order.
    order: usize,
    /// The submanifold order.
    structure: Option<Exponent>,
}

/// A method: its tables and weights by their names, `a`, `b`, …, and what is known of it.
#[derive(Debug, JsonSchema, Serialize)]
struct MethodRecord {
    #[serde(flatten)]
    tables: Named<TableRecord>,
    /// What was computed of it.
    certified: MethodOrders,
    /// What it costs.
    cost: CostRecord,
    /// The size of its error.
    error_constant: f64,
}

/// Coefficients, exactly.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
#[schemars(inline)]
enum TableRecord {
    Matrix(Vec<Vec<String>>),
    Weights(Vec<String>),
}

/// What was computed of a method.
#[derive(Debug, JsonSchema, Serialize)]
struct MethodOrders {
    /// The order.
    order: Option<usize>,
    /// The submanifold order.
    structure: Option<Exponent>,
    /// The order of the 2-form.
    form: Option<Exponent>,
}

/// What a step costs.
#[derive(Debug, JsonSchema, Serialize)]
struct CostRecord {
    /// Can the stages be computed one after the other?
    explicit: Option<bool>,
    /// Stages that need an equation solved.
    implicit_stages: Option<usize>,
}

/// What meets the conditions of fewer powers of h.
#[derive(Debug, JsonSchema, Serialize)]
struct ReachedRecord {
    /// Its order.
    order: usize,
    /// Its stages.
    stages: usize,
    /// Conditions that it meets exactly.
    met: usize,
    /// Those that it misses.
    left: Vec<LeftRecord>,
    /// The norm of what the conditions of its next order are missed by.
    error_constant: f64,
}

/// A condition that is missed.
#[derive(Debug, JsonSchema, Serialize)]
struct LeftRecord {
    condition: String,
    missed: f64,
}

/// The object of the contract.
pub fn to_json(answer: &Answer) -> Value {
    let construction = &answer.construction;
    let wanted = answer.asked.wanted;
    let names = construction.question.unknowns.names();
    let count = |of: fn(Aim) -> bool| -> usize {
        let levels = construction.levels.iter().filter(|level| of(level.aim));
        levels.map(|level| level.equations.len()).sum()
    };
    let ideal = construction.ideal.as_ref();
    let freedom = construction.freedom();
    let contradiction: Vec<ContradictionRecord> = construction
        .contradiction
        .conditions
        .iter()
        .filter_map(|&(level, number)| construction.levels.get(level)?.equations.get(number))
        .map(|equation| ContradictionRecord {
            condition: equation.text.clone(),
            tree: equation.tree.clone(),
            polynomial: named(&equation.polynomial, &names),
        })
        .collect();
    let patterns: Vec<&str> = answer.asked.patterns.iter().map(|p| p.name()).collect();
    let (class, problem) = match &answer.asked.source {
        Source::Class(class) => (Some(class.name()), None),
        Source::Problem(problem) => (None, Some(problem.name.clone())),
    };
    let has_family = freedom.dimension().is_some_and(|dimension| dimension > 0);
    value(&ConstructionRecord {
        stages: wanted.stages,
        order: wanted.order,
        structure: wanted.structure,
        form: wanted.form,
        part: answer.asked.part.clone(),
        class,
        problem,
        pattern: if patterns.is_empty() { "full".to_owned() } else { patterns.join(",") },
        fixed: answer
            .asked
            .fixed
            .iter()
            .map(|(name, value)| (name.clone(), value.to_string()))
            .collect(),
        unknowns: construction.question.unknowns.len(),
        conditions: ConditionCounts {
            order: count(|aim| matches!(aim, Aim::Order(_))),
            structure: count(|aim| matches!(aim, Aim::Structure(_))),
            new: construction.reports.last().and_then(|report| Some(report.new.as_ref()?.len())),
        },
        levels: construction.reports.iter().map(level).collect(),
        ideal: IdealRecord {
            consistent: consistent(freedom).or((!answer.methods.is_empty()).then_some(true)),
            dimension: freedom.dimension(),
            basis: ideal.map(|ideal| ideal.basis().len()),
            exact: ideal.map(|ideal| ideal.is_exact()),
            elements: ideal.map(|ideal| ideal.basis().iter().map(|g| named(g, &names)).collect()),
        },
        contradiction: (!contradiction.is_empty()).then_some(contradiction),
        contradiction_minimal: construction.contradiction.minimal,
        unique: (freedom != Freedom::OutOfReach).then_some(construction.is_unique()),
        real_solutions: construction.real_solutions,
        family: has_family.then(|| FamilyRecord {
            dimension: freedom.dimension(),
            components: construction.families.iter().map(|f| component(f, &names)).collect(),
            complete: construction.components.as_ref().map(|parts| parts.complete),
        }),
        failure_probability: answer.asked.failure_probability.to_f64(),
        choices: answer.choices.as_ref().map(|choices| {
            let record = |choice: &isotrope_construct::Choice| ChoiceRecord {
                structure: choice.structure,
                method: method(answer, &choice.method),
            };
            choices.iter().map(record).collect()
        }),
        combinations: answer
            .combinations
            .as_ref()
            .map(|all| all.found.iter().map(|one| combination(answer, one)).collect()),
        methods: answer.methods.iter().map(|m| method(answer, m)).collect(),
        standing: standing(answer),
        theorem: construction.theorem,
        reached: construction.reached.as_ref().map(|reached| ReachedRecord {
            order: reached.solution.order,
            stages: reached.solution.stages,
            met: reached.met,
            left: reached
                .left
                .iter()
                .map(|(condition, missed)| LeftRecord {
                    condition: condition.clone(),
                    missed: *missed,
                })
                .collect(),
            error_constant: reached.solution.error_constant,
        }),
    })
}

/// In one word, what the answer is: `found`, `proved` (that there is none), or `not-found`.
fn standing(answer: &Answer) -> &'static str {
    let construction = &answer.construction;
    match () {
        () if answer.is_found() => "found",
        () if construction.freedom() == Freedom::Contradiction
            || construction.real_solutions == Some(0) =>
        {
            "proved"
        }
        () => "not-found",
    }
}

fn level(report: &LevelReport) -> LevelRecord {
    let (kind, power) = match report.aim {
        Aim::Pattern => ("pattern", None),
        Aim::Order(order) => ("order", Some(order)),
        Aim::Structure(power) => ("structure", Some(power)),
    };
    LevelRecord {
        kind,
        power,
        conditions: report.conditions,
        new: report.new.as_ref().map(Vec::len),
        consistent: consistent(report.freedom),
        dimension: report.freedom.dimension(),
    }
}

fn combination(
    answer: &Answer,
    combination: &isotrope_construct::combine::Combination,
) -> CombinationRecord {
    let structure = match &answer.asked.source {
        Source::Class(class) => combination.structure(*class).map(Exponent::from),
        Source::Problem(_) => None,
    };
    let [q, v, p] = combination.sources.clone();
    CombinationRecord {
        q,
        v,
        p,
        certified: CombinationOrders { order: combination.order(), structure },
    }
}

fn consistent(freedom: Freedom) -> Option<bool> {
    match freedom {
        Freedom::Contradiction => Some(false),
        Freedom::Dimension(_) => Some(true),
        Freedom::OutOfReach => None,
    }
}

fn component(family: &SolutionFamily, names: &[String]) -> ComponentRecord {
    let name = |variable: usize| names.get(variable).cloned().or_noticed("variables have names");
    let parametrisation = family.parametrisation.as_ref().map(|functions| {
        functions
            .iter()
            .enumerate()
            .filter(|(variable, _)| !family.free.contains(variable))
            .map(|(variable, function)| (name(variable), quotient(function, names)))
            .collect()
    });
    ComponentRecord {
        dimension: family.dimension,
        free: family.free.iter().map(|&v| name(v)).collect(),
        parametrisation,
        equations: family.ideal.basis().iter().map(|g| named(g, names)).collect(),
    }
}

/// A rational function with the names of its variables.
pub(super) fn quotient(
    function: &isotrope_algebra::polynomial::RationalFunction,
    names: &[String],
) -> String {
    let numerator = named(function.numerator(), names);
    if function.denominator().is_one() {
        return numerator;
    }
    let denominator = named(function.denominator(), names);
    let sum = |text: &str| text.contains(' ');
    let numerator = if sum(&numerator) { format!("({numerator})") } else { numerator };
    let product = sum(&denominator) || denominator.contains('*');
    let denominator = if product { format!("({denominator})") } else { denominator };
    format!("{numerator}/{denominator}")
}

fn method(answer: &Answer, method: &CertifiedMethod) -> MethodRecord {
    let solution = &method.solution;
    let field = &solution.tables.field;
    let list =
        |x: &Vec<FieldElement>| -> Vec<String> { x.iter().map(|e| exact(field, e)).collect() };
    let family = answer.construction.question.unknowns.family();
    let mut tables = Named::default();
    for ((colour, m), w) in
        family.colours().iter().zip(&solution.tables.matrices).zip(&solution.tables.weights)
    {
        if !m.is_empty() {
            let rows = m.iter().map(list).collect();
            tables.push(colour.matrix(), TableRecord::Matrix(rows));
        }
        tables.push(colour.weights(), TableRecord::Weights(list(w)));
    }
    let (explicit, implicit_stages) = match &method.certified {
        Certified::Table { certificate, .. } => {
            let cost = certificate.cost.as_ref();
            (cost.map(|cost| cost.explicit), cost.map(|cost| cost.implicit_stages()))
        }
        Certified::Groups => {
            (Some(solution.systems.is_empty()), Some(solution.systems.iter().sum()))
        }
    };
    MethodRecord {
        tables,
        certified: MethodOrders {
            order: method.claims.order,
            structure: method.claims.structure.map(Exponent::from),
            form: method.claims.form.map(Exponent::from),
        },
        cost: CostRecord { explicit, implicit_stages },
        error_constant: solution.error_constant,
    }
}
