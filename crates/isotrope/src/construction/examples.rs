//! A small system of each class, on which slopes are measured if no model was given.

use isotrope_methods::classes::Class;

/// A plate on a blade whose kinetic energy is not quadratic.
const GENERIC: &str = r#"
name = "Blade with a quartic kinetic energy"
coordinates = ["x", "y", "theta"]
lagrangian.L = "(x'^2 + y'^2 + theta'^2)/2 + (x'^2 + y'^2 + 2*theta'^2)^2/40 - (x^2 + x*y^2)/4"
constraints.blade = "sin(theta)*x' - cos(theta)*y' = 0"
initial.position = { x = 1, y = "1/2", theta = 0 }
initial.velocity = { x = "1/2", y = 0, theta = 1 }
"#;

/// A particle with the contact constraint, as in the nonholonomic oscillator.
const BILINEAR: &str = r#"
name = "Particle with a contact constraint"
coordinates = ["x", "y", "z"]
lagrangian.L = "(x'^2 + y'^2 + z'^2)/2 - (x^2 + y^2 + z^2)/2 - (x^3/3 + y*z^2)/5"
constraints.slide = "z' = y*x'"
initial.position = { x = 1, y = "1/2", z = "1/4" }
initial.velocity = { x = "1/2", y = 1, z = "1/4" }
"#;

/// Two rods, one after the other.
const QUADRICS: &str = r#"
name = "Two rods"
coordinates = ["x1", "y1", "x2", "y2"]
lagrangian.L = "(x1'^2 + y1'^2)/2 + (x2'^2 + y2'^2)/2 - y1 - y2"
constraints.first = "x1^2 + y1^2 = 1"
constraints.second = "(x2 - x1)^2 + (y2 - y1)^2 = 1"
initial.position = { x1 = 1, y1 = 0, x2 = 1, y2 = -1 }
initial.velocity = { x1 = 0, y1 = 1, x2 = "1/2", y2 = 1 }
"#;

/// A mass that grows with the position, on a curve of degree four.
const HOLONOMIC: &str = r#"
name = "Bead on a curve of degree four"
coordinates = ["x", "y"]
lagrangian.L = "(1 + x^2)/2*(x'^2 + y'^2) - y"
constraints.curve = "x^4 + y^4 + x*y = 1"
initial.position = { x = 1, y = 0 }
initial.velocity = { x = "-1/4", y = 1 }
"#;

/// The system of Henon and Heiles.
const SYMPLECTIC: &str = r#"
name = "Henon-Heiles"
coordinates = ["x", "y"]
lagrangian.L = "(x'^2 + y'^2)/2 - (x^2 + y^2)/2 - x^2*y + y^3/3"
initial.position = { x = 0, y = "1/10" }
initial.velocity = { x = "2/5", y = "1/10" }
"#;

/// The model file of an example.
pub(super) fn example(class: Class) -> &'static str {
    match class {
        Class::Generic => GENERIC,
        Class::Natural => include_str!("../../../../models/sleigh.toml"),
        Class::ConstantMass => include_str!("../../../../models/knife_edge.toml"),
        Class::Bilinear => BILINEAR,
        Class::Sphere => include_str!("../../../../models/spherical_pendulum.toml"),
        Class::Quadrics => QUADRICS,
        Class::Holonomic => HOLONOMIC,
        Class::Symplectic => SYMPLECTIC,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotrope_algebra::Budget;
    use isotrope_construct::class_of;
    use isotrope_derive::derive;
    use isotrope_model::{ModelText, parse_model};

    #[test]
    fn every_example_is_of_its_class() {
        for class in Class::ALL {
            let text = ModelText {
                name: class.name(),
                bytes: example(class).as_bytes(),
                set: Vec::new(),
                initial: Vec::new(),
            };
            let budget = &mut Budget::new(2_000_000_000);
            let system = derive(parse_model(&text).unwrap(), budget).unwrap();
            let found = class_of(&system, budget).unwrap().unwrap();
            assert_eq!(found.class, class, "{}", found.reason);
        }
    }
}
