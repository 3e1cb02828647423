//! From conditions to methods: the whole way.

use isotrope_algebra::ideal::{
    BasisEngine, Decomposition, Ideal, IdealError, ModularIdeal, RealPoint,
};
use isotrope_algebra::polynomial::Polynomial;
use isotrope_algebra::{Budget, OutOfBudget, Stop};

use super::error_constant::error_residuals;
use super::levels::{Level, StructureLevel, levels, occurring};
use super::numeric::{self, Standing};
use super::parametrise::SolutionFamily;
use super::points::{Search, Taste};
use super::shape::Shape;
use super::solution::GroupTables;
use super::solve::{
    Contradiction, Freedom, LevelReport, contradiction, ideal, polynomials, reports, within_reach,
};
use super::theorems::{Decided, decided};
use super::unknowns::Unknowns;
use isotrope_methods::classes::Class;
use isotrope_methods::trees::Trees;

/// Engines with more and with less patience.
#[derive(Clone, Copy)]
pub struct Engines<'e> {
    /// For the conditions as a whole.
    pub patient: &'e dyn BasisEngine,
    /// For levels on the way and for attempts.
    pub quick: &'e dyn BasisEngine,
    /// For what only makes an answer shorter.
    pub hasty: &'e dyn BasisEngine,
}

/// What is to be constructed.
#[derive(Debug, Clone)]
pub struct Question {
    /// The tables.
    pub unknowns: Unknowns,
    /// Trees of the family, to one order beyond the one asked for at least.
    pub trees: Trees,
    /// The order of the solution.
    pub order: usize,
    /// The class of systems, where there is one: trees that its systems do not have ask for
    /// nothing.
    pub class: Option<Class>,
    /// Structure conditions, by powers of h beyond the order.
    pub structure: Vec<StructureLevel>,
    /// Methods that are listed.
    pub most: usize,
}

/// How methods were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// On the set of solutions that a basis describes.
    Basis,
    /// By Newton's method from many starts, recognised and proved.
    Numerical,
    /// A known table for each group.
    Known,
    /// A theorem says that it is the only one.
    Theorem,
}

/// A method that satisfies all conditions, exactly.
#[derive(Debug, Clone)]
pub struct Solution {
    /// Its tables.
    pub tables: GroupTables,
    /// The same as values of the unknowns.
    pub point: RealPoint,
    /// The shape in which it was found, if it was looked for by shapes.
    pub shape: Option<Shape>,
    /// The order on the class, or of the problem: it may be higher than the one asked for.
    pub order: usize,
    /// √Σ ((w(t) − 1/γ(t))/σ(t))² over the trees of the next order that the systems have.
    pub error_constant: f64,
    /// Its stages, equal ones counted once and unused ones not at all.
    pub stages: usize,
    /// The sizes of the sets of stages that are solved together.
    pub systems: Vec<usize>,
    /// How it was found.
    pub route: Route,
}

/// Everything that was found out about a question.
#[derive(Debug, Clone)]
pub struct Construction {
    /// The question.
    pub question: Question,
    /// The conditions.
    pub levels: Vec<Level>,
    /// What each level adds.
    pub reports: Vec<LevelReport>,
    /// The ideal of all conditions; `None` if a basis is out of reach.
    pub ideal: Option<Ideal>,
    /// Conditions that contradict each other.
    pub contradiction: Contradiction,
    /// The components of the set of solutions; `None` if they are out of reach.
    pub components: Option<Decomposition>,
    /// The components in detail.
    pub families: Vec<SolutionFamily>,
    /// The number of real solutions up to the order of the stages, if there are finitely many.
    pub real_solutions: Option<usize>,
    /// Methods, the best first: implicit cost, then error constant.
    pub solutions: Vec<Solution>,
    /// Shapes that have no solution, cheaper than the one of the first method.
    pub excluded: Vec<Shape>,
    /// Shapes cheaper than the one of the first method about which nothing was found out.
    pub open: Vec<Shape>,
    /// What it was at when its time was up.
    pub stopped: Option<Step>,
    /// Why a part of the work was given up, other than for its length.
    pub given_up: Option<String>,
    /// The theorem that decides, where one does.
    pub theorem: Option<&'static str>,
    /// Where nothing meets all conditions: what meets those of fewer powers of h.
    pub reached: Option<Reached>,
}

