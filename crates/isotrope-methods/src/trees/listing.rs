//! Lists of trees: counted, and written down where there are not too many.

use isotrope_algebra::{Budget, Rational};
use isotrope_model::codes::TreesCode;

use super::{Counter, Family, GroupsError, OrderCount, Trees};

/// Orders up to this are listed: γ, σ and α are at most 20!, which fits 64 bits.
pub const LARGEST_LISTED_ORDER: usize = 20;
/// Orders up to this are counted.
pub const LARGEST_COUNTED_ORDER: usize = 50;
/// More trees than this are counted, but not listed.
pub const LARGEST_LIST: i64 = 200_000;

/// Enough for the largest list and for the count of the largest order.
const BUDGET: u64 = 50_000_000;

/// Why trees are not listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreesError {
    /// The declared groups cannot be read.
    Groups(GroupsError),
    /// Natural trees of a family without velocities.
    NotNatural {
        /// The family.
        family: String,
    },
    /// An order that no list has.
    Order {
        /// The order.
        order: usize,
        /// The largest that is possible.
        largest: usize,
    },
    /// More trees than can be listed, or than can be counted in 63 bits.
    TooMany {
        /// The order that was asked for.
        order: usize,
        /// The number of trees, where it was counted.
        total: Option<i64>,
        /// The largest order that is possible.
        largest: usize,
        /// Was only counting asked for?
        counting: bool,
    },
}

impl TreesError {
    /// Its stable code.
    pub fn code(&self) -> TreesCode {
        match self {
            Self::Groups(_) => TreesCode::Groups,
            Self::NotNatural { .. } => TreesCode::NotNatural,
            Self::Order { .. } => TreesCode::Order,
            Self::TooMany { .. } => TreesCode::TooMany,
        }
    }

    /// The reason.
    pub fn message(&self) -> String {
        match self {
            Self::Groups(error) => error.to_string(),
            Self::NotNatural { family } => {
                format!("the family `{family}` has no velocities that could be quadratic")
            }
            Self::Order { order: 0, .. } => "a tree has at least one vertex".to_owned(),
            Self::Order { order, largest } => {
                format!("order {order} is beyond the largest one, {largest}")
            }
            Self::TooMany { order, total: Some(total), .. } => {
                format!("there are {total} trees up to order {order}, too many to list them all")
            }
            Self::TooMany { order, total: None, .. } => {
                format!("the number of trees up to order {order} has more than 63 bits")
            }
        }
    }

    /// The way out.
    pub fn hint(&self) -> String {
        match self {
            Self::Groups(error) => error.reason.hint(),
            Self::NotNatural { family } if family == "groups" => {
                "write the degree into the groups: \"q=v^1; v=q,v^2\"".to_owned()
            }
            Self::NotNatural { .. } => "--natural goes with --family qvp or nystrom".to_owned(),
            Self::Order { order: 0, .. } => "begin with --order 1".to_owned(),
            Self::Order { largest, .. } if *largest < LARGEST_COUNTED_ORDER => format!(
                "--counts counts trees up to order {LARGEST_COUNTED_ORDER} without listing them"
            ),
            Self::Order { largest, .. } => format!("choose an order up to {largest}"),
            Self::TooMany { largest, counting: true, .. } => {
                format!("choose an order up to {largest}")
            }
            Self::TooMany { largest, .. } => {
                format!("choose an order up to {largest}, or count them with --counts")
            }
        }
    }
}

/// Counts, and the trees if they were asked for.
#[derive(Debug, Clone)]
pub struct Listing {
    /// The family.
    pub family: Family,
    /// Is it restricted to rates that are quadratic in the velocities?
    pub natural: bool,
    /// The counts of each order.
    pub counts: Vec<OrderCount>,
    /// The number of trees up to each order.
    pub cumulative: Vec<i64>,
    /// The trees, unless they were only counted.
    pub trees: Option<Trees>,
}

/// Counts the trees of a family up to an order, and lists them unless only `counting`.
pub fn list(
    family: Family,
    natural: bool,
    order: usize,
    counting: bool,
) -> Result<Listing, TreesError> {
    let family = match (natural, family.natural()) {
        (false, _) => family,
        (true, Some(family)) => family,
        (true, None) => return Err(TreesError::NotNatural { family: family.name().to_owned() }),
    };
    let largest = if counting { LARGEST_COUNTED_ORDER } else { LARGEST_LISTED_ORDER };
    if order == 0 || order > largest {
        return Err(TreesError::Order { order, largest });
    }
    let budget = &mut Budget::new(BUDGET);
    let mut counter = Counter::new(&family);
    let mut counts: Vec<OrderCount> = Vec::with_capacity(order);
    let mut cumulative: Vec<i64> = Vec::with_capacity(order);
    let mut sum = Rational::ZERO;
    let too_many = |total, cumulative: &[i64]| TreesError::TooMany {
        order,
        total,
        largest: cumulative.iter().take_while(|&&sum| counting || sum <= LARGEST_LIST).count(),
        counting,
    };
    for _ in 0..order {
        let Ok(count) = counter.next_order(budget) else {
            return Err(too_many(None, &cumulative));
        };
        sum = &sum + &count.total;
        let Some(total) = sum.as_integer() else { return Err(too_many(None, &cumulative)) };
        cumulative.push(total);
        counts.push(count);
    }
    let total = cumulative.last().copied();
    let trees = if counting {
        None
    } else if total.is_some_and(|total| total > LARGEST_LIST) {
        return Err(too_many(total, &cumulative));
    } else {
        let trees = Trees::up_to(&family, order, budget);
        Some(trees.map_err(|_| too_many(total, &cumulative))?)
    };
    drop(counter);
    Ok(Listing { family, natural, counts, cumulative, trees })
}
