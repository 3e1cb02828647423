//! Linear systems on the tape.

use isotrope_algebra::{Pool, calculus, syntax::parse_expression};
use isotrope_tape::interpret::{Scratch, step};
use isotrope_tape::{
    Builder, Elimination, EliminationError, ExpressionError, Formulas, Op, Program, THRESHOLD,
};
use proptest::prelude::*;

type Pattern = Vec<(usize, usize)>;

fn plan(
    size: usize,
    pattern: &Pattern,
    symmetric: bool,
    values: Option<&[f64]>,
) -> Result<Elimination, EliminationError> {
    Elimination::plan(size, pattern, symmetric, values, Elimination::LIMIT)
}

/// A program from entries and right-hand side (the parameters) to the solution (the state), and
/// behind it, if asked for, the quality of the pivots.
fn program(plan: &Elimination, size: usize, entries: usize, watch: bool) -> Program {
    let numbers = |from: usize, count: usize| from as u32..(from + count) as u32;
    let mut builder = Builder::new(size as u32 + u32::from(watch), (entries + size) as u32);
    let matrix: Vec<_> = numbers(0, entries).map(|k| builder.parameter(k)).collect();
    let right: Vec<_> = numbers(entries, size).map(|k| builder.parameter(k)).collect();
    let rows = vec![1.0; size];
    let solved = plan.record(&mut builder, &matrix, &right, watch.then_some(&rows[..]));
    assert_eq!(solved.smallest.is_some(), watch);
    for (k, &value) in solved.solution.iter().chain(&solved.smallest).enumerate() {
        builder.store(k as u32, value);
    }
    builder.finish().unwrap()
}

fn execute(program: &Program, entries: &[f64], right: &[f64]) -> Vec<f64> {
    let mut state = vec![0.0; program.state as usize];
    let parameters: Vec<f64> = entries.iter().chain(right).copied().collect();
    step(program, &mut state, &parameters, &mut Scratch::new(program));
    state
}

fn product(pattern: &Pattern, entries: &[f64], x: &[f64]) -> Vec<f64> {
    let mut result = vec![0.0; x.len()];
    for (&(i, j), &entry) in pattern.iter().zip(entries) {
        result[i] += entry * x[j];
    }
    result
}

