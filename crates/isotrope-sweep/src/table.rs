//! All parts of a store as one table; rows chosen, reductions.

use std::collections::BTreeMap;

use isotrope::Failure;
use isotrope::codes::SweepCode;
use isotrope::rooms::algebra::syntax::nearest;
use isotrope::rooms::output::writers::{Part, PartColumn};
use serde_json::{Map, Value, json};

use crate::store::Store;
use crate::study::{Kind, Reduction};

/// Everything that is there of a store.
#[derive(Debug)]
pub struct Table {
    /// The columns of all members.
    pub all: Part,
}

/// A comparison of a column with a number or a word.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    column: String,
    comparison: Comparison,
    value: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Less,
    AtMost,
    Equal,
    AtLeast,
    More,
    Other,
}

impl Filter {
    /// Reads `f < 0.22, outcome = completed`, all of which must hold.
    pub fn read(text: &str) -> Result<Vec<Self>, Failure> {
        use Comparison::{AtLeast, AtMost, Equal, Less, More, Other};
        const SIGNS: [(&str, Comparison); 8] = [
            ("<=", AtMost),
            (">=", AtLeast),
            ("!=", Other),
            ("==", Equal),
            ("=", Equal),
            ("<", Less),
            (">", More),
            ("≠", Other),
        ];
        let parts = text.split([',', '&']).flat_map(|part| part.split(" and "));
        let parts = parts.map(str::trim).filter(|part| !part.is_empty());
        parts
            .map(|part| {
                let sign = SIGNS.iter().find_map(|(sign, comparison)| {
                    let (column, value) = part.split_once(sign)?;
                    let word = |text: &str| text.trim().trim_matches('"').to_owned();
                    let (column, value) = (word(column), word(value));
                    Some(Self { column, comparison: *comparison, value })
                });
                sign.filter(|filter| !filter.column.is_empty()).ok_or_else(|| {
                    let message = format!("`{part}` is not a comparison, such as f < 0.22");
                    Failure::plain(SweepCode::Column, message, SweepCode::Column.hint())
                })
            })
            .collect()
    }

    /// As it is written.
    #[must_use]
    pub fn text(&self) -> String {
        let sign = match self.comparison {
            Comparison::Less => "<",
            Comparison::AtMost => "≤",
            Comparison::Equal => "=",
            Comparison::AtLeast => "≥",
            Comparison::More => ">",
            Comparison::Other => "≠",
        };
        format!("{} {sign} {}", self.column, self.value)
    }

    fn holds(&self, column: &PartColumn, row: usize) -> bool {
        let order = match (column.word(row), self.value.parse::<f64>()) {
            (Some(word), _) => Some(word.cmp(&self.value)),
            (None, Ok(value)) => column.number(row).and_then(|own| {
                // Values of axes are found although they are written with fewer digits.
                let near = (own - value).abs() <= 1e-9 * own.abs().max(value.abs());
                if near { Some(std::cmp::Ordering::Equal) } else { own.partial_cmp(&value) }
            }),
            (None, Err(_)) => None,
        };
        order.is_some_and(|order| match self.comparison {
            Comparison::Less => order.is_lt(),
            Comparison::AtMost => order.is_le(),
            Comparison::Equal => order.is_eq(),
            Comparison::AtLeast => order.is_ge(),
            Comparison::More => order.is_gt(),
            Comparison::Other => order.is_ne(),
        })
    }
}

impl Table {
    /// Reads all parts that are there.
    pub fn read(store: &Store) -> Result<Self, Failure> {
        let mut all: Option<Part> = None;
        for shard in store.plan().shards() {
            let Some(part) = store.get(shard)? else { continue };
            match &mut all {
                None => all = Some(part),
                Some(all) => append(all, part)?,
            }
        }
        let mut all = all.ok_or_else(|| {
            let message = format!("`{}` has no parts yet", store.folder().display());
            Failure::plain(SweepCode::Store, message, SweepCode::Store.hint())
        })?;
        all.metadata.clear();
        Ok(Self { all })
    }

