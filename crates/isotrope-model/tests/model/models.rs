//! Every shipped model reads without errors.

use isotrope_model::{ModelError, ModelText, SystemKind, parse_model};

use crate::shipped::systems;

fn show(file: &str, errors: &[ModelError]) -> String {
    errors.iter().map(|e| format!("{file}:{}: {e} | {:?}\n", e.span.start, e.hint)).collect()
}

#[test]
fn every_shipped_model_reads() {
    for (name, bytes) in systems() {
        let model = parse_model(&ModelText::new(&name, &bytes))
            .unwrap_or_else(|errors| panic!("{}", show(&name, &errors)));
        assert!(!model.name.is_empty());
        assert_eq!(model.initial.position.len(), model.coordinates.len());
        assert_eq!(model.initial.rate.len(), model.coordinates.len());
        let henon = matches!(model.system, SystemKind::Hamiltonian { .. });
        assert_eq!(henon, name == "henon_heiles.toml");
    }
}

fn shipped(name: &str) -> Vec<u8> {
    systems().into_iter().find(|(file, _)| file == name).unwrap().1
}

#[test]
fn the_chain_expands_to_any_length() {
    let bytes = shipped("chain.toml");
    for n in [1usize, 2, 1000] {
        let set = format!("N={n}");
        let text = ModelText { set: vec![&set], ..ModelText::new("chain.toml", &bytes) };
        let model = parse_model(&text).unwrap();
        assert_eq!(model.coordinates.len(), 2 * n);
        assert_eq!(model.constraints.len(), n);
        assert_eq!(model.constraints[n - 1].name, format!("rod[{n}]"));
        assert!(model.parameters[0].structural && !model.parameters[1].structural);
    }
}
