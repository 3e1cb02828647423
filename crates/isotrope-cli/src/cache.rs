//! What took long to compute, kept in a folder of the user.

use std::path::PathBuf;

use isotrope::{Cache, Disk, Files as _};

/// The longest entry that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// The folder `isotrope` among what can be computed again: `$XDG_CACHE_HOME`, or `~/.cache`.
#[derive(Debug, Clone)]
pub struct CacheFolder(Option<PathBuf>);

impl CacheFolder {
    /// The usual folder; without one nothing is kept.
    #[must_use]
    pub fn usual() -> Self {
        let set = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let caches = set("XDG_CACHE_HOME").filter(|path| path.is_absolute());
        let caches = caches.or_else(|| Some(set("HOME")?.join(".cache")));
        Self(caches.map(|caches| caches.join("isotrope")))
    }
}

impl Cache for CacheFolder {
    fn get(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.0.as_ref()?.join(name);
        // What is not a file of ours is not read: a pipe would never end.
        let known = std::fs::metadata(&path).ok()?;
        (known.is_file() && known.len() <= LONGEST).then(|| std::fs::read(path).ok())?
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        let Some(path) = self.0.as_ref().map(|folder| folder.join(name)) else { return };
        let Some(path) = path.to_str() else { return };
        // A cache does what it can: without a folder, without space, nothing is kept.
        if let Some(folder) = std::path::Path::new(path).parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        let _ = Disk.write(path, bytes);
    }
}
