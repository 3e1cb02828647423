//! The expansion of a defect in trees, from the derivatives of a problem.
//!
//! One step of any method of the family is q⁺ = q + Σ h^|t| w(t)/σ(t) F(t) over q-trees, and so
//! for v and p, where F(t) is built from derivatives of f and g alone. A structure function S at
//! the end point is therefore Σ over forests of h^|·| ∏ w(tᵢ)/σ(tᵢ) S⁽ʳ⁾(F(t₁), …, F(t_r)) over
//! multiplicities: the coefficient of each monomial in the weights, without running a method.

use isotrope_algebra::Budget;

use crate::classes::algebra::Algebra;
use crate::classes::defects::structure_at;
use crate::classes::error::ClassError;
use crate::classes::nilpotents::Nilpotents;
use crate::classes::prime_field::{PrimeField, Residue};
use crate::classes::problem::{Problem, Tangent};
use crate::classes::scalars::Scalars;
use crate::classes::step::State;
use crate::trees::{TreeId, Trees};

use super::{Forest, MOMENTUM, POSITION, VELOCITY};

const DOING: &str = "expanding a random problem in trees";

type Vector = Vec<Vec<Residue>>;

/// The elementary differentials F(t) of a problem at its starting point, with their derivatives
/// along tangent vectors: vectors over the algebra with one generator for each of these.
pub(super) struct Differentials<'a> {
    field: &'a PrimeField,
    problem: &'a Problem<Residue>,
    trees: &'a Trees,
    tangents: u32,
    start: State<Residue>,
    values: Vec<Vector>,
}

/// The coefficients of one forest in ψ, φ_v and φ_q.
pub(super) struct StructureRow {
    pub psi: Vec<Residue>,
    pub phi_v: Vec<Residue>,
    pub phi_q: Vec<Residue>,
}

impl<'a> Differentials<'a> {
    /// All elementary differentials of the listed trees.
    pub(super) fn compute(
        field: &'a PrimeField,
        problem: &'a Problem<Residue>,
        trees: &'a Trees,
        tangents: &[Tangent<Residue>],
        budget: &mut Budget,
    ) -> Result<Self, ClassError> {
        let base = Nilpotents::new(field, tangents.len() as u32);
        let moved = |value: Residue, parts: &dyn Fn(&Tangent<Residue>) -> Residue| {
            let mut element = base.constant(&value);
            for (index, tangent) in tangents.iter().enumerate() {
                element[1 << index] = parts(tangent);
            }
            element
        };
        let q: Vector =
            (0..problem.coordinates).map(|i| moved(field.zero(), &|x| x.q[i])).collect();
        let v: Vector = problem
            .velocity
            .iter()
            .enumerate()
            .map(|(i, v)| moved(*v, &|tangent| tangent.v[i]))
            .collect();
        let p = problem.momentum(&base, &q, &v);
        let mut all = Self {
            field,
            problem,
            trees,
            tangents: tangents.len() as u32,
            start: State { q, v, p },
            values: vec![Vec::new(); trees.len()],
        };
        for order in 1..=trees.max_order() {
            for tree in trees.of_order_and_colour(order, POSITION) {
                // q' = v: the rate is the velocity, its only derivative the identity.
                all.values[tree.index()] = match trees.children(tree) {
                    [child] => all.values[child.index()].clone(),
                    _ => all.start.v.clone(),
                };
            }
            // f and g depend on the same variables: the p-trees follow the v-trees.
            let velocities = trees.of_order_and_colour(order, VELOCITY);
            let momenta = trees.of_order_and_colour(order, MOMENTUM);
            for (velocity, momentum) in velocities.zip(momenta) {
                let (f, g) = all.derivative(trees.children(velocity), budget)?;
                all.values[velocity.index()] = f;
                all.values[momentum.index()] = g;
            }
        }
        Ok(all)
    }

