//! The fields of the shipped models, on the tape and in enclosures.

use isotrope_algebra::modular::Random;
use isotrope_algebra::{Budget, ExprId, Pool};
use isotrope_derive::{LagrangianMechanics, Mechanics, System, derive, residual};
use isotrope_model::{Model, ModelText, parse_model};
use isotrope_tape::Formulas;

use crate::expressions::{BITS, check, compiled, enclosures, random_point, values};

fn model(name: &str, set: &[&str]) -> Model {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).unwrap();
    let text = ModelText { set: set.to_vec(), ..ModelText::new(name, &bytes) };
    parse_model(&text).unwrap()
}

/// Folders of files that are not systems: objects of geometry, problems in groups, tables of coefficients.
const OTHERS: [&str; 3] = ["geometry", "groups", "tables"];

/// The systems that are shipped, in all folders: `pendulum`, `port/transformer`.
fn shipped() -> Vec<String> {
    let root = format!("{}/../../models", env!("CARGO_MANIFEST_DIR"));
    let (mut names, mut folders) = (Vec::new(), vec![String::new()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(format!("{root}/{folder}")).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{folder}{}", entry.file_name().into_string().unwrap());
            if entry.file_type().unwrap().is_dir() {
                folders.extend((!OTHERS.contains(&name.as_str())).then(|| format!("{name}/")));
            } else if let Some(name) = name.strip_suffix(".toml") {
                names.push(name.to_owned());
            }
        }
    }
    names.sort();
    assert!(names.len() >= 58, "{} systems", names.len());
    names
}

/// Everything a stepper may want to evaluate.
fn fields(system: &System) -> Vec<ExprId> {
    match &system.mechanics {
        Mechanics::Lagrangian(all) => {
            let LagrangianMechanics { dynamics, eliminated, .. } = all.as_ref();
            let mut fields = eliminated.acceleration.clone();
            fields.extend(&eliminated.multipliers);
            fields.extend(&eliminated.momentum_rate);
            fields.extend(&dynamics.momenta);
            fields.push(dynamics.energy);
            fields
        }
        Mechanics::Group(group) => {
            let mut fields = group.eliminated.acceleration.clone();
            fields.extend(&group.eliminated.multipliers);
            fields.extend(&group.spatial);
            fields.push(group.dynamics.energy);
            fields
        }
        Mechanics::Hamiltonian(field) => {
            let mut fields = field.position_rate.clone();
            fields.extend(&field.momentum_rate);
            fields.push(field.hamiltonian);
            fields
        }
        Mechanics::State(state) => {
            let mut fields = state.rate.clone();
            fields.extend(state.energy);
            fields
        }
        Mechanics::Degenerate(all) => {
            let mut fields = all.velocity.clone();
            fields.extend(&all.dynamics.momenta);
            fields.push(all.dynamics.energy);
            fields
        }
    }
}

fn compare(pool: &Pool, fields: &[ExprId], random: &mut Random, what: &str) {
    let symbols = pool.symbols_in(fields);
    let program = compiled(pool, fields, &symbols);
    for _ in 0..5 {
        let point = random_point(random, symbols.len());
        let rough = enclosures(pool, fields, &symbols, &point, BITS);
        let fine = enclosures(pool, fields, &symbols, &point, 200);
        let (Some(rough), Some(fine)) = (rough, fine) else { continue };
        let found = values(&program, &point).unwrap();
        for (k, &value) in found.iter().enumerate() {
            check(value, &rough[k], &fine[k], &format!("{what}: field {k}"));
        }
    }
}

#[test]
fn fields_of_all_models_agree_with_enclosures() {
    let mut random = Random::new(163);
    for name in shipped() {
        let system = derive(model(&name, &[]), &mut Budget::new(200_000_000)).unwrap();
        compare(&system.model.pool, &fields(&system), &mut random, &name);
    }
}

#[test]
fn residual_and_jacobian_of_long_pendula_agree_with_enclosures() {
    let mut random = Random::new(67);
    for set in ["N=3", "N=6"] {
        let mut model = model("n_pendulum", &[set]);
        let (mut fields, rows) =
            residual(&mut model, &mut Budget::new(200_000_000)).unwrap().unwrap();
        fields.extend(rows.iter().flatten().map(|&(_, entry)| entry));
        compare(&model.pool, &fields, &mut random, set);
    }
}

/// Compiling twice gives the same program: nothing depends on addresses or hash order.
#[test]
fn programs_of_models_do_not_depend_on_the_run() {
    let text = |name: &str| {
        let system = derive(model(name, &[]), &mut Budget::new(200_000_000)).unwrap();
        let fields = fields(&system);
        let symbols = system.model.pool.symbols_in(&fields);
        compiled(&system.model.pool, &fields, &symbols).to_string()
    };
    for name in ["sleigh_incline", "ziegler", "three_particles"] {
        assert_eq!(text(name), text(name));
    }
}

#[test]
fn symbols_are_listed_once() {
    let system = derive(model("kepler", &[]), &mut Budget::new(200_000_000)).unwrap();
    let fields = fields(&system);
    let formulas = Formulas::new(&system.model.pool, &fields).unwrap();
    let mut listed: Vec<ExprId> = formulas.symbols().collect();
    listed.sort_unstable();
    assert_eq!(listed, system.model.pool.symbols_in(&fields));
}
