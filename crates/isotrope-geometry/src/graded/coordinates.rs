//! The coordinates of a graded manifold: names and degrees.

use super::{Exponents, GradedError};

/// Where a monomial keeps a coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// A bit of the mask of odd coordinates.
    Odd(usize),
    /// A field of the packed exponents.
    Even(usize),
    /// In the coefficient: a coordinate of degree 0 whose functions are not only polynomials.
    Coefficient(usize),
}

/// The coordinates of a graded manifold. The parity is the degree modulo 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coordinates {
    names: Vec<String>,
    degrees: Vec<i32>,
    slots: Vec<Slot>,
    odd: Vec<usize>,
    even: Vec<usize>,
}

impl Coordinates {
    /// The largest number of odd coordinates.
    pub const MOST_ODD: usize = 128;

    /// From names and degrees. With `base_in_coefficients` the coordinates of degree 0 belong to
    /// the coefficients, otherwise everything is polynomial in them.
    pub fn new(
        list: impl IntoIterator<Item = (String, i32)>,
        base_in_coefficients: bool,
    ) -> Result<Self, GradedError> {
        let mut coordinates =
            Self { names: vec![], degrees: vec![], slots: vec![], odd: vec![], even: vec![] };
        let mut base = 0;
        for (index, (name, degree)) in list.into_iter().enumerate() {
            coordinates.names.push(name);
            coordinates.degrees.push(degree);
            coordinates.slots.push(if degree % 2 != 0 {
                coordinates.odd.push(index);
                Slot::Odd(coordinates.odd.len() - 1)
            } else if degree == 0 && base_in_coefficients {
                base += 1;
                Slot::Coefficient(base - 1)
            } else {
                coordinates.even.push(index);
                Slot::Even(coordinates.even.len() - 1)
            });
        }
        match coordinates.odd.len() {
            found if found > Self::MOST_ODD => Err(GradedError::TooManyOdd { found }),
            _ => Ok(coordinates),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The name of a coordinate.
    pub fn name(&self, index: usize) -> &str {
        self.names.get(index).map_or("", String::as_str)
    }

    /// The degrees.
    pub fn degrees(&self) -> &[i32] {
        &self.degrees
    }

    /// The degree of a coordinate.
    pub fn degree(&self, index: usize) -> Result<i32, GradedError> {
        self.degrees.get(index).copied().ok_or(GradedError::NoCoordinate { index })
    }

    /// Where monomials keep it.
    pub fn slot(&self, index: usize) -> Result<Slot, GradedError> {
        self.slots.get(index).copied().ok_or(GradedError::NoCoordinate { index })
    }

    /// The numbers of the odd coordinates, in the order of their bits.
    pub fn odd(&self) -> &[usize] {
        &self.odd
    }

    /// The numbers of the coordinates with exponents, in the order of their fields.
    pub fn even(&self) -> &[usize] {
        &self.even
    }

    /// The monomial 1.
    pub fn one(&self) -> Monomial {
        Monomial { odd: 0, even: Exponents::none(self.even.len()) }
    }

    /// The degree of a monomial.
    pub fn degree_of(&self, monomial: &Monomial) -> i32 {
        let odd = self.odd.iter().enumerate().filter(|(bit, _)| monomial.odd >> bit & 1 == 1);
        let even = self.even.iter().enumerate();
        odd.map(|(_, &index)| self.degrees[index]).sum::<i32>()
            + even
                .map(|(field, &index)| self.degrees[index] * i32::from(monomial.even.get(field)))
                .sum::<i32>()
    }
}

/// A monomial: the even coordinates with their exponents, then the odd ones in ascending order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Monomial {
    /// The odd coordinates that occur.
    pub odd: u128,
    /// The exponents of the even ones.
    pub even: Exponents,
}

/// Is the product of two lists of odd coordinates the negative of the ordered one (Koszul's
/// sign)? `None` if a coordinate occurs in both, so that the product is zero.
pub fn koszul_sign(left: u128, right: u128) -> Option<bool> {
    if left & right != 0 {
        return None;
    }
    let (mut odd, mut rest) = (false, right);
    while rest != 0 {
        let bit = rest.trailing_zeros();
        // Everything of the left above this coordinate is passed on its way to its place.
        odd ^= (left >> bit).count_ones() & 1 == 1;
        rest &= rest - 1;
    }
    Some(odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_counts_transpositions() {
        assert_eq!(koszul_sign(0b01, 0b10), Some(false));
        assert_eq!(koszul_sign(0b10, 0b01), Some(true));
        assert_eq!(koszul_sign(0b110, 0b001), Some(false));
        assert_eq!(koszul_sign(0b101, 0b010), Some(true));
        assert_eq!(koszul_sign(0b11, 0b10), None);
        assert_eq!(koszul_sign(1 << 127, 1), Some(true));
    }

    #[test]
    fn degrees_add_up_also_negative_ones() {
        let list = [("x", 0), ("c", 1), ("p", 2), ("s", -1), ("t", -2)];
        let list = list.map(|(name, degree)| (name.to_owned(), degree));
        let coordinates = Coordinates::new(list, false).unwrap();
        let even = Exponents::none(3).with(1, 2).unwrap().with(2, 1).unwrap();
        // c s p^2 t
        assert_eq!(coordinates.degree_of(&Monomial { odd: 0b11, even }), 2);
        assert_eq!(coordinates.slot(5), Err(GradedError::NoCoordinate { index: 5 }));
    }

    #[test]
    fn too_many_odd_coordinates_are_refused() {
        let list = (0..129).map(|k| (format!("c{k}"), 1));
        let refused = Coordinates::new(list, false);
        assert_eq!(refused, Err(GradedError::TooManyOdd { found: 129 }));
    }
}
