//! Models of every kind, written and random, in units that can be changed.

use isotrope::{Host, Model, Overrides, System};

use super::rescaled::Units;

/// What a model is given by. In its texts `@x` is the coordinate x in its own unit, `@x'` its velocity, `@p_x` its
/// momentum and `@t` the time.
#[derive(Debug, Clone)]
pub enum Body {
    /// L, constraints φ = 0 and forces.
    Lagrangian { l: String, constraints: Vec<String>, forces: Vec<(usize, String)> },
    /// H.
    Hamiltonian(String),
    /// H and the entries of a bracket.
    Poisson { h: String, bracket: Vec<(usize, usize, String)> },
    /// H, entries of J and R, and what an input does to which coordinate.
    Port {
        h: String,
        j: Vec<(usize, usize, String)>,
        r: Vec<(usize, usize, String)>,
        input: Option<(usize, String)>,
    },
    /// Second derivatives.
    SecondOrder(Vec<String>),
}

/// A model in its own units.
#[derive(Debug, Clone)]
pub struct Case {
    pub name: String,
    pub names: Vec<&'static str>,
    pub body: Body,
    /// Positions, and velocities or momenta.
    pub initial: Vec<(f64, f64)>,
    pub methods: &'static str,
}

/// Of all cases.
pub const STEP: f64 = 0.03125;

impl Case {
    /// The text of the model in other units.
    pub fn text(&self, units: &Units) -> String {
        let names = &self.names;
        let write = |text: &str| {
            let mut text = text.to_owned();
            for name in names {
                text =
                    text.replace(&format!("@p_{name}"), &format!("(p_{name}*u_{name}/(u_E*u_t))"));
                text = text.replace(&format!("@{name}'"), &format!("({name}'*u_t/u_{name})"));
            }
            for name in names {
                text = text.replace(&format!("@{name}"), &format!("({name}/u_{name})"));
            }
            text.replace("@t", "(t/u_t)")
        };
        let mut out = format!("name = \"case\"\ncoordinates = {names:?}\n\n[parameters]\n");
        for (name, unit) in names.iter().zip(&units.coordinates) {
            out += &format!("u_{name} = {unit:e}\n");
        }
        out += &format!(
            "u_t = {:e}\nu_E = {:e}\nu_c = {:e}\n",
            units.time, units.energy, units.constraint
        );
        let entries = |list: &[(usize, usize, String)]| -> Vec<String> {
            let entry = |(i, j, value): &(usize, usize, String)| {
                let (x, y) = (names[*i], names[*j]);
                format!("\"{x},{y}\" = \"u_{x}*u_{y}/(u_E*u_t)*({})\"", write(value))
            };
            list.iter().map(entry).collect()
        };
        match &self.body {
            Body::Lagrangian { l, constraints, forces } => {
                out += &format!("\n[lagrangian]\nL = \"u_E*({})\"\n", write(l));
                if !constraints.is_empty() {
                    out += "\n[constraints]\n";
                }
                for (k, phi) in constraints.iter().enumerate() {
                    out += &format!("c{k} = \"u_c*({}) = 0\"\n", write(phi));
                }
                if !forces.is_empty() {
                    out += "\n[forces]\n";
                }
                for (i, force) in forces {
                    let name = names[*i];
                    out += &format!("{name} = \"u_E/u_{name}*({})\"\n", write(force));
                }
            }
            Body::Hamiltonian(h) => {
                out += &format!("\n[hamiltonian]\nH = \"u_E*({})\"\n", write(h))
            }
            Body::Poisson { h, bracket } => {
                out += &format!("\n[poisson]\nhamiltonian = \"u_E*({})\"\n", write(h));
                out += &(entries(bracket).join("\n") + "\n");
            }
            Body::Port { h, j, r, input } => {
                if let Some((_, signal)) = input {
                    out += &format!("\n[inputs]\nu = \"u_c*({})\"\n", write(signal));
                }
                out += &format!("\n[port]\nhamiltonian = \"u_E*({})\"\n", write(h));
                out += &format!("J = {{ {} }}\n", entries(j).join(", "));
                if !r.is_empty() {
                    out += &format!("R = {{ {} }}\n", entries(r).join(", "));
                }
                if let Some((i, _)) = input {
                    let name = names[*i];
                    out += &format!("g = {{ u = {{ {name} = \"u_{name}/(u_t*u_c)\" }} }}\n");
                }
            }
            Body::SecondOrder(rates) => {
                out += "\n[equations]\n";
                for (name, rate) in names.iter().zip(rates) {
                    out += &format!("\"{name}''\" = \"u_{name}/u_t^2*({})\"\n", write(rate));
                }
            }
        }
        let list = |value: &dyn Fn(usize) -> f64| -> String {
            let parts =
                names.iter().enumerate().map(|(i, name)| format!("{name} = {:e}", value(i)));
            parts.collect::<Vec<_>>().join(", ")
        };
        let position = list(&|i| self.initial[i].0 * units.coordinates[i]);
        out += &format!("\n[initial]\nposition = {{ {position} }}\n");
        match &self.body {
            Body::Lagrangian { .. } | Body::SecondOrder(_) if self.moves() => {
                let velocity = list(&|i| self.initial[i].1 * units.coordinates[i] / units.time);
                out += &format!("velocity = {{ {velocity} }}\n");
            }
            Body::Hamiltonian(_) => {
                let momentum = list(&|i| self.initial[i].1 * units.momentum(i));
                out += &format!("momentum = {{ {momentum} }}\n");
            }
            _ => {}
        }
        out
    }

