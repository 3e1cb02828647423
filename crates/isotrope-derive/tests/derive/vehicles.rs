//! Snakeboard and roller racer: momentum equations, symmetries of the plane, conditions that are exact.

use isotrope_algebra::normal::{simplify, size};
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Budget, ExprId, Pool};
use isotrope_derive::{Analysis, System, analyse, derive};

use super::support::{assert_equals, budget, parsed};

const SNAKEBOARD: &str = r#"
coordinates = ["x", "y", "theta", "psi", "phi"]
parameters = { m = 1, l = 1, J0 = 1, J1 = 1 }
[lagrangian]
L = "m/2*(x'^2+y'^2) + m*l^2/2*theta'^2 + J0/2*psi'^2 + J0*psi'*theta' + J1*phi'^2"
[constraints]
front = "-sin(theta+phi)*x' + cos(theta+phi)*y' + l*cos(phi)*theta' = 0"
rear = "-sin(theta-phi)*x' + cos(theta-phi)*y' - l*cos(phi)*theta' = 0"
"#;

const ROLLER_RACER: &str = r#"
coordinates = ["x", "y", "theta", "phi"]
parameters = { m = 1, I1 = 1, I2 = "1/2", L1 = 1, L2 = "1/3" }
[lagrangian]
L = "m/2*(x'^2+y'^2) + I1/2*theta'^2 + I2/2*(theta'+phi')^2"
[constraints]
front = "-sin(theta)*x' + cos(theta)*y' = 0"
rear = "-sin(theta+phi)*x' + cos(theta+phi)*y' - (L2 + L1*cos(phi))*theta' - L2*phi' = 0"
"#;

const LINKAGE: &str = r#"
coordinates = ["a", "b", "c"]
parameters = { l1 = 1, l2 = 1, l3 = 1 }
[lagrangian]
L = "(a'^2 + b'^2 + c'^2)/2"
[constraints]
across = "l1*cos(a) + l2*cos(b) = 1 + l3*cos(c)"
along = "l1*sin(a) + l2*sin(b) = l3*sin(c)"
"#;

fn analysed(text: &str) -> (System, Analysis) {
    let mut system = derive(parsed(text), &mut budget()).unwrap();
    let analysis = analyse(&mut system, &budget());
    (system, analysis)
}

/// Ostrowski, Lewis, Murray and Burdick, Nonholonomic mechanics and locomotion: the snakeboard example (1994): the
/// rider's momentum along the board changes by J₀ ψ' φ' alone, up to the factor of the direction.
#[test]
fn the_momentum_equation_of_the_snakeboard_is_one_product() {
    let (mut system, analysis) = analysed(SNAKEBOARD);
    let pool = &mut system.model.pool;
    let [equation] = &analysis.conservation.momentum_equations[..] else { panic!("one equation") };
    // The direction is (l cos φ cos θ, l cos φ sin θ, sin φ, 0, 0) up to a sign.
    let sine = parse_expression(pool, "sin(phi)").unwrap();
    let factor = pool.div(equation.field[2], sine);
    let factor = simplify(pool, factor, &mut Budget::new(10_000));
    let negative = factor == ExprId::MINUS_ONE;
    assert!(negative || factor == ExprId::ONE);
    let signed = |text: &str| if negative { format!("-({text})") } else { text.to_owned() };
    for (component, text) in equation.field.iter().zip([
        "l*cos(phi)*cos(theta)",
        "l*cos(phi)*sin(theta)",
        "sin(phi)",
        "0",
        "0",
    ]) {
        assert_equals(pool, *component, &signed(text));
    }
    assert_equals(pool, equation.rate, &signed("J0*psi'*phi'*cos(phi)"));
    assert!(size(pool, equation.rate) < 16);
}

/// The plane may be turned if what moves in it is turned, too: each alone is a symmetry of L, both together of the
/// constraints.
#[test]
fn rotations_of_the_plane_are_divided_out_with_the_body() {
    for (text, turning) in
        [(SNAKEBOARD, ["-y", "x", "1", "0", "0"]), (ROLLER_RACER, ["-y", "x", "1", "0", "0"])]
    {
        let (mut system, analysis) = analysed(text);
        let reduction = analysis.reduction.unwrap().unwrap();
        let turns = reduction.symmetries.iter().find(|symmetry| !symmetry.linear.is_empty());
        let field = turns.unwrap().field.clone();
        let pool = &mut system.model.pool;
        for (component, text) in field.iter().zip(turning) {
            assert_equals(pool, *component, text);
        }
        // Nothing but the steering angle is left in the equations.
        let phi = *system.symbols.position.last().unwrap();
        assert_eq!(reduction.shape, [phi]);
        // x, y and the rotation; ψ of the snakeboard.
        assert_eq!(reduction.symmetries.len(), system.symbols.dimension() - 1);
    }
}

/// The kernel of two rows in space is their cross product, whose entries are sines of differences.
#[test]
fn the_frame_of_a_linkage_has_no_factors_in_common() {
    let (mut system, analysis) = analysed(LINKAGE);
    let frame = analysis.distribution.distribution.unwrap().frame;
    let pool = &mut system.model.pool;
    let field = &frame[0].components;
    for (i, j, text) in
        [(0, 1, "l2*sin(b - c)/(l1*sin(c - a))"), (0, 2, "l2*l3*sin(b - c)/(l1*l2*sin(b - a))")]
    {
        let quotient = pool.div(field[i], field[j]);
        assert_equals(pool, quotient, text);
    }
    // sin(b − c) and two letters: what is longer has a factor too many.
    assert!(
        field.iter().all(|&entry| size(pool, entry) <= 14),
        "{:?}",
        field.iter().map(|&e| size(pool, e)).collect::<Vec<_>>()
    );
}

/// y x' − x y' = 0 admits a plane of velocities wherever x and y are not both zero.
#[test]
fn ranks_drop_where_all_minors_vanish() {
    let text = r#"
coordinates = ["x", "y", "z"]
[lagrangian]
L = "(x'^2 + y'^2 + z'^2)/2"
[constraints]
ray = "y*x' - x*y' = 0"
"#;
    for (text, wanted) in [
        (text, &["x^2 + y^2"][..]),
        (SNAKEBOARD, &["cos(phi)", "l^2*cos(phi)^2 + sin(phi)^2", "l"]),
        // Sine and cosine of one angle never vanish together.
        (&text.replace("y*x' - x*y'", "sin(z)*x' - cos(z)*y'"), &[]),
    ] {
        let (mut system, analysis) = analysed(text);
        let conditions = analysis.distribution.flag.unwrap().conditions;
        let pool = &mut system.model.pool;
        assert_eq!(conditions.len(), wanted.len());
        for text in wanted {
            let wanted = parse_expression(pool, text).unwrap();
            let multiple = |pool: &mut Pool, condition| {
                let quotient = pool.div(condition, wanted);
                let quotient = simplify(pool, quotient, &mut Budget::new(100_000));
                pool.as_number(quotient).is_some()
            };
            assert!(conditions.iter().any(|&condition| multiple(pool, condition)), "{text}");
        }
    }
}
