//! The exponents of one method on one system.

use isotrope_algebra::evaluate::evaluate_balls;
use isotrope_algebra::modular::Random;
use isotrope_algebra::{Ball, Budget, EvaluationError, ExprId, OrInternal, Rational};
use rustc_hash::FxHashMap;

use super::exponents::{APART, Both, Growth, Seen, earlier};
use super::flow::{ACCURACY, Flow};
use super::form::form_order;
use super::mechanics::{Mechanics, Place};
use super::state_space::bracket_order;
use super::stepper::{LocalMethod, Measured, State, Stepper};
use super::units::{self, Units};
use super::vectors::{Vector, difference, is_below, midpoints};
use super::{BITS, COARSE, FINE, Resolution, SmallStepError, precision, small_step};
use crate::DefectOrder;
use isotrope_derive::System;
use isotrope_methods::classes::Part;
use isotrope_scheme::Defect;

/// Defects of the structure below this power of two are zero.
pub(super) const ZERO: i64 = 160 - BITS as i64;
/// Steps between two measurements of how defects grow: even, for roots at −1 and ±i.
const PAUSE: usize = 4;
/// Where layers die out slowly, up to this many.
const LONGEST: usize = 12;
/// Everything that is measured.
const ALL: [Select; 6] = [
    |x| &x.solution,
    |x| &x.position,
    |x| &x.velocity,
    |x| &x.legendre,
    |x| &x.energy,
    |x| &x.momentum,
];

/// What one step of a method does on a system, at a generic state.
///
/// All exponents but `order` are those of local defects, O(hᵐ) after one step from the exact
/// solution. Of methods that carry a history, or whose velocities belong to another time than
/// their positions, a local defect is what a step adds in the long run: one power more than the
/// defect after a fixed time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalOrders {
    /// k: the error of the solution after a fixed time is O(hᵏ).
    pub order: DefectOrder,
    /// m: the earliest of the three defects below; in state space the balance of energy.
    pub structure: DefectOrder,
    /// The first of them that is as early.
    pub weakest: Option<Part>,
    /// φ(q); `None` without constraints on positions.
    pub position: Option<DefectOrder>,
    /// A v + b; `None` without constraints.
    pub velocity: Option<DefectOrder>,
    /// p − L_v.
    pub legendre: DefectOrder,
    /// The energy, less the work that the method counts.
    pub energy: DefectOrder,
    /// Momenta of space that the flow keeps, on Lie groups; Casimir functions, in state space. `None` where there are
    /// none, or they were not looked for.
    pub momentum: Option<DefectOrder>,
    /// dq ∧ dp on the constraint manifold, in state space the bracket; `None` where the exact flow does not keep it,
    /// or the method has a history.
    pub form: Option<DefectOrder>,
    /// Does the step by −h undo the step by h? `None` for methods with a history.
    pub symmetric: Option<bool>,
    /// Functions that the method was made to preserve and measures itself.
    pub preserved: Vec<(String, DefectOrder)>,
}

impl LocalOrders {
    /// The earliest defect of the functions that the method was made to preserve.
    #[must_use]
    pub fn kept(&self) -> DefectOrder {
        self.preserved.iter().map(|one| one.1).fold(DefectOrder::Infinite, earlier)
    }
}

