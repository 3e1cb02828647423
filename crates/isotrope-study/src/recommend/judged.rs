//! A method beside a system: what it keeps, and what a step takes.

use isotrope_algebra::number::field::FieldElement;
use isotrope_algebra::{Budget, Rational};
use isotrope_certify::{Certificate, DefectOrder, certified, keeps_canonical_form};
use isotrope_derive::System;
use isotrope_kernel::stepper::{Field, Options, stepper};
use isotrope_methods::Stages;
use isotrope_methods::classes::Class;
use isotrope_methods::table::Table;
use isotrope_scheme::{Listed, Method, Steps};
use isotrope_tape::Program;
use schemars::JsonSchema;
use serde::Serialize;

use super::facts::{Facts, Form};

/// What a method can keep exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keeps {
    /// Constraints.
    Constraints,
    /// The 2-form, or the bracket.
    Form,
    /// The energy, or its balance.
    Energy,
    /// The group.
    Group,
}

/// A method that applies, with what is known of it here.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The method.
    pub method: Method,
    /// Its order.
    pub order: Option<usize>,
    /// Is it its own adjoint?
    pub symmetric: Option<bool>,
    /// No equations to solve?
    pub explicit: bool,
    /// Operations of a step, or of a round.
    pub operations: usize,
    /// What it keeps of this system.
    pub keeps: Vec<Keeps>,
    /// What it is certified to miss in a step, and by which power of the step.
    pub misses: Vec<(Keeps, DefectOrder)>,
    /// Does it forget the fastest motions at once?
    pub stiffly_accurate: bool,
    /// Is it certified on one class alone? Then it is made for something that other classes do not have.
    pub special: bool,
    /// The step, to be compared with others.
    pub(super) program: Option<Program>,
}

/// Rounds that an iteration takes, about: Newton's method from a guess with an error of the square root of the
/// rounding error is done in two, and one more finds that it is.
const ROUNDS: usize = 3;

/// Work is compared for an error of one part in a million, as if all constants of errors were one.
const DIGITS: f64 = 1e-6;

/// Judges a method for a system; none if it does not apply.
pub fn judge(
    (system, field): (&System, &Field),
    facts: &Facts,
    one: &Listed,
    step: &Rational,
    operations: u64,
) -> Option<Judged> {
    let budget = &mut Budget::new(operations);
    let method = Method::named(&one.name, budget).ok()??;
    if method.has_times_of_its_own() {
        return None;
    }
    let adaptive = matches!(method.steps(), Steps::Adaptive);
    let certificate = match adaptive {
        true => Certificate::default(),
        false if one.certified => certified(method.clone(), budget).ok()?.certificate().clone(),
        false => return None,
    };
    // Where motions are of first order there are no certificates of schemes made for them.
    if certificate.order.is_none_or(|order| order < 2) && !adaptive && !one.capabilities.first_order
    {
        return None;
    }
    of((system, field), facts, method, &certificate, step, budget)
}

fn of(
    (system, field): (&System, &Field),
    facts: &Facts,
    method: Method,
    certificate: &Certificate,
    step: &Rational,
    budget: &mut Budget,
) -> Option<Judged> {
    let options = Options { monitors: false, ..Options::new(step.clone()) };
    let written = stepper(&method, system, field, &options, budget).ok()?;
    let adaptive = written.adaptive.is_some();
    let explicit = adaptive || written.program.variables.is_empty();
    let operations = match &written.adaptive {
        Some(programs) => programs.attempt.ops.len(),
        None => written.program.ops.len(),
    };
    let order = match system.mechanics.descriptor() {
        Some(_) if method.table().is_none() => None,
        _ => certificate.order,
    };
    let (keeps, misses) = kept(facts, &method, certificate);
    Some(Judged {
        order,
        symmetric: certificate.symmetric,
        explicit,
        operations,
        keeps,
        misses,
        stiffly_accurate: method.table().is_some_and(stiffly_accurate),
        special: certificate.classes.len() == 1,
        program: (!adaptive).then_some(written.program),
        method,
    })
}

