//! Dirac structures: known ones, and theorems about random ones.

use isotrope_algebra::linear::{LinearError, Matrix};
use isotrope_algebra::modular::Random;
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Budget, ExprId, Pool, Rational, print};
use isotrope_geometry::{
    Circle, DiracStructure, Distribution, Generator, HorizontalPrimitive, LeafDimension, TwoForm,
};

use crate::support::{cases, small};

fn budget() -> Budget {
    Budget::new(20_000_000)
}

fn symbols(pool: &mut Pool, names: &[&str]) -> Vec<ExprId> {
    names.iter().map(|name| pool.symbol(name)).collect()
}

fn row(pool: &mut Pool, texts: &[&str]) -> Vec<ExprId> {
    texts.iter().map(|text| parse_expression(pool, text).unwrap()).collect()
}

/// An antisymmetric matrix from the entries above its diagonal: `(i, j, text)`.
fn antisymmetric(pool: &mut Pool, size: usize, entries: &[(usize, usize, &str)]) -> Matrix {
    let mut matrix = Matrix::zero(size, size);
    for &(i, j, text) in entries {
        let value = parse_expression(pool, text).unwrap();
        matrix.set(i, j, value);
        let opposite = pool.neg(value);
        matrix.set(j, i, opposite);
    }
    matrix
}

fn text(pool: &Pool, id: ExprId) -> String {
    print::to_text(pool, id, &mut budget()).unwrap()
}

/// `(rank, isotropic)` and the components of the Courant tensor as text.
fn facts(pool: &mut Pool, structure: &DiracStructure) -> (usize, Vec<String>) {
    assert_eq!(structure.is_isotropic(pool, &mut budget()), Zero::Yes);
    let rank = structure.rank_and_drops(pool, &mut budget()).unwrap().rank;
    let tensor = structure.courant_tensor(pool, &mut budget()).unwrap();
    let list = tensor.components.iter().map(|part| {
        assert_eq!(part.zero, Zero::No);
        let [a, b, c] = part.indices.map(|index| index + 1);
        format!("{a},{b},{c}: {}", text(pool, part.value))
    });
    (rank, list.collect())
}

fn nothing() -> Vec<String> {
    Vec::new()
}

#[test]
fn the_graph_of_so3_is_dirac_and_its_casimir_is_the_square() {
    let pool = &mut Pool::new();
    let base = symbols(pool, &["x", "y", "z"]);
    let matrix = antisymmetric(pool, 3, &[(0, 1, "z"), (1, 2, "x"), (0, 2, "-y")]);
    let graph = DiracStructure::graph_of_bivector(&base, &matrix);
    assert_eq!(facts(pool, &graph), (3, nothing()));
    let casimirs = graph.casimirs(pool, 3, &mut budget()).unwrap();
    assert_eq!((casimirs.functions.len(), casimirs.codimension), (1, 1));
    assert_eq!(text(pool, casimirs.functions[0]), "x^2 + y^2 + z^2");
    assert!(graph.kernel(pool, &mut budget()).unwrap().is_empty());
    let covectors = graph.casimir_covectors(pool, &mut budget()).unwrap();
    let expected = row(pool, &["x", "y", "z"]);
    assert_eq!(covectors, [expected]);
    let (back, _) = graph.to_bivector(pool, &mut budget()).unwrap();
    assert_eq!(back, matrix);
    let refused = graph.to_two_form(pool, &mut budget()).unwrap_err();
    assert_eq!(refused, LinearError::Singular { rank: 2 });
}

#[test]
fn bivectors_and_two_forms_that_are_not_integrable() {
    let pool = &mut Pool::new();
    let base = symbols(pool, &["x", "y", "z"]);
    // d_x ^ d_y + y d_y ^ d_z.
    let matrix = antisymmetric(pool, 3, &[(0, 1, "1"), (1, 2, "y")]);
    let graph = DiracStructure::graph_of_bivector(&base, &matrix);
    assert_eq!(facts(pool, &graph), (3, vec!["1,2,3: 1".to_owned()]));
    // z dx ^ dy is not closed, x dx ^ dy is, with the kernel d/dz.
    let open = antisymmetric(pool, 3, &[(0, 1, "z")]);
    let graph = DiracStructure::graph_of_two_form(&base, &open);
    assert_eq!(facts(pool, &graph), (3, vec!["1,2,3: 1".to_owned()]));
    let closed = antisymmetric(pool, 3, &[(0, 1, "x")]);
    let graph = DiracStructure::graph_of_two_form(&base, &closed);
    assert_eq!(facts(pool, &graph), (3, nothing()));
    let kernel = graph.kernel(pool, &mut budget()).unwrap();
    assert_eq!(kernel, [row(pool, &["0", "0", "1"])]);
    let (back, _) = graph.to_two_form(pool, &mut budget()).unwrap();
    assert_eq!(back, closed);
}

fn distribution(pool: &mut Pool, names: &[&str], forms: &[&[&str]]) -> Distribution {
    let coordinates = symbols(pool, names);
    let forms: Vec<_> = forms.iter().map(|form| row(pool, form)).collect();
    Distribution::from_forms(pool, &coordinates, &forms, &mut budget()).unwrap()
}

