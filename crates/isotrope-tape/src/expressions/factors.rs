//! Which factors of products are multiplied first.
//!
//! Products are lists of factors, and those of one system have much in common: `λ x / r²` and
//! `λ y / r²`, or the entries of a Jacobian. Pairs of factors that occur in several products are
//! multiplied once (Breuer 1969: the most frequent pair first), and a pair of a factor with a
//! reciprocal is a quotient.

use isotrope_algebra::{ExprId, OrInternal, Pairs, Pool, Rational};
use rustc_hash::FxHashMap;

/// Larger integer powers are left to the function `pow`: each squaring doubles the error.
const LARGEST_POWER: u64 = 64;
/// Powers up to this one are written as repeated factors, which can be paired with others.
const REPEATED: u32 = 3;
/// Longer products are not searched for pairs.
const LONGEST: usize = 16;
/// Pairs of pairs of pairs.
const ROUNDS: usize = 6;

/// A denominator: bases with positive exponents, counted in halves.
pub(super) type Denominator = Vec<(ExprId, u32)>;

/// The number of a factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct FactorId(pub u32);

/// One factor of a product.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Factor {
    /// A power with an exponent counted in halves.
    Power(ExprId, u32),
    /// A power of the reciprocal of a denominator.
    Reciprocal(Denominator, u32),
    /// A power with any other exponent.
    General(ExprId, ExprId),
    /// Two factors that several products have in common.
    Pair(FactorId, FactorId),
}

/// All products as lists of factors.
#[derive(Debug, Default)]
pub(super) struct Factors {
    factors: Vec<Factor>,
    ids: FxHashMap<Factor, FactorId>,
    /// Where a product stands in the lists below, which have the order of the pool.
    index: FxHashMap<ExprId, u32>,
    products: Vec<Vec<FactorId>>,
    below: Vec<Denominator>,
    /// How many products have a denominator.
    denominators: FxHashMap<Denominator, u32>,
    /// In how many products and pairs each factor stands; all powers of a reciprocal together.
    places: Vec<u32>,
}

/// A rational exponent as a number of halves, if it is small enough.
fn halves(exponent: &Rational) -> Option<i64> {
    let (n, d) = exponent.as_small()?;
    let halves = match d {
        1 => n.checked_mul(2)?,
        2 => n,
        _ => return None,
    };
    (halves.unsigned_abs() <= 2 * LARGEST_POWER).then_some(halves)
}

/// Powers of one base have the reciprocal of the base in common, or of its square root.
fn unit(&(base, halves): &(ExprId, u32)) -> (Denominator, u32) {
    if halves % 2 == 0 { (vec![(base, 2)], halves / 2) } else { (vec![(base, 1)], halves) }
}

/// The denominator of a product, and its power.
fn common(denominator: &Denominator) -> (Denominator, u32) {
    match &denominator[..] {
        [part] => unit(part),
        _ => (denominator.clone(), 1),
    }
}

fn denominator(pool: &Pool, pairs: impl Iterator<Item = (ExprId, ExprId)>) -> Denominator {
    pairs
        .filter_map(|(base, exponent)| {
            let halves = halves(pool.as_number(exponent)?)?;
            (halves < 0).then_some((base, halves.unsigned_abs() as u32))
        })
        .collect()
}

impl Factors {
    /// Takes note of a product; `varies` tells which of its pairs contain symbols.
    pub(super) fn meet(
        &mut self,
        pool: &Pool,
        id: ExprId,
        pairs: Pairs<'_>,
        varies: impl Fn((ExprId, ExprId)) -> bool,
    ) {
        let below = denominator(pool, pairs.iter().filter(|&pair| varies(pair)));
        if !below.is_empty() {
            *self.denominators.entry(common(&below).0).or_default() += 1;
        }
        let mut list = Vec::with_capacity(pairs.len());
        for (base, exponent) in pairs.iter().filter(|&pair| varies(pair)) {
            match pool.as_number(exponent).and_then(halves) {
                Some(halves) if halves < 0 => {}
                Some(halves) if halves % 2 == 0 && halves as u32 <= 2 * REPEATED => {
                    let factor = self.intern(Factor::Power(base, 2));
                    list.extend((0..halves / 2).map(|_| factor));
                }
                Some(halves) => list.push(self.intern(Factor::Power(base, halves as u32))),
                None => list.push(self.intern(Factor::General(base, exponent))),
            }
        }
        self.index.insert(id, self.products.len() as u32);
        self.products.push(list);
        self.below.push(below);
    }

