//! Rational numbers of any size, small ones without allocation.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::str::FromStr;

use dashu_base::{BitTest, Gcd, Sign, Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::{Internal, OrInternal};

/// An exact rational number in lowest terms with a positive denominator.
///
/// Numerator and denominator that fit 64 bits are stored in place; the rest is
/// boxed. The representation is canonical, so equality and hashing are structural.
///
/// ```
/// use isotrope_algebra::Rational;
/// let third = Rational::new(1, 3).unwrap();
/// assert_eq!(&third + &third, Rational::new(2, 3).unwrap());
/// assert_eq!("9.81".parse::<Rational>().unwrap(), Rational::new(981, 100).unwrap());
/// ```
#[derive(Clone)]
pub struct Rational(Repr);

#[derive(Clone)]
enum Repr {
    /// Lowest terms, denominator > 0, numerator > i64::MIN.
    Small { numerator: i64, denominator: i64 },
    /// Only numbers that do not fit `Small`.
    Big(Box<RBig>),
}

/// Why a text is not a rational number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseRationalError {
    /// Not of the form `12`, `1.25`, `1e-3` or `981/100`.
    #[error("`{0}` is not a number")]
    Malformed(String),
    /// More digits or a larger exponent than [`Rational::MAX_DIGITS`].
    #[error("a number of more than {} digits", Rational::MAX_DIGITS)]
    TooLong,
    /// The denominator is zero.
    #[error("the denominator is zero")]
    ZeroDenominator,
}

fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn gcd_u128(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return gcd_u64(a, b).into();
        }
        (a, b) = (b, a % b);
    }
    a
}

impl Rational {
    /// Zero.
    pub const ZERO: Self = Self(Repr::Small { numerator: 0, denominator: 1 });
    /// One.
    pub const ONE: Self = Self(Repr::Small { numerator: 1, denominator: 1 });
    /// Decimal digits (and decimal exponents) beyond this are refused when reading text.
    pub const MAX_DIGITS: usize = 10_000;

    /// `numerator / denominator`; `None` when the denominator is zero.
    pub fn new(numerator: i64, denominator: i64) -> Option<Self> {
        (denominator != 0).then(|| Self::from_wide(numerator.into(), denominator.into()))
    }

    /// One half.
    pub const fn half() -> Self {
        Self(Repr::Small { numerator: 1, denominator: 2 })
    }

    /// 1/(k + 1), the integral of x^k from 0 to 1.
    pub const fn integral_of_power(k: u32) -> Self {
        Self(Repr::Small { numerator: 1, denominator: k as i64 + 1 })
    }

    /// 1/4.
    pub const fn quarter() -> Self {
        Self(Repr::Small { numerator: 1, denominator: 4 })
    }

    /// The quotient of a number by one that a theorem excludes from being zero.
    #[track_caller]
    pub fn divided_by(&self, divisor: &Self) -> Result<Self, Internal> {
        self.checked_div(divisor).or_internal("the divisor is not zero")
    }

    /// The inverse of a number that a theorem excludes from being zero.
    #[track_caller]
    pub fn inverse(&self) -> Result<Self, Internal> {
        self.recip().or_internal("the number is not zero")
    }

    /// An integer.
    pub fn integer(value: i64) -> Self {
        Self::from_wide(value.into(), 1)
    }

    fn from_wide(numerator: i128, denominator: i128) -> Self {
        let negative = (numerator < 0) != (denominator < 0);
        let (n, d) = (numerator.unsigned_abs(), denominator.unsigned_abs());
        let g = if d == 1 { 1 } else { gcd_u128(n, d) };
        let (n, d) = (n / g, d / g);
        match (i64::try_from(n), i64::try_from(d)) {
            (Ok(n), Ok(d)) => {
                Self(Repr::Small { numerator: if negative { -n } else { n }, denominator: d })
            }
            _ => {
                let n = IBig::from_parts(
                    if negative { Sign::Negative } else { Sign::Positive },
                    n.into(),
                );
                Self(Repr::Big(Box::new(RBig::from_parts(n, d.into()))))
            }
        }
    }

    /// From big integers; `None` when the denominator is zero.
    pub fn from_big(numerator: IBig, denominator: UBig) -> Option<Self> {
        (!denominator.is_zero()).then(|| Self::from_rbig(RBig::from_parts(numerator, denominator)))
    }

