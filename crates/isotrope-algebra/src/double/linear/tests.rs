use proptest::prelude::*;

use super::*;

/// A matrix with entries between −1 and 1.
fn any_matrix(rows: usize, columns: usize) -> impl Strategy<Value = DenseMatrix> {
    prop::collection::vec(-1.0..1.0, rows * columns)
        .prop_map(move |entries| DenseMatrix::from_rows(rows, columns, &entries))
}

fn any_shape() -> impl Strategy<Value = DenseMatrix> {
    (1usize..8, 1usize..8).prop_flat_map(|(rows, columns)| any_matrix(rows, columns))
}

/// A square matrix and a vector; the diagonal is heavy enough for the solution to be well determined.
fn any_equations() -> impl Strategy<Value = (DenseMatrix, Vec<f64>)> {
    (1usize..9).prop_flat_map(|n| {
        let heavy = any_matrix(n, n).prop_map(move |mut matrix| {
            (0..n).for_each(|k| matrix.add(k, (k + 1) % n, n as f64));
            matrix
        });
        (heavy, prop::collection::vec(-1.0..1.0, n))
    })
}

/// A product of a matrix with `rank` columns and one with `rank` rows.
fn any_deficient() -> impl Strategy<Value = (DenseMatrix, usize)> {
    (2usize..8, 2usize..8).prop_flat_map(|(rows, columns)| {
        (1..rows.min(columns)).prop_flat_map(move |rank| {
            let product = (any_matrix(rows, rank), any_matrix(rank, columns));
            // A heavy diagonal keeps the ranks of the factors.
            product.prop_map(move |(mut left, mut right)| {
                for k in 0..rank {
                    left.add(k, k, 8.0);
                    right.add(k, k, 8.0);
                }
                (left.times(&right), rank)
            })
        })
    })
}

/// Powers of two, by which everything is multiplied without rounding.
fn any_scale() -> impl Strategy<Value = f64> {
    (-300i32..300).prop_map(|exponent| 2.0_f64.powi(exponent))
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    norm(&x.iter().zip(y).map(|(x, y)| x - y).collect::<Vec<_>>())
}

fn identity(n: usize) -> DenseMatrix {
    let mut one = DenseMatrix::zero(n, n);
    (0..n).for_each(|k| one.set(k, k, 1.0));
    one
}

proptest! {
    #[test]
    fn solving_undoes_multiplying((a, x) in any_equations()) {
        let right = a.apply(&x);
        for pivots in [Pivots::Largest { smallest: 1e-14 }, Pivots::LargestInItsRow { smallest: 1e-14 }] {
            let found = TriangularFactorisation::new(a.clone(), pivots).unwrap().solve(&right).unwrap();
            prop_assert!(distance(&found, &x) < 1e-13, "{found:?}");
        }
        let columns = DenseMatrix::from_columns(x.len(), std::slice::from_ref(&right));
        let solved = a.solve(&columns, 0.0).unwrap();
        prop_assert_eq!(a.solve_vector(&right, 0.0).unwrap(), solved.column(0));
    }

    #[test]
    fn solutions_do_not_depend_on_scales((a, x) in any_equations(), left in any_scale(), right in any_scale()) {
        let solution = a.solve_vector(&x, 1e-13).unwrap();
        let other = a.scaled(left).solve_vector(&DenseMatrix::from_columns(x.len(), std::slice::from_ref(&x)).scaled(left * right).entries, 1e-13).unwrap();
        prop_assert_eq!(DenseMatrix::from_columns(x.len(), &[solution]).scaled(right).entries, other);
    }

    /// Units of one equation do not change which pivot is taken.
    #[test]
    fn pivots_in_rows_do_not_depend_on_the_units_of_equations((a, x) in any_equations(), scale in any_scale()) {
        let pivots = Pivots::LargestInItsRow { smallest: 1e-14 };
        let solve = |a: &DenseMatrix, right: &[f64]| TriangularFactorisation::new(a.clone(), pivots).unwrap().solve(right);
        let (mut scaled, mut right) = (a.clone(), x.clone());
        (0..a.columns()).for_each(|j| scaled.set(0, j, scale * a.get(0, j)));
        right[0] *= scale;
        prop_assert_eq!(solve(&a, &x), solve(&scaled, &right));
    }

    #[test]
    fn determinants_of_products_are_products((a, _) in any_equations()) {
        let (one, both) = (a.determinant(), a.times(&a.transposed()).determinant());
        prop_assert!((one * one - both).abs() <= 1e-11 * both.abs());
    }

    #[test]
    fn singular_matrices_have_no_solution((a, rank) in any_deficient(), scale in any_scale()) {
        let n = a.rows().min(a.columns());
        let rows: Vec<f64> = (0..n * n).map(|k| scale * a.get(k / n, k % n)).collect();
        let square = DenseMatrix::from_rows(n, n, &rows);
        prop_assert!(rank < n);
        prop_assert!(square.solve_vector(&vec![1.0; n], 1e-12).is_none());
    }

    #[test]
    fn ranks_are_found_at_every_scale((a, rank) in any_deficient(), scale in any_scale()) {
        let a = a.scaled(scale);
        prop_assert_eq!(OrthogonalFactorisation::new(a.clone()).rank(1e-11), rank);
        prop_assert_eq!(a.nullspace(1e-11).1.len(), a.columns() - rank);
    }

    #[test]
    fn the_nullspace_is_annihilated((a, rank) in any_deficient(), scale in any_scale()) {
        let a = a.scaled(scale);
        let (basis, free) = a.nullspace(1e-11);
        prop_assert!(a.times(&basis).size() <= 1e-11 * a.size() * basis.size());
        for (k, &column) in free.iter().enumerate() {
            prop_assert!(free.iter().all(|&j| basis.get(j, k) == f64::from(j == column)));
        }
        // The other way: the complement of the columns of the transposed matrix.
        let kernel = OrthogonalFactorisation::new(a.transposed()).complement(rank);
        prop_assert!(a.times(&kernel).size() <= 1e-12 * a.size());
    }

    /// Qᵀ Q = 1, all of Q being the complement of nothing.
    #[test]
    fn reflections_are_orthogonal(a in any_shape()) {
        let q = OrthogonalFactorisation::new(a.clone()).complement(0);
        let product = q.transposed().times(&q);
        prop_assert!(product.plus(-1.0, &identity(a.rows())).size() < 1e-14);
    }

    #[test]
    fn residuals_of_least_squares_are_orthogonal_to_the_columns((a, rank) in any_deficient(), right in prop::collection::vec(-1.0..1.0, 8)) {
        let right = &right[..a.rows()];
        let factored = OrthogonalFactorisation::new(a.clone());
        let with_zeros = factored.solve(right, rank);
        let shortest = shortest_least_squares(&a, right, 1e-11);
        for x in [&with_zeros, &shortest] {
            let image = a.apply(x);
            let residual: Vec<f64> = right.iter().zip(&image).map(|(x, y)| x - y).collect();
            prop_assert!(norm(&a.transposed().apply(&residual)) <= 1e-10 * a.size());
        }
        prop_assert!(norm(&shortest) <= norm(&with_zeros) * (1.0 + 1e-9));
        let kernel = OrthogonalFactorisation::new(a.transposed()).complement(rank);
        prop_assert!(norm(&kernel.transposed().apply(&shortest)) < 1e-10);
    }

    #[test]
    fn what_is_orthogonal_to_rows_is_orthonormal_and_complete((a, rank) in any_deficient(), scale in any_scale()) {
        let (n, a) = (a.columns(), a.scaled(scale));
        let rows = (0..a.rows()).map(|i| (0..n).map(|j| a.get(i, j)).collect());
        let basis = DenseMatrix::from_columns(n, &OrthonormalBasis::orthogonal_to(rows, n, 1e-9).into_vectors());
        prop_assert_eq!(basis.columns(), n - rank);
        prop_assert!(basis.transposed().times(&basis).plus(-1.0, &identity(n - rank)).size() < 1e-14);
        prop_assert!(a.times(&basis).size() <= 1e-11 * a.size());
    }

    #[test]
    fn orthonormal_vectors_span_what_was_given((a, _) in any_equations()) {
        let n = a.rows();
        let columns: Vec<Vec<f64>> = (0..n).map(|k| a.column(k).to_vec()).collect();
        let q = DenseMatrix::from_columns(n, OrthonormalBasis::of_span(&columns).unwrap().vectors());
        prop_assert!(q.transposed().times(&q).plus(-1.0, &identity(n)).size() < 1e-14);
        // Qᵀ A is triangular.
        let r = q.transposed().times(&a);
        prop_assert!((0..n).all(|i| (0..i).all(|j| r.get(i, j).abs() < 1e-13)));
    }
}

