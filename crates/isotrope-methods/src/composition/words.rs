//! Words in the letters 1, 3, 5, …, each of its own weight, and series over them.

use isotrope_algebra::{Ball, EvaluationError, Rational};

use crate::stages::unit_fraction;

/// A ball with its derivatives in some variables; an empty gradient is zero.
#[derive(Debug, Clone)]
pub(super) struct Jet {
    pub(super) value: Ball,
    pub(super) gradient: Vec<Ball>,
}

impl Jet {
    pub(super) fn constant(value: Ball) -> Self {
        Self { value, gradient: Vec::new() }
    }

    /// The values as independent variables.
    pub(super) fn variables(values: &[Ball]) -> Vec<Self> {
        values
            .iter()
            .enumerate()
            .map(|(i, value)| {
                let unit = |j| Ball::integer(i64::from(i == j), value.precision());
                Self { value: value.clone(), gradient: (0..values.len()).map(unit).collect() }
            })
            .collect()
    }

    fn combine(&self, other: &Self, operation: impl Fn(&Ball, &Ball) -> Ball) -> Self {
        let zero = Ball::zero(self.value.precision());
        let size = self.gradient.len().max(other.gradient.len());
        let entry = |jet: &Self, i: usize| jet.gradient.get(i).cloned().unwrap_or(zero.clone());
        Self {
            value: operation(&self.value, &other.value),
            gradient: (0..size).map(|i| operation(&entry(self, i), &entry(other, i))).collect(),
        }
    }

    pub(super) fn add(&self, other: &Self) -> Self {
        self.combine(other, Ball::add)
    }

    pub(super) fn sub(&self, other: &Self) -> Self {
        self.combine(other, Ball::sub)
    }

    pub(super) fn mul(&self, other: &Self) -> Result<Self, EvaluationError> {
        let left = |i: usize| self.gradient.get(i).map(|d| d.mul(&other.value)).transpose();
        let right = |i: usize| other.gradient.get(i).map(|d| d.mul(&self.value)).transpose();
        let zero = Ball::zero(self.value.precision());
        let size = self.gradient.len().max(other.gradient.len());
        let mut gradient = Vec::with_capacity(size);
        for i in 0..size {
            let (l, r) = (left(i)?, right(i)?);
            gradient.push(l.unwrap_or(zero.clone()).add(&r.unwrap_or(zero.clone())));
        }
        Ok(Self { value: self.value.mul(&other.value)?, gradient })
    }
}

/// All words up to a weight, the empty one first.
#[derive(Debug)]
pub(super) struct Words {
    words: Vec<Vec<usize>>,
    /// For each word its divisions into a front and a back.
    divisions: Vec<Vec<(usize, usize)>>,
}

impl Words {
    pub(super) fn up_to(weight: usize) -> Self {
        let mut words: Vec<Vec<usize>> = vec![Vec::new()];
        let mut next = 0;
        while next < words.len() {
            let used: usize = words[next].iter().sum();
            for letter in (1..=weight.saturating_sub(used)).step_by(2) {
                let mut longer = words[next].clone();
                longer.push(letter);
                words.push(longer);
            }
            next += 1;
        }
        let find = |word: &[usize]| words.iter().position(|w| w == word).unwrap_or(0);
        let divisions = words
            .iter()
            .map(|word| (0..=word.len()).map(|at| (find(&word[..at]), find(&word[at..]))).collect())
            .collect();
        Self { words, divisions }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn weight(&self, word: usize) -> usize {
        self.words[word].iter().sum()
    }

    pub(super) fn name(&self, word: usize) -> String {
        self.words[word].iter().map(ToString::to_string).collect()
    }

    /// Words strictly smaller than all their proper ends.
    pub(super) fn lyndon(&self) -> impl Iterator<Item = usize> {
        (0..self.words.len()).filter(|&word| {
            let letters = &self.words[word];
            !letters.is_empty() && (1..letters.len()).all(|at| letters[..] < letters[at..])
        })
    }

    /// The coefficient in exp(X₁).
    pub(super) fn exponential(&self, word: usize) -> Rational {
        let letters = &self.words[word];
        if letters.iter().any(|&letter| letter != 1) {
            return Rational::ZERO;
        }
        inverse_factorial(letters.len())
    }

    /// The coefficients of ∏ exp(γX₁ + γ³X₃ + γ⁵X₅ + …).
    pub(super) fn product(&self, factors: &[Jet]) -> Result<Vec<Jet>, EvaluationError> {
        let Some(first) = factors.first() else { return Ok(Vec::new()) };
        let precision = first.value.precision();
        let mut series: Vec<Jet> = (0..self.len())
            .map(|word| Jet::constant(Ball::integer(i64::from(word == 0), precision)))
            .collect();
        let heaviest = (0..self.len()).map(|word| self.weight(word)).max().unwrap_or(0);
        for gamma in factors {
            let mut powers = vec![Jet::constant(Ball::one(precision))];
            for k in 0..heaviest {
                powers.push(powers[k].mul(gamma)?);
            }
            let mut factor = Vec::with_capacity(self.len());
            for word in 0..self.len() {
                let scale =
                    Ball::from_rational(&inverse_factorial(self.words[word].len()), precision);
                factor.push(powers[self.weight(word)].mul(&Jet::constant(scale))?);
            }
            let mut next = Vec::with_capacity(self.len());
            for divisions in &self.divisions {
                let mut sum = Jet::constant(Ball::zero(precision));
                for &(front, back) in divisions {
                    sum = sum.add(&series[front].mul(&factor[back])?);
                }
                next.push(sum);
            }
            series = next;
        }
        Ok(series)
    }
}

fn inverse_factorial(n: usize) -> Rational {
    (1..=n).fold(Rational::ONE, |product, k| product * unit_fraction(k))
}