    fn from_rbig(value: RBig) -> Self {
        let small = (i64::try_from(value.numerator()), i64::try_from(value.denominator()));
        match small {
            (Ok(n), Ok(d)) if n != i64::MIN => Self(Repr::Small { numerator: n, denominator: d }),
            _ => Self(Repr::Big(Box::new(value))),
        }
    }

    fn to_rbig(&self) -> RBig {
        match &self.0 {
            Repr::Small { numerator, denominator } => {
                RBig::from_parts((*numerator).into(), denominator.unsigned_abs().into())
            }
            Repr::Big(value) => (**value).clone(),
        }
    }

    /// Numerator of the lowest terms (carries the sign).
    pub fn numerator(&self) -> IBig {
        match &self.0 {
            Repr::Small { numerator, .. } => (*numerator).into(),
            Repr::Big(value) => value.numerator().clone(),
        }
    }

    /// Denominator of the lowest terms (positive).
    pub fn denominator(&self) -> UBig {
        match &self.0 {
            Repr::Small { denominator, .. } => denominator.unsigned_abs().into(),
            Repr::Big(value) => value.denominator().clone(),
        }
    }

    /// `(numerator, denominator)` when both fit 64 bits.
    pub fn as_small(&self) -> Option<(i64, i64)> {
        match self.0 {
            Repr::Small { numerator, denominator } => Some((numerator, denominator)),
            Repr::Big(_) => None,
        }
    }

    /// The value as a 64-bit integer, if it is one.
    pub fn as_integer(&self) -> Option<i64> {
        match self.0 {
            Repr::Small { numerator, denominator: 1 } => Some(numerator),
            _ => None,
        }
    }

