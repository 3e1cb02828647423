//! Sufficient conditions, in exact arithmetic, for a structure to be kept to every order.
//!
//! Write S for the matrix of a quadratic constraint, q and v for the start of the step and
//! F_k for the stage accelerations. On a constraint qᵀS v = 0 that the λ-eliminated field
//! keeps, vᵀS v + qᵀS f(q,v) = 0 holds *identically* in (q,v); at the stages it expresses
//! qᵀS F_k by the numbers vᵀS v, vᵀS F_k, F_kᵀS v and F_kᵀS F_l. What is left of the defect
//! is a polynomial in these, and it vanishes for every problem of the class when its
//! coefficients do. Affine parts of a constraint are included: q becomes (q, 1).
//!
//! The conditions are written with functions φ, ψ on the stages (see [`Stages`]), which are
//! constant on equal stages; β(φ) = b(abar φ), Â = a·abar, c = a·1.

use isotrope_algebra::Rational;

use super::effective::{Effective, Forces, effective, equal_stages, indicators};
use isotrope_methods::stages::{Operator, Stages, Weights};

/// What a table keeps exactly, by these conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exactness {
    /// ψ = p − M v with constant M: btil = bbar.
    pub legendre: bool,
    /// A(q)v with A affine in q.
    pub bilinear_velocity: bool,
    /// A(q)v with A = S q, S symmetric (the derivative of a quadratic constraint).
    pub sphere_velocity: bool,
    /// φ(q), quadratic.
    pub sphere_position: bool,
    /// ω of unconstrained systems with constant mass matrix and a potential.
    pub symplectic_form: bool,
    /// ω on the manifold of quadratic constraints.
    pub sphere_form: bool,
}

/// Decides the conditions.
pub fn exactness<S: Stages>(stages: &S) -> Exactness {
    let unit = stages.unit();
    let one = stages.scalar(&Rational::ONE);
    let consistent = [Weights::Position, Weights::Velocity, Weights::Momentum]
        .iter()
        .all(|&weights| stages.pair(weights, &unit) == one);
    if !consistent {
        return Exactness::default();
    }
    let data = stages.is_pointwise().then(|| effective(stages));
    let functions = |forces: Forces| match &data {
        Some(data) => indicators(stages, &equal_stages(stages, data, forces)),
        None => stages.basis(),
    };
    let general = Conditions::new(stages, functions(Forces::General));
    let potential = Conditions::new(stages, functions(Forces::Potential));
    let legendre = general.momentum_weights_agree();
    let sphere_position = general.keeps_position(&Target::end(&general));
    let sphere_form = general.is_symplectic()
        && data.as_ref().is_some_and(|data| general.all_stages_on_manifold(data));
    Exactness {
        legendre,
        bilinear_velocity: general.keeps_bilinear(),
        sphere_velocity: general.keeps_symmetric(),
        sphere_position,
        symplectic_form: potential.is_symplectic(),
        sphere_form,
    }
}

/// A point q + h θ v + h² Σ ω_k F_k, with ω as values on the functions.
struct Target<T> {
    theta: T,
    /// ω(φ).
    omega: Vec<T>,
    /// ω(abar φ).
    omega_velocity: Vec<T>,
    /// ω(c φ).
    omega_nodes: Vec<T>,
    /// ω((abar φ)(abar ψ)).
    omega_products: Vec<Vec<T>>,
    /// ω(ψ Âφ), first index φ.
    omega_position: Vec<Vec<T>>,
    /// ω(1).
    total: T,
}

impl<T: Clone + PartialEq> Target<T> {
    /// The end of the step: θ = 1, ω = β.
    fn end<S: Stages<Scalar = T>>(conditions: &Conditions<'_, S>) -> Self {
        let stages = conditions.stages;
        let omega = |x: &[T]| stages.pair(Weights::Position, &stages.apply(Operator::Velocity, x));
        Self::new(conditions, stages.scalar(&Rational::ONE), omega)
    }

