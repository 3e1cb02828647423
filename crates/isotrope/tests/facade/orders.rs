//! `convergence` at its default settings tells the order of nearly every method that completes.

use isotrope::rooms::study::convergence::{Row, Slope, Verdict};
use isotrope::{ConvergenceRequest, Host};

use super::same_bits::{model, models};

/// Methods of the published comparisons, and of high orders.
const METHODS: &str = "published,gauss-2,gauss-3,gauss-4,gauss-5,gauss-6,gauss-7,gauss-8,radau-iia-2,radau-iia-3,\
                       lobatto-iiia-3,lobatto-iiic-3,verlet,yoshida-4,yoshida-6,yoshida-8,suzuki-umeno-8";
/// What the default suite looks at.
const FEW: &str = "symplectic-euler,midpoint,rk4,gauss-3,gauss-6,dirac-rk";
const FEW_MODELS: [&str; 4] =
    ["pendulum.toml", "kepler.toml", "henon_heiles.toml", "van_der_pol.toml"];

/// At least three runs completed, and their errors are more than rounding.
fn completes(row: &Row) -> bool {
    let completed = row.errors.solution.iter().flatten().count();
    row.verdict.is_some() && completed >= 3 && row.slopes[0] != Slope::Rounding
}

#[test]
fn convergence_measures_nearly_every_method_that_completes() {
    let long = std::env::var_os("ISOTROPE_LONG").is_some();
    let only = std::env::var("ISOTROPE_MODELS").unwrap_or_default();
    let (mut all, mut missing) = (0, Vec::new());
    for path in models() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let wanted = if long {
            only.is_empty() || only.split(',').any(|one| name.starts_with(one))
        } else {
            FEW_MODELS.contains(&name.as_str())
        };
        if !wanted {
            continue;
        }
        let Ok(mut system) = model(&path).derive(&Host::new()) else { continue };
        let methods = Some(if long { METHODS } else { FEW }.to_owned());
        let request = ConvergenceRequest { methods, ..ConvergenceRequest::default() };
        let Ok(answer) = system.convergence(&request) else { continue };
        for row in answer.rows.iter().filter(|row| completes(row)) {
            all += 1;
            if row.verdict == Some(Verdict::NotMeasured) {
                missing.push(format!(
                    "{}: {} ({:?}; {})\n{:?}\n{:?}",
                    path.display(),
                    row.method,
                    row.slopes[0],
                    row.reason,
                    row.steps,
                    row.errors.solution
                ));
            }
            let bent = matches!(row.slopes[0], Slope::Bending(_));
            assert!(!(bent && row.verdict == Some(Verdict::Disagrees)), "{name} {row:?}");
        }
        if long {
            eprintln!("{name}: {} of {all} not measured", missing.len());
        }
    }
    let list = missing.join("\n");
    assert!(all > 10, "{all}");
    assert!(missing.len() * 20 <= all, "{} of {all} not measured\n{list}", missing.len());
    if long {
        eprintln!("{list}");
    }
}