#[test]
fn contact_planes_are_not_dirac_and_spheres_are() {
    let pool = &mut Pool::new();
    let contact = distribution(pool, &["x", "y", "z"], &[&["0", "-x", "1"]]);
    let structure = DiracStructure::of_distribution(pool, &contact, &Matrix::zero(3, 3));
    let (rank, tensor) = facts(pool, &structure);
    assert_eq!((rank, tensor), (3, vec!["1,2,3: 1".to_owned()]));
    let spheres = distribution(pool, &["x", "y", "z"], &[&["x", "y", "z"]]);
    let structure = DiracStructure::of_distribution(pool, &spheres, &Matrix::zero(3, 3));
    assert_eq!(facts(pool, &structure), (3, nothing()));
    let casimirs = structure.casimirs(pool, 2, &mut budget()).unwrap();
    assert_eq!(text(pool, casimirs.functions[0]), "x^2 + y^2 + z^2");
}

#[test]
fn the_pendulum_is_dirac_and_its_rank_drops_where_the_rod_has_no_length() {
    let pool = &mut Pool::new();
    let pendulum = distribution(pool, &["x", "y"], &[&["2*x", "2*y"]]);
    let structure = DiracStructure::of_constraints(pool, &pendulum, &[]);
    assert_eq!(facts(pool, &structure), (4, nothing()));
    let drops = structure.rank_and_drops(pool, &mut budget()).unwrap().drops;
    let drops: Vec<String> = drops.iter().map(|&drop| text(pool, drop)).collect();
    assert_eq!(drops, ["x^2 + y^2"]);
}

#[test]
fn the_sleigh_is_not_dirac_by_one_component() {
    let pool = &mut Pool::new();
    let blade: &[&str] = &["sin(theta)", "-cos(theta)", "0"];
    let sleigh = distribution(pool, &["x", "y", "theta"], &[blade]);
    let structure = DiracStructure::of_constraints(pool, &sleigh, &[]);
    // Generators: X1, X2, the three d/dp, alpha.
    assert_eq!(facts(pool, &structure), (6, vec!["1,2,6: 1".to_owned()]));
    let drops = structure.rank_and_drops(pool, &mut budget()).unwrap().drops;
    assert!(drops.is_empty());
}

#[test]
fn a_magnetic_term_is_dirac_exactly_if_the_field_has_no_divergence() {
    let pool = &mut Pool::new();
    let base = symbols(pool, &["x", "y", "z", "px", "py", "pz"]);
    let omega = [(0, 3, "1"), (1, 4, "1"), (2, 5, "1")];
    let magnetic = |bx: &'static str, by: &'static str, bz: &'static str| {
        [&omega[..], &[(1, 2, bx), (0, 2, by), (0, 1, bz)]].concat()
    };
    // B = (x, -2y, z) has no divergence; B = (x, y, z) has 3. The 2-form is
    // Bx dy^dz + By dz^dx + Bz dx^dy.
    let form = antisymmetric(pool, 6, &magnetic("x", "2*y", "z"));
    let graph = DiracStructure::graph_of_two_form(&base, &form);
    assert_eq!(facts(pool, &graph), (6, nothing()));
    let form = antisymmetric(pool, 6, &magnetic("x", "-y", "z"));
    let graph = DiracStructure::graph_of_two_form(&base, &form);
    assert_eq!(facts(pool, &graph), (6, vec!["1,2,3: 3".to_owned()]));
}

#[test]
fn the_lc_circuit_has_the_casimir_of_its_fluxes() {
    let pool = &mut Pool::new();
    let base = symbols(pool, &["q", "phi1", "phi2"]);
    let matrix = antisymmetric(pool, 3, &[(0, 1, "1"), (0, 2, "-1")]);
    let graph = DiracStructure::graph_of_bivector(&base, &matrix);
    assert_eq!(facts(pool, &graph), (3, nothing()));
    let casimirs = graph.casimirs(pool, 2, &mut budget()).unwrap();
    let found: Vec<String> = casimirs.functions.iter().map(|&f| text(pool, f)).collect();
    assert_eq!(found, ["phi1 + phi2"]);
}

#[test]
fn casimirs_of_rotations_through_sines_are_found() {
    // d_theta ^ (cos(theta) d_x + sin(theta) d_y) has the Casimir z alone.
    let pool = &mut Pool::new();
    let base = symbols(pool, &["x", "y", "z", "theta"]);
    let matrix = antisymmetric(pool, 4, &[(3, 0, "cos(theta)"), (3, 1, "sin(theta)")]);
    let graph = DiracStructure::graph_of_bivector(&base, &matrix);
    let casimirs = graph.casimirs(pool, 2, &mut budget()).unwrap();
    let found: Vec<String> = casimirs.functions.iter().map(|&f| text(pool, f)).collect();
    assert_eq!((found, casimirs.codimension), (vec!["z".to_owned()], 2));
}

