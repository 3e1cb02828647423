//! One step of the Dirac schemes, as power series in the step size.
//!
//! They are not Runge–Kutta methods: momenta lag behind positions, multipliers are unknowns, and
//! two of them need two steps of the past. All of the past is taken from the exact solution; what
//! one step adds to the error is then the local defect, and the order is one less (the schemes
//! are zero-stable: their parasitic roots are simple and on the unit circle). Where v_k is
//! compared with v at a time other than t_k, and p_k is ∂L/∂v of the step before, a run that
//! starts with p(t_0) is off by O(h) from the beginning, so the order is 1 at most.

use isotrope_algebra::Rational;
use isotrope_algebra::modular::Random;
use serde::{Deserialize, Serialize};

use super::algebra::{Algebra, solve};
use super::class::Class;
use super::defects::{Defect, first_nonzero};
use super::error::ClassError;
use super::jets::Jets;
use super::problem::{Dimensions, Problem};
use super::scalars::Scalars;
use super::step::{State, flow};

/// The integrators derived from the discrete Dirac structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DiracScheme {
    /// L_v(q₀,v₀) = p₀ + h L_q(q₀,v₀) + A(q₀)ᵀΛ, A(q₀)v₀ = 0, p₁ = L_v(q₀,v₀), q₁ = q₀ + h v₀.
    First,
    /// The same with φ(q₁) = 0 in place of A(q₀)v₀ = 0; v₀ is a velocity half a step later.
    FirstPosition,
    /// As the first, with q₁ = q₋₁ + 2h v₀.
    Second,
    /// L_v(q₁,v₁) = L_v(q₋₁,v₋₁) + 2h L_q(q₀,v₀) + A(q₀)ᵀΛ, A(q₁)v₁ = 0, q₁ = q₋₁ + 2h v₀.
    SecondRepaired,
}

/// Local defects of one step, over all sampled problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiracDefects {
    /// The new position.
    pub position: Defect,
    /// The new velocity, at the time it belongs to: 0 for the first and second scheme, h/2 for
    /// the position form, h for the repaired one.
    pub velocity: Defect,
    /// A v at the position the new velocity belongs to.
    pub phi_v: Defect,
    /// φ at the new position.
    pub phi_q: Defect,
    /// The energy at the position the new velocity belongs to.
    pub energy: Defect,
}

