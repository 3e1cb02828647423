//! Trees: the codes of what is refused.

error_codes! {
    /// What is wrong with a list of trees.
    TreesCode;
    /// Groups of variables that cannot be read.
    Groups = "ISO-TREES-001", "Write each group with those its rate depends on: `q=v^1; v=q,v`.";
    /// `--natural` for a family without velocities.
    NotNatural = "ISO-TREES-002", "Use it with `--family qvp` or `nystrom`; in `--groups` write the degree, `v^2`.";
    /// An order that is zero or unreasonably large.
    Order = "ISO-TREES-003", "Choose an order up to 20, or up to 50 with `--counts`.";
    /// More trees than can be listed or counted.
    TooMany = "ISO-TREES-004", "Choose a smaller order; `--counts` counts without listing.";
}
