//! Problems in state space as models, with irregular small numbers.

use std::fmt::Write as _;
use std::sync::OnceLock;

use isotrope_algebra::modular::Random;

use super::SmallStepError;
use super::local::{disturbed, initial_place};
use super::problems::{Problem, Sampler};
use crate::StateClass;

/// How many problems there are: one of each class.
pub(super) const STATE_PROBLEMS: usize = StateClass::ALL.len();

/// The problem of that number; each is made once.
pub(super) fn state_problem(number: usize) -> Result<&'static Problem<StateClass>, SmallStepError> {
    static MADE: [OnceLock<Result<Problem<StateClass>, SmallStepError>>; STATE_PROBLEMS] =
        [const { OnceLock::new() }; STATE_PROBLEMS];
    let (Some(made), Some(&class)) = (MADE.get(number), StateClass::ALL.get(number)) else {
        return Err(SmallStepError::Start);
    };
    made.get_or_init(|| make(class, number)).as_ref().map_err(Clone::clone)
}

fn make(class: StateClass, number: usize) -> Result<Problem<StateClass>, SmallStepError> {
    let seed = u64::try_from(number).unwrap_or(0) + 71;
    let text = Sampler { random: Random::new(seed) }.state_model(class);
    Problem::new(class, class == StateClass::Port, &text, |system, mechanics| {
        mechanics.projected(&disturbed(&initial_place(system, mechanics)?)?)
    })
}

const PAIRS: [&str; 4] = ["q1", "q2", "p1", "p2"];
const THREE: [&str; 3] = ["x", "y", "z"];

impl Sampler {
    fn state_model(&mut self, class: StateClass) -> String {
        let names: &[&str] = match class {
            StateClass::Separable | StateClass::Canonical => &PAIRS,
            _ => &THREE,
        };
        let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        let mut text = format!("coordinates = [{}]\n", quoted.join(", "));
        let start: Vec<String> = names
            .iter()
            .map(|name| format!("{name} = \"{}/{}\"", self.number(), self.number().abs() + 2))
            .collect();
        let _ = writeln!(text, "initial.position = {{ {} }}", start.join(", "));
        let energy = match class {
            StateClass::Separable => {
                format!("{} + {}", self.function(&PAIRS[..2]), self.function(&PAIRS[2..]))
            }
            StateClass::Rotations => {
                let parts: Vec<String> = names.iter().map(|x| self.function(&[x])).collect();
                parts.join(" + ")
            }
            _ => self.function(names),
        };
        if class == StateClass::Port {
            let (twist, loss) = (self.linear(names, ""), self.linear(names, ""));
            let _ = writeln!(
                text,
                "inputs.u = \"cos(3*t) + t/2\"\n[port]\nhamiltonian = \"{energy}\"\n\
                 J = {{ \"x,y\" = \"1 + {twist}^2/4\", \"y,z\" = \"({})*x\", \"x,z\" = \"({})/2\" }}\n\
                 R = {{ \"x,x\" = \"1/2 + {loss}^2/8\", \"x,z\" = \"1/5\", \"z,z\" = \"1/3\" }}\n\
                 g = {{ u = {{ y = \"1\", z = \"x/2\" }} }}",
                self.number(),
                self.number()
            );
            return text;
        }
        let _ = writeln!(text, "[poisson]\nhamiltonian = \"{energy}\"");
        match class {
            StateClass::Separable | StateClass::Canonical => {
                text.push_str("\"q1,p1\" = 1\n\"q2,p2\" = 1\n");
            }
            StateClass::Quadratic => {
                for pair in [["x", "y"], ["x", "z"], ["y", "z"]] {
                    let [a, b] = pair;
                    // Slow enough that h is small for many flows one after the other, too.
                    let _ = writeln!(text, "\"{a},{b}\" = \"({})*{a}*{b}/64\"", self.number());
                }
            }
            // The same: where a leading coefficient is small by accident, the next one has to be smaller.
            _ => text.push_str("\"x,y\" = \"-z/8\"\n\"x,z\" = \"y/8\"\n\"y,z\" = \"-x/8\"\n"),
        }
        text
    }

    /// A polynomial of degree four.
    fn function(&mut self, names: &[&str]) -> String {
        let squares: Vec<String> =
            names.iter().map(|name| format!("{}*{name}^2/2", self.number().abs() + 1)).collect();
        let mut text = squares.join(" + ");
        for (degree, scale) in [(2, 4), (3, 12), (4, 24)] {
            let (sign, ridge) = (self.number(), self.linear(names, ""));
            let _ = write!(text, " + ({sign})*{ridge}^{degree}/{scale}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_has_the_structure_of_its_class() {
        for number in 0..STATE_PROBLEMS {
            let problem = state_problem(number).unwrap();
            let class = problem.class;
            let state = problem.mechanics.state.as_ref().unwrap();
            assert_eq!(state.bracket.is_some(), class != StateClass::Port, "{class}");
            let wanted =
                usize::from(matches!(class, StateClass::Rotations | StateClass::LiePoisson));
            assert!(state.count >= wanted, "{class}");
            assert!(problem.scene().is_ok(), "{class}");
        }
    }
}
