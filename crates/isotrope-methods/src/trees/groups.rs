//! Groups declared as text: `q=v^1; v=q,v; p=q,v`.

use std::ops::Range;

use super::family::{Dependency, Family};

/// Why a declaration of groups is refused, with its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct GroupsError {
    /// Bytes of the text that have to change.
    pub span: Range<usize>,
    /// What is wrong with them.
    pub reason: GroupsErrorReason,
}

/// What is wrong with a declaration of groups.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GroupsErrorReason {
    /// No group at all.
    #[error("no group is declared")]
    Empty,
    /// A text that no one wrote by hand.
    #[error("the declaration is longer than {} bytes", Family::MAX_TEXT)]
    TooLong,
    /// More groups than trees can reasonably be listed for.
    #[error("more than {} groups", Family::MAX_COLOURS)]
    TooManyGroups,
    /// Nothing where a name is wanted.
    #[error("a name is missing")]
    MissingName,
    /// Something that is not a name.
    #[error("`{0}` is not a name of a group")]
    NotAName(String),
    /// One group declared twice.
    #[error("the group `{0}` is declared twice")]
    RepeatedGroup(String),
    /// A dependency on a group that is not declared.
    #[error("`{name}` is not one of the groups {}", declared.join(", "))]
    UnknownGroup {
        /// The unknown name.
        name: String,
        /// The names that are known.
        declared: Vec<String>,
    },
    /// One dependency named twice.
    #[error("`{0}` is named twice")]
    RepeatedDependency(String),
    /// A bound that is not a positive integer.
    #[error("`{0}` is not a number of children")]
    NotABound(String),
}

impl GroupsErrorReason {
    /// The way out.
    pub fn hint(&self) -> String {
        match self {
            Self::Empty => {
                "write each group with those its rate depends on: \"q=v^1; v=q,v\"".to_owned()
            }
            Self::TooLong | Self::TooManyGroups => {
                "groups that are treated with the same table are one group".to_owned()
            }
            Self::MissingName => {
                "groups are separated by `;`, dependencies by `,`: \"q=v; v=q,v\"".to_owned()
            }
            Self::NotAName(_) => {
                "a name is a letter followed by letters, digits and `_`, at most 32".to_owned()
            }
            Self::RepeatedGroup(_) => "name all dependencies of a group in one place".to_owned(),
            Self::UnknownGroup { name, declared } => {
                let letters: Vec<String> = name.chars().map(String::from).collect();
                if letters.iter().all(|letter| declared.contains(letter)) {
                    format!("separate the groups by commas: `{}`", letters.join(","))
                } else {
                    format!("declare it too, if only as `{name}` without dependencies")
                }
            }
            Self::RepeatedDependency(name) => {
                format!("`{name}` alone allows any number of children, `{name}^2` at most two")
            }
            Self::NotABound(_) => {
                "write `v^2` for at most two children; leave the group out for none".to_owned()
            }
        }
    }
}

/// Characters of a name, and of anything else that a message repeats.
const LONGEST_NAME: usize = 32;

/// A piece of the text without the blanks around it.
#[derive(Clone, Copy)]
struct Piece<'a> {
    text: &'a str,
    start: usize,
}

impl<'a> Piece<'a> {
    fn trim(self) -> Self {
        let text = self.text.trim_start();
        Self { start: self.start + self.text.len() - text.len(), text: text.trim_end() }
    }

    /// The parts between separators, trimmed.
    fn split(self, separators: &'static [char]) -> impl Iterator<Item = Piece<'a>> {
        let whole = self.text.as_ptr() as usize;
        self.text.split(separators).map(move |text| {
            let start = self.start + (text.as_ptr() as usize - whole);
            Piece { text, start }.trim()
        })
    }

    /// The parts before and after a separator, trimmed.
    fn split_once(self, separator: char) -> Option<(Self, Self)> {
        let (left, right) = self.text.split_once(separator)?;
        let start = self.start + left.len() + separator.len_utf8();
        Some((Self { text: left, ..self }.trim(), Piece { text: right, start }.trim()))
    }

    fn refuse(self, reason: GroupsErrorReason) -> GroupsError {
        GroupsError { span: self.start..self.start + self.text.len(), reason }
    }

    /// The text as it can be repeated in a message.
    fn shown(self) -> String {
        let visible = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
        self.text.chars().take(LONGEST_NAME).map(visible).collect()
    }

    fn name(self) -> Result<&'a str, GroupsError> {
        if self.text.is_empty() {
            return Err(self.refuse(GroupsErrorReason::MissingName));
        }
        let good = self.text.starts_with(char::is_alphabetic)
            && self.text.chars().all(|c| c.is_alphanumeric() || c == '_')
            && self.text.chars().count() <= LONGEST_NAME;
        if !good {
            return Err(self.refuse(GroupsErrorReason::NotAName(self.shown())));
        }
        Ok(self.text)
    }
}

