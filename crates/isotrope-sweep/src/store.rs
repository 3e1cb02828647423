//! A folder with what is done of a plan: immutable parts, and copies of everything that explains them.
//!
//! ```text
//! basins.store/
//!   study.toml, duffing.toml     copies, for people
//!   plan.json                    the plan: texts, groups, shards
//!   parts/g000-s000042.parquet   immutable; rows in the order of members
//!   bad/                         parts that could not be read, moved aside
//!   log.jsonl                    times and remarks: never in parts
//! ```

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use isotrope::Failure;
use isotrope::codes::SweepCode;
use isotrope::rooms::output::writers::Part;

use crate::plan::{Plan, Shard};

/// A store.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    plan: Plan,
}

impl Store {
    /// Opens the store of a plan, or begins it. That of another plan is refused.
    pub fn of(plan: Plan, folder: &Path) -> Result<Self, Failure> {
        let file = folder.join("plan.json");
        if file.exists() {
            let there = Self::open(folder)?;
            if there.plan.hash == plan.hash {
                return Ok(there);
            }
            let different = plan.differences(&there.plan);
            let message = match different.is_empty() {
                true => {
                    format!("`{}` is the store of another version of this study", folder.display())
                }
                false => format!(
                    "`{}` is the store of another study; different: {}",
                    folder.display(),
                    different.join(", ")
                ),
            };
            return Err(refuse(SweepCode::OtherStudy, message));
        }
        let store = Self { folder: folder.to_owned(), plan };
        if !store.is_begun() {
            let message = format!("`{}` is there already, and is no store", folder.display());
            return Err(refuse(SweepCode::Store, message));
        }
        store.begin().map_err(|error| store.failed("begun", &error))?;
        Ok(store)
    }

    /// Opens a store that is there.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        let file = folder.join("plan.json");
        let text = fs::read_to_string(&file).map_err(|error| {
            let message =
                format!("`{}` is no store: {}: {error}", folder.display(), file.display());
            refuse(SweepCode::Store, message)
        })?;
        let plan = Plan::from_text(&text)?;
        Ok(Self { folder: folder.to_owned(), plan })
    }

    /// Names and texts of the copies.
    fn copies(&self) -> Vec<(String, &str)> {
        let of_study = |name: &String| *name == self.plan.study;
        let copies = self.plan.files.iter().filter_map(|(name, text)| {
            let plain = Path::new(name).file_name()?.to_string_lossy().into_owned();
            Some((if of_study(name) { "study.toml".to_owned() } else { plain }, text.as_str()))
        });
        copies.collect()
    }

    /// Is there nothing in the folder but what an earlier try has begun?
    fn is_begun(&self) -> bool {
        let copies = self.copies();
        let known = |name: &str| {
            name == "parts"
                || name.ends_with(".partial")
                || copies.iter().any(|(own, _)| own == name)
        };
        match fs::read_dir(&self.folder) {
            Err(_) => !self.folder.exists(),
            Ok(mut entries) => entries.all(|entry| {
                entry.is_ok_and(|entry| entry.file_name().to_str().is_some_and(known))
            }),
        }
    }

    fn begin(&self) -> io::Result<()> {
        fs::create_dir_all(self.folder.join("parts"))?;
        for (name, text) in self.copies() {
            self.write(&self.folder.join(name), text.as_bytes())?;
        }
        // Last: a folder with a plan is a store.
        self.write(&self.folder.join("plan.json"), self.plan.text().as_bytes())
    }

    /// Its plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Its folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn part(&self, shard: Shard) -> PathBuf {
        self.folder.join("parts").join(shard.file())
    }

    /// Is there a file for a shard? Its contents are not looked at.
    #[must_use]
    pub fn has(&self, shard: Shard) -> bool {
        self.part(shard).is_file()
    }

    /// The names of all parts that are there, read once: asking for each of many files takes long.
    #[must_use]
    pub fn present(&self) -> rustc_hash::FxHashSet<String> {
        let entries = fs::read_dir(self.folder.join("parts"));
        let names = entries
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.collect()
    }

    /// The part of a shard; one that does not fit or cannot be read is moved aside.
    pub fn get(&self, shard: Shard) -> Result<Option<Part>, Failure> {
        let path = self.part(shard);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.failed("read", &error)),
        };
        if let Some(part) = self.fitting(shard, &bytes) {
            return Ok(Some(part));
        }
        let aside = self.folder.join("bad");
        let moved = fs::create_dir_all(&aside)
            .and_then(|()| fs::rename(&path, aside.join(format!("{}-{}", now(), shard.file()))));
        moved.map_err(|error| self.failed("repaired", &error))?;
        self.log(&format!("{} could not be read and was moved to bad/", shard.file()));
        Ok(None)
    }

    fn fitting(&self, shard: Shard, bytes: &[u8]) -> Option<Part> {
        let part = Part::from_bytes(bytes)?;
        let fits = part.rows() as u64 == shard.count
            && part.said("isotrope.hash") == Some(&*self.plan.hash)
            && part.said("isotrope.group") == Some(&*shard.group.to_string())
            && part.said("isotrope.shard") == Some(&*shard.in_group.to_string());
        fits.then_some(part)
    }

    /// Keeps the part of a shard: it is there whole, or not at all.
    pub fn put(&self, shard: Shard, bytes: &[u8]) -> Result<(), Failure> {
        self.write(&self.part(shard), bytes).map_err(|error| self.failed("written", &error))
    }

    /// Writes beside, to the disk, and renames.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let own = format!("{}.{}.partial", name.unwrap_or_default(), std::process::id());
        let beside = self.folder.join(own);
        let written = (|| {
            let mut file = fs::File::create(&beside)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&beside, path)?;
            match path.parent() {
                Some(folder) => fs::File::open(folder)?.sync_all(),
                None => Ok(()),
            }
        })();
        if written.is_err() {
            let _ = fs::remove_file(&beside);
        }
        written
    }

    /// Removes what processes that were killed have left beside the parts.
    pub fn tidy(&self) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for entry in entries {
            if entry.file_name().to_str().is_some_and(|name| name.ends_with(".partial")) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Takes the parts of other stores of the same plan.
    pub fn merge(&self, from: &Path) -> Result<u64, Failure> {
        let other = Self::open(from)?;
        if other.plan.hash != self.plan.hash {
            let message = format!("`{}` is the store of another study", from.display());
            return Err(refuse(SweepCode::OtherStudy, message));
        }
        let mut taken = 0;
        for shard in self.plan.shards() {
            if !self.has(shard)
                && let Some(part) = other.get(shard)?
            {
                self.put(shard, &part.to_bytes())?;
                taken += 1;
            }
        }
        Ok(taken)
    }

    /// Adds a line to the log; what cannot be logged is not worth ending for.
    pub fn log(&self, what: &str) {
        let line =
            serde_json::json!({ "time": now(), "process": std::process::id(), "what": what });
        let file =
            fs::OpenOptions::new().append(true).create(true).open(self.folder.join("log.jsonl"));
        if let Ok(mut file) = file {
            let _ = writeln!(file, "{line}");
        }
    }

    fn failed(&self, what: &str, error: &io::Error) -> Failure {
        let message = format!("the store `{}` cannot be {what}: {error}", self.folder.display());
        refuse(SweepCode::Store, message)
    }
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

fn refuse(code: SweepCode, message: impl std::fmt::Display) -> Failure {
    Failure::plain(code, message, code.hint())
}
