//! From equations to their port-Hamiltonian forms.

use std::collections::VecDeque;

use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, Pool};

use super::energies::{Candidate, candidates};
use super::form::{Form, Realisation};
use super::given::forms_of;
use super::sign::Verdict;
use super::storage::distance;
use super::{Origin, PortError, Problem};

/// How far to search.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The energy, if it is known.
    pub hamiltonian: Option<ExprId>,
    /// The largest degree of the entries of J and R; by default that of the rates.
    pub degree: Option<u32>,
    /// The largest degree of polynomial first integrals; by default 4.
    pub integral_degree: Option<u32>,
}

/// A rate that is not a combination of the derivatives of the energy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remainder {
    /// The state.
    pub state: usize,
    /// Its remainder modulo the ideal of the derivatives of H.
    pub remainder: ExprId,
}

/// Why an energy has no passive form without a port for the residual.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstruction {
    /// The energy.
    pub hamiltonian: ExprId,
    /// The rates outside the ideal of its derivatives.
    pub outside: Vec<Remainder>,
    /// A point where all derivatives of the energy vanish and a rate does not.
    pub critical: Option<Vec<(ExprId, ExprId)>>,
    /// `H' = f . dH`.
    pub power: ExprId,
    /// Is `-H'` nowhere negative? Otherwise no R is positive semidefinite.
    pub loses: Verdict,
    /// Are there J and R, though R is not positive semidefinite?
    pub closed: bool,
    /// Are rates and derivatives of the energy polynomials in the states? Otherwise J and R may
    /// exist that were not looked for: with roots or exponentials in their entries.
    pub polynomial: bool,
}

impl Obstruction {
    /// Is it proved that there are no J and R, polynomial ones for polynomial data?
    pub fn is_decided(&self) -> bool {
        !self.outside.is_empty() && (self.polynomial || self.critical.is_some())
    }
}

/// What was found.
#[derive(Debug)]
pub struct Recovery {
    /// The forms, the chosen one first.
    pub forms: Vec<Form>,
    /// Why the energy that was asked for has no form without residual ports.
    pub obstruction: Option<Obstruction>,
    /// What was searched, and what was left out.
    pub notes: Vec<String>,
}

impl Recovery {
    /// Is there a form without a port for a residual?
    pub fn is_closed(&self) -> bool {
        self.forms.iter().any(|form| form.realisation == Realisation::Closed)
    }
}

/// The forms of the equations, by the stated criteria.
pub fn recover(
    pool: &mut Pool,
    problem: &Problem,
    options: &Options,
    budget: &mut Budget,
) -> Result<Recovery, PortError> {
    let mut notes = Vec::new();
    let list = match options.hamiltonian {
        Some(hamiltonian) => {
            check(pool, problem, hamiltonian)?;
            vec![Candidate { hamiltonian, origin: Origin::Given }]
        }
        None => candidates(pool, problem, options, &mut notes, budget)?,
    };
    let mut forms: Vec<Form> = Vec::new();
    let mut obstruction = None;
    let given = options.hamiltonian.is_some();
    // Half the distance is the last resort: whatever else was tried and gave nothing.
    let mut list: VecDeque<Candidate> = list.into();
    let mut resort = !given && list.iter().all(|c| c.origin != Origin::Distance);
    while let Some(Candidate { hamiltonian, origin }) = list.pop_front() {
        // The last candidates may have what the first left.
        let waiting = list.len() as u64 + 1 + u64::from(resort && forms.is_empty());
        let mut part = Budget::new(budget.left() / waiting);
        let found = forms_of(pool, problem, hamiltonian, origin, options.degree, &mut part);
        budget.spend(part.spent().min(budget.left()), "looking for structures")?;
        match found {
            Ok(found) => {
                forms.extend(found.forms);
                notes.extend(found.notes);
                if given {
                    obstruction = found.obstruction;
                }
            }
            Err(error) if error.is_too_long() && !(list.is_empty() && forms.is_empty()) => {
                notes.push(format!("an energy from {}: too long to compute", origin.words()));
            }
            Err(error) if resort && error.is_too_long() => {
                notes.push(format!("an energy from {}: too long to compute", origin.words()));
            }
            Err(error) => return Err(error),
        }
        if list.is_empty() && resort && forms.iter().all(|form| form.criteria.trivial) {
            resort = false;
            let hamiltonian = distance(pool, problem);
            list.push_back(Candidate { hamiltonian, origin: Origin::Distance });
        }
    }
    distinct(&mut forms);
    forms.sort_by_key(rank);
    let mut said = Vec::new();
    notes.retain(|note| {
        let new = !said.contains(note);
        said.push(note.clone());
        new
    });
    if forms.is_empty() && notes.is_empty() {
        notes.push("no algorithm found an energy with a structure".to_owned());
    }
    Ok(Recovery { forms, obstruction, notes })
}

fn check(pool: &Pool, problem: &Problem, hamiltonian: ExprId) -> Result<(), PortError> {
    if hamiltonian == ExprId::UNDEFINED {
        return Err(PortError::Undefined);
    }
    let time = pool.find_symbol("t").filter(|t| !problem.states.contains(t));
    let foreign = problem.inputs.iter().copied().chain(time);
    for symbol in foreign {
        if pool.depends_on(hamiltonian, &[symbol]) {
            let name = pool.label(symbol);
            return Err(PortError::Hamiltonian { name });
        }
    }
    Ok(())
}

/// Forms with equal energy, matrices and ports are listed once.
fn distinct(forms: &mut Vec<Form>) {
    let mut kept: Vec<Form> = Vec::new();
    for form in forms.drain(..) {
        let same = |other: &Form| {
            other.hamiltonian == form.hamiltonian
                && other.j == form.j
                && other.r == form.r
                && other.ports == form.ports
        };
        if !kept.iter().any(same) {
            kept.push(form);
        }
    }
    *forms = kept;
}

/// The order of the criteria: something in J or R, R positive semidefinite, few residual ports, an integrable
/// structure, H positive definite, little dissipation to explain, low degree, short.
fn rank(form: &Form) -> (bool, bool, usize, bool, bool, bool, usize, u32, u64) {
    let criteria = &form.criteria;
    (
        criteria.trivial,
        !criteria.passive.holds(),
        criteria.residual_ports,
        criteria.integrable != Zero::Yes,
        !criteria.positive.holds(),
        matches!(criteria.positive, Verdict::Never { .. }),
        criteria.dissipated,
        criteria.degree,
        criteria.size,
    )
}
