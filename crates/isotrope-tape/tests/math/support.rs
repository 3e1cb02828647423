//! Errors in units of the last place, and arguments worth trying.

use isotrope_algebra::modular::Random;
use isotrope_algebra::number::{Ball, EvaluationError, Precision};
use isotrope_tape::{BinaryFunction, Function};

/// Samples for one function (twenty times as many with ISOTROPE_LONG set).
pub fn count(ordinary: usize) -> usize {
    if std::env::var_os("ISOTROPE_LONG").is_some() { 20 * ordinary } else { ordinary }
}

/// The value to at least 80 bits; `None` where the function has none.
pub fn exact(function: Function, x: f64) -> Option<Ball> {
    // Beyond, numbers with millions of digits only show that the value is infinite or zero.
    if matches!(function, Function::Exp | Function::Sinh | Function::Cosh) && x.abs() > 1000.0 {
        return None;
    }
    certain(|precision| {
        let x = Ball::from_f64(x, precision).ok_or(EvaluationError::DivisionByZero)?;
        function.ball(&x)
    })
}

/// The same for two arguments.
pub fn exact2(function: BinaryFunction, a: f64, b: f64) -> Option<Ball> {
    certain(|precision| {
        let a = Ball::from_f64(a, precision).ok_or(EvaluationError::DivisionByZero)?;
        let b = Ball::from_f64(b, precision).ok_or(EvaluationError::DivisionByZero)?;
        match function {
            BinaryFunction::Atan2 => a.atan2(&b),
            BinaryFunction::Pow => a.pow(&b),
        }
    })
}

fn certain(value: impl Fn(Precision) -> Result<Ball, EvaluationError>) -> Option<Ball> {
    let mut precision = Precision::new(128);
    loop {
        match value(precision) {
            Ok(ball) if ball.is_exact() || ball.accuracy() >= 80 => return Some(ball),
            Ok(_) | Err(EvaluationError::Precision { .. }) => precision = precision.doubled()?,
            Err(_) => return None,
        }
    }
}

/// The distance in units of the last place, those of the numbers around the exact value.
pub fn ulps(value: f64, exact: &Ball) -> f64 {
    let nearest = exact.to_f64();
    if value == nearest && value.is_infinite() {
        return 0.0;
    }
    let Some(value) = Ball::from_f64(value, exact.precision()) else {
        return f64::INFINITY;
    };
    let is_power_of_two = nearest.to_bits() << 12 == 0;
    let was_rounded_up = is_power_of_two
        && Ball::from_f64(nearest.abs(), exact.precision())
            .is_some_and(|nearest| exact.abs().is_less_than(&nearest));
    let exponent = ((nearest.to_bits() >> 52) & 0x7ff) as i64 - i64::from(was_rounded_up);
    value.sub(exact).shift(1023 + 52 - exponent.max(1)).unwrap().to_f64().abs()
}

/// A finite number, all exponents alike.
pub fn any_exponent(random: &mut Random) -> f64 {
    loop {
        let x = f64::from_bits(random.next_u64());
        if x.is_finite() {
            return x;
        }
    }
}

/// A number from `low` to `high`.
pub fn uniform(random: &mut Random, low: f64, high: f64) -> f64 {
    low + random.fraction() * (high - low)
}

/// A number of size from `2^low` to `2^high`, exponents alike, of either sign.
pub fn sized(random: &mut Random, low: i64, high: i64) -> f64 {
    let exponent = 1023 + low + random.below((high - low) as u64) as i64;
    let bits = random.next_u64();
    f64::from_bits((bits & 0x800f_ffff_ffff_ffff) | (exponent as u64) << 52)
}

/// The numbers around `x`, `reach` on each side.
pub fn neighbours(x: f64, reach: u32) -> impl Iterator<Item = f64> {
    let mut low = x;
    for _ in 0..reach {
        low = low.next_down();
    }
    std::iter::successors(Some(low), |x| Some(x.next_up())).take(2 * reach as usize + 1)
}

/// The largest error seen and where.
#[derive(Debug, Default)]
pub struct Worst {
    error: f64,
    at: Vec<f64>,
    samples: usize,
}

impl Worst {
    /// Compares a value of the table with the exact one, if there is one.
    pub fn measure(&mut self, function: Function, x: f64) {
        if let Some(exact) = exact(function, x) {
            self.note(ulps(function.evaluate(x), &exact), &[x]);
        }
    }

    /// The same for two arguments.
    pub fn measure2(&mut self, function: BinaryFunction, a: f64, b: f64) {
        if let Some(exact) = exact2(function, a, b) {
            self.note(ulps(function.evaluate(a, b), &exact), &[a, b]);
        }
    }

    fn note(&mut self, error: f64, at: &[f64]) {
        self.samples += 1;
        if self.error.is_nan() || error <= self.error {
            return;
        }
        self.error = error;
        self.at = at.to_vec();
    }

    /// At least this many samples were measured, and none is off by more than the bound.
    pub fn assert_below(&self, name: &str, bound: f64, samples: usize) {
        println!("{name}: {:.3} ulp at {:?}, {} samples", self.error, self.at, self.samples);
        assert!(self.samples >= samples, "{name}: only {} samples", self.samples);
        assert!(self.error <= bound, "{name}: {} ulp at {:?}", self.error, self.at);
    }
}
