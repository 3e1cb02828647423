//! Where the numbers of a state are.

use std::ops::Range;

/// Slots of a state: q, v, p (v and p of the same size, that of q but on groups; p before v where momenta are given
/// and velocities follow), the time, the number of steps, the multipliers, the energy, the work, what is measured,
/// the sizes of the problem, the weights of constraints, and what the scheme carries along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Coordinates, or numbers of a configuration.
    pub dimension: usize,
    /// Velocities, and as many momenta: on Lie groups fewer than numbers of a configuration.
    pub rates: usize,
    /// Constraints.
    pub constraints: usize,
    /// Those on positions; on Lie groups the rotations, which have norm 1.
    pub on_positions: usize,
    /// Conserved momenta that are watched.
    pub momenta: usize,
    /// Is there a second place where errors are measured?
    pub shifted: bool,
    /// Is what goes through ports summed up, and the balance of power measured?
    pub ports: bool,
    /// Outputs of a system in state space.
    pub outputs: usize,
    /// Are momenta given and velocities functions of them? Then they come before the velocities: what a
    /// motion begins with is always at the beginning.
    pub in_momenta: bool,
    /// Numbers of the scheme.
    pub memory: usize,
}

/// One place where errors are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measured {
    /// The pair that belongs to the scheme, (q_k, v_k).
    Own,
    /// For staggered schemes: what the step leaves behind.
    Shifted,
}

