//! Problems on Lie groups as models, with irregular small numbers.

use std::sync::OnceLock;

use isotrope_algebra::modular::Random;

use super::SmallStepError;
use super::local::{disturbed, initial_place};
use super::problems::{Problem, Sampler};
use crate::GroupClass;

/// What is sampled: the class, and whether forces without potential and time are added.
const KINDS: [(GroupClass, bool); 8] = [
    (GroupClass::Rotations, false),
    (GroupClass::Rotations, true),
    (GroupClass::Free, false),
    (GroupClass::Axial, false),
    (GroupClass::PlaneMotions, false),
    (GroupClass::Motions, false),
    (GroupClass::Product, false),
    (GroupClass::Constrained, false),
];

/// How many problems there are.
pub(super) const GROUP_PROBLEMS: usize = KINDS.len();

/// The problem of that number; each is made once.
pub(super) fn group_problem(number: usize) -> Result<&'static Problem<GroupClass>, SmallStepError> {
    static MADE: [OnceLock<Result<Problem<GroupClass>, SmallStepError>>; GROUP_PROBLEMS] =
        [const { OnceLock::new() }; GROUP_PROBLEMS];
    let (Some(made), Some(&(class, driven))) = (MADE.get(number), KINDS.get(number)) else {
        return Err(SmallStepError::Start);
    };
    made.get_or_init(|| make(class, driven, number)).as_ref().map_err(Clone::clone)
}

/// From a place near the given one: at the neutral element terms vanish by accident.
fn make(
    class: GroupClass,
    driven: bool,
    number: usize,
) -> Result<Problem<GroupClass>, SmallStepError> {
    let seed = u64::try_from(number).unwrap_or(0) + 41;
    let text = Sampler { random: Random::new(seed) }.group_model(class, driven);
    Problem::new(class, driven, &text, |system, mechanics| {
        mechanics.projected(&disturbed(&initial_place(system, mechanics)?)?)
    })
}

const SPINS: [&str; 3] = ["omega[1]", "omega[2]", "omega[3]"];
const SHIFTS: [&str; 3] = ["v[1]", "v[2]", "v[3]"];
const PLANE: [&str; 3] = ["omega", "v[1]", "v[2]"];
const PLACES: [&str; 3] = ["x[1]", "x[2]", "x[3]"];

impl Sampler {
    fn group_model(&mut self, class: GroupClass, driven: bool) -> String {
        let entries = |size: usize, rows: std::ops::RangeInclusive<usize>| -> Vec<String> {
            rows.flat_map(|i| (1..=size).map(move |j| format!("R[{i},{j}]"))).collect()
        };
        let (group, velocities, places): (&str, Vec<&str>, Vec<String>) = match class {
            GroupClass::Free => ("SO(3)", SPINS.to_vec(), Vec::new()),
            GroupClass::Axial => ("SO(3)", SPINS.to_vec(), entries(3, 3..=3)),
            GroupClass::Rotations => ("SO(3)", SPINS.to_vec(), entries(3, 1..=3)),
            GroupClass::PlaneMotions => {
                let places = PLACES.iter().take(2).map(ToString::to_string);
                ("SE(2)", PLANE.to_vec(), entries(2, 1..=1).into_iter().chain(places).collect())
            }
            GroupClass::Motions => {
                let places = PLACES.iter().map(ToString::to_string);
                let all = entries(3, 1..=2).into_iter().chain(places).collect();
                ("SE(3)", [SPINS, SHIFTS].concat(), all)
            }
            GroupClass::Product | GroupClass::Constrained => {
                let all = entries(3, 1..=2).into_iter().chain(["y".to_owned(), "z".to_owned()]);
                ("SO(3)", [&SPINS[..], &["y'", "z'"]].concat(), all.collect())
            }
        };
        let places: Vec<&str> = places.iter().map(String::as_str).collect();
        let mut text = String::new();
        let beside = matches!(class, GroupClass::Product | GroupClass::Constrained);
        if beside {
            text.push_str("coordinates = [\"y\", \"z\"]\n");
        }
        let lagrangian = self.group_lagrangian(&velocities, &places, driven);
        text.push_str(&format!("lie_group.group = \"{group}\"\nlie_group.L = \"{lagrangian}\"\n"));
        if class == GroupClass::Constrained {
            let row: Vec<String> = velocities
                .iter()
                .map(|v| format!("({} + {})*{v}", self.number(), self.linear(&places, "")))
                .collect();
            text.push_str(&format!("constraints.c = \"{} = 0\"\n", row.join(" + ")));
        }
        if driven {
            let (damping, spin) = (self.number().abs(), self.number());
            text.push_str(&format!(
                "forces.\"omega[1]\" = \"-{damping}/5*omega[1] + {spin}*R[1,2]*omega[2] + sin(t)\"\n\
                 forces.\"omega[3]\" = \"{spin}/3*R[2,3] - {damping}/7*omega[2] - t*R[1,1]\"\n"
            ));
        }
        if beside {
            text.push_str("initial.position = { y = 0, z = 0 }\n");
        }
        let start: Vec<String> = velocities
            .iter()
            .map(|v| format!("\"{}\" = {}", v.trim_end_matches('\''), self.number()))
            .collect();
        text.push_str(&format!("initial.velocity = {{ {} }}\n", start.join(", ")));
        text
    }

    /// A full mass matrix, which changes with the places, and a potential of degree three.
    fn group_lagrangian(&mut self, velocities: &[&str], places: &[&str], driven: bool) -> String {
        let mut terms: Vec<String> =
            velocities.iter().map(|v| format!("{}/2*{v}^2", self.number().abs() + 6)).collect();
        for pair in velocities.windows(2) {
            terms.push(format!("({})/2*{}*{}", self.number(), pair[0], pair[1]));
        }
        if let (Some(first), Some(last), false) =
            (velocities.first(), velocities.last(), places.is_empty())
        {
            terms.push(format!("{}^2*{first}^2/16", self.linear(places, "")));
            terms.push(format!("{}/8*{first}*{last}", self.linear(places, "")));
            for (degree, scale) in [(1, 2), (2, 4), (3, 12)] {
                terms.push(format!("{}^{degree}/{scale}", self.linear(places, "")));
            }
            if driven {
                terms.push(format!("t^2*{} + sin(t)*R[1,3]*{last}", self.linear(places, "")));
            }
        }
        terms.join(" + ")
    }
}

#[cfg(test)]
mod tests {
    use super::super::vectors::is_below;
    use super::*;

    #[test]
    fn every_problem_has_the_structure_of_its_class() {
        for number in 0..GROUP_PROBLEMS {
            let made = group_problem(number);
            assert!(made.is_ok(), "{number}: {:?}", made.err());
            let problem = made.unwrap();
            let (class, mechanics) = (problem.class, &problem.mechanics);
            let scene = problem.scene().unwrap();
            assert!(is_below(&mechanics.velocity_level(scene.start).unwrap(), -500), "{class}");
            assert_eq!(mechanics.constraints > 0, class == GroupClass::Constrained, "{class}");
            let momenta = mechanics.group.as_ref().unwrap().momenta;
            let wanted = match class {
                GroupClass::Free => 3,
                GroupClass::Axial => 1,
                _ => 0,
            };
            assert_eq!(momenta, wanted, "{class}");
        }
    }
}