impl DiracScheme {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::First, Self::FirstPosition, Self::Second, Self::SecondRepaired];

    /// The name of the method.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "dirac-1",
            Self::FirstPosition => "dirac-1-position",
            Self::Second => "dirac-2",
            Self::SecondRepaired => "dirac-2-repaired",
        }
    }

    /// The equations of a step, a line each, and the times at which defects are measured.
    pub fn equations(self) -> &'static [&'static str] {
        match self {
            Self::First => &[
                "L_v(q0,v0) = p0 + h L_q(q0,v0) + A(q0)'Lambda,  A(q0) v0 = 0",
                "p1 = L_v(q0,v0),  q1 = q0 + h v0",
                "q1 is compared with q(h), v0 with v(0) (p0 is p(-h)); A v and E at (q0,v0), phi at q1",
            ],
            Self::FirstPosition => &[
                "L_v(q0,v0) = p0 + h L_q(q0,v0) + A(q0)'Lambda,  phi(q0 + h v0) = 0",
                "p1 = L_v(q0,v0),  q1 = q0 + h v0",
                "q1 is compared with q(h), v0 with v(h/2) (p0 is L_v at q(-h), v(-h/2));",
                "A v and E are taken at (q0,v0), half a step apart: O(h); phi at q1",
            ],
            Self::Second => &[
                "L_v(q0,v0) = p0 + h L_q(q0,v0) + A(q0)'Lambda,  A(q0) v0 = 0",
                "p1 = L_v(q0,v0),  q1 = q[-1] + 2h v0",
                "q1 is compared with q(h), v0 with v(0) (p0 is p(-h)); A v and E at (q0,v0), phi at q1",
            ],
            Self::SecondRepaired => &[
                "q1 = q[-1] + 2h v0,  A(q1) v1 = 0",
                "L_v(q1,v1) = L_v(q[-1],v[-1]) + 2h L_q(q0,v0) + A(q0)'Lambda",
                "q1 is compared with q(h), v1 with v(h); A v and E at (q1,v1), phi at q1",
            ],
        }
    }

    /// Do momenta lag behind positions?
    pub fn is_staggered(self) -> bool {
        self != Self::SecondRepaired
    }

    /// Does the scheme need two steps of the past?
    pub fn is_two_step(self) -> bool {
        matches!(self, Self::Second | Self::SecondRepaired)
    }

    /// The order that local defects of position and velocity amount to.
    pub fn order(self, defects: &DiracDefects) -> Option<usize> {
        let local = defects.position.or_earlier(defects.velocity).order()?;
        let order = local.saturating_sub(1);
        Some(if self.is_staggered() { order.min(1) } else { order })
    }

    /// Does the scheme make sense for this class? The position form needs φ(q).
    pub fn applies_to(self, class: Class) -> bool {
        self != Self::FirstPosition || class.is_holonomic()
    }

    /// The first nonzero coefficients through h^`max_order` of the defects of one step, on
    /// `samples` random problems of the class.
    pub fn measure<S: Scalars>(
        self,
        scalars: &S,
        class: Class,
        max_order: usize,
        samples: usize,
        random: &mut Random,
    ) -> Result<DiracDefects, ClassError> {
        let mut all = DiracDefects {
            position: Defect::None,
            velocity: Defect::None,
            phi_v: Defect::None,
            phi_q: if class.is_holonomic() { Defect::None } else { Defect::NotApplicable },
            energy: Defect::None,
        };
        for dimensions in class.dimensions().iter().cycle().take(samples.max(1)) {
            let one = self.step_defects(scalars, class, *dimensions, max_order, random)?;
            all.position = all.position.or_earlier(one.position);
            all.velocity = all.velocity.or_earlier(one.velocity);
            all.phi_v = all.phi_v.or_earlier(one.phi_v);
            all.energy = all.energy.or_earlier(one.energy);
            if all.phi_q != Defect::NotApplicable {
                all.phi_q = all.phi_q.or_earlier(one.phi_q);
            }
        }
        Ok(all)
    }

    fn step_defects<S: Scalars>(
        self,
        scalars: &S,
        class: Class,
        dimensions: Dimensions,
        max_order: usize,
        random: &mut Random,
    ) -> Result<DiracDefects, ClassError> {
        let singular = ClassError::Singular { attempts: 1 };
        let problem =
            Problem::sample(scalars, class, dimensions, random).ok_or(singular.clone())?;
        // φ(q₁) = 0 is divided by h: one power more is computed with.
        let jets = Jets::new(scalars, max_order + 1, 0).ok_or(singular.clone())?;
        let step = Step::new(&jets, &problem)?;
        let taken = step.take(self).ok_or(singular.clone())?;
        let shown = jets.truncated(max_order);
        let difference = |x: &[Vec<S::Element>], y: &[Vec<S::Element>]| -> Vec<Vec<S::Element>> {
            x.iter().zip(y).map(|(x, y)| shown.sub(&shown.resize(x), &shown.resize(y))).collect()
        };
        let cut = |x: &[Vec<S::Element>]| -> Vec<Vec<S::Element>> {
            x.iter().map(|x| shown.resize(x)).collect()
        };
        let partner = match self {
            Self::First | Self::Second => &step.now.v,
            Self::FirstPosition => &step.later_velocity,
            Self::SecondRepaired => &step.after.v,
        };
        let at = if self == Self::SecondRepaired { &taken.position } else { &step.now.q };
        let rows = problem.constraint_rows(&jets, at);
        let phi_v: Vec<_> = rows.iter().map(|row| jets.dot(row, &taken.velocity)).collect();
        let phi_q = match class.is_holonomic() {
            true => problem.positions(&jets, &taken.position).ok_or(singular.clone())?,
            false => Vec::new(),
        };
        let energy = |q: &[Vec<S::Element>], v: &[Vec<S::Element>]| problem.energy(&jets, q, v);
        let change = energy(at, &taken.velocity)
            .zip(energy(&step.now.q, &step.now.v))
            .map(|(one, other)| jets.sub(&one, &other))
            .ok_or(singular)?;
        Ok(DiracDefects {
            position: first_nonzero(&shown, &difference(&taken.position, &step.after.q))?,
            velocity: first_nonzero(&shown, &difference(&taken.velocity, partner))?,
            phi_v: first_nonzero(&shown, &cut(&phi_v))?,
            phi_q: first_nonzero(&shown, &cut(&phi_q))?,
            energy: first_nonzero(&shown, &cut(&[change]))?,
        })
    }
}

