//! What is known of a geometric object.

use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, Pool, print};
use isotrope_derive::Magnetic;
use isotrope_geometry::{Casimirs, CourantTensor, DiracStructure, HorizontalPrimitive};

/// The kind of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind {
    /// A bivector.
    Bivector,
    /// A 2-form.
    TwoForm,
    /// A distribution, perhaps with a 2-form.
    Distribution,
    /// Generators of a subbundle of `TM + T*M`.
    Dirac,
    /// A Lie algebra.
    LieAlgebra,
    /// A graded vector field or function.
    Graded,
    /// The structure `D_Delta` of a mechanical model.
    Model,
}

impl ObjectKind {
    /// The name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bivector => "bivector",
            Self::TwoForm => "two_form",
            Self::Distribution => "distribution",
            Self::Dirac => "dirac",
            Self::LieAlgebra => "lie_algebra",
            Self::Graded => "graded",
            Self::Model => "model",
        }
    }
}

/// What is known of a geometric object.
#[derive(Debug, Clone)]
pub struct GeometryReport {
    /// The kind of the object.
    pub kind: ObjectKind,
    /// The Dirac structure that it is or has.
    pub dirac: Option<DiracReport>,
    /// Is the distribution integrable? `None`: not asked or not decided.
    pub frobenius: Option<bool>,
    /// The homological vector field.
    pub homological: Option<HomologicalReport>,
    /// Betti numbers of a Lie algebra.
    pub betti: Option<Vec<usize>>,
    /// The magnetic 2-form of a model; its structure is then that of Ω + π*B.
    pub magnetic: Option<Magnetic>,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

/// What is known of an almost Dirac structure.
#[derive(Debug, Clone)]
pub struct DiracReport {
    /// The structure.
    pub structure: DiracStructure,
    /// What it is the structure of.
    pub scope: Scope,
    /// Names of the generators.
    pub names: Vec<String>,
    /// Is the pairing zero on it?
    pub isotropic: Zero,
    /// The generic rank.
    pub rank: usize,
    /// Is it proved?
    pub rank_proved: bool,
    /// The rank drops only where one of these vanishes.
    pub drops: Vec<ExprId>,
    /// Coefficients divide by these: where one vanishes nothing is said.
    pub excluded: Vec<ExprId>,
    /// The Courant tensor, if it is isotropic.
    pub courant: Option<CourantTensor>,
    /// The dimension of the leaves of the characteristic foliation at generic points.
    pub leaf_dimension: Option<usize>,
    /// Is it proved?
    pub leaf_dimension_proved: bool,
    /// Casimir functions.
    pub casimirs: Option<Casimirs>,
    /// A frame of the kernel, vectors without denominators.
    pub kernel: Option<Vec<Vec<ExprId>>>,
    /// Is it proved to be all of it?
    pub kernel_proved: bool,
    /// Do coefficients have branches, `abs` or `heaviside`? What is said holds on one of them.
    pub branches: bool,
    /// The basic 2-class, of a Dirac structure with few generators.
    pub two_class: Option<TwoClassReport>,
}

/// What is known of the class of `omega_D(v + a, v' + a') = a(v')`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TwoClassReport {
    /// Does the class vanish: is the form zero, or is there a primitive, horizontal or not?
    pub zero: Zero,
    /// Is the form itself zero?
    pub form_zero: Zero,
    /// A one-form on the base whose pullback is a primitive.
    pub primitive: HorizontalPrimitive,
    /// The primitive has no value where one of these vanishes.
    pub singular: Vec<ExprId>,
    /// Integrals over the tori of two periodic coordinates in a leaf.
    pub periods: Vec<([usize; 2], ExprId)>,
    /// Is one of them not zero? Then there is no horizontal primitive at all.
    pub obstructed: bool,
}

/// Of what in a model a structure is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Of all there is.
    Whole,
    /// Of the linear part of affine constraints at a fixed time: the system itself has an affine structure.
    LinearPart,
    /// Of one time, with linear constraints that change with time; do they integrate on positions and time?
    FixedTime(Option<bool>),
}

impl DiracReport {
    /// Isotropic, of rank dim M, and closed under the bracket? Of a model: at all times, with the constraints as
    /// they are.
    pub fn is_dirac(&self) -> Option<bool> {
        match self.scope {
            Scope::Whole | Scope::FixedTime(Some(true)) => self.is_dirac_as_it_stands(),
            Scope::LinearPart | Scope::FixedTime(Some(false)) => Some(false),
            Scope::FixedTime(None) => self.is_dirac_as_it_stands().filter(|dirac| !dirac),
        }
    }

