//! Discrete Lagrangians: what they are made of, and their names.

use isotrope_algebra::number::AlgebraicNumber;
use isotrope_algebra::{Budget, Rational};

use super::quadrature::{Quadrature, ratio};
use isotrope_methods::table::TableProblem;

/// A discrete Lagrangian L_d(q₀, q₁): the sum of one or more pieces, stationary in the points
/// between them.
#[derive(Debug, Clone, PartialEq)]
pub struct DiscreteLagrangian {
    /// The pieces, one after the other.
    pub pieces: Vec<Piece>,
    /// How constraints are imposed.
    pub form: ConstraintForm,
    /// What is made stationary.
    pub principle: Principle,
    /// How long its steps are.
    pub pace: Pace,
}

/// A part of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// Which part of the step it takes; may be negative in compositions.
    pub fraction: AlgebraicNumber,
    /// Its action.
    pub action: Action,
}

/// The action of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// h Σ b_i L(Q(c_i), Q'(c_i)), stationary among polynomials Q with the given ends.
    Galerkin {
        /// The degree of the polynomials.
        degree: usize,
        /// The nodes c and weights b.
        quadrature: Quadrature,
    },
    /// The discrete Lagrangian that the model brings along.
    Own {
        /// Read backwards: −L_d(q₁, q₀, −h).
        reversed: bool,
    },
}

/// How constraints are imposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstraintForm {
    /// Multipliers are unknown.
    Multipliers,
    /// The equations are projected on the kernel of A: no multipliers are unknown.
    NullSpace,
}

/// What is made stationary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Principle {
    /// Σ L_d(q_k, q_{k+1}) among sequences of points; with constraints that do not integrate the
    /// principle of Lagrange and d'Alembert, which makes nothing stationary.
    Hamilton,
    /// The same with velocities and momenta of their own (Hamilton and Pontryagin), for constraints
    /// on positions only.
    HamiltonPontryagin,
    /// The same with reactions (Lagrange, d'Alembert and Pontryagin), for all linear constraints.
    LagrangeAlembertPontryagin,
}

/// How long steps are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// All of the same length.
    Even,
    /// Of the same length in a time s with dt/ds = g(q), for the Lagrangian g (L + E₀) there.
    Sundman,
    /// As long as the energy of the discrete Lagrangian demands.
    EnergyExact,
}

/// Pieces that a composition may have.
const MOST_PIECES: usize = 27;
/// The largest degree, and the most points of quadrature.
const LARGEST: usize = 8;

impl DiscreteLagrangian {
    /// Polynomials of a degree with a formula of quadrature.
    #[must_use]
    pub fn galerkin(degree: usize, quadrature: Quadrature) -> Self {
        Self::of_action(Action::Galerkin { degree, quadrature })
    }

    /// That of the model.
    #[must_use]
    pub fn own() -> Self {
        Self::of_action(Action::Own { reversed: false })
    }

