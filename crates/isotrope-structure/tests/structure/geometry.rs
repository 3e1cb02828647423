//! Geometry files: the shipped ones and their known outcomes, hostile ones, and models.

use std::collections::BTreeSet;

use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, Pool, print};
use isotrope_derive::{analyse, derive};
use isotrope_geometry::HorizontalPrimitive;
use isotrope_model::{ModelText, parse_model};
use isotrope_structure::geometry::file::{GeometryCode, GeometryText, is_geometry, parse_geometry};
use isotrope_structure::geometry::{
    GeometryError, GeometryReport, TextOf as _, examine, examine_model,
};

fn budget() -> Budget {
    Budget::new(50_000_000)
}

fn examined(text: &str) -> (GeometryReport, Pool) {
    assert!(is_geometry(text.as_bytes()));
    let mut file = parse_geometry(&GeometryText::new("test.toml", text.as_bytes())).unwrap();
    let report = examine(&mut file, &mut budget()).unwrap();
    (report, file.pool)
}

fn shipped(name: &str) -> (GeometryReport, Pool) {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/geometry/");
    examined(&std::fs::read_to_string(format!("{root}{name}.toml")).unwrap())
}

/// The components of the Courant tensor as text.
fn courant(report: &GeometryReport, pool: &Pool) -> Vec<String> {
    let tensor = report.dirac.as_ref().unwrap().courant.as_ref().unwrap();
    let text = |id| print::to_text(pool, id, &mut Budget::new(100_000)).unwrap();
    let part = |[a, b, c]: [usize; 3]| format!("{},{},{}", a + 1, b + 1, c + 1);
    tensor.components.iter().map(|c| format!("{}: {}", part(c.indices), text(c.value))).collect()
}

fn is_dirac(report: &GeometryReport) -> Option<bool> {
    report.dirac.as_ref().unwrap().is_dirac()
}

#[test]
fn every_shipped_file_is_read_and_has_its_known_outcome() {
    let (report, _) = shipped("rigid_body");
    assert_eq!(is_dirac(&report), Some(true));
    assert_eq!(report.homological.unwrap().square_zero, Zero::Yes);
    let (report, pool) = shipped("magnetic");
    assert_eq!(
        (is_dirac(&report), courant(&report, &pool)),
        (Some(false), vec!["1,2,3: 3*k".into()])
    );
    let (report, pool) = shipped("contact");
    assert_eq!((report.frobenius, courant(&report, &pool)), (Some(false), vec!["1,2,3: 1".into()]));
    for name in ["transformer", "presymplectic_leaf"] {
        assert_eq!(is_dirac(&shipped(name).0), Some(true), "{name}");
    }
    let (report, _) = shipped("heisenberg");
    assert_eq!(report.betti, Some(vec![1, 2, 2, 1]));
    let (report, _) = shipped("courant");
    let found = report.homological.unwrap();
    assert_eq!(found.function.as_ref().unwrap().square_zero, Zero::Yes);
    assert!(found.polynomial && found.square_zero == Zero::Yes);
    let (report, _) = shipped("action_algebroid");
    let (anchor, bracket) = report.homological.unwrap().algebroid.unwrap();
    assert_eq!((anchor.len(), bracket.iter().filter(|row| !row.2.is_empty()).count()), (3, 2));
}

#[test]
fn the_wake_oscillator_is_not_poisson_and_its_field_is_the_published_one() {
    let (report, pool) = shipped("wake_oscillator");
    let found = courant(&report, &pool);
    assert_eq!(found, ["2,4,5: m*O^2 + A", "3,4,5: eps*(1 - x3^2)"]);
    let homological = report.homological.unwrap();
    assert_eq!(homological.square_zero, Zero::No);
    let component = |name: &str| {
        let part = homological.field.iter().find(|(known, _)| known == name).unwrap();
        part.1.text(&pool)
    };
    assert_eq!(component("x1"), "-p_x2");
    assert_eq!(component("p_x1"), "A*p_x4*p_x5");
    assert_eq!(component("p_x3"), "-m*O^2*p_x2*p_x5 + 2*eps*x3*x4*p_x4*p_x5");
    // Without damping and with antisymmetric coupling it is Poisson.
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/geometry/wake_oscillator.toml");
    let text = std::fs::read_to_string(root).unwrap();
    let text = text.replace("eps = \"symbol\"", "eps = 0").replace("A*x1", "(-m*O^2)*x1");
    let (report, _) = examined(&text);
    assert_eq!(is_dirac(&report), Some(true));
    assert_eq!(report.homological.unwrap().square_zero, Zero::Yes);
}

