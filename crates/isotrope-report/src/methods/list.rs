//! All methods in one table.

use isotrope_certify::{Certificate, Certified, DefectOrder, GroupClass, GroupOrders};
use isotrope_methods::classes::Class;
use isotrope_scheme::Method;
use isotrope_study::report::{Align, Table};

use super::{or_dash, yes_or_no};

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
    let (on_groups, others): (Vec<_>, Vec<_>) =
        methods.iter().partition(|one| !one.certificate().groups.is_empty());
    let mut out = format!("{:names$}         structure             form\n", "");
    out.push_str(&others_to_text(&others, names));
    out.push_str(
        "\nNumbers are exponents m of local defects O(h^m); inf: kept exactly, proved; global exponents are one\n\
         lower. structure: constraints and p = dL/dv; form: the 2-form on the constraint manifold, after a step\n\
         from it. Classes of systems: gen(eric); bil(inear) and sph(ere): constant mass, constraints bilinear or\n\
         quadratic; hol(onomic); free: no constraints, constant mass. A method is geometric where it keeps both\n\
         structure and form. -: does not apply, or not certified. `isotrope methods NAME` shows how each number is\n\
         known: of schemes that are written as equations, inf is zero to 60 digits.\n\
         Tables step in (q, v); where the mass varies, inf under free does not hold there. In (q, p), on models\n\
         given by H and as canonical:NAME, `isotrope methods NAME` says what they keep of every H(q, p, t).\n",
    );
    if !on_groups.is_empty() {
        out.push_str(&groups_to_text(&on_groups, names));
    }
    out
}

/// A table of names and numbers; columns that begin a group are wider, which sets them apart.
fn table(aligns: &[Align], widths: &[usize]) -> Table {
    Table::new(aligns).gap(1).at_least(widths)
}

/// Methods that move in coordinates.
fn others_to_text(methods: &[&Certified<Method>], names: usize) -> String {
    let mut aligns = vec![Align::Left];
    aligns.extend([Align::Right; 10]);
    aligns.push(Align::Left);
    let mut table = table(&aligns, &[names, 6, 4, 4, 4, 4, 6, 4, 4, 7, 6]);
    let mut headings = vec!["method", "order"];
    headings.extend(STRUCTURE.map(|(_, heading)| heading));
    headings.extend(FORM.map(|(_, heading)| heading));
    headings.extend(["energy", "symm.", " implicit"]);
    table.heading(headings);
    for one in methods {
        let certificate = one.certificate();
        let mut cells = vec![one.method().name().to_owned(), or_dash(certificate.order)];
        cells.extend(
            STRUCTURE.map(|(class, _)| {
                or_dash(certificate.on(class).and_then(|orders| orders.structure))
            }),
        );
        cells.extend(
            FORM.map(|(class, _)| or_dash(certificate.on(class).and_then(|orders| orders.form))),
        );
        cells.push(or_dash(certificate.energy));
        cells.push(yes_or_no(certificate.symmetric).to_owned());
        cells.push(format!(" {}", cost(certificate)));
        table.line(cells);
    }
    table.to_string()
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
    let widths = [names, 6, 4, 4, 4, 4, 4, 4, 4, 4, 6];
    let mut table = table(&[Align::Left, Align::Right], &widths);
    let mut headings = vec!["method", "order"];
    headings.extend(ON_GROUPS.map(|(_, heading, _)| heading));
    headings.push("symm.");
    table.heading(headings);
    for one in methods {
        let certificate = one.certificate();
        let mut cells = vec![one.method().name().to_owned(), or_dash(certificate.order)];
        cells.extend(ON_GROUPS.map(|(class, _, of)| {
            let found = certificate.groups.iter().find(|orders| orders.class == class);
            or_dash(found.and_then(of))
        }));
        cells.push(yes_or_no(certificate.symmetric).to_owned());
        table.line(cells);
    }
    out.push_str(&table.to_string());
    out.push_str(
        "\nstructure: constraints on SO(3) x R^n; form: the canonical form of G x g*; momentum: of space, of a free\n\
         body and of one with a symmetry axis in space; energy: of a free body, in a potential on SO(3) and SE(3).\n",
    );
    out
}

fn cost(certificate: &Certificate) -> String {
    match &certificate.cost {
        Some(cost) if cost.explicit => "explicit".to_owned(),
        Some(cost) if cost.explicit_for_potential_forces => {
            format!("{} (0 if f = f(q))", cost.implicit_stages())
        }
        cost => or_dash(cost.as_ref().map(|cost| cost.implicit_stages())),
    }
}
