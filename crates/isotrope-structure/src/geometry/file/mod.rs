//! Geometry files: TOML with one geometric object.
//!
//! ```toml
//! name = "rigid body"
//! coordinates = ["x", "y", "z"]
//! parameters = { a = "symbol", b = "3/2" }   # constants; symbols stand for all values
//!
//! [define]                     # abbreviations, in this order
//! r = "sqrt(x^2 + y^2)"
//!
//! [bivector]                   # D = 1/2 D^ij d_i ^ d_j, sharp(a)^i = D^ij a_j
//! "x,y" = "z"
//! "y,z" = "x"
//! "z,x" = "y"
//! ```
//!
//! In place of `[bivector]`: `[two_form]` (the same, `w = 1/2 W_ij dx^i ^ dx^j`), `[distribution]`
//! (one-forms that annihilate it, `blade = { x = "sin(theta)", y = "-cos(theta)" }`, perhaps with a
//! `[two_form]`), `[dirac]` (generators, `e = { vector = { x = "1" }, covector = { y = "x" } }`, or
//! rows of the kernel form, `{ flow = {…}, effort = {…} }`), `[lie_algebra]` (`basis = ["a", "b"]`,
//! `"a,b" = "b"`), `[graded]` (`coordinates = { x = 0, c = 1 }` with degrees, and a vector field
//! `field = { x = "c" }` or a function with a bracket, `function = "…"`, `bracket = 2`,
//! `pairs = [["x", "p"]]`). In `[graded]` products keep the order in which they are written.
//!
//! Beside these four, `periods = { x = "2*pi" }` makes a coordinate one of a circle.
//!
//! A Dirac structure may be changed first: `[gauge]` (a 2-form B, for e^B), `[pullback]` (the backward image
//! along a map from other coordinates, `coordinates = ["u"]`, `x = "cos(u)"`), `[pushforward]` (the forward image,
//! with a `section` over the target).

mod read;
mod sections;
mod transforms;

pub use isotrope_model::codes::GeometryCode;
pub use read::{is_geometry, parse_geometry};
pub use transforms::Transform;

use isotrope_algebra::linear::Matrix;
use isotrope_algebra::syntax::{Span, Tree};
use isotrope_algebra::{ExprId, Pool, Rational};
use isotrope_geometry::{Circle, DiracStructure};

/// One thing that is wrong with a geometry file.
pub type GeometryFileError = isotrope_model::file_errors::FileError<GeometryCode>;
pub(super) type Reporter = isotrope_model::file_errors::FileReporter<GeometryCode>;

/// The text of a geometry file.
#[derive(Debug, Clone, Copy)]
pub struct GeometryText<'a> {
    /// The name of the file, for an object that has none of its own.
    pub name: &'a str,
    /// The bytes of the file.
    pub bytes: &'a [u8],
}

impl<'a> GeometryText<'a> {
    /// A file.
    pub fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        Self { name, bytes }
    }
}

/// A geometry file that was read.
#[derive(Debug)]
pub struct GeometryFile {
    /// Its name.
    pub name: String,
    /// What its author says about it.
    pub description: Option<String>,
    /// Where its expressions live.
    pub pool: Pool,
    /// The object.
    pub object: GeometryObject,
    /// What is done to its Dirac structure first.
    pub transforms: Vec<Transform>,
    /// Coordinates on circles, and where their periods stand.
    pub circles: Vec<(Circle, Span)>,
    /// Where the object stands.
    pub place: Span,
}

/// A geometric object.
#[derive(Debug, Clone)]
pub enum GeometryObject {
    /// A bivector by its matrix.
    Bivector {
        /// The coordinates.
        base: Vec<ExprId>,
        /// `D^ij`.
        matrix: Matrix,
    },
    /// A 2-form by its matrix.
    TwoForm {
        /// The coordinates.
        base: Vec<ExprId>,
        /// `W_ij`.
        matrix: Matrix,
    },
    /// A distribution by the forms that annihilate it.
    Distribution {
        /// The coordinates.
        base: Vec<ExprId>,
        /// The names of the forms.
        names: Vec<String>,
        /// The forms.
        forms: Vec<Vec<ExprId>>,
        /// `W_ij`, if there is one.
        form: Option<Matrix>,
        /// Where the section stands.
        place: Span,
    },
    /// Generators.
    Dirac {
        /// Their names.
        names: Vec<String>,
        /// The structure.
        structure: DiracStructure,
    },
    /// A Lie algebra by its structure constants.
    LieAlgebra {
        /// The basis.
        basis: Vec<String>,
        /// `[e_i, e_j] = constants[i][j][k] e_k`.
        constants: Vec<Vec<Vec<Rational>>>,
    },
    /// A graded vector field or function.
    Graded(GradedObject),
}

impl GeometryObject {
    /// The coordinates of an object that is, or has, a Dirac structure.
    pub fn base(&self) -> Option<&[ExprId]> {
        match self {
            Self::Bivector { base, .. }
            | Self::TwoForm { base, .. }
            | Self::Distribution { base, .. } => Some(base),
            Self::Dirac { structure, .. } => Some(&structure.base),
            Self::LieAlgebra { .. } | Self::Graded(_) => None,
        }
    }
}

/// A graded vector field or function, not yet computed with.
#[derive(Debug, Clone)]
pub struct GradedObject {
    /// Names and degrees.
    pub coordinates: Vec<(String, i32)>,
    /// Names of constants with their symbols or values.
    pub constants: Vec<(String, ExprId)>,
    /// What is given.
    pub what: GradedGiven,
}

/// What is given on a graded manifold.
#[derive(Debug, Clone)]
pub enum GradedGiven {
    /// A vector field: components that are not zero.
    Field {
        /// Its degree.
        degree: i32,
        /// Number of the coordinate, and the component.
        components: Vec<(usize, PlacedTree)>,
    },
    /// A function with a bracket of degree `-n`.
    Function {
        /// `n`.
        bracket: i32,
        /// Pairs of numbers of coordinates `(q, p)`.
        pairs: Vec<(usize, usize)>,
        /// The function.
        function: PlacedTree,
        /// Where the pairs stand.
        place: Span,
    },
}

/// A syntax tree with the places of its parts in the file.
#[derive(Debug, Clone)]
pub struct PlacedTree {
    /// The tree.
    pub tree: Tree,
    /// The span in the file of each node, and of the whole at the end.
    pub(super) spans: Vec<(Span, Span)>,
    /// The whole.
    pub place: Span,
}

impl PlacedTree {
    /// Where in the file a span of the text is.
    pub fn in_file(&self, span: Span) -> Span {
        let found = self.spans.iter().find(|(inside, _)| *inside == span);
        found.map_or(self.place, |(_, place)| *place)
    }
}
