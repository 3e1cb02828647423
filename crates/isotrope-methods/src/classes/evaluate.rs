//! A problem at a point of an algebra: momenta, forces, accelerations, structure functions.

use super::algebra::{Algebra, Element, solve};
use super::problem::{Problem, Ridges};
use super::scalars::Scalars;

/// v' = f(q, v) and p' = g(q, v), the multipliers eliminated.
#[derive(Debug, Clone)]
pub(super) struct Motion<E> {
    pub acceleration: Vec<Vec<E>>,
    pub force: Vec<Vec<E>>,
}

/// The derivatives of L that the equations of motion need.
struct Expansion<E> {
    /// ∂L/∂q − (∂²L/∂v∂q) v.
    force: Vec<Vec<E>>,
    /// ∂L/∂q.
    gradient: Vec<Vec<E>>,
    /// ∂²L/∂v∂v, unless it is a constant matrix.
    mass: Option<Vec<Vec<Vec<E>>>>,
}

impl<E: Clone> Ridges<E> {
    /// Column `i` of l or m: its coefficients over the terms.
    pub(super) fn column(rows: &[Vec<E>], i: usize) -> Vec<E> {
        rows.iter().filter_map(|row| row.get(i).cloned()).collect()
    }

    /// c_k exp(l_k·q + m_k·u) for every term; without `u` the second form is left out.
    pub(super) fn terms<A: Algebra>(
        &self,
        algebra: &A,
        q: &[Element<A>],
        u: Option<&[Element<A>]>,
    ) -> Vec<Element<A>>
    where
        A::Scalars: Scalars<Element = E>,
    {
        let scalars = algebra.scalars();
        (0..self.weights.len())
            .map(|k| {
                let mut exponent = algebra.combine(&self.positions[k], q);
                if let Some(u) = u {
                    let more = algebra.combine(&self.velocities[k], u);
                    exponent = algebra.add(&exponent, &more);
                }
                let exponential = algebra.exponential(&exponent);
                exponential.iter().map(|x| scalars.mul(&self.weights[k], x)).collect()
            })
            .collect()
    }

    /// Linear forms at every term: `rows_k · x`.
    pub(super) fn forms<A: Algebra>(
        algebra: &A,
        rows: &[Vec<E>],
        x: &[Element<A>],
    ) -> Vec<Element<A>>
    where
        A::Scalars: Scalars<Element = E>,
    {
        rows.iter().map(|row| algebra.combine(row, x)).collect()
    }
}

/// x_k y_k for every k.
pub(super) fn products<A: Algebra>(
    algebra: &A,
    x: &[Element<A>],
    y: &[Element<A>],
) -> Vec<Element<A>> {
    x.iter().zip(y).map(|(x, y)| algebra.mul(x, y)).collect()
}

fn accumulate<A: Algebra>(algebra: &A, sum: &mut [Element<A>], terms: Vec<Element<A>>) {
    for (sum, term) in sum.iter_mut().zip(terms) {
        *sum = algebra.add(sum, &term);
    }
}

impl<E: Clone> Problem<E> {
    /// v − v₀.
    fn displaced<A: Algebra>(&self, algebra: &A, v: &[Element<A>]) -> Vec<Element<A>>
    where
        A::Scalars: Scalars<Element = E>,
    {
        let start = self.velocity.iter().map(|v| algebra.constant(v));
        v.iter().zip(start).map(|(v, start)| algebra.sub(v, &start)).collect()
    }

    /// p = ∂L/∂v.
    pub(super) fn momentum<A: Algebra>(
        &self,
        algebra: &A,
        q: &[Element<A>],
        v: &[Element<A>],
    ) -> Vec<Element<A>>
    where
        A::Scalars: Scalars<Element = E>,
    {
        let lagrangian = &self.lagrangian;
        let mut momentum = vec![algebra.zero(); self.coordinates];
        if let Some((mass, _)) = &lagrangian.mass {
            momentum = mass.iter().map(|row| algebra.combine(row, v)).collect();
        }
        let columns = |ridges: &Ridges<E>, terms: &[Element<A>]| -> Vec<Element<A>> {
            (0..self.coordinates)
                .map(|i| algebra.combine(&Ridges::column(&ridges.velocities, i), terms))
                .collect()
        };
        if !lagrangian.kinetic.weights.is_empty() {
            let speeds = Ridges::forms(algebra, &lagrangian.kinetic.velocities, v);
            let terms = lagrangian.kinetic.terms(algebra, q, None);
            let terms = products(algebra, &terms, &speeds);
            accumulate(algebra, &mut momentum, columns(&lagrangian.kinetic, &terms));
        }
        if !lagrangian.general.weights.is_empty() {
            let terms = lagrangian.general.terms(algebra, q, Some(&self.displaced(algebra, v)));
            accumulate(algebra, &mut momentum, columns(&lagrangian.general, &terms));
        }
        momentum
    }

