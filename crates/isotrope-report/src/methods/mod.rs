//! Certificates of methods as people and programs read them.

mod detail;
mod grouped;
mod json;
mod linear;
mod list;
mod summary;

pub use detail::to_text as detail_to_text;
pub use grouped::{
    GroupedRecord, GroupedSummary, to_json as grouped_to_json, to_text as grouped_to_text,
};
pub use json::{
    CertificationRecord, CertifyRecord, DetailRecord, MethodsRecord, list_to_json, to_json,
};
pub use list::to_text as list_to_text;
pub use summary::MethodRecord;

use isotrope_certify::{Certificate, Evidence};

/// A number; `-` where there is none.
fn or_dash(number: Option<impl ToString>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| number.to_string())
}

/// An answer; `-` where there is none.
fn yes_or_no(answer: Option<bool>) -> &'static str {
    match answer {
        Some(true) => "yes",
        Some(false) => "no",
        None => "-",
    }
}

/// How the order is known, as a clause.
pub(crate) fn evidence(certificate: &Certificate) -> String {
    match &certificate.evidence {
        Some(Evidence::Trees { conditions: 1 }) => "1 condition holds exactly".to_owned(),
        Some(Evidence::Trees { conditions }) => {
            format!("{conditions} tree conditions hold exactly")
        }
        Some(Evidence::Simplifying { assumptions, symmetric }) => {
            let also = if *symmetric { ", symmetric" } else { "" };
            format!(
                "simplifying assumptions B({}), C({}), D({}){also}, exactly",
                assumptions.quadrature, assumptions.stages, assumptions.adjoint
            )
        }
        Some(Evidence::Multistep { zero_stable: true }) => {
            "conditions of multistep methods, exactly; zero-stable".to_owned()
        }
        Some(Evidence::Multistep { zero_stable: false }) => {
            "not zero-stable: no convergence".to_owned()
        }
        Some(Evidence::Composition { steps }) => format!(
            "a solution of the order conditions of {steps} symmetric steps is proved to exist in a ball \
             around the coefficients"
        ),
        Some(Evidence::Expansion { problems, bits }) => format!(
            "exact Taylor expansion of one step on {problems} random problems over a prime field; \
             wrong with probability below 2^-{bits}"
        ),
        Some(Evidence::SmallSteps { problems, digits, .. }) => format!(
            "very small steps in numbers of {digits} digits, compared with the exact solutions of \
             {problems} problems"
        ),
        None => "no class of problems has systems that it applies to".to_owned(),
    }
}