    /// The point moved by one nilpotent along each F(t), behind the generators of the tangents.
    fn moved(&self, directions: &[TreeId]) -> (Nilpotents<'a, PrimeField>, State<Residue>) {
        let algebra = Nilpotents::new(self.field, self.tangents + directions.len() as u32);
        let size = algebra.dimension();
        let embed = |x: &Vector| -> Vector {
            x.iter()
                .map(|x| {
                    let mut x = x.clone();
                    x.resize(size, self.field.zero());
                    x
                })
                .collect()
        };
        let mut state =
            State { q: embed(&self.start.q), v: embed(&self.start.v), p: embed(&self.start.p) };
        let width = 1usize << self.tangents;
        for (index, tree) in directions.iter().enumerate() {
            let target = match self.trees.colour(*tree) {
                POSITION => &mut state.q,
                VELOCITY => &mut state.v,
                _ => &mut state.p,
            };
            let offset = width << index;
            for (target, value) in target.iter_mut().zip(&self.values[tree.index()]) {
                target[offset..offset + width].copy_from_slice(&value[..width]);
            }
        }
        (algebra, state)
    }

    /// The mixed derivatives f⁽ᵏ⁾(F(t₁), …, F(t_k)) and g⁽ᵏ⁾(…).
    fn derivative(
        &self,
        children: &[TreeId],
        budget: &mut Budget,
    ) -> Result<(Vector, Vector), ClassError> {
        let size = (self.problem.coordinates + self.problem.constraints.len()) as u64;
        let generators = self.tangents + children.len() as u32;
        budget.spend(3u64.saturating_pow(generators).saturating_mul(size.pow(3)), DOING)?;
        let (algebra, state) = self.moved(children);
        let motion = self
            .problem
            .motion(&algebra, &state.q, &state.v)
            .ok_or(ClassError::Singular { attempts: 1 })?;
        Ok((self.top(&motion.acceleration), self.top(&motion.force)))
    }

    /// The coordinates in which all generators but those of the tangents occur.
    fn top(&self, vector: &Vector) -> Vector {
        let width = 1usize << self.tangents;
        vector.iter().map(|x| x[x.len() - width..].to_vec()).collect()
    }

    /// The coefficients of a product of weights in the structure functions.
    pub(super) fn structure(
        &self,
        forest: &Forest,
        budget: &mut Budget,
    ) -> Result<StructureRow, ClassError> {
        let generators = self.tangents + forest.trees().len() as u32;
        let size = self.problem.coordinates as u64;
        budget.spend(3u64.saturating_pow(generators).saturating_mul(size * size), DOING)?;
        let (algebra, state) = self.moved(forest.trees());
        let singular = ClassError::Singular { attempts: 1 };
        let at = structure_at(&algebra, self.problem, &state).ok_or(singular.clone())?;
        let symmetry = forest.symmetry(self.trees);
        let scale = symmetry.recip().and_then(|x| self.field.rational(&x)).ok_or(singular)?;
        let top = |vector: &Vector| -> Vec<Residue> {
            let last = vector.iter().filter_map(|x| x.last());
            last.map(|x| self.field.mul(x, &scale)).collect()
        };
        Ok(StructureRow { psi: top(&at.psi), phi_v: top(&at.phi_v), phi_q: top(&at.phi_q) })
    }

    /// The coefficient of a product of weights in the 2-form on the two tangent vectors.
    pub(super) fn form(&self, forest: &Forest) -> Result<Residue, ClassError> {
        let field = self.field;
        let of_colour = |colour: usize, otherwise: &'_ Vector| -> Vector {
            let tree = forest.trees().iter().find(|tree| self.trees.colour(**tree) == colour);
            tree.map_or_else(|| otherwise.clone(), |tree| self.values[tree.index()].clone())
        };
        let q = of_colour(POSITION, &self.start.q);
        let p = of_colour(MOMENTUM, &self.start.p);
        let one = field.sum_of_products(q.len(), |i| (&q[i][1], &p[i][2]));
        let other = field.sum_of_products(q.len(), |i| (&q[i][2], &p[i][1]));
        let scale = forest
            .symmetry(self.trees)
            .recip()
            .and_then(|x| field.rational(&x))
            .ok_or(ClassError::Singular { attempts: 1 })?;
        Ok(field.mul(&field.sub(&one, &other), &scale))
    }
}