/// What a method keeps of a system exactly, by its certificate, and how it misses constraints.
pub(crate) fn kept(
    facts: &Facts,
    method: &Method,
    certificate: &Certificate,
) -> (Vec<Keeps>, Vec<(Keeps, DefectOrder)>) {
    let exactly = DefectOrder::Infinite;
    let mut keeps = Vec::new();
    let mut misses = Vec::new();
    match facts.kind {
        Form::LieGroup => {
            let groups = &certificate.groups;
            if !groups.is_empty() && groups.iter().all(|orders| orders.structure == exactly) {
                keeps.push(Keeps::Group);
                if facts.constrained() {
                    keeps.push(Keeps::Constraints);
                }
            }
            let mut forms = groups.iter().filter_map(|orders| orders.form).peekable();
            if facts.symplectic && forms.peek().is_some() && forms.all(|form| form == exactly) {
                keeps.push(Keeps::Form);
            }
        }
        Form::StateSpace => {
            let mut brackets =
                certificate.state.iter().filter_map(|orders| orders.bracket).peekable();
            let certified = brackets.peek().is_some() && brackets.all(|order| order == exactly);
            // A constant bracket is kept by what keeps all quadratic invariants of a linear system.
            let constant = facts.constant_bracket
                && method.table().is_some_and(Table::is_one_table)
                && keeps_canonical_form(method) == Some(true);
            if facts.symplectic && (certified || constant) {
                keeps.push(Keeps::Form);
            }
        }
        Form::Lagrangian => {
            let orders = facts.class.and_then(|class| certificate.on(class));
            let structure = orders.and_then(|orders| orders.structure);
            if facts.constrained() {
                match structure {
                    Some(DefectOrder::Infinite) => keeps.push(Keeps::Constraints),
                    Some(order) => misses.push((Keeps::Constraints, order)),
                    None => {}
                }
            }
            let form = orders.and_then(|orders| orders.form);
            // On the wider class of varying masses 2-form and momenta belong together.
            let momenta = structure.is_none_or(|order| order == exactly)
                || facts.class != Some(Class::Holonomic);
            match form.filter(|_| facts.symplectic) {
                Some(DefectOrder::Infinite) if momenta => keeps.push(Keeps::Form),
                Some(DefectOrder::Infinite) | None => {}
                Some(order) => misses.push((Keeps::Form, order)),
            }
        }
        Form::Hamiltonian => {
            if facts.symplectic && keeps_canonical_form(method) == Some(true) {
                keeps.push(Keeps::Form);
            }
        }
        Form::FirstOrder => {}
    }
    if facts.energy && method.capabilities().balance_power {
        keeps.push(Keeps::Energy);
    }
    (keeps, misses)
}

/// What is kept, in words.
pub(crate) fn in_words(facts: &Facts, keeps: &[Keeps]) -> String {
    let word = |one: &Keeps| match one {
        Keeps::Constraints => "the constraints",
        Keeps::Form if facts.kind == Form::StateSpace => "the bracket",
        Keeps::Form => "the 2-form",
        Keeps::Energy if facts.power => "the balance of energy",
        Keeps::Energy => "the energy",
        Keeps::Group => "the group",
    };
    keeps.iter().map(word).collect::<Vec<_>>().join(" and ")
}

impl Facts {
    /// Is all kept that the system has to be kept, the energy aside?
    pub(crate) fn all_kept(&self, keeps: &[Keeps]) -> bool {
        let constraints = !self.constrained() || keeps.contains(&Keeps::Constraints);
        let form = !self.symplectic || keeps.contains(&Keeps::Form);
        (self.constrained() || self.symplectic) && constraints && form
    }
}

/// Is the last stage the end of the step, and no stage explicit? Then R(∞) = 0.
fn stiffly_accurate(table: &Table) -> bool {
    if !table.is_one_table() || !Stages::is_pointwise(table) {
        return false;
    }
    let zero = |row: &Vec<FieldElement>| row.iter().all(FieldElement::is_zero);
    table.a.last() == Some(&table.b) && !table.a.iter().any(zero)
}

impl Judged {
    /// Operations of a step, with all rounds of an iteration.
    #[must_use]
    pub fn step_operations(&self) -> usize {
        self.operations * if self.explicit { 1 } else { ROUNDS }
    }

    /// Operations for a unit of time with six digits, as if all constants of errors were one; infinite where the
    /// order is not known.
    pub(super) fn work(&self) -> f64 {
        let Some(order) = self.order.filter(|order| *order > 0) else { return f64::INFINITY };
        let steps = (-DIGITS.log2() / order as f64).exp2();
        self.step_operations() as f64 * steps
    }

    fn keeps(&self, what: Keeps) -> bool {
        self.keeps.contains(&what)
    }

