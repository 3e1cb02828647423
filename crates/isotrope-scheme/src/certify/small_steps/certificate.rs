//! The certificate of a scheme that is written as equations.

use isotrope_algebra::{Budget, Precision};

use super::exponents::earlier;
use super::local::{Wanted, ZERO};
use super::problems::{PROBLEMS, problem};
use super::stepper::{LocalMethod, Stepper};
use super::{BITS, SmallStepError};
use crate::certify::certificate::{Certificate, Certified, ClassOrders, DefectOrder, Evidence};
use crate::certify::named_composition;
use crate::discretise::{EquationScheme, POISSON, Pace, poisson_composition};
use crate::methods::classes::{Class, Part};

/// A scheme that is written as equations, with where it applies.
#[derive(Debug, Clone, PartialEq)]
pub struct EquationMethod {
    /// The scheme.
    pub scheme: EquationScheme,
    /// The classes of systems for which it has equations.
    pub classes: Vec<Class>,
    /// Does a step depend on more of the past than positions, velocities and momenta?
    pub history: bool,
    /// Are errors measured elsewhere than where a step ends?
    pub staggered: bool,
}

impl EquationMethod {
    /// The systems it makes sense for.
    pub fn applies_to(&self) -> &'static str {
        let has = |class: Class| self.classes.contains(&class);
        let any = has(Class::ConstantMass);
        let positions = has(Class::Quadrics) || has(Class::Sphere);
        let free = has(Class::Symplectic);
        let varying = has(Class::Natural) || has(Class::Holonomic);
        match (any, positions, free, varying) {
            _ if self.scheme.is_of_first_order() => "Lagrangians linear in the velocities",
            _ if self.scheme.is_in_state_space() => "systems in state space",
            _ if has(Class::Generic) => "Lagrangian systems",
            (true, _, true, true) => "Lagrangian systems quadratic in velocities",
            (true, _, true, false) => "Lagrangian systems with constant mass matrix",
            (true, _, false, _) => "Lagrangian systems with constraints",
            (false, true, true, true) => {
                "Lagrangian systems quadratic in velocities, holonomic constraints or none"
            }
            (false, true, true, false) => {
                "Lagrangian systems with constant mass matrix, holonomic constraints or none"
            }
            (false, true, false, _) => "Lagrangian systems with holonomic constraints",
            (false, false, _, _) => "Lagrangian systems without constraints",
        }
    }
}

/// What was found on a class.
struct Found {
    class: Class,
    structure: DefectOrder,
    weakest: Option<Part>,
    form: Option<DefectOrder>,
}

