//! What is computed of an almost Dirac structure.

use isotrope_algebra::linear::LinearError;
use isotrope_algebra::normal::{Zero, is_zero, simplify};
use isotrope_algebra::{Budget, ExprId, Node, OutOfBudget, Pool, Smoothness, print};
use isotrope_geometry::graded::GradedError;
use isotrope_geometry::{Circle, DiracStructure, HorizontalPrimitive, divisors};

use super::{DiracReport, GeometryError, Scope, TwoClassReport};

/// Casimir functions are searched up to this degree.
const DEGREE: u32 = 3;
/// Primitives of the 2-class are searched up to this degree.
const PRIMITIVE_DEGREE: u32 = 2;
/// Structures with more generators get no 2-class.
const LARGEST_CLASS: usize = 12;
/// A question that no point was asked.
const UNDECIDED: Zero = Zero::Unknown { points: 0 };
/// The parts of the budget for what may be left out.
const PART: u64 = 4;

/// Runs `work` with a part of the budget; `Ok(None)` with a note if that is not enough.
fn optional<T>(
    budget: &mut Budget,
    what: &str,
    notes: &mut Vec<String>,
    work: impl FnOnce(&mut Budget) -> Result<T, LinearError>,
) -> Result<Option<T>, GeometryError> {
    let mut part = Budget::new(budget.left() / PART);
    let result = work(&mut part);
    budget.spend(part.spent().min(budget.left()), "examining a Dirac structure")?;
    match result {
        Ok(value) => Ok(Some(value)),
        Err(LinearError::OutOfBudget(OutOfBudget { .. })) => {
            notes.push(format!("Left out, too long to compute: {what}."));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// Where the generators of a structure come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// They are what is given.
    Given,
    /// Forms are given, and fields were chosen in their kernel.
    OfDistribution,
}

/// What is examined, besides the generators.
pub(super) struct Question<'a> {
    /// Names of the generators.
    pub names: Vec<String>,
    /// Where they come from.
    pub frame: Frame,
    /// Coordinates of circles.
    pub circles: &'a [Circle],
    /// A one-form that may be a horizontal primitive.
    pub candidate: Option<Vec<ExprId>>,
    /// What the structure belongs to.
    pub scope: Scope,
}

impl Question<'_> {
    /// About generators that are given.
    pub(super) fn given(names: Vec<String>) -> Self {
        Self { names, frame: Frame::Given, circles: &[], candidate: None, scope: Scope::Whole }
    }
}

