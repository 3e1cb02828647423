//! Theorems of linear algebra over the rationals and over a prime field.

use std::collections::BTreeMap;
use std::fmt::Debug;

use proptest::prelude::*;

use super::{
    Budgeted, Echelon, ExactField, PivotAt, Rationals, Residues, SparseEchelon, SparseRow,
    solve_rows,
};
use crate::Budget;
use crate::modular::PRIME;
use crate::number::Rational;

type Rows<E> = Vec<Vec<E>>;

/// Small integers: ranks drop often.
fn any_matrix(rows: usize, columns: usize) -> impl Strategy<Value = Rows<i64>> {
    prop::collection::vec(prop::collection::vec(-2i64..3, columns), rows)
}

fn rational(matrix: &Rows<i64>) -> Rows<Rational> {
    matrix.iter().map(|row| row.iter().map(|&x| Rational::integer(x)).collect()).collect()
}

fn residues(matrix: &Rows<i64>) -> Rows<u64> {
    let residue = |&x: &i64| if x < 0 { PRIME - x.unsigned_abs() } else { x as u64 };
    matrix.iter().map(|row| row.iter().map(residue).collect()).collect()
}

fn product<F: ExactField<Stop: Debug>>(
    field: &mut F,
    a: &Rows<F::Element>,
    b: &Rows<F::Element>,
) -> Rows<F::Element> {
    let columns = b.first().map_or(0, Vec::len);
    let minus_one = field.negate(&field.one());
    a.iter()
        .map(|row| {
            (0..columns)
                .map(|j| {
                    let mut sum = field.zero();
                    for (x, other) in row.iter().zip(b) {
                        let opposite = field.times(x, &minus_one).unwrap();
                        sum = field.minus_product(&sum, &opposite, &other[j]).unwrap();
                    }
                    sum
                })
                .collect()
        })
        .collect()
}

fn echelon<F: ExactField<Stop: Debug>>(
    field: &mut F,
    rows: &Rows<F::Element>,
    columns: usize,
) -> Echelon<F::Element> {
    let mut echelon = Echelon::new(columns);
    for row in rows {
        echelon.insert(field, row.clone()).unwrap();
    }
    echelon
}

fn sparse<F: ExactField<Stop: Debug>>(
    field: &mut F,
    rows: &Rows<F::Element>,
    pivot_at: PivotAt,
) -> SparseEchelon<usize, F::Element> {
    let mut echelon = SparseEchelon::new(pivot_at);
    for row in rows {
        let row: SparseRow<usize, _> =
            row.iter().cloned().enumerate().filter(|(_, x)| !field.is_zero(x)).collect();
        echelon.insert(field, row).unwrap();
    }
    echelon
}

/// All the theorems, over one field.
fn theorems<F: ExactField<Element: PartialEq + Debug, Stop: Debug>>(
    field: &mut F,
    a: &Rows<F::Element>,
    b: &Rows<F::Element>,
) {
    let (rows, inner) = (a.len(), b.len());
    let columns = b.first().map_or(0, Vec::len);
    let (of_a, of_b) = (echelon(field, a, inner), echelon(field, b, columns));
    let ab = product(field, a, b);
    let of_ab = echelon(field, &ab, columns);
    // Sylvester: rank A + rank B - n <= rank AB <= min(rank A, rank B).
    assert!(of_ab.rank() <= of_a.rank().min(of_b.rank()));
    assert!(of_a.rank() + of_b.rank() <= of_ab.rank() + inner);

    // A null = 0, and rank plus nullity is the number of columns.
    let null = of_a.nullspace(field).unwrap();
    assert_eq!(of_a.rank() + null.len(), inner);
    let transposed: Rows<_> =
        (0..inner).map(|i| null.iter().map(|v| v[i].clone()).collect()).collect();
    let image = product(field, a, &transposed);
    assert!(image.iter().flatten().all(|x| field.is_zero(x)));

    // The reduced form does not depend on the order of the rows, and spans what the rows span.
    let backwards: Rows<_> = a.iter().rev().cloned().collect();
    let reduced = of_a.reduced(field).unwrap();
    assert_eq!(reduced, echelon(field, &backwards, inner).reduced(field).unwrap());
    let mut again = of_a.clone();
    for row in reduced {
        assert!(!again.insert(field, row).unwrap());
    }

    // Sparse elimination finds the same rank and the same vectors.
    for pivot_at in [PivotAt::First, PivotAt::Last] {
        let thin = sparse(field, a, pivot_at);
        assert_eq!(thin.rank(), of_a.rank());
        let free: Vec<usize> = (0..inner).filter(|&c| !thin.has_pivot(c)).collect();
        assert_eq!(free.len(), null.len());
        for (k, &column) in free.iter().enumerate() {
            let vector = thin.annihilated(field, column).unwrap();
            if pivot_at == PivotAt::First {
                let dense: BTreeMap<usize, _> = null[k]
                    .iter()
                    .cloned()
                    .enumerate()
                    .filter(|(_, x)| !field.is_zero(x))
                    .collect();
                assert_eq!(vector, dense);
            }
            let entry = |i| vec![vector.get(&i).cloned().unwrap_or_else(|| field.zero())];
            let full: Rows<_> = (0..inner).map(entry).collect();
            assert!(product(field, a, &full).iter().flatten().all(|x| field.is_zero(x)));
        }
    }

    // Solving undoes multiplication.
    if rows == inner {
        let joined: Rows<_> =
            a.iter().zip(&ab).map(|(x, y)| x.iter().chain(y).cloned().collect()).collect();
        let solved = solve_rows(field, joined).unwrap();
        assert_eq!(solved.is_some(), of_a.rank() == inner);
        assert!(solved.is_none_or(|solved| solved == *b));
    }
}

proptest! {
    #[test]
    fn rank_nullspace_and_solution_over_every_field(
        (a, b) in (1usize..5, 1usize..5, 1usize..4)
            .prop_flat_map(|(m, n, k)| (any_matrix(m, n), any_matrix(n, k)))
    ) {
        theorems(&mut Rationals, &rational(&a), &rational(&b));
        theorems(&mut Residues(PRIME), &residues(&a), &residues(&b));
        let budget = &mut Budget::new(1_000_000);
        let mut counted = Budgeted::<Rational>::new(budget, 1, "testing");
        theorems(&mut counted, &rational(&a), &rational(&b));
    }
}

#[test]
fn elimination_stops_with_its_budget() {
    let budget = &mut Budget::new(3);
    let mut field = Budgeted::<Rational>::new(budget, 1, "testing");
    let mut echelon = Echelon::new(3);
    let row = |x: i64| (0..3).map(|k| Rational::integer(x + k * k)).collect::<Vec<_>>();
    assert!(echelon.insert(&mut field, row(1)).is_ok());
    assert!(echelon.insert(&mut field, row(2)).is_ok());
    assert!(echelon.insert(&mut field, row(3)).is_err());
}