/// Computes the exponents of a scheme on a problem of each class.
pub fn certify_scheme(
    scheme: EquationScheme,
    budget: &mut Budget,
) -> Result<Certified<EquationMethod>, SmallStepError> {
    if scheme.is_of_first_order() {
        return Ok(unchecked(scheme));
    }
    if scheme.is_in_state_space() {
        return Ok(in_state_space(scheme, budget));
    }
    if scheme.discrete_lagrangian().is_some_and(|lagrangian| lagrangian.pace != Pace::Even) {
        return Err(SmallStepError::NotApplicable {
            reason: "its steps take times of their own, and exponents are those of equal steps; ask for the \
                     method without its prefix",
        });
    }
    let mut order: Option<DefectOrder> = None;
    let mut energy = None;
    let mut symmetric = None;
    let mut found: Vec<Found> = Vec::new();
    let (mut problems, mut history, mut staggered) = (0, false, false);
    let mut refused = SmallStepError::NotApplicable { reason: "it applies to no system" };
    for number in 0..PROBLEMS {
        let problem = problem(number)?;
        let method = LocalMethod::Equations(&scheme);
        let stepper = match Stepper::new(&problem.system, &problem.mechanics, method, budget) {
            Ok(stepper) => stepper,
            Err(SmallStepError::NotApplicable { reason }) => {
                refused = SmallStepError::NotApplicable { reason };
                continue;
            }
            Err(error) => return Err(error),
        };
        let wanted = Wanted {
            least_order: match order {
                Some(DefectOrder::Exactly(order)) => Some(order),
                _ => None,
            },
            asymmetric: symmetric == Some(false),
        };
        let orders = problem.scene()?.orders(&stepper, wanted)?;
        problems += 1;
        history |= stepper.has_history();
        staggered |= stepper.is_staggered();
        order = Some(order.map_or(orders.order, |known| earlier(known, orders.order)));
        if energy.is_none() && !problem.driven {
            energy = Some(orders.energy);
        }
        if let Some(here) = orders.symmetric {
            symmetric = Some(symmetric.unwrap_or(true) && here);
        }
        match found.iter_mut().find(|known| known.class == problem.class) {
            Some(known) => {
                if earlier(known.structure, orders.structure) != known.structure {
                    (known.structure, known.weakest) = (orders.structure, orders.weakest);
                }
                known.form = known.form.or(orders.form);
            }
            None => found.push(Found {
                class: problem.class,
                structure: orders.structure,
                weakest: orders.weakest,
                form: orders.form,
            }),
        }
    }
    let Some(order) = order else { return Err(refused) };
    let classes = found.iter().map(|found| found.class).collect();
    let certificate = Certificate {
        order: match order {
            DefectOrder::Exactly(order) => Some(order),
            DefectOrder::Infinite | DefectOrder::AtLeast(_) => None,
        },
        evidence: Some(Evidence::SmallSteps {
            problems,
            digits: digits(BITS.into()),
            zero: digits(-ZERO.max(super::form::ZERO)),
        }),
        first_failing_tree: None,
        classes: found.into_iter().map(class_orders).collect(),
        energy,
        symmetric,
        cost: None,
        free_directions: Vec::new(),
        free_directions_complete: false,
        local: None,
        sampling: None,
    };
    let method = EquationMethod { scheme, classes, history, staggered };
    Ok(Certified::new(method, certificate))
}

fn class_orders(found: Found) -> ClassOrders {
    let constrained = found.class != Class::Symplectic;
    ClassOrders {
        class: found.class,
        structure: constrained.then_some(found.structure),
        weakest: if constrained { found.weakest } else { None },
        form: found.form,
    }
}

/// Decimal digits of a number of bits.
fn digits(bits: i64) -> u32 {
    u32::try_from(bits * 3 / 10).unwrap_or(0)
}

/// None of the classes has Lagrangians that are linear in the velocities: nothing is checked, and orders
/// are those that `convergence` measures.
/// Symmetric steps have an even order, and compositions of them the order that their coefficients are proved
/// to give.
fn in_state_space(scheme: EquationScheme, budget: &mut Budget) -> Certified<EquationMethod> {
    let composed = poisson_composition(scheme.name()).filter(|_| scheme.family() == POISSON);
    let composition = match composed {
        Some((order, None)) => Some((order, 1)),
        Some((order, Some(name))) => {
            named_composition(name, budget).ok().flatten().and_then(|composed| {
                let proved = composed.composition.coefficients(Precision::new(128)).is_ok();
                proved.then(|| (order, composed.composition.length()))
            })
        }
        None => None,
    };
    let plain = unchecked(scheme);
    let Some((order, steps)) = composition else { return plain };
    let certificate = Certificate {
        order: Some(order),
        evidence: Some(Evidence::Composition { steps }),
        symmetric: Some(true),
        ..plain.certificate().clone()
    };
    Certified::new(plain.method().clone(), certificate)
}

fn unchecked(scheme: EquationScheme) -> Certified<EquationMethod> {
    let certificate = Certificate {
        order: None,
        evidence: None,
        first_failing_tree: None,
        classes: Vec::new(),
        energy: None,
        symmetric: None,
        cost: None,
        free_directions: Vec::new(),
        free_directions_complete: false,
        local: None,
        sampling: None,
    };
    let method = EquationMethod { scheme, classes: Vec::new(), history: false, staggered: false };
    Certified::new(method, certificate)
}
