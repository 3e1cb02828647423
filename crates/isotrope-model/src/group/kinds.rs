//! The factors that a group can have, by name. What they compute is in `isotrope_geometry::group`, under the
//! same names.

/// What the reader of a file knows about a factor.
#[derive(Debug, PartialEq, Eq)]
struct Description {
    name: &'static str,
    /// The size of its matrices R.
    size: usize,
    /// Angular velocities.
    spins: usize,
    translation: bool,
    /// Names of the numbers of a rotation, to which that of the factor is added.
    numbers: &'static [&'static str],
}

/// A factor of the group of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupKind(&'static Description);

const ANGLE: &[&str] = &["cos_R", "sin_R"];
const QUATERNION: &[&str] = &["e0", "e1", "e2", "e3"];

static KINDS: [Description; 4] = [
    Description { name: "SO(2)", size: 2, spins: 1, translation: false, numbers: ANGLE },
    Description { name: "SO(3)", size: 3, spins: 3, translation: false, numbers: QUATERNION },
    Description { name: "SE(2)", size: 2, spins: 1, translation: true, numbers: ANGLE },
    Description { name: "SE(3)", size: 3, spins: 3, translation: true, numbers: QUATERNION },
];

impl GroupKind {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        KINDS.iter().map(Self)
    }

    /// How it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The size of its matrices R.
    #[must_use]
    pub fn size(self) -> usize {
        self.0.size
    }

    /// Angular velocities.
    #[must_use]
    pub fn spins(self) -> usize {
        self.0.spins
    }

    /// Is there a translation?
    #[must_use]
    pub fn has_translation(self) -> bool {
        self.0.translation
    }

    /// Names of the numbers of a rotation, to which that of the factor is added.
    #[must_use]
    pub fn numbers(self) -> &'static [&'static str] {
        self.0.numbers
    }

    /// The group of a name.
    pub(crate) fn named(text: &str) -> Option<Self> {
        let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        Self::all().find(|kind| kind.name().eq_ignore_ascii_case(&plain))
    }

    /// The names of all, for messages.
    pub(crate) fn names() -> Vec<&'static str> {
        Self::all().map(Self::name).collect()
    }
}