    fn is_dirac_as_it_stands(&self) -> Option<bool> {
        if self.isotropic == Zero::No {
            return Some(false);
        }
        if self.rank != self.structure.base.len() {
            return self.rank_proved.then_some(false);
        }
        // Derivatives are those within a branch.
        match (self.isotropic, self.courant.as_ref().map(CourantTensor::vanishes)) {
            (_, Some(Zero::No)) => Some(false),
            (Zero::Yes, Some(Zero::Yes)) if self.rank_proved => Some(true),
            _ => None,
        }
    }
}

/// A term of a graded function: a coefficient, and odd coordinates in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradedTerm {
    /// The coefficient with the even coordinates.
    pub coefficient: ExprId,
    /// The odd coordinates.
    pub odd: Vec<String>,
}

/// A graded function in a form that can be printed.
pub type GradedExpression = Vec<GradedTerm>;

/// The text of a graded function: products in an order that reads back.
pub trait TextOf {
    /// The text.
    fn text(&self, pool: &Pool) -> String;
}

impl TextOf for GradedExpression {
    fn text(&self, pool: &Pool) -> String {
        let mut out = String::new();
        for term in self {
            let text = print::to_text(pool, term.coefficient, &mut Budget::new(1_000_000));
            let text = text.unwrap_or_else(|_| "…".to_owned());
            let (negative, text) = match text.strip_prefix('-') {
                // A leading minus of a sum belongs to its first term alone.
                Some(rest) if !text.contains(' ') => (true, rest.to_owned()),
                _ => (false, text),
            };
            match (out.is_empty(), negative) {
                (true, true) => out.push('-'),
                (true, false) => {}
                (false, true) => out.push_str(" - "),
                (false, false) => out.push_str(" + "),
            }
            if term.odd.is_empty() {
                out.push_str(&text);
            } else if text == "1" {
                out.push_str(&term.odd.join("*"));
            } else if text.contains(' ') {
                out.push_str(&format!("({text})*{}", term.odd.join("*")));
            } else {
                out.push_str(&format!("{text}*{}", term.odd.join("*")));
            }
        }
        if out.is_empty() { "0".to_owned() } else { out }
    }
}

/// What is known of a homological vector field.
#[derive(Debug, Clone)]
pub struct HomologicalReport {
    /// Names and degrees of the coordinates.
    pub coordinates: Vec<(String, i32)>,
    /// Its degree.
    pub degree: i32,
    /// Components that are not zero, by coordinate.
    pub field: Vec<(String, GradedExpression)>,
    /// Is its square zero?
    pub square_zero: Zero,
    /// The components of the square that are not proved to be zero.
    pub square: Vec<(String, GradedExpression)>,
    /// The coordinates of those that are not proved to be different from zero either.
    pub undecided: Vec<String>,
    /// How many more components of a nonzero square were not computed.
    pub square_left_out: usize,
    /// The anchor and the bracket of the Lie algebroid, if the degrees are 0 and 1: `rho(e_a)` by
    /// base coordinate, and `[e_a, e_b]` by fibre coordinate for a < b, without zeros.
    pub algebroid: Option<(Vec<AnchorRow>, Vec<BracketRow>)>,
    /// The function that generates it, if it was given.
    pub function: Option<FunctionReport>,
    /// Do all coefficients belong to polynomials over Q, so that every answer is decided?
    pub polynomial: bool,
}

/// `rho(e_a)`: the name of the fibre coordinate, and components by base coordinate.
pub type AnchorRow = (String, Vec<(String, GradedExpression)>);
/// `[e_a, e_b]`: two names of fibre coordinates, and components by fibre coordinate.
pub type BracketRow = (String, String, Vec<(String, GradedExpression)>);

/// A function with a bracket of degree −n.
#[derive(Debug, Clone)]
pub struct FunctionReport {
    /// `n`.
    pub bracket: i32,
    /// Its degree; `None` for zero.
    pub degree: Option<i32>,
    /// The function.
    pub function: GradedExpression,
    /// The bracket with itself.
    pub square: GradedExpression,
    /// Is that zero: the master equation?
    pub square_zero: Zero,
}