    /// The column of this name; `x` is also `final_x` where there is no axis x.
    pub fn column(&self, name: &str) -> Result<&PartColumn, Failure> {
        let found = self.all.column(name).or_else(|| self.all.column(&format!("final_{name}")));
        found.ok_or_else(|| {
            let names = || self.all.names.iter().map(String::as_str);
            let hint = match nearest(name, names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the columns are {}", names().collect::<Vec<_>>().join(", ")),
            };
            Failure::plain(SweepCode::Column, format!("there is no column `{name}`"), hint)
        })
    }

    /// Those rows where all comparisons hold.
    pub fn chosen(&self, filters: &[Filter]) -> Result<Vec<usize>, Failure> {
        let mut columns = Vec::with_capacity(filters.len());
        for filter in filters {
            columns.push((filter, self.column(&filter.column)?));
        }
        let holds = |row: &usize| columns.iter().all(|(filter, column)| filter.holds(column, *row));
        Ok((0..self.all.rows()).filter(holds).collect())
    }

    /// The table of some rows.
    #[must_use]
    pub fn of_rows(&self, rows: &[usize]) -> Part {
        let take = |column: &PartColumn| match column {
            PartColumn::Numbers(all) => PartColumn::Numbers(rows.iter().map(|&k| all[k]).collect()),
            PartColumn::Integers(all) => {
                PartColumn::Integers(rows.iter().map(|&k| all[k]).collect())
            }
            PartColumn::Words { list, places } => PartColumn::Words {
                list: list.clone(),
                places: rows.iter().map(|&k| places[k]).collect(),
            },
        };
        Part {
            names: self.all.names.clone(),
            columns: self.all.columns.iter().map(take).collect(),
            metadata: Vec::new(),
        }
    }

    /// A reduction, as a list of objects: the values of the axes, then how many members, how many failed, and what
    /// became of them. Means over members that did not complete are `null`, unless they are left out on request.
    pub fn reduced(&self, reduction: &Reduction) -> Result<Value, Failure> {
        let of = self.column(&reduction.of)?;
        let outcomes = self.column("outcome")?;
        let mut by = Vec::with_capacity(reduction.by.len());
        for name in &reduction.by {
            by.push((name, self.column(name)?));
        }
        let mut groups: BTreeMap<Vec<u64>, Vec<usize>> = BTreeMap::new();
        for row in 0..self.all.rows() {
            let key = by.iter().map(|(_, column)| sortable(column.number(row).unwrap_or(0.0)));
            groups.entry(key.collect()).or_default().push(row);
        }
        let mut list = Vec::with_capacity(groups.len());
        for rows in groups.values() {
            let mut object = Map::new();
            for (name, column) in &by {
                let first = rows.first().copied().unwrap_or(0);
                object.insert((*name).clone(), cell(column, first));
            }
            let fine = |row: &&usize| matches!(outcomes.word(**row), Some("completed" | "escaped"));
            let completed: Vec<&usize> = rows.iter().filter(fine).collect();
            let failed = rows.len() - completed.len();
            object.insert("n".to_owned(), json!(rows.len()));
            object.insert("n_failed".to_owned(), json!(failed));
            match reduction.kind {
                Kind::Fraction => {
                    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
                    for row in &completed {
                        *counts.entry(cell(of, **row).to_string()).or_default() += 1;
                    }
                    let share = |count: usize| count as f64 / rows.len() as f64;
                    for (value, count) in counts {
                        let name = format!("{}={}", reduction.of, value.trim_matches('"'));
                        object.insert(name, json!(share(count)));
                    }
                }
                Kind::Mean => {
                    let whole = failed == 0 || reduction.completed_only;
                    let numbers = completed.iter().filter_map(|row| of.number(**row));
                    let sum: f64 = numbers.sum();
                    let mean = sum / completed.len() as f64;
                    let name = format!("mean_{}", reduction.of);
                    object.insert(name, if whole { json!(mean) } else { Value::Null });
                }
            }
            list.push(Value::Object(object));
        }
        Ok(Value::Array(list))
    }
}

