//! Port systems connected to one, as a model file.
//!
//! Joining the ports u_a and u_b by u_a = −k y_b, u_b = k y_a lets pass from one to the other what it takes from the
//! first, u_a y_a + u_b y_b = 0: the composition of the two Dirac structures. With y = gᵀ ∇H the joined ports become
//! entries of J, which stays skew,
//!
//! J ← J − k (g_a g_bᵀ − g_b g_aᵀ),
//!
//! and the others stay ports of the whole. Efforts z of a component with a matrix E are given in the whole, where E has
//! the blocks of the components.

use std::collections::BTreeMap;

use isotrope_algebra::calculus::{Substitution, gradient, substitute};
use isotrope_algebra::print::to_text;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Rational};
use isotrope_model::codes::ConnectCode;
use isotrope_model::files::quoted;
use isotrope_model::{Model, StateModel};

use isotrope_derive::efforts_of as efforts;

/// A part of the whole.
#[derive(Debug, Clone, Copy)]
pub struct Component<'m> {
    /// Its name, which its names begin with.
    pub name: &'m str,
    /// Its model.
    pub model: &'m Model,
}

/// Two ports joined.
#[derive(Debug, Clone, PartialEq)]
pub struct Join {
    /// The component and the input of each.
    pub ports: [(String, String); 2],
    /// k.
    pub modulus: Rational,
}

/// Why systems cannot be connected.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ConnectError {
    /// A join that cannot be read.
    #[error("`{text}` does not join two ports")]
    Syntax {
        /// What was written.
        text: String,
    },
    /// A modulus that is not a number.
    #[error("`{modulus}` is not a number, which the modulus of a join has to be")]
    Modulus {
        /// What was written.
        modulus: String,
    },
    /// Two joins of the same ports.
    #[error("`{first}` and `{second}` are joined twice")]
    JoinedTwice {
        /// A port.
        first: String,
        /// The other one.
        second: String,
    },
    /// A component with a name that cannot begin another.
    #[error("`{name}` is not a name for a component")]
    Name {
        /// The name.
        name: String,
    },
    /// Two components of one name.
    #[error("two components are called `{name}`")]
    Twice {
        /// The name.
        name: String,
    },
    /// A model without ports.
    #[error("`{name}` is not given by [port] or [poisson]")]
    NoForm {
        /// The component.
        name: String,
    },
    /// A component with a matrix E whose efforts are not known.
    #[error("`{name}` has a matrix E without efforts that belong to its Hamiltonian")]
    Effort {
        /// The component.
        name: String,
    },
    /// Indexed names.
    #[error("`{name}` has the coordinate `{coordinate}`, and indexed ones are not connected")]
    Indexed {
        /// The component.
        name: String,
        /// The coordinate.
        coordinate: String,
    },
    /// An input that is a table and stays an input.
    #[error("the input `{input}` of `{name}` is a table and is not joined")]
    Table {
        /// The component.
        name: String,
        /// The input.
        input: String,
    },
    /// A join of something that is not there.
    #[error("there is no port `{component}.{input}`")]
    NoPort {
        /// The component.
        component: String,
        /// The input.
        input: String,
        /// The ports there are.
        ports: Vec<String>,
    },
    /// A port joined to itself.
    #[error("`{port}` is joined to itself, which changes nothing")]
    Itself {
        /// The port.
        port: String,
    },
    /// The budget ran out.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

impl ConnectError {
    /// Its stable code.
    #[must_use]
    pub fn code(&self) -> ConnectCode {
        match self {
            Self::Syntax { .. } | Self::Modulus { .. } | Self::Name { .. } | Self::Twice { .. } => {
                ConnectCode::Unreadable
            }
            Self::NoForm { .. }
            | Self::Effort { .. }
            | Self::Indexed { .. }
            | Self::Table { .. } => ConnectCode::NotAComponent,
            Self::NoPort { .. } | Self::Itself { .. } | Self::JoinedTwice { .. } => {
                ConnectCode::Join
            }
            Self::OutOfBudget(_) => ConnectCode::TooLarge,
        }
    }

    /// A way out.
    #[must_use]
    pub fn hint(&self) -> String {
        if let Self::NoPort { ports, .. } = self {
            return match ports.is_empty() {
                true => "no component has an input".to_owned(),
                false => format!("there are {}", ports.join(", ")),
            };
        }
        self.code().hint()
    }
}

