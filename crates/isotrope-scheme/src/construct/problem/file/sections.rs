//! The sections of a problem file.

use isotrope_algebra::ExprId;
use isotrope_algebra::syntax::{Grammar, Span, nearest};
use isotrope_model::Text;
use toml_edit::TableLike;

use super::ProblemCode;
use super::read::Reader;
use crate::construct::problem::{Balance, Draft, Group, Parameter};
use crate::methods::table::file::{item_span, shorten, value_kind, value_span};
use crate::methods::trees::Family;

/// Variables of all groups together.
const MOST_VARIABLES: usize = 200;

impl Reader<'_> {
    pub(super) fn parameters(&mut self, root: &dyn TableLike) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for (key, text) in self.texts(root, "parameters") {
            let name = key.text.to_string();
            if text.text.trim() == "symbol" {
                let symbol = self.expressions.pool.symbol(&name);
                if self.declare(&key, symbol) {
                    parameters.push(Parameter { name, value: None });
                }
                continue;
            }
            let Some(read) = self.read(&text, Grammar::Expression) else { continue };
            let Some(value) = self.expressions.pool.as_number(read).cloned() else {
                let message = format!("the value of `{}` is no rational number", shorten(&name));
                self.reporter.error(ProblemCode::Parameter, text.whole().span, message);
                continue;
            };
            if self.declare(&key, read) {
                parameters.push(Parameter { name, value: Some(value) });
            }
        }
        parameters
    }

    pub(super) fn groups(&mut self, root: &dyn TableLike, draft: &mut Draft) {
        let groups = self.section(root, "groups");
        if groups.is_empty() && self.reporter.is_empty() {
            let message = "the problem has no groups of variables";
            self.reporter.error(ProblemCode::MissingPart, Span::new(0, 0), message);
        }
        let mut count = 0;
        for (key, item) in groups {
            let here = key.whole().span;
            let Some(list) = item.as_array() else {
                self.wrong_type(item, "a list of names", here);
                continue;
            };
            if !self.named(&key) {
                continue;
            }
            count += list.len();
            if draft.groups.len() == Family::MAX_COLOURS || count > MOST_VARIABLES {
                let message = "there are too many groups or variables";
                self.reporter.error(ProblemCode::TooLarge, here, message);
                return;
            }
            let mut group = Group { name: key.text.to_string(), variables: Vec::new() };
            let mut symbols = Vec::new();
            for value in list {
                let span = value_span(value, here);
                let Some(name) = value.as_str() else {
                    let message =
                        format!("the name of a variable is wanted here, not {}", value_kind(value));
                    self.reporter.error(ProblemCode::WrongType, span, message);
                    continue;
                };
                let symbol = self.expressions.pool.symbol(name);
                if self.declare(&Text::toml(self.file, span, name), symbol) {
                    group.variables.push(name.to_owned());
                    symbols.push(symbol);
                }
            }
            if group.variables.is_empty() && self.reporter.is_empty() {
                let message = format!("the group `{}` has no variables", shorten(&group.name));
                self.reporter.error(ProblemCode::MissingPart, here, message);
            }
            draft.rates.push(vec![ExprId::ZERO; symbols.len()]);
            draft.groups.push(group);
            draft.symbols.push(symbols);
        }
    }

    pub(super) fn rates(&mut self, root: &dyn TableLike, draft: &mut Draft) {
        let mut given: Vec<String> = Vec::new();
        for (key, text) in self.texts(root, "rates") {
            let find = |group: &Group| group.variables.iter().position(|v| *v == key.text);
            let at = draft.groups.iter().enumerate().find_map(|(g, group)| Some((g, find(group)?)));
            let Some((group, variable)) = at else {
                let names = draft.groups.iter().flat_map(|group| &group.variables);
                let near = nearest(&key.text, names.map(String::as_str));
                let hint = near.map(|near| format!("did you mean `{near}`?"));
                let message = format!("`{}` is in no group", shorten(&key.text));
                let span = key.whole().span;
                self.reporter.with(ProblemCode::Rate, span, message, hint, Vec::new());
                continue;
            };
            given.push(key.text.to_string());
            if let Some(rate) = self.read(&text, Grammar::Expression) {
                draft.rates[group][variable] = rate;
            }
        }
        if !self.reporter.is_empty() {
            return;
        }
        for variable in draft.groups.iter().flat_map(|group| &group.variables) {
            if !given.contains(variable) {
                let message = format!("`{}` has no rate", shorten(variable));
                let hint = Some(format!("write {variable} = \"…\" under [rates]"));
                let place = Span::new(0, 0);
                self.reporter.with(ProblemCode::Rate, place, message, hint, Vec::new());
            }
        }
    }

    pub(super) fn balances(&mut self, root: &dyn TableLike, draft: &mut Draft) {
        for (key, item) in self.section(root, "balance") {
            let here = key.whole().span;
            let Some(table) = item.as_table_like() else {
                self.wrong_type(item, "a table { energy, supply, group }", here);
                continue;
            };
            if !self.named(&key) {
                continue;
            }
            let name = key.text.to_string();
            self.place(&name, &key, item_span(item).unwrap_or(here));
            let (mut energy, mut supply, mut group) = (None, None, None);
            for (part, item) in self.items(table) {
                let place = part.whole().span;
                match part.text.as_ref() {
                    "energy" | "supply" => {
                        let Some(text) = self.text(item, place) else { continue };
                        let value = self.read(&text, Grammar::Expression);
                        if part.text == "energy" { energy = value } else { supply = value }
                    }
                    "group" => {
                        let wanted = item.as_str().unwrap_or_default();
                        group = draft.groups.iter().position(|group| group.name == wanted);
                        if group.is_none() {
                            let span = item_span(item).unwrap_or(place);
                            let message = format!("there is no group `{}`", shorten(wanted));
                            self.reporter.error(ProblemCode::UnknownGroup, span, message);
                        }
                    }
                    other => {
                        let message = format!("a balance has no key `{}`", shorten(other));
                        let hint = Some("a balance has energy, supply and group".to_owned());
                        let code = ProblemCode::UnknownKey;
                        self.reporter.with(code, place, message, hint, Vec::new());
                    }
                }
            }
            for part in ["energy", "supply"] {
                if !table.contains_key(part) {
                    let message = format!("the balance `{}` has no `{part}`", shorten(&name));
                    let hint = Some(format!("add {part} = \"…\""));
                    let code = ProblemCode::MissingPart;
                    self.reporter.with(code, here, message, hint, Vec::new());
                }
            }
            if let (Some(energy), Some(supply)) = (energy, supply) {
                draft.balances.push(Balance { name, energy, supply, group });
            }
        }
    }
}
