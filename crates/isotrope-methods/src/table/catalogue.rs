//! The tables that come with the program, by name: coefficients only, never an order.

use isotrope_algebra::Budget;

use super::{Coefficients, Table, TableProblem};

/// A table as exact text.
#[derive(Debug)]
pub struct ListedTable {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line; empty where the name says it.
    pub about: &'static str,
    /// Where it comes from.
    pub citation: Option<&'static str>,
    a: &'static [&'static [&'static str]],
    /// Where it differs from `a`.
    abar: Option<&'static [&'static [&'static str]]>,
    b: &'static [&'static str],
    /// `bbar` and `btil`, where they differ from `b`.
    bbar: Option<&'static [&'static str]>,
}

/// An ordinary method.
const fn one(
    name: &'static str,
    a: &'static [&'static [&'static str]],
    b: &'static [&'static str],
) -> ListedTable {
    ListedTable { name, about: "", citation: None, a, abar: None, b, bbar: None }
}

/// A method with one table for the positions and another for the velocities.
const fn pair(
    name: &'static str,
    a: &'static [&'static [&'static str]],
    abar: &'static [&'static [&'static str]],
    b: &'static [&'static str],
) -> ListedTable {
    ListedTable { name, about: "", citation: None, a, abar: Some(abar), b, bbar: None }
}

/// `gamma` of Alexander's L-stable method with three stages.
macro_rules! alexander {
    ($before:literal, $after:literal) => {
        concat!($before, "root(6*x^3-18*x^2+9*x-1,2)", $after)
    };
}

/// `gamma` of Crouzeix's method with three stages, `1/2 + cos(pi/18)/sqrt(3)`.
macro_rules! crouzeix {
    ($before:literal, $after:literal) => {
        concat!($before, "root(24*x^3-36*x^2+12*x-1,3)", $after)
    };
}

/// The tables that are written out, in the order of the list.
pub const LISTED: &[ListedTable] = &[
    one("euler", &[&["0"]], &["1"]).cited("L. Euler, Institutiones calculi integralis I (1768)"),
    one("implicit-euler", &[&["1"]], &["1"]).about("backward Euler: y⁺ = y + h f(y⁺)"),
    pair("symplectic-euler", &[&["1"]], &[&["0"]], &["1"]).about("q first: q + h v, then v + h f at the new q"),
    pair("symplectic-euler-adjoint", &[&["0"]], &[&["1"]], &["1"]).about("v first (semi-implicit Euler), then q + h v with the new v"),
    one("midpoint", &[&["1/2"]], &["1"]).about("the implicit midpoint rule: y⁺ = y + h f((y + y⁺)/2)"),
    one("trapezoid", &[&["0", "0"], &["1/2", "1/2"]], &["1/2", "1/2"]).about("the trapezoidal rule: y⁺ = y + h (f(y) + f(y⁺))/2"),
    one("explicit-midpoint", &[&["0", "0"], &["1/2", "0"]], &["0", "1"]).about("Runge's method of 1895").cited("C. Runge, Math. Ann. 46 (1895), 167-178"),
    one("heun", &[&["0", "0"], &["1", "0"]], &["1/2", "1/2"]).cited("K. Heun, Z. Math. Phys. 45 (1900), 23-38"),
    one("ralston", &[&["0", "0"], &["2/3", "0"]], &["1/4", "3/4"]).cited("A. Ralston, Math. Comp. 16 (1962), 431-437"),
    one(
        "kutta3",
        &[&["0", "0", "0"], &["1/2", "0", "0"], &["-1", "2", "0"]],
        &["1/6", "2/3", "1/6"],
    ).cited("W. Kutta, Z. Math. Phys. 46 (1901), 435-453"),
    one("heun3", &[&["0", "0", "0"], &["1/3", "0", "0"], &["0", "2/3", "0"]], &["1/4", "0", "3/4"]).cited("K. Heun, Z. Math. Phys. 45 (1900), 23-38"),
    one(
        "ralston3",
        &[&["0", "0", "0"], &["1/2", "0", "0"], &["0", "3/4", "0"]],
        &["2/9", "1/3", "4/9"],
    ).cited("A. Ralston, Math. Comp. 16 (1962), 431-437"),
    one("ps3", &[&["0", "0", "0"], &["1/2", "0", "0"], &["0", "1", "0"]], &["1/4", "1/2", "1/4"]).about("pseudo-symplectic with three stages, after Aubry and Chartier (1998)").cited("A. Aubry, P. Chartier, BIT 38 (1998), 439-461"),
    one(
        "rk4",
        &[
            &["0", "0", "0", "0"],
            &["1/2", "0", "0", "0"],
            &["0", "1/2", "0", "0"],
            &["0", "0", "1", "0"],
        ],
        &["1/6", "1/3", "1/3", "1/6"],
    ).cited("W. Kutta, Z. Math. Phys. 46 (1901), 435-453"),
    one(
        "rk38",
        &[
            &["0", "0", "0", "0"],
            &["1/3", "0", "0", "0"],
            &["-1/3", "1", "0", "0"],
            &["1", "-1", "1", "0"],
        ],
        &["1/8", "3/8", "3/8", "1/8"],
    ).about("Kutta's 3/8 rule").cited("W. Kutta, Z. Math. Phys. 46 (1901), 435-453"),
    one(
        "gill",
        &[
            &["0", "0", "0", "0"],
            &["1/2", "0", "0", "0"],
            &["(sqrt(2)-1)/2", "(2-sqrt(2))/2", "0", "0"],
            &["0", "-sqrt(2)/2", "1+sqrt(2)/2", "0"],
        ],
        &["1/6", "(2-sqrt(2))/6", "(2+sqrt(2))/6", "1/6"],
    ).about("Gill's method of 1951").cited("S. Gill, Proc. Cambridge Philos. Soc. 47 (1951), 96-108"),
    one(
        "dormand-prince",
        &[
            &["0", "0", "0", "0", "0", "0"],
            &["1/5", "0", "0", "0", "0", "0"],
            &["3/40", "9/40", "0", "0", "0", "0"],
            &["44/45", "-56/15", "32/9", "0", "0", "0"],
            &["19372/6561", "-25360/2187", "64448/6561", "-212/729", "0", "0"],
            &["9017/3168", "-355/33", "46732/5247", "49/176", "-5103/18656", "0"],
        ],
        &["35/384", "0", "500/1113", "125/192", "-2187/6784", "11/84"],
    ).about("the fifth-order solution of the pair of Dormand and Prince (1980)").cited("J. R. Dormand, P. J. Prince, J. Comput. Appl. Math. 6 (1980), 19-26"),
    one("edirk2", &[&["0", "0"], &["1/3", "1/3"]], &["1/4", "3/4"]).about("an explicit and an implicit stage"),
    one(
        "sdirk-alexander-2",
        &[&["1-sqrt(2)/2", "0"], &["sqrt(2)/2", "1-sqrt(2)/2"]],
        &["sqrt(2)/2", "1-sqrt(2)/2"],
    ).about("singly diagonally implicit, L-stable (Alexander 1977)").cited("R. Alexander, SIAM J. Numer. Anal. 14 (1977), 1006-1021"),
    one(
        "sdirk-alexander-3",
        &[
            &[alexander!("", ""), "0", "0"],
            &[alexander!("(1-", ")/2"), alexander!("", ""), "0"],
            &[
                concat!(alexander!("-3/2*", "^2"), alexander!("+4*", "-1/4")),
                concat!(alexander!("3/2*", "^2"), alexander!("-5*", "+5/4")),
                alexander!("", ""),
            ],
        ],
        &[
            concat!(alexander!("-3/2*", "^2"), alexander!("+4*", "-1/4")),
            concat!(alexander!("3/2*", "^2"), alexander!("-5*", "+5/4")),
            alexander!("", ""),
        ],
    ).about("singly diagonally implicit, L-stable (Alexander 1977)").cited("R. Alexander, SIAM J. Numer. Anal. 14 (1977), 1006-1021"),
    one(
        "sdirk-crouzeix-2",
        &[&["1/2+sqrt(3)/6", "0"], &["-sqrt(3)/3", "1/2+sqrt(3)/6"]],
        &["1/2", "1/2"],
    ).about("singly diagonally implicit, A-stable (Crouzeix, Nørsett)"),
    one(
        "sdirk-crouzeix-3",
        &[
            &[crouzeix!("", ""), "0", "0"],
            &[crouzeix!("1/2-", ""), crouzeix!("", ""), "0"],
            &[crouzeix!("2*", ""), crouzeix!("1-4*", ""), crouzeix!("", "")],
        ],
        &[
            crouzeix!("1/(6*(1-2*", ")^2)"),
            crouzeix!("1-1/(3*(1-2*", ")^2)"),
            crouzeix!("1/(6*(1-2*", ")^2)"),
        ],
    ).about("singly diagonally implicit, A-stable (Crouzeix, Nørsett)"),
    pair("sv", &[&["0", "0"], &["1", "0"]], &[&["1/2", "0"], &["1/2", "0"]], &["1/2", "1/2"]).about("Störmer–Verlet on the field with eliminated multipliers; RATTLE on quadratic constraints").cited("L. Verlet, Phys. Rev. 159 (1967), 98-103"),
    pair(
        "semi2-m4",
        &[&["1/4", "0"], &["3/2", "-1/2"]],
        &[&["0", "0"], &["3/2", "0"]],
        &["2/3", "1/3"],
    ).about("two explicit stages with different tables for q and v"),
    ListedTable {
        name: "sphere-explicit-1-4",
        about: "explicit, order 1, but the sphere is kept to fourth order",
        citation: None,
        a: &[&["1", "0"], &["0", "1"]],
        abar: Some(&[&["0", "0"], &["1", "0"]]),
        b: &["1/2", "1/2"],
        bbar: Some(&["3/4", "1/4"]),
    },
    pair(
        "lobatto-iiia-iiib-2",
        &[&["0", "0"], &["1/2", "1/2"]],
        &[&["1/2", "0"], &["1/2", "0"]],
        &["1/2", "1/2"],
    ).about("Lobatto IIIA for q, Lobatto IIIB for v and p").cited("L. O. Jay, SIAM J. Numer. Anal. 33 (1996), 368-387"),
    pair(
        "lobatto-iiia-iiib-3",
        &[&["0", "0", "0"], &["5/24", "1/3", "-1/24"], &["1/6", "2/3", "1/6"]],
        &[&["1/6", "-1/6", "0"], &["1/6", "1/3", "0"], &["1/6", "5/6", "0"]],
        &["1/6", "2/3", "1/6"],
    ).about("Lobatto IIIA for q, Lobatto IIIB for v and p").cited("L. O. Jay, SIAM J. Numer. Anal. 33 (1996), 368-387"),
];

/// Tables by their number of stages.
#[derive(Debug)]
pub struct CollocationFamily {
    /// How names begin; the number of stages follows.
    pub prefix: &'static str,
    /// The smallest member of the catalogue.
    pub first: usize,
    /// The largest member of the catalogue; larger ones can be asked for.
    pub last: usize,
    /// The member with that number of stages.
    pub table: fn(usize) -> Result<Table, TableProblem>,
    /// Where it comes from.
    pub citation: &'static str,
}

const BUTCHER: &str = "J. C. Butcher, Math. Comp. 18 (1964), 50-64";
const EHLE: &str = "B. L. Ehle, Research Report CSRR 2010, University of Waterloo (1969)";
const CHIPMAN: &str = "F. H. Chipman, BIT 11 (1971), 384-388";
const JAY: &str = "L. O. Jay, SIAM J. Numer. Anal. 33 (1996), 368-387";

const fn family(
    prefix: &'static str,
    (first, last): (usize, usize),
    table: fn(usize) -> Result<Table, TableProblem>,
    citation: &'static str,
) -> CollocationFamily {
    CollocationFamily { prefix, first, last, table, citation }
}

/// Families by the number of stages, in the order of the list.
pub const COLLOCATION: &[CollocationFamily] = &[
    family("gauss-", (1, 8), Table::gauss, BUTCHER),
    family("radau-ia-", (2, 6), Table::radau_ia, EHLE),
    family("radau-iia-", (2, 6), Table::radau_iia, EHLE),
    family("lobatto-iiia-", (2, 8), Table::lobatto_iiia, EHLE),
    family("lobatto-iiib-", (2, 8), Table::lobatto_iiib, EHLE),
    family("lobatto-iiia-iiib-", (4, 8), Table::lobatto_iiia_iiib, JAY),
    family("lobatto-iiic-", (2, 8), Table::lobatto_iiic, CHIPMAN),
];

impl CollocationFamily {
    /// The number of stages that a name asks for, written without signs and leading zeros.
    pub fn stages(&self, name: &str) -> Option<usize> {
        let text = name.strip_prefix(self.prefix)?;
        text.parse().ok().filter(|stages: &usize| stages.to_string() == text)
    }
}

impl ListedTable {
    const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    const fn cited(self, source: &'static str) -> Self {
        Self { citation: Some(source), ..self }
    }

    /// Its exact coefficients.
    pub fn table(&self, budget: &mut Budget) -> Result<Table, TableProblem> {
        let matrix = |rows: &[&[&'static str]]| -> Vec<Vec<&'static str>> {
            rows.iter().map(|r| r.to_vec()).collect()
        };
        let bbar = self.bbar.unwrap_or(self.b).to_vec();
        let texts = Coefficients {
            a: matrix(self.a),
            abar: matrix(self.abar.unwrap_or(self.a)),
            b: self.b.to_vec(),
            btil: bbar.clone(),
            bbar,
        };
        Table::from_texts(self.name, &texts, budget)
    }
}

/// The names of all tables of the catalogue.
pub fn catalogue_names() -> Vec<String> {
    let listed = LISTED.iter().map(|listed| listed.name.to_owned());
    let families = COLLOCATION.iter().flat_map(|family| {
        (family.first..=family.last).map(move |stages| format!("{}{stages}", family.prefix))
    });
    listed.chain(families).collect()
}

/// The table of that name; families such as `gauss-12` beyond the list, too. `None` if there is
/// no such name.
pub fn catalogue(name: &str, budget: &mut Budget) -> Result<Option<Table>, TableProblem> {
    if let Some(listed) = LISTED.iter().find(|listed| listed.name == name) {
        return listed.table(budget).map(Some);
    }
    let member = |family: &CollocationFamily| Some((family.table, family.stages(name)?));
    COLLOCATION.iter().find_map(member).map(|(table, stages)| table(stages)).transpose()
}
