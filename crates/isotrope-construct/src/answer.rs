//! What was found, with certificates.

use crate::combine::{self, Combinations};
use crate::construction::cubic;
use crate::{Construction, Engines, Freedom, Solution, Step, construct_within, tree_weights};
use isotrope_algebra::ideal::IdealError;
use isotrope_algebra::{Budget, OutOfBudget, Rational, Stop};
use isotrope_certify::{Certificate, CertifyError, Cost, DefectOrder, kept_parts, properties};
use isotrope_methods::table::Table;

use super::ask::{Asked, Source, named_parts, parts_of};

/// Operations for solving and for certificates.
const BUDGET: u64 = 4_000_000_000;

/// The orders of a method, computed from its tables again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    /// The order of the solution.
    pub order: Option<usize>,
    /// The exponent of the structure functions of the class or problem.
    pub structure: Option<DefectOrder>,
    /// The exponent of the 2-form.
    pub form: Option<DefectOrder>,
}

/// How the orders were computed.
#[derive(Debug, Clone)]
pub enum Certified {
    /// By the certificate of the table.
    Table {
        /// The table.
        table: Box<Table>,
        /// The certificate.
        certificate: Box<Certificate>,
    },
    /// By evaluating the conditions of a problem in groups.
    Groups,
}

/// A method with its certificate.
#[derive(Debug, Clone)]
pub struct CertifiedMethod {
    /// The method.
    pub solution: Solution,
    /// What it does.
    pub claims: Claims,
    /// How that is known.
    pub certified: Certified,
}

/// The answer to a question.
#[derive(Debug)]
pub struct Answer {
    /// The question.
    pub asked: Asked,
    /// What was found.
    pub construction: Construction,
    /// Methods, the best first.
    pub methods: Vec<CertifiedMethod>,
    /// What less structure costs, if that was asked for.
    pub choices: Option<Vec<Choice>>,
    /// Combinations of known tables that answer the question, if that was asked for or nothing
    /// else was found.
    pub combinations: Option<Combinations>,
}

/// The cheapest method that keeps the structure to some order, where keeping more costs more.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The exponent that was asked for.
    pub structure: usize,
    /// The method.
    pub method: CertifiedMethod,
}

/// Answers a question.
pub fn answer(
    asked: Asked,
    engines: Engines<'_>,
    progress: &mut dyn FnMut(Step),
) -> Result<Answer, IdealError> {
    answer_within(asked, engines, [&Stop::new(), &Stop::new()], progress)
}

/// The same with what is found until a flag is set: the first ends the work on the whole question, the second that on
/// easier ones, whose answers show what is left.
pub fn answer_within(
    asked: Asked,
    engines: Engines<'_>,
    limits: [&Stop; 2],
    progress: &mut dyn FnMut(Step),
) -> Result<Answer, IdealError> {
    let budget = &mut Budget::new(BUDGET);
    let question = asked.question.clone();
    let mut construction = construct_within(question, engines, limits[0], budget, progress)?;
    if construction.solutions.is_empty()
        && construction.real_solutions != Some(0)
        && construction.freedom() != Freedom::Contradiction
    {
        fall_back(&asked, &mut construction, (engines, limits[1]), budget, progress)?;
    }
    let mut methods = Vec::new();
    for solution in &construction.solutions {
        methods.push(certified(&asked, &construction, solution, budget)?);
    }
    // Two digits of the error; then the better structure. Equal ones stay as they are.
    methods.sort_by(|one: &CertifiedMethod, other| {
        let error = |m: &CertifiedMethod| (m.solution.error_constant * 100.0).round();
        let kept =
            |m: &CertifiedMethod| std::cmp::Reverse(rank(m.claims.structure.or(m.claims.form)));
        one.cost()
            .cmp(&other.cost())
            .then(std::cmp::Reverse(one.claims.order).cmp(&std::cmp::Reverse(other.claims.order)))
            .then(error(one).total_cmp(&error(other)))
            .then(kept(one).cmp(&kept(other)))
    });
    Ok(Answer { asked, construction, methods, choices: None, combinations: None })
}

