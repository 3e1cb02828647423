//! Certificates as JSON.

use isotrope_algebra::{Budget, Precision};
use isotrope_certify::{
    Certificate, Certified, ClassOrders, DefectOrder, GroupOrders, StateOrders, applies_to,
    published_claim,
};
use isotrope_methods::classes::{Class, Defect};
use isotrope_methods::table::{Entry, Table};
use isotrope_scheme::{Method, Steps, Theory};
use serde_json::{Map, Value, json};

use super::evidence;
use isotrope_certify::Verdict;

/// Exact coefficients cost algebra; what is not had within this is `null`.
const EXACT_BUDGET: u64 = 20_000_000;
const FLOAT_BUDGET: u64 = 200_000_000;

/// The object of `methods`.
pub fn list_to_json(methods: &[Certified<Method>]) -> Value {
    let methods: Vec<Value> =
        methods.iter().map(|one| Value::Object(summary(one.method(), one.certificate()))).collect();
    json!({ "methods": methods })
}

/// One method with its coefficients and, for `certify`, what was declared of it.
pub fn to_json(method: &Method, certificate: &Certificate, verdicts: Option<&[Verdict]>) -> Value {
    let mut object = summary(method, certificate);
    match (method.theory(), method.steps()) {
        (Theory::Multistep(multistep), _) => {
            let multistep = multistep();
            let list = |x: &[isotrope_algebra::Rational]| -> Value {
                x.iter().map(|entry| json!(entry.to_string())).collect()
            };
            object.insert("alpha".to_owned(), list(&multistep.alpha));
            object.insert("beta".to_owned(), list(&multistep.beta));
        }
        (Theory::Expansion(scheme), _) => {
            object.insert("equations".to_owned(), json!(scheme.equations()));
        }
        (_, Steps::Table(table)) => {
            let (exact, float) = coefficients(table);
            object.insert("table".to_owned(), exact);
            object.insert("table_f64".to_owned(), float);
        }
        (_, Steps::Composition(composed)) => {
            let balls = composed.composition.coefficients(Precision::new(128)).unwrap_or_default();
            let digits: Value = balls.iter().map(|ball| json!(ball.to_decimal(30))).collect();
            object.insert("gamma".to_owned(), digits);
            let float: Value = balls.iter().map(|ball| json!(ball.to_f64_certain())).collect();
            object.insert("gamma_f64".to_owned(), float);
        }
        (_, Steps::Adaptive | Steps::Equations(_)) => {}
    }
    if let Some(verdicts) = verdicts {
        // Tables are certified in exact arithmetic; sampling stands behind structure orders only.
        object.insert("exact".to_owned(), json!(certificate.order.is_some()));
        object.insert("declared".to_owned(), verdicts.iter().map(verdict).collect());
        let holds = verdicts.iter().all(|verdict| verdict.holds == Some(true));
        object.insert("declared_holds".to_owned(), json!(holds));
    }
    Value::Object(object)
}

fn verdict(verdict: &Verdict) -> Value {
    json!({
        "what": verdict.what,
        "class": verdict.class.map(Class::name),
        "declared": verdict.claimed.0.map_or_else(|| json!("inf"), |number| json!(number)),
        "computed": verdict.computed.as_ref().map(|text| {
            text.parse::<u64>().map_or_else(|_| json!(text), |number| json!(number))
        }),
        "holds": verdict.holds,
    })
}

