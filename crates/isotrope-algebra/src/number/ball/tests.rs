//! Theorems about balls: published digits, identities, consistency between precisions.

use proptest::prelude::*;

use super::*;

type Unary = fn(&Ball) -> Result<Ball, EvaluationError>;

fn ball(numerator: i64, denominator: i64, bits: u32) -> Ball {
    Ball::from_rational(&rational(numerator, denominator), Precision::new(bits))
}

fn rational(numerator: i64, denominator: i64) -> Rational {
    Rational::new(numerator, denominator).unwrap()
}

fn ten_to(power: i64, bits: u32) -> Ball {
    let value: Rational = format!("1e{power}").parse().unwrap();
    Ball::from_rational(&value, Precision::new(bits))
}

/// Every point of the enclosure rounds to the 60 published digits.
#[track_caller]
fn assert_digits(value: &Ball, digits: &str) {
    let expected = Ball::from_rational(&digits.parse().unwrap(), Precision::new(400));
    let size = expected.mid.top();
    let difference = value.sub(&expected).abs();
    // 60 digits: half a unit of the last place is above 2^(size - 202).
    let unit = Ball::one(Precision::new(400)).shift(size - 197).unwrap();
    assert!(difference.is_less_than(&unit), "{value:?} against {digits}");
    assert!(value.accuracy() > 220, "{value:?} has only {} bits", value.accuracy());
}

#[test]
fn published_digits() {
    let p = Precision::new(256);
    let table: &[(Result<Ball, EvaluationError>, &str)] = &[
        (Ok(Ball::pi(p)), "3.14159265358979323846264338327950288419716939937510582097494"),
        (ball(1, 1, 256).exp(), "2.71828182845904523536028747135266249775724709369995957496697"),
        (ball(2, 1, 256).log(), "0.693147180559945309417232121458176568075500134360255254120680"),
        (ball(10, 1, 256).log(), "2.30258509299404568401799145468436420760110148862877297603333"),
        (ball(2, 1, 256).sqrt(), "1.41421356237309504880168872420969807856967187537694807317668"),
        (ball(1, 1, 256).sin(), "0.841470984807896506652502321630298999622563060798371065672752"),
        (ball(1, 1, 256).cos(), "0.540302305868139717400936607442976603732310420617922227670097"),
        (ball(1, 1, 256).tan(), "1.55740772465490223050697480745836017308725077238152003838395"),
        (ball(1, 3, 256).asin(), "0.339836909454121937096392513391764066388244690332458071431924"),
        (ball(1, 3, 256).acos(), "1.23095941734077468213492917824798737571034000935509483905555"),
        (ball(1, 2, 256).atan(), "0.463647609000806116214256231461214402028537054286120263810933"),
        (ball(7, 1, 256).atan(), "1.42889927219073269641847007453719835909080294095908883810934"),
        (ball(1, 1, 256).sinh(), "1.17520119364380145688238185059560081515571798133409587022957"),
        (ball(1, 1, 256).cosh(), "1.54308063481524377847790562075706168260152911236586370473740"),
        (ball(1, 1, 256).tanh(), "0.761594155955764888119458282604793590412768597257936551596811"),
        (
            ball(-10, 1, 256).exp(),
            "4.53999297624848515355915155605506102379180888665649692590713e-5",
        ),
        (
            ball(1, 1000, 256).sinh(),
            "0.00100000016666667500000019841270116843036014911030970058824308",
        ),
        (
            ball(1001, 1000, 256).log(),
            "0.000999500333083533166809398920535011460755062393166551997019667",
        ),
        (
            ball(2, 1, 256).nth_root(3),
            "1.25992104989487316476721060727822835057025146470150798008198",
        ),
        (
            ball(2, 1, 256).pow_rational(&rational(3, 17)),
            "1.13011578342932982791642086815173477807088083716616823596154",
        ),
        (
            ball(355, 1, 256).sin(),
            "-3.01443533594884492143302800086500995902558070663246491057898e-5",
        ),
        (
            ball(11, 1, 256).cos(),
            "0.00442569798805078574835502472394157322572735900010231408609454",
        ),
    ];
    for (value, digits) in table {
        assert_digits(value.as_ref().unwrap(), digits);
    }
}