    /// Where L is affine in the velocities, they follow from positions.
    fn moves(&self) -> bool {
        match &self.body {
            Body::Lagrangian { l, .. } => l.contains("'^2"),
            _ => true,
        }
    }

    pub fn system(&self, units: &Units) -> System {
        let text = self.text(units);
        let model = Model::parse("case.toml", text.as_bytes(), &Overrides::default());
        let model = model.unwrap_or_else(|failure| unreachable!("{failure:?}\n{text}"));
        model.derive(&Host::new()).unwrap_or_else(|failure| unreachable!("{failure:?}\n{text}"))
    }

    /// Steps of the case in these units.
    pub fn steps(&self, units: &Units, count: u32) -> String {
        format!("{count}*({:e})", STEP * units.time)
    }
}

/// Models of the kinds that `change` does not have.
pub fn written() -> Vec<Case> {
    let case =
        |name: &str, names: &[&'static str], body: Body, initial: &[(f64, f64)], methods| Case {
            name: name.to_owned(),
            names: names.to_vec(),
            body,
            initial: initial.to_vec(),
            methods,
        };
    let lagrangian = |l: &str, constraints: &[&str], forces: &[(usize, &str)]| Body::Lagrangian {
        l: l.to_owned(),
        constraints: constraints.iter().map(|&c| c.to_owned()).collect(),
        forces: forces.iter().map(|&(i, f)| (i, f.to_owned())).collect(),
    };
    let entry = |i: usize, j: usize, value: &str| (i, j, value.to_owned());
    vec![
        case(
            "separable",
            &["x", "y"],
            Body::Hamiltonian("@p_x^2/2 + @p_y^2/3 + @x^2/2 + @y^4/4 + @x^2*@y/3".to_owned()),
            &[(0.4, 0.0), (0.0, 0.3)],
            "verlet,symplectic-euler,gauss-2,rk4,midpoint,dop853",
        ),
        case(
            "non-separable",
            &["x", "y"],
            Body::Hamiltonian(
                "(1 + @x^2/4)*@p_x^2/2 + @p_y^2/2 + @p_x*@p_y*sin(@y)/5 - cos(@x) + @y^2/2"
                    .to_owned(),
            ),
            &[(0.4, 0.1), (0.2, 0.3)],
            "gauss-2,midpoint,rk4,symplectic-euler,dop853,gauss-4",
        ),
        case(
            "motor",
            &["phi", "theta", "l"],
            Body::Port {
                h: "5*@phi^2/2 + 4*@l^2 + (1 - cos(@theta))/2".to_owned(),
                j: vec![entry(0, 2, "-1/2"), entry(1, 2, "1")],
                r: vec![entry(0, 0, "1"), entry(2, 2, "1/20")],
                input: Some((0, "3/2*sin(@t)".to_owned())),
            },
            &[(0.1, 0.0), (0.5, 0.0), (0.0, 0.0)],
            // Where quadrature is not exact, `avf-4` closes the balance in coordinates as they are.
            "midpoint,gauss-2,avf,rk4,dop853,radau-iia-2",
        ),
        case(
            "oscillating",
            &["x", "y"],
            Body::SecondOrder(vec![
                "-@x + @x^3/6 - @x'/10 + @y/4".to_owned(),
                "-2*@y - @y'*@x^2/5 + cos(@t)/3".to_owned(),
            ]),
            &[(0.4, 0.2), (0.3, 0.1)],
            "gauss-2,rk4,midpoint,dop853,implicit-euler",
        ),
        case(
            "predators by a Lagrangian",
            &["x", "y"],
            lagrangian("-log(@y)/@x*@x' - (@x - 2*log(@x) + @y - log(@y))", &[], &[]),
            &[(1.0, 0.0), (0.5, 0.0)],
            "dvi-1,dvi-2,gauss-2,midpoint,projected:variational-midpoint,rk4",
        ),
        case(
            "turning table",
            &["x", "y"],
            lagrangian(
                "@x'^2/2 + @y'^2 - @x^2/2 - @y^2/3",
                &["@x' - @y'/2 - @y/3 - cos(@t)/5"],
                &[(1, "-@y'/10")],
            ),
            &[(0.4, 0.3), (0.3, 0.0)],
            "dla-midpoint,dirac-1,rkd-midpoint,gauss-2,rk4,dop853,project:rk4",
        ),
        case(
            "rolling",
            &["x", "y", "a", "b"],
            lagrangian(
                "(@x'^2 + @y'^2)/2 + @a'^2/4 + @b'^2/8 - @x/5",
                &["@x' - cos(@b)*@a'", "@y' - sin(@b)*@a'"],
                &[],
            ),
            &[(0.1, 0.5), (0.0, 0.0), (0.2, 0.5), (0.0, 0.7)],
            "dla-midpoint,dirac-2,rkd-midpoint,gauss-2,rk4,project:rk4",
        ),
        case(
            "brackets",
            &["x", "y", "z"],
            Body::Poisson {
                h: "@x^2/2 + @y^2/3 + @z^2/5 + @x*@y/7".to_owned(),
                bracket: vec![entry(0, 1, "@z + 1/2"), entry(0, 2, "-2*@y"), entry(1, 2, "@x")],
            },
            &[(0.3, 0.0), (1.1, 0.0), (0.0, 0.0)],
            "midpoint,gauss-2,avf,avf-4,rk4,dop853",
        ),
    ]
}