/// A polynomial of degree at most 2 in the symbols.
fn polynomial(pool: &mut Pool, base: &[ExprId], random: &mut Random) -> ExprId {
    let terms: Vec<(Rational, ExprId)> = (0..random.below(3))
        .map(|_| {
            let factors: Vec<ExprId> = (0..random.below(3))
                .map(|_| base[random.below(base.len() as u64) as usize])
                .collect();
            (small(random), pool.product(&factors))
        })
        .collect();
    pool.linear_combination(&terms)
}

fn random_matrix(pool: &mut Pool, base: &[ExprId], random: &mut Random) -> Matrix {
    let mut matrix = Matrix::zero(base.len(), base.len());
    for i in 0..base.len() {
        for j in i + 1..base.len() {
            let value = polynomial(pool, base, random);
            matrix.set(i, j, value);
            let opposite = pool.neg(value);
            matrix.set(j, i, opposite);
        }
    }
    matrix
}

fn random_structure(pool: &mut Pool, base: &[ExprId], random: &mut Random) -> DiracStructure {
    let matrix = random_matrix(pool, base, random);
    match random.below(3) {
        0 => DiracStructure::graph_of_bivector(base, &matrix),
        1 => DiracStructure::graph_of_two_form(base, &matrix),
        _ => {
            // A graph seen through a gauge transform: neither of the two.
            let form = random_matrix(pool, base, random);
            DiracStructure::graph_of_bivector(base, &matrix).gauge_transformed(pool, &form)
        }
    }
}

fn vanishes(pool: &mut Pool, value: ExprId) -> bool {
    let expanded = isotrope_algebra::normal::expand(pool, value, &mut budget());
    expanded.map_or_else(|_| is_zero(pool, value, &mut budget()) == Zero::Yes, ExprId::is_zero)
}

#[test]
fn the_courant_tensor_is_totally_antisymmetric() {
    let mut pool = Pool::new();
    let mut base = Vec::new();
    let mut number = 0;
    cases(|random| {
        if number % 500 == 0 {
            pool = Pool::new();
            base = symbols(&mut pool, &["x", "y", "z"]);
        }
        number += 1;
        let pool = &mut pool;
        let structure = random_structure(pool, &base, random);
        let value = |pool: &mut Pool, indices| {
            structure.courant_component(pool, indices, &mut budget()).unwrap()
        };
        let first = value(pool, [0, 1, 2]);
        for (indices, even) in
            [([1, 2, 0], true), ([1, 0, 2], false), ([0, 2, 1], false), ([2, 1, 0], false)]
        {
            let other = value(pool, indices);
            let difference = if even { pool.sub(first, other) } else { pool.add(first, other) };
            assert!(vanishes(pool, difference));
        }
        let (a, b) = (random.below(3) as usize, random.below(3) as usize);
        let repeated = value(pool, [a, a, b]);
        assert!(vanishes(pool, repeated));
    });
}

#[test]
fn the_courant_tensor_of_a_graph_is_half_the_schouten_bracket_or_the_exterior_derivative() {
    let mut pool = Pool::new();
    let mut base = Vec::new();
    let mut number = 0;
    cases(|random| {
        if number % 500 == 0 {
            pool = Pool::new();
            base = symbols(&mut pool, &["x", "y", "z"]);
        }
        number += 1;
        let pool = &mut pool;
        let budget = &mut budget();
        let matrix = random_matrix(pool, &base, random);
        let mut slope = |pool: &mut Pool, i: usize, j: usize, k: usize| {
            isotrope_algebra::calculus::derivative(pool, matrix.get(i, j), base[k], budget).unwrap()
        };
        let (mut of_bivector, mut of_form) = (Vec::new(), Vec::new());
        for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            for l in 0..3 {
                let value = slope(pool, j, k, l);
                let term = pool.mul(matrix.get(l, i), value);
                of_bivector.push(pool.neg(term));
            }
            of_form.push(slope(pool, j, k, i));
        }
        for (graph, expected) in [
            (DiracStructure::graph_of_bivector(&base, &matrix), pool.sum(&of_bivector)),
            (DiracStructure::graph_of_two_form(&base, &matrix), pool.sum(&of_form)),
        ] {
            let found = graph.courant_component(pool, [0, 1, 2], budget).unwrap();
            let difference = pool.sub(found, expected);
            assert!(vanishes(pool, difference));
        }
        // e^B changes it by dB on the vectors: on the graph of a form these are the coordinate
        // fields.
        let form = random_matrix(pool, &base, random);
        let graph = DiracStructure::graph_of_two_form(&base, &matrix);
        let turned = graph.gauge_transformed(pool, &form);
        let alone = DiracStructure::graph_of_two_form(&base, &form);
        let [before, after, change] = [&graph, &turned, &alone]
            .map(|graph| graph.courant_component(pool, [0, 1, 2], budget).unwrap());
        let sum = pool.add(before, change);
        let difference = pool.sub(after, sum);
        assert!(vanishes(pool, difference));
    });
}

