//! The sources' own fallback: known tables, one for each group.

use isotrope_certify::DefectOrder;
use isotrope_construct::combine::{Combination, Request, combinations};
use isotrope_methods::classes::Class;

use super::support::budget;

fn best(request: Request) -> Vec<Combination> {
    let found = combinations(&request, &mut budget(), &mut |_| {}).unwrap();
    found.found
}

#[test]
fn lobatto_iiia_iiib_is_the_best_combination_of_three_stages_for_spheres() {
    let request = Request { stages: 3, class: Class::Sphere, order: 4, structure: 6, most: 4 };
    let found = best(request);
    let first = &found[0];
    assert_eq!(first.order(), 4);
    assert_eq!(first.structure(Class::Sphere), Some(DefectOrder::Infinite));
    let [q, v, p] = &first.sources;
    assert_eq!(
        [q, v, p],
        ["lobatto-iiia-iiib-3", "lobatto-iiia-iiib-3 (v)", "lobatto-iiia-iiib-3 (v)"]
    );
    // Lobatto IIIC for the positions gives the same method, and is not listed again.
    assert_ne!(found[1].structure(Class::Sphere), Some(DefectOrder::Infinite));
}

#[test]
fn the_stormer_verlet_pair_is_the_best_combination_of_two_stages_for_spheres() {
    let request = Request { stages: 2, class: Class::Sphere, order: 2, structure: 5, most: 6 };
    let found = best(request);
    let first = &found[0];
    assert_eq!((first.order(), first.structure(Class::Sphere)), (2, Some(DefectOrder::Infinite)));
    assert_eq!(first.certificate.cost.as_ref().unwrap().implicit_stages(), 1);
    // Every table with this step is the same method: SV, Lobatto IIIA-IIIB, RATTLE's.
    let exact = |one: &&Combination| one.structure(Class::Sphere) == Some(DefectOrder::Infinite);
    assert_eq!(found.iter().filter(exact).count(), 1);
}
