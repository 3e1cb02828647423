//! All methods in one table.

use isotrope_scheme::certify::{Certificate, Certified, Method};
use isotrope_scheme::methods::classes::Class;

/// The structure orders that are shown; all of them are in the JSON.
const STRUCTURE: [Class; 4] = [Class::Generic, Class::Bilinear, Class::Sphere, Class::Holonomic];
const FORM: [Class; 3] = [Class::Symplectic, Class::Sphere, Class::Holonomic];

/// One line a method.
pub fn to_text(methods: &[Certified<Method>]) -> String {
    let names = methods.iter().map(|one| one.method().name().len()).max().unwrap_or(0).max(6);
    let mut out =
        format!("{:names$}  {:>5}  {:^35}  {:^30}\n", "", "", "structure (local)", "form (local)");
    out.push_str(&format!("{:names$}  {:>5}", "method", "order"));
    for class in STRUCTURE {
        out.push_str(&format!("  {:>9}", short(class)));
    }
    for class in FORM {
        out.push_str(&format!("  {:>10}", short(class)));
    }
    out.push_str("  energy  symmetric  implicit stages\n");
    for one in methods {
        out.push_str(&line(one.method().name(), one.certificate(), names));
    }
    out.push_str(
        "\norder: of the solution. structure: exponent m of the local defect O(h^m) of the constraints and of\n\
         p = dL/dv; form: the same of the 2-form on the constraint manifold; inf: kept exactly, proved;\n\
         -: does not apply or not certified. Global exponents are one lower. A method is called geometric only\n\
         where it keeps the form. `isotrope methods NAME` shows the table and how each number is known.\n",
    );
    out
}

fn short(class: Class) -> &'static str {
    class.name()
}

fn line(name: &str, certificate: &Certificate, names: usize) -> String {
    let dash = || "-".to_owned();
    let order = certificate.order.map_or_else(dash, |order| order.to_string());
    let mut out = format!("{name:names$}  {order:>5}");
    for class in STRUCTURE {
        let order = certificate.on(class).and_then(|orders| orders.structure);
        out.push_str(&format!("  {:>9}", order.map_or_else(dash, |order| order.to_string())));
    }
    for class in FORM {
        let order = certificate.on(class).and_then(|orders| orders.form);
        out.push_str(&format!("  {:>10}", order.map_or_else(dash, |order| order.to_string())));
    }
    let energy = certificate.energy.map_or_else(dash, |order| order.to_string());
    let symmetric = match certificate.symmetric {
        Some(true) => "yes",
        Some(false) => "no",
        None => "-",
    };
    let cost = match &certificate.cost {
        Some(cost) if cost.explicit => "explicit".to_owned(),
        Some(cost) if cost.explicit_for_potential_forces => {
            format!("{} (0 if f = f(q))", cost.implicit_stages())
        }
        Some(cost) => cost.implicit_stages().to_string(),
        None => dash(),
    };
    out.push_str(&format!("  {energy:>6}  {symmetric:>9}  {cost}\n"));
    out
}