    /// Is it zero?
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small { numerator: 0, .. })
    }

    /// Is it one?
    pub fn is_one(&self) -> bool {
        matches!(self.0, Repr::Small { numerator: 1, denominator: 1 })
    }

    /// Is it an integer (of any size)?
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small { denominator, .. } => *denominator == 1,
            Repr::Big(value) => value.denominator().is_one(),
        }
    }

    /// Is it less than zero?
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small { numerator, .. } => *numerator < 0,
            Repr::Big(value) => value.numerator().is_negative(),
        }
    }

    /// Absolute value.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// `1/self`; `None` for zero.
    pub fn recip(&self) -> Option<Self> {
        match &self.0 {
            Repr::Small { numerator: 0, .. } => None,
            Repr::Small { numerator, denominator } => {
                Some(Self::from_wide((*denominator).into(), (*numerator).into()))
            }
            Repr::Big(value) => {
                let (n, d) = ((**value).numerator(), (**value).denominator());
                let sign = n.sign();
                Some(Self::from_rbig(RBig::from_parts(
                    IBig::from_parts(sign, d.clone()),
                    n.clone().unsigned_abs(),
                )))
            }
        }
    }

    /// `self / divisor`; `None` when the divisor is zero.
    pub fn checked_div(&self, divisor: &Self) -> Option<Self> {
        Some(self * &divisor.recip()?)
    }

    /// `self^exponent`; `None` for zero to a negative power or when the result would
    /// have more than `max_bits` bits.
    pub fn pow(&self, exponent: i64, max_bits: u64) -> Option<Self> {
        let base = if exponent < 0 { self.recip()? } else { self.clone() };
        let count = exponent.unsigned_abs();
        if base.is_zero() || base.is_one() {
            return Some(if count == 0 { Self::ONE } else { base });
        }
        if base.abs().is_one() {
            return Some(if count.is_multiple_of(2) { Self::ONE } else { base });
        }
        if base.bits().checked_mul(count)? > max_bits {
            return None;
        }
        let count = usize::try_from(count).ok()?;
        Some(Self::from_rbig(RBig::from_parts(
            base.numerator().pow(count),
            base.denominator().pow(count),
        )))
    }

    /// Bits of the larger of numerator and denominator.
    pub fn bits(&self) -> u64 {
        let bits = match &self.0 {
            Repr::Small { numerator, denominator } => {
                let largest = numerator.unsigned_abs().max(denominator.unsigned_abs());
                (u64::BITS - largest.leading_zeros()) as usize
            }
            Repr::Big(value) => value.numerator().bit_len().max(value.denominator().bit_len()),
        };
        bits as u64
    }

    /// The power of two next to the number, give or take one; `None` for zero.
    pub fn magnitude(&self) -> Option<i64> {
        if self.is_zero() {
            return None;
        }
        Some(self.numerator().bit_len() as i64 - self.denominator().bit_len() as i64)
    }

    /// Largest integer not above the number.
    pub fn floor(&self) -> IBig {
        match &self.0 {
            Repr::Small { numerator, denominator } => numerator.div_euclid(*denominator).into(),
            Repr::Big(value) => value.floor(),
        }
    }

    /// Greatest common divisor in the sense of rational content:
    /// the largest positive `g` such that both are integer multiples of it.
    #[must_use]
    pub fn gcd(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Repr::Small { numerator: 0, .. }, _) => other.abs(),
            (_, Repr::Small { numerator: 0, .. }) => self.abs(),
            (
                Repr::Small { numerator: a, denominator: b },
                Repr::Small { numerator: c, denominator: d },
            ) => {
                let n = gcd_u64(a.unsigned_abs(), c.unsigned_abs());
                let (b, d) = (b.unsigned_abs(), d.unsigned_abs());
                let l = u128::from(b / gcd_u64(b, d)) * u128::from(d);
                match i128::try_from(l) {
                    Ok(l) => Self::from_wide(n.into(), l),
                    Err(_) => Self::ZERO.big_gcd(self).big_gcd(other),
                }
            }
            _ => self.big_gcd(other),
        }
    }

    fn big_gcd(&self, other: &Self) -> Self {
        // The library has no common divisor of two zeros.
        if self.is_zero() {
            return other.abs();
        }
        let (a, b) = (self.to_rbig(), other.to_rbig());
        let n = a.numerator().clone().unsigned_abs().gcd(b.numerator().clone().unsigned_abs());
        let (x, y) = (a.denominator().clone(), b.denominator().clone());
        let l = &x / x.clone().gcd(y.clone()) * y;
        Self::from_rbig(RBig::from_parts(n.into(), l))
    }

    /// The nearest `f64` (ties to even); overflow gives an infinity.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Small { numerator, denominator: 1 } => *numerator as f64,
            _ => self.to_rbig().to_f64().value(),
        }
    }

    /// The exact value of a finite `f64`; `None` for infinities and NaN.
    pub fn from_f64(value: f64) -> Option<Self> {
        RBig::try_from(value).ok().map(Self::from_rbig)
    }

    /// Residue modulo a prime below 2^63; `None` when the prime divides the denominator.
    pub fn modulo(&self, prime: u64) -> Option<u64> {
        let (n, d) = match &self.0 {
            Repr::Small { numerator, denominator } => {
                let size = numerator.unsigned_abs() % prime;
                let n = if *numerator < 0 && size > 0 { prime - size } else { size };
                if *denominator == 1 {
                    return Some(n);
                }
                (n, denominator.unsigned_abs() % prime)
            }
            Repr::Big(value) => {
                let p = IBig::from(prime);
                let n = ((value.numerator() % &p) + &p) % &p;
                (
                    u64::try_from(n).ok()?,
                    u64::try_from(value.denominator() % UBig::from(prime)).ok()?,
                )
            }
        };
        crate::modular::inverse(d, prime).map(|i| crate::modular::mul(n, i, prime))
    }
}

impl Default for Rational {
    fn default() -> Self {
        Self::ZERO
    }
}

impl From<i64> for Rational {
    fn from(value: i64) -> Self {
        Self::integer(value)
    }
}

impl From<IBig> for Rational {
    fn from(value: IBig) -> Self {
        Self::from_rbig(RBig::from(value))
    }
}

