//! Models in any units.

use isotrope::{Host, Model, Overrides, System};

/// A mechanical model in its own units. In its texts `@x` is the coordinate x, `@x'` its velocity and `@P` the
/// parameter P.
#[derive(Debug, Clone, Copy)]
pub struct Mechanics {
    pub coordinates: &'static [&'static str],
    pub lagrangian: &'static str,
    /// φ = 0.
    pub constraints: &'static [&'static str],
    /// Coordinate and force.
    pub forces: &'static [(&'static str, &'static str)],
    /// Positions and velocities.
    pub initial: &'static [(f64, f64)],
    /// A parameter with a unit of its own, the name P.
    pub parameter: Option<f64>,
    pub step: f64,
    pub time: f64,
}

/// How large the units of a model are in those of the rescaled one.
#[derive(Debug, Clone)]
pub struct Units {
    /// Of each coordinate.
    pub coordinates: Vec<f64>,
    pub energy: f64,
    pub time: f64,
    pub parameter: f64,
    /// Of the constraints as they are written.
    pub constraint: f64,
}

impl Units {
    /// The model as it is.
    pub fn own(count: usize) -> Self {
        let coordinates = vec![1.0; count];
        Self { coordinates, energy: 1.0, time: 1.0, parameter: 1.0, constraint: 1.0 }
    }

    /// Powers of ten between −12 and 12 and of others between, the same for the same seed.
    pub fn random(count: usize, seed: u64) -> Self {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
        let mut unit = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let power = i32::try_from((state >> 33) % 25).unwrap() - 12;
            let leading = [1.0, 2.5, 0.3048][usize::try_from((state >> 50) % 3).unwrap()];
            format!("{leading}e{power}").parse::<f64>().unwrap()
        };
        Self {
            coordinates: (0..count).map(|_| unit()).collect(),
            energy: unit(),
            time: unit(),
            parameter: unit(),
            constraint: unit(),
        }
    }

    /// Of the momentum of a coordinate.
    pub fn momentum(&self, i: usize) -> f64 {
        self.energy * self.time / self.coordinates[i]
    }
}

impl Mechanics {
    /// The text of the model in other units.
    pub fn text(&self, units: &Units) -> String {
        let names = self.coordinates;
        let write = |text: &str| {
            let mut text = text.to_owned();
            for name in names {
                text = text.replace(&format!("@{name}'"), &format!("({name}'*u_t/u_{name})"));
            }
            for name in names {
                text = text.replace(&format!("@{name}"), &format!("({name}/u_{name})"));
            }
            text.replace("@P", "(P/u_P)")
        };
        let mut out = format!("name = \"rescaled\"\ncoordinates = {names:?}\n\n[parameters]\n");
        for (name, unit) in names.iter().zip(&units.coordinates) {
            out += &format!("u_{name} = {unit:e}\n");
        }
        out += &format!(
            "u_t = {:e}\nu_E = {:e}\nu_c = {:e}\n",
            units.time, units.energy, units.constraint
        );
        if let Some(value) = self.parameter {
            out += &format!("u_P = {:e}\nP = {:e}\n", units.parameter, value * units.parameter);
        }
        out += &format!("\n[lagrangian]\nL = \"u_E*({})\"\n", write(self.lagrangian));
        if !self.constraints.is_empty() {
            out += "\n[constraints]\n";
            for (k, phi) in self.constraints.iter().enumerate() {
                out += &format!("c{k} = \"u_c*({}) = 0\"\n", write(phi));
            }
        }
        if !self.forces.is_empty() {
            out += "\n[forces]\n";
            for (name, force) in self.forces {
                out += &format!("{name} = \"u_E/u_{name}*({})\"\n", write(force));
            }
        }
        let list = |value: &dyn Fn(usize) -> f64| -> String {
            let parts =
                names.iter().enumerate().map(|(i, name)| format!("{name} = {:e}", value(i)));
            parts.collect::<Vec<_>>().join(", ")
        };
        let position = list(&|i| self.initial[i].0 * units.coordinates[i]);
        let velocity = list(&|i| self.initial[i].1 * units.coordinates[i] / units.time);
        out += &format!("\n[initial]\nposition = {{ {position} }}\nvelocity = {{ {velocity} }}\n");
        out += &format!(
            "\n[run]\nstep = {:e}\ntime = {:e}\n",
            self.step * units.time,
            self.time * units.time
        );
        out
    }

    /// The model in other units.
    pub fn model(&self, units: &Units) -> Model {
        Model::parse("rescaled.toml", self.text(units).as_bytes(), &Overrides::default()).unwrap()
    }

    /// Its equations.
    pub fn system(&self, units: &Units) -> System {
        self.model(units).derive(&Host::new()).unwrap()
    }
}

/// Two numbers that differ by rounding, relative to a size.
pub fn close(a: f64, b: f64, size: f64) -> bool {
    (a - b).abs() <= size || (a.is_nan() && b.is_nan())
}

/// Hénon and Heiles' potential.
pub const HENON_HEILES: Mechanics = Mechanics {
    coordinates: &["x", "y"],
    lagrangian: "@x'^2/2 + @y'^2/2 - @x^2/2 - @y^2/2 - @x^2*@y + @y^3/3",
    constraints: &[],
    forces: &[],
    initial: &[(0.0, 0.4), (0.1, 0.3)],
    parameter: None,
    step: 0.03125,
    time: 4.0,
};

/// A pendulum in space, with a constraint.
pub const PENDULUM: Mechanics = Mechanics {
    coordinates: &["x", "y", "z"],
    lagrangian: "@x'^2/2 + @y'^2/2 + @z'^2/2 - @z",
    constraints: &["@x^2 + @y^2 + @z^2 - 1"],
    forces: &[],
    initial: &[(0.6, 0.0), (0.0, 0.5), (-0.8, 0.0)],
    parameter: None,
    step: 0.03125,
    time: 2.0,
};

/// Ziegler's column, in angles.
pub const COLUMN: Mechanics = Mechanics {
    coordinates: &["a", "b"],
    lagrangian: "@a'^2 + (@a'^2 + @b'^2 + 2*@a'*@b'*cos(@a - @b))/2 - @a^2/2 - (@b - @a)^2/2",
    constraints: &[],
    forces: &[("a", "@P*sin(@a - @b)")],
    initial: &[(0.1, 0.0), (0.05, 0.0)],
    parameter: Some(1.5),
    step: 0.0078125,
    time: 1.0,
};

/// The same with the Cartesian coordinates of its joints.
pub const CARTESIAN: Mechanics = Mechanics {
    coordinates: &["xa", "ya", "xb", "yb"],
    lagrangian: "@xa'^2 + @ya'^2 + (@xb'^2 + @yb'^2)/2 - atan2(@xa, @ya)^2/2 \
                 - (atan2(@xb - @xa, @yb - @ya) - atan2(@xa, @ya))^2/2",
    constraints: &["@xa^2 + @ya^2 - 1", "(@xb - @xa)^2 + (@yb - @ya)^2 - 1"],
    forces: &[("xb", "-@P*(@xb - @xa)"), ("yb", "-@P*(@yb - @ya)")],
    initial: &[(0.1, 0.0), (0.99, 0.0), (0.15, 0.0), (1.98, 0.0)],
    parameter: Some(1.5),
    step: 0.0078125,
    time: 1.0,
};
