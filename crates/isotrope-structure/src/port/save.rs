//! A form as a model file.
//!
//! The file has the states, parameters, inputs, outputs, initial values and the run of its source; J, R, g and H are
//! those of the form. Ports for a residual are inputs: the modulated one has the input 1, constant ones have functions
//! of the state, which `[inputs]` of `[port]` models may be.

use std::cmp::Ordering;

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::linear::Matrix;
use isotrope_algebra::print::to_text;
use isotrope_algebra::syntax::is_name;
use isotrope_algebra::{Budget, ExprId, Pool};
use isotrope_model::files::quoted;
use isotrope_model::{Model, StateModel};

use super::{Form, Port, PortError, PortKind, Problem, Realisation, Recovery, Relation};
use crate::connect::section;

/// Which form is to be saved, and what the file says of its origin.
#[derive(Debug, Clone, Copy)]
pub struct Saved<'s> {
    /// Its number in the report, from 1.
    pub number: usize,
    /// The name of the source, for the first comment.
    pub source: &'s str,
}

/// A form as the text of a model file.
pub fn save(
    model: &Model,
    problem: &Problem,
    recovery: &Recovery,
    saved: &Saved<'_>,
    budget: &mut Budget,
) -> Result<String, PortError> {
    let state = model.system.state().ok_or(PortError::NotEquations)?;
    let (number, forms) = (saved.number, recovery.forms.len());
    let form = number.checked_sub(1).and_then(|at| recovery.forms.get(at));
    let form = form.ok_or(PortError::NoForm { number, forms })?;
    let mut pool = model.pool.clone();
    check(&mut pool, model, problem, form, number, budget)?;
    Text::new(pool, model, budget).file(model, state, form, saved)
}

/// Does the form exist at the values of the parameters and at the initial point? The sign of R does not matter:
/// the balance of power holds for any R.
fn check(
    pool: &mut Pool,
    model: &Model,
    problem: &Problem,
    form: &Form,
    number: usize,
    budget: &mut Budget,
) -> Result<(), PortError> {
    let initial: Vec<(ExprId, ExprId)> =
        problem.states.iter().copied().zip(model.initial.position.iter().copied()).collect();
    for condition in &form.conditions {
        let sign = problem.values.sign_at(pool, condition.expression, &initial);
        let violated = match condition.relation {
            Relation::NotZero => sign == Some(Ordering::Equal),
            Relation::Positive => matches!(sign, Some(Ordering::Less | Ordering::Equal)),
            Relation::NotNegative => false,
        };
        if violated {
            let text = to_text(pool, condition.expression, budget)?;
            let condition = format!("{text} {} 0", condition.relation.sign());
            return Err(PortError::Violated { number, condition });
        }
    }
    Ok(())
}

/// Expressions as texts, with names that a file can declare.
struct Text<'b> {
    pool: Pool,
    names: Substitution,
    taken: Vec<String>,
    budget: &'b mut Budget,
}

impl<'b> Text<'b> {
    fn new(pool: Pool, model: &Model, budget: &'b mut Budget) -> Self {
        let mut text = Self { pool, names: Substitution::default(), taken: Vec::new(), budget };
        let inputs = model.system.state().map_or(&[][..], |state| &state.inputs);
        let outputs = model.system.state().map_or(&[][..], |state| &state.outputs);
        let own = model.coordinates.iter().map(|c| (c.position, &c.name));
        let own = own.chain(model.parameters.iter().map(|p| (p.symbol, &p.name)));
        let own: Vec<(ExprId, &String)> =
            own.chain(inputs.iter().map(|input| (input.symbol, &input.name))).collect();
        text.taken = own.iter().map(|(_, name)| (*name).clone()).collect();
        text.taken.extend(outputs.iter().map(|output| output.name.clone()));
        for (symbol, name) in own.into_iter().filter(|(_, name)| !is_name(name)) {
            let plain = text.fresh(&plain(name));
            let plain = text.pool.symbol(&plain);
            text.names.insert(symbol, plain);
        }
        text
    }

    /// A name that is not taken: the one that is wanted, or with a number behind it.
    fn fresh(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut count = 1;
        while self.taken.contains(&name) {
            count += 1;
            name = format!("{wanted}_{count}");
        }
        self.taken.push(name.clone());
        name
    }

    fn of(&mut self, id: ExprId) -> Result<String, PortError> {
        let renamed = substitute(&mut self.pool, &[id], &self.names, self.budget)?[0];
        Ok(to_text(&self.pool, renamed, self.budget)?)
    }

    /// Entries on and above the diagonal that are not zero.
    fn entries(
        &mut self,
        matrix: &Matrix,
        states: &[String],
    ) -> Result<Vec<(String, String)>, PortError> {
        let mut entries = Vec::new();
        for i in 0..matrix.rows() {
            for k in i..matrix.rows() {
                if !matrix.get(i, k).is_zero() {
                    let text = self.of(matrix.get(i, k))?;
                    entries.push((format!("{},{}", states[i], states[k]), text));
                }
            }
        }
        Ok(entries)
    }