/// A method that meets the conditions up to some power of h, with what is left.
#[derive(Debug, Clone)]
pub struct Reached {
    /// The method.
    pub solution: Solution,
    /// How many conditions it meets, exactly.
    pub met: usize,
    /// The others, and by how much they are missed.
    pub left: Vec<(String, f64)>,
}

impl Construction {
    /// Is there exactly one method, up to the order of its stages?
    pub fn is_unique(&self) -> bool {
        self.real_solutions == Some(1)
    }

    /// The freedom that all conditions leave.
    pub fn freedom(&self) -> Freedom {
        match (&self.ideal, self.reports.last()) {
            (Some(ideal), _) => {
                ideal.dimension().map_or(Freedom::Contradiction, Freedom::Dimension)
            }
            (None, Some(report)) if self.reports.len() == self.levels.len() => report.freedom,
            _ => Freedom::OutOfReach,
        }
    }
}

/// What a construction is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Conditions as polynomials in the entries.
    Conditions,
    /// Bases, level by level.
    Levels,
    /// The basis of all conditions over the rationals.
    Basis,
    /// A contradiction with as few conditions as possible.
    Contradiction,
    /// Components of the set of solutions.
    Components,
    /// Methods by their cost; the number of the shape and of all shapes.
    Shapes(usize, usize),
    /// Numerical solutions.
    Numerical,
}

/// Shapes that are searched numerically where no point was found by bases.
const NUMERICAL_SHAPES: usize = 6;
/// Searches from anywhere.
const FAR: numeric::Options =
    numeric::Options { starts: 32, most: 3, max_degree: 2, ..numeric::Options::DEFAULT };
/// Searches near a minimum.
const NEAR: numeric::Options =
    numeric::Options { reach: 0.1, max_degree: 2, ..numeric::Options::DEFAULT };
/// The most variables for which components are computed.
const COMPONENT_VARIABLES: usize = 32;
/// Tastes that are tried on the cheapest shape.
const TASTES: [Taste; 5] = [
    Taste::Sparse,
    Taste::Fractions(0),
    Taste::Fractions(1),
    Taste::Fractions(3),
    Taste::Fractions(5),
];

/// Answers a question.
pub fn construct(
    question: Question,
    engines: Engines<'_>,
    budget: &mut Budget,
    progress: &mut dyn FnMut(Step),
) -> Result<Construction, IdealError> {
    construct_within(question, engines, &Stop::new(), budget, progress)
}

/// The same, with what is found until a flag is set.
pub fn construct_within(
    question: Question,
    engines: Engines<'_>,
    limit: &Stop,
    budget: &mut Budget,
    progress: &mut dyn FnMut(Step),
) -> Result<Construction, IdealError> {
    progress(Step::Conditions);
    let levels = levels(
        &question.unknowns,
        &question.trees,
        question.order,
        question.class,
        &question.structure,
        budget,
    )?;
    let mut found = Construction {
        question,
        levels,
        reports: Vec::new(),
        ideal: None,
        contradiction: Contradiction::default(),
        components: None,
        families: Vec::new(),
        real_solutions: None,
        solutions: Vec::new(),
        excluded: Vec::new(),
        open: Vec::new(),
        stopped: None,
        given_up: None,
        theorem: None,
        reached: None,
    };
    let mut at = Step::Levels;
    let worked = limit.during(|| {
        let own = &mut Budget::new(budget.left());
        found.answer(engines, own, &mut |step| {
            at = step;
            progress(step);
        })
    });
    found.settle(worked, at, limit)?;
    found.rank(budget)?;
    Ok(found)
}

impl Construction {
    /// Everything that takes long.
    fn answer(
        &mut self,
        engines: Engines<'_>,
        budget: &mut Budget,
        progress: &mut dyn FnMut(Step),
    ) -> Result<(), IdealError> {
        if self.decide(budget)? {
            return Ok(());
        }
        let variables = self.question.unknowns.len();
        progress(Step::Levels);
        self.reports = reports(&self.levels, variables, engines.quick)?;
        progress(Step::Basis);
        self.ideal = ideal(&self.levels, variables, engines.patient, budget)?;
        if self.freedom() == Freedom::Contradiction {
            progress(Step::Contradiction);
            self.contradiction =
                contradiction(&self.levels, &self.reports, variables, engines.hasty)?;
            return Ok(());
        }
        if let Some(ideal) = self.ideal.clone() {
            progress(Step::Components);
            if let Err(error) = self.describe(&ideal, engines, budget) {
                self.give_up(error)?;
            }
        }
        if let Err(error) = self.search_shapes(engines, budget, progress) {
            self.give_up(error)?;
        }
        if self.solutions.is_empty() && engines.quick.has_time() {
            progress(Step::Numerical);
            let system = polynomials(&self.levels);
            self.search_numerically(&system, None, budget)?;
        }
        Ok(())
    }

