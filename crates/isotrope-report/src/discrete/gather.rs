//! Everything that is said about a discrete Lagrangian, computed once for all formats.

use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, OrInternal, Rational};
use isotrope_certify::{LocalMethod, LocalOrders, SmallStepError, local_orders_in};
use isotrope_derive::{Analysis, LagrangianMechanics, System};
use isotrope_scheme::{
    Action, DiscreteAction, DiscreteDirac, DiscreteLagrangian, DiscretiseError, EquationScheme,
    FirstDirac, FormDefect, Side, discretise,
};
use isotrope_study::run::problem_sizes;

/// Operations for the formulas.
const FORMULAS: u64 = 50_000_000;
/// Operations for steps whose exponents are measured.
const MEASURING: u64 = 500_000_000;
/// Operations for questions about a Dirac structure.
const STRUCTURE: u64 = 5_000_000;
/// Systems with more coordinates have no measured orders and no Dirac structures written out.
const LARGEST: usize = 12;
/// The most symmetries that are examined.
const SYMMETRIES: usize = 12;

/// A discrete Lagrangian on a system.
#[derive(Debug, Clone)]
pub struct DiscreteReport {
    /// The name of the method.
    pub method: String,
    /// Its discrete Lagrangian.
    pub lagrangian: DiscreteLagrangian,
    /// The action of a step; its pool holds all expressions.
    pub action: DiscreteAction,
    /// For each piece the order of its quadrature; none of one that is written in the model.
    pub quadrature_orders: Vec<Option<usize>>,
    /// −D₁S − F₀ at the beginning of a step.
    pub momenta_before: Vec<ExprId>,
    /// D₂S + F₁ at its end.
    pub momenta_after: Vec<ExprId>,
    /// Symbols of the momenta at the end of a step.
    pub momentum_next: Vec<ExprId>,
    /// The discrete Euler–Lagrange equations, without reactions; none with inner points.
    pub euler_lagrange: Option<Vec<ExprId>>,
    /// Is L_d its own adjoint?
    pub self_adjoint: Zero,
    /// Momenta of the symmetries of L.
    pub momenta: Vec<DiscreteMomentum>,
    /// How many symmetries were not examined.
    pub more_symmetries: usize,
    /// Exponents on this system.
    pub orders: Result<LocalOrders, NotMeasured>,
    /// The order that the theory of quadrature promises.
    pub promised: Option<usize>,
    /// Names of what a step has to find.
    pub unknowns: Vec<String>,
    /// How many of these are impulses of constraints.
    pub impulses: usize,
    /// Both discrete Dirac structures; none for large systems and affine constraints.
    pub structures: Vec<StructurePart>,
    /// Dirac-1.
    pub first: Option<FirstDirac>,
}

/// Why no exponents were measured.
#[derive(Debug, Clone, PartialEq)]
pub enum NotMeasured {
    /// More coordinates than this.
    Large(usize),
    /// Small steps have none.
    SmallSteps(SmallStepError),
}

/// The momentum of a symmetry of L in the discrete system.
#[derive(Debug, Clone)]
pub struct DiscreteMomentum {
    /// Its name.
    pub name: String,
    /// The motion in words.
    pub motion: String,
    /// p·ξ − G.
    pub expression: ExprId,
    /// Is S invariant?
    pub invariant: Zero,
    /// What forces and reactions add to it in a step.
    pub push: ExprId,
    /// Is this zero?
    pub free: Zero,
}

impl DiscreteMomentum {
    /// Is it proved to be conserved?
    #[must_use]
    pub fn is_conserved(&self) -> bool {
        self.invariant == Zero::Yes && self.free == Zero::Yes
    }
}

/// A discrete Dirac structure and its properties.
#[derive(Debug, Clone)]
pub struct StructurePart {
    /// The structure with the scheme in it.
    pub scheme: DiscreteDirac,
    /// Is the pairing zero on it?
    pub isotropic: Zero,
    /// Its rank at a generic point.
    pub rank: Option<usize>,
    /// Where dq∧dp changes; none for actions with inner points, where it was not computed.
    pub defects: Option<Vec<FormDefect>>,
}