/// Numbers that look random and are the same on every machine.
pub struct Random(pub u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.bits() % count as u64).unwrap_or(0)
    }

    /// A coefficient between 1/4 and 5/4.
    fn positive(&mut self) -> String {
        format!("{}/16", 4 + self.below(17))
    }

    fn signed(&mut self) -> String {
        format!("({}/16)", i64::try_from(self.below(17)).unwrap_or(0) - 8)
    }

    fn start(&mut self) -> f64 {
        (self.below(129) as f64 - 64.0) / 128.0
    }

    /// A function of some variables: quadratic and positive, with terms of other kinds.
    fn function(&mut self, variables: &[String]) -> String {
        let mut terms: Vec<String> =
            variables.iter().map(|x| format!("{}*{x}^2/2", self.positive())).collect();
        for _ in 0..2 {
            let x = &variables[self.below(variables.len())];
            let y = &variables[self.below(variables.len())];
            let c = self.signed();
            terms.push(match self.below(4) {
                0 => format!("{c}*{x}^2*{y}/3"),
                1 => format!("{c}*cos({x} + {y}/2)/2"),
                2 => format!("{c}*{x}*{y}/4"),
                _ => format!("{c}*sin({x})*{y}^2/6"),
            });
        }
        terms.join(" + ")
    }

    /// A Lagrangian, a Hamiltonian, a bracket, a port system or equations of second order.
    pub fn case(&mut self) -> Case {
        let count = 1 + self.below(3);
        let names: Vec<&'static str> = ["x", "y", "z"][..count].to_vec();
        let positions: Vec<String> = names.iter().map(|name| format!("@{name}")).collect();
        let initial: Vec<(f64, f64)> = (0..3).map(|_| (self.start(), self.start())).collect();
        let case = |name: &str, names: Vec<&'static str>, body, methods| Case {
            name: name.to_owned(),
            initial: initial[..names.len()].to_vec(),
            names,
            body,
            methods,
        };
        match self.below(5) {
            0 => {
                let mass = |it: &mut Self, name: &str| {
                    let bend = format!("(1 + {}*cos(@{name})/2)", it.signed());
                    format!("{}*{bend}*@{name}'^2/2", it.positive())
                };
                let masses: Vec<String> = names.iter().map(|name| mass(self, name)).collect();
                let potential = self.function(&positions);
                let l = format!("{} - ({potential})", masses.join(" + "));
                let body = Body::Lagrangian { l, constraints: Vec::new(), forces: Vec::new() };
                case(
                    "Lagrangian",
                    names,
                    body,
                    "gauss-2,rk4,variational-midpoint,discrete-gradient,dop853",
                )
            }
            1 => {
                let momenta = names.iter().map(|name| format!("@p_{name}"));
                let all: Vec<String> = positions.iter().cloned().chain(momenta).collect();
                let body = Body::Hamiltonian(self.function(&all));
                case("Hamiltonian", names, body, "gauss-2,rk4,midpoint,symplectic-euler,dop853")
            }
            2 => {
                // {x_i, x_j} = ε_ijk ∂_k C has Jacobi's identity, here with C = a x² + b y² + c z² + d z.
                let names = vec!["x", "y", "z"];
                let all: Vec<String> = names.iter().map(|name| format!("@{name}")).collect();
                let [a, b, c, d] = [self.signed(), self.signed(), self.positive(), self.signed()];
                let bracket = vec![
                    (0, 1, format!("2*{c}*@z + {d}")),
                    (0, 2, format!("-2*{b}*@y")),
                    (1, 2, format!("2*{a}*@x")),
                ];
                let body = Body::Poisson { h: self.function(&all), bracket };
                case("bracket", names, body, "gauss-2,midpoint,rk4,dop853")
            }
            3 => {
                let names = vec!["x", "y", "z"];
                let all: Vec<String> = names.iter().map(|name| format!("@{name}")).collect();
                let j = vec![(0, 1, self.positive()), (1, 2, format!("{}*@x", self.signed()))];
                let r = vec![
                    (2, 2, self.positive()),
                    (1, 1, format!("{}*(1 + @z^2)/8", self.positive())),
                ];
                let input = Some((self.below(3), format!("{}*sin(@t)", self.signed())));
                let body = Body::Port { h: self.function(&all), j, r, input };
                case("ports", names, body, "gauss-2,midpoint,avf,rk4,dop853")
            }
            _ => {
                let rate = |it: &mut Self, name: &str| {
                    let (c, d) = (it.positive(), it.positive());
                    let other = names[it.below(names.len())];
                    format!(
                        "-{c}*@{name} - {d}*@{name}'/8 + {}*sin(@{other})*@{name}^2",
                        it.signed()
                    )
                };
                let rates = names.iter().map(|name| rate(self, name)).collect();
                case(
                    "second order",
                    names.clone(),
                    Body::SecondOrder(rates),
                    "gauss-2,rk4,midpoint,dop853",
                )
            }
        }
    }
}
