//! The models of the rows that are not in `models/`, and tables of members: all written by formulas.

use std::fmt::Write as _;

/// Bodies in the plane that attract each other, each pair once.
pub fn bodies(count: usize) -> String {
    format!(
        r#"name = "Bodies"
coordinates = ["x[1..N]", "y[1..N]"]
parameters = {{ N = {count}, G = 1, m = 1 }}
[define]
T = "sum(i, 1, N, m/2*(x[i]'^2 + y[i]'^2))"
U = "-sum(i, 1, N-1, sum(j, i+1, N, G*m^2/sqrt((x[i]-x[j])^2 + (y[i]-y[j])^2)))"
[lagrangian]
L = "T - U"
[initial]
position = {{ "x[i]" = "10*i", "y[i]" = "3*i^2" }}
velocity = {{ "x[i]" = 0, "y[i]" = 0 }}
[run]
method = "verlet"
step = "1/1000"
time = "1/10"
"#
    )
}

/// A unicycle that pulls trailers, each hitched to the axle before it.
pub fn trailers(count: usize) -> String {
    let mut names = vec!["x".to_owned(), "y".to_owned(), "theta".to_owned()];
    let mut lagrangian = "m/2*(x'^2 + y'^2) + J/2*theta'^2".to_owned();
    let mut constraints = "drive = \"sin(theta)*x' - cos(theta)*y' = 0\"\n".to_owned();
    let (mut along, mut across) = ("x'".to_owned(), "y'".to_owned());
    for k in 1..=count {
        let _ = write!(along, " + d*sin(psi{k})*psi{k}'");
        let _ = write!(across, " - d*cos(psi{k})*psi{k}'");
        let _ = write!(lagrangian, " + m/2*(({along})^2 + ({across})^2) + J/2*psi{k}'^2");
        let _ = writeln!(
            constraints,
            "trailer{k} = \"sin(psi{k})*({along}) - cos(psi{k})*({across}) = 0\""
        );
        names.push(format!("psi{k}"));
    }
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    let zeros = |from: usize| {
        let list: Vec<String> = names[from..].iter().map(|name| format!("{name} = 0")).collect();
        list.join(", ")
    };
    format!(
        "name = \"Unicycle with trailers\"\ncoordinates = [{}]\n\
         parameters = {{ m = 1, J = 1, d = 1 }}\n[lagrangian]\nL = \"{lagrangian}\"\n\
         [constraints]\n{constraints}[initial]\nposition = {{ {} }}\nvelocity = {{ x = 1, {} }}\n\
         [run]\nstep = \"1/100\"\ntime = 1\n",
        quoted.join(", "),
        zeros(0),
        zeros(1)
    )
}

/// A particle on a line in a potential.
pub fn on_a_line(minus_potential: &str) -> String {
    format!(
        "name = \"On a line\"\ncoordinates = [\"x\"]\n[lagrangian]\n\
         L = \"x'^2/2 + {minus_potential}\"\n[initial]\nposition = {{ x = 1 }}\n\
         velocity = {{ x = 0 }}\n[run]\nstep = \"1/100\"\ntime = 1\n"
    )
}

/// sin(sin(… x …)).
pub fn nested(depth: usize) -> String {
    format!("{}x{}", "sin(".repeat(depth), ")".repeat(depth))
}

/// A distribution with a coefficient of nested sines.
pub fn nested_distribution(depth: usize) -> String {
    format!(
        "name = \"nested\"\ncoordinates = [\"x\", \"y\", \"z\"]\n[distribution]\n\
         alpha = {{ y = \"-x\", z = \"{}\" }}\n",
        nested(depth)
    )
}

/// A four-bar linkage in angles.
pub fn four_bar() -> String {
    r#"name = "Four-bar linkage"
coordinates = ["a", "b", "c"]
parameters = { l1 = 1, l2 = 2, l3 = 2, d = 2, m1 = 1, m2 = 1, m3 = 1, g = 9.81 }
[define]
X2 = "l1*cos(a) + l2/2*cos(b)"
Y2 = "l1*sin(a) + l2/2*sin(b)"
T = "m1*l1^2/6*a'^2 + m2/2*(X2'^2 + Y2'^2) + m2*l2^2/24*b'^2 + m3*l3^2/6*c'^2"
U = "g*(m1*l1/2*sin(a) + m2*Y2 + m3*l3/2*sin(c))"
[lagrangian]
L = "T - U"
[constraints]
horizontal = "l1*cos(a) + l2*cos(b) = d + l3*cos(c)"
vertical = "l1*sin(a) + l2*sin(b) = l3*sin(c)"
[initial]
position = { a = "pi/2", b = 0.42403, c = 1.9 }
velocity = { a = 0, b = 0, c = 0 }
"#
    .to_owned()
}

/// Oscillators side by side.
pub fn oscillators(count: usize) -> String {
    format!(
        "name = \"Oscillators\"\ncoordinates = [\"x[1..N]\"]\nparameters = {{ N = {count}, k = 1 }}\n\
         [lagrangian]\nL = \"sum(i, 1, N, x[i]'^2/2 - k*x[i]^2/2)\"\n[initial]\n\
         position = {{ \"x[i]\" = 1 }}\nvelocity = {{ \"x[i]\" = 0 }}\n\
         [run]\nmethod = \"verlet\"\nstep = \"1/100\"\ntime = 1\n"
    )
}

/// Members for the Kepler problem.
pub fn ellipses(members: usize) -> String {
    let mut text = "x,y,x',y'\n".to_owned();
    for k in 0..members {
        let part = k as f64 / members as f64;
        let _ = writeln!(text, "{:.6},0,0,{:.6}", 1.0 + part, 0.5 + part);
    }
    text
}

/// Members for [`oscillators`], with a column for every position and velocity.
pub fn wide(count: usize, members: usize) -> String {
    let positions = (1..=count).map(|i| format!("x[{i}]"));
    let velocities = (1..=count).map(|i| format!("x[{i}]'"));
    let mut text = positions.chain(velocities).collect::<Vec<_>>().join(",");
    for k in 0..members {
        text.push('\n');
        let values = (0..2 * count).map(|i| format!("0.{:04}", (7919 * k + 104_729 * i) % 10_000));
        text.push_str(&values.collect::<Vec<_>>().join(","));
    }
    text.push('\n');
    text
}