impl Answer {
    /// The table of a method for q, v and p; `None` for methods of other groups.
    #[must_use]
    pub fn table_of(&self, method: &CertifiedMethod) -> Option<Table> {
        let family = self.construction.question.unknowns.family();
        match &method.certified {
            Certified::Table { table, .. } => Some((**table).clone()),
            Certified::Groups if family.name() == "qvp" => {
                method.solution.tables.table(family, "")?.ok()
            }
            Certified::Groups => None,
        }
    }

    /// Was a method found, by whatever road?
    #[must_use]
    pub fn is_found(&self) -> bool {
        !self.methods.is_empty()
            || self.combinations.as_ref().is_some_and(|combinations| !combinations.found.is_empty())
    }

    /// Tries combinations of known tables, one for each group, of the patterns that are asked for. Of a problem in
    /// groups they are methods like others: `false`.
    pub fn combine(&mut self) -> Result<bool, CertifyError> {
        let budget = &mut Budget::new(BUDGET);
        let Source::Class(class) = self.asked.source else {
            let found = combine::known(&self.asked, &mut self.construction, budget)?;
            if found {
                self.construction.rank(budget)?;
                self.methods.clear();
                for solution in &self.construction.solutions {
                    let method = certified(&self.asked, &self.construction, solution, budget)?;
                    self.methods.push(method);
                }
            }
            return Ok(false);
        };
        let wanted = self.asked.wanted;
        let request = combine::Request {
            stages: wanted.stages,
            class,
            order: wanted.order,
            structure: wanted.structure.or(wanted.form).unwrap_or(wanted.order + 1),
            most: wanted.most,
        };
        let unknowns = &self.construction.question.unknowns;
        let found = combine::combinations_of(&request, Some(unknowns), budget, &mut |_| {})?;
        self.combinations = Some(found);
        Ok(true)
    }

    /// Finds the cheapest methods that keep less of the structure: those that no cheaper one
    /// surpasses.
    pub fn compare_costs(
        &mut self,
        engines: Engines<'_>,
        progress: &mut dyn FnMut(Step),
    ) -> Result<(), IdealError> {
        let budget = &mut Budget::new(BUDGET);
        let limit = &Stop::new();
        let mut choices: Vec<Choice> = Vec::new();
        let order = self.asked.wanted.order;
        let most = self.asked.question.structure.last().map_or(order, |level| level.power);
        for power in order..=most {
            let mut question = self.asked.question.clone();
            question.structure.retain(|level| level.power <= power);
            question.most = 1;
            let construction = construct_within(question, engines, limit, budget, progress)?;
            let Some(solution) = construction.solutions.first() else { continue };
            let method = certified(&self.asked, &construction, solution, budget)?;
            // More structure at the same cost: the one before is of no use.
            choices.retain(|choice| choice.method.cost() < method.cost());
            choices.push(Choice { structure: power + 1, method });
        }
        self.choices = Some(choices);
        Ok(())
    }
}

impl CertifiedMethod {
    /// Σ (size)³ over the systems of stages that must be solved.
    pub fn cost(&self) -> usize {
        match &self.certified {
            Certified::Table { certificate, .. } => certificate.cost.as_ref().map(Cost::cubic),
            Certified::Groups => Some(cubic(&self.solution.systems)),
        }
        .unwrap_or(usize::MAX)
    }
}

/// Larger is better.
fn rank(structure: Option<DefectOrder>) -> usize {
    match structure {
        None => 0,
        Some(DefectOrder::Infinite) => usize::MAX,
        Some(DefectOrder::Exactly(m) | DefectOrder::AtLeast(m)) => m,
    }
}