/// Examines a structure.
pub(super) fn dirac_report(
    pool: &mut Pool,
    structure: DiracStructure,
    question: Question<'_>,
    notes: &mut Vec<String>,
    budget: &mut Budget,
) -> Result<DiracReport, GeometryError> {
    let isotropic = structure.is_isotropic(pool, budget);
    let found = optional(budget, "where the rank drops", notes, |part| match question.frame {
        Frame::Given => structure.rank_and_drops(pool, part),
        Frame::OfDistribution => structure.rank_and_drops_of_forms(pool, part),
    })?;
    let found = match found {
        Some(found) => found,
        None => structure.rank_at_a_point(pool, budget)?,
    };
    if !found.frame.is_empty() {
        let text = |&factor| print::to_text(pool, factor, &mut Budget::new(100_000)).ok();
        let own: Vec<String> = found.frame.iter().filter_map(text).collect();
        let own = own.join(", ");
        notes.push(format!("The fields X1, X2, … are a frame where this is not zero: {own}."));
    }
    let entries = entries(&structure);
    let branches = has_branches(pool, &entries);
    let undecided = undecided(pool, &entries, budget);
    if branches {
        notes.push(
            "Coefficients have branches, abs or heaviside: rank, kernel, leaves and the Courant tensor \
             are those at generic points of one branch, and are not proved for the others."
                .to_owned(),
        );
    }
    if undecided {
        notes.push(
            "Whether a coefficient is zero is not decided: rank, kernel and leaves are not proved."
                .to_owned(),
        );
    }
    if !found.proved {
        let why = "an expression was taken for zero because it is at random points";
        notes.push(format!("The rank is not proved, nor what rests on it: {why}."));
    }
    let excluded = optional(budget, "where coefficients have poles", notes, |part| {
        Ok(structure.excluded(pool, part)?)
    })?;
    let courant = if isotropic == Zero::No {
        None
    } else {
        optional(budget, "the Courant tensor", notes, |part| {
            Ok(structure.courant_tensor(pool, part)?)
        })?
    };
    let kernel =
        optional(budget, "the kernel", notes, |part| structure.kernel_and_proof(pool, part))?;
    let leaves = optional(budget, "the dimension of the leaves", notes, |part| {
        structure.leaf_dimension(pool, part)
    })?;
    // Functions that are constant on the leaves of one time, or of a part of the constraints, are not conserved.
    let casimirs = match question.scope {
        Scope::Whole | Scope::FixedTime(Some(true)) => {
            optional(budget, "Casimir functions", notes, |part| {
                structure.casimirs_over(pool, DEGREE, question.circles, part)
            })?
        }
        Scope::LinearPart | Scope::FixedTime(_) => None,
    };
    let sure = !branches && !undecided;
    let kernel_proved = sure && kernel.as_ref().is_some_and(|kernel| kernel.proved);
    let leaf_dimension_proved = sure && leaves.is_some_and(|leaves| leaves.proved);
    if sure {
        let mut unproved = Vec::new();
        if kernel.is_some() && !kernel_proved {
            unproved.push("the kernel");
        }
        if leaves.is_some() && !leaf_dimension_proved {
            unproved.push("the dimension of the leaves");
        }
        if !unproved.is_empty() {
            let what = unproved.join(" and ");
            notes.push(format!("Not proved, but so at random points: {what}."));
        }
    }
    let mut report = DiracReport {
        structure,
        scope: question.scope,
        names: question.names,
        isotropic,
        rank: found.rank,
        rank_proved: found.proved && sure,
        drops: found.drops,
        excluded: excluded.unwrap_or_default(),
        courant,
        leaf_dimension: leaves.map(|leaves| leaves.dimension),
        leaf_dimension_proved,
        casimirs,
        kernel: kernel.map(|kernel| kernel.vectors),
        kernel_proved,
        branches,
        two_class: None,
    };
    if report.is_dirac() != Some(true) {
        return Ok(report);
    }
    report.two_class = match question.candidate {
        Some(beta) => of_candidate(pool, &report.structure, beta, notes, budget)?,
        None => None,
    };
    let few = report.structure.generators.len() <= LARGEST_CLASS;
    if report.two_class.is_none() && few {
        report.two_class = optional(budget, "the basic 2-class", notes, |part| {
            two_class(pool, &report, question.circles, part)
        })?
        .flatten();
    } else if report.two_class.is_none() {
        notes
            .push(format!("Left out for more than {LARGEST_CLASS} generators: the basic 2-class."));
    }
    Ok(report)
}

