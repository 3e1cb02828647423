//! Rates of one value, and the rules of sums, products, quotients and roots.

use crate::math::Arithmetic as _;
use crate::{Builder, ValueId};

/// A rate that is on the tape; none where it is zero whatever the state is.
pub(super) type Rate = Option<ValueId>;

/// The derivatives of one value: in each direction, and for each pair of directions.
#[derive(Debug, Clone, Default)]
pub(super) struct Jet {
    pub first: Vec<Rate>,
    pub second: Vec<Rate>,
}

impl Jet {
    /// What does not move.
    pub(super) fn still(count: usize, pairs: usize) -> Self {
        Self { first: vec![None; count], second: vec![None; pairs] }
    }

    pub(super) fn is_still(&self) -> bool {
        self.first.iter().chain(&self.second).all(Option::is_none)
    }

    /// Each rate by itself.
    pub(super) fn map(&self, mut to: impl FnMut(ValueId) -> ValueId) -> Self {
        let mut each = |rates: &[Rate]| rates.iter().map(|rate| rate.map(&mut to)).collect();
        Self { first: each(&self.first), second: each(&self.second) }
    }

    /// Rates of two values together, where at least one moves.
    pub(super) fn join(&self, other: &Self, mut to: impl FnMut(Rate, Rate) -> Rate) -> Self {
        let mut each = |a: &[Rate], b: &[Rate]| a.iter().zip(b).map(|(&a, &b)| to(a, b)).collect();
        Self { first: each(&self.first, &other.first), second: each(&self.second, &other.second) }
    }
}

/// The rules, recorded in a builder.
pub(super) struct Rules<'b> {
    pub builder: &'b mut Builder,
    pub pairs: &'b [(usize, usize)],
}

