//! What docs/derive.md says of its ansatz: everything in it is found. Random models with known integrals, in random linear
//! coordinates, with parameters among the coefficients.

use crate::first_integrals::*;
use isotrope_algebra::modular::Random;

/// Names that are functions of new coordinates u, v, w by a matrix with determinant one: x, its rate.
struct Mixed {
    names: Vec<String>,
    rows: Vec<Vec<i64>>,
}

impl Mixed {
    fn new(random: &mut Random, dimension: usize) -> Self {
        let mut rows: Vec<Vec<i64>> =
            (0..dimension).map(|i| (0..dimension).map(|j| i64::from(i == j)).collect()).collect();
        for _ in 0..4 {
            let (i, j) = (below(random, dimension), below(random, dimension));
            let factor = below(random, 5) as i64 - 2;
            if i != j {
                let row = rows[j].clone();
                rows[i].iter_mut().zip(row).for_each(|(a, b)| *a += factor * b);
            }
        }
        let names = ["u", "v", "w"].map(str::to_owned);
        Self { names: names[..dimension].to_vec(), rows }
    }

    fn sum(&self, i: usize, prime: &str) -> String {
        let terms: Vec<String> = self.rows[i]
            .iter()
            .zip(&self.names)
            .map(|(c, name)| format!("({c})*{name}{prime}"))
            .collect();
        format!("({})", terms.join(" + "))
    }

    fn q(&self, i: usize) -> String {
        self.sum(i, "")
    }

    fn rate(&self, i: usize) -> String {
        self.sum(i, "'")
    }

    fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }
}

fn below(random: &mut Random, bound: usize) -> usize {
    random.below(bound as u64) as usize
}

fn digit(random: &mut Random) -> usize {
    1 + below(random, 7)
}

/// Degrees of freedom that do not act on each other, each with an energy of its own.
fn separable(random: &mut Random) -> (String, usize, Vec<String>) {
    let n = 2 + below(random, 2);
    let mixed = Mixed::new(random, n);
    let (mut lagrangian, mut integrals) = (Vec::new(), Vec::new());
    for i in 0..n {
        let (a, b, c) = (digit(random), digit(random), digit(random));
        let (q, rate) = (mixed.q(i), mixed.rate(i));
        let kinetic = format!("{a}*m*{rate}^2/2");
        // Of different degrees, so that no rotation takes one into another.
        let potential = format!("({b}*k*{q}^{} + {c}*{q}^3)", 4 + 2 * i);
        lagrangian.push(format!("{kinetic} - {potential}"));
        // Those of degree four are found, the energy of the rest is left over.
        if i == 0 {
            integrals.push(format!("{kinetic} + {potential}"));
        }
    }
    (model_text(&mixed.names(), &["m", "k"], &lagrangian.join(" + "), ""), 2, integrals)
}

/// A potential of one coordinate: momentum and boost along the others, and what turns them into each other.
fn ignorable(random: &mut Random) -> (String, usize, Vec<String>) {
    let mixed = Mixed::new(random, 2);
    let (a, b, c) = (digit(random), digit(random), digit(random));
    let (x, y) = (mixed.rate(0), mixed.rate(1));
    let lagrangian = format!("{a}*m*{x}^2/2 + {b}*m*{y}^2/2 - {c}*k*{}^4", mixed.q(0));
    let integrals = vec![
        format!("{a}*m*{x}^2/2 + {c}*k*{}^4", mixed.q(0)),
        y.clone(),
        format!("{} - t*{y}", mixed.q(1)),
    ];
    (model_text(&mixed.names(), &["m", "k"], &lagrangian, ""), 3, integrals)
}

/// x' = (linear function) ∇P × ∇Q keeps P and Q.
fn nambu(random: &mut Random) -> (String, usize, Vec<String>) {
    let mut quadric = || -> Vec<usize> { (0..6).map(|_| digit(random)).collect() };
    let (p, q) = (quadric(), quadric());
    let written = |c: &[usize]| {
        format!(
            "{}*m*x^2 + {}*y^2 + {}*z^2 + {}*k*x*y + {}*y*z + {}*x",
            c[0], c[1], c[2], c[3], c[4], c[5]
        )
    };
    let slopes = |c: &[usize]| {
        [
            format!("({}*m*x + {}*k*y + {})", 2 * c[0], c[3], c[5]),
            format!("({}*y + {}*k*x + {}*z)", 2 * c[1], c[3], c[4]),
            format!("({}*z + {}*y)", 2 * c[2], c[4]),
        ]
    };
    let (a, b) = (slopes(&p), slopes(&q));
    let rates: Vec<String> = (0..3)
        .map(|i| {
            let (j, l) = ((i + 1) % 3, (i + 2) % 3);
            let name = ["x", "y", "z"][i];
            format!("\"{name}'\" = \"(x + 2*y + 5)*({}*{} - {}*{})\"", a[j], b[l], a[l], b[j])
        })
        .collect();
    let text = format!(
        "coordinates = [\"x\", \"y\", \"z\"]\nparameters = {{ m = 2, k = 3 }}\n\
         initial.position = {{ x = 1, y = 1, z = 1 }}\n[equations]\n{}\n",
        rates.join("\n")
    );
    (text, 2, vec![written(&p), written(&q)])
}

/// Friction that is linear in the velocities: as many linear integrals as coordinates.
fn damped(random: &mut Random) -> (String, usize, Vec<String>) {
    let mut entry = || digit(random);
    let (a, b, c, d) = (8 + entry(), entry(), entry(), 8 + entry());
    let forces = format!("[forces]\nx = \"-{a}*c*x' - {b}*c*y'\"\ny = \"-{c}*c*x' - {d}*k*y'\"\n");
    let text = model_text(&["x", "y"], &["m", "k", "c"], "m*(x'^2 + y'^2)/2", &forces);
    let integrals = vec![format!("m*x' + {a}*c*x + {b}*c*y"), format!("m*y' + {c}*c*x + {d}*k*y")];
    (text, 2, integrals)
}

/// A constraint on velocities that integrates to a quadric, and forces without symmetry.
fn leaf(random: &mut Random) -> (String, usize, Vec<String>) {
    let c: Vec<usize> = (0..4).map(|_| digit(random)).collect();
    let quadric = format!("{}*k*x^2/2 + {}*x*y + {}*m*z^2/2 + {}*z", c[0], c[1], c[2], c[3]);
    let constraint = format!(
        "({}*k*x + {}*y)*x' + {}*x*y' + ({}*m*z + {})*z' = 0",
        c[0], c[1], c[1], c[2], c[3]
    );
    let lagrangian = "m*(x'^2 + 2*y'^2 + 3*z'^2)/2 - k*x^4*y - y^4 - y*z^4 - x*z";
    let more = format!("[constraints]\nsheet = \"{constraint}\"\n");
    let text = model_text(&["x", "y", "z"], &["m", "k"], lagrangian, &more);
    (text, 2, vec![quadric])
}

#[test]
fn random_models_lose_no_integral_of_the_ansatz() {
    let families = [separable, ignorable, nambu, damped, leaf];
    let long = std::env::var_os("ISOTROPE_LONG").is_some();
    let cases = if long { 2_000 } else { 200 };
    let random = &mut Random::new(2_025);
    for case in 0..cases {
        let (text, expected, integrals) = families[case % families.len()](random);
        let (mut system, found) = conserved(&text);
        let integrals: Vec<&str> = integrals.iter().map(String::as_str).collect();
        spans(&mut system, &found, expected, &integrals);
    }
}
