//! The tables that come with the program, by name: coefficients only, never an order.

use isotrope_algebra::Budget;

use super::{Coefficients, Table, TableProblem};

/// A table as exact text.
struct Listed {
    name: &'static str,
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
) -> Listed {
    Listed { name, a, abar: None, b, bbar: None }
}

/// A method with one table for the positions and another for the velocities.
const fn pair(
    name: &'static str,
    a: &'static [&'static [&'static str]],
    abar: &'static [&'static [&'static str]],
    b: &'static [&'static str],
) -> Listed {
    Listed { name, a, abar: Some(abar), b, bbar: None }
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

const LISTED: &[Listed] = &[
    one("euler", &[&["0"]], &["1"]),
    one("implicit-euler", &[&["1"]], &["1"]),
    pair("symplectic-euler", &[&["1"]], &[&["0"]], &["1"]),
    pair("symplectic-euler-adjoint", &[&["0"]], &[&["1"]], &["1"]),
    one("midpoint", &[&["1/2"]], &["1"]),
    one("trapezoid", &[&["0", "0"], &["1/2", "1/2"]], &["1/2", "1/2"]),
    one("explicit-midpoint", &[&["0", "0"], &["1/2", "0"]], &["0", "1"]),
    one("heun", &[&["0", "0"], &["1", "0"]], &["1/2", "1/2"]),
    one("ralston", &[&["0", "0"], &["2/3", "0"]], &["1/4", "3/4"]),
    one(
        "kutta3",
        &[&["0", "0", "0"], &["1/2", "0", "0"], &["-1", "2", "0"]],
        &["1/6", "2/3", "1/6"],
    ),
    one("heun3", &[&["0", "0", "0"], &["1/3", "0", "0"], &["0", "2/3", "0"]], &["1/4", "0", "3/4"]),
    one(
        "ralston3",
        &[&["0", "0", "0"], &["1/2", "0", "0"], &["0", "3/4", "0"]],
        &["2/9", "1/3", "4/9"],
    ),
    one("ps3", &[&["0", "0", "0"], &["1/2", "0", "0"], &["0", "1", "0"]], &["1/4", "1/2", "1/4"]),
    one(
        "rk4",
        &[
            &["0", "0", "0", "0"],
            &["1/2", "0", "0", "0"],
            &["0", "1/2", "0", "0"],
            &["0", "0", "1", "0"],
        ],
        &["1/6", "1/3", "1/3", "1/6"],
    ),
    one(
        "rk38",
        &[
            &["0", "0", "0", "0"],
            &["1/3", "0", "0", "0"],
            &["-1/3", "1", "0", "0"],
            &["1", "-1", "1", "0"],
        ],
        &["1/8", "3/8", "3/8", "1/8"],
    ),
    one(
        "gill",
        &[
            &["0", "0", "0", "0"],
            &["1/2", "0", "0", "0"],
            &["(sqrt(2)-1)/2", "(2-sqrt(2))/2", "0", "0"],
            &["0", "-sqrt(2)/2", "1+sqrt(2)/2", "0"],
        ],
        &["1/6", "(2-sqrt(2))/6", "(2+sqrt(2))/6", "1/6"],
    ),
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
    ),
    one("edirk2", &[&["0", "0"], &["1/3", "1/3"]], &["1/4", "3/4"]),
    one(
        "sdirk-alexander-2",
        &[&["1-sqrt(2)/2", "0"], &["sqrt(2)/2", "1-sqrt(2)/2"]],
        &["sqrt(2)/2", "1-sqrt(2)/2"],
    ),
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
    ),
    one(
        "sdirk-crouzeix-2",
        &[&["1/2+sqrt(3)/6", "0"], &["-sqrt(3)/3", "1/2+sqrt(3)/6"]],
        &["1/2", "1/2"],
    ),
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
    ),
    pair("sv", &[&["0", "0"], &["1", "0"]], &[&["1/2", "0"], &["1/2", "0"]], &["1/2", "1/2"]),
    pair(
        "semi2-m4",
        &[&["1/4", "0"], &["3/2", "-1/2"]],
        &[&["0", "0"], &["3/2", "0"]],
        &["2/3", "1/3"],
    ),
    Listed {
        name: "sphere-explicit-1-4",
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
    ),
    pair(
        "lobatto-iiia-iiib-3",
        &[&["0", "0", "0"], &["5/24", "1/3", "-1/24"], &["1/6", "2/3", "1/6"]],
        &[&["1/6", "-1/6", "0"], &["1/6", "1/3", "0"], &["1/6", "5/6", "0"]],
        &["1/6", "2/3", "1/6"],
    ),
];

type Constructor = fn(usize) -> Result<Table, TableProblem>;

/// Families by the number of stages: name, smallest and largest member of the catalogue.
const FAMILIES: [(&str, usize, usize, Constructor); 7] = [
    ("gauss", 1, 8, Table::gauss),
    ("radau-ia", 2, 6, Table::radau_ia),
    ("radau-iia", 2, 6, Table::radau_iia),
    ("lobatto-iiia", 2, 8, Table::lobatto_iiia),
    ("lobatto-iiib", 2, 8, Table::lobatto_iiib),
    ("lobatto-iiia-iiib", 4, 8, Table::lobatto_iiia_iiib),
    ("lobatto-iiic", 2, 8, Table::lobatto_iiic),
];

impl Listed {
    fn table(&self, budget: &mut Budget) -> Result<Table, TableProblem> {
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
    let families = FAMILIES.iter().flat_map(|(name, least, most, _)| {
        (*least..=*most).map(move |stages| format!("{name}-{stages}"))
    });
    listed.chain(families).collect()
}

/// The table of that name; families such as `gauss-12` beyond the list, too. `None` if there is
/// no such name.
pub fn catalogue(name: &str, budget: &mut Budget) -> Result<Option<Table>, TableProblem> {
    if let Some(listed) = LISTED.iter().find(|listed| listed.name == name) {
        return listed.table(budget).map(Some);
    }
    let Some((family, stages)) = name.rsplit_once('-') else { return Ok(None) };
    let plain = !stages.is_empty() && stages.bytes().all(|byte| byte.is_ascii_digit());
    let Ok(stages) = stages.parse::<usize>() else { return Ok(None) };
    if !plain || name != format!("{family}-{stages}") {
        return Ok(None);
    }
    match FAMILIES.iter().find(|(known, ..)| *known == family) {
        Some((_, _, _, construct)) => construct(stages).map(Some),
        None => Ok(None),
    }
}
