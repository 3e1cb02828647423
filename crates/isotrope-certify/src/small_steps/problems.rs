//! A problem of each class as a model, with irregular small numbers and a start that satisfies
//! the constraints.

use std::fmt::Write as _;
use std::sync::OnceLock;

use isotrope_algebra::modular::Random;
use isotrope_algebra::{Ball, Budget};
use isotrope_model::{ModelText, parse_model};

use super::flow::Flow;
use super::local::Scene;
use super::mechanics::{Mechanics, Place};
use super::{FINE, SmallStepError, precision};
use isotrope_derive::{System, derive_unsolved};
use isotrope_methods::classes::Class;

/// What is sampled: the class, and whether forces without potential, time and moving constraints
/// are added.
const KINDS: [(Class, bool); 10] = [
    (Class::Generic, false),
    (Class::Natural, false),
    (Class::Natural, true),
    (Class::ConstantMass, false),
    (Class::Bilinear, false),
    (Class::Sphere, false),
    (Class::Quadrics, false),
    (Class::Holonomic, false),
    (Class::Holonomic, true),
    (Class::Symplectic, false),
];

/// A problem of a class.
pub(super) struct Problem<C> {
    pub class: C,
    /// With forces without potential, time and moving constraints?
    pub driven: bool,
    pub system: System,
    pub mechanics: Mechanics,
    start: Place,
    flow: OnceLock<Result<Flow, SmallStepError>>,
}

impl<C> Problem<C> {
    /// A model with the place where it starts, which is given by the equations.
    pub(super) fn new(
        class: C,
        driven: bool,
        text: &str,
        start: impl FnOnce(&System, &Mechanics) -> Result<Place, SmallStepError>,
    ) -> Result<Self, SmallStepError> {
        let model = parse_model(&ModelText::new("problem.toml", text.as_bytes()))
            .map_err(|_| SmallStepError::Start)?;
        let system =
            derive_unsolved(model, &mut Budget::new(BUDGET))?.ok_or(SmallStepError::Start)?;
        let mechanics = Mechanics::new(&system)?;
        let start = start(&system, &mechanics)?;
        Ok(Self { class, driven, system, mechanics, start, flow: OnceLock::new() })
    }

    /// With its exact solution, which is computed once.
    pub(super) fn scene(&self) -> Result<Scene<'_>, SmallStepError> {
        let flow = self.flow.get_or_init(|| Flow::new(&self.mechanics, &self.start, FINE));
        Ok(Scene {
            mechanics: &self.mechanics,
            start: &self.start,
            flow: flow.as_ref().map_err(Clone::clone)?,
            resolution: FINE,
        })
    }
}

/// How many problems there are.
pub(super) const PROBLEMS: usize = KINDS.len();

/// The problem of that number; each is made once.
pub(super) fn problem(number: usize) -> Result<&'static Problem<Class>, SmallStepError> {
    static MADE: [OnceLock<Result<Problem<Class>, SmallStepError>>; PROBLEMS] =
        [const { OnceLock::new() }; PROBLEMS];
    let (Some(made), Some(&(class, driven))) = (MADE.get(number), KINDS.get(number)) else {
        return Err(SmallStepError::Start);
    };
    made.get_or_init(|| make(class, driven, number)).as_ref().map_err(Clone::clone)
}

/// Operations for deriving the equations of a problem.
const BUDGET: u64 = 1_000_000_000;

fn make(class: Class, driven: bool, number: usize) -> Result<Problem<Class>, SmallStepError> {
    let seed = u64::try_from(number).unwrap_or(0) + 11;
    let (text, velocity) = Sampler { random: Random::new(seed) }.model(class, driven);
    let zero = Ball::zero(precision());
    Problem::new(class, driven, &text, |_, _| {
        Ok(Place {
            t: zero.clone(),
            q: vec![zero; velocity.len()],
            v: velocity.iter().map(|&v| Ball::integer(v, precision())).collect(),
        })
    })
}

const NAMES: [&str; 4] = ["x", "y", "z", "w"];

/// Irregular small numbers.
pub(super) struct Sampler {
    pub random: Random,
}

impl Sampler {
    /// A model and the velocities it starts with, at q = 0.
    fn model(&mut self, class: Class, driven: bool) -> (String, Vec<i64>) {
        let (n, constraints) = match class {
            Class::Symplectic => (3, 0),
            Class::Quadrics => (4, 2),
            _ => (3, 1),
        };
        let names = &NAMES[..n];
        // The last one is one: constraints are adjusted by its coefficient.
        let mut velocity: Vec<i64> = (0..n).map(|_| self.number()).collect();
        if let Some(last) = velocity.last_mut() {
            *last = 1;
        }
        let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        let mut text = format!("coordinates = [{}]\n", quoted.join(", "));
        let _ = writeln!(text, "lagrangian.L = \"{}\"", self.lagrangian(class, names, driven));
        for k in 0..constraints {
            let written = self.constraint(class, names, &velocity, driven);
            let _ = writeln!(text, "constraints.c{k} = \"{written}\"");
        }
        if driven {
            let (damping, spin) = (self.number().abs(), self.number());
            let _ = writeln!(text, "forces.x = \"-{damping}/5*x' + {spin}*y*y' + sin(t)\"");
            let _ = writeln!(text, "forces.y = \"{spin}/3*x - {damping}/7*y' - t*x\"");
        }
        let list = |values: &[i64]| -> String {
            let entries = names.iter().zip(values).map(|(name, v)| format!("{name} = {v}"));
            entries.collect::<Vec<_>>().join(", ")
        };
        let _ = writeln!(text, "initial.position = {{ {} }}", list(&vec![0; n]));
        let _ = writeln!(text, "initial.velocity = {{ {} }}", list(&velocity));
        (text, velocity)
    }