    /// Stage number `stage`: θ = c_i, ω = row i of Â.
    fn stage<S: Stages<Scalar = T>>(
        conditions: &Conditions<'_, S>,
        data: &Effective<T>,
        stage: usize,
    ) -> Self {
        let stages = conditions.stages;
        let omega = |x: &[T]| {
            let twice = stages.apply(Operator::Position, &stages.apply(Operator::Velocity, x));
            twice[stage].clone()
        };
        Self::new(conditions, data.nodes[stage].clone(), omega)
    }

    fn new<S: Stages<Scalar = T>>(
        conditions: &Conditions<'_, S>,
        theta: T,
        omega: impl Fn(&[T]) -> T,
    ) -> Self {
        let Conditions { stages, functions, velocity, position, nodes } = conditions;
        let product = |x: &[T], y: &[T]| omega(&stages.multiply(x, y));
        Self {
            theta,
            omega: functions.iter().map(|x| omega(x)).collect(),
            omega_velocity: velocity.iter().map(|x| omega(x)).collect(),
            omega_nodes: functions.iter().map(|x| product(nodes, x)).collect(),
            omega_products: velocity
                .iter()
                .map(|x| velocity.iter().map(|y| product(x, y)).collect())
                .collect(),
            omega_position: position
                .iter()
                .map(|x| functions.iter().map(|y| product(y, x)).collect())
                .collect(),
            total: omega(&stages.unit()),
        }
    }
}

struct Conditions<'s, S: Stages> {
    stages: &'s S,
    /// φ.
    functions: Vec<Vec<S::Scalar>>,
    /// abar φ.
    velocity: Vec<Vec<S::Scalar>>,
    /// Â φ.
    position: Vec<Vec<S::Scalar>>,
    /// c.
    nodes: Vec<S::Scalar>,
}

impl<'s, S: Stages> Conditions<'s, S> {
    fn new(stages: &'s S, functions: Vec<Vec<S::Scalar>>) -> Self {
        let velocity: Vec<_> =
            functions.iter().map(|x| stages.apply(Operator::Velocity, x)).collect();
        let position = velocity.iter().map(|x| stages.apply(Operator::Position, x)).collect();
        let nodes = stages.apply(Operator::Position, &stages.unit());
        Self { stages, functions, velocity, position, nodes }
    }

    fn bbar(&self, x: &[S::Scalar]) -> S::Scalar {
        self.stages.pair(Weights::Velocity, x)
    }

    fn btil(&self, x: &[S::Scalar]) -> S::Scalar {
        self.stages.pair(Weights::Momentum, x)
    }

    /// β(φ) of the function number `k`.
    fn beta(&self, k: usize) -> S::Scalar {
        self.stages.pair(Weights::Position, &self.velocity[k])
    }

    fn vanishes(&self, terms: &[(i64, S::Scalar)]) -> bool {
        self.stages.combine(terms) == self.stages.zero()
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let count = self.functions.len();
        (0..count).flat_map(move |k| (0..count).map(move |l| (k, l)))
    }

    fn momentum_weights_agree(&self) -> bool {
        self.functions.iter().all(|x| self.btil(x) == self.bbar(x))
    }

    /// The coefficient of F_kᵀS F_l in the defect of qᵀS v, divided by h³.
    fn quadratic(&self, k: usize, l: usize) -> S::Scalar {
        let product = |x: &[S::Scalar], y: &[S::Scalar]| self.bbar(&self.stages.multiply(x, y));
        self.stages.combine(&[
            (-1, product(&self.velocity[k], &self.velocity[l])),
            (-1, product(&self.functions[l], &self.position[k])),
            (1, self.stages.mul(&self.beta(k), &self.bbar(&self.functions[l]))),
        ])
    }