impl PartialEq for Rational {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (
                Repr::Small { numerator: a, denominator: b },
                Repr::Small { numerator: c, denominator: d },
            ) => a == c && b == d,
            (Repr::Big(a), Repr::Big(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Rational {}

impl Hash for Rational {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Repr::Small { numerator, denominator } => {
                numerator.hash(state);
                denominator.hash(state);
            }
            Repr::Big(value) => value.hash(state),
        }
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (
                Repr::Small { numerator: a, denominator: b },
                Repr::Small { numerator: c, denominator: d },
            ) => (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b))),
            _ => self.to_rbig().cmp(&other.to_rbig()),
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn add(a: &Rational, b: &Rational) -> Rational {
    match (&a.0, &b.0) {
        (
            Repr::Small { numerator: n, denominator: 1 },
            Repr::Small { numerator: k, denominator: 1 },
        ) => Rational::from_wide(i128::from(*n) + i128::from(*k), 1),
        (
            Repr::Small { numerator: n, denominator: d },
            Repr::Small { numerator: k, denominator: e },
        ) => {
            let (n, d, k, e) = (i128::from(*n), i128::from(*d), i128::from(*k), i128::from(*e));
            // |n e + k d| < 2^127 because every factor is below 2^63 in size.
            match (n * e).checked_add(k * d) {
                Some(sum) => Rational::from_wide(sum, d * e),
                None => Rational::from_rbig(a.to_rbig() + b.to_rbig()),
            }
        }
        _ => Rational::from_rbig(a.to_rbig() + b.to_rbig()),
    }
}

fn mul(a: &Rational, b: &Rational) -> Rational {
    match (&a.0, &b.0) {
        (
            Repr::Small { numerator: n, denominator: d },
            Repr::Small { numerator: k, denominator: e },
        ) => Rational::from_wide(i128::from(*n) * i128::from(*k), i128::from(*d) * i128::from(*e)),
        _ => Rational::from_rbig(a.to_rbig() * b.to_rbig()),
    }
}

impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        match &self.0 {
            Repr::Small { numerator, denominator } => {
                Rational(Repr::Small { numerator: -numerator, denominator: *denominator })
            }
            Repr::Big(value) => Rational::from_rbig(-(**value).clone()),
        }
    }
}

impl Neg for Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        -&self
    }
}

macro_rules! arithmetic {
    ($($trait:ident $method:ident $function:expr;)*) => {$(
        impl $trait<&Rational> for &Rational {
            type Output = Rational;
            fn $method(self, other: &Rational) -> Rational { $function(self, other) }
        }
        impl $trait<Rational> for Rational {
            type Output = Rational;
            fn $method(self, other: Rational) -> Rational { $function(&self, &other) }
        }
        impl $trait<&Rational> for Rational {
            type Output = Rational;
            fn $method(self, other: &Rational) -> Rational { $function(&self, other) }
        }
        impl $trait<Rational> for &Rational {
            type Output = Rational;
            fn $method(self, other: Rational) -> Rational { $function(self, &other) }
        }
    )*};
}

arithmetic! {
    Add add add;
    Sub sub |a: &Rational, b: &Rational| add(a, &-b);
    Mul mul mul;
}