    /// A number from −3 to 3, not zero.
    pub(super) fn number(&mut self) -> i64 {
        let number = i64::try_from(self.random.below(3)).unwrap_or(0) + 1;
        if self.random.below(2) == 0 { number } else { -number }
    }

    fn sign(&mut self) -> i64 {
        self.number().signum()
    }

    /// Σ c x, with a mark behind the names.
    pub(super) fn linear(&mut self, names: &[&str], mark: &str) -> String {
        let terms: Vec<String> =
            names.iter().map(|name| format!("({})*{name}{mark}", self.number())).collect();
        format!("({})", terms.join(" + "))
    }

    fn lagrangian(&mut self, class: Class, names: &[&str], driven: bool) -> String {
        let squares: Vec<String> =
            names.iter().map(|name| format!("{}*{name}'^2", self.number().abs() + 2)).collect();
        // Coordinates coupled by twos, so that formulas stay short.
        let mut text = format!("({})/2 + ({})*x'*y'", squares.join(" + "), self.sign());
        if matches!(class, Class::Natural | Class::Holonomic | Class::Generic) {
            let (slope, bend) = (self.number(), self.number());
            let _ = write!(text, " + ({slope}*z + {bend}^2*x^2)*x'^2/2 + ({})*y*z'^2", self.sign());
        }
        if class == Class::Generic {
            let _ = write!(text, " + {}^4/24", self.linear(names, "'"));
        }
        for (degree, scale) in [(2, 2), (3, 6), (4, 24)] {
            let (sign, ridge) = (self.number(), self.linear(names, ""));
            let _ = write!(text, " - ({sign})*{ridge}^{degree}/{scale}");
        }
        // Where the start is at rest in the potential, or its derivatives have rank one, terms of defects vanish that others
        // have: so there is a force at the start and, where nothing else bends the way, more than one ridge of each degree.
        let _ = write!(text, " - {}", self.linear(names, ""));
        let more = if class == Class::Symplectic { names.len() } else { 0 };
        for (degree, scale) in [(2, 2), (3, 6), (4, 24), (5, 120)] {
            for _ in 0..more {
                let (sign, ridge) = (self.number(), self.linear(names, ""));
                let _ = write!(text, " - ({sign})*{ridge}^{degree}/{scale}");
            }
        }
        if driven {
            let _ = write!(text, " + t^2*{} + sin(t)*x*x'", self.linear(names, ""));
        }
        text
    }

    /// A constraint that holds at q = 0 with the velocity.
    fn constraint(
        &mut self,
        class: Class,
        names: &[&str],
        velocity: &[i64],
        driven: bool,
    ) -> String {
        let mut row: Vec<i64> = names.iter().map(|_| self.number()).collect();
        // The part of a moving constraint that is free of velocities at the start.
        let rest = if driven { self.number() } else { 0 };
        let value: i64 = row.iter().zip(velocity).map(|(a, v)| a * v).sum::<i64>() + rest;
        if let Some(last) = row.last_mut() {
            *last -= value;
        }
        let quadratic = |this: &mut Self| {
            let (one, other) = (this.linear(names, ""), this.linear(names, ""));
            format!("{one}*{other}/2")
        };
        match class {
            Class::Sphere | Class::Quadrics | Class::Holonomic => {
                let terms = row.iter().zip(names).map(|(a, name)| format!("({a})*{name}"));
                let mut text = terms.collect::<Vec<_>>().join(" + ");
                let _ = write!(text, " + {}", quadratic(self));
                if class == Class::Holonomic {
                    let (cubic, quartic) = (self.linear(names, ""), self.linear(names, ""));
                    let _ = write!(text, " + {cubic}^3/6 + {quartic}^4/24");
                }
                if driven {
                    let _ = write!(text, " + ({rest})*t + t^2*x");
                }
                format!("{text} = 0")
            }
            _ => {
                let mut terms = Vec::new();
                for (a, name) in row.iter().zip(names) {
                    let mut entry = format!("{a} + {}", self.linear(names, ""));
                    if class != Class::Bilinear {
                        let _ = write!(entry, " + {}", quadratic(self));
                    }
                    terms.push(format!("({entry})*{name}'"));
                }
                if driven {
                    terms.push(format!("({rest})*(1 + t*y + x^2)"));
                }
                format!("{} = 0", terms.join(" + "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::vectors::is_below;
    use super::*;

    #[test]
    fn every_problem_starts_on_its_constraints() {
        for number in 0..PROBLEMS {
            let problem = problem(number).unwrap();
            let mechanics = &problem.mechanics;
            let mut defects = mechanics.velocity_level(&problem.start).unwrap();
            defects.extend(mechanics.position_level(&problem.start).unwrap());
            assert!(is_below(&defects, -500), "{number}: {}", problem.class);
            assert_eq!(mechanics.has_positions(), problem.class.is_holonomic());
        }
    }
}