#[test]
fn images_of_dirac_structures_are_lagrangian() {
    let mut pool = Pool::new();
    let (mut plane, mut space) = (Vec::new(), Vec::new());
    let mut number = 0;
    cases(|random| {
        if number % 500 == 0 {
            pool = Pool::new();
            plane = symbols(&mut pool, &["u", "v"]);
            space = symbols(&mut pool, &["x", "y", "z"]);
        }
        number += 1;
        let pool = &mut pool;
        let budget = &mut budget();
        // Constant structures at a point and linear maps: images are pointwise.
        let mut constant = |size: usize| {
            let mut matrix = Matrix::zero(size, size);
            for i in 0..size {
                for j in i + 1..size {
                    let value = small(random);
                    let id = pool.number(value);
                    matrix.set(i, j, id);
                    let opposite = pool.neg(id);
                    matrix.set(j, i, opposite);
                }
            }
            matrix
        };
        let (matrix, form) = (constant(3), constant(3));
        let structure = DiracStructure::graph_of_bivector(&space, &matrix);
        let structure = structure.gauge_transformed(pool, &form);
        let mut linear = |pool: &mut Pool, from: &[ExprId]| {
            let terms: Vec<(Rational, ExprId)> = from.iter().map(|&x| (small(random), x)).collect();
            pool.linear_combination(&terms)
        };
        let images: Vec<ExprId> = (0..3).map(|_| linear(pool, &plane)).collect();
        let backward = structure.backward_image(pool, &plane, &images, budget).unwrap();
        let projection: Vec<ExprId> = (0..2).map(|_| linear(pool, &space)).collect();
        let section = vec![ExprId::ZERO; 3];
        let forward = structure.forward_image(pool, &plane, &projection, &section, budget).unwrap();
        for image in [backward, forward] {
            assert_eq!(image.is_isotropic(pool, budget), Zero::Yes);
            assert_eq!(image.rank(pool, budget).unwrap().rank, 2);
        }
    });
}

#[test]
fn restriction_and_reduction_of_poisson_structures() {
    let pool = &mut Pool::new();
    let budget = &mut budget();
    // The restriction of dx^dy on R^3 to the graph z = u v is du^dv; its backward image along a
    // curve is the graph of the zero form.
    let space = symbols(pool, &["x", "y", "z"]);
    let plane = symbols(pool, &["u", "v"]);
    let form = antisymmetric(pool, 3, &[(0, 1, "1")]);
    let graph = DiracStructure::graph_of_two_form(&space, &form);
    let images = row(pool, &["u", "v", "u*v"]);
    let restricted = graph.backward_image(pool, &plane, &images, budget).unwrap();
    assert_eq!(facts(pool, &restricted), (2, nothing()));
    let (found, _) = restricted.to_two_form(pool, budget).unwrap();
    assert_eq!(found, antisymmetric(pool, 2, &[(0, 1, "1")]));
    // The canonical bivector on R^4 is invariant along the second pair: the forward image to the
    // first pair is canonical.
    let four = symbols(pool, &["a", "b", "c", "d"]);
    let canonical = antisymmetric(pool, 4, &[(0, 1, "1"), (2, 3, "1")]);
    let graph = DiracStructure::graph_of_bivector(&four, &canonical);
    let (images, section) = (row(pool, &["a", "b"]), row(pool, &["u", "v", "0", "0"]));
    let reduced = graph.forward_image(pool, &plane, &images, &section, budget).unwrap();
    let (found, _) = reduced.to_bivector(pool, budget).unwrap();
    assert_eq!(found, antisymmetric(pool, 2, &[(0, 1, "1")]));
}

#[test]
fn d_delta_is_the_gauge_transform_of_a_backward_image() {
    // e^Omega pi^! (F + F^0) = D_Delta for the distribution F, holonomic or not.
    let pool = &mut Pool::new();
    let budget = &mut budget();
    let blade: &[&str] = &["sin(theta)", "-cos(theta)", "0"];
    let sleigh = distribution(pool, &["x", "y", "theta"], &[blade]);
    let below = DiracStructure::of_distribution(pool, &sleigh, &Matrix::zero(3, 3));
    let total = symbols(pool, &["x", "y", "theta", "p_x", "p_y", "p_theta"]);
    let images = symbols(pool, &["x", "y", "theta"]);
    let above = below.backward_image(pool, &total, &images, budget).unwrap();
    let omega = antisymmetric(pool, 6, &[(0, 3, "1"), (1, 4, "1"), (2, 5, "1")]);
    let turned = above.gauge_transformed(pool, &omega);
    let expected = DiracStructure::of_constraints(pool, &sleigh, &[]);
    assert_eq!((turned.generators.len(), expected.base), (6, turned.base.clone()));
    // The same subspace: every generator of one is orthogonal to all of the other.
    let mut joined = turned.clone();
    joined.generators.extend(expected.generators);
    assert_eq!(joined.is_isotropic(pool, budget), Zero::Yes);
    assert_eq!(turned.rank(pool, budget).unwrap().rank, 6);
    assert_eq!(turned.courant_tensor(pool, budget).unwrap().vanishes(), Zero::No);
}