/// Bits whose order is that of the numbers.
fn sortable(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// The value of a row as JSON.
#[must_use]
pub fn cell(column: &PartColumn, row: usize) -> Value {
    match column {
        PartColumn::Numbers(values) => json!(values.get(row)),
        PartColumn::Integers(values) => json!(values.get(row)),
        PartColumn::Words { .. } => json!(column.word(row)),
    }
}

/// The table with commas.
#[must_use]
pub fn to_csv(part: &Part) -> String {
    let mut text = part.names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(",");
    text.push('\n');
    for row in 0..part.rows() {
        for (k, column) in part.columns.iter().enumerate() {
            if k > 0 {
                text.push(',');
            }
            match column {
                PartColumn::Numbers(values) => text.push_str(&format!("{:?}", values[row])),
                PartColumn::Integers(values) => text.push_str(&values[row].to_string()),
                PartColumn::Words { .. } => text.push_str(&quoted(column.word(row).unwrap_or(""))),
            }
        }
        text.push('\n');
    }
    text
}

fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// Adds the rows of a part with the same columns; lists of words are joined.
fn append(all: &mut Part, part: Part) -> Result<(), Failure> {
    if all.names != part.names {
        let message = "the parts of the store have different columns";
        return Err(Failure::plain(SweepCode::Store, message, SweepCode::Store.hint()));
    }
    for (all, part) in all.columns.iter_mut().zip(part.columns) {
        match (all, part) {
            (PartColumn::Numbers(all), PartColumn::Numbers(part)) => all.extend(part),
            (PartColumn::Integers(all), PartColumn::Integers(part)) => all.extend(part),
            (
                PartColumn::Words { list, places },
                PartColumn::Words { list: words, places: own },
            ) => {
                let map: Vec<u32> = words
                    .into_iter()
                    .map(|word| {
                        let known = list.iter().position(|own| *own == word);
                        let place = known.unwrap_or_else(|| {
                            list.push(word);
                            list.len() - 1
                        });
                        place as u32
                    })
                    .collect();
                places.extend(own.into_iter().map(|place| map[place as usize]));
            }
            _ => {
                let message = "the parts of the store have different kinds of columns";
                return Err(Failure::plain(SweepCode::Store, message, SweepCode::Store.hint()));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table {
            all: Part {
                names: ["f", "outcome", "final_x"].map(str::to_owned).to_vec(),
                columns: vec![
                    PartColumn::Numbers(vec![0.1, 0.1, 0.2, 0.2]),
                    PartColumn::Words {
                        list: vec!["completed".into(), "non-finite".into()],
                        places: vec![0, 0, 0, 1],
                    },
                    PartColumn::Numbers(vec![1.0, 3.0, 5.0, f64::NAN]),
                ],
                metadata: Vec::new(),
            },
        }
    }

    #[test]
    fn rows_are_chosen_by_comparisons() {
        let chosen = |text: &str| table().chosen(&Filter::read(text).unwrap()).unwrap();
        assert_eq!(chosen("f < 0.15"), [0, 1]);
        assert_eq!(chosen("f = 0.2, outcome = completed"), [2]);
        assert_eq!(chosen("x >= 3 and outcome != non-finite"), [1, 2]);
        assert!(Filter::read("f").is_err());
        assert!(table().chosen(&Filter::read("g = 1").unwrap()).is_err());
    }

    #[test]
    fn a_mean_over_failures_is_none_unless_asked_for() {
        let mut reduction = Reduction {
            name: "mean".into(),
            kind: Kind::Mean,
            of: "x".into(),
            by: vec!["f".into()],
            completed_only: false,
        };
        let reduced = table().reduced(&reduction).unwrap();
        assert_eq!(reduced[0], json!({ "f": 0.1, "n": 2, "n_failed": 0, "mean_x": 2.0 }));
        assert_eq!(reduced[1], json!({ "f": 0.2, "n": 2, "n_failed": 1, "mean_x": null }));
        reduction.completed_only = true;
        assert_eq!(table().reduced(&reduction).unwrap()[1]["mean_x"], json!(5.0));
    }
}
