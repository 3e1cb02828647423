//! Certificates of methods that are not in the list, from run to run.

use isotrope_certify::stored::{all, key, recall, remembered};

use crate::host::Host;

/// Does some work that asks for certificates of these methods. Those that the host has kept are not computed,
/// those that were computed are kept.
pub(crate) fn remembering<'a, T>(
    host: &Host,
    names: impl IntoIterator<Item = &'a str>,
    work: impl FnOnce() -> T,
) -> T {
    let file = |name: &str| format!("certificates/{}.json", key(name));
    let recalled = |name: &str| {
        let bytes = host.cache().get(&file(name));
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        text.is_some_and(|text| recall(name, &text))
    };
    let unlisted = names.into_iter().filter(|&name| !all().contains_key(name));
    let missing: Vec<&str> = unlisted.filter(|&name| !recalled(name)).collect();
    let done = work();
    for name in missing {
        if let Some(text) = remembered(name) {
            host.cache().put(&file(name), text.as_bytes());
        }
    }
    done
}
