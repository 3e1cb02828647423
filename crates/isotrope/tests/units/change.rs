//! Problems in units that can be changed.

use isotrope::{Host, Model, Overrides, System};

/// Units: numbers of a problem are divided by these factors' inverses, that is, a length of 1 becomes `size`.
#[derive(Debug, Clone)]
pub struct Units {
    /// Of energies.
    pub energy: f64,
    /// Of times.
    pub time: f64,
    /// Of each coordinate.
    pub sizes: [f64; 2],
}

impl Units {
    pub const NATURAL: Self = Self { energy: 1.0, time: 1.0, sizes: [1.0; 2] };

    /// Factors from 1e-12 to 1e12 that look random and are the same on every machine; `apart` gives each
    /// coordinate a unit of its own.
    pub fn random(seed: u64, apart: bool) -> Self {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut factor = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let exponent = (state % 25) as i32 - 12;
            (1.0 + (state >> 40) as f64 / 16_777_216.0) * 10f64.powi(exponent)
        };
        let (energy, time, first, second) = (factor(), factor(), factor(), factor());
        Self { energy, time, sizes: [first, if apart { second } else { first }] }
    }

    /// A number of the problem with the unit energyᵃ timeᵇ x₁ᶜ x₂ᵈ.
    fn number(&self, value: f64, [energy, time, x, y]: [i32; 4]) -> String {
        let unit = self.energy.powi(energy) * self.time.powi(time);
        let unit = unit * self.sizes[0].powi(x) * self.sizes[1].powi(y);
        format!("{:e}", value * unit)
    }
}

/// A problem: its text in given units, methods that suit it, step and time in natural units.
pub struct Problem {
    pub name: &'static str,
    pub text: fn(&Units) -> String,
    pub methods: &'static str,
    pub step: f64,
    pub steps: u32,
    /// Which of the sizes each coordinate has.
    pub coordinates: &'static [(&'static str, Size)],
    /// May coordinates have units of their own?
    pub apart: bool,
}

/// The unit of a coordinate.
#[derive(Debug, Clone, Copy)]
pub enum Size {
    First,
    Second,
    /// Without a unit: an angle, or a number of a rotation.
    Number,
    /// Of a momentum: energy times time.
    Action,
}

impl Problem {
    /// The problem in units, derived.
    pub fn system(&self, units: &Units) -> System {
        let text = (self.text)(units);
        let model = Model::parse(self.name, text.as_bytes(), &Overrides::default());
        let model = model.unwrap_or_else(|failure| unreachable!("{failure:?}\n{text}"));
        model.derive(&Host::new()).unwrap_or_else(|failure| unreachable!("{failure:?}"))
    }

    pub fn step(&self, units: &Units) -> String {
        format!("{:e}", self.step * units.time)
    }

    /// A whole number of steps, exactly.
    pub fn time(&self, units: &Units, steps: u32) -> String {
        format!("{steps}*({})", self.step(units))
    }

    /// What a coordinate of 1 is in these units.
    pub fn size(&self, units: &Units, name: &str) -> f64 {
        let size = self.coordinates.iter().find(|(own, _)| *own == name).map(|it| it.1);
        match size.unwrap_or(Size::Number) {
            Size::First => units.sizes[0],
            Size::Second => units.sizes[1],
            Size::Number => 1.0,
            Size::Action => units.energy * units.time,
        }
    }
}

/// Two coupled oscillators, one of them hard; the second starts at rest at zero.
fn oscillators(u: &Units) -> String {
    let n = |value: f64, unit: [i32; 4]| u.number(value, unit);
    format!(
        "name = \"oscillators\"\ncoordinates = [\"x\", \"y\"]\n[parameters]\nm = {}\nM = {}\nk = {}\n\
         K = {}\nc = {}\n[lagrangian]\n\
         L = \"m/2*x'^2 + M/2*y'^2 - k/2*x^2 - K/4*y^4 - c*k/9*x*y\"\n[initial]\n\
         position = {{ x = {}, y = 0 }}\nvelocity = {{ x = 0, y = 0 }}\n",
        n(1.3, [1, 2, -2, 0]),
        n(0.7, [1, 2, 0, -2]),
        n(2.1, [1, 0, -2, 0]),
        n(1.7, [1, 0, 0, -4]),
        n(0.9, [0, 0, 1, -1]),
        n(0.8, [0, 0, 1, 0]),
    )
}