#[test]
fn huge_arguments_are_reduced_with_enough_bits() {
    let x = ten_to(300, 1100);
    assert!(x.is_exact());
    assert_digits(
        &x.sin().unwrap().with_precision(Precision::new(256)),
        "-0.985750425160376996609047531429895469077715312561026993159237",
    );
    assert_digits(
        &x.cos().unwrap().with_precision(Precision::new(256)),
        "-0.168214444374245072851875664435555844533050887668052262279420",
    );
    let exp = ball(1_000_000, 1, 256).exp().unwrap();
    assert_digits(
        &exp.div(&ten_to(7000, 256).powi(62).unwrap()).unwrap(),
        "3.03321539680208754508640214141811432708397379481347740960619e294",
    );
}

#[test]
fn singular_and_oversized_arguments_are_typed_errors() {
    use EvaluationError::{DivisionByZero, Domain, Overflow, Precision as NotEnough};
    let p = Precision::new(64);
    let fuzzy = Ball::from_interval(&rational(-1, 1000), &rational(1, 1000), p);
    let one = Ball::one(p);
    assert_eq!(one.div(&Ball::zero(p)).unwrap_err(), DivisionByZero);
    assert_eq!(one.div(&fuzzy).unwrap_err(), NotEnough { function: "division" });
    assert_eq!(Ball::zero(p).powi(-1).unwrap_err(), DivisionByZero);
    assert_eq!(ball(-1, 1, 64).sqrt().unwrap_err(), Domain { function: "sqrt" });
    assert_eq!(fuzzy.sqrt().unwrap_err(), NotEnough { function: "sqrt" });
    assert_eq!(Ball::zero(p).log().unwrap_err(), Domain { function: "log" });
    assert_eq!(ball(2, 1, 64).asin().unwrap_err(), Domain { function: "asin" });
    assert_eq!(one.add(&fuzzy).acos().unwrap_err(), NotEnough { function: "acos" });
    assert_eq!(one.nth_root(0).unwrap_err(), Domain { function: "root" });
    assert_eq!(Ball::zero(p).atan2(&Ball::zero(p)).unwrap_err(), Domain { function: "atan2" });
    assert_eq!(fuzzy.atan2(&one.neg()).unwrap_err(), NotEnough { function: "atan2" });
    let right = Ball::pi(p).shift(-1).unwrap();
    assert_eq!(right.tan().unwrap_err(), NotEnough { function: "tan" });
    assert_eq!(ball(1_000_000_000, 1, 64).exp().unwrap_err(), Overflow { function: "exp" });
    assert_eq!(ball(1_000_000_000, 1, 64).cosh().unwrap_err(), Overflow { function: "cosh" });
    assert_eq!(ball(1_000_000_000, 1, 64).sinh().unwrap_err(), Overflow { function: "sinh" });
    let tiny = ball(-1_000_000_000, 1, 64).exp().unwrap();
    assert!(!tiny.is_negative() && tiny.radius_is_below(-1_000_000));
    let mut power = ball(3, 1, 64);
    let overflow = loop {
        match power.mul(&power) {
            Ok(square) => power = square,
            Err(error) => break error,
        }
    };
    assert_eq!(overflow, Overflow { function: "multiplication" });
    assert_eq!(power.sin().unwrap().to_string(), "0", "only [-1, 1] is known");
    let exact = one.shift(1 << 20).unwrap();
    assert_eq!(exact.sin().unwrap_err(), Overflow { function: "sin" });
    assert!(exact.tanh().unwrap().sub(&one).contains_zero());
    assert!(exact.add(&one).sub(&exact).sub(&one).contains_zero());
}

#[test]
fn exact_values_stay_exact() {
    let p = Precision::new(64);
    assert!(ball(9, 4, 64).sqrt().unwrap().sub(&ball(3, 2, 64)).is_zero());
    assert!(ball(8, 27, 64).nth_root(3).unwrap().contains(&rational(2, 3)));
    assert!(ball(1, 1, 64).log().unwrap().is_zero());
    assert!(Ball::zero(p).sin().unwrap().is_zero());
    assert!(Ball::zero(p).cos().unwrap().sub(&Ball::one(p)).is_zero());
    assert!(ball(1, 1, 64).acos().unwrap().is_zero());
    assert!(ball(3, 1, 64).powi(-2).unwrap().contains(&rational(1, 9)));
    assert!(ball(-3, 1, 64).powi(3).unwrap().sub(&ball(-27, 1, 64)).is_zero());
    assert!(ball(0, 1, 64).powi(0).unwrap().sub(&Ball::one(p)).is_zero());
}