    /// What ends a part of the work ends all of it only if it is a flag, or a mistake of this program.
    fn give_up(&mut self, error: IdealError) -> Result<(), IdealError> {
        match error {
            IdealError::OutOfBudget(spent) if spent.interrupted || spent.internal.is_some() => {
                Err(IdealError::OutOfBudget(spent))
            }
            error => {
                self.given_up = Some(error.to_string());
                Ok(())
            }
        }
    }

    /// What is known when the work has ended, by itself or by the flag.
    fn settle(
        &mut self,
        worked: Result<(), IdealError>,
        at: Step,
        limit: &Stop,
    ) -> Result<(), IdealError> {
        match worked {
            Ok(()) => {
                // Newton's method ends early without saying so.
                self.stopped = (limit.is_set() && self.solutions.is_empty()).then_some(at);
                Ok(())
            }
            // The flag of the work around is another matter.
            Err(IdealError::OutOfBudget(spent)) if spent.interrupted && !Stop::requested() => {
                self.stopped = Some(at);
                Ok(())
            }
            Err(error) => self.give_up(error),
        }
    }

    /// Decides by a theorem, where one does.
    fn decide(&mut self, budget: &mut Budget) -> Result<bool, IdealError> {
        let Some(Decided { tables, theorem }) = decided(&self.question, budget)? else {
            return Ok(false);
        };
        let unknowns = self.question.unknowns.clone();
        let Some(point) = unknowns.point(&tables) else { return Ok(false) };
        for polynomial in polynomials(&self.levels) {
            if !point.evaluate(&polynomial, budget)?.is_zero() {
                return Ok(false);
            }
        }
        self.theorem = Some(theorem);
        self.real_solutions = Some(1);
        self.take(point, None, Route::Theorem, budget)?;
        Ok(true)
    }

    /// Takes a method that was made elsewhere, if it meets all conditions; was it taken?
    pub(crate) fn adopt(
        &mut self,
        tables: &GroupTables,
        budget: &mut Budget,
    ) -> Result<bool, OutOfBudget> {
        let Some(point) = self.question.unknowns.point(tables) else { return Ok(false) };
        for polynomial in polynomials(&self.levels) {
            if !point.evaluate(&polynomial, budget)?.is_zero() {
                return Ok(false);
            }
        }
        let before = self.solutions.len();
        self.take(point, None, Route::Known, budget)?;
        Ok(self.solutions.len() > before)
    }

    /// Which conditions a method of an easier question meets.
    pub(crate) fn judge(
        &mut self,
        mut solution: Solution,
        budget: &mut Budget,
    ) -> Result<(), OutOfBudget> {
        let (mut met, mut left) = (0, Vec::new());
        for equation in self.levels.iter().flat_map(|level| &level.equations) {
            let value = solution.point.evaluate(&equation.polynomial, budget)?;
            if value.is_zero() {
                met += 1;
            } else {
                let missed = solution.point.field.to_f64(&value).unwrap_or(f64::NAN);
                left.push((equation.text.clone(), missed));
            }
        }
        self.measure(&mut solution, budget)?;
        self.reached = Some(Reached { solution, met, left });
        Ok(())
    }

    /// Order, error, stages and cost of a solution, from its tables.
    fn measure(&self, solution: &mut Solution, budget: &mut Budget) -> Result<(), OutOfBudget> {
        let family = self.question.unknowns.family();
        let (order, error) =
            solution.tables.order_and_error(family, self.question.class, budget)?;
        (solution.order, solution.error_constant) = (order, error);
        let table = solution.tables.reduced().named(family);
        let groups: Vec<usize> = (0..table.groups.len()).collect();
        solution.stages = table.stages;
        solution.systems = table.systems(family, &groups);
        Ok(())
    }