    /// Does it keep all that the system has to be kept, the energy aside?
    #[must_use]
    pub fn keeps_structure(&self, facts: &Facts) -> bool {
        facts.all_kept(&self.keeps)
    }

    /// 0: keeps the structure; 1: balances the energy; 2: neither.
    pub(super) fn tier(&self, facts: &Facts) -> usize {
        match (self.keeps_structure(facts), self.keeps(Keeps::Energy)) {
            (true, _) => 0,
            (_, true) => 1,
            _ => 2,
        }
    }

    /// Why it is in the list.
    pub(super) fn reason(&self, role: Role, facts: &Facts) -> String {
        let mut parts: Vec<String> = Vec::new();
        let kept = in_words(facts, &self.keeps);
        if !kept.is_empty() {
            parts.push(format!("keeps {kept} exactly"));
        }
        for (what, power) in &self.misses {
            let what = in_words(facts, std::slice::from_ref(what));
            parts.push(format!("misses {what} by O(h^{power}) a step"));
        }
        if role == Role::FirstOrder {
            parts.push("made for Lagrangians linear in the velocities".to_owned());
        }
        parts.push(match self.order {
            Some(order) if self.symmetric == Some(true) => format!("order {order}, symmetric"),
            Some(order) => format!("order {order}"),
            None if role == Role::Adaptive => "chooses its steps by the error".to_owned(),
            None => "its order is not certified here".to_owned(),
        });
        parts.push(match (self.explicit, role) {
            (true, Role::Adaptive) => format!("explicit, {} operations a step", self.operations),
            (true, _) if facts.separable => {
                format!("explicit here (separable), {} operations a step", self.operations)
            }
            (true, _) => format!("explicit, {} operations a step", self.operations),
            (false, _) => format!("implicit, {} operations a round", self.operations),
        });
        if self.stiffly_accurate {
            parts.push("damps what is too fast for the step".to_owned());
        }
        parts.join("; ")
    }
}

/// What a method is in the list for. Of those that fit, the one with the least work is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Keeps the structure, is its own adjoint, and has this order.
    Structure(usize),
    /// Made for damping.
    Damping,
    /// One implicit table that keeps the 2-form of every Hamiltonian, order 4: Gauss collocation.
    Collocation,
    /// Balances the energy, with this order.
    Energy(usize),
    /// For stiff equations.
    Stiff,
    /// Explicit, order 4.
    Explicit,
    /// Chooses its steps.
    Adaptive,
    /// Made for Lagrangians that are linear in the velocities.
    FirstOrder,
}

impl Role {
    /// The most wanted first, so that the list can end anywhere.
    pub const ALL: [Self; 11] = [
        Self::Structure(2),
        Self::Structure(4),
        Self::Collocation,
        Self::Explicit,
        Self::Adaptive,
        Self::Energy(2),
        Self::FirstOrder,
        Self::Damping,
        Self::Stiff,
        Self::Structure(6),
        Self::Energy(4),
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Structure(_) => "structure",
            Self::Damping => "damping",
            Self::Collocation => "collocation",
            Self::Energy(_) => "energy",
            Self::Stiff => "stiff",
            Self::Explicit => "explicit",
            Self::Adaptive => "adaptive",
            Self::FirstOrder => "first-order",
        }
    }

    pub fn fits(self, method: &Judged, facts: &Facts) -> bool {
        let order = |wanted: usize| method.order == Some(wanted);
        let one_table = method.method.table().is_some_and(Table::is_one_table);
        let canonical = || keeps_canonical_form(&method.method) == Some(true);
        match self {
            Self::Structure(wanted) => {
                let symmetric = method.symmetric == Some(true);
                order(wanted) && symmetric && !method.special && method.keeps_structure(facts)
            }
            Self::Damping => facts.power && method.special,
            Self::Collocation => order(4) && one_table && !method.explicit && canonical(),
            Self::Energy(wanted) => order(wanted) && method.keeps(Keeps::Energy),
            Self::Stiff => {
                facts.power
                    && method.stiffly_accurate
                    && method.order.is_some_and(|order| order >= 3)
            }
            Self::Explicit => {
                let plain = method.method.table().is_some() || facts.kind == Form::LieGroup;
                order(4) && method.explicit && plain
            }
            Self::Adaptive => matches!(method.method.steps(), Steps::Adaptive),
            Self::FirstOrder => method.method.capabilities().first_order,
        }
    }
}