/// Exponents of a method on a given system, at a state near its initial values.
///
/// The state is moved a little, since at rest or at a point of symmetry terms vanish by accident,
/// and brought onto the constraints. Steps are taken in numbers of 576 bits.
///
/// ```
/// use isotrope_algebra::Budget;
/// use isotrope_model::{ModelText, parse_model};
/// use isotrope_certify::{DefectOrder, LocalMethod, local_orders};
/// use isotrope_derive::derive;
/// use isotrope_scheme::EquationScheme;
/// let file = r#"
///     coordinates = ["x", "y"]
///     lagrangian.L = "(x'^2 + y'^2)/2 - y"
///     constraints.rod = "x^2 + y^2 = 1"
///     initial.position = { x = 1, y = 0 }
///     initial.velocity = { x = 0, y = 0 }
/// "#;
/// let model = parse_model(&ModelText::new("pendulum.toml", file.as_bytes())).unwrap();
/// let budget = &mut Budget::new(10_000_000);
/// let system = derive(model, budget).unwrap();
/// let rattle = EquationScheme::named("rattle", budget).unwrap().unwrap();
/// let orders = local_orders(&system, LocalMethod::Equations(&rattle), budget).unwrap();
/// assert_eq!(orders.order, DefectOrder::Exactly(2));
/// assert_eq!(orders.structure, DefectOrder::Infinite);
/// assert_eq!(orders.form, Some(DefectOrder::Infinite));
/// assert_eq!(orders.symmetric, Some(true));
/// ```
pub fn local_orders(
    system: &System,
    method: LocalMethod<'_>,
    budget: &mut Budget,
) -> Result<LocalOrders, SmallStepError> {
    local_orders_in(system, method, &ProblemSizes::default(), budget)
}

/// The sizes of a problem: small steps are small beside its time, what is near its start is near beside its positions,
/// and defects are compared with them. What is missing is 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProblemSizes {
    /// The time of the motion.
    pub time: Option<f64>,
    /// Of each position.
    pub position: Vec<f64>,
    /// Of each velocity; in coordinates that of a position over the time is taken.
    pub velocity: Vec<f64>,
    /// Of the energy.
    pub energy: Option<f64>,
}

/// [`local_orders`] of a problem in units of its own.
pub fn local_orders_in(
    system: &System,
    method: LocalMethod<'_>,
    sizes: &ProblemSizes,
    budget: &mut Budget,
) -> Result<LocalOrders, SmallStepError> {
    let mechanics = Mechanics::new(system)?;
    let mechanics = mechanics.in_units_of(sizes, |mechanics| initial_place(system, mechanics))?;
    let stepper = Stepper::new(system, &mechanics, method, budget)?;
    let initial = initial_place(system, &mechanics)?;
    // What is preserved on a manifold alone, whose equations the system does not know, is measured there.
    let weak = stepper.defects().iter().any(|defect| defect.weak);
    let near = if weak { initial.clone() } else { disturbed(&initial)? };
    let start = mechanics.projected(&near).or_else(|error| {
        if matches!(error, SmallStepError::NotApplicable { .. }) {
            return Err(error);
        }
        mechanics.projected(&initial)
    })?;
    let orders = |resolution: Resolution, wanted: Wanted| {
        let flow = Flow::new(&mechanics, &start, resolution)?;
        Scene { mechanics: &mechanics, start: &start, flow: &flow, resolution }
            .orders(&stepper, wanted)
    };
    let fine = orders(FINE, Wanted::default());
    let seen = |orders: &LocalOrders| matches!(orders.order, DefectOrder::Exactly(_));
    if fine.as_ref().map_or(stepper.has_history() || stepper.is_staggered(), seen) {
        return fine;
    }
    if matches!(stepper, Stepper::Table(_)) {
        return orders(COARSE, Wanted::default());
    }
    // The exact solution is known for few steps of the coarse kind: enough for the defect of one, which
    // bounds the order from below.
    let once = Wanted { least_order: Some(0), ..Wanted::default() };
    let coarse = orders(COARSE, once)?;
    let order = match coarse.order {
        DefectOrder::Exactly(least) => DefectOrder::AtLeast(least),
        other => other,
    };
    Ok(LocalOrders { order, ..coarse })
}

/// A system with a start and its exact solution.
pub(super) struct Scene<'s> {
    pub mechanics: &'s Mechanics,
    pub start: &'s Place,
    pub flow: &'s Flow,
    pub resolution: Resolution,
}

/// What is not known yet.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Wanted {
    /// The order on other systems: whether it is higher on this one does not matter.
    pub least_order: Option<usize>,
    /// The method is known not to be symmetric.
    pub asymmetric: bool,
}