/// Where nothing was found: known tables for the groups of a problem, then what meets the conditions of fewer powers of h.
fn fall_back(
    asked: &Asked,
    construction: &mut Construction,
    (engines, limit): (Engines<'_>, &Stop),
    budget: &mut Budget,
    progress: &mut dyn FnMut(Step),
) -> Result<(), IdealError> {
    if matches!(asked.source, Source::Problem(_)) {
        let own = budget.left();
        let tried = limit.during(|| combine::known(asked, construction, &mut Budget::new(own)));
        if tried == Ok(true) {
            return Ok(construction.rank(budget)?);
        }
    }
    // From the easiest question on, as long as there is time.
    for count in 0..construction.question.structure.len() {
        if limit.is_set() {
            break;
        }
        let mut question = construction.question.clone();
        question.structure.truncate(count);
        question.most = 1;
        let easier = construct_within(question, engines, limit, budget, progress)?;
        let Some(solution) = easier.solutions.into_iter().next() else { break };
        construction.judge(solution, budget)?;
    }
    Ok(())
}

fn certified(
    asked: &Asked,
    construction: &Construction,
    solution: &Solution,
    budget: &mut Budget,
) -> Result<CertifiedMethod, OutOfBudget> {
    let unknowns = &construction.question.unknowns;
    let wanted = asked.wanted;
    let kept = wanted.structure.or(wanted.form).unwrap_or(wanted.order + 1);
    let name = format!("constructed-{}-{}-{kept}", wanted.stages, wanted.order);
    if let Source::Class(class) = asked.source
        && let Some(Ok(table)) = solution.tables.table(unknowns.family(), &name)
        && let Ok(certificate) = properties(&table, budget)
    {
        let orders = certificate.on(class);
        // A class without some trees can have a higher order than all systems together.
        let on_class = Some(solution.order);
        let structure = match (&asked.part, parts_of(class, asked.part.as_deref())) {
            (Some(_), Ok(parts)) => kept_parts(&table, class, &parts, budget).ok(),
            _ => orders.and_then(|orders| orders.structure),
        };
        let claims = Claims {
            order: certificate.order.max(on_class),
            structure,
            form: orders.and_then(|orders| orders.form),
        };
        let solution = solution.clone();
        let (table, certificate) = (Box::new(table), Box::new(certificate));
        let certified = Certified::Table { table, certificate };
        return Ok(CertifiedMethod { solution, claims, certified });
    }
    let claims = by_conditions(asked, construction, solution, budget)?;
    Ok(CertifiedMethod { solution: solution.clone(), claims, certified: Certified::Groups })
}

/// Order and structure from the weights of the method, exactly: the first condition that fails.
fn by_conditions(
    asked: &Asked,
    construction: &Construction,
    solution: &Solution,
    budget: &mut Budget,
) -> Result<Claims, OutOfBudget> {
    let question = &construction.question;
    let weights = tree_weights(&question.trees, question.unknowns.tables(), budget)?;
    let field = &solution.point.field;
    let weights = weights
        .iter()
        .map(|weight| solution.point.evaluate(weight, budget))
        .collect::<Result<Vec<_>, _>>()?;
    let structure = asked.of_problem.as_ref().map(|conditions| {
        let failing = (1..=conditions.max_order()).find(|&power| {
            let parts = named_parts(conditions, asked.part.as_deref()).ok().flatten();
            let rows = match &parts {
                None => conditions.at(power).iter().collect::<Vec<_>>(),
                Some(parts) => {
                    parts.iter().flat_map(|part| conditions.at_part(part, power)).collect()
                }
            };
            rows.into_iter().any(|condition| {
                let mut sum = field.rational(Rational::ZERO);
                for (forest, coefficient) in &condition.terms {
                    let product = forest
                        .trees()
                        .iter()
                        .fold(field.rational(coefficient.clone()), |product, tree| {
                            field.mul(&product, &weights[tree.index()])
                        });
                    sum = field.add(&sum, &product);
                }
                !sum.is_zero()
            })
        });
        match failing {
            Some(power) => DefectOrder::Exactly(power),
            None => DefectOrder::AtLeast(conditions.max_order() + 1),
        }
    });
    Ok(Claims { order: Some(solution.order), structure, form: None })
}