    /// E = p·v − L.
    pub(super) fn energy<A: Algebra>(
        &self,
        algebra: &A,
        q: &[Element<A>],
        v: &[Element<A>],
    ) -> Option<Element<A>>
    where
        A::Scalars: Scalars<Element = E>,
    {
        let scalars = algebra.scalars();
        let lagrangian = &self.lagrangian;
        let sum = |terms: &[Element<A>]| {
            terms.iter().fold(algebra.zero(), |sum, term| algebra.add(&sum, term))
        };
        // Half the momentum times the velocity for what is quadratic in v, and + U.
        let momentum = self.momentum(algebra, q, v);
        let twice = algebra.dot(&momentum, v);
        if lagrangian.mass.is_none() {
            let terms = lagrangian.general.terms(algebra, q, Some(&self.displaced(algebra, v)));
            return Some(algebra.sub(&twice, &sum(&terms)));
        }
        let half = scalars.inverse(&scalars.add(&scalars.one(), &scalars.one()))?;
        let kinetic: Element<A> = twice.iter().map(|x| scalars.mul(&half, x)).collect();
        Some(algebra.add(&kinetic, &sum(&lagrangian.potential.terms(algebra, q, None))))
    }

    /// The derivatives of L at a point.
    fn expansion<A: Algebra>(
        &self,
        algebra: &A,
        q: &[Element<A>],
        v: &[Element<A>],
    ) -> Option<Expansion<E>>
    where
        A::Scalars: Scalars<Element = E>,
    {
        let scalars = algebra.scalars();
        let lagrangian = &self.lagrangian;
        let size = self.coordinates;
        let mut gradient = vec![algebra.zero(); size];
        let mut mixed = vec![algebra.zero(); size];
        let mut matrix = None;
        let constant = matches!(&lagrangian.mass, Some((_, Some(_))));
        let columns = |rows: &[Vec<E>], terms: &[Element<A>]| -> Vec<Element<A>> {
            (0..size).map(|i| algebra.combine(&Ridges::column(rows, i), terms)).collect()
        };
        let mass_of = |rows: &[Vec<E>], terms: &[Element<A>]| -> Vec<Vec<Element<A>>> {
            let mut matrix = vec![vec![algebra.zero(); size]; size];
            for i in 0..size {
                for j in 0..=i {
                    let weights: Vec<E> =
                        rows.iter().map(|row| scalars.mul(&row[i], &row[j])).collect();
                    matrix[i][j] = algebra.combine(&weights, terms);
                    matrix[j][i] = matrix[i][j].clone();
                }
            }
            matrix
        };
        let ridges = &lagrangian.general;
        if !ridges.weights.is_empty() {
            let terms = ridges.terms(algebra, q, Some(&self.displaced(algebra, v)));
            accumulate(algebra, &mut gradient, columns(&ridges.positions, &terms));
            let drift = Ridges::forms(algebra, &ridges.positions, v);
            let drifting = products(algebra, &terms, &drift);
            accumulate(algebra, &mut mixed, columns(&ridges.velocities, &drifting));
            matrix = Some(mass_of(&ridges.velocities, &terms));
        }
        let ridges = &lagrangian.kinetic;
        if !constant && lagrangian.mass.is_some() {
            let terms = ridges.terms(algebra, q, None);
            let speeds = Ridges::forms(algebra, &ridges.velocities, v);
            let drift = Ridges::forms(algebra, &ridges.positions, v);
            let moving = products(algebra, &terms, &speeds);
            let half = scalars.inverse(&scalars.add(&scalars.one(), &scalars.one()))?;
            let squares: Vec<Element<A>> = products(algebra, &moving, &speeds)
                .iter()
                .map(|x| x.iter().map(|x| scalars.mul(&half, x)).collect())
                .collect();
            accumulate(algebra, &mut gradient, columns(&ridges.positions, &squares));
            let drifting = products(algebra, &moving, &drift);
            accumulate(algebra, &mut mixed, columns(&ridges.velocities, &drifting));
            let mut varying = mass_of(&ridges.velocities, &terms);
            if let Some((mass, _)) = &lagrangian.mass {
                for (row, mass) in varying.iter_mut().zip(mass) {
                    let mass = mass.iter().map(|x| algebra.constant(x)).collect();
                    accumulate(algebra, row, mass);
                }
            }
            matrix = Some(varying);
        }
        let ridges = &lagrangian.potential;
        if !ridges.weights.is_empty() {
            let terms = ridges.terms(algebra, q, None);
            let pull = columns(&ridges.positions, &terms);
            accumulate(algebra, &mut gradient, pull.iter().map(|x| algebra.neg(x)).collect());
        }
        let force = gradient.iter().zip(&mixed).map(|(g, m)| algebra.sub(g, m)).collect();
        Some(Expansion { force, gradient, mass: matrix })
    }

