//! What a study comes to: groups that are compiled once, shards that are computed at once, and everything
//! they need as text.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use isotrope::codes::SweepCode;
use isotrope::rooms::algebra::syntax::nearest;
use isotrope::{Failure, FileError, Files, Host, Model, Overrides};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::points::Points;
use crate::read::{read_study, same};
use crate::study::Study;

/// The version of stores.
const VERSION: u32 = 1;
/// Members of a study, at most.
const MOST: u128 = 10_000_000_000;

/// A study with everything that it needs, as text: what workers receive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Of the format.
    pub version: u32,
    /// What names this plan: of texts, version and size of shards.
    pub hash: String,
    /// The name of the study among the files.
    pub study: String,
    /// Texts by their names, as the study writes them.
    pub files: BTreeMap<String, String>,
    /// What is compiled once.
    pub groups: Vec<Group>,
    /// Members of a shard.
    pub shard_size: u64,
}

/// Members that share a method and a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The method; `null`: that of the model.
    pub method: Option<String>,
    /// The step; `null`: that of the model.
    pub step: Option<String>,
    /// How many members.
    pub members: u64,
}

/// Members that are computed at once and kept in one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Its number in the study.
    pub number: u64,
    /// Its group.
    pub group: usize,
    /// Its number in the group.
    pub in_group: u64,
    /// The first member.
    pub first: u64,
    /// How many.
    pub count: u64,
}

impl Shard {
    /// The name of its file.
    #[must_use]
    pub fn file(&self) -> String {
        format!("g{:03}-s{:06}.parquet", self.group, self.in_group)
    }
}

impl Plan {
    /// Members of a shard where nothing else is said.
    pub const SHARD: u64 = 1024;