#[test]
fn compositions_are_dirac_and_transformers_compose() {
    let pool = &mut Pool::new();
    let base = symbols(pool, &["a", "b"]);
    let more = symbols(pool, &["c", "d"]);
    // Transformers f1 = -n f2, e2 = n e1, in kernel form F f + E e = 0; the ratios multiply.
    let transformer = |pool: &mut Pool, base: &[ExprId], ratio: &str| {
        let opposite = format!("-({ratio})");
        let flows = [row(pool, &["1", ratio]), row(pool, &["0", "0"])];
        let efforts = [row(pool, &["0", "0"]), row(pool, &[&opposite, "1"])];
        let (flows, efforts) = (Matrix::from_rows(2, &flows), Matrix::from_rows(2, &efforts));
        DiracStructure::from_kernel(base, &flows, &efforts)
    };
    let first = transformer(pool, &base, "n");
    let second = transformer(pool, &more, "m");
    for structure in [&first, &second] {
        assert_eq!(facts(pool, structure), (2, nothing()));
    }
    let both = first.composed(pool, &second, 1, &mut budget()).unwrap();
    assert_eq!(facts(pool, &both), (2, nothing()));
    // f1 = -n f2 = n g2 = -n m g3 and h3 = m h2 = m e2 = n m e1.
    let expected = transformer(pool, &[base[0], more[1]], "n*m");
    let wrong = transformer(pool, &[base[0], more[1]], "-n*m");
    let same = |pool: &mut Pool, other: &DiracStructure| {
        let mut joined = both.clone();
        joined.generators.extend(other.generators.clone());
        joined.is_isotropic(pool, &mut budget())
    };
    assert_eq!(same(pool, &expected), Zero::Yes);
    assert_eq!(same(pool, &wrong), Zero::No);
    let (flows, efforts) = first.to_kernel();
    assert_eq!(DiracStructure::from_kernel(&base, &flows, &efforts), first);
}

fn primitive(pool: &mut Pool, structure: &DiracStructure) -> Result<Vec<String>, bool> {
    let class = structure.basic_two_class(pool, &mut budget()).unwrap().unwrap();
    assert_eq!((class.square, class.closed), (Zero::Yes, Zero::Yes));
    match structure.horizontal_primitive(pool, 2, &mut budget()).unwrap() {
        HorizontalPrimitive::Found(beta) => {
            Ok(beta.iter().map(|&component| text(pool, component)).collect())
        }
        HorizontalPrimitive::None { conclusive, .. } => Err(conclusive),
    }
}

#[test]
fn the_basic_class_of_a_symplectic_form_is_minus_d_of_p_dq() {
    let pool = &mut Pool::new();
    let base = symbols(pool, &["q", "p"]);
    let form = antisymmetric(pool, 2, &[(0, 1, "1")]);
    let graph = DiracStructure::graph_of_two_form(&base, &form);
    assert_eq!(primitive(pool, &graph), Ok(vec!["-p".to_owned(), "0".to_owned()]));
    // As the graph of a Poisson structure, and with a parameter that is a Casimir function.
    let base = symbols(pool, &["x", "y", "z"]);
    let bivector = antisymmetric(pool, 3, &[(0, 1, "1")]);
    let graph = DiracStructure::graph_of_bivector(&base, &bivector);
    assert_eq!(primitive(pool, &graph), Ok(vec!["-y".to_owned(), "0".to_owned(), "0".to_owned()]));
}

#[test]
fn the_basic_class_of_a_foliation_is_zero_and_that_of_rotations_has_no_horizontal_primitive() {
    let pool = &mut Pool::new();
    let spheres = distribution(pool, &["x", "y", "z"], &[&["0", "0", "1"]]);
    let foliation = DiracStructure::of_distribution(pool, &spheres, &Matrix::zero(3, 3));
    let class = foliation.basic_two_class(pool, &mut budget()).unwrap().unwrap();
    assert_eq!((class.zero, class.square), (Zero::Yes, Zero::Yes));
    let base = symbols(pool, &["x", "y", "z"]);
    let matrix = antisymmetric(pool, 3, &[(0, 1, "z"), (1, 2, "x"), (0, 2, "-y")]);
    let rotations = DiracStructure::graph_of_bivector(&base, &matrix);
    assert_eq!(primitive(pool, &rotations), Err(true));
    // A structure that is not involutive has no class at all.
    let contact = distribution(pool, &["x", "y", "z"], &[&["0", "-x", "1"]]);
    let planes = DiracStructure::of_distribution(pool, &contact, &Matrix::zero(3, 3));
    assert_eq!(planes.basic_two_class(pool, &mut budget()), Ok(None));
}

#[test]
fn holonomic_constraints_have_the_class_of_the_canonical_form() {
    // D_Delta of the pendulum: omega_D on (X, d_p) is that of Omega, and -p dq restricted is a
    // primitive.
    let pool = &mut Pool::new();
    let pendulum = distribution(pool, &["x", "y"], &[&["x", "y"]]);
    let structure = DiracStructure::of_constraints(pool, &pendulum, &[]);
    let found = primitive(pool, &structure);
    assert_eq!(found, Ok(["-p_x", "-p_y", "0", "0"].map(str::to_owned).to_vec()));
    // With a magnetic field B dx ^ dy on the plane the form is Omega + B.
    let base = symbols(pool, &["x", "y", "px", "py"]);
    let form = antisymmetric(pool, 4, &[(0, 2, "1"), (1, 3, "1"), (0, 1, "B")]);
    let graph = DiracStructure::graph_of_two_form(&base, &form);
    assert_eq!(
        primitive(pool, &graph),
        Ok(["-B*y - px", "-py", "0", "0"].map(str::to_owned).to_vec())
    );
}

