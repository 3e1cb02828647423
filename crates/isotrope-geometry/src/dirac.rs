//! The almost Dirac structure that constraints induce on the cotangent bundle.

mod ansatz;
mod casimir;
mod class;
mod compose;
mod convert;
mod courant;
mod drops;
mod images;
mod primitive;
mod represent;
mod two_class;

pub use casimir::{Casimirs, Kernel, LeafDimension};
pub use courant::{CourantComponent, CourantTensor};
pub use drops::RankAndDrops;
pub(crate) use primitive::shifted;
pub use primitive::{Circle, HorizontalPrimitive};
pub use two_class::BasicTwoClass;

use isotrope_algebra::linear::{LinearError, Matrix, Rank, rank};
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, Pool};

use crate::Distribution;
use crate::explicit::elimination_order;
use crate::work::zero_test;

/// One generator `v + a` of a subbundle of `TM + T*M`: a row of the matrix `(V|A)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generator {
    /// The components of the vector `v`.
    pub vector: Vec<ExprId>,
    /// The components of the covector `a`.
    pub covector: Vec<ExprId>,
}

/// A subbundle of `TM + T*M` by its generators; almost Dirac if it is isotropic for the
/// pairing `<v+a, w+b> = a(w) + b(v)` and of rank `dim M`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiracStructure {
    /// The coordinates of the base: on `T*Q` the `q` first, then the `p`.
    pub base: Vec<ExprId>,
    /// The generators, rows of `(V|A)`.
    pub generators: Vec<Generator>,
}

impl DiracStructure {
    /// The structure `D_Delta` on `T*Q`: with `Omega = dq ^ dp`, `Omega^flat(q',p') = (-p',q')`,
    ///
    /// * `(X, X^i dp_i)` for `X` in the frame of the distribution,
    /// * `(d/dp_i, -dq_i)`,
    /// * `(0, alpha)` for the constraint forms.
    ///
    /// `momenta` are the symbols `p_i`; for those left out it is `p_` and the name of `q_i`.
    pub fn of_constraints(
        pool: &mut Pool,
        distribution: &Distribution,
        momenta: &[ExprId],
    ) -> Self {
        let coordinates = &distribution.coordinates;
        let n = coordinates.len();
        let mut base = coordinates.clone();
        for (i, &coordinate) in coordinates.iter().enumerate() {
            base.push(match (momenta.get(i), pool.name_of(coordinate)) {
                (Some(&momentum), _) => momentum,
                (None, Some(name)) => {
                    let name = format!("p_{name}");
                    pool.symbol(&name)
                }
                (None, None) => pool.symbol(&format!("p_{i}")),
            });
        }
        let zeros = || vec![ExprId::ZERO; 2 * n];
        // A row of 2n entries with `part` in the directions of q (0) or p (n).
        let placed = |at: usize, part: &[ExprId]| {
            let mut row = zeros();
            for (entry, &value) in row[at..].iter_mut().zip(part.iter().take(n)) {
                *entry = value;
            }
            row
        };
        let unit = |at: usize, value: ExprId| {
            let mut row = zeros();
            row[at] = value;
            row
        };
        let mut generators = Vec::with_capacity(2 * n);
        generators.extend(distribution.frame.iter().map(|x| Generator {
            vector: placed(0, &x.components),
            covector: placed(n, &x.components),
        }));
        generators.extend((0..n).map(|i| Generator {
            vector: unit(n + i, ExprId::ONE),
            covector: unit(i, ExprId::MINUS_ONE),
        }));
        generators.extend(
            distribution
                .forms
                .iter()
                .map(|alpha| Generator { vector: zeros(), covector: placed(0, alpha) }),
        );
        Self { base, generators }
    }

