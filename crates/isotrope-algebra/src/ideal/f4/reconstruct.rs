//! Bases over the rationals from bases modulo primes.
//!
//! For all but finitely many primes the reduced basis modulo p is the image of the one over the rationals (Arnold
//! 2003). Coefficients modulo the product of the primes used so far are put together (Chinese remainders) and read
//! as fractions; the answer is what agrees with the image of one prime more. That is no proof:
//! [`Ideal::new`](crate::ideal::Ideal::new) has one.

use std::collections::BTreeMap;

use dashu_int::{IBig, UBig};

use crate::OrInternal;
use crate::ideal::EngineError;
use crate::{Budget, Monomial, Polynomial, Rational, modular};

/// A reduced basis modulo a prime: monomials and residues, the leading ones first.
pub(super) type Image = Vec<Vec<(Monomial, u64)>>;

/// Primes that may divide denominators before it is given up.
const BAD: usize = 64;

/// The basis of which these are images. `image` computes that of a prime.
pub(super) fn reconstructed(
    mut image: impl FnMut(u64, &mut Budget) -> Result<Image, EngineError>,
    budget: &mut Budget,
) -> Result<Vec<Polynomial>, EngineError> {
    // Unlucky primes have other leading monomials, and there are few of them.
    let mut groups: BTreeMap<Vec<Monomial>, Group> = BTreeMap::new();
    let mut bad = 0;
    for prime in modular::primes_below(1 << 31) {
        let found = match image(prime, budget) {
            Err(EngineError::BadPrime { .. }) if bad < BAD => {
                bad += 1;
                continue;
            }
            found => found?,
        };
        let leads = found.iter().filter_map(|g| g.first()).map(|(lead, _)| lead.clone()).collect();
        let most = groups.values().map(|group| group.images).max().unwrap_or_default();
        let group = groups.entry(leads).or_insert_with(|| Group::new(found.len()));
        if let Some(answer) = group.candidate.take_if(|answer| agree(answer, &found, prime)) {
            return Ok(answer);
        }
        group.add(&found, prime, budget)?;
        if group.images >= most {
            group.candidate = group.fractions(budget)?;
        }
    }
    Err(EngineError::Failed { reason: "there are no primes left".into() })
}

/// Images with the same leading monomials.
struct Group {
    images: usize,
    /// The product of their primes.
    modulus: UBig,
    /// Coefficients modulo that.
    residues: Vec<BTreeMap<Monomial, UBig>>,
    /// Fractions with these residues.
    candidate: Option<Vec<Polynomial>>,
    /// The element that had no fractions last.
    doubtful: usize,
}

impl Group {
    fn new(elements: usize) -> Self {
        let residues = vec![BTreeMap::new(); elements];
        Self { images: 0, modulus: UBig::ONE, residues, candidate: None, doubtful: 0 }
    }

    /// x + M t with M t = r − x modulo the prime, for every coefficient x; what is missing is zero.
    fn add(&mut self, image: &Image, prime: u64, budget: &mut Budget) -> Result<(), EngineError> {
        let residue = |x: &UBig| {
            u64::try_from(x % UBig::from(prime)).ok().or_noticed("a residue is less than the prime")
        };
        let inverse = modular::inverse(residue(&self.modulus), prime)
            .or_noticed("the primes of a group are different");
        for (known, element) in self.residues.iter_mut().zip(image) {
            for (monomial, _) in element {
                known.entry(monomial.clone()).or_default();
            }
            let new: BTreeMap<&Monomial, u64> = element.iter().map(|(m, r)| (m, *r)).collect();
            for (monomial, x) in known {
                budget.spend(self.images as u64 + 1, DOING)?;
                let r = new.get(monomial).copied().unwrap_or_default();
                let t = modular::mul(modular::sub(r, residue(x), prime), inverse, prime);
                *x += &self.modulus * UBig::from(t);
            }
        }
        self.modulus *= UBig::from(prime);
        self.images += 1;
        Ok(())
    }

    /// Fractions with small numerators and denominators for all coefficients, if there are.
    fn fractions(&mut self, budget: &mut Budget) -> Result<Option<Vec<Polynomial>>, EngineError> {
        let elements = self.residues.len();
        let mut found = vec![Polynomial::zero(); elements];
        // What failed last time most likely fails again.
        for number in (0..elements).map(|i| (i + self.doubtful) % elements) {
            let Some(element) = self.element(number, budget)? else {
                self.doubtful = number;
                return Ok(None);
            };
            found[number] = element;
        }
        Ok(Some(found))
    }

    fn element(
        &self,
        number: usize,
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, EngineError> {
        let bound = modular::fraction_bound(&self.modulus);
        let half = &self.modulus / UBig::from(2u8);
        // Coefficients of an element share most of their denominators.
        let mut denominator = UBig::ONE;
        let mut terms = Vec::with_capacity(self.residues[number].len());
        for (monomial, residue) in &self.residues[number] {
            budget.spend(1 + self.images as u64, DOING)?;
            let scaled = (residue * &denominator) % &self.modulus;
            let numerator = match scaled > half {
                true => IBig::from(scaled) - IBig::from(self.modulus.clone()),
                false => IBig::from(scaled),
            };
            let value = if UBig::try_from(&numerator * numerator.signum()).is_ok_and(|n| n <= bound)
            {
                Rational::from_big(numerator, denominator.clone())
            } else {
                budget.spend((self.images * self.images) as u64, DOING)?;
                modular::fraction(residue, &self.modulus)
            };
            let Some(value) = value else { return Ok(None) };
            let own = value.denominator();
            if own > denominator {
                denominator = own;
            }
            terms.push((monomial.clone(), value));
        }
        Ok(Some(Polynomial::from_terms(terms)))
    }
}

const DOING: &str = "computing a basis of an ideal";

/// Is this the image of the basis?
fn agree(basis: &[Polynomial], image: &Image, prime: u64) -> bool {
    basis.len() == image.len()
        && basis.iter().zip(image).all(|(element, image)| {
            let terms = element.terms();
            let same = |(monomial, residue): &(Monomial, u64)| {
                element.coefficient(monomial).modulo(prime) == Some(*residue)
            };
            // Terms that vanish modulo the prime are not in the image.
            let left = terms.iter().filter(|(_, c)| c.modulo(prime) != Some(0)).count();
            left == image.len() && image.iter().all(same)
        })
}
