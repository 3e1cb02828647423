//! All methods in one table.

use isotrope_certify::{Certificate, Certified, DefectOrder, GroupClass, GroupOrders};
use isotrope_methods::classes::Class;
use isotrope_scheme::Method;

/// The structure orders that are shown, with their headings; all of them are in the JSON.
const STRUCTURE: [(Class, &str); 4] = [
    (Class::Generic, "gen"),
    (Class::Bilinear, "bil"),
    (Class::Sphere, "sph"),
    (Class::Holonomic, "hol"),
];
const FORM: [(Class, &str); 3] =
    [(Class::Symplectic, "free"), (Class::Sphere, "sph"), (Class::Holonomic, "hol")];

/// One line a method.
pub fn to_text(methods: &[Certified<Method>]) -> String {
    let names = methods.iter().map(|one| one.method().name().len()).max().unwrap_or(0).max(6);
    let mut out = format!("{:names$}         structure             form\n", "");
    out.push_str(&format!("{:names$}  order", "method"));
    for (_, heading) in STRUCTURE {
        out.push_str(&format!("{heading:>5}"));
    }
    out.push_str("  ");
    for (_, heading) in FORM {
        out.push_str(&format!("{heading:>5}"));
    }
    out.push_str("  energy  symm.  implicit\n");
    let (on_groups, others): (Vec<_>, Vec<_>) =
        methods.iter().partition(|one| !one.certificate().groups.is_empty());
    for one in others {
        out.push_str(&line(one.method().name(), one.certificate(), names));
    }
    out.push_str(
        "\nNumbers are exponents m of local defects O(h^m); inf: kept exactly, proved; global exponents are one\n\
         lower. structure: constraints and p = dL/dv; form: the 2-form on the constraint manifold, after a step\n\
         from it. Classes of systems: gen(eric); bil(inear) and sph(ere): constant mass, constraints bilinear or\n\
         quadratic; hol(onomic); free: no constraints. A method is geometric where it keeps both structure and\n\
         form. -: does not apply, or not certified. `isotrope methods NAME` shows how each number is known: of\n\
         schemes that are written as equations, inf is zero to 60 digits.\n",
    );
    if !on_groups.is_empty() {
        out.push_str(&groups_to_text(&on_groups, names));
    }
    out
}

/// What is shown of each class of systems on groups.
type OfGroup = fn(&GroupOrders) -> Option<DefectOrder>;
const ON_GROUPS: [(GroupClass, &str, OfGroup); 8] = [
    (GroupClass::Constrained, "con", |orders| Some(orders.structure)),
    (GroupClass::Rotations, "so3", |orders| orders.form),
    (GroupClass::Motions, "se3", |orders| orders.form),
    (GroupClass::Free, "free", |orders| orders.momentum),
    (GroupClass::Axial, "axis", |orders| orders.momentum),
    (GroupClass::Free, "free", |orders| Some(orders.energy)),
    (GroupClass::Rotations, "so3", |orders| Some(orders.energy)),
    (GroupClass::Motions, "se3", |orders| Some(orders.energy)),
];

/// Methods that move on Lie groups.
fn groups_to_text(methods: &[&Certified<Method>], names: usize) -> String {
    let mut out =
        format!("\n{:names$}         struct.  form      momentum  energy\n", "on Lie groups");
    out.push_str(&format!("{:names$}  order", "method"));
    for (_, heading, _) in ON_GROUPS {
        out.push_str(&format!("{heading:>5}"));
    }
    out.push_str("  symm.\n");
    for one in methods {
        let certificate = one.certificate();
        let order = certificate.order.map_or_else(dash, |order| order.to_string());
        out.push_str(&format!("{:names$}  {order:>5}", one.method().name()));
        for (class, _, of) in ON_GROUPS {
            let found = certificate.groups.iter().find(|orders| orders.class == class);
            let found = found.and_then(of);
            out.push_str(&format!("{:>5}", found.map_or_else(dash, |order| order.to_string())));
        }
        out.push_str(&format!("  {:>5}\n", symmetric(certificate)));
    }
    out.push_str(
        "\nstructure: constraints on SO(3) x R^n; form: the canonical form of G x g*; momentum: of space, of a free\n\
         body and of one with a symmetry axis in space; energy: of a free body, in a potential on SO(3) and SE(3).\n",
    );
    out
}

fn dash() -> String {
    "-".to_owned()
}

fn symmetric(certificate: &Certificate) -> &'static str {
    match certificate.symmetric {
        Some(true) => "yes",
        Some(false) => "no",
        None => "-",
    }
}

fn line(name: &str, certificate: &Certificate, names: usize) -> String {
    let order = certificate.order.map_or_else(dash, |order| order.to_string());
    let mut out = format!("{name:names$}  {order:>5}");
    for (class, _) in STRUCTURE {
        let order = certificate.on(class).and_then(|orders| orders.structure);
        out.push_str(&format!("{:>5}", order.map_or_else(dash, |order| order.to_string())));
    }
    out.push_str("  ");
    for (class, _) in FORM {
        let order = certificate.on(class).and_then(|orders| orders.form);
        out.push_str(&format!("{:>5}", order.map_or_else(dash, |order| order.to_string())));
    }
    let energy = certificate.energy.map_or_else(dash, |order| order.to_string());
    let symmetric = symmetric(certificate);
    let cost = match &certificate.cost {
        Some(cost) if cost.explicit => "explicit".to_owned(),
        Some(cost) if cost.explicit_for_potential_forces => {
            format!("{} (0 if f = f(q))", cost.implicit_stages())
        }
        Some(cost) => cost.implicit_stages().to_string(),
        None => dash(),
    };
    out.push_str(&format!("  {energy:>6}  {symmetric:>5}  {cost}\n"));
    out
}