    /// Is a piece of it written in the model?
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece.action, Action::Own { .. }))
    }

    fn of_action(action: Action) -> Self {
        let piece = Piece { fraction: Rational::ONE.into(), action };
        let (form, principle) = (ConstraintForm::Multipliers, Principle::Hamilton);
        Self { pieces: vec![piece], form, principle, pace: Pace::Even }
    }

    /// The discrete Lagrangian of a name; `None` if no name is like this.
    pub fn named(name: &str, budget: &mut Budget) -> Result<Option<Self>, TableProblem> {
        if let Some((word, rest)) = name.split_once(':') {
            let Some(inner) = Self::named(rest, budget)? else { return Ok(None) };
            // Of the time in which steps are made the first word of a name speaks, and no other.
            if inner.pace != Pace::Even {
                return Ok(None);
            }
            let made = match word {
                "adjoint" => Some(inner.adjoint()),
                "symmetric" => Some(inner.symmetric()),
                "triple" => inner.triple(budget)?,
                "nullspace" => Some(Self { form: ConstraintForm::NullSpace, ..inner }),
                "sundman" => Some(Self { pace: Pace::Sundman, ..inner }),
                "energy-exact" => Some(Self { pace: Pace::EnergyExact, ..inner }),
                _ => None,
            };
            return Ok(made.filter(|made| made.pieces.len() <= MOST_PIECES));
        }
        Ok(Some(match name {
            "variational-euler" => Self::galerkin(1, Quadrature::Left),
            "variational-euler-adjoint" => Self::galerkin(1, Quadrature::Right),
            "variational-midpoint" => Self::galerkin(1, Quadrature::Gauss(1)),
            "variational-trapezoid" => Self::galerkin(1, Quadrature::Lobatto(2)),
            "variational-simpson" => Self::galerkin(1, Quadrature::Lobatto(3)),
            "variational-own" => Self::own(),
            "dirac-variational-2" => Self::pontryagin(1, Principle::HamiltonPontryagin),
            "dirac-variational-4" => Self::pontryagin(2, Principle::HamiltonPontryagin),
            "dirac-alembert-2" => Self::pontryagin(1, Principle::LagrangeAlembertPontryagin),
            "dirac-alembert-4" => Self::pontryagin(2, Principle::LagrangeAlembertPontryagin),
            _ => return Ok(named_galerkin(name)),
        }))
    }

    fn pontryagin(degree: usize, principle: Principle) -> Self {
        Self { principle, ..Self::galerkin(degree, Quadrature::Gauss(degree)) }
    }

    /// −L_d(q₁, q₀, −h): the inverse step of −h.
    #[must_use]
    pub fn adjoint(&self) -> Self {
        let reversed = |piece: &Piece| Piece {
            fraction: piece.fraction.clone(),
            action: match piece.action {
                Action::Galerkin { degree, quadrature } => {
                    Action::Galerkin { degree, quadrature: quadrature.reversed() }
                }
                Action::Own { reversed } => Action::Own { reversed: !reversed },
            },
        };
        Self { pieces: self.pieces.iter().rev().map(reversed).collect(), ..self.clone() }
    }

    /// Half a step and half a step of the adjoint.
    #[must_use]
    pub fn symmetric(&self) -> Self {
        let halved = |piece: &Piece| Piece {
            fraction: piece.fraction.scale(&ratio(1, 2)),
            action: piece.action,
        };
        let mut pieces: Vec<Piece> = self.pieces.iter().map(halved).collect();
        pieces.extend(self.adjoint().pieces.iter().map(halved));
        Self { pieces, ..self.clone() }
    }

    /// Steps γh, (1 − 2γ)h, γh with γ = 1/(2 − 2^{1/(p+1)}), p the order: two orders more. `None` for
    /// what is not its own adjoint.
    pub fn triple(&self, budget: &mut Budget) -> Result<Option<Self>, TableProblem> {
        if self.adjoint() != *self {
            return Ok(None);
        }
        let Some(order) = self.order(budget)? else { return Ok(None) };
        let Ok(degree) = u32::try_from(order + 1) else { return Ok(None) };
        let two = AlgebraicNumber::from(Rational::integer(2));
        let root = two.nth_root(degree, budget)?;
        let outer = two.sub(&root, budget)?.recip(budget)?;
        let inner = outer.scale(&Rational::integer(-2)).shift(&Rational::ONE);
        let mut pieces = Vec::with_capacity(3 * self.pieces.len());
        for factor in [&outer, &inner, &outer] {
            for piece in &self.pieces {
                let fraction = piece.fraction.mul(factor, budget)?;
                pieces.push(Piece { fraction, action: piece.action });
            }
        }
        Ok(Some(Self { pieces, ..self.clone() }))
    }

    /// The order that the theory promises a chain of equal pieces: min(2s, order of the quadrature)
    /// for one, two for a symmetric pair, two more for a triple. `None` where nothing is known.
    pub fn order(&self, budget: &mut Budget) -> Result<Option<usize>, TableProblem> {
        let Some(first) = self.pieces.first() else { return Ok(None) };
        let Action::Galerkin { degree, quadrature } = first.action else { return Ok(None) };
        let one = (2 * degree).min(quadrature.order(budget)?);
        let count = self.pieces.len();
        if count == 1 {
            return Ok(Some(one));
        }
        // Symmetric methods have even orders; three such pieces raise it by two.
        let (mut triples, mut rest) = (0, count);
        while rest % 3 == 0 {
            (triples, rest) = (triples + 1, rest / 3);
        }
        let base = match rest {
            1 => one,
            2 => one + one % 2,
            _ => return Ok(None),
        };
        Ok(Some(base + 2 * triples))
    }
}

/// `galerkin-S-gaussR` and `galerkin-S-lobattoR`.
fn named_galerkin(name: &str) -> Option<DiscreteLagrangian> {
    let (degree, rule) = name.strip_prefix("galerkin-")?.split_once('-')?;
    let number = |text: &str| -> Option<usize> {
        let plain = !text.starts_with(['0', '+']);
        text.parse().ok().filter(|number| plain && (1..=LARGEST).contains(number))
    };
    let degree = number(degree)?;
    let quadrature = match rule.strip_prefix("gauss") {
        Some(points) => Quadrature::Gauss(number(points)?),
        None => {
            Quadrature::Lobatto(number(rule.strip_prefix("lobatto")?).filter(|&points| points > 1)?)
        }
    };
    Some(DiscreteLagrangian::galerkin(degree, quadrature))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Option<DiscreteLagrangian> {
        DiscreteLagrangian::named(name, &mut Budget::new(10_000_000)).unwrap()
    }

    #[test]
    fn adjoints_of_adjoints_are_what_was_there_before() {
        for name in ["variational-euler", "galerkin-3-lobatto4", "symmetric:variational-own"] {
            let lagrangian = named(name).unwrap();
            assert_eq!(lagrangian.adjoint().adjoint(), lagrangian);
        }
        assert_eq!(named("adjoint:variational-euler"), named("variational-euler-adjoint"));
        assert_eq!(named("adjoint:galerkin-2-gauss3"), named("galerkin-2-gauss3"));
        let symmetric = named("symmetric:variational-euler").unwrap();
        assert_eq!(symmetric.adjoint(), symmetric);
    }

    #[test]
    fn fractions_of_a_step_make_a_step_and_orders_of_a_triple_cancel() {
        let budget = &mut Budget::new(10_000_000);
        let triple = named("triple:variational-midpoint").unwrap();
        let mut sum = AlgebraicNumber::from(Rational::ZERO);
        let mut cubes = sum.clone();
        for piece in &triple.pieces {
            sum = sum.add(&piece.fraction, budget).unwrap();
            cubes = cubes.add(&piece.fraction.powi(3, budget).unwrap(), budget).unwrap();
        }
        assert!(sum.as_rational().is_some_and(Rational::is_one));
        assert!(cubes.is_zero());
        assert_eq!(triple.order(budget).unwrap(), Some(4));
    }

    #[test]
    fn names_that_mean_nothing_have_no_lagrangian() {
        for name in [
            "galerkin-2",
            "galerkin-0-gauss1",
            "galerkin-2-gauss02",
            "galerkin-2-radau2",
            "galerkin-1-lobatto1",
            "galerkin-9-gauss9",
            "triple:variational-euler",
            "double:variational-euler",
            "variational-",
        ] {
            assert_eq!(named(name), None, "{name}");
        }
    }
}
