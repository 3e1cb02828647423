//! Construction through the facade.

use isotrope::rooms::report::construct::explain::Format;
use isotrope::{Answer as _, ConstructRequest, Host, Structured, construct};

#[test]
fn slopes_of_a_constructed_method_are_measured_on_an_example_of_its_class() {
    let asked = ConstructRequest {
        stages: 2,
        order: 2,
        structure: Some(4),
        pattern: vec!["strict".into(), "equal-tables".into()],
        methods: 1,
        ..ConstructRequest::default()
    };
    let from = Structured::Class("bilinear".into());
    let construction = construct(&Host::new(), from, &asked).unwrap();
    assert!(!construction.is_negative());
    let html = construction.explained(Format::Html, "isotrope construct").unwrap();
    assert!(html.contains("<section id=\"slopes\""));
    // Heun's method on the bilinear class: certified and measured.
    assert_eq!(html.matches("(2, 4)").count(), 2);
    // Distance to the reference and defects of the structure.
    assert_eq!(html.matches("<figure>").count(), 2);
    let saved = construction.saved().unwrap().unwrap();
    assert!(saved.contains("[declared]"));
}