/// A point on an ellipse in a uniform field.
fn ellipse(u: &Units) -> String {
    let n = |value: f64, unit: [i32; 4]| u.number(value, unit);
    format!(
        "name = \"ellipse\"\ncoordinates = [\"x\", \"y\"]\n[parameters]\nm = {}\nM = {}\na = {}\nb = {}\nw = {}\n\
         [lagrangian]\nL = \"m/2*x'^2 + M/2*y'^2 - w*y\"\n[constraints]\n\
         ellipse = \"(x/a)^2 + (y/b)^2 = 1\"\n[initial]\nposition = {{ x = {}, y = 0 }}\n\
         velocity = {{ x = 0, y = {} }}\n",
        n(1.0, [1, 2, -2, 0]),
        n(1.5, [1, 2, 0, -2]),
        n(1.25, [0, 0, 1, 0]),
        n(0.75, [0, 0, 0, 1]),
        n(2.0, [1, 0, 0, -1]),
        n(1.25, [0, 0, 1, 0]),
        n(-0.5, [0, -1, 0, 1]),
    )
}

/// A sleigh on an incline; both lengths have one unit.
fn sleigh(u: &Units) -> String {
    let n = |value: f64, unit: [i32; 4]| u.number(value, unit);
    format!(
        "name = \"sleigh\"\ncoordinates = [\"x\", \"y\", \"theta\"]\n[parameters]\nm = {}\nJ = {}\na = {}\ng = {}\n\
         [lagrangian]\n\
         L = \"m/2*(x'^2 + y'^2) + (J + m*a^2)/2*theta'^2 + m*a*theta'*(y'*cos(theta) - x'*sin(theta)) - m*g*y\"\n\
         [constraints]\nblade = \"sin(theta)*x' - cos(theta)*y' = 0\"\n[initial]\n\
         position = {{ x = {}, y = 0, theta = 0.4 }}\nvelocity = {{ x = 0, y = 0, theta = {} }}\n",
        n(1.2, [1, 2, -2, 0]),
        n(0.5, [1, 2, 0, 0]),
        n(0.3, [0, 0, 1, 0]),
        n(1.1, [0, -2, 1, 0]),
        n(0.6, [0, 0, 1, 0]),
        n(0.9, [0, -1, 0, 0]),
    )
}

/// Predators and prey.
fn predators(u: &Units) -> String {
    let n = |value: f64, unit: [i32; 4]| u.number(value, unit);
    format!(
        "name = \"predators\"\ncoordinates = [\"x\", \"y\"]\n[parameters]\na = {}\nb = {}\nc = {}\nd = {}\n\
         [equations]\n\"x'\" = \"a*x - b*x*y\"\n\"y'\" = \"d*x*y - c*y\"\n[initial]\n\
         position = {{ x = {}, y = {} }}\n",
        n(1.1, [0, -1, 0, 0]),
        n(0.7, [0, -1, 0, -1]),
        n(1.3, [0, -1, 0, 0]),
        n(0.9, [0, -1, -1, 0]),
        n(1.2, [0, 0, 1, 0]),
        n(0.6, [0, 0, 0, 1]),
    )
}