/// The largest error of the solution for a right-hand side whose solution is known.
fn error(plan: &Elimination, size: usize, pattern: &Pattern, entries: &[f64]) -> f64 {
    let wanted: Vec<f64> = (0..size).map(|k| 1.0 + (k % 7) as f64).collect();
    let right = product(pattern, entries, &wanted);
    let program = program(plan, size, entries.len(), false);
    let found = execute(&program, entries, &right);
    found.iter().zip(&wanted).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// Gaussian elimination with the largest entry of each column: how well can it be done?
fn dense_error(size: usize, pattern: &Pattern, entries: &[f64]) -> f64 {
    let wanted: Vec<f64> = (0..size).map(|k| 1.0 + (k % 7) as f64).collect();
    let mut b = product(pattern, entries, &wanted);
    let mut a = vec![vec![0.0; size]; size];
    for (&(i, j), &entry) in pattern.iter().zip(entries) {
        a[i][j] = entry;
    }
    for k in 0..size {
        let best = (k..size).max_by(|&x, &y| a[x][k].abs().total_cmp(&a[y][k].abs())).unwrap();
        a.swap(k, best);
        b.swap(k, best);
        let pivot = a[k].clone();
        for i in k + 1..size {
            let factor = a[i][k] / pivot[k];
            for (entry, above) in a[i].iter_mut().zip(&pivot) {
                *entry -= factor * above;
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..size).rev() {
        for j in k + 1..size {
            b[k] -= a[k][j] * b[j];
        }
        b[k] /= a[k][k];
    }
    b.iter().zip(&wanted).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// The pattern of a graph with loops at all vertices.
fn graph(size: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Pattern {
    let mut pattern: Pattern = (0..size).map(|k| (k, k)).collect();
    for (i, j) in edges {
        pattern.extend([(i, j), (j, i)]);
    }
    pattern
}

/// A diagonally dominant matrix on a pattern.
fn dominant(size: usize, pattern: &Pattern) -> Vec<f64> {
    let mut degree = vec![1.5; size];
    for &(i, j) in pattern.iter().filter(|(i, j)| i != j) {
        degree[i] += 1.0 / (1 + i.min(j) % 3) as f64;
    }
    let entry = |&(i, j): &(usize, usize)| {
        if i == j { degree[i] } else { 1.0 / (1 + i.min(j) % 3) as f64 }
    };
    pattern.iter().map(entry).collect()
}

#[test]
fn chains_stars_trees_and_combs_have_no_fill_and_linear_cost() {
    let size = 2000;
    let chain = graph(size, (1..size).map(|k| (k - 1, k)));
    let star = graph(size, (1..size).map(|k| (0, k)));
    let binary = graph(size, (1..size).map(|k| ((k - 1) / 2, k)));
    let comb = graph(
        size,
        (1..size / 2).map(|k| (k - 1, k)).chain((0..size / 2).map(|k| (k, size / 2 + k))),
    );
    for (name, pattern) in [("chain", chain), ("star", star), ("binary", binary), ("comb", comb)] {
        let entries = dominant(size, &pattern);
        for symmetric in [true, false] {
            for values in [None, Some(&entries[..])] {
                let plan = plan(size, &pattern, symmetric, values).unwrap();
                assert_eq!(plan.is_symmetric(), symmetric);
                let edges = (pattern.len() - size) / 2;
                let wanted = if symmetric { size + edges } else { pattern.len() };
                assert_eq!(plan.entries(), wanted, "fill in a {name}");
                // One factor, one update, one on the way there and one back for each edge.
                assert_eq!(plan.operations(), (4 * edges + size) as u64, "{name}");
                let program = program(&plan, size, pattern.len(), false);
                let computed = program.ops.iter().filter(|op| !op.operands().is_empty()).count();
                assert_eq!(computed, 4 * edges + 2 * size, "{name}");
                assert!(error(&plan, size, &pattern, &entries) < 1e-12, "{name}");
            }
        }
    }
}

/// Each pivot is an end of what is left, and the two ends take turns: the longest chain of pivots
/// that wait for each other is half of all.
#[test]
fn a_chain_is_eliminated_from_both_ends() {
    let size = 101;
    let pattern = graph(size, (1..size).map(|k| (k - 1, k)));
    let entries = dominant(size, &pattern);
    for values in [None, Some(&entries[..])] {
        let plan = plan(size, &pattern, true, values).unwrap();
        let (mut left, mut depth) = ((0..size).collect::<Vec<_>>(), vec![0; size]);
        for (row, column) in plan.pivots() {
            assert_eq!(row, column);
            let at = left.iter().position(|&k| k == row).unwrap();
            assert!(at == 0 || at + 1 == left.len());
            left.remove(at);
            for other in [row.wrapping_sub(1), row + 1] {
                if left.contains(&other) {
                    depth[other] = depth[other].max(depth[row] + 1);
                }
            }
        }
        assert_eq!(depth.iter().max(), Some(&50));
    }
}

#[test]
fn a_band_costs_its_width_squared() {
    let (size, width) = (1500, 4);
    let edges = (0..size).flat_map(|i| (i + 1..(i + width + 1).min(size)).map(move |j| (i, j)));
    let pattern = graph(size, edges);
    let entries = dominant(size, &pattern);
    let plan = plan(size, &pattern, false, Some(&entries)).unwrap();
    assert!(plan.operations() < (size * (2 * width * width + 4 * width + 1)) as u64);
    assert!(error(&plan, size, &pattern, &entries) < 1e-12);
}

/// [ε 1; 1 1]: by structure the first pivot is ε, and the solution is lost.
#[test]
fn measured_pivots_are_not_tiny() {
    let pattern = vec![(0, 0), (0, 1), (1, 0), (1, 1)];
    let entries = [1e-18, 1.0, 1.0, 1.0];
    let blind = plan(2, &pattern, false, None).unwrap();
    assert!(error(&blind, 2, &pattern, &entries) > 0.1);
    let seeing = plan(2, &pattern, false, Some(&entries)).unwrap();
    assert!(error(&seeing, 2, &pattern, &entries) < 1e-15);
    // Indefinite: half of the matrix is not enough, and the plan says so.
    let indefinite = plan(2, &pattern, true, Some(&entries)).unwrap();
    assert!(!indefinite.is_symmetric());
    assert!(error(&indefinite, 2, &pattern, &entries) < 1e-15);
    let definite = plan(2, &pattern, true, Some(&[-2.0, 1.0, 1.0, -2.0])).unwrap();
    assert!(definite.is_symmetric());
}

#[test]
fn a_bad_order_of_pivots_is_seen_while_it_runs() {
    let pattern = vec![(0, 0), (0, 1), (1, 0), (1, 1)];
    let blind = plan(2, &pattern, false, None).unwrap();
    let program = program(&blind, 2, 4, true);
    let smallest = |entries: [f64; 4]| execute(&program, &entries, &[1.0, 2.0])[2];
    assert_eq!(smallest([4.0, 1.0, 1.0, 4.0]), 1.0);
    assert_eq!(smallest([0.5, 1.0, 2.0, 4.5]), 0.25);
    assert!(smallest([1e-12, 1.0, 1.0, 1.0]) < 2e-12);
    // A pivot that is zero leaves no solution, and the state as it was.
    assert_eq!(execute(&program, &[0.0, 1.0, 1.0, 1.0], &[1.0, 2.0]), [0.0; 3]);
}

/// Two masses, one constraint on both: the zero in the corner fills up.
#[test]
fn a_saddle_point_begins_with_the_mass_matrix() {
    let pattern = vec![(0, 0), (0, 2), (1, 1), (1, 2), (2, 0), (2, 1)];
    let plan = plan(3, &pattern, true, None).unwrap();
    assert_eq!(plan.pivots().collect::<Vec<_>>(), [(0, 0), (1, 1), (2, 2)]);
    assert!(error(&plan, 3, &pattern, &[2.0, 1.0, 3.0, -1.0, 1.0, -1.0]) < 1e-15);
}

#[test]
fn permuted_matrices_have_pivots_off_the_diagonal() {
    let size = 500;
    let pattern: Pattern =
        (0..size).flat_map(|k| [(k, (k + 7) % size), ((k + 1) % size, (k + 7) % size)]).collect();
    let entries: Vec<f64> = (0..2 * size).map(|k| if k % 2 == 0 { 3.0 } else { -1.0 }).collect();
    for values in [None, Some(&entries[..])] {
        let plan = plan(size, &pattern, false, values).unwrap();
        assert!(plan.operations() < 10 * size as u64);
        // Structure alone may take the small ones.
        assert!(values.is_none() || error(&plan, size, &pattern, &entries) < 1e-13);
    }
}

#[test]
fn what_cannot_be_eliminated_is_refused() {
    let singular = Err(EliminationError::Singular { size: 2 });
    assert_eq!(plan(2, &vec![(0, 0), (0, 1)], false, None), singular);
    assert_eq!(plan(2, &vec![(0, 0), (0, 1)], false, Some(&[1.0, 1.0])), singular);
    let outside = Err(EliminationError::Pattern { row: 1, column: 2 });
    assert_eq!(plan(2, &vec![(0, 0), (1, 2)], false, None), outside);
    let twice = Err(EliminationError::Pattern { row: 0, column: 0 });
    assert_eq!(plan(2, &vec![(0, 0), (0, 0)], false, None), twice);
    let size = 300;
    let dense: Pattern = (0..size).flat_map(|i| (0..size).map(move |j| (i, j))).collect();
    match plan(size, &dense, false, None) {
        Err(EliminationError::TooLarge { size: 300, operations, limit: Elimination::LIMIT }) => {
            assert!(operations > Elimination::LIMIT);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(plan(0, &vec![], true, None).unwrap().pivots().len(), 0);
    // Numbers that happen to be zero say nothing: structure decides.
    assert!(plan(2, &vec![(0, 0), (1, 1)], false, Some(&[0.0, 0.0])).is_ok());
}

/// The derivatives of a solution are solutions with the same matrix: each further one costs no
/// factorisation, whether the formulas know it or the builder finds it.
#[test]
fn solutions_with_one_matrix_share_its_factors() {
    let mut pool = Pool::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name));
    let size = 12u32;
    let mut entries = Vec::new();
    for k in 0..size {
        let shifted = parse_expression(&mut pool, &format!("4 + cos(a + {k})")).unwrap();
        entries.push((k, k, shifted));
        if k > 0 {
            let side = parse_expression(&mut pool, &format!("sin(a*{k})")).unwrap();
            entries.extend([(k - 1, k, side), (k, k - 1, side)]);
        }
    }
    entries.sort_by_key(|&(i, j, _)| (i, j));
    let right: Vec<_> = (0..size).map(|k| if k % 2 == 0 { b } else { c }).collect();
    let x = pool.solve_node(&entries, &right)[3];
    let budget = &mut isotrope_algebra::Budget::new(1_000_000);
    let jacobian = calculus::jacobian(&mut pool, &[x], &[a, b, c], budget).unwrap();
    let derivatives: Vec<_> = jacobian.iter().flatten().map(|&(_, entry)| entry).collect();
    assert_eq!(derivatives.len(), 3);
    let divisions = |together: bool| {
        let mut builder = Builder::new(4, 3);
        let symbols = [a, b, c].into_iter().zip((0..3).map(|k| builder.parameter(k))).collect();
        let lists: Vec<Vec<_>> = if together {
            vec![[x].iter().chain(&derivatives).copied().collect()]
        } else {
            [x].iter().chain(&derivatives).map(|&one| vec![one]).collect()
        };
        let mut slot = 0;
        for list in lists {
            let formulas = Formulas::new(&pool, &list).unwrap();
            for value in formulas.record(&mut builder, &symbols).unwrap() {
                builder.store(slot, value);
                slot += 1;
            }
        }
        let program = builder.finish().unwrap();
        program.ops.iter().filter(|op| matches!(op, Op::Div(..))).count()
    };
    assert_eq!(divisions(true), size as usize);
    assert_eq!(divisions(false), size as usize);
}

#[test]
fn a_dense_solve_node_of_the_pool_is_refused_with_its_size() {
    let mut pool = Pool::new();
    let size = 300u32;
    let all = (0..size).flat_map(|i| (0..size).map(move |j| (i, j)));
    let entries: Vec<_> =
        all.map(|(i, j)| (i, j, pool.symbol(&format!("a{}", (i * 7 + j * 3) % 101)))).collect();
    let right: Vec<_> = (0..size).map(|k| pool.symbol(&format!("b{k}"))).collect();
    let x = pool.solve_node(&entries, &right)[0];
    match Formulas::new(&pool, &[x]) {
        Err(ExpressionError::System(EliminationError::TooLarge { size: 300, .. })) => {}
        other => panic!("{:?}", other.err()),
    }
}

/// A random pattern: a permutation, so that it is not singular, and more; with numbers of very
/// different sizes.
fn sparse() -> impl Strategy<Value = (usize, Pattern, Vec<f64>)> {
    (1usize..14).prop_flat_map(|size| {
        let permutation = Just((0..size).collect::<Vec<_>>()).prop_shuffle();
        let more = prop::collection::vec((0..size, 0..size), 0..3 * size);
        let numbers = prop::collection::vec((-12i32..4, 1.0f64..2.0, any::<bool>()), 4 * size);
        (permutation, more, numbers).prop_map(move |(permutation, more, numbers)| {
            let mut pattern: Pattern = permutation.into_iter().enumerate().chain(more).collect();
            pattern.sort_unstable();
            pattern.dedup();
            let number = |&(scale, part, minus): &(i32, f64, bool)| {
                f64::powi(2.0, scale) * if minus { -part } else { part }
            };
            let entries = numbers.iter().map(number).take(pattern.len()).collect();
            (size, pattern, entries)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// With measured numbers the solution is about as good as that of partial pivoting, and no
    /// pivot is below the threshold.
    #[test]
    fn sparse_systems_are_solved_as_dense_ones((size, pattern, entries) in sparse()) {
        let dense = dense_error(size, &pattern, &entries);
        prop_assume!(dense < 1e-9);
        let plan = plan(size, &pattern, false, Some(&entries)).unwrap();
        let found = error(&plan, size, &pattern, &entries);
        // Entries may grow by a factor of 11 with each pivot: rarely, by much.
        prop_assert!(found <= 1e6 * dense + 1e-7, "{} {}", found, dense);
        let program = program(&plan, size, entries.len(), true);
        let right = vec![1.0; size];
        let quality = execute(&program, &entries, &right)[size];
        prop_assert!(quality == 0.0 || quality > 0.9999 * THRESHOLD, "{}", quality);
    }

    /// Symmetric matrices give the same solution from half of their entries.
    #[test]
    fn half_of_a_definite_matrix_is_enough(
        edges in prop::collection::vec((0usize..12, 0usize..12, -1.0f64..1.0), 0..40),
    ) {
        let mut found = std::collections::BTreeMap::new();
        for (i, j, number) in edges.into_iter().filter(|(i, j, _)| i != j) {
            found.insert((i.min(j), i.max(j)), number);
        }
        let pattern = graph(12, found.keys().copied());
        let entry = |&(i, j): &(usize, usize)| {
            if i == j { 12.0 + i as f64 } else { found[&(i.min(j), i.max(j))] }
        };
        let entries: Vec<f64> = pattern.iter().map(entry).collect();
        let half = plan(12, &pattern, true, Some(&entries)).unwrap();
        prop_assert!(half.is_symmetric());
        prop_assert_eq!(&half, &plan(12, &pattern, true, None).unwrap());
        let full = plan(12, &pattern, false, None).unwrap();
        prop_assert!(half.operations() <= full.operations());
        prop_assert!(error(&half, 12, &pattern, &entries) < 1e-13);
        prop_assert!(error(&full, 12, &pattern, &entries) < 1e-13);
    }
}
