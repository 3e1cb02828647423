//! Truncated power series in the step size, with first derivatives along tangent vectors.

use super::algebra::{Algebra, Element};
use super::scalars::Scalars;

/// Power series in h modulo h^(order + 1), each coefficient with its derivatives along
/// `tangents` independent directions (first-order nilpotents: products of two vanish).
///
/// The coordinates of a series run over the powers of h and, inside a power, over the value and
/// the tangents. A prefix is therefore the same series truncated earlier.
#[derive(Debug)]
pub struct Jets<'a, S: Scalars> {
    scalars: &'a S,
    order: usize,
    tangents: usize,
    /// 1/k for 1 <= k <= order (1 at k = 0).
    inverses: Vec<S::Element>,
}

impl<'a, S: Scalars> Jets<'a, S> {
    /// Series through h^`order` with this many tangent directions; `None` if the characteristic of
    /// the field is not above the order.
    pub fn new(scalars: &'a S, order: usize, tangents: usize) -> Option<Self> {
        let one = scalars.one();
        let mut inverses = vec![one.clone()];
        let mut integer = scalars.zero();
        for _ in 1..=order {
            integer = scalars.add(&integer, &one);
            inverses.push(scalars.inverse(&integer)?);
        }
        Some(Self { scalars, order, tangents, inverses })
    }

    /// The highest power of h that is kept.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Series of a lower order.
    #[must_use]
    pub fn truncated(&self, order: usize) -> Self {
        Self {
            scalars: self.scalars,
            order: order.min(self.order),
            tangents: self.tangents,
            inverses: self.inverses.clone(),
        }
    }

    /// Value and tangents together.
    fn parts(&self) -> usize {
        1 + self.tangents
    }

    /// Coefficient of h^`power`: `part` 0 is the value, the others are the tangents.
    pub fn coefficient<'e>(
        &self,
        series: &'e Element<Self>,
        power: usize,
        part: usize,
    ) -> Option<&'e S::Element> {
        series.get(power * self.parts() + part)
    }

    /// The series of a value and its tangents, constant in h.
    pub fn start(&self, parts: &[S::Element]) -> Element<Self> {
        let mut element = self.zero();
        for (target, part) in element.iter_mut().zip(parts.iter().take(self.parts())) {
            *target = part.clone();
        }
        element
    }

    /// A series of lower order as one of this order (padded with zeros), or the reverse.
    pub fn resize(&self, series: &Element<Self>) -> Element<Self> {
        let mut resized = series.clone();
        resized.resize(self.dimension(), self.scalars.zero());
        resized
    }

    /// `h x`.
    pub fn shift(&self, series: &Element<Self>) -> Element<Self> {
        let mut shifted = vec![self.scalars.zero(); self.parts()];
        shifted.extend_from_slice(series);
        shifted.resize(self.dimension(), self.scalars.zero());
        shifted
    }

    /// The integral of `x` from 0 to h.
    pub fn integral(&self, series: &Element<Self>) -> Element<Self> {
        let parts = self.parts();
        let mut shifted = self.shift(series);
        for (at, coefficient) in shifted.iter_mut().enumerate().skip(parts) {
            *coefficient = self.scalars.mul(coefficient, &self.inverses[at / parts]);
        }
        shifted
    }

    /// Coefficient of h^power in `x_part y_other`.
    fn convolve(
        &self,
        (x, part): (&Element<Self>, usize),
        (y, other): (&Element<Self>, usize),
        power: usize,
    ) -> S::Element {
        let parts = self.parts();
        self.scalars
            .sum_of_products(power + 1, |i| (&x[i * parts + part], &y[(power - i) * parts + other]))
    }

    /// Puts tangents beside the values of `values`, by the derivation rule `d = factor dx`.
    fn with_tangents(
        &self,
        values: Element<Self>,
        factor: &Element<Self>,
        x: &Element<Self>,
    ) -> Element<Self> {
        let parts = self.parts();
        let mut result = values;
        for power in 0..=self.order {
            for tangent in 1..parts {
                result[power * parts + tangent] = self.convolve((factor, 0), (x, tangent), power);
            }
        }
        result
    }
}

impl<S: Scalars> Algebra for Jets<'_, S> {
    type Scalars = S;

    fn scalars(&self) -> &S {
        self.scalars
    }

    fn dimension(&self) -> usize {
        (self.order + 1) * self.parts()
    }

    fn mul(&self, x: &Element<Self>, y: &Element<Self>) -> Element<Self> {
        let parts = self.parts();
        let mut product = Vec::with_capacity(self.dimension());
        for power in 0..=self.order {
            product.push(self.convolve((x, 0), (y, 0), power));
            for tangent in 1..parts {
                let one = self.convolve((x, 0), (y, tangent), power);
                let other = self.convolve((x, tangent), (y, 0), power);
                product.push(self.scalars.add(&one, &other));
            }
        }
        product
    }

    fn inverse(&self, x: &Element<Self>) -> Option<Element<Self>> {
        let parts = self.parts();
        let first = self.scalars.inverse(x.first()?)?;
        let minus_first = self.scalars.neg(&first);
        let mut result = self.zero();
        result[0] = first;
        for power in 1..=self.order {
            let sum = self.scalars.sum_of_products(power, |i| {
                (&x[(i + 1) * parts], &result[(power - 1 - i) * parts])
            });
            result[power * parts] = self.scalars.mul(&minus_first, &sum);
        }
        if self.tangents == 0 {
            return Some(result);
        }
        // d(1/x) = -(1/x)^2 dx
        let factor = self.neg(&self.mul(&result, &result));
        Some(self.with_tangents(result, &factor, x))
    }

    fn exponential(&self, x: &Element<Self>) -> Element<Self> {
        let parts = self.parts();
        let mut result = self.zero();
        result[0] = self.scalars.one();
        // (e^x)' = x' e^x, with x' = sum of k x_k h^(k-1); the multiples k x_k once for all.
        let mut multiples = Vec::with_capacity(self.order);
        let mut integer = self.scalars.zero();
        for power in 1..=self.order {
            integer = self.scalars.add(&integer, &self.scalars.one());
            multiples.push(self.scalars.mul(&integer, &x[power * parts]));
        }
        for power in 1..=self.order {
            let sum = self
                .scalars
                .sum_of_products(power, |i| (&multiples[i], &result[(power - 1 - i) * parts]));
            result[power * parts] = self.scalars.mul(&self.inverses[power], &sum);
        }
        if self.tangents == 0 {
            return result;
        }
        let factor = result.clone();
        self.with_tangents(result, &factor, x)
    }
}