    /// Components, families and, of finitely many points, their number.
    fn describe(
        &mut self,
        ideal: &Ideal,
        engines: Engines<'_>,
        budget: &mut Budget,
    ) -> Result<(), IdealError> {
        if ideal.variables() <= COMPONENT_VARIABLES {
            self.components = within_reach(ideal.components(engines.quick, budget))?;
        }
        for component in self.components.iter().flat_map(|parts| &parts.components) {
            if let Some(family) =
                within_reach(SolutionFamily::new(component, engines.quick, budget))?
            {
                self.families.push(family);
            }
        }
        if ideal.dimension() == Some(0) {
            match within_reach(ideal.real_points(engines.quick, budget)) {
                Ok(points) => {
                    if let Some(points) = points {
                        self.real_solutions = Some(self.distinct(&points, budget)?);
                    }
                }
                Err(IdealError::TooManyPoints { .. } | IdealError::Field(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The number of points up to the order of the stages.
    fn distinct(&self, points: &[RealPoint], budget: &mut Budget) -> Result<usize, OutOfBudget> {
        let mut known: Vec<Vec<f64>> = Vec::new();
        let mut count = 0;
        for point in points {
            let tables = GroupTables::of(self.question.unknowns.tables(), point, budget)?;
            let tables = tables.reduced();
            let orders = permutations(tables.stages());
            if known.iter().any(|other| close(other, &tables.to_f64())) {
                continue;
            }
            count += 1;
            known.extend(orders.iter().map(|order| tables.permuted(order).to_f64()));
        }
        Ok(count)
    }

    /// The cheapest shape that has real solutions, and simple ones of them.
    fn search_shapes(
        &mut self,
        engines: Engines<'_>,
        budget: &mut Budget,
        progress: &mut dyn FnMut(Step),
    ) -> Result<(), IdealError> {
        let unknowns = self.question.unknowns.clone();
        let shapes = Shape::all(unknowns.family(), unknowns.stages());
        let system =
            self.ideal.as_ref().map_or_else(|| polynomials(&self.levels), |i| i.basis().to_vec());
        let mut tried: Vec<Vec<Polynomial>> = Vec::new();
        let mut cost = None;
        let mut searches = NUMERICAL_SHAPES;
        let count = shapes.len();
        for (number, shape) in shapes.into_iter().enumerate() {
            if cost.is_some_and(|cost| shape.cost() > cost)
                || self.solutions.len() >= self.question.most
            {
                break;
            }
            let Some(zeros) = shape.zeros(&unknowns) else { continue };
            if tried.contains(&zeros) {
                continue;
            }
            progress(Step::Shapes(number + 1, count));
            let generators: Vec<Polynomial> = system.iter().chain(&zeros).cloned().collect();
            tried.push(zeros);
            let modular = ModularIdeal::new(&generators, unknowns.len(), engines.quick);
            let modular = within_reach(modular)?;
            if modular.as_ref().is_some_and(|modular| !modular.is_consistent()) {
                self.excluded.push(shape);
                continue;
            }
            let before = self.solutions.len();
            if modular.is_some() {
                let part = Ideal::new(generators.clone(), unknowns.len(), engines.quick, budget);
                if let Some(part) = within_reach(part)? {
                    self.take_points(&part, Some(&shape), engines, budget)?;
                }
            }
            // A search is not interrupted; without time for bases there is one.
            if self.solutions.len() == before && searches > 0 {
                searches = if engines.quick.has_time() { searches - 1 } else { 0 };
                self.search_numerically(&generators, Some(&shape), budget)?;
            }
            if self.solutions.len() == before {
                self.open.push(shape);
                continue;
            }
            cost = Some(shape.cost());
            if modular.is_none_or(|modular| modular.dimension() != Some(0)) {
                self.improve(&generators, before, &shape, budget)?;
            }
        }
        Ok(())
    }

    /// From the methods found last, along the set of solutions to a smaller error constant.
    fn improve(
        &mut self,
        system: &[Polynomial],
        first: usize,
        shape: &Shape,
        budget: &mut Budget,
    ) -> Result<(), OutOfBudget> {
        let residuals = self.residuals(budget)?;
        let starts: Vec<Vec<f64>> =
            self.solutions[first..].iter().map(|s| s.point.to_f64()).collect();
        for start in starts {
            let found = numeric::minimise(system, &residuals, &start, &NEAR, budget)?;
            if let Some(Standing::Proved(point)) = found.map(|minimum| minimum.simple.standing) {
                self.take(point, Some(shape), Route::Numerical, budget)?;
            }
        }
        Ok(())
    }

    /// (w(t) − 1/γ(t))/σ(t) of the next order.
    fn residuals(&self, budget: &mut Budget) -> Result<Vec<Polynomial>, OutOfBudget> {
        let question = &self.question;
        let next = occurring(&question.trees, question.order + 1, question.class);
        error_residuals(&question.trees, question.unknowns.tables(), next, budget)
    }

    fn take_points(
        &mut self,
        ideal: &Ideal,
        shape: Option<&Shape>,
        engines: Engines<'_>,
        budget: &mut Budget,
    ) -> Result<(), IdealError> {
        let unknowns = self.question.unknowns.clone();
        for taste in TASTES {
            let mut search = Search::new(&unknowns, engines.quick);
            for point in search.points(ideal, taste, budget)? {
                self.take(point, shape, Route::Basis, budget)?;
            }
            if ideal.dimension() == Some(0) || self.solutions.len() >= self.question.most {
                break;
            }
        }
        Ok(())
    }

    /// Keeps a point unless its method is known already.
    fn take(
        &mut self,
        point: RealPoint,
        shape: Option<&Shape>,
        route: Route,
        budget: &mut Budget,
    ) -> Result<(), OutOfBudget> {
        let tables = GroupTables::of(self.question.unknowns.tables(), &point, budget)?;
        let reduced = tables.reduced();
        let orders = permutations(reduced.stages());
        let family = self.question.unknowns.family();
        let values = reduced.step(family);
        let known = self.solutions.iter().any(|other| {
            let other = other.tables.reduced();
            orders.iter().any(|order| close(&other.permuted(order).step(family), &values))
        });
        if !known {
            let (shape, error_constant) = (shape.cloned(), f64::NAN);
            let (order, stages, systems) = (0, reduced.stages(), Vec::new());
            self.solutions.push(Solution {
                tables,
                point,
                shape,
                order,
                error_constant,
                stages,
                systems,
                route,
            });
        }
        Ok(())
    }

    /// Newton's method from many starts; only what is proved is kept.
    fn search_numerically(
        &mut self,
        system: &[Polynomial],
        shape: Option<&Shape>,
        budget: &mut Budget,
    ) -> Result<(), OutOfBudget> {
        let variables = self.question.unknowns.len();
        let search = numeric::solve(system, variables, &FAR, budget, &mut |_| {});
        for solution in search.solutions {
            if let Standing::Proved(point) = solution.standing {
                self.take(point, shape, Route::Numerical, budget)?;
            }
        }
        Ok(())
    }

    /// The best first: cost, order, error constant, simple entries.
    pub(crate) fn rank(&mut self, budget: &mut Budget) -> Result<(), OutOfBudget> {
        let mut solutions = std::mem::take(&mut self.solutions);
        for solution in &mut solutions {
            self.measure(solution, budget)?;
        }
        self.solutions = solutions;
        let key = |solution: &Solution| {
            let cost = cubic(&solution.systems);
            let simple = solution.point.coordinates.iter().map(|x| x.bits()).sum::<u64>();
            // Two digits: methods that differ less are ranked by how simple they are.
            let error = (solution.error_constant * 100.0).round();
            let order = std::cmp::Reverse(solution.order);
            ((cost, order), error, solution.point.field.degree(), simple)
        };
        self.solutions.sort_by(|a, b| {
            let (a, b) = (key(a), key(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)).then(a.3.cmp(&b.3))
        });
        self.solutions.truncate(self.question.most);
        Ok(())
    }
}

/// Σ size³.
pub(crate) fn cubic(systems: &[usize]) -> usize {
    systems.iter().map(|size| size * size * size).sum()
}

fn close(one: &[f64], other: &[f64]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(x, y)| (x - y).abs() < 1e-9)
}

/// All orders of the stages; of many stages only the given one.
fn permutations(stages: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    if stages > 5 {
        return vec![(0..stages).collect()];
    }
    for stage in 0..stages {
        orders = orders
            .iter()
            .flat_map(|order| {
                (0..=order.len()).map(move |place| {
                    let mut longer: Vec<usize> = order.clone();
                    longer.insert(place, stage);
                    longer
                })
            })
            .collect();
    }
    orders
}