    /// Finds what the products have in common, after all of them are met.
    pub(super) fn share(&mut self) {
        for (k, below) in std::mem::take(&mut self.below).into_iter().enumerate() {
            self.add_denominator(k, &below);
        }
        for _ in 0..ROUNDS {
            if !self.pair_up() {
                break;
            }
        }
        self.places = vec![0; self.factors.len()];
        for list in &mut self.products {
            list.sort_unstable();
            for (k, factor) in list.iter().enumerate() {
                self.places[factor.0 as usize] += u32::from(k == 0 || list[k - 1] != *factor);
            }
        }
        // A pair is made after its parts, and counts only if it is used.
        for k in (0..self.factors.len()).rev() {
            if let Factor::Pair(a, b) = self.factors[k]
                && self.places[k] > 0
            {
                self.places[a.0 as usize] += 1;
                self.places[b.0 as usize] += u32::from(a != b);
            }
        }
        let mut divided: FxHashMap<&Denominator, u32> = FxHashMap::default();
        for (factor, places) in self.factors.iter().zip(&self.places) {
            if let Factor::Reciprocal(denominator, _) = factor {
                *divided.entry(denominator).or_default() += places;
            }
        }
        for (factor, places) in self.factors.iter().zip(&mut self.places) {
            if let Factor::Reciprocal(denominator, _) = factor {
                *places = divided.get(denominator).copied().unwrap_or(0);
            }
        }
    }

    /// The factors of a product.
    pub(super) fn of(&self, id: ExprId) -> Vec<FactorId> {
        let own = self.index.get(&id).map(|&k| self.products[k as usize].clone());
        own.or_noticed("a product that is written has its factors")
    }

    pub(super) fn get(&self, id: FactorId) -> &Factor {
        &self.factors[id.0 as usize]
    }

    /// Does the factor stand in one place only? Then a reciprocal is a division there.
    pub(super) fn is_single(&self, id: FactorId) -> bool {
        self.places[id.0 as usize] == 1
    }

    fn intern(&mut self, factor: Factor) -> FactorId {
        if let Some(&id) = self.ids.get(&factor) {
            return id;
        }
        let id = FactorId(self.factors.len() as u32);
        self.factors.push(factor.clone());
        self.ids.insert(factor, id);
        id
    }

    /// A denominator that several products have is one reciprocal; so is each base, if all of them
    /// are needed anyway.
    fn add_denominator(&mut self, product: usize, below: &Denominator) {
        if below.is_empty() {
            return;
        }
        let known = |key: &Denominator| self.denominators.get(key).is_some_and(|&n| n > 1);
        let whole = common(below);
        let parts: Vec<(Denominator, u32)> = below.iter().map(unit).collect();
        let apart = !known(&whole.0) && parts.iter().all(|(key, _)| known(key));
        for (key, power) in if apart { parts } else { vec![whole] } {
            let (count, power) = if power <= REPEATED { (power, 1) } else { (1, power) };
            let factor = self.intern(Factor::Reciprocal(key, power));
            self.products[product].extend((0..count).map(|_| factor));
        }
    }

    /// One round: in each product the pair that is most frequent in all of them. False if none is
    /// left that occurs twice.
    fn pair_up(&mut self) -> bool {
        let mut counts: FxHashMap<(FactorId, FactorId), u32> = FxHashMap::default();
        for list in &mut self.products {
            list.sort_unstable();
            for_each_pair(list, |pair| *counts.entry(pair).or_default() += 1);
        }
        let mut changed = false;
        for product in 0..self.products.len() {
            let mut best: Option<(u32, (FactorId, FactorId))> = None;
            for_each_pair(&self.products[product], |pair| {
                let count = counts.get(&pair).copied().unwrap_or(0);
                if count > 1 && best.is_none_or(|(known, _)| count > known) {
                    best = Some((count, pair));
                }
            });
            let Some((_, (a, b))) = best else { continue };
            let pair = self.intern(Factor::Pair(a, b));
            let list = &mut self.products[product];
            for part in [a, b] {
                if let Some(at) = list.iter().position(|&factor| factor == part) {
                    list.remove(at);
                }
            }
            list.push(pair);
            changed = true;
        }
        changed
    }
}

/// Calls `visit` for every pair of factors of a sorted list, equal pairs once.
fn for_each_pair(list: &[FactorId], mut visit: impl FnMut((FactorId, FactorId))) {
    if list.len() > LONGEST {
        return;
    }
    for (k, &a) in list.iter().enumerate() {
        if k > 0 && list[k - 1] == a {
            continue;
        }
        let mut last = None;
        for &b in &list[k + 1..] {
            if last != Some(b) {
                visit((a, b));
            }
            last = Some(b);
        }
    }
}