    /// Reads a study and the files it names, which lie beside it, below it, or in a folder beside its own.
    pub fn read(host: &Host, path: &str, shard_size: u64) -> Result<Self, Failure> {
        let folder = Path::new(path).parent().unwrap_or(Path::new(""));
        let name = Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy());
        let text = text_of(host.files().read(path)?, path)?;
        let mut files = BTreeMap::from([(name.clone().into_owned(), text)]);
        let near = Beside { files: host.files(), folder };
        let study = study_of(&name, &files[&*name], &mut |file| near.text(file))?;
        let mut wanted = vec![study.model.clone()];
        wanted.extend(files_of_axes(&files[&*name]));
        for method in &study.run.methods {
            if let Some((_, file)) =
                method.split_once(':').filter(|(_, file)| file.ends_with(".toml"))
            {
                wanted.push(file.to_owned());
            }
        }
        for file in wanted {
            let text = near.text(&file)?;
            files.insert(file, text);
        }
        Self::new(name.into_owned(), files, shard_size)
    }

    /// Of texts that are there.
    pub fn new(
        study: String,
        files: BTreeMap<String, String>,
        shard_size: u64,
    ) -> Result<Self, Failure> {
        let known = |file: &str| {
            files.get(file).cloned().ok_or_else(|| {
                refuse(SweepCode::Missing, format!("the study needs `{file}`, which is not there"))
            })
        };
        let text = known(&study)?;
        let read = study_of(&study, &text, &mut |file| known(file))?;
        let model = model_of(&read, &known(&read.model)?)?;
        axes_are_known(&read, &model)?;
        let members = Points::count(&read.axes, read.sample);
        let groups = read.run.methods.len().max(1) * read.run.steps.len().max(1);
        let all = members.saturating_mul(groups as u128);
        if all > MOST {
            let bytes = all.saturating_mul(8 * (read.axes.len() as u128 + 8));
            let hours = all as f64 * 1e-5 / 3600.0;
            let message = format!(
                "the study has {all} members: some {} GB, and {hours:.0} hours at a hundred thousand members a \
                 second; at most {MOST} are run",
                bytes / 1_000_000_000
            );
            return Err(refuse(SweepCode::TooMany, message));
        }
        let members = u64::try_from(members).unwrap_or(u64::MAX);
        let or_none = |list: &[String]| -> Vec<Option<String>> {
            if list.is_empty() { vec![None] } else { list.iter().cloned().map(Some).collect() }
        };
        let mut groups = Vec::new();
        for method in or_none(&read.run.methods) {
            for step in or_none(&read.run.steps) {
                groups.push(Group { method: method.clone(), step, members });
            }
        }
        let shard_size = shard_size.clamp(1, 1 << 20);
        let hash = hash(&study, &files, shard_size);
        Ok(Self { version: VERSION, hash, study, files, groups, shard_size })
    }

    /// A plan from its text, as [`Plan::text`] writes it.
    pub fn from_text(text: &str) -> Result<Self, Failure> {
        let plan: Self = serde_json::from_str(text).map_err(|error| {
            refuse(SweepCode::Store, format!("the plan cannot be read: {error}"))
        })?;
        if plan.version != VERSION {
            let message =
                format!("the plan is of version {}, this program reads {VERSION}", plan.version);
            return Err(refuse(SweepCode::OtherStudy, message));
        }
        let again = Self::new(plan.study.clone(), plan.files.clone(), plan.shard_size)?;
        if again == plan {
            return Ok(plan);
        }
        let message = "the plan was made by another version of the program, or was changed";
        Err(refuse(SweepCode::OtherStudy, message))
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The study.
    pub fn study(&self) -> Result<Study, Failure> {
        let text = self.files.get(&self.study).map_or("", String::as_str);
        study_of(&self.study, text, &mut |file| {
            Ok(self.files.get(file).cloned().unwrap_or_default())
        })
    }

    /// The model.
    pub fn model(&self, study: &Study) -> Result<Model, Failure> {
        model_of(study, self.files.get(&study.model).map_or("", String::as_str))
    }

    /// How many members.
    #[must_use]
    pub fn members(&self) -> u64 {
        self.groups.iter().map(|group| group.members).sum()
    }

    /// All shards, group after group.
    pub fn shards(&self) -> impl Iterator<Item = Shard> + '_ {
        let of_group = |(group, about): (usize, &Group)| {
            let (members, size) = (about.members, self.shard_size);
            (0..members.div_ceil(size)).map(move |in_group| {
                let first = in_group * size;
                Shard { number: 0, group, in_group, first, count: size.min(members - first) }
            })
        };
        let shards = self.groups.iter().enumerate().flat_map(of_group);
        (0..).zip(shards).map(|(number, shard)| Shard { number, ..shard })
    }

    /// Which files are different from those of another plan.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let names: std::collections::BTreeSet<&String> =
            self.files.keys().chain(other.files.keys()).collect();
        let mut different: Vec<String> = names
            .into_iter()
            .filter(|name| self.files.get(*name) != other.files.get(*name))
            .map(|name| format!("`{name}`"))
            .collect();
        if self.shard_size != other.shard_size {
            different.push(format!("the size of shards ({} there)", other.shard_size));
        }
        different
    }
}

/// Texts of a plan as files.
#[derive(Debug, Clone)]
pub struct Held(pub BTreeMap<String, String>);

impl Files for Held {
    fn read(&self, name: &str) -> Result<Vec<u8>, FileError> {
        let missing = || FileError::Missing { path: name.into(), near: None };
        self.0.get(name).map(|text| text.clone().into_bytes()).ok_or_else(missing)
    }

    fn write(&self, name: &str, _: &[u8]) -> Result<(), FileError> {
        Err(FileError::NoFiles { name: name.to_owned() })
    }
}

/// Files relative to a folder.
struct Beside<'f> {
    files: &'f dyn Files,
    folder: &'f Path,
}

impl Beside<'_> {
    fn text(&self, name: &str) -> Result<String, Failure> {
        let mut up = 0;
        let inside = Path::new(name).components().enumerate().all(|(k, part)| match part {
            Component::Normal(_) | Component::CurDir => true,
            Component::ParentDir => {
                up += 1;
                k == 0 && up == 1
            }
            _ => false,
        });
        if !inside || name.is_empty() {
            let message =
                format!("`{name}` is not a file beside or below the study, or in the folder above");
            return Err(refuse(SweepCode::Path, message));
        }
        let path = self.folder.join(name).display().to_string();
        text_of(self.files.read(&path)?, name)
    }
}