impl Layout {
    /// How many numbers positions and velocities are, or positions and momenta where these are given: what a
    /// motion begins with.
    #[must_use]
    pub fn moving(self) -> usize {
        self.dimension + self.rates
    }
    /// How many numbers positions, velocities and momenta are.
    #[must_use]
    pub fn mechanical(self) -> usize {
        self.dimension + 2 * self.rates
    }
    /// q_i.
    #[must_use]
    pub fn position(self, i: usize) -> u32 {
        slot(i)
    }
    /// v_i.
    #[must_use]
    pub fn velocity(self, i: usize) -> u32 {
        slot(self.velocities().start + i)
    }
    /// All velocities.
    #[must_use]
    pub fn velocities(self) -> Range<usize> {
        if self.in_momenta {
            self.moving()..self.mechanical()
        } else {
            self.dimension..self.moving()
        }
    }
    /// All momenta.
    #[must_use]
    pub fn all_momenta(self) -> Range<usize> {
        if self.in_momenta {
            self.dimension..self.moving()
        } else {
            self.moving()..self.mechanical()
        }
    }
    /// p_i.
    #[must_use]
    pub fn momentum(self, i: usize) -> u32 {
        slot(self.all_momenta().start + i)
    }
    /// The time.
    #[must_use]
    pub fn time(self) -> u32 {
        slot(self.mechanical())
    }
    /// The number of steps.
    #[must_use]
    pub fn count(self) -> u32 {
        slot(self.mechanical() + 1)
    }
    /// The multiplier of a constraint.
    #[must_use]
    pub fn multiplier(self, j: usize) -> u32 {
        slot(self.mechanical() + 2 + j)
    }
    fn scalars(self) -> usize {
        self.mechanical() + 2 + self.constraints
    }
    /// The energy, as [`Stepper::row`](super::Stepper::row) leaves it.
    #[must_use]
    pub fn energy(self) -> u32 {
        slot(self.scalars())
    }
    /// The work done since the start.
    #[must_use]
    pub fn work(self) -> u32 {
        slot(self.scalars() + 1)
    }
    /// The energy at the start.
    #[must_use]
    pub fn first_energy(self) -> u32 {
        slot(self.scalars() + 2)
    }
    /// A conserved momentum at the start.
    #[must_use]
    pub fn first_conserved(self, j: usize) -> u32 {
        slot(self.scalars() + 3 + j)
    }
    fn measures(self, place: Measured) -> usize {
        let own = self.scalars() + 3 + self.momenta;
        match place {
            Measured::Own => own,
            Measured::Shifted => own + 5 + self.momenta,
        }
    }
    /// |E − E₀ − work| after the last step.
    #[must_use]
    pub fn energy_error(self, place: Measured) -> u32 {
        slot(self.measures(place))
    }
    /// The largest |E − E₀ − work| so far.
    #[must_use]
    pub fn largest_energy_error(self, place: Measured) -> u32 {
        slot(self.measures(place) + 1)
    }
    /// The largest |φ| so far.
    #[must_use]
    pub fn largest_position_error(self, place: Measured) -> u32 {
        slot(self.measures(place) + 2)
    }
    /// The largest |A v + b| so far.
    #[must_use]
    pub fn largest_velocity_error(self, place: Measured) -> u32 {
        slot(self.measures(place) + 3)
    }
    /// The largest |p − L_v| so far.
    #[must_use]
    pub fn largest_legendre_error(self, place: Measured) -> u32 {
        slot(self.measures(place) + 4)
    }
    /// The largest change of a conserved momentum so far.
    #[must_use]
    pub fn largest_momentum_error(self, place: Measured, j: usize) -> u32 {
        slot(self.measures(place) + 5 + j)
    }
    fn exchange(self) -> usize {
        let places = if self.shifted { 2 } else { 1 };
        self.scalars() + 3 + self.momenta + places * (5 + self.momenta)
    }
    /// The energy that ports have supplied, where it is summed up.
    #[must_use]
    pub fn supplied(self) -> u32 {
        slot(self.exchange())
    }
    /// The energy that was dissipated.
    #[must_use]
    pub fn dissipated(self) -> u32 {
        slot(self.exchange() + 1)
    }
    /// ΔH − supplied + dissipated of the last step.
    #[must_use]
    pub fn power_balance(self) -> u32 {
        slot(self.exchange() + 2)
    }
    /// The largest size of that so far.
    #[must_use]
    pub fn largest_power_balance(self) -> u32 {
        slot(self.exchange() + 3)
    }
    /// An output, as [`Stepper::row`](super::Stepper::row) leaves it.
    #[must_use]
    pub fn output(self, k: usize) -> u32 {
        slot(self.exchange() + if self.ports { 4 } else { 0 } + k)
    }
    /// The size of positions of a coordinate, see [`Scales`](super::Scales).
    #[must_use]
    pub fn position_size(self, i: usize) -> u32 {
        self.output(self.outputs + i)
    }
    /// The size of a velocity.
    #[must_use]
    pub fn velocity_size(self, i: usize) -> u32 {
        self.position_size(self.dimension + i)
    }
    /// The size of a momentum.
    #[must_use]
    pub fn momentum_size(self, i: usize) -> u32 {
        self.velocity_size(self.rates + i)
    }
    /// Where the sizes of what a motion begins with are: of positions, then of velocities or of momenta.
    pub fn moving_sizes(self) -> impl Iterator<Item = u32> {
        let second = move |i| match self.in_momenta {
            true => self.momentum_size(i),
            false => self.velocity_size(i),
        };
        (0..self.dimension).map(move |i| self.position_size(i)).chain((0..self.rates).map(second))
    }
    /// The size of times.
    #[must_use]
    pub fn time_size(self) -> u32 {
        self.momentum_size(self.rates)
    }
    /// The size of the energy.
    #[must_use]
    pub fn energy_size(self) -> u32 {
        self.momentum_size(self.rates + 1)
    }
    /// How many values φ(q) and A v + b have.
    #[must_use]
    pub fn levels(self) -> usize {
        self.on_positions + self.constraints
    }
    /// The largest |φ| so far, each in its own size at the start; only where there are constraints.
    #[must_use]
    pub fn relative_position_error(self) -> u32 {
        self.momentum_size(self.rates + 2)
    }
    /// The largest |A v + b| so far, likewise.
    #[must_use]
    pub fn relative_velocity_error(self) -> u32 {
        self.momentum_size(self.rates + 3)
    }
    /// One over the size of a φ, then of an A v + b, at the start; zero where that is not known.
    #[must_use]
    pub fn level_weight(self, k: usize) -> u32 {
        self.momentum_size(self.rates + 4 + k)
    }
    /// A number of the scheme.
    #[must_use]
    pub fn memory(self, k: usize) -> u32 {
        let levels = if self.levels() > 0 { 2 + self.levels() } else { 0 };
        self.momentum_size(self.rates + 2 + levels + k)
    }
    /// All numbers.
    #[must_use]
    pub fn size(self) -> u32 {
        self.memory(self.memory)
    }
}

pub(super) fn slot(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