impl Div<&Rational> for &Rational {
    type Output = Option<Rational>;
    fn div(self, other: &Rational) -> Option<Rational> {
        self.checked_div(other)
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small { numerator, denominator: 1 } => write!(f, "{numerator}"),
            Repr::Small { numerator, denominator } => write!(f, "{numerator}/{denominator}"),
            Repr::Big(value) if value.denominator().is_one() => write!(f, "{}", value.numerator()),
            Repr::Big(value) => write!(f, "{}/{}", value.numerator(), value.denominator()),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Rational {
    type Err = ParseRationalError;

    /// Reads `12`, `-3/4`, `9.81` and `1.5e-3`, exactly.
    fn from_str(text: &str) -> Result<Self, ParseRationalError> {
        let malformed = || ParseRationalError::Malformed(text.chars().take(40).collect());
        if text.len() > Self::MAX_DIGITS {
            return Err(ParseRationalError::TooLong);
        }
        if let Some((numerator, denominator)) = text.split_once('/') {
            let n: Self = numerator.trim().parse()?;
            let d: Self = denominator.trim().parse()?;
            return n.checked_div(&d).ok_or(ParseRationalError::ZeroDenominator);
        }
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => {
                (mantissa, exponent.parse::<i64>().map_err(|_| malformed())?)
            }
            None => (text, 0),
        };
        if exponent.unsigned_abs() > Self::MAX_DIGITS as u64 {
            return Err(ParseRationalError::TooLong);
        }
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let (negative, whole) = match whole.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, whole.strip_prefix('+').unwrap_or(whole)),
        };
        let digits: String = [whole, fraction].concat();
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(malformed());
        }
        let value = UBig::from_str_radix(&digits, 10).map_err(|_| malformed())?;
        let shift = exponent - fraction.len() as i64;
        let power = UBig::from(10u8).pow(shift.unsigned_abs() as usize);
        let sign = if negative { Sign::Negative } else { Sign::Positive };
        let value = if shift >= 0 {
            RBig::from(IBig::from_parts(sign, value * power))
        } else {
            RBig::from_parts(IBig::from_parts(sign, value), power)
        };
        Ok(Self::from_rbig(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_rational() -> impl Strategy<Value = Rational> {
        prop_oneof![
            (-20i64..20, 1i64..12).prop_map(|(n, d)| Rational::new(n, d).unwrap()),
            (any::<i64>(), any::<i64>())
                .prop_map(|(n, d)| Rational::new(n, d).unwrap_or(Rational::ONE)),
            (any::<i128>(), any::<u64>()).prop_map(|(n, d)| {
                Rational::from_big(n.into(), UBig::from(d) + UBig::ONE).unwrap()
            }),
        ]
    }

    #[test]
    fn fractions_of_huge_numbers_have_the_double_nearest_to_them() {
        for bits in [100usize, 600, 1100, 3000] {
            let denominator = UBig::ONE << bits;
            let numerator = IBig::from((UBig::ONE << (bits - 2)) + UBig::from(3u8));
            let quarter = Rational::from_big(numerator, denominator).unwrap();
            assert_eq!(quarter.to_f64(), 0.25, "{bits}");
        }
    }

    proptest! {
        #[test]
        fn rationals_are_a_field(a in any_rational(), b in any_rational(), c in any_rational()) {
            prop_assert_eq!(&(&a + &b) + &c, &a + &(&b + &c));
            prop_assert_eq!(&a * &(&b + &c), &a * &b + &a * &c);
            prop_assert_eq!(&a - &a, Rational::ZERO);
            if let Some(inverse) = a.recip() {
                prop_assert!((&a * &inverse).is_one());
            }
        }

        #[test]
        fn small_and_big_roads_agree(a in any_rational(), b in any_rational()) {
            prop_assert_eq!((&a + &b).to_rbig(), a.to_rbig() + b.to_rbig());
            prop_assert_eq!((&a * &b).to_rbig(), a.to_rbig() * b.to_rbig());
            prop_assert_eq!(a.cmp(&b), a.to_rbig().cmp(&b.to_rbig()));
            prop_assert_eq!(a.gcd(&b), a.big_gcd(&b));
        }

        #[test]
        fn text_round_trips(a in any_rational()) {
            prop_assert_eq!(a.to_string().parse::<Rational>().unwrap(), a);
        }

        #[test]
        fn gcd_divides_both(a in any_rational(), b in any_rational()) {
            let g = a.gcd(&b);
            if !g.is_zero() {
                prop_assert!(a.checked_div(&g).unwrap().is_integer());
                prop_assert!(b.checked_div(&g).unwrap().is_integer());
            }
        }

        #[test]
        fn reduction_modulo_a_prime_is_a_homomorphism(a in any_rational(), b in any_rational()) {
            let p = crate::modular::PRIME;
            if let (Some(x), Some(y)) = (a.modulo(p), b.modulo(p)) {
                prop_assert_eq!((&a + &b).modulo(p), Some((x + y) % p));
                prop_assert_eq!((&a * &b).modulo(p), Some(crate::modular::mul(x, y, p)));
            }
        }
    }

    #[test]
    fn decimals_are_exact_and_nonsense_is_refused() {
        assert_eq!("1.5e-3".parse::<Rational>().unwrap(), Rational::new(3, 2000).unwrap());
        assert_eq!("-9.81".parse::<Rational>().unwrap(), Rational::new(-981, 100).unwrap());
        for text in ["", ".", "1e", "0x1", "1/0", "--1", "1e99999999"] {
            assert!(text.parse::<Rational>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_smallest_64_bit_integer_is_canonical() {
        let a = Rational::from(i64::MIN);
        assert_eq!(&(-&a) + &a, Rational::ZERO);
        assert_eq!(a, Rational::from(IBig::from(i64::MIN)));
    }
}