    /// The name and the value of the input of a port.
    fn input(
        &mut self,
        state: &StateModel,
        states: &[String],
        port: &Port,
    ) -> Result<(String, String), PortError> {
        if let Some(own) = state.inputs.iter().find(|input| input.symbol == port.input)
            && port.kind == PortKind::Input
        {
            return Ok((self.of(own.symbol)?, self.of(own.value)?));
        }
        let constant = port.column.iter().position(|entry| !entry.is_zero());
        let wanted = match constant.filter(|_| port.input != ExprId::ONE) {
            Some(at) => format!("u_{}", states[at]),
            None => "w".to_owned(),
        };
        Ok((self.fresh(&wanted), self.of(port.input)?))
    }

    fn file(
        mut self,
        model: &Model,
        state: &StateModel,
        form: &Form,
        saved: &Saved<'_>,
    ) -> Result<String, PortError> {
        let mut lines = comment(saved, form, state);
        let mut states = Vec::with_capacity(model.coordinates.len());
        for coordinate in &model.coordinates {
            states.push(self.of(coordinate.position)?);
        }
        lines.push(format!("name = {}", quoted(&model.name)));
        if let Some(description) = &model.description {
            lines.push(format!("description = {}", quoted(description)));
        }
        let list: Vec<String> = states.iter().map(|name| quoted(name)).collect();
        lines.push(format!("coordinates = [{}]", list.join(", ")));
        let mut parameters = Vec::with_capacity(model.parameters.len());
        for parameter in &model.parameters {
            parameters.push((self.of(parameter.symbol)?, self.of(parameter.value)?));
        }
        section(&mut lines, "parameters", parameters);
        let open = form.ports.iter().filter(|port| port.kind != PortKind::Resistive);
        let (mut inputs, mut columns) = (Vec::new(), Vec::new());
        for port in open {
            let (name, value) = self.input(state, &states, port)?;
            let mut column = Vec::new();
            for (state, &entry) in states.iter().zip(&port.column) {
                if !entry.is_zero() {
                    column.push((state.clone(), self.of(entry)?));
                }
            }
            columns.push((format!("port.g.{}", quoted(&name)), column));
            inputs.push((name, value));
        }
        section(&mut lines, "inputs", inputs);
        let mut outputs = Vec::with_capacity(state.outputs.len());
        for output in &state.outputs {
            outputs.push((output.name.clone(), self.of(output.value)?));
        }
        section(&mut lines, "outputs", outputs);
        let energy = self.of(form.hamiltonian)?;
        section(&mut lines, "port", vec![("hamiltonian".to_owned(), energy)]);
        let (skew, symmetric) = (self.entries(&form.j, &states)?, self.entries(&form.r, &states)?);
        section(&mut lines, "port.J", skew);
        section(&mut lines, "port.R", symmetric);
        for (heading, column) in columns {
            section(&mut lines, &heading, column);
        }
        let mut initial = Vec::with_capacity(states.len());
        let given = model.initial.position.iter().filter(|_| model.initial.absent.is_none());
        for (state, &value) in states.iter().zip(given) {
            initial.push((state.clone(), self.of(value)?));
        }
        section(&mut lines, "initial.position", initial);
        let mut run = Vec::new();
        run.extend(model.run.method.iter().map(|method| ("method".to_owned(), method.clone())));
        for (key, value) in [("step", model.run.step), ("time", model.run.time)] {
            if let Some(value) = value {
                run.push((key.to_owned(), self.of(value)?));
            }
        }
        section(&mut lines, "run", run);
        Ok(lines.join("\n") + "\n")
    }
}

/// q' as `q_dot`, q[1] as `q_1`.
fn plain(name: &str) -> String {
    let spelled = name.replace('\'', "_dot");
    let letter = |c: char| if c.is_alphanumeric() { c } else { '_' };
    spelled.chars().map(letter).collect::<String>().trim_end_matches('_').to_owned()
}

/// What the file is, and what is not said in it.
fn comment(saved: &Saved<'_>, form: &Form, state: &StateModel) -> Vec<String> {
    let &Saved { number, source } = saved;
    let residual = match form.realisation {
        Realisation::Closed => "no residual",
        Realisation::Modulated => "one modulated port for the residual, with the input 1",
        Realisation::Constant => {
            "constant ports for the residual, with functions of the state as inputs"
        }
    };
    // A name of a file may contain whatever it likes, a comment only one line.
    let source: String = source.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut lines = vec![
        format!("# Form {number} of {source}, by `isotrope port --form {number} --save`."),
        format!("# H: {}; {residual}.", form.origin.words()),
    ];
    for input in state.inputs.iter().filter(|input| input.range.is_some()) {
        let name = &input.name;
        lines.push(format!(
            "# The input {name} is a table in the source, and a formula of its pieces here."
        ));
    }
    lines
}
