//! The flags of a distribution: what its motions generate, step by step.

use isotrope_algebra::linear::LinearError;
use isotrope_algebra::{Budget, ExprId, Pool};

use crate::exterior::ExteriorDerivatives;
use crate::form::{normalise_sign, without_denominators};
use crate::tower::{Tower, where_independent};
use crate::work::tidied;
use crate::{Distribution, VectorField};

/// The flags of a distribution at a generic point.
#[derive(Debug, Clone)]
pub struct Flag {
    /// Ranks of `D^1 = D`, `D^{k+1} = D^k + [D, D^k]`, until they stop growing.
    pub growth_vector: Vec<usize>,
    /// Ranks of `D`, `D^(k+1) = D^(k) + [D^(k), D^(k)]`, until they stop growing.
    pub derived_flag: Vec<usize>,
    /// A frame of the involutive closure: the frame of `D`, then brackets.
    pub closure: Vec<VectorField>,
    /// Combinations of the forms that annihilate the closure: the largest integrable part of
    /// the constraints, without denominators.
    pub integrable_part: Vec<Vec<ExprId>>,
    /// The closure is everything: no combination of the constraints integrates.
    pub bracket_generating: bool,
    /// The ranks hold at every point where none of these vanishes.
    pub conditions: Vec<ExprId>,
    /// All of the above is proved: brackets that were added are independent because a minor
    /// is not zero, brackets that were not are in the span because exact zero tests say so.
    /// Otherwise some bracket was left out on the evidence of random points.
    pub proved: bool,
}

/// Computes the flags of a distribution.
pub fn flag(
    pool: &mut Pool,
    distribution: &Distribution,
    budget: &mut Budget,
) -> Result<Flag, LinearError> {
    let exterior = ExteriorDerivatives::new(pool, distribution, budget)?;
    let base = distribution.rank();
    let dimension = base + distribution.forms.len();
    let mut tower = Tower::new(distribution);
    let mut growth_vector = vec![base];
    tower.extend(pool, distribution, &exterior, pairs(0..base), budget)?;
    // Up to here both flags agree.
    let first = tower.clone();
    let mut before = base;
    while tower.rank() > before {
        let reached = tower.rank();
        growth_vector.push(reached);
        if reached < dimension {
            let with_new = (before..reached).flat_map(|j| (0..base).map(move |i| (i, j)));
            tower.extend(pool, distribution, &exterior, with_new, budget)?;
        }
        before = reached;
    }
    let (derived_flag, derived_proved) =
        derived_flag(pool, distribution, &exterior, first, tower.rank(), budget)?;
    let mut conditions = match where_independent(pool, &distribution.forms, budget) {
        Some(exact) => vec![exact],
        None => distribution.conditions.clone(),
    };
    conditions.extend(tower.conditions(pool, distribution.forms.len(), budget)?);
    let conditions = tidied(pool, conditions, budget);
    Ok(Flag {
        growth_vector,
        derived_flag,
        integrable_part: integrable_part(pool, distribution, &tower, budget)?,
        bracket_generating: tower.rank() == dimension,
        proved: tower.proved && derived_proved,
        closure: tower.fields,
        conditions,
    })
}

/// Pairs `i < j` with `j` in a range: each pair once, as the range moves up.
fn pairs(second: std::ops::Range<usize>) -> impl Iterator<Item = (usize, usize)> {
    second.flat_map(|j| (0..j).map(move |i| (i, j)))
}

/// Continues the derived flag after its first step, until it reaches the closure, whose rank
/// is known. Returns the ranks, and whether they are proved.
fn derived_flag(
    pool: &mut Pool,
    distribution: &Distribution,
    exterior: &ExteriorDerivatives,
    mut tower: Tower,
    closure: usize,
    budget: &mut Budget,
) -> Result<(Vec<usize>, bool), LinearError> {
    let mut before = distribution.rank();
    let mut ranks = vec![before];
    while tower.rank() > before {
        let reached = tower.rank();
        ranks.push(reached);
        if reached < closure {
            tower.extend(pool, distribution, exterior, pairs(before..reached), budget)?;
        }
        before = reached;
    }
    Ok((ranks, tower.proved && tower.rank() == closure))
}