    /// ∂L/∂q.
    pub(super) fn gradient<A: Algebra>(
        &self,
        algebra: &A,
        q: &[Element<A>],
        v: &[Element<A>],
    ) -> Option<Vec<Element<A>>>
    where
        A::Scalars: Scalars<Element = E>,
    {
        Some(self.expansion(algebra, q, v)?.gradient)
    }

    /// ∂²L/∂v∂v.
    pub(super) fn mass<A: Algebra>(
        &self,
        algebra: &A,
        q: &[Element<A>],
        v: &[Element<A>],
    ) -> Option<Vec<Vec<Element<A>>>>
    where
        A::Scalars: Scalars<Element = E>,
    {
        if let Some(mass) = self.expansion(algebra, q, v)?.mass {
            return Some(mass);
        }
        let (mass, _) = self.lagrangian.mass.as_ref()?;
        Some(mass.iter().map(|row| row.iter().map(|x| algebra.constant(x)).collect()).collect())
    }

    /// v' = f and p' = g with the multipliers eliminated: the solution of
    /// [M −Aᵀ; A 0] (v', λ) = (∂L/∂q − (∂²L/∂v∂q) v, −(dA/dt) v), and g = ∂L/∂q + Aᵀλ.
    pub(super) fn motion<A: Algebra>(
        &self,
        algebra: &A,
        q: &[Element<A>],
        v: &[Element<A>],
    ) -> Option<Motion<E>>
    where
        A::Scalars: Scalars<Element = E>,
    {
        let expansion = self.expansion(algebra, q, v)?;
        let rows: Vec<Vec<Element<A>>> =
            self.constraints.iter().map(|constraint| constraint.row(algebra, q)).collect();
        let turning = self
            .constraints
            .iter()
            .map(|constraint| Some(algebra.neg(&constraint.turning(algebra, q, v))))
            .collect::<Option<Vec<_>>>()?;
        let count = rows.len();
        let reaction = |multipliers: &[Element<A>]| -> Vec<Element<A>> {
            (0..self.coordinates)
                .map(|i| {
                    rows.iter().zip(multipliers).fold(algebra.zero(), |sum, (row, multiplier)| {
                        algebra.add(&sum, &algebra.mul(&row[i], multiplier))
                    })
                })
                .collect()
        };
        let Some(mass) = expansion.mass else {
            let (_, inverse) = self.lagrangian.mass.as_ref()?;
            let inverse = inverse.as_ref()?;
            let apply = |x: &[Element<A>]| -> Vec<Element<A>> {
                inverse.iter().map(|row| algebra.combine(row, x)).collect()
            };
            // (A M⁻¹ Aᵀ) λ = −(dA/dt) v − A M⁻¹ ∂L/∂q: the mass matrix is a matrix of scalars.
            let free = apply(&expansion.force);
            let moved: Vec<Vec<Element<A>>> = rows.iter().map(|row| apply(row)).collect();
            let matrix = rows
                .iter()
                .map(|row| moved.iter().map(|other| algebra.dot(row, other)).collect())
                .collect();
            let right = rows
                .iter()
                .zip(&turning)
                .map(|(row, turning)| algebra.sub(turning, &algebra.dot(row, &free)))
                .collect();
            let multipliers = solve(algebra, matrix, right)?;
            let mut force = expansion.gradient;
            accumulate(algebra, &mut force, reaction(&multipliers));
            return Some(Motion { acceleration: apply(&force), force });
        };
        let mut matrix = mass;
        for (i, line) in matrix.iter_mut().enumerate() {
            line.extend(rows.iter().map(|row| algebra.neg(&row[i])));
        }
        for row in &rows {
            let mut line = row.clone();
            line.extend(std::iter::repeat_n(algebra.zero(), count));
            matrix.push(line);
        }
        let mut right = expansion.force;
        right.extend(turning);
        let mut acceleration = solve(algebra, matrix, right)?;
        let multipliers = acceleration.split_off(self.coordinates);
        let mut force = expansion.gradient;
        accumulate(algebra, &mut force, reaction(&multipliers));
        Some(Motion { acceleration, force })
    }

    /// The rows of A(q).
    pub(super) fn constraint_rows<A: Algebra>(
        &self,
        algebra: &A,
        q: &[Element<A>],
    ) -> Vec<Vec<Element<A>>>
    where
        A::Scalars: Scalars<Element = E>,
    {
        self.constraints.iter().map(|constraint| constraint.row(algebra, q)).collect()
    }

    /// φ(q) of holonomic constraints.
    pub(super) fn positions<A: Algebra>(
        &self,
        algebra: &A,
        q: &[Element<A>],
    ) -> Option<Vec<Element<A>>>
    where
        A::Scalars: Scalars<Element = E>,
    {
        self.constraints.iter().map(|constraint| constraint.position(algebra, q)).collect()
    }
}