/// The exact solution around the start, and the matrix of Newton's method.
struct Step<'s, S: Scalars> {
    jets: &'s Jets<'s, S>,
    problem: &'s Problem<S::Element>,
    /// At −h, 0 and h.
    before: State<S::Element>,
    now: State<S::Element>,
    after: State<S::Element>,
    /// ∂L/∂v at (q(−h), v(−h/2)), and v(h/2).
    earlier_momentum: Vec<Vec<S::Element>>,
    later_velocity: Vec<Vec<S::Element>>,
    /// [M −Aᵀ; A 0] at the start.
    matrix: Vec<Vec<Vec<S::Element>>>,
}

struct Taken<E> {
    position: Vec<Vec<E>>,
    velocity: Vec<Vec<E>>,
}

type Series<S> = Vec<<S as Scalars>::Element>;

/// From velocity and reaction to the residuals of the balance of momenta and of the constraints.
type Equations<'e, S> =
    dyn Fn(&[Series<S>], &[Series<S>]) -> Option<(Vec<Series<S>>, Vec<Series<S>>)> + 'e;

impl<'s, S: Scalars> Step<'s, S> {
    fn new(jets: &'s Jets<'s, S>, problem: &'s Problem<S::Element>) -> Result<Self, ClassError> {
        let now = problem.start(jets, &[]);
        let after = flow(jets, problem, &now)?;
        let singular = ClassError::Singular { attempts: 1 };
        let at = |x: &[Series<S>],
                  numerator: i64,
                  denominator: i64|
         -> Result<Vec<Series<S>>, ClassError> {
            let time = Rational::new(numerator, denominator)
                .and_then(|time| jets.scalars().rational(&time))
                .ok_or(singular.clone())?;
            Ok(x.iter().map(|x| rescaled(jets.scalars(), x, &time)).collect())
        };
        let before =
            State { q: at(&after.q, -1, 1)?, v: at(&after.v, -1, 1)?, p: at(&after.p, -1, 1)? };
        let earlier_momentum = problem.momentum(jets, &before.q, &at(&after.v, -1, 2)?);
        let later_velocity = at(&after.v, 1, 2)?;
        let constant = |x: &Series<S>| jets.resize(&jets.truncated(0).resize(x));
        let rows: Vec<Vec<Series<S>>> = problem
            .constraint_rows(jets, &now.q)
            .iter()
            .map(|row| row.iter().map(constant).collect())
            .collect();
        let mass = problem.mass(jets, &now.q, &now.v).ok_or(singular.clone())?;
        let mut matrix: Vec<Vec<Series<S>>> = mass
            .iter()
            .enumerate()
            .map(|(i, line)| {
                let reactions = rows.iter().map(|row| jets.neg(&row[i]));
                line.iter().map(constant).chain(reactions).collect()
            })
            .collect();
        for row in &rows {
            let zeros = std::iter::repeat_n(jets.zero(), rows.len());
            matrix.push(row.iter().cloned().chain(zeros).collect());
        }
        Ok(Self { jets, problem, before, now, after, earlier_momentum, later_velocity, matrix })
    }

