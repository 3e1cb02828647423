//! What a file declares, beside what was computed.

use crate::{Certificate, DefectOrder};
use isotrope_methods::classes::Class;
use isotrope_methods::table::{Claim, ClaimedOrder, Declared};

/// A declared number, or infinity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claimed(pub Option<usize>);

impl std::fmt::Display for Claimed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(number) => write!(formatter, "{number}"),
            None => formatter.write_str("inf"),
        }
    }
}

/// One declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// `order`, `structure` or `form`.
    pub what: &'static str,
    /// The class, for structure and form.
    pub class: Option<Class>,
    /// What the file says.
    pub claimed: Claimed,
    /// What was computed; `None` where the quantity does not exist.
    pub computed: Option<String>,
    /// Is the method at least as good as declared? `None`: no condition and no sample decides.
    pub holds: Option<bool>,
}

/// All declarations of a file, judged. `on_class` is the order on the systems of the class that the file names, where it
/// names one: trees that its systems do not have ask for nothing there.
pub fn verdicts(
    declared: &Declared,
    certificate: &Certificate,
    on_class: Option<usize>,
) -> Vec<Verdict> {
    let mut list = Vec::new();
    let order = certificate.order.max(on_class);
    if let Some((claimed, _)) = declared.order {
        let claimed = usize::try_from(claimed).unwrap_or(usize::MAX);
        list.push(Verdict {
            what: "order",
            class: declared.class,
            claimed: Claimed(Some(claimed)),
            computed: order.map(|order| order.to_string()),
            holds: Some(order.is_some_and(|order| order >= claimed)),
        });
    }
    let mut judge = |what: &'static str,
                     claims: &[Claim],
                     of: &dyn Fn(Class) -> Option<DefectOrder>| {
        for claim in claims {
            let claimed = match claim.order {
                ClaimedOrder::Finite(order) => Some(usize::try_from(order).unwrap_or(usize::MAX)),
                ClaimedOrder::Infinite => None,
            };
            let computed = of(claim.class);
            list.push(Verdict {
                what,
                class: Some(claim.class),
                claimed: Claimed(claimed),
                computed: computed.map(|order| order.to_string()),
                holds: computed.map_or(Some(false), |order| order.allows(claimed)),
            });
        }
    };
    judge("structure", &declared.structure, &|class| certificate.on(class)?.structure);
    judge("form", &declared.form, &|class| certificate.on(class)?.form);
    list
}