fn summary(method: &Method, certificate: &Certificate) -> Map<String, Value> {
    let on_groups = |of: &dyn Fn(&GroupOrders) -> Option<DefectOrder>| -> Map<String, Value> {
        let named = |orders: &GroupOrders| {
            (orders.class.name().to_owned(), of(orders).map_or(Value::Null, exponent))
        };
        certificate.groups.iter().map(named).collect()
    };
    let by_class = |of: &dyn Fn(&ClassOrders) -> Option<DefectOrder>,
                    of_group: &dyn Fn(&GroupOrders) -> Option<DefectOrder>|
     -> Value {
        let orders = |class: Class| certificate.on(class).and_then(of);
        let mut map: Map<String, Value> = Class::ALL
            .into_iter()
            .map(|class| (class.name().to_owned(), orders(class).map_or(Value::Null, exponent)))
            .collect();
        map.extend(on_groups(of_group));
        map.into()
    };
    let mut weakest: Map<String, Value> = certificate
        .classes
        .iter()
        .filter_map(|orders| Some((orders.class.name().to_owned(), json!(orders.weakest?.name()))))
        .collect();
    weakest.extend(certificate.groups.iter().filter_map(|orders| {
        Some((orders.class.name().to_owned(), json!(orders.weakest?.name())))
    }));
    let cost = certificate.cost.as_ref();
    let free: Vec<String> = certificate.free_directions.iter().map(Entry::to_string).collect();
    let claim = published_claim(method.name());
    let object = json!({
        "name": method.name(),
        "about": method.about(),
        "citation": method.citation(),
        "family": method.family(),
        "parameters": parameters(method, certificate),
        "applies_to": applies_to(method, certificate),
        "order": certificate.order,
        "structure": by_class(&|orders| orders.structure, &|orders| Some(orders.structure)),
        "form": by_class(&|orders| orders.form, &|orders| orders.form),
        "momentum": on_groups(&|orders| orders.momentum),
        "energy_on_groups": on_groups(&|orders| Some(orders.energy)),
        "state_space": in_state_space(&certificate.state),
        "energy": certificate.energy.map(exponent),
        "symmetric": certificate.symmetric,
        "explicit": cost.map(|cost| cost.explicit),
        "implicit_stages": cost.map(|cost| cost.implicit_stages()),
        "first_failing_tree": certificate.first_failing_tree,
        "evidence": evidence(certificate),
        "published": claim.map(|claim| json!({
            "order": claim.order,
            "source": claim.source,
            "holds": certificate.order.map(|order| order >= claim.order),
        })),
        "weakest": weakest,
        "explicit_for_potential_forces": cost.map(|cost| cost.explicit_for_potential_forces),
        "effective_stages": cost.map(|cost| cost.stages),
        "implicit_systems": cost.map(|cost| cost.systems.clone()),
        "free_directions": free,
        "free_directions_complete": certificate.free_directions_complete,
        "sampled_problems": certificate.sampling.map(|sampling| sampling.problems),
        "failure_probability": certificate
            .sampling
            .map(|sampling| f64::from(2.0_f32).powi(-i32::try_from(sampling.bits).unwrap_or(0))),
        "local": certificate.local.as_ref().map(|local| {
            local
                .classes
                .iter()
                .map(|(class, defects)| {
                    let power = |of: Defect| match of {
                        Defect::Order(power) => json!(power),
                        Defect::None => json!(format!(">{}", local.looked_at)),
                        Defect::NotApplicable => Value::Null,
                    };
                    let defects = json!({
                        "q": power(defects.position),
                        "v": power(defects.velocity),
                        "phi_v": power(defects.phi_v),
                        "phi_q": power(defects.phi_q),
                        "energy": power(defects.energy),
                    });
                    (class.name().to_owned(), defects)
                })
                .collect::<Map<String, Value>>()
        }),
    });
    match object {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// Exponents by class of systems in state space.
fn in_state_space(state: &[StateOrders]) -> Map<String, Value> {
    let entry = |orders: &StateOrders| {
        let value = json!({
            "order": exponent(orders.order),
            "energy": exponent(orders.energy),
            "bracket": orders.bracket.map(exponent),
            "casimirs": orders.casimirs.map(exponent),
            "symmetric": orders.symmetric,
        });
        (orders.class.name().to_owned(), value)
    };
    state.iter().map(entry).collect()
}

fn exponent(of: DefectOrder) -> Value {
    match of {
        DefectOrder::Exactly(power) => json!(power),
        DefectOrder::Infinite | DefectOrder::AtLeast(_) => json!(of.to_string()),
    }
}

fn parameters(method: &Method, certificate: &Certificate) -> Value {
    match (method.theory(), method.steps()) {
        (Theory::Multistep(multistep), _) => json!({ "steps": multistep().alpha.len() - 1 }),
        (Theory::Expansion(scheme), _) => json!({ "two_step": scheme.is_two_step() }),
        (_, Steps::Table(table)) => json!({ "stages": table.stages }),
        (_, Steps::Composition(composed)) => {
            json!({ "base": composed.base.name, "steps": composed.composition.length() })
        }
        (_, Steps::Equations(_) | Steps::Adaptive) => {
            json!({ "history": certificate.history, "staggered": certificate.staggered })
        }
    }
}

/// Exact texts, and the doubles nearest to the exact values.
fn coefficients(table: &Table) -> (Value, Value) {
    let budget = &mut Budget::new(EXACT_BUDGET);
    let mut exact = |entry: Entry| match table.exact(entry, budget) {
        Ok(Some(number)) => json!(number.to_string()),
        _ => Value::Null,
    };
    let s = table.stages;
    let mut matrix = |place: fn(usize, usize) -> Entry| -> Value {
        (0..s).map(|i| (0..s).map(|j| exact(place(i, j))).collect::<Value>()).collect()
    };
    let a = matrix(|row, column| Entry::A { row, column });
    let abar = matrix(|row, column| Entry::Abar { row, column });
    let mut vector =
        |place: fn(usize) -> Entry| -> Value { (0..s).map(|i| exact(place(i))).collect() };
    let (b, bbar, btil) = (vector(Entry::B), vector(Entry::Bbar), vector(Entry::Btil));
    let exact = json!({ "stages": s, "a": a, "b": b, "abar": abar, "bbar": bbar, "btil": btil });
    let float = match table.to_f64(&mut Budget::new(FLOAT_BUDGET)) {
        Ok(float) => json!({
            "a": float.a,
            "b": float.b,
            "abar": float.abar,
            "bbar": float.bbar,
            "btil": float.btil,
        }),
        Err(_) => Value::Null,
    };
    (exact, float)
}
