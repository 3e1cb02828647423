//! Systems in state space: x' = f(x, t), given by a bracket, by equations or by ports.

pub(crate) mod build;
pub(crate) mod cells;
mod coupled;
mod rates;
pub(crate) mod read;

use isotrope_algebra::ExprId;

use crate::diagnostics::Place;

/// The form of equations in state space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateKind {
    /// `[poisson]`: x'^i = D^{ij} ∂H/∂x^j.
    Poisson,
    /// `[equations]`: x' = f(x, t).
    Equations,
    /// `[port]`: x' = (J − R) ∇H + g u, or E x' = (J − R) z + g u with Eᵀ z = ∇H.
    Port,
}

/// A system in state space as its file describes it. Inputs are symbols in all expressions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateModel {
    /// Its table.
    pub kind: StateKind,
    /// Where the table is.
    pub place: Place,
    /// H(x, t).
    pub hamiltonian: Option<ExprId>,
    /// Of `[equations]`: the rate of each coordinate. Equations of second order are two of first order:
    /// the coordinates of the model are then q and q'.
    pub rates: Vec<ExprId>,
    /// Entries i < j of the skew matrix: D of a bracket, J of ports.
    pub skew: Vec<MatrixEntry>,
    /// Entries i ≤ j of the symmetric matrix R.
    pub symmetric: Vec<MatrixEntry>,
    /// The column of g of each input, entries (i, g_i).
    pub columns: Vec<Vec<(usize, ExprId)>>,
    /// The inputs u.
    pub inputs: Vec<Input>,
    /// The outputs of the file.
    pub outputs: Vec<Output>,
    /// Of `[port]`: E x' in the place of x'.
    pub descriptor: Option<DescriptorModel>,
}

/// The matrix E of a descriptor system, E x' = (J − R) z + g u, and efforts z.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescriptorModel {
    /// The entries of E that are given; constants.
    pub matrix: Vec<MatrixEntry>,
    /// The efforts z_i that are given.
    pub efforts: Vec<Effort>,
    /// Where E is.
    pub place: Place,
}

/// An effort of a descriptor system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Its coordinate.
    pub coordinate: usize,
    /// z(x, t).
    pub value: ExprId,
    /// Where it is.
    pub place: Place,
}

/// An entry of a structure matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatrixEntry {
    /// Its row.
    pub row: usize,
    /// Its column; of symmetric and skew matrices not less than the row.
    pub column: usize,
    /// Its value.
    pub value: ExprId,
    /// Where it is.
    pub place: Place,
}

/// An input u with its function of time, or of time and state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// The symbol of that name.
    pub symbol: ExprId,
    /// u(t), in `[port]` also u(x, t); of a table, the function that it describes.
    pub value: ExprId,
    /// The first and the last time of a table.
    pub range: Option<(ExprId, ExprId)>,
    /// Where it is given.
    pub place: Place,
}

/// A quantity that is observed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// What it is, in states, inputs and time.
    pub value: ExprId,
    /// Where it is given.
    pub place: Place,
}

impl StateModel {
    /// All expressions.
    #[must_use]
    pub fn expressions(&self) -> Vec<ExprId> {
        let entries = self.skew.iter().chain(&self.symmetric).map(|entry| entry.value);
        let mut list: Vec<ExprId> = self.hamiltonian.iter().copied().collect();
        list.extend(&self.rates);
        list.extend(entries);
        list.extend(self.columns.iter().flatten().map(|entry| entry.1));
        list.extend(self.inputs.iter().map(|input| input.value));
        list.extend(self.outputs.iter().map(|output| output.value));
        if let Some(descriptor) = &self.descriptor {
            list.extend(descriptor.matrix.iter().map(|entry| entry.value));
            list.extend(descriptor.efforts.iter().map(|effort| effort.value));
        }
        list
    }

    pub(crate) fn expressions_mut(&mut self) -> Vec<&mut ExprId> {
        let mut list: Vec<&mut ExprId> = self.hamiltonian.iter_mut().collect();
        list.extend(&mut self.rates);
        let entries = self.skew.iter_mut().chain(&mut self.symmetric);
        list.extend(entries.map(|entry| &mut entry.value));
        list.extend(self.columns.iter_mut().flatten().map(|entry| &mut entry.1));
        list.extend(self.inputs.iter_mut().map(|input| &mut input.value));
        list.extend(self.outputs.iter_mut().map(|output| &mut output.value));
        if let Some(descriptor) = &mut self.descriptor {
            list.extend(descriptor.matrix.iter_mut().map(|entry| &mut entry.value));
            list.extend(descriptor.efforts.iter_mut().map(|effort| &mut effort.value));
        }
        list
    }
}
