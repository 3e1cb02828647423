//! Exponents of even coordinates, packed eight bits each.
//!
//! The highest bit of every field stays free: a sum of two packed words then never carries into
//! the next field, and an exponent that grew too large shows there. Up to sixteen even
//! coordinates fit one machine word of 128 bits; more of them take a list of words.

/// Fields of a word.
const FIELDS: usize = 16;
/// The free bit of every field.
const GUARD: u128 = 0x8080_8080_8080_8080_8080_8080_8080_8080;

/// The exponents of a monomial in the even coordinates.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exponents {
    /// At most sixteen coordinates.
    Word(u128),
    /// More than sixteen.
    Words(Box<[u128]>),
}

impl Exponents {
    /// The largest exponent that is represented.
    pub const LARGEST: u8 = 127;

    /// All exponents zero, with room for this many coordinates.
    pub fn none(coordinates: usize) -> Self {
        if coordinates <= FIELDS {
            Self::Word(0)
        } else {
            Self::Words(vec![0; coordinates.div_ceil(FIELDS)].into_boxed_slice())
        }
    }

    fn word(&self, index: usize) -> u128 {
        match self {
            Self::Word(word) => *word,
            Self::Words(words) => words.get(index).copied().unwrap_or(0),
        }
    }

    fn word_mut(&mut self, index: usize) -> Option<&mut u128> {
        match self {
            Self::Word(word) => Some(word),
            Self::Words(words) => words.get_mut(index),
        }
    }

    /// The exponent of a coordinate.
    pub fn get(&self, coordinate: usize) -> u8 {
        (self.word(coordinate / FIELDS) >> (8 * (coordinate % FIELDS))) as u8
    }

    /// The same monomial with another exponent; `None` beyond [`Exponents::LARGEST`].
    pub fn with(&self, coordinate: usize, exponent: u8) -> Option<Self> {
        if exponent > Self::LARGEST {
            return None;
        }
        let mut result = self.clone();
        let shift = 8 * (coordinate % FIELDS);
        let word = result.word_mut(coordinate / FIELDS)?;
        *word = (*word & !(0xff << shift)) | (u128::from(exponent) << shift);
        Some(result)
    }

    /// Are all exponents zero?
    pub fn is_none(&self) -> bool {
        match self {
            Self::Word(word) => *word == 0,
            Self::Words(words) => words.iter().all(|word| *word == 0),
        }
    }

    /// The product of two monomials; `None` when an exponent passes [`Exponents::LARGEST`].
    pub fn times(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Word(a), Self::Word(b)) => {
                let sum = a + b;
                (sum & GUARD == 0).then_some(Self::Word(sum))
            }
            (Self::Words(a), Self::Words(b)) => {
                let sums: Box<[u128]> = a.iter().zip(b).map(|(a, b)| a + b).collect();
                sums.iter().all(|sum| sum & GUARD == 0).then_some(Self::Words(sums))
            }
            // Elements of rings with different numbers of coordinates.
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_add_field_by_field_and_refuse_to_overflow() {
        for coordinates in [3, 16, 17, 40] {
            let last = coordinates - 1;
            let a = Exponents::none(coordinates).with(last, 100).unwrap().with(0, 1).unwrap();
            let b = Exponents::none(coordinates).with(last, 27).unwrap();
            let product = a.times(&b).unwrap();
            assert_eq!((product.get(last), product.get(0), product.get(1)), (127, 1, 0));
            assert_eq!(product.times(&b), None);
            assert!(Exponents::none(coordinates).is_none() && !a.is_none());
            assert_eq!(a.with(0, 128), None);
        }
    }
}