    /// Is `V A^T + A V^T = 0`? The worst answer over all pairs of generators.
    pub fn is_isotropic(&self, pool: &mut Pool, budget: &mut Budget) -> Zero {
        let mut answer = Zero::Yes;
        for (index, first) in self.generators.iter().enumerate() {
            for second in &self.generators[index..] {
                let pairs = first.covector.iter().zip(&second.vector);
                let swapped = second.covector.iter().zip(&first.vector);
                let terms: Vec<ExprId> = pairs
                    .chain(swapped)
                    .filter(|(a, v)| !a.is_zero() && !v.is_zero())
                    .map(|(&a, &v)| pool.mul(a, v))
                    .collect();
                if terms.is_empty() {
                    continue;
                }
                let pairing = pool.sum(&terms);
                answer = answer.and(zero_test(pool, pairing, budget));
                if answer == Zero::No {
                    return answer;
                }
            }
        }
        answer
    }

    /// The rank of `(V|A)` at a generic point, and where it can drop.
    pub fn rank(&self, pool: &mut Pool, budget: &mut Budget) -> Result<Rank, LinearError> {
        let size = self.base.len();
        let columns = 2 * size;
        let mut rows = Vec::with_capacity(self.generators.len());
        for generator in &self.generators {
            let mut row = vec![ExprId::ZERO; columns];
            for (part, start) in [(&generator.vector, 0), (&generator.covector, size)] {
                let room = row[start..start + size].iter_mut();
                room.zip(part).for_each(|(entry, &value)| *entry = value);
            }
            rows.push(row);
        }
        let order = elimination_order(pool, columns, &rows, None);
        let permuted: Vec<Vec<ExprId>> =
            rows.iter().map(|row| order.iter().map(|&column| row[column]).collect()).collect();
        let mut found = rank(pool, &Matrix::from_rows(columns, &permuted), budget)?;
        found.pivot_columns.iter_mut().for_each(|column| *column = order[*column]);
        found.pivot_columns.sort_unstable();
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{budget, chain_of_rods, distribution, rolling_disc, row, sleigh, symbols};

    fn assert_almost_dirac(pool: &mut Pool, structure: &DiracStructure) {
        assert_eq!(structure.is_isotropic(pool, &mut budget()), Zero::Yes);
        let found = structure.rank(pool, &mut budget()).unwrap();
        assert_eq!((found.rank, found.proved), (structure.base.len(), true));
        assert_eq!(structure.generators.len(), structure.base.len());
    }

    #[test]
    fn the_sleigh_has_an_almost_dirac_structure_of_rank_six() {
        let mut pool = Pool::new();
        let sleigh = sleigh(&mut pool);
        let momenta = symbols(&mut pool, &["p_x", "p_y", "p_theta"]);
        let structure = DiracStructure::of_constraints(&mut pool, &sleigh, &momenta);
        assert_almost_dirac(&mut pool, &structure);
        assert_eq!(structure.base.len(), 6);
        // The first row: drive, with its covector cos dp_x + sin dp_y.
        let first = &structure.generators[0];
        assert_eq!(first.vector, row(&mut pool, &["cos(theta)", "sin(theta)", "0", "0", "0", "0"]));
        assert_eq!(
            first.covector,
            row(&mut pool, &["0", "0", "0", "cos(theta)", "sin(theta)", "0"])
        );
    }

    #[test]
    fn the_pendulum_has_one_of_rank_four() {
        let mut pool = Pool::new();
        let pendulum = distribution(&mut pool, &["x", "y"], &[&["2*x", "2*y"]]);
        let structure = DiracStructure::of_constraints(&mut pool, &pendulum, &[]);
        assert_eq!(structure.base, symbols(&mut pool, &["x", "y", "p_x", "p_y"]));
        assert_almost_dirac(&mut pool, &structure);
    }

    #[test]
    fn a_free_system_has_the_graph_of_the_symplectic_form() {
        let mut pool = Pool::new();
        let free = distribution(&mut pool, &["x"], &[]);
        let structure = DiracStructure::of_constraints(&mut pool, &free, &[]);
        assert_almost_dirac(&mut pool, &structure);
        // (q',p') -> (-p',q').
        let [dq, dp] = &structure.generators[..] else { panic!("two generators") };
        assert_eq!(
            (&dq.vector, &dq.covector),
            (&row(&mut pool, &["1", "0"]), &row(&mut pool, &["0", "1"]))
        );
        assert_eq!(
            (&dp.vector, &dp.covector),
            (&row(&mut pool, &["0", "1"]), &row(&mut pool, &["-1", "0"]))
        );
    }

    #[test]
    fn a_wrong_sign_in_any_generator_is_caught() {
        let mut pool = Pool::new();
        let disc = rolling_disc(&mut pool);
        let right = DiracStructure::of_constraints(&mut pool, &disc, &[]);
        assert_almost_dirac(&mut pool, &right);
        for index in 0..right.generators.len() {
            for entry in 0..right.base.len() {
                let mut wrong = right.clone();
                let covector = &mut wrong.generators[index].covector;
                if covector[entry].is_zero() {
                    continue;
                }
                covector[entry] = pool.neg(covector[entry]);
                // A form with one coefficient alone keeps its span when its sign changes;
                // none of the disc's does.
                assert_eq!(wrong.is_isotropic(&mut pool, &mut budget()), Zero::No);
            }
        }
    }

    #[test]
    fn short_rows_count_as_zeros() {
        let short = Generator { vector: vec![ExprId::ONE], covector: Vec::new() };
        let mut pool = Pool::new();
        let base = symbols(&mut pool, &["x", "p_x"]);
        let structure = DiracStructure { base, generators: vec![short] };
        let found = structure.rank(&mut pool, &mut budget()).unwrap();
        assert_eq!((found.rank, found.pivot_columns), (1, vec![0]));
        assert_eq!(structure.is_isotropic(&mut pool, &mut budget()), Zero::Yes);
    }

    #[test]
    fn a_repeated_generator_costs_a_rank() {
        let mut pool = Pool::new();
        let sleigh = sleigh(&mut pool);
        let mut structure = DiracStructure::of_constraints(&mut pool, &sleigh, &[]);
        structure.generators[0] = structure.generators[1].clone();
        assert_eq!(structure.is_isotropic(&mut pool, &mut budget()), Zero::Yes);
        assert_eq!(structure.rank(&mut pool, &mut budget()).unwrap().rank, 5);
    }

    #[test]
    fn an_unevaluated_frame_spans_as_well() {
        let mut pool = Pool::new();
        let chain = chain_of_rods(&mut pool, 15, &mut Budget::new(3_000_000));
        let structure = DiracStructure::of_constraints(&mut pool, &chain, &[]);
        // Zero at random points: a proof would need the formulas.
        assert!(structure.is_isotropic(&mut pool, &mut budget()).is_plausible());
        let mut wrong = structure.clone();
        let last = &mut wrong.generators[59].covector;
        last[29] = pool.neg(last[29]);
        assert_eq!(wrong.is_isotropic(&mut pool, &mut budget()), Zero::No);
    }

    #[test]
    fn thirty_coordinates_and_five_blades_have_rank_sixty() {
        let mut pool = Pool::new();
        let names: Vec<String> = (0..30).map(|k| format!("q[{k}]")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let texts: Vec<Vec<String>> = (0..5)
            .map(|a| {
                (0..30)
                    .map(|j| match j {
                        j if j == 3 * a => format!("sin(q[{}])", 3 * a + 2),
                        j if j == 3 * a + 1 => format!("-cos(q[{}])", 3 * a + 2),
                        j if j == 20 + a => format!("q[{}]", 10 + a),
                        _ => "0".to_owned(),
                    })
                    .collect()
            })
            .collect();
        let forms: Vec<Vec<&str>> =
            texts.iter().map(|form| form.iter().map(String::as_str).collect()).collect();
        let forms: Vec<&[&str]> = forms.iter().map(Vec::as_slice).collect();
        let many = distribution(&mut pool, &names, &forms);
        let structure = DiracStructure::of_constraints(&mut pool, &many, &[]);
        assert_almost_dirac(&mut pool, &structure);
    }
}