/// Defects after some steps.
#[derive(Debug, Clone, Default)]
struct Defects {
    solution: Vector,
    position: Vector,
    velocity: Vector,
    legendre: Vector,
    energy: Vector,
    momentum: Vector,
    /// Functions that the method measures itself.
    preserved: Vector,
}

type Select = fn(&Defects) -> &Vector;

impl Scene<'_> {
    pub(super) fn orders(
        &self,
        stepper: &Stepper,
        wanted: Wanted,
    ) -> Result<LocalOrders, SmallStepError> {
        let tolerance = self.resolution.tolerance;
        let solution = self.solution();
        let plain = !stepper.has_history() && !stepper.is_staggered();
        let once = if plain { Some(self.run(stepper, &[1])?) } else { None };
        // Defects add up at worst: then the order is one less than the exponent of a step.
        let least = match &once {
            Some((large, small)) => {
                match solution.exponent(&both(large, small, 0, |defects| &defects.solution))? {
                    DefectOrder::Exactly(power) => DefectOrder::Exactly(power.saturating_sub(1)),
                    DefectOrder::AtLeast(power) => DefectOrder::AtLeast(power.saturating_sub(1)),
                    DefectOrder::Infinite => DefectOrder::Infinite,
                }
            }
            None => DefectOrder::Exactly(0),
        };
        let enough =
            wanted.least_order.is_some_and(|known| least.allows(Some(known)) == Some(true));
        let add_up = matches!(stepper, Stepper::Table(_)) || (plain && enough);
        let many = if add_up { None } else { Some(self.settled(stepper)?) };
        let local = |what: &'static str, select: Select| -> Result<DefectOrder, SmallStepError> {
            let structure = Seen { zero: ZERO, tolerance, what };
            match (&once, &many) {
                (Some((large, small)), _) => structure.exponent(&both(large, small, 0, select)),
                (None, Some((large, small))) => {
                    let samples = samples(large, small, select);
                    match structure.global(&samples)? {
                        Growth::Clear(DefectOrder::Exactly(power)) => {
                            Ok(DefectOrder::Exactly(power + 1))
                        }
                        Growth::Clear(other) => Ok(other),
                        Growth::Unclear(least) => Ok(DefectOrder::AtLeast(least + 1)),
                    }
                }
                (None, None) => Err(SmallStepError::Exponent { what }),
            }
        };
        let order = match &many {
            Some((large, small)) => {
                match solution.global(&samples(large, small, |defects| &defects.solution))? {
                    Growth::Clear(order) => order,
                    Growth::Unclear(_) => {
                        return Err(SmallStepError::Exponent { what: solution.what });
                    }
                }
            }
            None => least,
        };
        let mechanics = self.mechanics;
        let legendre = local("Legendre defect", |defects| &defects.legendre)?;
        let velocity = match mechanics.constraints {
            0 => None,
            _ => Some(local("defect of A v + b", |defects| &defects.velocity)?),
        };
        let position = match mechanics.has_positions() {
            false => None,
            true => Some(local("defect of phi", |defects| &defects.position)?),
        };
        let parts = [(Part::Psi, Some(legendre)), (Part::PhiV, velocity), (Part::PhiQ, position)];
        let energy = local("energy", |defects| &defects.energy)?;
        let structure = match mechanics.state {
            Some(_) => energy,
            None => parts.iter().filter_map(|(_, x)| *x).fold(DefectOrder::Infinite, earlier),
        };
        let weakest = parts
            .iter()
            .find(|(_, x)| structure != DefectOrder::Infinite && *x == Some(structure))
            .map(|(part, _)| *part);
        let history = stepper.has_history();
        let form = match mechanics.keeps_form && !history {
            true => Some(form_order(mechanics, stepper, self.start, &mut Random::new(2))?),
            false if history => None,
            false => bracket_order(mechanics, stepper, self.start)?,
        };
        let mut preserved = Vec::with_capacity(stepper.defects().len());
        for (k, defect) in stepper.defects().iter().enumerate() {
            let Some((large, small)) = &once else { break };
            let at = |list: &[Defects]| -> Vector {
                list.first().and_then(|one| one.preserved.get(k)).cloned().into_iter().collect()
            };
            let both = Both { large: at(large), small: at(small) };
            let seen = Seen { zero: ZERO, tolerance, what: "defect of a preserved function" };
            preserved.push((defect.name.clone(), seen.exponent(&both)?));
        }
        Ok(LocalOrders {
            preserved,
            order,
            structure,
            weakest,
            position,
            velocity,
            legendre,
            energy,
            momentum: match mechanics.conserved_count() {
                0 => None,
                _ => Some(local("momentum", |defects| &defects.momentum)?),
            },
            form,
            symmetric: match (history, wanted.asymmetric) {
                (true, _) => None,
                (false, true) => Some(false),
                (false, false) => Some(self.is_symmetric(stepper)?),
            },
        })
    }

    fn solution(&self) -> Seen {
        Seen {
            zero: -ACCURACY,
            tolerance: self.resolution.tolerance,
            what: "error of the solution",
        }
    }

    /// Defects after N, 2N, 3N, 4N steps, with N so large that their growth is clear.
    fn settled(&self, stepper: &Stepper) -> Result<(Vec<Defects>, Vec<Defects>), SmallStepError> {
        let seen = self.solution();
        let mut pause = PAUSE;
        loop {
            let looks: Vec<usize> = (1..=4).map(|k| k * pause).collect();
            let (large, small) = self.run(stepper, &looks)?;
            let clear = ALL.iter().all(|select| {
                let growth = seen.global(&samples(&large, &small, *select));
                !matches!(growth, Ok(Growth::Unclear(_)))
            });
            pause *= 3;
            if clear || pause > LONGEST {
                return Ok((large, small));
            }
        }
    }

    /// Defects after some numbers of steps, for the larger and the smaller step.
    fn run(
        &self,
        stepper: &Stepper,
        looks: &[usize],
    ) -> Result<(Vec<Defects>, Vec<Defects>), SmallStepError> {
        let one = |bits: i64| -> Result<Vec<Defects>, SmallStepError> {
            let h = small_step(bits)?;
            let begin = (self.mechanics.energy(self.start)?, self.mechanics.conserved(self.start)?);
            let mut state = stepper.start(self.mechanics, self.start, &h)?;
            let mut found = Vec::new();
            for step in 1..=looks.iter().copied().max().unwrap_or(0) {
                let (next, measured) = stepper.step(self.mechanics, &state, &h)?;
                if looks.contains(&step) {
                    found.push(self.defects(stepper, &next, &measured, &begin)?);
                }
                state = next;
            }
            Ok(found)
        };
        Ok((one(self.resolution.step - APART)?, one(self.resolution.step)?))
    }

    fn defects(
        &self,
        stepper: &Stepper,
        next: &State,
        measured: &Measured,
        (energy, momentum): &(Ball, Vector),
    ) -> Result<Defects, SmallStepError> {
        let mechanics = self.mechanics;
        let place = &measured.place;
        let exact = self.flow.at(&place.t)?;
        let mut solution = difference(&place.q, &exact.q);
        solution.extend(difference(&place.v, &exact.v));
        if stepper.is_staggered() {
            let end = self.flow.at(&next.place.t)?;
            solution.extend(difference(&next.place.q, &end.q));
        } else {
            solution.extend(difference(&measured.p, &mechanics.momenta(&exact)?));
        }
        let change = mechanics.energy(place)?.sub(energy).sub(&measured.work);
        Ok(Defects {
            solution: midpoints(&solution),
            position: midpoints(&mechanics.position_level(place)?),
            velocity: midpoints(&mechanics.velocity_level(place)?),
            legendre: midpoints(&difference(&measured.p, &mechanics.momenta(place)?)),
            energy: vec![change.midpoint()],
            momentum: midpoints(&difference(&mechanics.conserved(place)?, momentum)),
            preserved: stepper
                .defects()
                .iter()
                .filter_map(|one| self.preserved(one, &next.memory))
                .collect::<Result<_, _>>()?,
        })
    }

    /// A defect that a method measures itself, in units of what it says its parts are.
    fn preserved(&self, one: &Defect, memory: &[Ball]) -> Option<Result<Ball, EvaluationError>> {
        let defect = memory.get(one.memory)?.midpoint();
        let size = memory.get(one.size).filter(|_| !self.mechanics.units.position.is_empty());
        Some(defect.shift(-size.map_or(0, |size| units::exponent(size.to_f64()))))
    }

    /// Two steps forward and two back. Where errors are measured elsewhere, only positions: the
    /// momenta of such schemes are known up to reactions.
    fn is_symmetric(&self, stepper: &Stepper) -> Result<bool, SmallStepError> {
        let h = small_step(self.resolution.step - APART)?;
        let back = h.neg();
        let mut state = stepper.start(self.mechanics, self.start, &h)?;
        let mut path = Vec::new();
        for _ in 0..2 {
            path.push(state.clone());
            state = stepper.step(self.mechanics, &state, &h)?.0;
        }
        // What is remembered are guesses; those of the way back are of the other sign.
        let memory = stepper.start(self.mechanics, &state.place, &back)?.memory;
        state.memory = memory;
        for wanted in path.iter().rev() {
            state = stepper.step(self.mechanics, &state, &back)?.0;
            let mut defect = difference(&state.place.q, &wanted.place.q);
            if !stepper.is_staggered() {
                defect.extend(difference(&state.place.v, &wanted.place.v));
                defect.extend(difference(&state.p, &wanted.p));
            }
            if !is_below(&defect, ZERO) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn both(large: &[Defects], small: &[Defects], look: usize, select: Select) -> Both {
    let at = |list: &[Defects]| {
        list.get(look).map(select).cloned().or_noticed("defects are measured at every look")
    };
    Both { large: at(large), small: at(small) }
}

fn samples(large: &[Defects], small: &[Defects], select: Select) -> [Both; 4] {
    [0, 1, 2, 3].map(|look| both(large, small, look, select))
}

/// The initial values of a model, in the units of the problem.
pub(super) fn initial_place(
    system: &System,
    mechanics: &Mechanics,
) -> Result<Place, SmallStepError> {
    let model = &system.model;
    let values: FxHashMap<ExprId, Ball> = mechanics.parameters.iter().cloned().collect();
    let read = |list: &[ExprId]| evaluate_balls(&model.pool, list, &values, precision());
    let q = midpoints(&read(system.mechanics.initial_configuration(model))?);
    let rate = midpoints(&read(&model.initial.rate)?);
    let units = &mechanics.units;
    let q = Units::inwards(&q, &units.position)?;
    let t = Ball::zero(precision());
    match model.system.hamiltonian() {
        // The rates are momenta.
        Some(_) => {
            let v = Units::inwards(&rate, &units.momenta())?;
            mechanics.with_momenta(Place { t, q, v })
        }
        None => Ok(Place { t, q, v: Units::inwards(&rate, &units.velocity)? }),
    }
}

/// A place nearby, by numbers that have nothing to do with each other.
pub(super) fn disturbed(place: &Place) -> Result<Place, EvaluationError> {
    let mut random = Random::new(0x5eed);
    let mut disturb = |x: &Vector| -> Result<Vector, EvaluationError> {
        x.iter()
            .map(|x| {
                let number = i64::try_from(random.below(61)).unwrap_or(0) - 30;
                let shift = Rational::new(2 * number + 1, 512).or_noticed("512 is not zero");
                let scale = x.midpoint().abs().add(&Ball::one(precision()));
                Ok(x.add(&scale.mul(&Ball::from_rational(&shift, precision()))?).midpoint())
            })
            .collect()
    };
    Ok(Place { t: place.t.clone(), q: disturb(&place.q)?, v: disturb(&place.v)? })
}
