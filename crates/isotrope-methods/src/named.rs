//! Compositions by the names they are asked for.

use isotrope_algebra::{Budget, Rational};

use crate::composition::SymmetricComposition;
use crate::table::{Table, TableProblem, catalogue};

/// A composition of Störmer–Verlet steps.
#[derive(Debug)]
pub struct ListedComposition {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Where it comes from.
    pub citation: &'static str,
    /// The order that its coefficients give.
    pub order: usize,
    /// The order that its citation claims.
    pub claim: Option<usize>,
    /// Decimals near which they are, from the outermost to the one before the middle.
    pub decimals: &'static [&'static str],
}

const YOSHIDA: &str = "H. Yoshida, Phys. Lett. A 150 (1990), 262-268";

/// Compositions of Störmer–Verlet steps.
pub const COMPOSITIONS: &[ListedComposition] = &[
    ListedComposition {
        name: "yoshida-4",
        about: "triple jump",
        citation: YOSHIDA,
        order: 4,
        claim: Some(4),
        decimals: &["1.35120719195965763"],
    },
    ListedComposition {
        name: "yoshida-6",
        about: "solution A of order 6 of Yoshida (1990)",
        citation: YOSHIDA,
        order: 6,
        claim: Some(6),
        decimals: &["0.784513610477560", "0.235573213359357", "-1.17767998417887"],
    },
    ListedComposition {
        name: "yoshida-8",
        about: "solution A of order 8 of Yoshida (1990)",
        citation: YOSHIDA,
        order: 8,
        claim: Some(8),
        decimals: &[
            "1.04242620869991",
            "1.82020630970714",
            "0.157739928123617",
            "2.44002732616735",
            "-0.00716989419708120",
            "-2.44699182370524",
            "-1.61582374150097",
        ],
    },
    ListedComposition {
        name: "suzuki-umeno-8",
        about: "smaller steps than yoshida-8 (Suzuki and Umeno 1993, McLachlan 1995)",
        citation: "R. I. McLachlan, SIAM J. Sci. Comput. 16 (1995), 151-168",
        order: 8,
        claim: None,
        decimals: &[
            "0.74167036435061295345",
            "-0.40910082580003159400",
            "0.19075471029623837995",
            "-0.57386247111608226666",
            "0.29906418130365592384",
            "0.33462491824529818378",
            "0.31529309239676659663",
        ],
    },
];

/// The base of the compositions, by its names in the catalogue and in mechanics.
const VERLET: (&str, &str) = ("sv", "verlet");

/// A base method and the coefficients of its steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Composed {
    /// The name of the method.
    pub name: String,
    /// The base: a symmetric method of order 2.
    pub base: Table,
    /// The coefficients.
    pub composition: SymmetricComposition,
}

impl ListedComposition {
    /// With its base and exact coefficients; without a certificate.
    pub fn composed(&self, budget: &mut Budget) -> Result<Composed, TableProblem> {
        let missing = TableProblem::Stages { family: VERLET.1, stages: 2 };
        let base = catalogue(VERLET.0, budget)?.ok_or(missing)?.named(VERLET.1);
        let start: Vec<Rational> =
            self.decimals.iter().filter_map(|text| text.parse().ok()).collect();
        let composition = SymmetricComposition::new(self.order, start);
        Ok(Composed { name: self.name.to_owned(), base, composition })
    }
}

/// A composition of the list by its name; without a certificate.
pub fn named_composition(
    name: &str,
    budget: &mut Budget,
) -> Result<Option<Composed>, TableProblem> {
    let listed = COMPOSITIONS.iter().find(|listed| listed.name == name);
    listed.map(|listed| listed.composed(budget)).transpose()
}
