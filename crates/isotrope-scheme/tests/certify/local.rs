//! Exponents on given systems, by very small steps.

use isotrope_algebra::Budget;
use isotrope_model::{ModelText, parse_model};
use isotrope_scheme::certify::{LocalMethod, local_orders, named_table};
use isotrope_scheme::derive::{System, derive};
use isotrope_scheme::discretise::EquationScheme;

fn system(name: &str) -> System {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&path).unwrap();
    let model = parse_model(&ModelText::new(name, &bytes)).unwrap();
    derive(model, &mut Budget::new(1_000_000_000)).unwrap()
}

#[test]
fn explore() {
    for model in ["pendulum", "sleigh", "sphere_drift", "ziegler"] {
        let system = system(model);
        let budget = &mut Budget::new(1_000_000_000);
        for name in EquationScheme::names() {
            let scheme = EquationScheme::named(&name, budget).unwrap().unwrap();
            let begin = std::time::Instant::now();
            let found = local_orders(&system, LocalMethod::Equations(&scheme), budget);
            println!("{model} {name} {:?} {:?}", begin.elapsed(), found);
        }
        for name in ["euler", "rk4", "gauss-2", "gauss-6", "sv", "lobatto-iiia-iiib-3"] {
            let table = named_table(name, budget).unwrap().unwrap();
            let begin = std::time::Instant::now();
            let found = local_orders(&system, LocalMethod::Table(&table), budget);
            println!("{model} {name} {:?} {:?}", begin.elapsed(), found);
        }
    }
}

fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}

#[test]
fn explore_schemes() {
    let budget = &mut Budget::new(1_000_000_000);
    for name in EquationScheme::names() {
        let scheme = EquationScheme::named(&name, budget).unwrap().unwrap();
        let begin = cpu();
        let found = isotrope_scheme::certify::certify_scheme(scheme, budget);
        println!("{name} cpu {:.3}", cpu() - begin);
        match found {
            Ok(found) => {
                let c = found.certificate();
                println!(
                    "   {:?} {:?} {:?} {}",
                    c.order,
                    c.energy,
                    c.symmetric,
                    found.method().applies_to()
                );
                for class in &c.classes {
                    println!(
                        "   {} {:?} {:?} {:?}",
                        class.class, class.structure, class.weakest, class.form
                    );
                }
            }
            Err(error) => println!("   {error}"),
        }
    }
}
