//! Rendering of errors survives whatever places it is given.

use isotrope::codes::DeriveCode;
use isotrope::{Diagnostic, Label, Place, Refusal, SourceText};
use isotrope_cli::diagnostics::render;

#[test]
fn places_outside_of_the_text_do_no_harm() {
    let texts: [&[u8]; 5] =
        [b"", b"\n\n", b"\xff\xfe\xfd", "θ = 1\r\nλ = 2".as_bytes(), &[b'\xc3'; 500]];
    for bytes in texts {
        let sources = vec![
            SourceText { name: "m.toml".into(), bytes: bytes.to_vec() },
            SourceText { name: "--set".into(), bytes: b"g=1".to_vec() },
        ];
        for start in [0, 1, 2, 3, 5, 100, 499, usize::MAX] {
            for end in [0, 1, 4, 7, 250, usize::MAX] {
                for source in [0, 1, 9] {
                    let place = Place { source, start, end };
                    let diagnostics = vec![Diagnostic {
                        code: DeriveCode::DegenerateLagrangian.into(),
                        message: "no inertia".into(),
                        hint: None,
                        place: Some(place),
                        labels: vec![Label { place, message: "here".into() }],
                    }];
                    let refusal = Refusal { diagnostics, sources: sources.clone() };
                    assert!(render(&refusal).contains("ISO-DERIVE-003"));
                    let (line, column) = refusal.line_and_column(place);
                    assert!(line > 0 && column > 0);
                }
            }
        }
    }
}