    /// qᵀS v for every S.
    fn keeps_bilinear(&self) -> bool {
        let linear = (0..self.functions.len()).all(|k| {
            let moved = self.bbar(&self.velocity[k]);
            let at_nodes = self.bbar(&self.stages.multiply(&self.nodes, &self.functions[k]));
            // The coefficients of vᵀS F_k and of F_kᵀS v.
            self.vanishes(&[
                (-1, moved.clone()),
                (-1, at_nodes),
                (1, self.bbar(&self.functions[k])),
            ]) && self.vanishes(&[(-1, moved), (1, self.beta(k))])
        });
        linear && self.pairs().all(|(k, l)| self.quadratic(k, l) == self.stages.zero())
    }

    /// qᵀS v for symmetric S.
    fn keeps_symmetric(&self) -> bool {
        let linear = (0..self.functions.len()).all(|k| {
            let at_nodes = self.bbar(&self.stages.multiply(&self.nodes, &self.functions[k]));
            self.vanishes(&[
                (-2, self.bbar(&self.velocity[k])),
                (-1, at_nodes),
                (1, self.bbar(&self.functions[k])),
                (1, self.beta(k)),
            ])
        });
        linear
            && self.pairs().all(|(k, l)| {
                self.vanishes(&[(1, self.quadratic(k, l)), (1, self.quadratic(l, k))])
            })
    }

    /// φ(q) = qᵀS q/2 − constant vanishes at the target.
    fn keeps_position(&self, target: &Target<S::Scalar>) -> bool {
        let stages = self.stages;
        let theta = &target.theta;
        let total = self.vanishes(&[(-2, target.total.clone()), (1, stages.mul(theta, theta))]);
        let linear = (0..self.functions.len()).all(|k| {
            self.vanishes(&[
                (-2, target.omega_velocity[k].clone()),
                (-1, target.omega_nodes[k].clone()),
                (1, stages.mul(theta, &target.omega[k])),
            ])
        });
        total
            && linear
            && self.pairs().all(|(k, l)| {
                self.vanishes(&[
                    (-2, target.omega_products[k][l].clone()),
                    (-1, target.omega_position[k][l].clone()),
                    (-1, target.omega_position[l][k].clone()),
                    (1, stages.mul(&target.omega[k], &target.omega[l])),
                ])
            })
    }

    /// The conditions under which only Σ btil_m dQ_m ∧ M dF_m is left of the defect of dq ∧ dp:
    /// β_m = btil_m (1 − c_m), btil_m (β_k − Â_mk) symmetric in k and m (Suris 1989 for Nyström
    /// methods). bbar does not occur: p has its own weights.
    fn is_symplectic(&self) -> bool {
        let stages = self.stages;
        let linear = (0..self.functions.len()).all(|k| {
            let at_nodes = self.btil(&stages.multiply(&self.nodes, &self.functions[k]));
            self.vanishes(&[(1, self.btil(&self.functions[k])), (-1, at_nodes), (-1, self.beta(k))])
        });
        let half = |k: usize, l: usize| {
            let mixed = self.btil(&stages.multiply(&self.functions[l], &self.position[k]));
            stages.sub(&stages.mul(&self.beta(k), &self.btil(&self.functions[l])), &mixed)
        };
        linear && self.pairs().all(|(k, l)| half(k, l) == half(l, k))
    }

    /// Is φ(Q_m) = 0 exactly for every stage with a weight? Then dφ(Q_m) ∧ dλ_m, which is
    /// what dQ_m ∧ M dF_m comes to with the reaction forces, vanishes on the manifold.
    fn all_stages_on_manifold(&self, data: &Effective<S::Scalar>) -> bool {
        (0..data.nodes.len()).all(|m| {
            let weight = self.functions.iter().find(|x| x[m] != self.stages.zero());
            let weightless = weight.is_some_and(|x| self.btil(x) == self.stages.zero());
            weightless || self.keeps_position(&Target::stage(self, data, m))
        })
    }
}
