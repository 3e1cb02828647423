//! Rendering of errors survives whatever places it is given.

use isotrope::diagnostics::{Origin, render_derive_errors};
use isotrope::model::{Place, Source, Span};
use isotrope::scheme::derive::DeriveError;

#[test]
fn places_outside_of_the_text_do_no_harm() {
    let set = ["g=1".to_owned()];
    let texts: [&[u8]; 5] =
        [b"", b"\n\n", b"\xff\xfe\xfd", "θ = 1\r\nλ = 2".as_bytes(), &[b'\xc3'; 500]];
    for bytes in texts {
        let origin = Origin { name: "m.toml".into(), bytes, set: &set, initial: &[] };
        for start in [0, 1, 2, 3, 5, 100, 499, u32::MAX] {
            for end in [0, 1, 4, 7, 250, u32::MAX] {
                for source in [Source::File, Source::Set(0), Source::Set(9), Source::Initial(3)] {
                    let place = Place { source, span: Span { start, end } };
                    let error = DeriveError::DegenerateLagrangian { constraints: 0, place };
                    assert!(render_derive_errors(&origin, &[error]).contains("ISO-DERIVE-003"));
                }
            }
        }
    }
}