#[test]
fn coefficients_of_ansatzes_are_rational_in_the_parameters() {
    let pool = &mut Pool::new();
    let base = symbols(pool, &["x", "y"]);
    // As a bivector k the form of the leaves is dx ^ dy/k, so beta divides by k; as a form it is k^3.
    let bivector = antisymmetric(pool, 2, &[(0, 1, "k")]);
    let graph = DiracStructure::graph_of_bivector(&base, &bivector);
    assert_eq!(primitive(pool, &graph), Ok(vec!["-y/k".to_owned(), "0".to_owned()]));
    let form = antisymmetric(pool, 2, &[(0, 1, "k^3*pi")]);
    let graph = DiracStructure::graph_of_two_form(&base, &form);
    assert_eq!(primitive(pool, &graph), Ok(vec!["-pi*k^3*y".to_owned(), "0".to_owned()]));
    // A root of a number is not a parameter: nothing is found, and nothing concluded. A form is integrated.
    let root = antisymmetric(pool, 2, &[(0, 1, "sqrt(2)")]);
    let graph = DiracStructure::graph_of_bivector(&base, &root);
    assert_eq!(primitive(pool, &graph), Err(false));
    let graph = DiracStructure::graph_of_two_form(&base, &root);
    assert_eq!(primitive(pool, &graph), Ok(vec!["-sqrt(2)*y".to_owned(), "0".to_owned()]));
    // Nambu's bracket {f, g} = det(df, dg, dC) has the Casimir function C.
    let base = symbols(pool, &["x", "y", "z"]);
    let entries = [(0, 1, "3*z^2 + a*x*y"), (1, 2, "3*x^2 + a*y*z"), (0, 2, "-3*y^2 - a*x*z")];
    let nambu = antisymmetric(pool, 3, &entries);
    let graph = DiracStructure::graph_of_bivector(&base, &nambu);
    let casimirs = graph.casimirs(pool, 3, &mut budget()).unwrap();
    assert_eq!(casimirs.functions.len(), 1);
    for generator in &graph.generators {
        let mut parts = Vec::new();
        for (&x, &component) in base.iter().zip(&generator.vector) {
            let slope = isotrope_algebra::calculus::derivative(
                pool,
                casimirs.functions[0],
                x,
                &mut budget(),
            );
            parts.push(pool.mul(component, slope.unwrap()));
        }
        let rate = pool.sum(&parts);
        assert_eq!(isotrope_algebra::normal::is_zero(pool, rate, &mut budget()), Zero::Yes);
    }
}

#[test]
fn poles_are_no_drops_of_the_rank_and_frames_are_no_structures() {
    let pool = &mut Pool::new();
    let base = symbols(pool, &["x", "y"]);
    let bivector = antisymmetric(pool, 2, &[(0, 1, "1/x")]);
    let graph = DiracStructure::graph_of_bivector(&base, &bivector);
    let found = graph.rank_and_drops(pool, &mut budget()).unwrap();
    assert_eq!((found.rank, found.drops), (2, Vec::new()));
    assert_eq!(graph.excluded(pool, &mut budget()).unwrap(), [base[0]]);
    // Planes tangent to spheres: the frame has poles of its own, the structure only the centre.
    let spheres = distribution(pool, &["x", "y", "z"], &[&["x", "y", "z"]]);
    let structure = DiracStructure::of_distribution(pool, &spheres, &Matrix::zero(3, 3));
    let found = structure.rank_and_drops_of_forms(pool, &mut budget()).unwrap();
    let list = |list: &[ExprId]| list.iter().map(|&f| text(pool, f)).collect::<Vec<_>>();
    assert_eq!(list(&found.drops), ["x^2 + y^2 + z^2"]);
    assert_eq!(found.frame.len(), 1);
}

#[test]
fn homogeneous_forms_have_primitives_of_the_degree_that_matters() {
    let pool = &mut Pool::new();
    let base = symbols(pool, &["x", "y"]);
    let form = antisymmetric(pool, 2, &[(0, 1, "x^2*y^2")]);
    let graph = DiracStructure::graph_of_two_form(&base, &form);
    // d(beta) = -x^2*y^2 dy ^ dx, of degree 5, where at most 2 was asked for.
    assert_eq!(primitive(pool, &graph), Ok(vec!["-x^2*y^3/3".to_owned(), "0".to_owned()]));
}

