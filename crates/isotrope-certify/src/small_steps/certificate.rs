//! The certificate of a scheme that is written as equations.

use isotrope_algebra::{Budget, Precision};

use super::exponents::earlier;
use super::group_problems::{GROUP_PROBLEMS, group_problem};
use super::local::{LocalOrders, Wanted, ZERO};
use super::problems::{PROBLEMS, Problem, problem};
use super::state_problems::{STATE_PROBLEMS, state_problem};
use super::stepper::{LocalMethod, Stepper};
use super::{BITS, SmallStepError};
use crate::certificate::{Certificate, ClassOrders, DefectOrder, Evidence};
use crate::{GroupOrders, StateOrders};
use isotrope_methods::classes::{Class, Part};
use isotrope_methods::named_composition;
use isotrope_scheme::{EquationScheme, Pace, Theory};

/// What was found on a class.
struct Found {
    class: Class,
    structure: DefectOrder,
    weakest: Option<Part>,
    form: Option<DefectOrder>,
}

/// Computes the exponents of a scheme on a problem of each class; what theory says of its order is believed
/// where it is proved.
pub fn certify_scheme(
    scheme: &EquationScheme,
    theory: Theory,
    budget: &mut Budget,
) -> Result<Certificate, SmallStepError> {
    // None of the classes has Lagrangians that are linear in the velocities: nothing is checked, and orders
    // are those that `convergence` measures.
    if scheme.is_of_first_order() {
        return Ok(Certificate::default());
    }
    if scheme.is_in_state_space() {
        return certify_in_state_space(scheme, theory, budget);
    }
    if scheme.discrete_lagrangian().is_some_and(|lagrangian| lagrangian.pace != Pace::Even) {
        return Err(SmallStepError::NotApplicable {
            reason: "its steps take times of their own, and exponents are those of equal steps; ask for the \
                     method without its prefix",
        });
    }
    if scheme.is_on_groups() {
        return certify_on_groups(scheme, budget);
    }
    let mut found: Vec<Found> = Vec::new();
    let mut seen = Seen::default();
    for number in 0..PROBLEMS {
        let problem = problem(number)?;
        let Some(orders) = seen.look(problem, scheme, budget)? else { continue };
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
    let mut certificate = Certificate {
        classes: found.into_iter().map(class_orders).collect(),
        ..seen.certificate()?
    };
    if scheme.takes_state_space() {
        certificate.state = in_state_space(scheme, &mut Seen::default(), budget)?;
    }
    Ok(certificate)
}

/// The same on Lie groups.
fn certify_on_groups(
    scheme: &EquationScheme,
    budget: &mut Budget,
) -> Result<Certificate, SmallStepError> {
    let mut found: Vec<GroupOrders> = Vec::new();
    let mut seen = Seen::default();
    for number in 0..GROUP_PROBLEMS {
        let problem = group_problem(number)?;
        let Some(orders) = seen.look(problem, scheme, budget)? else { continue };
        if let Some(known) = found.iter_mut().find(|known| known.class == problem.class) {
            if earlier(known.structure, orders.structure) != known.structure {
                (known.structure, known.weakest) = (orders.structure, orders.weakest);
            }
            continue;
        }
        found.push(GroupOrders {
            class: problem.class,
            structure: orders.structure,
            weakest: orders.weakest,
            form: orders.form,
            momentum: orders.momentum,
            energy: orders.energy,
        });
    }
    found.sort_by_key(|orders| orders.class);
    Ok(Certificate { groups: found, ..seen.certificate()? })
}

/// What was seen so far on all problems together.
#[derive(Default)]
struct Seen {
    order: Option<DefectOrder>,
    energy: Option<DefectOrder>,
    symmetric: Option<bool>,
    problems: usize,
    history: bool,
    staggered: bool,
    refused: Option<&'static str>,
}

impl Seen {
    /// The exponents on a problem; none where the scheme does not apply.
    fn look<C>(
        &mut self,
        problem: &Problem<C>,
        scheme: &EquationScheme,
        budget: &mut Budget,
    ) -> Result<Option<LocalOrders>, SmallStepError> {
        let method = LocalMethod::Equations(scheme);
        let stepper = match Stepper::new(&problem.system, &problem.mechanics, method, budget) {
            Ok(stepper) => stepper,
            Err(SmallStepError::NotApplicable { reason }) => {
                self.refused = Some(reason);
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let wanted = Wanted {
            least_order: match self.order {
                Some(DefectOrder::Exactly(order)) => Some(order),
                _ => None,
            },
            asymmetric: self.symmetric == Some(false),
        };
        let orders = problem.scene()?.orders(&stepper, wanted)?;
        self.problems += 1;
        self.history |= stepper.has_history();
        self.staggered |= stepper.is_staggered();
        self.order = Some(self.order.map_or(orders.order, |known| earlier(known, orders.order)));
        if self.energy.is_none() && !problem.driven {
            self.energy = Some(orders.energy);
        }
        if let Some(here) = orders.symmetric {
            self.symmetric = Some(self.symmetric.unwrap_or(true) && here);
        }
        Ok(Some(orders))
    }

    /// What holds for all of them.
    fn certificate(&self) -> Result<Certificate, SmallStepError> {
        let reason = self.refused.unwrap_or("it applies to no system");
        let order = self.order.ok_or(SmallStepError::NotApplicable { reason })?;
        Ok(Certificate {
            order: match order {
                DefectOrder::Exactly(order) => Some(order),
                DefectOrder::Infinite | DefectOrder::AtLeast(_) => None,
            },
            evidence: Some(Evidence::SmallSteps {
                problems: self.problems,
                digits: digits(BITS.into()),
                zero: digits(-ZERO.max(super::form::ZERO)),
            }),
            energy: self.energy,
            symmetric: self.symmetric,
            history: self.history,
            staggered: self.staggered,
            ..Certificate::default()
        })
    }
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

/// The exponents of a scheme on a problem of each class in state space.
fn in_state_space(
    scheme: &EquationScheme,
    seen: &mut Seen,
    budget: &mut Budget,
) -> Result<Vec<StateOrders>, SmallStepError> {
    let mut found = Vec::new();
    for number in 0..STATE_PROBLEMS {
        let problem = state_problem(number)?;
        let Some(orders) = seen.look(problem, scheme, budget)? else { continue };
        found.push(StateOrders {
            class: problem.class,
            order: orders.order,
            energy: orders.energy,
            bracket: orders.form,
            casimirs: orders.momentum,
            symmetric: orders.symmetric,
        });
    }
    Ok(found)
}

/// Symmetric steps have an even order, and compositions of them the order that their coefficients are proved
/// to give: that is said where it is known, and very small steps have the rest.
fn certify_in_state_space(
    scheme: &EquationScheme,
    theory: Theory,
    budget: &mut Budget,
) -> Result<Certificate, SmallStepError> {
    let mut seen = Seen::default();
    let state = in_state_space(scheme, &mut seen, budget)?;
    let mut certificate = Certificate { state, ..seen.certificate()? };
    let composition = match theory {
        Theory::Composition { order, coefficients: None } => Some((order, 1)),
        Theory::Composition { order, coefficients: Some(name) } => {
            named_composition(name, budget).ok().flatten().and_then(|composed| {
                let proved = composed.composition.coefficients(Precision::new(128)).is_ok();
                proved.then(|| (order, composed.composition.length()))
            })
        }
        _ => None,
    };
    if let Some((order, steps)) = composition {
        certificate.order = Some(order);
        certificate.evidence = Some(Evidence::Composition { steps });
        certificate.symmetric = Some(true);
    }
    Ok(certificate)
}
