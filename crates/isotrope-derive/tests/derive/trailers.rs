//! A unicycle that pulls trailers, each hitched to the axle before it.

use isotrope_algebra::calculus::substitute;
use isotrope_algebra::{Budget, ExprId};
use isotrope_derive::{classify, derive};

use super::support::{assert_equals, parsed};

/// The coordinates are x, y, theta of the unicycle and an angle a trailer; d is the length of a hitch.
fn trailers(count: usize) -> String {
    let mut names = vec!["\"x\", \"y\", \"theta\"".to_owned()];
    let mut constraints = "drive = \"sin(theta)*x' - cos(theta)*y' = 0\"\n".to_owned();
    let mut lagrangian = "m/2*(x'^2 + y'^2) + J/2*theta'^2".to_owned();
    let (mut along, mut across) = ("x'".to_owned(), "y'".to_owned());
    for k in 1..=count {
        along.push_str(&format!(" + d*sin(psi{k})*psi{k}'"));
        across.push_str(&format!(" - d*cos(psi{k})*psi{k}'"));
        lagrangian.push_str(&format!(" + m/2*(({along})^2 + ({across})^2) + J/2*psi{k}'^2"));
        constraints.push_str(&format!(
            "trailer{k} = \"sin(psi{k})*({along}) - cos(psi{k})*({across}) = 0\"\n"
        ));
        names.push(format!("\"psi{k}\""));
    }
    format!(
        "name = \"trailers\"\ncoordinates = [{}]\nparameters = {{ m = 1, J = 1, d = 1 }}\n\
         [lagrangian]\nL = \"{lagrangian}\"\n[constraints]\n{constraints}",
        names.join(", ")
    )
}

/// F. Jean, The car with N trailers: characterisation of the singular configurations (1996): the growth vector is
/// 2, 3, …, N + 3 where no hitch is at a right angle. Fields without common factors span the distribution at the
/// straight configuration, too.
#[test]
fn frames_of_trailers_do_not_vanish_where_all_are_in_line() {
    for count in 1..=3 {
        let mut system = derive(parsed(&trailers(count)), &mut Budget::new(20_000_000)).unwrap();
        let report = classify(&mut system, &mut Budget::new(20_000_000));
        let flag = report.flag.unwrap();
        let growth: Vec<usize> = (2..=count + 3).collect();
        assert_eq!((flag.growth_vector, flag.proved), (growth, true), "{count}");
        let frame = report.distribution.unwrap().frame;
        let pool = &mut system.model.pool;
        let straight = system.symbols.position.iter().map(|&q| (q, ExprId::ZERO)).collect();
        let mut values = frame
            .iter()
            .map(|field| substitute(pool, &field.components, &straight, &mut Budget::new(10_000)))
            .collect::<Result<Vec<_>, _>>()
            .unwrap();
        // It turns on the spot, or all drive along x.
        values.sort_by_key(|value| value[0].is_zero());
        let [drive, turn] = &values[..] else { panic!("{count}: {} fields", values.len()) };
        assert!(drive.iter().skip(1).all(|part| part.is_zero()), "{count}: {drive:?}");
        assert_equals(pool, drive[0], "d");
        let rest = turn.iter().enumerate().filter(|(i, _)| *i != 2);
        assert!(rest.into_iter().all(|(_, part)| part.is_zero()), "{count}: {turn:?}");
        assert_eq!(turn[2], ExprId::ONE, "{count}");
    }
}