/// The forms `c_a alpha^a` that vanish on all fields of the tower.
fn integrable_part(
    pool: &mut Pool,
    distribution: &Distribution,
    tower: &Tower,
    budget: &mut Budget,
) -> Result<Vec<Vec<ExprId>>, LinearError> {
    let annihilator = tower.annihilator(pool, distribution.forms.len(), budget)?;
    let mut part = Vec::with_capacity(annihilator.len());
    for combination in annihilator {
        let mut form = Vec::with_capacity(distribution.dimension());
        for k in 0..distribution.dimension() {
            let terms: Vec<ExprId> = distribution
                .forms
                .iter()
                .zip(&combination)
                .filter_map(|(form, &factor)| form.get(k).map(|&entry| (factor, entry)))
                .filter(|(factor, entry)| !factor.is_zero() && !entry.is_zero())
                .map(|(factor, entry)| pool.mul(factor, entry))
                .collect();
            form.push(pool.sum(&terms));
        }
        let mut form = without_denominators(pool, &form, budget)?;
        // A constraint that integrates by itself keeps its sign; a combination has none.
        if combination.iter().filter(|factor| !factor.is_zero()).count() > 1 {
            normalise_sign(pool, &mut form);
        }
        part.push(form);
    }
    Ok(part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        budget, chain_of_rods, contact, distribution, field, rolling_disc, row, sleigh, symbols,
    };
    use crate::{Involutivity, annihilates, frobenius};
    use isotrope_algebra::normal::Zero;

    fn proved(pool: &mut Pool, given: &Distribution) -> Flag {
        let flag = flag(pool, given, &mut budget()).unwrap();
        assert!(flag.proved);
        assert_eq!(flag.closure.len() + flag.integrable_part.len(), given.dimension());
        assert_eq!(flag.bracket_generating, flag.integrable_part.is_empty());
        for form in &flag.integrable_part {
            assert_eq!(annihilates(pool, form, &flag.closure, &mut budget()), Zero::Yes);
        }
        flag
    }

    #[test]
    fn contact_grows_two_three() {
        let mut pool = Pool::new();
        let contact = contact(&mut pool);
        let flag = proved(&mut pool, &contact);
        assert_eq!(flag.growth_vector, [2, 3]);
        assert_eq!(flag.derived_flag, [2, 3]);
        assert!(flag.bracket_generating && flag.conditions.is_empty());
        assert_eq!(flag.closure[2], field(&mut pool, &["0", "0", "1"]));
    }

    #[test]
    fn the_sleigh_grows_two_three() {
        let mut pool = Pool::new();
        let sleigh = sleigh(&mut pool);
        let flag = proved(&mut pool, &sleigh);
        assert_eq!(flag.growth_vector, [2, 3]);
        assert!(flag.bracket_generating);
    }

    #[test]
    fn engel_grows_two_three_four() {
        // dy - p dx, dp - r dx: the jets of a function.
        let mut pool = Pool::new();
        let forms: [&[&str]; 2] = [&["-p", "1", "0", "0"], &["-r", "0", "1", "0"]];
        let engel = distribution(&mut pool, &["x", "y", "p", "r"], &forms);
        let flag = proved(&mut pool, &engel);
        assert_eq!(flag.growth_vector, [2, 3, 4]);
        assert_eq!(flag.derived_flag, [2, 3, 4]);
        assert!(flag.bracket_generating);
    }

    #[test]
    fn the_rolling_disc_grows_two_three_four() {
        let mut pool = Pool::new();
        let disc = rolling_disc(&mut pool);
        let flag = proved(&mut pool, &disc);
        assert_eq!(flag.growth_vector, [2, 3, 4]);
        assert_eq!(flag.closure.len(), 4);
        assert!(flag.bracket_generating);
    }

    #[test]
    fn jets_grow_by_one_each_step() {
        let mut pool = Pool::new();
        let forms: [&[&str]; 3] = [
            &["-y1", "1", "0", "0", "0"],
            &["-y2", "0", "1", "0", "0"],
            &["-y3", "0", "0", "1", "0"],
        ];
        let jets = distribution(&mut pool, &["x", "y", "y1", "y2", "y3"], &forms);
        let flag = proved(&mut pool, &jets);
        assert_eq!(flag.growth_vector, [2, 3, 4, 5]);
        assert_eq!(flag.derived_flag, [2, 3, 4, 5]);
    }

    #[test]
    fn cartans_five_variables_grow_two_three_five() {
        // Hilbert's equation z' = (y'')^2: dy - p dx, dp - r dx, dz - r^2 dx.
        let mut pool = Pool::new();
        let forms: [&[&str]; 3] = [
            &["-p", "1", "0", "0", "0"],
            &["-r", "0", "1", "0", "0"],
            &["-r^2", "0", "0", "0", "1"],
        ];
        let hilbert = distribution(&mut pool, &["x", "y", "p", "r", "z"], &forms);
        let flag = proved(&mut pool, &hilbert);
        assert_eq!(flag.growth_vector, [2, 3, 5]);
        assert_eq!(flag.derived_flag, [2, 3, 5]);
    }

    #[test]
    fn the_derived_flag_can_be_shorter_than_the_growth() {
        // A Carnot group: W = [X,Y], V = [X,W], A = [X,V], B = [W,V] = -[Y,A]. A has length
        // four and B five: one step of the derived flag, two of the growth vector.
        let mut pool = Pool::new();
        let forms: [&[&str]; 4] = [
            &["0", "-x", "1", "0", "0", "0"],
            &["0", "-x^2/2", "0", "1", "0", "0"],
            &["0", "-x^3/6", "0", "0", "1", "0"],
            &["0", "u*x - a", "0", "0", "0", "1"],
        ];
        let given = distribution(&mut pool, &["x", "y", "z", "u", "a", "b"], &forms);
        let flag = proved(&mut pool, &given);
        assert_eq!(flag.growth_vector, [2, 3, 4, 5, 6]);
        assert_eq!(flag.derived_flag, [2, 3, 4, 6]);
    }

    #[test]
    fn a_hidden_first_integral_is_found() {
        // z' = x y', v' = z x y' = z z': the form dv - z dz integrates (v - z^2/2 is constant).
        let mut pool = Pool::new();
        let forms: [&[&str]; 2] = [&["0", "-x", "1", "0"], &["0", "-x*z", "0", "1"]];
        let given = distribution(&mut pool, &["x", "y", "z", "v"], &forms);
        let flag = proved(&mut pool, &given);
        assert_eq!(flag.growth_vector, [2, 3]);
        assert_eq!(flag.integrable_part, [row(&mut pool, &["0", "0", "-z", "1"])]);
    }

    #[test]
    fn martinet_grows_two_three_away_from_its_surface() {
        // dz - y^2 dx: [X,Y] = -2 y d/dz vanishes on y = 0.
        let mut pool = Pool::new();
        let martinet = distribution(&mut pool, &["x", "y", "z"], &[&["-y^2", "0", "1"]]);
        let flag = proved(&mut pool, &martinet);
        assert_eq!(flag.growth_vector, [2, 3]);
        assert_eq!(flag.conditions, row(&mut pool, &["y"]));
    }

    #[test]
    fn one_constraint_integrates_although_the_whole_does_not() {
        let mut pool = Pool::new();
        let forms: [&[&str]; 2] = [&["0", "0", "0", "1"], &["0", "-x", "1", "0"]];
        let mixed = distribution(&mut pool, &["x", "y", "z", "w"], &forms);
        let flag = proved(&mut pool, &mixed);
        assert_eq!((flag.growth_vector, flag.bracket_generating), (vec![2, 3], false));
        assert_eq!(flag.integrable_part, [row(&mut pool, &["0", "0", "0", "1"])]);
    }

    #[test]
    fn an_integrable_combination_is_found_where_no_constraint_integrates() {
        // alpha + x beta = dw for alpha = dw - x (dz - x dy), beta = dz - x dy;
        // over a denominator, to see it cleared.
        let mut pool = Pool::new();
        let forms: [&[&str]; 2] = [&["0", "x^2/y", "-x/y", "1/y"], &["0", "-x", "1", "0"]];
        let hidden = distribution(&mut pool, &["x", "y", "z", "w"], &forms);
        let flag = proved(&mut pool, &hidden);
        assert_eq!(flag.integrable_part, [row(&mut pool, &["0", "0", "0", "1"])]);
        for form in &hidden.forms {
            assert_eq!(annihilates(&mut pool, form, &flag.closure, &mut budget()), Zero::No);
        }
    }

    #[test]
    fn integrable_constraints_are_their_own_integrable_part() {
        let mut pool = Pool::new();
        let forms: [&[&str]; 2] = [&["0", "-x", "1"], &["0", "1", "0"]];
        let pair = distribution(&mut pool, &["x", "y", "z"], &forms);
        let flag = proved(&mut pool, &pair);
        assert_eq!((flag.growth_vector, flag.derived_flag), (vec![1], vec![1]));
        assert_eq!(flag.integrable_part, pair.forms);
        let spheres = distribution(&mut pool, &["x", "y", "z"], &[&["x", "y", "z"]]);
        let flag = proved(&mut pool, &spheres);
        assert_eq!(flag.growth_vector, [2]);
        assert_eq!(flag.integrable_part, [row(&mut pool, &["x", "y", "z"])]);
    }

    #[test]
    fn nothing_and_everything_are_flags_too() {
        let mut pool = Pool::new();
        let free = distribution(&mut pool, &["x", "y"], &[]);
        let flag = proved(&mut pool, &free);
        assert_eq!(flag.growth_vector, [2]);
        assert!(flag.bracket_generating);
        let fixed = distribution(&mut pool, &["x"], &[&["x"]]);
        let flag = proved(&mut pool, &fixed);
        assert_eq!(flag.growth_vector, [0]);
        assert_eq!(flag.integrable_part, [vec![ExprId::ONE]]);
    }

    #[test]
    fn time_is_one_more_direction_on_the_extended_space() {
        let mut pool = Pool::new();
        let still = sleigh(&mut pool);
        let t = pool.symbol("t");
        let (q, forms) = (&still.coordinates, &still.forms);
        let moving = Distribution::extended(&mut pool, q, t, forms, &[], &mut budget()).unwrap();
        let flag = proved(&mut pool, &moving);
        assert_eq!(flag.growth_vector, [3, 4]);
        // A blade on a belt that moves with speed u along x.
        let belt = row(&mut pool, &["-u*sin(theta)"]);
        let moving = Distribution::extended(&mut pool, q, t, forms, &belt, &mut budget()).unwrap();
        let flag = proved(&mut pool, &moving);
        assert_eq!(flag.growth_vector, [3, 4]);
        // A moving plane z = a sin(w t) integrates beside a blade that does not.
        let q = symbols(&mut pool, &["x", "y", "theta", "z"]);
        let forms = [
            row(&mut pool, &["sin(theta)", "-cos(theta)", "0", "0"]),
            row(&mut pool, &["0", "0", "0", "1"]),
        ];
        let offsets = row(&mut pool, &["0", "-a*w*cos(w*t)"]);
        let moving =
            Distribution::extended(&mut pool, &q, t, &forms, &offsets, &mut budget()).unwrap();
        let flag = proved(&mut pool, &moving);
        assert_eq!(flag.growth_vector, [3, 4]);
        let plane = row(&mut pool, &["0", "0", "0", "1", "-a*w*cos(w*t)"]);
        assert_eq!(flag.integrable_part, [plane]);
    }

    #[test]
    fn roots_are_decided_without_exact_evaluation() {
        // sqrt(x^2 + y^2) (dz - x dy).
        let mut pool = Pool::new();
        let root = "sqrt(1 + x^2 + y^2)";
        let entry = format!("-x*{root}");
        let scaled = distribution(&mut pool, &["x", "y", "z"], &[&["0", &entry, root]]);
        let flag = proved(&mut pool, &scaled);
        assert_eq!(flag.growth_vector, [2, 3]);
    }

    #[test]
    fn a_small_budget_is_an_error() {
        let mut pool = Pool::new();
        let sleigh = sleigh(&mut pool);
        let found = flag(&mut pool, &sleigh, &mut Budget::new(3));
        assert!(matches!(found, Err(LinearError::OutOfBudget(_))));
    }

    /// `n` coordinates in threes, each with a blade, the first `blades` of them.
    fn sleighs(pool: &mut Pool, n: usize, blades: usize) -> Distribution {
        let names: Vec<String> = (0..n).map(|k| format!("q[{k}]")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let coordinates = symbols(pool, &names);
        let mut forms = Vec::new();
        for k in 0..blades {
            let mut form = vec![ExprId::ZERO; n];
            let angle = format!("q[{}]", 3 * k + 2);
            let entries = [format!("sin({angle})"), format!("-cos({angle})")];
            let entries = row(pool, &[&entries[0], &entries[1]]);
            form[3 * k..3 * k + 2].copy_from_slice(&entries);
            forms.push(form);
        }
        Distribution::from_forms(pool, &coordinates, &forms, &mut budget()).unwrap()
    }

    #[test]
    fn thirty_coordinates_and_five_blades() {
        let mut pool = Pool::new();
        let many = sleighs(&mut pool, 30, 5);
        let flag = proved(&mut pool, &many);
        assert_eq!(flag.growth_vector, [25, 30]);
    }

    #[test]
    fn thirty_coordinates_and_five_coupled_forms() {
        // dq_a + sum_j c_aj(q) dq_j with each c_aj a quadratic polynomial of many coordinates;
        // the last form is dq_4 alone and integrates.
        let mut pool = Pool::new();
        let names: Vec<String> = (0..30).map(|k| format!("q[{k}]")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let coordinates = symbols(&mut pool, &names);
        let mut forms = Vec::new();
        for a in 0..5 {
            let mut form = vec![ExprId::ZERO; 30];
            form[a] = ExprId::ONE;
            for (j, entry) in form.iter_mut().enumerate().skip(5).filter(|_| a < 4) {
                let (k, l, m) = ((a + 3 * j) % 30, (7 * a + j) % 30, (j + a) % 30);
                let text = format!("{}*q[{k}]*q[{l}] - {j}*q[{m}] + sin(q[{l}])", a + 1);
                *entry = row(&mut pool, &[&text])[0];
            }
            forms.push(form);
        }
        let coupled =
            Distribution::from_forms(&mut pool, &coordinates, &forms, &mut budget()).unwrap();
        let flag = proved(&mut pool, &coupled);
        assert_eq!(flag.growth_vector, [25, 29]);
        assert_eq!(flag.integrable_part, [coupled.forms[4].clone()]);
        assert!(matches!(
            frobenius(&mut pool, &coupled, &mut budget()),
            Ok(Involutivity::NotIntegrable(_))
        ));
    }

    #[test]
    fn a_chain_of_rods_integrates_although_its_frame_has_no_short_formulas() {
        let mut pool = Pool::new();
        let links = 15;
        let chain = chain_of_rods(&mut pool, links, &mut Budget::new(3_000_000));
        assert_eq!(chain.rank(), links);
        assert_eq!(frobenius(&mut pool, &chain, &mut budget()), Ok(Involutivity::Integrable));
        let flag = flag(&mut pool, &chain, &mut budget()).unwrap();
        assert_eq!((flag.growth_vector, flag.proved), (vec![links], true));
        assert_eq!(flag.integrable_part, chain.forms);
    }

    #[test]
    fn thirty_coordinates_in_all_coefficients_stay_within_the_budget() {
        let mut pool = Pool::new();
        let names: Vec<String> = (0..30).map(|k| format!("q[{k}]")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let coordinates = symbols(&mut pool, &names);
        let mut forms = Vec::new();
        for a in 0..5usize {
            let mut form = Vec::new();
            for j in 0..30 {
                let (k, l) = ((a * a + 3 * j) % 30, (7 * a + j * j) % 30);
                form.push(row(&mut pool, &[&format!("q[{k}] + {a}*q[{l}] + {}", a + j)])[0]);
            }
            forms.push(form);
        }
        let mut small = Budget::new(2_000_000);
        let dense = Distribution::from_forms(&mut pool, &coordinates, &forms, &mut small).unwrap();
        assert_eq!(dense.rank(), 25);
        let flag = flag(&mut pool, &dense, &mut Budget::new(5_000_000)).unwrap();
        assert_eq!((flag.growth_vector, flag.proved), (vec![25, 30], true));
    }
}