#[test]
fn models_have_the_structure_of_their_constraints() {
    for (name, rank, dirac, tensor) in [
        ("sleigh", 6, Some(false), vec!["1,2,6: 1".to_owned()]),
        ("pendulum", 4, Some(true), vec![]),
        ("pendulum_angle", 2, Some(true), vec![]),
    ] {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/");
        let bytes = std::fs::read(format!("{root}{name}.toml")).unwrap();
        assert!(!is_geometry(&bytes));
        let model = parse_model(&ModelText::new(name, &bytes)).unwrap();
        let mut system = derive(model, &mut budget()).unwrap();
        let analysis = analyse(&mut system, &budget());
        let report = examine_model(&mut system, &analysis, &mut budget()).unwrap();
        let found = report.dirac.as_ref().unwrap();
        assert_eq!((found.rank, found.isotropic), (rank, Zero::Yes), "{name}");
        assert_eq!(is_dirac(&report), dirac, "{name}");
        assert_eq!(courant(&report, &system.model.pool), tensor, "{name}");
        assert_eq!(found.names.len(), found.structure.generators.len());
    }
}

#[test]
fn functions_that_are_no_polynomials_are_decided_or_called_undecided() {
    // sin and cos: decided. A root with a hidden identity: never called "no".
    let (report, _) = examined(
        "[graded]\ncoordinates = { x = 0, c = 1, d = 1 }\n\
         field = { x = \"sin(x)*c + cos(x)*d\", c = \"-c*d\" }",
    );
    let found = report.homological.unwrap();
    assert!(!found.polynomial);
    // [sin d_x, cos d_x] = -(sin^2 + cos^2) d_x = -d_x, which sin and cos do not give constantly.
    assert_eq!(found.square_zero, Zero::No);
    let (report, _) = examined(
        "coordinates = [\"x\", \"y\", \"z\"]\n[bivector]\n\
         \"x,y\" = \"sin(z)^2 + cos(z)^2 + exp(log(x)) - x\"",
    );
    assert_ne!(is_dirac(&report), Some(false));
    // A singular coefficient is a function like any other.
    let (report, _) =
        examined("coordinates = [\"x\", \"y\"]\n[bivector]\n\"x,y\" = \"1/(x^2 + y^2)\"");
    assert_eq!(is_dirac(&report), Some(true));
    // A bivector that vanishes: a graph all the same.
    let (report, _) = examined("coordinates = [\"x\", \"y\"]\n[bivector]\n\"x,y\" = \"0\"");
    let found = report.dirac.unwrap();
    assert_eq!((found.rank, found.leaf_dimension), (2, Some(0)));
    // Powers beyond the packed exponents are expressions.
    let (report, _) =
        examined("[graded]\ncoordinates = { x = 0, c = 1 }\nfield = { x = \"x^100*x^100*c\" }");
    let found = report.homological.unwrap();
    assert!(!found.polynomial && found.square_zero == Zero::Yes);
}

#[test]
fn forty_dimensions_are_answered_or_refused_within_the_budget() {
    let names: Vec<String> = (1..=40).map(|k| format!("\"x{k}\"")).collect();
    let mut text = format!("coordinates = [{}]\n[bivector]\n", names.join(", "));
    for i in 1..40 {
        for j in (i + 1..=40).step_by(3) {
            text.push_str(&format!(
                "\"x{i},x{j}\" = \"x{}*x{} - {i}*x{j}^2\"\n",
                j,
                (i * j) % 40 + 1
            ));
        }
    }
    let mut file = parse_geometry(&GeometryText::new("large.toml", text.as_bytes())).unwrap();
    let mut part = Budget::new(3_000_000);
    match examine(&mut file, &mut part) {
        Ok(report) => assert_eq!(is_dirac(&report), Some(false)),
        Err(error) => assert_eq!(error.code(), GeometryCode::TooLarge, "{error}"),
    }
    // Canonical in forty dimensions: an answer.
    let mut text = format!("coordinates = [{}]\n[bivector]\n", names.join(", "));
    for i in 1..=20 {
        text.push_str(&format!("\"x{i},x{}\" = \"1\"\n", i + 20));
    }
    let (report, _) = examined(&text);
    assert_eq!(is_dirac(&report), Some(true));
    // A spent budget is an error with its code, not a panic.
    let mut file = parse_geometry(&GeometryText::new("large.toml", text.as_bytes())).unwrap();
    let stopped = examine(&mut file, &mut Budget::new(10)).unwrap_err();
    assert!(matches!(stopped, GeometryError::OutOfBudget(_) | GeometryError::Linear(_)));
}

