//! From conditions to methods: the whole way.

use isotrope_algebra::ideal::{
    BasisEngine, Decomposition, Ideal, IdealError, ModularIdeal, RealPoint,
};
use isotrope_algebra::polynomial::Polynomial;
use isotrope_algebra::{Budget, OutOfBudget};

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
    /// √Σ ((w(t) − 1/γ(t))/σ(t))² over the trees of the next order.
    pub error_constant: f64,
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
    progress(Step::Conditions);
    let variables = question.unknowns.len();
    let levels = levels(
        &question.unknowns,
        &question.trees,
        question.order,
        question.class,
        &question.structure,
        budget,
    )?;
    progress(Step::Levels);
    let reports = reports(&levels, variables, engines.quick)?;
    let mut found = Construction {
        question,
        levels,
        reports,
        ideal: None,
        contradiction: Contradiction::default(),
        components: None,
        families: Vec::new(),
        real_solutions: None,
        solutions: Vec::new(),
        excluded: Vec::new(),
        open: Vec::new(),
    };
    progress(Step::Basis);
    found.ideal = ideal(&found.levels, variables, engines.patient, budget)?;
    if found.freedom() == Freedom::Contradiction {
        progress(Step::Contradiction);
        found.contradiction =
            contradiction(&found.levels, &found.reports, variables, engines.hasty)?;
        return Ok(found);
    }
    if let Some(ideal) = found.ideal.clone() {
        progress(Step::Components);
        found.describe(&ideal, engines, budget)?;
    }
    found.search_shapes(engines, budget, progress)?;
    if found.solutions.is_empty() && engines.quick.has_time() {
        progress(Step::Numerical);
        let system = polynomials(&found.levels);
        found.search_numerically(&system, None, budget)?;
    }
    found.rank(budget)?;
    Ok(found)
}

impl Construction {
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
        let orders = permutations(self.question.unknowns.stages());
        for point in points {
            let tables = GroupTables::of(self.question.unknowns.tables(), point, budget)?;
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
        let orders = permutations(self.question.unknowns.stages());
        let family = self.question.unknowns.family();
        let values = tables.step(family);
        let known = self.solutions.iter().any(|other| {
            orders.iter().any(|order| close(&other.tables.permuted(order).step(family), &values))
        });
        if !known {
            let shape = shape.cloned();
            self.solutions.push(Solution { tables, point, shape, error_constant: f64::NAN, route });
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

    /// The best first: cost, error constant, simple entries.
    fn rank(&mut self, budget: &mut Budget) -> Result<(), OutOfBudget> {
        let residuals = self.residuals(budget)?;
        for solution in &mut self.solutions {
            let mut square = 0.0;
            for residual in &residuals {
                let value = solution.point.evaluate(residual, budget)?;
                let value = solution.point.field.to_f64(&value).unwrap_or(f64::INFINITY);
                square += value * value;
            }
            solution.error_constant = square.sqrt();
        }
        let key = |solution: &Solution| {
            let cost = solution.shape.as_ref().map_or(usize::MAX, Shape::cost);
            let simple = solution.point.coordinates.iter().map(|x| x.bits()).sum::<u64>();
            // Two digits: methods that differ less are ranked by how simple they are.
            let error = (solution.error_constant * 100.0).round();
            (cost, error, solution.point.field.degree(), simple)
        };
        self.solutions.sort_by(|a, b| {
            let (a, b) = (key(a), key(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)).then(a.3.cmp(&b.3))
        });
        self.solutions.truncate(self.question.most);
        Ok(())
    }
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
