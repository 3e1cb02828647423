//! `isotrope geometry`: Dirac structures, brackets and homological fields.

use isotrope::{
    Asked as _, Failure, GeometryRequest, Model, Overrides, geometry_of_file, is_geometry_file,
    refuse_for_geometry_file,
};

use super::{Shape, read, show, told};
use crate::cli::Geometry;
use crate::exit::Exit;
use crate::surroundings::host;

/// Runs the command.
pub fn run(arguments: &Geometry) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Geometry) -> Result<Exit, Failure> {
    let host = host();
    let (name, bytes) = read(&host, &arguments.file)?;
    let mut answer = if is_geometry_file(&bytes) {
        if let Some(set) = arguments.set.first() {
            let hint = "change the value under `parameters` in the file";
            return Err(refuse_for_geometry_file(&format!("--set {set}"), hint));
        }
        if let Some(method) = arguments.methods.first() {
            let hint = "methods make trajectories of models with a [lagrangian]";
            return Err(refuse_for_geometry_file(&format!("--methods {method}"), hint));
        }
        geometry_of_file(&host, &name, &bytes)?
    } else {
        let overrides =
            Overrides { set: arguments.set.clone(), initial: arguments.initial.clone() };
        let model = Model::parse(&name, &bytes, &overrides)?;
        let methods = &arguments.methods;
        let asked = GeometryRequest {
            methods: (!methods.is_empty()).then(|| methods.join(",")),
            step: arguments.step.clone(),
            time: arguments.time.clone(),
            per_step: arguments.per_step,
        };
        asked.examine(&host, &model)?;
        model.derive(&host)?.geometry(&asked)?
    };
    let shape = Shape::of(arguments.json, arguments.latex, arguments.html);
    show(&host, &mut answer, shape, arguments.out.as_deref())
}
