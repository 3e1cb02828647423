//! Groups declared by users, also by hostile ones.

use isotrope_methods::trees::{Family, GroupsErrorReason as Reason};
use proptest::prelude::*;

use crate::support::{any_groups, named_families, totals};

#[test]
fn rules_of_every_family_parse_back() {
    for family in named_families() {
        let again = Family::parse(&family.rules()).unwrap();
        assert_eq!(again.rules(), family.rules());
        assert_eq!(totals(&again, 8), totals(&family, 8));
    }
}

#[test]
fn groups_are_written_freely() {
    let canonical = "q=v^1; v=q,v; p=q,v";
    for text in [
        "q=v^1;v=q,v;p=q,v",
        " q = v^1 ; v = v , q ; p = v q ; ",
        "q=v^1\nv=q v\np=q,v\n",
        "q=v^1;;v=q,v;p=v,q",
    ] {
        assert_eq!(Family::parse(text).unwrap().rules(), canonical, "{text}");
    }
    assert_eq!(Family::parse("x").unwrap().rules(), "x=");
    assert_eq!(Family::parse("x=").unwrap(), Family::parse("x").unwrap());
}

#[test]
fn what_cannot_be_read_is_refused_with_place_reason_and_way_out() {
    let unknown = |name: &str, declared: &[&str]| Reason::UnknownGroup {
        name: name.to_owned(),
        declared: declared.iter().map(|&name| name.to_owned()).collect(),
    };
    let cases = [
        ("", "", Reason::Empty),
        (" ; ;\n", " ; ;\n", Reason::Empty),
        ("x=y; x=x", "x", Reason::RepeatedGroup("x".to_owned())),
        ("x=x,z", "z", unknown("z", &["x"])),
        ("q=v; v=qv", "qv", unknown("qv", &["q", "v"])),
        ("x=x,x^2", "x^2", Reason::RepeatedDependency("x".to_owned())),
        ("x=x,", "", Reason::MissingName),
        ("x=,x", "", Reason::MissingName),
        ("=x", "", Reason::MissingName),
        ("x=x^", "", Reason::NotABound(String::new())),
        ("x=x^0", "0", Reason::NotABound("0".to_owned())),
        ("x=x^-1", "-1", Reason::NotABound("-1".to_owned())),
        ("x=x^+1", "+1", Reason::NotABound("+1".to_owned())),
        ("x=x^2^2", "2^2", Reason::NotABound("2^2".to_owned())),
        (
            "x=x^99999999999999999999",
            "99999999999999999999",
            Reason::NotABound("99999999999999999999".to_owned()),
        ),
        ("1=1", "1", Reason::NotAName("1".to_owned())),
        ("x[1]=x", "x[1]", Reason::NotAName("x[1]".to_owned())),
        ("x=x=x", "x=x", Reason::NotAName("x=x".to_owned())),
        ("x\0=x", "x\0", Reason::NotAName("x\u{fffd}".to_owned())),
        ("😀=x", "😀", Reason::NotAName("😀".to_owned())),
    ];
    for (text, place, reason) in cases {
        let error = Family::parse(text).unwrap_err();
        assert_eq!(error.reason, reason, "{text:?}");
        assert_eq!(&text[error.span.clone()], place, "{text:?}");
        assert!(!error.reason.hint().is_empty() && !error.to_string().is_empty());
    }
    assert_eq!(Family::parse("x=y; x=x").unwrap_err().span, 5..6);
    let hint = Family::parse("q=v; v=qv").unwrap_err().reason.hint();
    assert_eq!(hint, "separate the groups by commas: `q,v`");
}

#[test]
fn monsters_are_refused() {
    let long = "x=x;".repeat(100_000);
    assert_eq!(Family::parse(&long).unwrap_err().reason, Reason::TooLong);
    let many: Vec<String> = (0..40).map(|k| format!("x{k}")).collect();
    assert_eq!(Family::parse(&many.join(";")).unwrap_err().reason, Reason::TooManyGroups);
    let name = "x".repeat(33);
    assert!(matches!(Family::parse(&name).unwrap_err().reason, Reason::NotAName(_)));
    let bound = format!("x=x^{}", usize::MAX);
    assert_eq!(totals(&Family::parse(&bound).unwrap(), 6), [1, 1, 2, 4, 9, 20]);
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[a-c=;,^ 0-9\\n\\[é]{0,24}") {
        match Family::parse(&text) {
            Ok(family) => {
                let again = Family::parse(&family.rules()).unwrap();
                prop_assert_eq!(again.rules(), family.rules());
            }
            Err(error) => {
                prop_assert!(text.get(error.span).is_some());
            }
        }
    }

    #[test]
    fn rules_of_random_groups_parse_back(groups in any_groups()) {
        let family = Family::parse(&groups).unwrap();
        prop_assert_eq!(&Family::parse(&family.rules()).unwrap(), &family);
        prop_assert_eq!(family.rules(), groups);
    }
}
