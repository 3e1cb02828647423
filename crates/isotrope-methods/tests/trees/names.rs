//! Names, and the list of all trees to order five that was made by another program.

use isotrope_methods::trees::Family;

use crate::support::{named_families, trees};

#[test]
fn all_202_trees_are_those_of_the_reference() {
    let reference: serde_json::Value =
        serde_json::from_str(include_str!("../data/trees_order5.json")).unwrap();
    let reference = reference.as_array().unwrap();
    let trees = trees(&Family::qvp(), 5);
    let natural = crate::support::trees(&Family::qvp_natural(), 5);
    assert_eq!(trees.len(), reference.len());
    for (tree, known) in trees.ids().zip(reference) {
        let name = trees.name(tree);
        assert_eq!(name, known["name"].as_str().unwrap());
        assert_eq!(trees.family().colours()[trees.colour(tree)].name(), known["root"]);
        assert_eq!(trees.order(tree) as u64, known["order"].as_u64().unwrap());
        assert_eq!(trees.gamma(tree).as_integer(), known["gamma"].as_i64(), "{name}");
        assert_eq!(trees.sigma(tree).as_integer(), known["sigma"].as_i64(), "{name}");
        assert_eq!(natural.find(&name).is_some(), known["natural"].as_bool().unwrap(), "{name}");
    }
}

#[test]
fn names_lead_back_to_their_trees() {
    let mut families = named_families();
    families.push(Family::parse("pos=vel^1; vel=pos,vel").unwrap());
    families.push(Family::parse("θ=θ,ω; ω=θ^2").unwrap());
    for family in families {
        let trees = trees(&family, 6);
        for tree in trees.ids() {
            assert_eq!(trees.find(&trees.name(tree)), Some(tree));
        }
    }
}

#[test]
fn names_with_several_letters_have_commas() {
    let trees = trees(&Family::parse("pos=vel^1; vel=pos,vel").unwrap(), 5);
    let tree = trees.find("vel[vel[pos] pos[vel] ]").unwrap();
    assert_eq!(trees.name(tree), "vel[pos[vel],vel[pos]]");
    assert_eq!(trees.find("vel[posvel]"), None);
}

#[test]
fn children_may_be_named_in_any_order() {
    let trees = trees(&Family::qvp(), 5);
    assert_eq!(trees.find("v[vq[v]]"), trees.find("v[q[v]v]"));
    assert!(trees.find("v[q[v]v]").is_some());
}

#[test]
fn what_is_not_a_tree_of_the_family_is_not_found() {
    let trees = trees(&Family::qvp(), 4);
    for name in [
        "", " ", "x", "q[q]", "q[vv]", "v[p]", "v[", "v]", "v[q", "v[q]]", "vv", "v[]v", "[v]",
        "v[qqqqq]", "é", "v[é]",
    ] {
        assert_eq!(trees.find(name), None, "{name}");
    }
    let deep = "v[".repeat(100_000) + "v" + &"]".repeat(100_000);
    assert_eq!(trees.find(&deep), None);
}

#[test]
fn tall_trees_are_named_too() {
    let trees = trees(&Family::parse("x=x^1").unwrap(), 2000);
    let tallest = trees.ids().next_back().unwrap();
    let name = trees.name(tallest);
    assert_eq!(name.len(), 1 + 3 * 1999);
    assert_eq!(trees.find(&name), Some(tallest));
}