/// Poincaré: a closed form with polynomial coefficients has a primitive, of whatever degree and in
/// whatever dimension.
#[test]
fn closed_polynomial_forms_have_primitives() {
    let pool = &mut Pool::new();
    let names = ["a", "b", "c", "d", "e", "f"];
    let base = symbols(pool, &names);
    let form = antisymmetric(pool, 6, &[(0, 1, "6*a^5")]);
    let graph = DiracStructure::graph_of_two_form(&base, &form);
    let found = graph.horizontal_primitive(pool, 2, &mut budget()).unwrap();
    let HorizontalPrimitive::Found(beta) = found else { panic!("a^6 db is one") };
    assert_eq!(graph.is_horizontal_primitive(pool, &beta, &mut budget()), Ok(Zero::Yes));
    let other = row(pool, &["0", "a^6", "0", "0", "0", "0"]);
    assert_eq!(graph.is_horizontal_primitive(pool, &other, &mut budget()), Ok(Zero::Yes));
    let wrong = row(pool, &["0", "a^5", "0", "0", "0", "0"]);
    assert_eq!(graph.is_horizontal_primitive(pool, &wrong, &mut budget()), Ok(Zero::No));
    // Random ones: d of a one-form.
    let base = symbols(pool, &["x", "y", "z"]);
    let mut random = Random::new(41);
    for _ in 0..20 {
        let theta: Vec<ExprId> = (0..3).map(|_| polynomial(pool, &base, &mut random)).collect();
        let form = TwoForm::exact(pool, &base, &theta, &mut budget()).unwrap();
        let graph = DiracStructure::graph_of_two_form(&base, &form.matrix);
        let found = graph.horizontal_primitive(pool, 1, &mut budget()).unwrap();
        let HorizontalPrimitive::Found(beta) = found else { panic!("theta is one") };
        assert_eq!(graph.is_horizontal_primitive(pool, &beta, &mut budget()), Ok(Zero::Yes));
    }
    // Where an ansatz is too large nothing is concluded.
    let names: Vec<String> = (0..24).map(|k| format!("x{k}")).collect();
    let base: Vec<ExprId> = names.iter().map(|name| pool.symbol(name)).collect();
    let closed = antisymmetric(pool, 24, &[(0, 1, "1")]);
    let graph = DiracStructure::graph_of_bivector(&base, &closed);
    let found = graph.horizontal_primitive(pool, 2, &mut budget()).unwrap();
    assert_eq!(found, HorizontalPrimitive::None { degree: 0, conclusive: false });
}

/// On a cylinder u dv is periodic, on a torus nothing is: the area is not zero.
#[test]
fn primitives_over_circles_are_periodic() {
    let pool = &mut Pool::new();
    let base = symbols(pool, &["u", "v"]);
    let period = parse_expression(pool, "2*pi").unwrap();
    let circles: Vec<Circle> =
        base.iter().map(|&coordinate| Circle { coordinate, period }).collect();
    for graph in [DiracStructure::graph_of_two_form, DiracStructure::graph_of_bivector] {
        let area = antisymmetric(pool, 2, &[(0, 1, "1")]);
        let graph = graph(&base, &area);
        let found = graph.horizontal_primitive_over(pool, 2, &circles[1..], &mut budget()).unwrap();
        let HorizontalPrimitive::Found(beta) = found else { panic!("u dv is one") };
        assert!(!pool.depends_on(beta[1], &base[1..]) && beta[0].is_zero());
        assert_eq!(graph.is_horizontal_primitive(pool, &beta, &mut budget()), Ok(Zero::Yes));
        let none = graph.horizontal_primitive_over(pool, 2, &circles, &mut budget()).unwrap();
        assert!(matches!(none, HorizontalPrimitive::None { .. }));
        let form = graph.form_of_leaves(pool, [0, 1], &mut budget()).unwrap().unwrap();
        assert_eq!(pool.powi(form, 2), ExprId::ONE);
        assert_eq!(graph.is_periodic(pool, circles[0], &mut budget()), Ok(Zero::Yes));
    }
    // cos(v) du ^ dv is that of u cos(v) dv, periodic in v; v du ^ dv is not a form on the cylinder.
    let wave = antisymmetric(pool, 2, &[(0, 1, "cos(v)")]);
    let graph = DiracStructure::graph_of_two_form(&base, &wave);
    let found = graph.horizontal_primitive_over(pool, 2, &circles[1..], &mut budget()).unwrap();
    assert!(matches!(found, HorizontalPrimitive::Found(_)));
    let torn = antisymmetric(pool, 2, &[(0, 1, "v")]);
    let graph = DiracStructure::graph_of_two_form(&base, &torn);
    assert_eq!(graph.is_periodic(pool, circles[1], &mut budget()), Ok(Zero::No));
    // The Casimir function u of d_x ^ d_y is none if u is an angle.
    let base = symbols(pool, &["x", "y", "u"]);
    let plane = antisymmetric(pool, 3, &[(0, 1, "1")]);
    let graph = DiracStructure::graph_of_bivector(&base, &plane);
    let circle = [Circle { coordinate: base[2], period }];
    assert_eq!(graph.casimirs(pool, 2, &mut budget()).unwrap().functions, [base[2]]);
    assert!(graph.casimirs_over(pool, 2, &circle, &mut budget()).unwrap().functions.is_empty());
}

