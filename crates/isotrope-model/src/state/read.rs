//! Systems in state space, `[inputs]` and `[outputs]`, as text with places.

use toml_edit::Item;

use crate::ModelCode;
use crate::diagnostics::{Place, shorten};
use crate::read::{Entry, Reader};
use crate::state::StateKind;
use crate::text::Text;

/// A system in state space as given.
#[derive(Debug)]
pub(crate) struct RawState<'d> {
    pub(crate) kind: StateKind,
    pub(crate) place: Place,
    pub(crate) hamiltonian: Option<Text<'d>>,
    pub(crate) equations: Vec<Entry<'d>>,
    pub(crate) skew: Vec<Entry<'d>>,
    pub(crate) symmetric: Vec<Entry<'d>>,
    /// The name of an input with the entries of its column.
    pub(crate) columns: Vec<(Text<'d>, Vec<Entry<'d>>)>,
    /// Entries of E, and where it is.
    pub(crate) descriptor: Option<(Place, Vec<Entry<'d>>)>,
    /// Efforts, and where they are.
    pub(crate) efforts: Option<(Place, Vec<Entry<'d>>)>,
}

impl RawState<'_> {
    /// A system of which nothing is given yet.
    pub(crate) fn new(kind: StateKind, place: Place) -> Self {
        Self {
            kind,
            place,
            hamiltonian: None,
            equations: Vec::new(),
            skew: Vec::new(),
            symmetric: Vec::new(),
            columns: Vec::new(),
            descriptor: None,
            efforts: None,
        }
    }
}

/// An input as given.
#[derive(Debug)]
pub(crate) struct RawInput<'d> {
    pub(crate) name: Text<'d>,
    /// `None` if it was refused.
    pub(crate) signal: Option<RawSignal<'d>>,
}

/// A function of time as given.
#[derive(Debug)]
pub(crate) enum RawSignal<'d> {
    Formula(Text<'d>),
    /// Rows (t, u), and whether the value is held until the next row.
    Table {
        rows: Vec<(Text<'d>, Text<'d>)>,
        hold: bool,
        place: Place,
    },
}

const BETWEEN: [&str; 2] = ["linear", "hold"];

impl Reader<'_> {
    /// Takes the Hamiltonian of a table, `hamiltonian` or, as in `[hamiltonian]`, `H`; `given` is where it
    /// was given before.
    pub(crate) fn take_hamiltonian<'d>(
        &mut self,
        (here, value): (Place, Option<Text<'d>>),
        given: &mut Option<Place>,
        state: &mut RawState<'d>,
    ) {
        match given.replace(here) {
            None => state.hamiltonian = value,
            Some(first) => {
                self.reporter
                    .error(ModelCode::DuplicateKey, here, "the Hamiltonian is given twice")
                    .hint("keep one of `hamiltonian` and `H`: they are the same")
                    .label(first, "first given here");
            }
        }
    }

    /// Reports a table without its Hamiltonian, unless it was refused.
    pub(crate) fn require_hamiltonian(&mut self, table: &str, given: Option<Place>, place: Place) {
        if given.is_none() && self.reporter.is_empty() {
            self.reporter
                .error(ModelCode::MissingSystem, place, format!("[{table}] has no `hamiltonian`"))
                .hint("add hamiltonian = \"…\"");
        }
    }

    /// `[inputs]`: expressions of time, or tables.
    pub(crate) fn inputs<'d>(&mut self, item: &'d Item, place: Place) -> Vec<RawInput<'d>> {
        let mut inputs = Vec::new();
        for (name, item) in self.table(item, "a table [inputs]", place) {
            let here = name.whole();
            let signal = match item.as_table_like() {
                Some(_) => self.signal(item, here),
                None => self.expression(item, here).map(RawSignal::Formula),
            };
            inputs.push(RawInput { name, signal });
        }
        inputs
    }

    fn signal<'d>(&mut self, item: &'d Item, place: Place) -> Option<RawSignal<'d>> {
        let (mut rows, mut hold, mut good) = (None, false, true);
        for (key, item) in self.table(item, "a table", place) {
            let here = key.whole();
            match key.text.as_ref() {
                "table" => {
                    let list = self.translations(item, here);
                    let mut pairs = Vec::with_capacity(list.len());
                    for (place, row) in list {
                        match <[Text<'d>; 2]>::try_from(row) {
                            Ok([t, u]) => pairs.push((t, u)),
                            Err(_) => {
                                good = false;
                                self.reporter
                                    .error(
                                        ModelCode::InputTable,
                                        place,
                                        "a row is a time and a value",
                                    )
                                    .hint("write table = [[0, 1], [1, 2.5]]");
                            }
                        }
                    }
                    rows = Some(pairs);
                }
                "between" => match item.as_str() {
                    Some("linear") => hold = false,
                    Some("hold") => hold = true,
                    other => {
                        good = false;
                        let shown =
                            other.map_or("this".to_owned(), |t| format!("`{}`", shorten(t)));
                        let place = self.place(item, here);
                        let message = format!("{shown} is not a way to interpolate between rows");
                        self.reporter
                            .error(ModelCode::InputTable, place, message)
                            .hint("write between = \"linear\" or between = \"hold\"");
                    }
                },
                other => {
                    good = false;
                    self.unknown_key(other, here, &["table", "between"], "an input");
                }
            }
        }
        if rows.is_none() && good {
            good = false;
            self.reporter.error(ModelCode::InputTable, place, "the input has no table").hint(
                format!("write {{ table = [[0, 1], [1, 2.5]], between = \"{}\" }}", BETWEEN[0]),
            );
        }
        rows.filter(|_| good).map(|rows| RawSignal::Table { rows, hold, place })
    }
}