    fn take(&self, scheme: DiracScheme) -> Option<Taken<S::Element>> {
        let jets = self.jets;
        let drift = |from: &[Series<S>], factor: i64, velocity: &[Series<S>]| -> Vec<Series<S>> {
            from.iter()
                .zip(velocity)
                .map(|(q, v)| {
                    let moved = jets.shift(v);
                    (0..factor).fold(q.clone(), |sum, _| jets.add(&sum, &moved))
                })
                .collect()
        };
        match scheme {
            DiracScheme::First | DiracScheme::Second => {
                let velocity = self.solve(&self.now.q, &|v, reaction| {
                    let balance = self.balance(&self.now.q, v, &self.before.p, reaction)?;
                    Some((balance, self.on_velocity(&self.now.q, v)))
                })?;
                let position = match scheme {
                    DiracScheme::First => drift(&self.now.q, 1, &velocity),
                    _ => drift(&self.before.q, 2, &velocity),
                };
                Some(Taken { position, velocity })
            }
            DiracScheme::FirstPosition => {
                let velocity = self.solve(&self.now.q, &|v, reaction| {
                    let balance = self.balance(&self.now.q, v, &self.earlier_momentum, reaction)?;
                    let phi = self.problem.positions(jets, &drift(&self.now.q, 1, v))?;
                    Some((balance, phi.iter().map(|x| lowered(jets, x)).collect()))
                })?;
                Some(Taken { position: drift(&self.now.q, 1, &velocity), velocity })
            }
            DiracScheme::SecondRepaired => {
                let position = drift(&self.before.q, 2, &self.now.v);
                let force = self.problem.gradient(jets, &self.now.q, &self.now.v)?;
                let kicked = drift(&self.before.p, 2, &force);
                let velocity = self.solve(&self.now.q, &|v, reaction| {
                    let momentum = self.problem.momentum(jets, &position, v);
                    let balance = momentum
                        .iter()
                        .zip(kicked.iter().zip(reaction))
                        .map(|(p, (k, r))| jets.sub(&jets.sub(p, k), r))
                        .collect();
                    Some((balance, self.on_velocity(&position, v)))
                })?;
                Some(Taken { position, velocity })
            }
        }
    }

    /// L_v(q,v) − h L_q(q,v) − p − AᵀΛ.
    fn balance(
        &self,
        q: &[Series<S>],
        v: &[Series<S>],
        p: &[Series<S>],
        reaction: &[Series<S>],
    ) -> Option<Vec<Series<S>>> {
        let jets = self.jets;
        let momentum = self.problem.momentum(jets, q, v);
        let force = self.problem.gradient(jets, q, v)?;
        let rest = momentum.iter().zip(&force).map(|(m, f)| jets.sub(m, &jets.shift(f)));
        let given = p.iter().zip(reaction).map(|(p, r)| jets.add(p, r));
        Some(rest.zip(given).map(|(x, y)| jets.sub(&x, &y)).collect())
    }

    fn on_velocity(&self, q: &[Series<S>], v: &[Series<S>]) -> Vec<Series<S>> {
        let rows = self.problem.constraint_rows(self.jets, q);
        rows.iter().map(|row| self.jets.dot(row, v)).collect()
    }

    /// Solves for the velocity; `equations` takes it and the reaction A(q)ᵀΛ. Newton's method
    /// with the matrix of the start gains a power of h in every round.
    fn solve(&self, q: &[Series<S>], equations: &Equations<'_, S>) -> Option<Vec<Series<S>>> {
        let jets = self.jets;
        let rows = self.problem.constraint_rows(jets, q);
        let mut velocity = self.now.v.clone();
        let mut multipliers = vec![jets.zero(); rows.len()];
        for _ in 0..=jets.order() + 1 {
            let reaction: Vec<Series<S>> = (0..velocity.len())
                .map(|i| {
                    let terms = rows.iter().zip(&multipliers);
                    terms.fold(jets.zero(), |sum, (row, m)| jets.add(&sum, &jets.mul(&row[i], m)))
                })
                .collect();
            let (balance, constraints) = equations(&velocity, &reaction)?;
            let residual: Vec<Series<S>> = balance.into_iter().chain(constraints).collect();
            let correction = solve(jets, self.matrix.clone(), residual)?;
            for (x, d) in velocity.iter_mut().chain(&mut multipliers).zip(&correction) {
                *x = jets.sub(x, d);
            }
        }
        Some(velocity)
    }
}

/// h → θh.
fn rescaled<S: Scalars>(scalars: &S, series: &Series<S>, theta: &S::Element) -> Series<S> {
    let mut power = scalars.one();
    let mut rescaled = Vec::with_capacity(series.len());
    for x in series {
        rescaled.push(scalars.mul(x, &power));
        power = scalars.mul(&power, theta);
    }
    rescaled
}

/// x/h for a series without constant term.
fn lowered<S: Scalars>(jets: &Jets<'_, S>, series: &Series<S>) -> Series<S> {
    let mut lowered: Series<S> = series.iter().skip(1).cloned().collect();
    lowered.resize(series.len(), jets.scalars().zero());
    lowered
}