impl Rules<'_> {
    pub(super) fn add(&mut self, a: Rate, b: Rate) -> Rate {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.builder.add(a, b)),
            (a, b) => a.or(b),
        }
    }

    pub(super) fn sub(&mut self, a: Rate, b: Rate) -> Rate {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.builder.sub(a, b)),
            (None, Some(b)) => Some(self.builder.neg(b)),
            (a, None) => a,
        }
    }

    pub(super) fn times(&mut self, factor: ValueId, rate: Rate) -> Rate {
        rate.map(|rate| self.builder.mul(factor, rate))
    }

    /// `factor rate + rest`.
    pub(super) fn fma(&mut self, factor: ValueId, rate: Rate, rest: Rate) -> Rate {
        match (rate, rest) {
            (Some(rate), Some(rest)) => Some(self.builder.fma(factor, rate, rest)),
            (Some(rate), None) => Some(self.builder.mul(factor, rate)),
            (None, rest) => rest,
        }
    }

    /// `rest - factor rate`.
    pub(super) fn fnma(&mut self, factor: ValueId, rate: Rate, rest: Rate) -> Rate {
        match (rate, rest) {
            (Some(rate), Some(rest)) => Some(self.builder.fnma(factor, rate, rest)),
            (Some(rate), None) => {
                let product = self.builder.mul(factor, rate);
                Some(self.builder.neg(product))
            }
            (None, rest) => rest,
        }
    }

    /// `a b`, nothing if one of them is.
    pub(super) fn product_of(&mut self, a: Rate, b: Rate) -> Rate {
        Some(self.builder.mul(a?, b?))
    }

    /// `a_i b_j + a_j b_i`.
    pub(super) fn crossed(&mut self, a: &Jet, b: &Jet, (i, j): (usize, usize)) -> Rate {
        let (one, other) =
            (self.product_of(a.first[i], b.first[j]), self.product_of(a.first[j], b.first[i]));
        self.add(one, other)
    }

    /// `a_i a_j`.
    pub(super) fn squared(&mut self, a: &Jet, (i, j): (usize, usize)) -> Rate {
        self.product_of(a.first[i], a.first[j])
    }

    /// Of `x y`: (x y)_ij = x y_ij + y x_ij + x_i y_j + x_j y_i.
    pub(super) fn product(&mut self, (x, a): (ValueId, &Jet), (y, b): (ValueId, &Jet)) -> Jet {
        let mut jet = a.join(b, |rate_a, rate_b| {
            let part = self.times(y, rate_a);
            self.fma(x, rate_b, part)
        });
        for (k, &pair) in self.pairs.iter().enumerate() {
            let mixed = self.crossed(a, b, pair);
            jet.second[k] = self.add(jet.second[k], mixed);
        }
        jet
    }

    /// Of z = x / y: z_i = (x_i − z y_i)/y, z_ij = (x_ij − z y_ij − z_i y_j − z_j y_i)/y.
    pub(super) fn quotient(&mut self, z: ValueId, a: &Jet, (y, b): (ValueId, &Jet)) -> Jet {
        let one = self.builder.constant(1.0);
        let inverse = self.builder.div(one, y);
        let mut jet = Jet::still(a.first.len(), a.second.len());
        for (k, rate) in jet.first.iter_mut().enumerate() {
            let above = self.fnma(z, b.first[k], a.first[k]);
            *rate = self.times(inverse, above);
        }
        for (k, &pair) in self.pairs.iter().enumerate() {
            let above = self.fnma(z, b.second[k], a.second[k]);
            let mixed = self.crossed(&jet, b, pair);
            let above = self.sub(above, mixed);
            jet.second[k] = self.times(inverse, above);
        }
        jet
    }

    /// Of z = √x: z_i = x_i/(2z), z_ij = (x_ij − 2 z_i z_j)/(2z).
    pub(super) fn root(&mut self, z: ValueId, a: &Jet) -> Jet {
        let half = self.builder.constant(0.5);
        let inverse = self.builder.div(half, z);
        let mut jet = Jet::still(a.first.len(), a.second.len());
        for (k, rate) in jet.first.iter_mut().enumerate() {
            *rate = self.times(inverse, a.first[k]);
        }
        for (k, &pair) in self.pairs.iter().enumerate() {
            let square = self.squared(&jet, pair);
            let twice = self.add(square, square);
            let above = self.sub(a.second[k], twice);
            jet.second[k] = self.times(inverse, above);
        }
        jet
    }

    /// Of f(x) with f' and f'': f' x_i, f' x_ij + f'' x_i x_j.
    pub(super) fn chain(&mut self, slope: ValueId, curvature: Rate, a: &Jet) -> Jet {
        let mut jet = a.map(|rate| self.builder.mul(slope, rate));
        for (k, &pair) in self.pairs.iter().enumerate() {
            let square = self.squared(a, pair);
            let bent = self.product_of(curvature, square);
            jet.second[k] = self.add(jet.second[k], bent);
        }
        jet
    }

    /// Of f(x, y), from its derivatives.
    pub(super) fn chain2(&mut self, partials: &Partials, a: &Jet, b: &Jet) -> Jet {
        let (first, second) = partials.first;
        let mut jet = a.join(b, |rate_a, rate_b| {
            let part = self.product_of(first, rate_a);
            let other = self.product_of(second, rate_b);
            self.add(part, other)
        });
        let (aa, ab, bb) = partials.second;
        for (k, &pair) in self.pairs.iter().enumerate() {
            let squares = [self.squared(a, pair), self.crossed(a, b, pair), self.squared(b, pair)];
            for (partial, square) in [aa, ab, bb].into_iter().zip(squares) {
                let bent = self.product_of(partial, square);
                jet.second[k] = self.add(jet.second[k], bent);
            }
        }
        jet
    }
}

/// The derivatives of a function of two arguments.
pub(super) struct Partials {
    pub first: (Rate, Rate),
    /// Twice in the first, in both, twice in the second.
    pub second: (Rate, Rate, Rate),
}
