//! What was published about methods, beside what is computed: the only orders that are typed.

/// A published claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedClaim {
    /// The order that is claimed.
    pub order: usize,
    /// Where.
    pub source: &'static str,
}

const LOZIIENKO: &str = "D. Loziienko, Intégrateur préservant la structure de Dirac pour les \
                         systèmes mécaniques non holonomes (slides, 2020)";

const CLAIMS: [(&str, PublishedClaim); 7] = [
    ("dirac-2", PublishedClaim { order: 2, source: LOZIIENKO }),
    ("dirac-rk", PublishedClaim { order: 4, source: LOZIIENKO }),
    (
        "rattle",
        PublishedClaim { order: 2, source: "H. C. Andersen, J. Comput. Phys. 52 (1983), 24-34" },
    ),
    (
        "shake",
        PublishedClaim {
            order: 2,
            source: "J.-P. Ryckaert, G. Ciccotti, H. J. C. Berendsen, J. Comput. Phys. 23 (1977), \
                     327-341",
        },
    ),
    (
        "yoshida-4",
        PublishedClaim { order: 4, source: "H. Yoshida, Phys. Lett. A 150 (1990), 262-268" },
    ),
    (
        "yoshida-6",
        PublishedClaim { order: 6, source: "H. Yoshida, Phys. Lett. A 150 (1990), 262-268" },
    ),
    (
        "yoshida-8",
        PublishedClaim { order: 8, source: "H. Yoshida, Phys. Lett. A 150 (1990), 262-268" },
    ),
];

/// L. O. Jay's order 2s − 2 for s stages.
const JAY: &str = "L. O. Jay, SIAM J. Numer. Anal. 33 (1996), 368-387";

/// What was published about the order of a method, if it is known here. A computed order below
/// it is a known deficiency.
///
/// ```
/// use isotrope_certify::published_claim;
/// assert_eq!(published_claim("dirac-2").map(|claim| claim.order), Some(2));
/// assert_eq!(published_claim("euler"), None);
/// ```
pub fn published_claim(name: &str) -> Option<PublishedClaim> {
    if let Some(stages) = name.strip_prefix("spark-lobatto-").and_then(|s| s.parse::<usize>().ok())
    {
        let order = (2 * stages).checked_sub(2)?;
        return Some(PublishedClaim { order, source: JAY });
    }
    CLAIMS.iter().find(|(known, _)| *known == name).map(|(_, claim)| *claim)
}