/// The different coefficients of a structure that are not zero.
fn entries(structure: &DiracStructure) -> Vec<ExprId> {
    let generators = structure.generators.iter();
    let all = generators.flat_map(|g| g.vector.iter().chain(&g.covector).copied());
    let mut list: Vec<ExprId> = all.filter(|entry| !entry.is_zero()).collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// Are there functions that are not analytic?
fn has_branches(pool: &Pool, entries: &[ExprId]) -> bool {
    pool.reachable(entries).into_iter().any(
        |id| matches!(pool.node(id), Node::Call(f, _) if f.smoothness() != Smoothness::Analytic),
    )
}

/// Is there a coefficient of which it is not decided whether it is zero? What is not a number is tested
/// within a part of the budget; sums and products of coordinates are decided.
fn undecided(pool: &mut Pool, entries: &[ExprId], budget: &mut Budget) -> bool {
    let mut part = Budget::new(budget.left() / PART);
    let found = entries.iter().any(|&entry| {
        let plain = pool.as_number(entry).is_some() || pool.name_of(entry).is_some();
        !plain && matches!(is_zero(pool, entry, &mut part), Zero::Unknown { .. })
    });
    budget.spend(part.spent().min(budget.left()), "testing coefficients").ok();
    found
}

/// The 2-class if a one-form is its primitive, by the definition: `d beta(v_a, v_b) = omega_ab`.
fn of_candidate(
    pool: &mut Pool,
    structure: &DiracStructure,
    beta: Vec<ExprId>,
    notes: &mut Vec<String>,
    budget: &mut Budget,
) -> Result<Option<TwoClassReport>, GeometryError> {
    let checked =
        optional(budget, "whether a one-form is a horizontal primitive", notes, |part| {
            Ok(structure.is_horizontal_primitive(pool, &beta, part)?)
        })?;
    if checked != Some(Zero::Yes) {
        return Ok(None);
    }
    let mut zero = Zero::Yes;
    for (k, first) in structure.generators.iter().enumerate() {
        for second in &structure.generators[k + 1..] {
            let pairs = first.covector.iter().zip(&second.vector);
            let terms: Vec<ExprId> = pairs.map(|(&a, &v)| pool.mul(a, v)).collect();
            let value = pool.sum(&terms);
            if zero != Zero::No && !value.is_zero() {
                zero = zero.and(is_zero(pool, value, budget));
            }
        }
    }
    let singular = divisors(pool, &beta, &structure.base);
    let exact = if singular.is_empty() { Zero::Yes } else { UNDECIDED };
    Ok(Some(TwoClassReport {
        zero: if zero == Zero::Yes { Zero::Yes } else { exact },
        form_zero: zero,
        primitive: HorizontalPrimitive::Found(beta),
        singular,
        periods: Vec::new(),
        obstructed: false,
    }))
}

fn two_class(
    pool: &mut Pool,
    report: &DiracReport,
    circles: &[Circle],
    budget: &mut Budget,
) -> Result<Option<TwoClassReport>, LinearError> {
    let structure = &report.structure;
    let frame = structure.with_independent_generators(pool, budget)?;
    let class = match frame.basic_two_class(pool, budget) {
        Ok(Some(class)) if class.closed == Zero::Yes => class,
        Ok(_) => return Ok(None),
        Err(GradedError::Linear(error)) => return Err(error),
        Err(GradedError::OutOfBudget(stop)) => return Err(stop.into()),
        Err(_) => return Ok(None),
    };
    let (periods, obstructed) = periods(pool, structure, circles, budget)?;
    let primitive = match obstructed {
        true => HorizontalPrimitive::None { degree: 0, conclusive: true },
        false => structure.horizontal_primitive_over(pool, PRIMITIVE_DEGREE, circles, budget)?,
    };
    let singular = match &primitive {
        HorizontalPrimitive::Found(beta) => divisors(pool, beta, &structure.base),
        HorizontalPrimitive::None { .. } => Vec::new(),
    };
    let form_zero = class.zero;
    let found = matches!(primitive, HorizontalPrimitive::Found(_)) && singular.is_empty();
    let zero = if form_zero == Zero::Yes || found {
        Zero::Yes
    } else if obstructed && report.leaf_dimension == Some(structure.base.len()) {
        // Where the anchor is invertible every primitive is horizontal.
        Zero::No
    } else if has_primitive(pool, report, &frame, &class.structure, circles, budget)? {
        Zero::Yes
    } else {
        UNDECIDED
    };
    Ok(Some(TwoClassReport { zero, form_zero, primitive, singular, periods, obstructed }))
}

/// Is there a polynomial primitive on the generators, horizontal or not? They have to be a frame everywhere.
fn has_primitive(
    pool: &mut Pool,
    report: &DiracReport,
    frame: &DiracStructure,
    structure: &[Vec<Vec<ExprId>>],
    circles: &[Circle],
    budget: &mut Budget,
) -> Result<bool, LinearError> {
    let everywhere = report.drops.is_empty()
        && report.excluded.is_empty()
        && frame.generators.len() == report.structure.generators.len();
    if !everywhere {
        return Ok(false);
    }
    let found = frame.primitive_of_class(pool, structure, PRIMITIVE_DEGREE, circles, budget)?;
    Ok(found.is_some())
}

/// The numbers of two coordinates of circles, and an integral over their torus.
type Period = ([usize; 2], ExprId);

/// Integrals of the form of the leaves over the tori of two coordinates of circles that lie in leaves,
/// where they are elementary; and whether one is not zero, which is the obstruction to every
/// primitive: by Stokes' theorem the integral of `d beta` over a torus in a leaf vanishes.
fn periods(
    pool: &mut Pool,
    structure: &DiracStructure,
    circles: &[Circle],
    budget: &mut Budget,
) -> Result<(Vec<Period>, bool), LinearError> {
    let angles: Vec<ExprId> = circles.iter().map(|circle| circle.coordinate).collect();
    let place = |x: ExprId| structure.base.iter().position(|&own| own == x);
    let mut periods = Vec::new();
    let mut obstructed = false;
    for (k, first) in circles.iter().enumerate() {
        for second in &circles[k + 1..] {
            let Some((i, j)) = place(first.coordinate).zip(place(second.coordinate)) else {
                continue;
            };
            let Some(form) = structure.form_of_leaves(pool, [i, j], budget)? else { continue };
            if pool.depends_on(form, &angles) {
                continue;
            }
            let value = pool.product(&[form, first.period, second.period]);
            let value = simplify(pool, value, budget);
            obstructed |= is_zero(pool, value, budget) == Zero::No;
            periods.push(([i, j], value));
        }
    }
    Ok((periods, obstructed))
}