impl DiscreteReport {
    /// Computes all of it.
    pub fn new(
        system: &mut System,
        analysis: &Analysis,
        scheme: &EquationScheme,
        lagrangian: &DiscreteLagrangian,
    ) -> Result<Self, DiscretiseError> {
        // Symmetries get their names first: the action has a copy of the pool.
        let n = system.symbols.dimension();
        let symmetries = &analysis.conservation.symmetries;
        let symbols = system.symbols.clone();
        let named: Vec<_> = symmetries
            .iter()
            .take(SYMMETRIES)
            .map(|symmetry| symmetry.described(&mut system.model.pool, &symbols))
            .collect();
        let budget = &mut Budget::new(FORMULAS);
        let mut action = DiscreteAction::new(system, lagrangian, budget)?;
        let mut quadrature_orders = Vec::with_capacity(lagrangian.pieces.len());
        for piece in &lagrangian.pieces {
            quadrature_orders.push(match piece.action {
                Action::Galerkin { quadrature, .. } => Some(quadrature.order(budget)?),
                Action::Own { .. } => None,
            });
        }
        let step = Rational::new(1, 100).or_noticed("100 is not zero");
        let equations = discretise(system, scheme, &step, budget)?;
        let unknowns = equations.unknowns.iter();
        let unknowns = unknowns
            .filter_map(|unknown| equations.pool.name_of(unknown.symbol))
            .map(|name| name.trim_end_matches('_').to_owned())
            .collect();
        let self_adjoint = if action.exact {
            action.is_self_adjoint(budget)?
        } else if lagrangian.adjoint() == *lagrangian {
            // Decimals are not symmetric; the numbers behind them are.
            Zero::Yes
        } else {
            Zero::No
        };
        let mut momenta = Vec::with_capacity(named.len());
        for (name, symmetry, motion) in named {
            let invariant = action.is_invariant(system, &symmetry, budget)?;
            let push = action.push_along(system, &symmetry.field, budget)?;
            let free = action.vanishes(push);
            let pool = &mut action.pool;
            let parts = symmetry.field.iter().zip(&symbols.momentum);
            let mut terms: Vec<ExprId> = parts.map(|(&xi, &p)| pool.mul(xi, p)).collect();
            terms.push(pool.neg(symmetry.gauge));
            let expression = pool.sum(&terms);
            momenta.push(DiscreteMomentum { name, motion, expression, invariant, push, free });
        }
        let (structures, first) = dirac(&mut action, system, analysis, budget)?;
        let (momenta_before, momenta_after) = (action.momenta_before(), action.momenta_after());
        let euler_lagrange = action.euler_lagrange(budget)?;
        let pool = &mut action.pool;
        let momentum_next = symbols
            .names
            .iter()
            .map(|name| {
                let (base, index) = name.split_at(name.find('[').unwrap_or(name.len()));
                pool.symbol(&format!("p_{base}_next{index}"))
            })
            .collect();
        let orders = if n > LARGEST {
            Err(NotMeasured::Large(LARGEST))
        } else {
            let (method, budget) = (LocalMethod::Equations(scheme), &mut Budget::new(MEASURING));
            local_orders_in(system, method, &problem_sizes(system), budget)
                .map_err(NotMeasured::SmallSteps)
        };
        Ok(Self {
            method: scheme.name().to_owned(),
            lagrangian: lagrangian.clone(),
            quadrature_orders,
            momenta_before,
            momenta_after,
            momentum_next,
            euler_lagrange,
            self_adjoint,
            momenta,
            more_symmetries: symmetries.len().saturating_sub(SYMMETRIES),
            orders,
            promised: lagrangian.order(budget)?,
            unknowns,
            impulses: equations.impulses,
            structures,
            first,
            action,
        })
    }

    /// Does anything act that has no potential?
    #[must_use]
    pub fn is_forced(&self) -> bool {
        self.action.forces.iter().flatten().any(|force| !force.is_zero())
    }

    /// Is something stationary: are there no forces without a potential, and are all constraints on
    /// positions?
    #[must_use]
    pub fn is_variational(&self) -> bool {
        let positions = self.action.conditions.iter().all(|condition| condition.on_position);
        positions && !self.is_forced()
    }
}

type DiracParts = (Vec<StructurePart>, Option<FirstDirac>);

fn dirac(
    action: &mut DiscreteAction,
    system: &System,
    analysis: &Analysis,
    budget: &mut Budget,
) -> Result<DiracParts, DiscretiseError> {
    let Some(LagrangianMechanics { rows, .. }) = system.mechanics.lagrangian() else {
        return Ok(Default::default());
    };
    let structure = match &analysis.dirac {
        Some(structure) if !rows.is_affine() && system.symbols.dimension() <= LARGEST => structure,
        _ => return Ok(Default::default()),
    };
    let mut structures = Vec::with_capacity(2);
    for side in [Side::Plus, Side::Minus] {
        let scheme = DiscreteDirac::new(action, system, structure, side, budget)?;
        let pool = &mut action.pool;
        let isotropic = scheme.structure.is_isotropic(pool, &mut Budget::new(STRUCTURE));
        let rank = scheme.structure.rank(pool, &mut Budget::new(STRUCTURE)).ok();
        let rank = rank.map(|rank| rank.rank);
        let direct = action.is_direct();
        let defects = if direct { Some(scheme.form_defects(action, budget)?) } else { None };
        structures.push(StructurePart { scheme, isotropic, rank, defects });
    }
    let first = FirstDirac::new(action, system, structure, budget)?;
    Ok((structures, Some(first)))
}
