//! Trees, node vectors and conditions, written independently of the library.

use isotrope_algebra::number::field::FieldElement;
use isotrope_algebra::{Budget, Rational};
use isotrope_methods::table::{StageProduct, Table};

pub fn budget() -> Budget {
    Budget::new(2_000_000_000)
}

/// A rooted tree.
#[derive(Debug, Clone)]
pub struct Tree(pub Vec<Tree>);

/// All rooted trees up to an order; children are a descending multiset of earlier trees.
pub fn trees_up_to(order: usize) -> Vec<Tree> {
    let mut trees: Vec<(usize, Tree)> = Vec::new();
    for n in 1..=order {
        let mut found = Vec::new();
        extend(&trees, trees.len(), n - 1, &mut Vec::new(), &mut found);
        trees.extend(found.into_iter().map(|tree| (n, tree)));
    }
    trees.into_iter().map(|(_, tree)| tree).collect()
}

fn extend(
    known: &[(usize, Tree)],
    below: usize,
    left: usize,
    children: &mut Vec<Tree>,
    found: &mut Vec<Tree>,
) {
    if left == 0 {
        found.push(Tree(children.clone()));
        return;
    }
    for (index, (order, tree)) in known.iter().enumerate().take(below) {
        if *order <= left {
            children.push(tree.clone());
            extend(known, index + 1, left - order, children, found);
            children.pop();
        }
    }
}

/// The stage vector of a tree; children at odd depth bring `abar`, the others `a`.
pub fn stages_of(table: &Table, tree: &Tree, odd: bool) -> Vec<FieldElement> {
    tree.0.iter().fold(table.unit(), |product, child| {
        let inner = stages_of(table, child, !odd);
        let operator = if odd { &table.abar } else { &table.a };
        table.multiply(&product, &table.apply(operator, &inner))
    })
}

/// Three weights for each tree.
pub fn weights(table: &Table, order: usize) -> Vec<FieldElement> {
    let mut weights = Vec::new();
    for tree in trees_up_to(order) {
        let phi = stages_of(table, &tree, false);
        weights.push(table.pair(&table.b, &phi));
        let phi = stages_of(table, &tree, true);
        weights.push(table.pair(&table.bbar, &phi));
        weights.push(table.pair(&table.btil, &phi));
    }
    weights
}

/// The nodes as a stage vector.
pub fn node_vector(table: &Table) -> Vec<FieldElement> {
    match &table.product {
        StageProduct::Pointwise => table.apply(&table.a, &table.unit()),
        StageProduct::Modulo(nodes) if table.stages == 1 => vec![(-&nodes[0]).into()],
        StageProduct::Modulo(_) => basis(table, 1),
    }
}

pub fn basis(table: &Table, index: usize) -> Vec<FieldElement> {
    let mut vector = vec![FieldElement::zero(); table.stages];
    vector[index] = FieldElement::one();
    vector
}

fn power(table: &Table, x: &[FieldElement], exponent: usize) -> Vec<FieldElement> {
    (0..exponent).fold(table.unit(), |product, _| table.multiply(&product, x))
}

fn fraction(k: usize) -> Rational {
    Rational::new(1, k as i64).unwrap()
}

/// The largest `p` with B(p): `b(c^(k-1)) = 1/k` for `k <= p`.
pub fn quadrature_order(table: &Table) -> usize {
    let c = node_vector(table);
    (1..)
        .take_while(|&k| {
            let weight = table.pair(&table.b, &power(table, &c, k - 1));
            weight.as_rational() == Some(&fraction(k))
        })
        .count()
}

/// The largest `eta` with C(eta): `a c^(k-1) = c^k / k` for `k <= eta`.
pub fn collocation_order(table: &Table, operator: &[Vec<FieldElement>]) -> usize {
    let c = node_vector(table);
    (1..=2 * table.stages)
        .take_while(|&k| {
            let left = table.apply(operator, &power(table, &c, k - 1));
            let right = power(table, &c, k);
            left.iter().zip(&right).all(|(l, r)| *l == table.field.scale(r, &fraction(k)))
        })
        .count()
}

/// The largest `zeta` with D(zeta): `b(c^(k-1) a y) = b((1 - c^k) y)/k` for all `y`, `k <= zeta`.
pub fn adjoint_order(table: &Table, operator: &[Vec<FieldElement>]) -> usize {
    let (c, field) = (node_vector(table), &table.field);
    (1..=2 * table.stages)
        .take_while(|&k| {
            (0..table.stages).all(|index| {
                let y = basis(table, index);
                let left = table.multiply(&power(table, &c, k - 1), &table.apply(operator, &y));
                let right = table.multiply(&power(table, &c, k), &y);
                let right = field.sub(&table.pair(&table.b, &y), &table.pair(&table.b, &right));
                table.pair(&table.b, &left) == field.scale(&right, &fraction(k))
            })
        })
        .count()
}

/// `b_i abar_ij + bbar_j a_ji = b_i bbar_j` as an identity of forms, and `b = bbar = btil`.
pub fn is_symplectic(table: &Table) -> bool {
    let field = &table.field;
    let all = (0..table.stages).all(|i| {
        (0..table.stages).all(|j| {
            let (x, y) = (basis(table, i), basis(table, j));
            let first = table.multiply(&x, &table.apply(&table.abar, &y));
            let second = table.multiply(&y, &table.apply(&table.a, &x));
            let left = field.add(&table.pair(&table.b, &first), &table.pair(&table.bbar, &second));
            left == field.mul(&table.pair(&table.b, &x), &table.pair(&table.bbar, &y))
        })
    });
    all && table.b == table.bbar && table.b == table.btil
}

/// The text of every entry as an algebraic number, which is canonical.
pub fn texts(table: &Table) -> Vec<(String, String)> {
    let text = |entry| table.exact(entry, &mut budget()).unwrap().unwrap().to_string();
    table.entries().map(|entry| (entry.to_string(), text(entry))).collect()
}
