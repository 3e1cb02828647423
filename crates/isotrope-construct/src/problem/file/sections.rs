//! The sections of a problem file.

use isotrope_algebra::ExprId;
use isotrope_algebra::syntax::{Span, nearest};
use toml_edit::TableLike;

use super::ProblemCode;
use super::read::Reader;
use crate::problem::{Balance, Draft, Group};
use isotrope_methods::trees::Family;
use isotrope_model::files::{item_span, shorten};

/// Variables of all groups together.
const MOST_VARIABLES: usize = 200;

impl Reader<'_> {
    pub(super) fn groups(&mut self, root: &dyn TableLike, draft: &mut Draft) {
        let groups = self.file.toml.section(root, "groups");
        if groups.is_empty() && self.file.is_clean() {
            let message = "the problem has no groups of variables";
            self.file.error(ProblemCode::MissingPart, Span::new(0, 0), message);
        }
        let mut count = 0;
        for (key, item) in groups {
            let here = key.whole().span;
            let Some(list) = item.as_array() else {
                self.file.toml.wrong_type(item, "a list of names", here);
                continue;
            };
            if !self.file.named(&key) {
                continue;
            }
            count += list.len();
            if draft.groups.len() == Family::MAX_COLOURS || count > MOST_VARIABLES {
                let message = "there are too many groups or variables";
                self.file.error(ProblemCode::TooLarge, here, message);
                return;
            }
            let named = self.file.symbols(list, "the name of a variable", here);
            let (variables, symbols): (Vec<_>, Vec<_>) = named.into_iter().unzip();
            let group = Group { name: key.text.to_string(), variables };
            if group.variables.is_empty() && self.file.is_clean() {
                let message = format!("the group `{}` has no variables", shorten(&group.name));
                self.file.error(ProblemCode::MissingPart, here, message);
            }
            draft.rates.push(vec![ExprId::ZERO; symbols.len()]);
            draft.groups.push(group);
            draft.symbols.push(symbols);
        }
    }

    pub(super) fn rates(&mut self, root: &dyn TableLike, draft: &mut Draft) {
        let mut given: Vec<String> = Vec::new();
        for (key, text) in self.file.toml.texts(root, "rates") {
            let find = |group: &Group| group.variables.iter().position(|v| *v == key.text);
            let at = draft.groups.iter().enumerate().find_map(|(g, group)| Some((g, find(group)?)));
            let Some((group, variable)) = at else {
                let names = draft.groups.iter().flat_map(|group| &group.variables);
                let near = nearest(&key.text, names.map(String::as_str));
                let hint = near.map(|near| format!("did you mean `{near}`?"));
                let message = format!("`{}` is in no group", shorten(&key.text));
                let span = key.whole().span;
                self.file.hinted(ProblemCode::Rate, span, message, hint);
                continue;
            };
            given.push(key.text.to_string());
            if let Some(rate) = self.file.read(&text) {
                draft.rates[group][variable] = rate;
            }
        }
        if !self.file.is_clean() {
            return;
        }
        for variable in draft.groups.iter().flat_map(|group| &group.variables) {
            if !given.contains(variable) {
                let message = format!("`{}` has no rate", shorten(variable));
                let hint = Some(format!("write {variable} = \"…\" under [rates]"));
                let place = Span::new(0, 0);
                self.file.hinted(ProblemCode::Rate, place, message, hint);
            }
        }
    }

    pub(super) fn balances(&mut self, root: &dyn TableLike, draft: &mut Draft) {
        for (key, item) in self.file.toml.section(root, "balance") {
            let here = key.whole().span;
            let Some(table) = item.as_table_like() else {
                self.file.toml.wrong_type(item, "a table { energy, supply, group }", here);
                continue;
            };
            if !self.file.named(&key) {
                continue;
            }
            let name = key.text.to_string();
            self.place(&name, &key, item_span(item).unwrap_or(here));
            let (mut energy, mut supply, mut group) = (None, None, None);
            for (part, item) in self.file.toml.items(table) {
                let place = part.whole().span;
                match part.text.as_ref() {
                    "energy" | "supply" => {
                        let Some(text) = self.file.toml.text(item, place) else { continue };
                        let value = self.file.read(&text);
                        if part.text == "energy" { energy = value } else { supply = value }
                    }
                    "group" => {
                        let wanted = item.as_str().unwrap_or_default();
                        group = draft.groups.iter().position(|group| group.name == wanted);
                        if group.is_none() {
                            let span = item_span(item).unwrap_or(place);
                            let message = format!("there is no group `{}`", shorten(wanted));
                            self.file.error(ProblemCode::UnknownGroup, span, message);
                        }
                    }
                    _ => {
                        let hint = "a balance has energy, supply and group".to_owned();
                        self.file.toml.unknown_key(&part, "a balance", hint);
                    }
                }
            }
            for part in ["energy", "supply"] {
                if !table.contains_key(part) {
                    let message = format!("the balance `{}` has no `{part}`", shorten(&name));
                    let hint = Some(format!("add {part} = \"…\""));
                    let code = ProblemCode::MissingPart;
                    self.file.hinted(code, here, message, hint);
                }
            }
            if let (Some(energy), Some(supply)) = (energy, supply) {
                draft.balances.push(Balance { name, energy, supply, group });
            }
        }
    }
}
