//! Port-Hamiltonian recovery: what is known of the examples, computed.

mod examples;
mod linear;
mod saved;

use isotrope_algebra::linear::Matrix;
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::print::to_text;
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Budget, ExprId, Pool};
use isotrope_structure::port::{
    Form, Options, PortKind, Problem, Realisation, Recovery, Values, recover,
};

pub(super) struct Example {
    pub(super) pool: Pool,
    pub(super) problem: Problem,
}

pub(super) fn budget() -> Budget {
    Budget::new(200_000_000)
}

impl Example {
    pub(super) fn with_ports(
        equations: &[(&str, &str)],
        inputs: &[&str],
        outputs: &[&str],
        values: &[(&str, &str)],
    ) -> Self {
        let mut pool = Pool::new();
        let mut read = |text: &str| parse_expression(&mut pool, text).unwrap();
        let states = equations.iter().map(|(x, _)| read(x)).collect();
        let rates = equations.iter().map(|(_, f)| read(f)).collect();
        let inputs = inputs.iter().map(|u| read(u)).collect();
        let outputs = outputs.iter().map(|y| read(y)).collect();
        let values = Values::new(values.iter().map(|(p, v)| (read(p), read(v))).collect());
        let problem =
            Problem::new(&mut pool, states, rates, inputs, outputs, values, &mut budget()).unwrap();
        Self { pool, problem }
    }

    pub(super) fn new(equations: &[(&str, &str)], values: &[(&str, &str)]) -> Self {
        Self::with_ports(equations, &[], &[], values)
    }

    pub(super) fn read(&mut self, text: &str) -> ExprId {
        parse_expression(&mut self.pool, text).unwrap()
    }

    pub(super) fn recover(&mut self) -> Recovery {
        let found = recover(&mut self.pool, &self.problem, &Options::default(), &mut budget());
        let found = found.unwrap();
        for form in &found.forms {
            self.check(form);
        }
        found
    }

    pub(super) fn given(&mut self, hamiltonian: &str) -> Recovery {
        let hamiltonian = Some(self.read(hamiltonian));
        let options = Options { hamiltonian, ..Options::default() };
        let found = recover(&mut self.pool, &self.problem, &options, &mut budget()).unwrap();
        for form in &found.forms {
            self.check(form);
        }
        found
    }

    /// The second road: the identity f = (J - R) dH + g u with derivatives taken here.
    pub(super) fn check(&mut self, form: &Form) {
        let pool = &mut self.pool;
        assert_eq!(form.balance, Zero::Yes);
        let n = self.problem.states.len();
        for i in 0..n {
            let mut terms = Vec::new();
            for k in 0..n {
                let x = self.problem.states[k];
                let slope = isotrope_algebra::calculus::derivative(
                    pool,
                    form.hamiltonian,
                    x,
                    &mut budget(),
                )
                .unwrap();
                let entry = pool.sub(form.j.get(i, k), form.r.get(i, k));
                terms.push(pool.mul(entry, slope));
            }
            for port in form.ports.iter().filter(|port| port.kind != PortKind::Resistive) {
                terms.push(pool.mul(port.column[i], port.input));
            }
            let sum = pool.sum(&terms);
            let defect = pool.sub(self.problem.rates[i], sum);
            assert_eq!(is_zero(pool, defect, &mut budget()), Zero::Yes);
        }
        // Q² = 0 and the Courant tensor are two roads to integrability.
        assert_eq!(form.courant.vanishes() == Zero::Yes, form.homological.square_zero == Zero::Yes);
    }

    pub(super) fn equal(&mut self, value: ExprId, expected: &str) -> bool {
        let expected = self.read(expected);
        let difference = self.pool.sub(value, expected);
        is_zero(&mut self.pool, difference, &mut budget()) == Zero::Yes
    }

    pub(super) fn assert_matrix(&mut self, matrix: &Matrix, expected: &[&[&str]]) {
        for (i, row) in expected.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                let value = matrix.get(i, j);
                let text = to_text(&self.pool, value, &mut budget()).unwrap();
                assert!(self.equal(value, entry), "entry {i},{j} is {text}, not {entry}");
            }
        }
    }

    pub(super) fn conditions(&self, form: &Form) -> Vec<String> {
        let text = |e| to_text(&self.pool, e, &mut budget()).unwrap();
        form.conditions
            .iter()
            .map(|c| format!("{} {} 0", text(c.expression), c.relation.sign()))
            .collect()
    }

    pub(super) fn residual<'a>(&self, form: &'a Form) -> Vec<&'a [ExprId]> {
        let residual = form.ports.iter().filter(|port| port.kind == PortKind::Residual);
        residual.map(|port| port.column.as_slice()).collect()
    }
}

pub(super) fn find(found: &Recovery, test: impl Fn(&Form) -> bool) -> &Form {
    found.forms.iter().find(|form| test(form)).expect("a form of this kind")
}

pub(super) const LORENZ: [(&str, &str); 3] =
    [("x", "s*(y - x)"), ("y", "r*x - y - x*z"), ("z", "x*y - b*z")];

pub(super) const VIV: [(&str, &str); 4] = [
    ("x1", "x2"),
    ("x2", "-x1 + m*O^2*x3"),
    ("x3", "x4"),
    ("x4", "-O^2*(1 - A*m)*x3 + eps*(1 - x3^2)*x4 - A*x1"),
];

pub(super) const VIV_VALUES: [(&str, &str); 4] =
    [("m", "1/20"), ("O", "1"), ("A", "12"), ("eps", "3/10")];

pub(super) const SEED: &str = "(x1^2 + x2^2 + O^2*(1 - A*m)*x3^2 + x4^2)/2";

pub(super) fn closed(found: &Recovery, test: impl Fn(&Form) -> bool) -> Option<&Form> {
    found.forms.iter().find(|form| form.realisation == Realisation::Closed && test(form))
}