impl Family {
    /// Declarations longer than this are refused.
    pub const MAX_TEXT: usize = 10_000;
    /// More groups than this are refused.
    pub const MAX_COLOURS: usize = 32;

    /// Reads groups that a user declares: `x=y,z^2; y=x; z`.
    ///
    /// A group is named with those its rate depends on. `z^2` says that the rate is a
    /// polynomial of degree two in z, so that a vertex carries at most two children of that
    /// colour. A name without `=`, or nothing after it, declares a group with a constant rate.
    /// Groups are separated by `;` or new lines, dependencies by commas or blanks. Names are
    /// words of letters, digits and `_`; if all are single letters, trees are called
    /// `x[yz[x]]`, otherwise commas stand between the children: `pos[vel,vel[pos]]`.
    ///
    /// ```
    /// use isotrope_methods::trees::{Family, GroupsErrorReason};
    /// let error = Family::parse("x=x,z").unwrap_err();
    /// assert_eq!(error.span, 4..5);
    /// assert_eq!(error.to_string(), "`z` is not one of the groups x");
    /// ```
    pub fn parse(text: &str) -> Result<Self, GroupsError> {
        let whole = Piece { text, start: 0 };
        if text.len() > Self::MAX_TEXT {
            return Err(GroupsError { span: 0..0, reason: GroupsErrorReason::TooLong });
        }
        let mut names: Vec<String> = Vec::new();
        let mut right_sides = Vec::new();
        for group in whole.split(&[';', '\n']).filter(|group| !group.text.is_empty()) {
            let (left, right) = match group.split_once('=') {
                Some((left, right)) => (left, Some(right)),
                None => (group, None),
            };
            let name = left.name()?;
            if names.iter().any(|known| known == name) {
                return Err(left.refuse(GroupsErrorReason::RepeatedGroup(name.to_owned())));
            }
            if names.len() == Self::MAX_COLOURS {
                return Err(left.refuse(GroupsErrorReason::TooManyGroups));
            }
            names.push(name.to_owned());
            right_sides.push(right);
        }
        if names.is_empty() {
            return Err(whole.refuse(GroupsErrorReason::Empty));
        }
        let mut dependencies = Vec::with_capacity(names.len());
        for right in right_sides {
            dependencies.push(match right {
                Some(right) if !right.text.is_empty() => read_dependencies(right, &names)?,
                _ => Vec::new(),
            });
        }
        Ok(Self::declared(names, dependencies))
    }
}

fn read_dependencies(list: Piece<'_>, names: &[String]) -> Result<Vec<Dependency>, GroupsError> {
    let mut found: Vec<Dependency> = Vec::new();
    for entry in list.split(&[',']) {
        // Between commas there is one dependency, or several with blanks between them.
        let parts: Vec<Piece<'_>> =
            entry.split(&[' ', '\t', '\r']).filter(|part| !part.text.is_empty()).collect();
        if parts.is_empty() {
            return Err(entry.refuse(GroupsErrorReason::MissingName));
        }
        for part in parts {
            let dependency = read_dependency(part, names)?;
            if found.iter().any(|other| other.colour == dependency.colour) {
                let name = names[dependency.colour].clone();
                return Err(part.refuse(GroupsErrorReason::RepeatedDependency(name)));
            }
            found.push(dependency);
        }
    }
    found.sort_by_key(|dependency| dependency.colour);
    Ok(found)
}

fn read_dependency(piece: Piece<'_>, names: &[String]) -> Result<Dependency, GroupsError> {
    let (name_piece, bound) = match piece.split_once('^') {
        Some((name, bound)) => (name, Some(bound)),
        None => (piece, None),
    };
    let name = name_piece.name()?;
    let Some(colour) = names.iter().position(|known| known == name) else {
        return Err(name_piece.refuse(GroupsErrorReason::UnknownGroup {
            name: name.to_owned(),
            declared: names.to_vec(),
        }));
    };
    let at_most = match bound {
        None => None,
        Some(bound) => {
            let digits = !bound.text.is_empty() && bound.text.bytes().all(|b| b.is_ascii_digit());
            match bound.text.parse::<usize>() {
                Ok(most) if digits && most > 0 => Some(most),
                _ => {
                    return Err(bound.refuse(GroupsErrorReason::NotABound(bound.shown())));
                }
            }
        }
    };
    Ok(Dependency { colour, at_most })
}