/// A rigid body in its angular momenta.
fn momenta(u: &Units) -> String {
    let n = |value: f64, unit: [i32; 4]| u.number(value, unit);
    let momentum = |value: f64| u.number(value, [1, 1, 0, 0]);
    format!(
        "name = \"momenta\"\ncoordinates = [\"m1\", \"m2\", \"m3\"]\n[parameters]\nI1 = {}\nI2 = {}\nI3 = {}\n\
         [poisson]\nhamiltonian = \"m1^2/(2*I1) + m2^2/(2*I2) + m3^2/(2*I3)\"\n\"m1,m2\" = \"-m3\"\n\
         \"m1,m3\" = \"m2\"\n\"m2,m3\" = \"-m1\"\n[initial]\nposition = {{ m1 = {}, m2 = {}, m3 = 0 }}\n",
        n(1.0, [1, 2, 0, 0]),
        n(2.0, [1, 2, 0, 0]),
        n(3.0, [1, 2, 0, 0]),
        momentum(0.3),
        momentum(1.1),
    )
}

/// A heavy top on rotations.
fn top(u: &Units) -> String {
    let n = |value: f64, unit: [i32; 4]| u.number(value, unit);
    format!(
        "name = \"top\"\n[parameters]\nA = {}\nC = {}\nmgl = {}\n[lie_group]\ngroup = \"SO(3)\"\n\
         inertia = [\"A\", \"A\", \"C\"]\npotential = \"mgl*R[3,3]\"\n[initial]\n\
         rotation = {{ axis = [0, 1, 0], angle = \"-3/10\" }}\n\
         velocity = {{ \"omega[1]\" = {}, \"omega[2]\" = 0, \"omega[3]\" = {} }}\n",
        n(1.0, [1, 2, 0, 0]),
        n(0.5, [1, 2, 0, 0]),
        n(1.0, [1, 0, 0, 0]),
        n(0.1, [0, -1, 0, 0]),
        n(4.0, [0, -1, 0, 0]),
    )
}

/// Problems of every kind.
pub const PROBLEMS: [Problem; 6] = [
    Problem {
        name: "oscillators",
        text: oscillators,
        methods: "gauss-2,gauss-4,midpoint,verlet,rk4,implicit-euler,dop853,rattle,dla-midpoint,\
                  variational-midpoint,galerkin-2-gauss2,discrete-gradient,lobatto-iiic-3,dirac-1",
        step: 0.05,
        steps: 60,
        coordinates: &[("x", Size::First), ("y", Size::Second)],
        apart: true,
    },
    Problem {
        name: "ellipse",
        text: ellipse,
        methods: "rattle,dirac-1,dirac-2,rkd-midpoint,gauss-2,dop853,spark-lobatto-3,shake,rk4",
        step: 0.02,
        steps: 60,
        coordinates: &[("x", Size::First), ("y", Size::Second)],
        apart: true,
    },
    Problem {
        name: "sleigh",
        text: sleigh,
        methods: "dla-midpoint,dirac-1,rkd-midpoint,gauss-2,dop853,rk4,rkd-trapezoid",
        step: 0.05,
        steps: 40,
        coordinates: &[("x", Size::First), ("y", Size::First), ("theta", Size::Number)],
        apart: false,
    },
    Problem {
        name: "predators",
        text: predators,
        methods: "gauss-2,midpoint,rk4,radau-iia-2,dop853",
        step: 0.05,
        steps: 60,
        coordinates: &[("x", Size::First), ("y", Size::Second)],
        apart: true,
    },
    Problem {
        name: "momenta",
        text: momenta,
        methods: "midpoint,gauss-2,discrete-gradient,avf-4,lie-poisson-2,splitting-2,rk4,dop853",
        step: 0.1,
        steps: 60,
        coordinates: &[("m1", Size::Action), ("m2", Size::Action), ("m3", Size::Action)],
        apart: false,
    },
    Problem {
        name: "top",
        text: top,
        methods: "lie-cayley,lie-exp,lie-midpoint,rkmk-gauss-2,lie-cayley-4",
        step: 0.02,
        steps: 40,
        coordinates: &[],
        apart: false,
    },
];

/// Changes of units that a problem is tried with; more with `ISOTROPE_LONG`.
pub fn changes(problem: &Problem) -> Vec<Units> {
    let count = if std::env::var_os("ISOTROPE_LONG").is_some() { 40 } else { 3 };
    (1..=count).map(|seed| Units::random(seed, problem.apart)).collect()
}