/// The codes that a file is refused with, by the reader or by the computation.
fn refused(bytes: &[u8]) -> BTreeSet<GeometryCode> {
    match parse_geometry(&GeometryText::new("bad.toml", bytes)) {
        Err(errors) => {
            for error in &errors {
                assert!(!error.message.is_empty() && !error.hint.is_empty(), "{error:?}");
                assert!(error.span.end as usize <= bytes.len(), "{error:?}");
            }
            errors.iter().map(|error| error.code).collect()
        }
        Ok(mut file) => {
            let error = examine(&mut file, &mut budget()).expect_err("a refusal");
            assert!(!error.hint().is_empty() && !error.to_string().is_empty());
            if let Some(span) = error.span() {
                assert!(span.end as usize <= bytes.len());
            }
            BTreeSet::from([error.code()])
        }
    }
}

#[test]
fn every_code_has_a_file_that_shows_it() {
    use GeometryCode::*;
    let base = "coordinates = [\"x\", \"y\", \"z\"]\n";
    let many: Vec<String> = (0..65).map(|k| format!("\"x{k}\"")).collect();
    let many = format!("coordinates = [{}]\n[bivector]\n", many.join(", "));
    let with = |rest: &str| format!("{base}{rest}").into_bytes();
    let cases: Vec<(GeometryCode, Vec<u8>)> = vec![
        (NotUtf8, b"name = \"\xff\"".to_vec()),
        (ControlCharacter, b"name = \"\0\"".to_vec()),
        (TooLarge, many.into_bytes()),
        (Toml, b"[bivector\n".to_vec()),
        (DuplicateKey, with("name = \"a\"\nname = \"b\"\n[bivector]\n")),
        (UnknownKey, with("[bivectr]\n[bivector]\n")),
        (WrongType, with("[bivector]\n\"x,y\" = [1]\n")),
        (MissingPart, b"[bivector]\n".to_vec()),
        (BadName, b"coordinates = [\"sin\"]\n[bivector]\n".to_vec()),
        (RepeatedName, b"coordinates = [\"x\", \"x\"]\n[bivector]\n".to_vec()),
        (Syntax, with("[bivector]\n\"x,y\" = \"2x\"\n")),
        (UnknownName, with("[bivector]\n\"x,y\" = \"w\"\n")),
        (Undefined, with("[bivector]\n\"x,y\" = \"1/0\"\n")),
        (Pair, with("[bivector]\n\"x,y\" = \"1\"\n\"y,x\" = \"1\"\n")),
        (Constant, b"[lie_algebra]\nbasis = [\"a\", \"b\"]\n\"a,b\" = \"a*b\"\n".to_vec()),
        (
            Degree,
            b"[graded]\ncoordinates = { x = 0, c = 1 }\nfield = { x = \"c\", c = \"x\" }\n"
                .to_vec(),
        ),
        (Object, base.as_bytes().to_vec()),
        (Version, with("version = 2\n[bivector]\n")),
        (Dependent, with("[distribution]\na = { x = \"y\" }\nb = { x = \"2*y\" }\n")),
        (
            NotScalar,
            b"[graded]\ncoordinates = { x = 0, c = 1 }\nfield = { x = \"c/c\" }\n".to_vec(),
        ),
        (Parameter, with("parameters = { a = \"sqrt(2)\" }\n[bivector]\n")),
        (NotPeriodic, with("periods = { y = \"1\" }\n[two_form]\n\"x,y\" = \"y\"\n")),
        (
            Section,
            with(
                "[bivector]\n[pushforward]\ncoordinates = [\"u\"]\nu = \"x\"\n\
                  section = { x = \"2*u\", y = \"0\", z = \"0\" }\n",
            ),
        ),
    ];
    let shown: BTreeSet<GeometryCode> = cases.iter().map(|(code, _)| *code).collect();
    // Arguments are not in files.
    let all = GeometryCode::ALL.iter().copied().filter(|code| *code != Argument);
    let all: BTreeSet<GeometryCode> = all.collect();
    assert_eq!(shown, all);
    for (code, bytes) in cases {
        assert_eq!(refused(&bytes), BTreeSet::from([code]), "{}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn graded_files_with_wrong_degrees_are_refused_at_their_place() {
    for (text, code) in [
        // Degrees of pairs that do not add up, terms of different degrees, an unknown name in a
        // pair, no pairs at all, a product in an even coordinate of degree 2.
        (
            "coordinates = { x = 0, p = 2 }\nfunction = \"x*p\"\nbracket = 1\npairs = [[\"x\", \"p\"]]",
            GeometryCode::Degree,
        ),
        (
            "coordinates = { x = 0, p = 1 }\nfunction = \"x + p\"\nbracket = 1\npairs = [[\"x\", \"p\"]]",
            GeometryCode::Degree,
        ),
        (
            "coordinates = { x = 0, p = 1 }\nfunction = \"x\"\nbracket = 1\npairs = [[\"x\", \"q\"]]",
            GeometryCode::UnknownName,
        ),
        (
            "coordinates = { x = 0, p = 1 }\nfunction = \"x\"\nbracket = 1",
            GeometryCode::MissingPart,
        ),
        ("coordinates = { x = 0, c = 1 }\nfield = { x = \"y*c\" }", GeometryCode::UnknownName),
        ("coordinates = { x = 0, c = 1 }\nfield = { x = \"x'\" }", GeometryCode::Syntax),
        ("coordinates = { x = 0, c = 1 }\nfield = { x = \"c/(x - x)\" }", GeometryCode::Undefined),
        ("coordinates = { x = 0, c = \"one\" }\nfield = { x = \"c\" }", GeometryCode::WrongType),
        ("coordinates = { x = 0, c = 1 }", GeometryCode::MissingPart),
    ] {
        let text = format!("[graded]\n{text}\n");
        assert_eq!(refused(text.as_bytes()), BTreeSet::from([code]), "{text}");
    }
}

#[test]
fn the_area_of_a_torus_is_the_obstruction_to_a_primitive() {
    let plane = "coordinates = [\"u\", \"v\"]\n[two_form]\n\"u,v\" = \"1\"\n";
    let class = |text: &str| examined(text).0.dirac.unwrap().two_class.unwrap();
    assert!(matches!(class(plane).primitive, HorizontalPrimitive::Found(_)));
    let torus = format!("periods = {{ u = \"2*pi\", v = \"2*pi\" }}\n{plane}");
    let (report, pool) = examined(&torus);
    let class = report.dirac.unwrap().two_class.unwrap();
    assert_eq!(class.primitive, HorizontalPrimitive::None { degree: 0, conclusive: true });
    let ([u, v], area) = class.periods[0];
    let area = print::to_text(&pool, area, &mut budget()).unwrap();
    assert_eq!((u, v, area.as_str()), (0, 1, "4*pi^2"));
    // On a cylinder there is no such torus, and u dv is a primitive that winds around nothing.
    let cylinder = format!("periods = {{ v = \"2*pi\" }}\n{plane}");
    let class = examined(&cylinder).0.dirac.unwrap().two_class.unwrap();
    assert!(class.periods.is_empty());
    assert!(matches!(class.primitive, HorizontalPrimitive::Found(_)));
    // The same as a bivector, after a gauge transform, and beside a distribution: the area of a leaf.
    let torus = "periods = { u = \"2*pi\", v = \"2*pi\" }\n";
    let plane = "coordinates = [\"u\", \"v\"]\n";
    let space = "coordinates = [\"u\", \"v\", \"w\"]\n";
    for text in [
        format!("{torus}{plane}[bivector]\n\"u,v\" = \"1\"\n"),
        format!("{torus}{plane}[two_form]\n\"u,v\" = \"3\"\n[gauge]\n\"u,v\" = \"-2\"\n"),
        format!("{torus}{space}[distribution]\na = {{ w = \"1\" }}\n[two_form]\n\"u,v\" = \"1\"\n"),
        format!("{torus}{space}[bivector]\n\"u,v\" = \"w^2 + 1\"\n"),
        format!(
            "{torus}{plane}[dirac]\ne1 = {{ vector = {{ u = \"1\" }}, covector = {{ v = \"1\" }} }}\n\
             e2 = {{ vector = {{ v = \"1\" }}, covector = {{ u = \"-1\" }} }}\n"
        ),
    ] {
        let class = examined(&text).0.dirac.unwrap().two_class.unwrap();
        assert!(class.obstructed && class.periods.len() == 1, "{text}");
        assert!(matches!(class.primitive, HorizontalPrimitive::None { .. }), "{text}");
    }
    // The leaves of d_u ^ d_w hold no torus: w du is periodic.
    let text = format!("{torus}{space}[bivector]\n\"u,w\" = \"1\"\n");
    let class = examined(&text).0.dirac.unwrap().two_class.unwrap();
    assert!(class.periods.is_empty() && matches!(class.primitive, HorizontalPrimitive::Found(_)));
    // A form that is torn along a circle is none on it: refused where the period stands.
    let torn = format!("{torus}{space}[two_form]\n\"u,v\" = \"w\"\n\"w,u\" = \"-v\"\n");
    let mut file = parse_geometry(&GeometryText::new("test.toml", torn.as_bytes())).unwrap();
    let error = examine(&mut file, &mut budget()).unwrap_err();
    assert_eq!(error.code(), GeometryCode::NotPeriodic);
    let span = error.span().unwrap();
    assert_eq!(&torn[span.start as usize..span.end as usize], "v");
}

/// The magnetic structure has the functional of the primitive that the model has or was found.
#[test]
fn magnetic_models_have_the_functional_of_their_primitive() {
    for (name, poles) in [("charged_particle", 0), ("monopole_sphere", 2)] {
        let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read(path).unwrap();
        let model = parse_model(&ModelText::new(name, &text)).unwrap();
        let mut system = derive(model, &mut Budget::new(1_000_000_000)).unwrap();
        let analysis = analyse(&mut system, &Budget::new(1_000_000_000));
        let report = examine_model(&mut system, &analysis, &mut Budget::new(100_000_000)).unwrap();
        let theta = report.magnetic.unwrap().primitive.unwrap().components;
        let found = report.dirac.unwrap();
        let class = found.two_class.unwrap();
        let HorizontalPrimitive::Found(beta) = class.primitive else { panic!("{name}") };
        let (base, pool) = (found.structure.base.clone(), &mut system.model.pool);
        for (i, &theta) in theta.iter().enumerate() {
            let expected = pool.sub(theta, base[base.len() / 2 + i]);
            assert_eq!(beta[i], expected, "{name}");
        }
        let checked = found.structure.is_horizontal_primitive(pool, &beta, &mut budget());
        assert_eq!(checked, Ok(Zero::Yes));
        assert_eq!(class.singular.len(), poles, "{name}");
    }
}

/// Where coefficients are not analytic, or their zeros not decided, no rank is called proved.
#[test]
fn ranks_of_branches_and_undecided_zeros_are_not_called_proved() {
    let space = "coordinates = [\"x\", \"y\", \"z\"]\n";
    for (section, entry) in [
        ("two_form", "heaviside(z - 100)"),
        ("bivector", "abs(z + 100) - z - 100"),
        ("bivector", "z*(sqrt(5 + 2*sqrt(6)) - sqrt(2) - sqrt(3))"),
    ] {
        let text = format!("{space}[{section}]\n\"x,y\" = \"{entry}\"\n");
        let (report, _) = examined(&text);
        assert!(!report.notes.is_empty(), "{entry}");
        let found = report.dirac.unwrap();
        assert!(!found.rank_proved && !found.kernel_proved && !found.leaf_dimension_proved);
        assert_eq!(found.is_dirac(), None, "{entry}");
    }
    let (report, _) = examined(&format!("{space}[bivector]\n\"x,y\" = \"z*sqrt(1 + z^2)\"\n"));
    let found = report.dirac.unwrap();
    assert!(found.rank_proved && found.kernel_proved && found.leaf_dimension_proved);
    assert_eq!((found.is_dirac(), found.leaf_dimension), (Some(true), Some(2)));
    // Twenty roots within each other are defined, and what is too long is left out.
    let nested = (0..20).fold("x".to_owned(), |inner, _| format!("sqrt(1 + {inner})"));
    examined(&format!("{space}[bivector]\n\"x,y\" = \"{nested}\"\n"));
}

#[test]
fn what_does_not_belong_there_is_refused_at_its_place() {
    use GeometryCode::*;
    let plane = "coordinates = [\"x\", \"y\"]\n";
    let graded = "[graded]\ncoordinates = { x = 0, p = 1 }\n";
    let cases = [
        (WrongType, "\"a\"", format!("pullback = \"a\"\n{plane}[bivector]\n")),
        (WrongType, "3", format!("pushforward = 3\n{plane}[bivector]\n")),
        (
            Object,
            "[\"x\", \"y\"]",
            format!("{plane}[graded]\ncoordinates = {{ a = 1 }}\nfield = {{}}\n"),
        ),
        (Object, "[\"x\", \"y\"]", format!("{plane}[lie_algebra]\nbasis = [\"a\", \"b\"]\n")),
        (Object, "bracket", format!("{graded}field = {{ x = \"p\" }}\nbracket = 7\n")),
        (Object, "pairs", format!("{graded}field = {{ x = \"p\" }}\npairs = [[\"x\", \"p\"]]\n")),
        (
            Object,
            "degree",
            format!("{graded}function = \"x*p\"\ndegree = 3\npairs = [[\"x\", \"p\"]]\n"),
        ),
        (
            Object,
            "e",
            format!("{plane}[dirac]\ne = {{ vector = {{ x = \"1\" }}, flow = {{ x = \"1\" }} }}\n"),
        ),
        (
            DuplicateKey,
            "\"x, y\"",
            format!("{plane}[bivector]\n\"x,y\" = \"1\"\n\"x, y\" = \"1\"\n"),
        ),
        (
            Object,
            "{ x = \"1\" }",
            "periods = { x = \"1\" }\n[lie_algebra]\nbasis = [\"x\"]\n".to_owned(),
        ),
    ];
    for (code, place, text) in cases {
        let file = GeometryText::new("test.toml", text.as_bytes());
        let error = &parse_geometry(&file).expect_err(&text)[0];
        let found = &text[error.span.start as usize..error.span.end as usize];
        assert_eq!((error.code, found), (code, place), "{text}: {}", error.message);
        assert!(!error.hint.is_empty());
    }
    // A component that a map lacks belongs to the map; forms that are dependent are, with a gauge, too.
    let map = format!("{plane}[bivector]\n[pullback]\ncoordinates = [\"s\"]\nx = \"s\"\n");
    let error = &parse_geometry(&GeometryText::new("test.toml", map.as_bytes())).unwrap_err()[0];
    assert_eq!(error.code, MissingPart);
    assert!(map[error.span.start as usize..].starts_with("[pullback]"), "{error:?}");
    let dependent = format!(
        "{plane}[distribution]\na = {{ x = \"y\" }}\nb = {{ x = \"2*y\" }}\n[gauge]\n\"x,y\" = \"1\"\n"
    );
    assert_eq!(refused(dependent.as_bytes()), BTreeSet::from([Dependent]));
    // What is broken is a geometry file if its headings are.
    assert!(is_geometry(b"[bivector]\n\"x,y\" = = 1\n"));
    assert!(!is_geometry(b"[lagrangian]\nL = = 1\n"));
}

/// The forward image over the points of a section, which has to be one.
#[test]
fn forward_images_are_taken_over_sections() {
    let text = |section: &str| {
        format!(
            "coordinates = [\"x\", \"y\", \"z\"]\n[two_form]\n\"x,y\" = \"z\"\n\"x,z\" = \"z\"\n\
             [pushforward]\ncoordinates = [\"u\", \"v\"]\nu = \"x\"\nv = \"y\"\nsection = {section}\n"
        )
    };
    let (report, _) = examined(&text("{ x = \"u\", y = \"v\", z = \"0\" }"));
    let found = report.dirac.unwrap();
    assert_eq!((found.is_dirac(), found.rank), (Some(true), 2));
    assert_eq!(found.kernel.map(|kernel| kernel.len()), Some(2));
    let wrong = text("{ x = \"v\", y = \"u\", z = \"0\" }");
    assert_eq!(refused(wrong.as_bytes()), BTreeSet::from([GeometryCode::Section]));
}

#[test]
fn the_square_of_an_even_field_is_computed() {
    let euler = "[graded]\ncoordinates = { x = 0, a = 1, b = 2 }\ndegree = 0\n\
                 field = { x = \"x\", a = \"a\", b = \"2*b\" }\n";
    assert_eq!(examined(euler).0.homological.unwrap().square_zero, Zero::No);
    // Q = b d/dx with b of degree 2, a coordinate of its own: Q² = b² d²/dx² is not zero either.
    let second = "[graded]\ncoordinates = { x = 0, b = 2 }\ndegree = 2\nfield = { x = \"b\" }\n";
    assert_eq!(examined(second).0.homological.unwrap().square_zero, Zero::No);
    // With a product of odd coordinates it is.
    let odd =
        "[graded]\ncoordinates = { x = 0, a = 1, b = 1 }\ndegree = 2\nfield = { x = \"a*b\" }\n";
    assert_eq!(examined(odd).0.homological.unwrap().square_zero, Zero::Yes);
}

#[test]
fn redundant_generators_do_not_stop_the_report() {
    let text = "coordinates = [\"x\", \"y\"]\n[dirac]\n\
        e1 = { vector = { x = \"1\" }, covector = { y = \"1\" } }\n\
        e2 = { vector = { y = \"1\" }, covector = { x = \"-1\" } }\n\
        e3 = { vector = { x = \"1\", y = \"1\" }, covector = { x = \"-1\", y = \"1\" } }\n";
    let (report, _) = examined(text);
    assert_eq!(is_dirac(&report), Some(true));
    assert!(report.dirac.unwrap().two_class.is_some());
}

#[test]
fn momenta_of_a_bivector_have_names_of_their_own() {
    let text = "coordinates = [\"x\", \"p_x\"]\n[bivector]\n\"x,p_x\" = \"x\"\n";
    let found = examined(text).0.homological.unwrap();
    let names: BTreeSet<&str> = found.coordinates.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names.len(), 4);
}

#[test]
fn a_rank_that_rests_on_random_points_is_not_called_proved() {
    let text = "coordinates = [\"x\", \"y\"]\n[dirac]\n\
        e1 = { vector = { x = \"asin(sin(x)) - x\" } }\ne2 = { vector = { y = \"1\" } }\n";
    assert_eq!(is_dirac(&examined(text).0), None);
}

#[test]
fn pairs_of_a_bracket_are_darboux_pairs() {
    let text = "[graded]\ncoordinates = { x = 0, p = 1 }\nfunction = \"x*p\"\nbracket = 1\n\
                pairs = [[\"x\", \"p\"], [\"x\", \"p\"]]\n";
    let mut file = parse_geometry(&GeometryText::new("test.toml", text.as_bytes())).unwrap();
    assert_eq!(examine(&mut file, &mut budget()).unwrap_err().code(), GeometryCode::Pair);
}

#[test]
fn structures_are_carried_along_maps_and_gauge_transforms() {
    // A sphere in so(3)* is a symplectic leaf: Dirac, of rank 2, with the form r sin(theta).
    let (report, pool) = shipped("sphere_in_so3");
    assert_eq!(is_dirac(&report), Some(true));
    let found = report.dirac.unwrap();
    assert_eq!((found.rank, found.leaf_dimension), (2, Some(2)));
    let text = |id| print::to_text(&pool, id, &mut budget()).unwrap();
    for generator in &found.structure.generators {
        // Each generator (v, a) satisfies a = i_v w with w = c r sin(theta) dtheta ^ dphi, c = 1 or -1.
        let parts = generator.vector.iter().chain(&generator.covector).map(|&e| text(e));
        assert!(parts.clone().any(|e| e != "0"), "{:?}", parts.collect::<Vec<_>>());
    }
    // e^B turns the graph of w into that of w + B: with B = -w the kernel is everything.
    let gauge =
        "coordinates = [\"x\", \"y\"]\n[two_form]\n\"x,y\" = \"x\"\n[gauge]\n\"x,y\" = \"-x\"\n";
    let found = examined(gauge).0.dirac.unwrap();
    assert_eq!(found.kernel.map(|kernel| kernel.len()), Some(2));
    // The plane as a quotient of space by the vertical direction.
    let quotient = "coordinates = [\"x\", \"y\", \"z\"]\n[bivector]\n\"x,y\" = \"1\"\n[pushforward]\n\
        coordinates = [\"u\", \"v\"]\nu = \"x\"\nv = \"2*y\"\nsection = { x = \"u\", y = \"v/2\", z = \"0\" }\n";
    let found = examined(quotient).0.dirac.unwrap();
    assert_eq!((found.is_dirac(), found.rank, found.leaf_dimension), (Some(true), 2, Some(2)));
    let both = format!("{quotient}[pullback]\ncoordinates = [\"s\"]\n");
    let refused = parse_geometry(&GeometryText::new("test.toml", both.as_bytes())).unwrap_err();
    assert_eq!(refused[0].code, GeometryCode::Object);
}

/// The class vanishes where there is any primitive, although the form does not: Euler's field for linear
/// Poisson structures, -p dq for models. On a symplectic torus the area is the obstruction.
#[test]
fn the_class_may_vanish_where_the_form_does_not() {
    let class = |text: &str| {
        let class = examined(text).0.dirac.unwrap().two_class.unwrap();
        (class.zero, class.form_zero)
    };
    let rotations = "coordinates = [\"x\", \"y\", \"z\"]\n[bivector]\n\
                     \"x,y\" = \"z\"\n\"y,z\" = \"x\"\n\"z,x\" = \"y\"\n";
    assert_eq!(class(rotations), (Zero::Yes, Zero::No));
    let report = examined(rotations).0.dirac.unwrap().two_class.unwrap();
    assert!(matches!(report.primitive, HorizontalPrimitive::None { conclusive: true, .. }));
    let plane = "coordinates = [\"u\", \"v\"]\n[two_form]\n\"u,v\" = \"1\"\n";
    assert_eq!(class(plane), (Zero::Yes, Zero::No));
    let torus = format!("periods = {{ u = \"2*pi\", v = \"2*pi\" }}\n{plane}");
    assert_eq!(class(&torus), (Zero::No, Zero::No));
    // The tori of w d_u ^ d_v have areas, and w d_w is a primitive; of d_u ^ d_v it is not decided.
    let tori = "periods = { u = \"2*pi\", v = \"2*pi\" }\ncoordinates = [\"u\", \"v\", \"w\"]\n";
    assert_eq!(class(&format!("{tori}[bivector]\n\"u,v\" = \"w\"\n")).0, Zero::Yes);
    assert!(matches!(
        class(&format!("{tori}[bivector]\n\"u,v\" = \"1\"\n")),
        (Zero::Unknown { .. }, Zero::No)
    ));
}

/// What `derive` calls affine `geometry` does not call Dirac, and a function that is constant at a fixed time is
/// no Casimir function.
#[test]
fn moving_constraints_are_affine_and_not_dirac() {
    for (constraint, dirac, frobenius) in [
        ("x^2 + y^2 = (l + c*t)^2", Some(false), Some(true)),
        ("x' = c", Some(false), Some(true)),
        ("x' + t*y' = 0", Some(false), Some(false)),
        ("exp(t)*(x*x' + y*y') = 0", Some(true), Some(true)),
        ("x^2 + y^2 = l^2", Some(true), Some(true)),
    ] {
        let text = format!(
            "coordinates = [\"x\", \"y\"]\nparameters = {{ l = 1, c = 1 }}\n\
             lagrangian.L = \"(x'^2 + y'^2)/2\"\nconstraints.rod = \"{constraint}\"\n\
             initial.position = {{ x = 0, y = 1 }}\ninitial.velocity = {{ x = 1, y = 0 }}\n"
        );
        let model = parse_model(&ModelText::new("test.toml", text.as_bytes())).unwrap();
        let mut system = derive(model, &mut budget()).unwrap();
        let analysis = analyse(&mut system, &budget());
        let report = examine_model(&mut system, &analysis, &mut budget()).unwrap();
        assert_eq!((is_dirac(&report), report.frobenius), (dirac, frobenius), "{constraint}");
        assert_eq!(report.frobenius, analysis.distribution.integrable, "{constraint}");
        let found = report.dirac.unwrap();
        assert_eq!(found.casimirs.is_some(), dirac == Some(true), "{constraint}");
        assert_eq!(found.two_class.is_some(), dirac == Some(true), "{constraint}");
    }
}