fn refuse(code: SweepCode, message: impl std::fmt::Display) -> Failure {
    Failure::plain(code, message, code.hint())
}

fn text_of(bytes: Vec<u8>, name: &str) -> Result<String, Failure> {
    String::from_utf8(bytes)
        .map_err(|_| refuse(SweepCode::NotUtf8, format!("`{name}` is not UTF-8 text")))
}

fn study_of(
    name: &str,
    text: &str,
    file: &mut dyn FnMut(&str) -> Result<String, Failure>,
) -> Result<Study, Failure> {
    let mut failed = None;
    let mut columns = |name: &str, column: &str| match file(name) {
        Ok(text) => column_of(&text, column),
        Err(failure) => {
            let message = failure.to_string();
            failed = Some(failure);
            Err(message)
        }
    };
    let read = read_study(name, text.as_bytes(), &mut columns);
    if let Some(failure) = failed {
        return Err(failure);
    }
    read.map_err(|errors| Failure::of_file(name, text.as_bytes(), &errors))
}

/// A column of a table with commas.
fn column_of(text: &str, column: &str) -> Result<Vec<f64>, String> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let names: Vec<&str> =
        lines.next().unwrap_or("").split(',').map(|name| name.trim().trim_matches('"')).collect();
    let place = match (column, names.len()) {
        ("", 1) => Some(0),
        (column, _) => names.iter().position(|name| *name == column),
    };
    let Some(place) = place else {
        return Err(format!("there is no column `{column}`: {}", names.join(", ")));
    };
    let value = |line: &str| line.split(',').nth(place)?.trim().parse::<f64>().ok();
    lines
        .enumerate()
        .map(|(k, line)| value(line).ok_or_else(|| format!("line {} has no number there", k + 2)))
        .collect()
}

/// Files that axes name.
fn files_of_axes(text: &str) -> Vec<String> {
    let document: Option<toml_edit::DocumentMut> = text.parse().ok();
    let axes = document.as_ref().and_then(|document| document.get("axes")?.as_table_like());
    let files = axes
        .into_iter()
        .flat_map(|axes| axes.iter())
        .filter_map(|(_, axis)| axis.as_table_like()?.get("file")?.as_str().map(str::to_owned));
    files.collect()
}

fn model_of(study: &Study, text: &str) -> Result<Model, Failure> {
    let overrides = Overrides { set: study.set.clone(), initial: Vec::new() };
    Model::parse(&study.model, text.as_bytes(), &overrides)
}

/// Every axis is a parameter or an initial value.
fn axes_are_known(study: &Study, model: &Model) -> Result<(), Failure> {
    let parsed = model.parsed();
    let mut names: Vec<String> = Vec::new();
    for parameter in &parsed.parameters {
        if parameter.structural && study.axes.iter().any(|axis| axis.name == parameter.name) {
            let message = format!(
                "`{}` is part of the structure of the model: members cannot change it",
                parameter.name
            );
            return Err(refuse(SweepCode::UnknownAxis, message));
        }
        names.push(parameter.name.clone());
    }
    for coordinate in &parsed.coordinates {
        names.push(coordinate.name.clone());
        names.push(format!("{}'", coordinate.name));
        names.push(format!("p_{}", coordinate.name));
    }
    for axis in &study.axes {
        if names.iter().any(|name| same(name, &axis.name)) {
            continue;
        }
        let message = format!("the model has nothing called `{}`", axis.name);
        let hint = match nearest(&axis.name, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => SweepCode::UnknownAxis.hint(),
        };
        return Err(Failure::plain(SweepCode::UnknownAxis, message, hint));
    }
    Ok(())
}

fn hash(study: &str, files: &BTreeMap<String, String>, shard_size: u64) -> String {
    let mut digest = Sha256::new();
    let mut add = |bytes: &[u8]| {
        digest.update((bytes.len() as u64).to_le_bytes());
        digest.update(bytes);
    };
    add(&VERSION.to_le_bytes());
    add(env!("CARGO_PKG_VERSION").as_bytes());
    add(&shard_size.to_le_bytes());
    add(study.as_bytes());
    for (name, text) in files {
        add(name.as_bytes());
        add(text.as_bytes());
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