#[test]
fn angles_cover_all_quadrants() {
    let quarter = |n: i64| Ball::pi(Precision::new(128)).mul(&ball(n, 4, 128)).unwrap();
    let points =
        [(1, 0, 0), (1, 1, 1), (0, 1, 2), (-1, 1, 3), (-1, 0, 4), (-1, -1, -3), (0, -1, -2)];
    for (x, y, n) in points {
        let angle = ball(y, 1, 128).atan2(&ball(x, 1, 128)).unwrap();
        assert!(angle.overlaps(&quarter(n)) && angle.sub(&quarter(n)).radius_is_below(-120));
    }
}

#[test]
fn rounding_to_double_is_certain_or_refused() {
    let p = Precision::new(200);
    assert_eq!(Ball::pi(p).to_f64_certain(), Some(std::f64::consts::PI));
    // Halfway between two doubles: certain only when exact (ties to even).
    let tie = Ball::one(p).add(&Ball::one(p).shift(-53).unwrap());
    assert_eq!(tie.to_f64_certain(), Some(1.0));
    let near = tie.add(&Ball::pi(p).sub(&Ball::pi(p)));
    assert_eq!(near.to_f64_certain(), None);
    // Subnormal, underflow and overflow.
    let smallest = Ball::one(p).shift(-1074).unwrap();
    assert_eq!(smallest.to_f64_certain(), Some(f64::from_bits(1)));
    assert_eq!(smallest.shift(-1).unwrap().to_f64_certain(), Some(0.0));
    assert_eq!(ball(3, 2, 64).shift(-1075).unwrap().to_f64_certain(), Some(f64::from_bits(1)));
    assert_eq!(Ball::one(p).shift(1024).unwrap().to_f64_certain(), Some(f64::INFINITY));
    let largest = Ball::one(p).shift(1024).unwrap().sub(&Ball::one(p).shift(971).unwrap());
    assert_eq!(largest.to_f64_certain(), Some(f64::MAX));
}

#[test]
fn decimal_text() {
    assert_eq!(ball(1, 3, 64).to_decimal(5), "0.33333");
    assert_eq!(ball(-2, 3, 64).to_decimal(3), "-0.667");
    assert_eq!(ball(9999, 1000, 64).to_decimal(3), "10.0");
    assert_eq!(ball(99_999, 100_000, 64).to_decimal(3), "1.00");
    assert_eq!(ball(0, 1, 64).to_decimal(3), "0");
    assert_eq!(ten_to(30, 128).to_decimal(4), "1.000e30");
    assert_eq!(ten_to(-30, 128).to_decimal(1), "1e-30");
    assert_eq!(ball(1, 1, 64).shift(1 << 20).unwrap().to_decimal(2), "1.0*2^1048576");
    assert_eq!(ball(1, 3, 64).to_decimal_certain(15).as_deref(), Some("0.333333333333333"));
    assert_eq!(ball(1, 3, 64).to_decimal_certain(25), None);
}

const ENTIRE: &[(&str, Unary)] = &[
    ("exp", Ball::exp),
    ("sin", Ball::sin),
    ("cos", Ball::cos),
    ("atan", Ball::atan),
    ("sinh", Ball::sinh),
    ("cosh", Ball::cosh),
    ("tanh", Ball::tanh),
];

const PARTIAL: &[(&str, Unary)] = &[
    ("log", Ball::log),
    ("sqrt", Ball::sqrt),
    ("asin", Ball::asin),
    ("acos", Ball::acos),
    ("tan", Ball::tan),
    ("recip", Ball::recip),
    ("root", |x| x.nth_root(5)),
    ("power", |x| x.pow_rational(&Rational::new(-7, 19).unwrap())),
    ("powi", |x| x.powi(-13)),
];

/// Numbers of all sizes: moderate, tiny, large.
fn any_rational() -> impl Strategy<Value = Rational> {
    let moderate = (-400i64..400, 1i64..200);
    prop_oneof![
        moderate.clone().prop_map(|(n, d)| rational(n, d)),
        (moderate, -60i64..12).prop_map(|((n, d), power)| {
            let scale: Rational = format!("1e{power}").parse().unwrap();
            rational(n, d) * scale
        }),
    ]
}