/// The forward image of a linear relation is taken at the points of the section: over z = 0 the
/// form z (dx^dy + dx^dz) is zero, and the image of TR^3 is TR^2.
#[test]
fn forward_images_are_pointwise() {
    let pool = &mut Pool::new();
    let base = symbols(pool, &["x", "y", "z"]);
    let form = antisymmetric(pool, 3, &[(0, 1, "z"), (0, 2, "z")]);
    let graph = DiracStructure::graph_of_two_form(&base, &form);
    let target = symbols(pool, &["u", "v"]);
    let section = row(pool, &["u", "v", "0"]);
    let image = graph.forward_image(pool, &target, &base[..2], &section, &mut budget()).unwrap();
    assert_eq!(facts(pool, &image), (2, nothing()));
    assert_eq!(image.kernel(pool, &mut budget()).unwrap().len(), 2);
    // Over z = 1 it is the span of (d_u, 0) and (0, dv): i_z vanishes on d_y - d_z and covectors of z.
    let section = row(pool, &["u", "v", "1"]);
    let image = graph.forward_image(pool, &target, &base[..2], &section, &mut budget()).unwrap();
    assert_eq!(facts(pool, &image), (2, nothing()));
    assert_eq!(image.kernel(pool, &mut budget()).unwrap().len(), 1);
}

#[test]
fn frames_of_kernels_are_independent() {
    let pool = &mut Pool::new();
    let base = symbols(pool, &["x", "y"]);
    let rows = [(["1", "0"], ["0", "0"]), (["y", "0"], ["0", "0"]), (["0", "0"], ["0", "1"])];
    let generators = rows.map(|(vector, covector)| Generator {
        vector: row(pool, &vector),
        covector: row(pool, &covector),
    });
    let structure = DiracStructure { base, generators: generators.to_vec() };
    assert_eq!(facts(pool, &structure), (2, nothing()));
    let kernel = structure.kernel_and_proof(pool, &mut budget()).unwrap();
    assert_eq!(kernel.vectors, [row(pool, &["1", "0"])]);
    assert!(kernel.proved);
}

/// What vanishes at random points only is not proved to vanish.
#[test]
fn leaves_and_kernels_of_undecided_entries_are_not_proved() {
    let pool = &mut Pool::new();
    let base = symbols(pool, &["x", "y", "z"]);
    let zero = "z*(sqrt(5 + 2*sqrt(6)) - sqrt(2) - sqrt(3))";
    for entry in [zero, "heaviside(z - 100)"] {
        let matrix = antisymmetric(pool, 3, &[(0, 1, entry)]);
        let form = DiracStructure::graph_of_two_form(&base, &matrix);
        assert!(!form.kernel_and_proof(pool, &mut budget()).unwrap().proved, "{entry}");
        let leaves = DiracStructure::graph_of_bivector(&base, &matrix);
        assert!(!leaves.leaf_dimension(pool, &mut budget()).unwrap().proved, "{entry}");
    }
    let matrix = antisymmetric(pool, 3, &[(0, 1, "z*sqrt(1 + x^2)")]);
    let leaves = DiracStructure::graph_of_bivector(&base, &matrix);
    let found = leaves.leaf_dimension(pool, &mut budget()).unwrap();
    assert_eq!(found, LeafDimension { dimension: 2, proved: true });
}

/// e^Omega pi^! graph(B) = graph(Omega + pi*B) for pi: T*Q -> Q, whether B is closed or not.
#[test]
fn a_magnetic_structure_is_the_gauge_transform_of_a_backward_image() {
    let pool = &mut Pool::new();
    let positions = symbols(pool, &["x", "y", "z"]);
    let all = symbols(pool, &["x", "y", "z", "px", "py", "pz"]);
    let fields = [
        [(0, 1, "z"), (1, 2, "x*y"), (0, 2, "cos(x) - y^2")],
        [(0, 1, "b*x"), (1, 2, "y"), (0, 2, "z/(1 + x^2)")],
    ];
    for entries in fields {
        let on_q = antisymmetric(pool, 3, &entries);
        let graph = DiracStructure::graph_of_two_form(&positions, &on_q);
        let back = graph.backward_image(pool, &all, &positions, &mut budget()).unwrap();
        let canonical = [(0, 3, "1"), (1, 4, "1"), (2, 5, "1")];
        let omega = antisymmetric(pool, 6, &canonical);
        let left = back.gauge_transformed(pool, &omega);
        let both = antisymmetric(pool, 6, &[&canonical[..], &entries[..]].concat());
        let right = DiracStructure::graph_of_two_form(&all, &both);
        let (form, _) = left.to_two_form(pool, &mut budget()).unwrap();
        for i in 0..6 {
            for j in 0..6 {
                let difference = pool.sub(form.get(i, j), both.get(i, j));
                assert!(vanishes(pool, difference), "{i} {j}");
            }
        }
        // Both are Lagrangian, so they are equal if they are orthogonal.
        let mut union = left.clone();
        union.generators.extend(right.generators.iter().cloned());
        assert_eq!(union.is_isotropic(pool, &mut budget()), Zero::Yes);
        assert_eq!(left.rank(pool, &mut budget()).unwrap().rank, 6);
    }
}