impl Join {
    /// Reads `a.u,b.v` or `a.u,b.v=3/2`.
    pub fn read(text: &str) -> Result<Self, ConnectError> {
        let wrong = || ConnectError::Syntax { text: text.to_owned() };
        let (ports, modulus) = match text.split_once('=') {
            Some((ports, number)) => {
                let modulus = number.trim().to_owned();
                let number = modulus.parse().map_err(|_| ConnectError::Modulus { modulus })?;
                (ports, number)
            }
            None => (text, Rational::ONE),
        };
        let (first, second) = ports.split_once(',').ok_or_else(wrong)?;
        let port = |text: &str| {
            let (component, input) = text.trim().split_once('.').ok_or_else(wrong)?;
            Ok::<_, ConnectError>((component.to_owned(), input.to_owned()))
        };
        Ok(Self { ports: [port(first)?, port(second)?], modulus })
    }
}

/// What printing and renaming a component may cost.
const BUDGET: u64 = 50_000_000;

/// The model file of the whole: names of a component begin with its own. Inputs that are joined lose their functions of
/// time; the others stay.
pub fn connect(
    name: &str,
    components: &[Component<'_>],
    joins: &[Join],
) -> Result<String, ConnectError> {
    let mut parts: Vec<Part> = Vec::with_capacity(components.len());
    for component in components {
        if parts.iter().any(|part| part.name == component.name) {
            return Err(ConnectError::Twice { name: component.name.to_owned() });
        }
        parts.push(Part::new(component)?);
    }
    let mut joined = Vec::with_capacity(joins.len());
    for join in joins {
        let ports = [find(&parts, &join.ports[0])?, find(&parts, &join.ports[1])?];
        if ports[0] == ports[1] {
            let (component, input) = &join.ports[0];
            return Err(ConnectError::Itself { port: format!("{component}.{input}") });
        }
        let same =
            |(other, _): &([_; 2], Rational)| *other == ports || *other == [ports[1], ports[0]];
        if joined.iter().any(same) {
            let [first, second] = join.ports.clone().map(|(part, input)| format!("{part}.{input}"));
            return Err(ConnectError::JoinedTwice { first, second });
        }
        joined.push((ports, join.modulus.clone()));
    }
    write(name, &parts, &joined)
}

/// The texts of a component, with its names as they are in the whole.
struct Part {
    name: String,
    coordinates: Vec<String>,
    /// None where it follows from constraints.
    initial: Vec<Option<String>>,
    parameters: Vec<(String, String)>,
    hamiltonian: String,
    /// Entries of J and of R by coordinates.
    skew: Vec<([usize; 2], String)>,
    symmetric: Vec<([usize; 2], String)>,
    /// Entries of E and all efforts, if there is a matrix E.
    descriptor: Option<DescriptorText>,
    ports: Vec<PortText>,
    outputs: Vec<(String, String)>,
    run: Option<[String; 2]>,
}

/// Entries of E, and one effort for each coordinate.
type DescriptorText = (Vec<([usize; 2], String)>, Vec<String>);

/// An input with its column and its output.
struct PortText {
    /// Its name in its own file, and in the whole.
    names: [String; 2],
    value: String,
    table: bool,
    column: Vec<(usize, String)>,
    /// gᵀ ∇H, or gᵀ z.
    output: String,
}

impl Part {
    fn new(component: &Component<'_>) -> Result<Self, ConnectError> {
        let &Component { name, model } = component;
        let own = || name.to_owned();
        let mut letters = name.chars();
        if !letters.next().is_some_and(char::is_alphabetic) || !letters.all(char::is_alphanumeric) {
            return Err(ConnectError::Name { name: own() });
        }
        let state: Option<&StateModel> = model.system.state();
        let Some((state, hamiltonian)) = state.and_then(|state| Some((state, state.hamiltonian?)))
        else {
            return Err(ConnectError::NoForm { name: own() });
        };
        let indexed = model.coordinates.iter().find(|c| c.name.contains(['[', '\'']));
        if let Some(coordinate) = indexed {
            return Err(ConnectError::Indexed { name: own(), coordinate: coordinate.name.clone() });
        }
        let mut pool = model.pool.clone();
        let budget = &mut Budget::new(BUDGET);
        let positions: Vec<ExprId> = model.coordinates.iter().map(|c| c.position).collect();
        let slopes = match &state.descriptor {
            Some(given) => efforts(&mut pool, model, given, hamiltonian, budget)?
                .ok_or_else(|| ConnectError::Effort { name: own() })?,
            None => gradient(&mut pool, hamiltonian, &positions, budget)?,
        };
        let mut outputs_of_ports = Vec::with_capacity(state.columns.len());
        for column in &state.columns {
            let terms: Vec<ExprId> =
                column.iter().map(|&(i, value)| pool.mul(value, slopes[i])).collect();
            outputs_of_ports.push(pool.sum(&terms));
        }
        let whole = |inner: &str| format!("{name}_{inner}");
        let mut names = Substitution::default();
        for coordinate in &model.coordinates {
            names.insert(coordinate.position, pool.symbol(&whole(&coordinate.name)));
        }
        for parameter in &model.parameters {
            names.insert(parameter.symbol, pool.symbol(&whole(&parameter.name)));
        }
        for input in &state.inputs {
            names.insert(input.symbol, pool.symbol(&whole(&input.name)));
        }
        let mut text = |id: ExprId| -> Result<String, ConnectError> {
            let renamed = substitute(&mut pool, &[id], &names, budget)?[0];
            Ok(to_text(&pool, renamed, budget)?)
        };
        let mut parameters = Vec::with_capacity(model.parameters.len());
        for parameter in &model.parameters {
            parameters.push((whole(&parameter.name), text(parameter.value)?));
        }
        let mut entries = |list: &[isotrope_model::MatrixEntry]| {
            let mut found = Vec::with_capacity(list.len());
            for entry in list {
                found.push(([entry.row, entry.column], text(entry.value)?));
            }
            Ok::<_, ConnectError>(found)
        };
        let (skew, symmetric) = (entries(&state.skew)?, entries(&state.symmetric)?);
        let descriptor = match &state.descriptor {
            Some(given) => {
                let entries = entries(&given.matrix)?;
                let efforts = slopes.iter().map(|&id| text(id)).collect::<Result<_, _>>()?;
                Some((entries, efforts))
            }
            None => None,
        };
        let mut ports = Vec::with_capacity(state.inputs.len());
        for (k, input) in state.inputs.iter().enumerate() {
            let mut column = Vec::new();
            for &(i, value) in state.columns.get(k).into_iter().flatten() {
                column.push((i, text(value)?));
            }
            let output = outputs_of_ports.get(k).copied().unwrap_or(ExprId::ZERO);
            ports.push(PortText {
                names: [input.name.clone(), whole(&input.name)],
                value: text(input.value)?,
                table: input.range.is_some(),
                column,
                output: text(output)?,
            });
        }
        let mut outputs = Vec::with_capacity(state.outputs.len());
        for output in &state.outputs {
            outputs.push((whole(&output.name), text(output.value)?));
        }
        let mut initial = Vec::with_capacity(model.initial.position.len());
        for (i, &id) in model.initial.position.iter().enumerate() {
            let given = model.initial.absent.is_none() && !model.initial.missing.contains(&i);
            initial.push(given.then(|| text(id)).transpose()?);
        }
        let run = match (model.run.step, model.run.time) {
            (Some(step), Some(time)) => Some([text(step)?, text(time)?]),
            _ => None,
        };
        Ok(Self {
            name: own(),
            coordinates: model.coordinates.iter().map(|c| whole(&c.name)).collect(),
            initial,
            parameters,
            hamiltonian: text(hamiltonian)?,
            skew,
            symmetric,
            descriptor,
            ports,
            outputs,
            run,
        })
    }
}

/// The component and the number of a port.
fn find(parts: &[Part], port: &(String, String)) -> Result<[usize; 2], ConnectError> {
    let (component, input) = port;
    let at = parts.iter().position(|part| part.name == *component).and_then(|k| {
        let found = parts[k].ports.iter().position(|port| port.names[0] == *input)?;
        Some([k, found])
    });
    at.ok_or_else(|| {
        let ports = |part: &Part| {
            let names = part.ports.iter().map(|port| format!("{}.{}", part.name, port.names[0]));
            names.collect::<Vec<String>>()
        };
        ConnectError::NoPort {
            component: component.clone(),
            input: input.clone(),
            ports: parts.iter().flat_map(ports).collect(),
        }
    })
}

/// Two ports and k.
type Joined = ([[usize; 2]; 2], Rational);

/// A product as text, without factors that are 1.
fn product(factor: &Rational, factors: &[&str]) -> String {
    let mut terms = Vec::with_capacity(factors.len() + 1);
    if *factor != Rational::ONE {
        terms.push(format!("({factor})"));
    }
    terms.extend(factors.iter().filter(|text| **text != "1").map(|text| format!("({text})")));
    match terms.is_empty() {
        true => "1".to_owned(),
        false => terms.join("*"),
    }
}

/// The lines of the file: a heading and entries, if there are some.
pub(crate) fn section(lines: &mut Vec<String>, heading: &str, entries: Vec<(String, String)>) {
    if !entries.is_empty() {
        lines.push(format!("\n[{heading}]"));
        let entry =
            |(key, value): (String, String)| format!("{} = {}", quoted(&key), quoted(&value));
        lines.extend(entries.into_iter().map(entry));
    }
}

fn write(name: &str, parts: &[Part], joined: &[Joined]) -> Result<String, ConnectError> {
    let names: Vec<&String> = parts.iter().flat_map(|part| &part.coordinates).collect();
    let mut first = Vec::with_capacity(parts.len());
    let mut count = 0;
    for part in parts {
        first.push(count);
        count += part.coordinates.len();
    }
    let mut skew: BTreeMap<[usize; 2], Vec<String>> = BTreeMap::new();
    for (part, first) in parts.iter().zip(&first) {
        for ([i, j], value) in &part.skew {
            skew.entry([first + i, first + j]).or_default().push(value.clone());
        }
    }
    // u_a = −k y_b and u_b = k y_a; of J the entries above the diagonal are written.
    let mut inputs: BTreeMap<[usize; 2], Vec<String>> = BTreeMap::new();
    for ([a, b], modulus) in joined {
        let minus = -modulus;
        for (here, there, factor) in [(*a, *b, &minus), (*b, *a, modulus)] {
            let (left, right) = (&parts[here[0]].ports[here[1]], &parts[there[0]].ports[there[1]]);
            inputs.entry(here).or_default().push(product(factor, &[&right.output]));
            for (i, g) in &left.column {
                for (j, other) in &right.column {
                    let at = [first[here[0]] + i, first[there[0]] + j];
                    if at[0] < at[1] {
                        skew.entry(at).or_default().push(product(factor, &[g, other]));
                    }
                }
            }
        }
    }
    let mut free = Vec::new();
    for (k, part) in parts.iter().enumerate() {
        for (at, port) in part.ports.iter().enumerate() {
            if inputs.contains_key(&[k, at]) {
                continue;
            }
            if port.table {
                let (name, input) = (part.name.clone(), port.names[0].clone());
                return Err(ConnectError::Table { name, input });
            }
            free.push((part, port));
        }
    }
    let list: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    let mut lines =
        vec![format!("name = {}", quoted(name)), format!("coordinates = [{}]", list.join(", "))];
    let all = |list: fn(&Part) -> Vec<(String, String)>| -> Vec<(String, String)> {
        parts.iter().flat_map(list).collect()
    };
    section(&mut lines, "parameters", all(|part| part.parameters.clone()));
    // Outputs of the files may contain inputs that are joined now.
    let defined = inputs.into_iter().map(|([k, at], terms)| {
        let name = parts[k].ports[at].names[1].clone();
        (name, terms.join(" + "))
    });
    section(&mut lines, "define", defined.collect());
    let signals = free.iter().map(|(_, port)| (port.names[1].clone(), port.value.clone()));
    section(&mut lines, "inputs", signals.collect());
    section(&mut lines, "outputs", all(|part| part.outputs.clone()));
    let energies: Vec<String> = parts.iter().map(|part| part.hamiltonian.clone()).collect();
    section(&mut lines, "port", vec![("hamiltonian".to_owned(), energies.join(" + "))]);
    let pair = |i: usize, j: usize| format!("{},{}", names[i], names[j]);
    let entries = skew.into_iter().map(|([i, j], terms)| (pair(i, j), terms.join(" + ")));
    section(&mut lines, "port.J", entries.collect());
    let mut entries = Vec::new();
    for (part, first) in parts.iter().zip(&first) {
        let own = part.symmetric.iter();
        entries.extend(own.map(|([i, j], value)| (pair(first + i, first + j), value.clone())));
    }
    section(&mut lines, "port.R", entries);
    if parts.iter().any(|part| part.descriptor.is_some()) {
        let (mut entries, mut efforts) = (Vec::new(), Vec::new());
        for (part, first) in parts.iter().zip(&first) {
            match &part.descriptor {
                Some((own, z)) => {
                    let shifted = own.iter();
                    entries.extend(
                        shifted.map(|([i, j], value)| (pair(first + i, first + j), value.clone())),
                    );
                    efforts.extend(part.coordinates.iter().cloned().zip(z.iter().cloned()));
                }
                None => entries.extend(
                    (0..part.coordinates.len())
                        .map(|i| (pair(first + i, first + i), "1".to_owned())),
                ),
            }
        }
        section(&mut lines, "port.E", entries);
        section(&mut lines, "port.effort", efforts);
    }
    for (part, port) in free {
        let column = port.column.iter().map(|(i, g)| (part.coordinates[*i].clone(), g.clone()));
        section(&mut lines, &format!("port.g.{}", quoted(&port.names[1])), column.collect());
    }
    let positions = |part: &Part| -> Vec<(String, String)> {
        let named = part.coordinates.iter().cloned().zip(part.initial.iter().cloned());
        named.filter_map(|(name, value)| Some((name, value?))).collect()
    };
    section(&mut lines, "initial.position", all(positions));
    if let Some([step, time]) = parts.iter().find_map(|part| part.run.clone()) {
        let entries = [("step", step), ("time", time)].map(|(key, text)| (key.to_owned(), text));
        section(&mut lines, "run", entries.into());
    }
    Ok(lines.join("\n") + "\n")
}