proptest! {
    #[test]
    fn higher_precision_lies_in_lower(x in any_rational(), low in 24u32..200, more in 1u32..300) {
        for (name, function) in ENTIRE.iter().chain(PARTIAL) {
            let coarse = function(&Ball::from_rational(&x, Precision::new(low)));
            let fine = function(&Ball::from_rational(&x, Precision::new(low + more)));
            if let (Ok(coarse), Ok(fine)) = (coarse, fine) {
                prop_assert!(coarse.overlaps(&fine), "{name}({x}): {coarse:?} and {fine:?}");
            }
        }
    }

    #[test]
    fn the_image_of_a_ball_contains_the_image_of_its_points(
        x in any_rational(), width in 0i64..1000, fine in 0u32..4, at in 0i64..=16
    ) {
        let p = Precision::new(80);
        let width = rational(width, 500 * 1000i64.pow(fine));
        let end = &x + &width;
        let point = &x + &(&width * &rational(at, 16));
        let wide = Ball::from_interval(&x, &end, p);
        prop_assert!(wide.contains(&point));
        for (name, function) in ENTIRE.iter().chain(PARTIAL) {
            if let Ok(image) = function(&wide) {
                let value = function(&Ball::from_rational(&point, Precision::new(160))).unwrap();
                prop_assert!(
                    !value.is_less_than(&image) && !image.is_less_than(&value),
                    "{name}({wide:?}) = {image:?} without {value:?}"
                );
            }
        }
    }

    #[test]
    fn exact_arguments_lose_only_a_few_units(n in -4000i64..4000, shift in -8i64..4) {
        let bits = 128;
        let x = ball(n, 1, bits).shift(shift).unwrap();
        for (name, function) in ENTIRE.iter().chain(PARTIAL) {
            if let Ok(value) = function(&x)
                && !value.is_zero()
            {
                prop_assert!(value.accuracy() >= i64::from(bits) - 8, "{name}({x:?}): {value:?}");
            }
        }
    }

    #[test]
    fn ring_operations_contain_the_exact_result(a in any_rational(), b in any_rational()) {
        let p = Precision::new(40);
        let (x, y) = (Ball::from_rational(&a, p), Ball::from_rational(&b, p));
        prop_assert!(x.add(&y).contains(&(&a + &b)));
        prop_assert!(x.sub(&y).contains(&(&a - &b)));
        prop_assert!(x.mul(&y).unwrap().contains(&(&a * &b)));
        if let Some(quotient) = a.checked_div(&b) {
            prop_assert!(x.div(&y).unwrap().contains(&quotient));
        }
        let wide = x.hull(&y);
        prop_assert!(wide.contains(&a) && wide.contains(&b));
        if let Some(order) = x.compare(&y) {
            prop_assert_eq!(order, a.cmp(&b));
        }
        let (low, high) = x.bounds().unwrap();
        prop_assert!(low <= a && a <= high);
    }

    #[test]
    fn functional_identities(a in any_rational(), b in any_rational(), bits in 60u32..300) {
        let p = Precision::new(bits);
        let one = Ball::one(p);
        let (x, y) = (Ball::from_rational(&a, p), Ball::from_rational(&b, p));
        let (sin, cos) = (x.sin().unwrap(), x.cos().unwrap());
        let unit = sin.mul(&sin).unwrap().add(&cos.mul(&cos).unwrap());
        prop_assert!(unit.overlaps(&one));
        if let (Ok(left), Ok(right), Ok(both)) = (x.exp(), y.exp(), x.add(&y).exp()) {
            prop_assert!(left.mul(&right).unwrap().overlaps(&both));
            if let Ok(log) = left.log() {
                prop_assert!(log.overlaps(&x));
            }
            if let (Ok(sinh), Ok(cosh)) = (x.sinh(), x.cosh()) {
                prop_assert!(sinh.add(&cosh).overlaps(&left));
                if let Ok(tanh) = sinh.div(&cosh) {
                    prop_assert!(x.tanh().unwrap().overlaps(&tanh));
                }
            }
        }
        if let Ok(tan) = x.atan().unwrap().tan() {
            prop_assert!(tan.overlaps(&x));
        }
        if let (Ok(asin), Ok(acos)) = (x.asin(), x.acos()) {
            prop_assert!(asin.sin().unwrap().overlaps(&x));
            prop_assert!(acos.cos().unwrap().overlaps(&x));
            prop_assert!(asin.add(&acos).shift(1).unwrap().overlaps(&Ball::pi(p)));
        }
        if let Ok(angle) = y.atan2(&x) {
            let radius = x.mul(&x).unwrap().add(&y.mul(&y).unwrap()).sqrt().unwrap();
            prop_assert!(angle.cos().unwrap().mul(&radius).unwrap().overlaps(&x));
            prop_assert!(angle.sin().unwrap().mul(&radius).unwrap().overlaps(&y));
        }
    }

    #[test]
    fn double_conversion_agrees_with_exact_rationals(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        if let Some(ball) = Ball::from_f64(value, Precision::new(64)) {
            prop_assert!(ball.is_exact());
            prop_assert_eq!(ball.to_f64_certain(), Some(value));
        }
    }
}