#[test]
fn determinants_by_hand() {
    let a = DenseMatrix::from_rows(3, 3, &[0.0, 2.0, 1.0, 1.0, 1.0, 1.0, 4.0, -1.0, 3.0]);
    // By the rule of Sarrus: 0*(3+1) - 2*(3-4) + 1*(-1-4) = -3.
    assert!((a.determinant() + 3.0).abs() < 1e-14);
    assert_eq!(DenseMatrix::from_rows(2, 2, &[1.0, 2.0, 2.0, 4.0]).determinant(), 0.0);
    assert_eq!(DenseMatrix::zero(0, 0).determinant(), 1.0);
}

#[test]
fn what_is_not_finite_has_no_solution() {
    let a = DenseMatrix::from_rows(2, 2, &[1.0, f64::NAN, f64::INFINITY, 1.0]);
    assert!(a.determinant().is_nan());
    assert_eq!(a.solve_vector(&[1.0, 1.0], 0.0), None);
    for pivots in [Pivots::Largest { smallest: 0.0 }, Pivots::LargestInItsRow { smallest: 0.0 }] {
        assert!(TriangularFactorisation::new(a.clone(), pivots).is_err());
        let zeros = TriangularFactorisation::new(DenseMatrix::zero(2, 2), pivots);
        assert_eq!(zeros.err(), Some(NoPivot::Singular { column: 0 }));
    }
    assert!(OrthonormalBasis::of_span(&[vec![1.0, f64::NAN]]).is_none());
    assert!(OrthonormalBasis::of_span(&[vec![1.0, 2.0], vec![2.0, 4.0]]).is_none());
}

#[test]
fn the_shortest_solution_and_a_line_through_three_points() {
    // x + 2y = 5: the shortest is (1, 2).
    let x = shortest_least_squares(&DenseMatrix::from_rows(1, 2, &[1.0, 2.0]), &[5.0], 1e-9);
    assert!(distance(&x, &[1.0, 2.0]) < 1e-14, "{x:?}");
    let line = DenseMatrix::from_rows(3, 2, &[1.0, 0.0, 1.0, 1.0, 1.0, 2.0]);
    let x = shortest_least_squares(&line, &[1.0, 3.0, 5.0], 1e-9);
    assert!(distance(&x, &[1.0, 2.0]) < 1e-13, "{x:?}");
}
