//! Bytes → model → derivation: whatever the bytes are, the answer is a system or a list of
//! errors, each with a code and a place inside the text it speaks of.
#![no_main]

use isotrope_algebra::Budget;
use isotrope_model::{ModelText, Place, Source, parse_model};
use isotrope_derive::derive;
use libfuzzer_sys::fuzz_target;

/// Enough for the equations of a small system; the rest must stop by itself.
const DERIVE_BUDGET: u64 = 20_000;
/// What may be derived: a thousand equal coordinates teach nothing that ten do not.
const MOST_COORDINATES: usize = 10;

fuzz_target!(|bytes: &[u8]| {
    let text = ModelText::new("fuzz.toml", bytes);
    let model = match parse_model(&text) {
        Ok(model) => model,
        Err(errors) => {
            assert!(!errors.is_empty(), "a refusal without a reason");
            for error in errors {
                assert!(!error.message.is_empty());
                inside(&text, Place { source: error.source, span: error.span });
                for label in error.labels {
                    inside(&text, Place { source: label.source, span: label.span });
                }
            }
            return;
        }
    };
    if model.coordinates.len() > MOST_COORDINATES {
        return;
    }
    if let Err(errors) = derive(model, &mut Budget::new(DERIVE_BUDGET)) {
        assert!(!errors.is_empty(), "a refusal without a reason");
        for error in errors {
            inside(&text, error.place());
        }
    }
});

/// A place is a range of whole characters.
fn inside(text: &ModelText<'_>, place: Place) {
    assert_eq!(place.source, Source::File, "there are no arguments to point into");
    let range = place.span.range();
    assert!(range.start <= range.end && range.end <= text.bytes.len(), "{range:?}");
    if let Ok(text) = std::str::from_utf8(text.bytes) {
        assert!(text.get(range.clone()).is_some(), "{range:?} cuts a character");
    }
}
