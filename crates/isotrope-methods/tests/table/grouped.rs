//! Files with tables for groups of variables.

use isotrope_methods::table::{
    ClaimedOrder, GroupedText, NotAPartition, TableCode, is_grouped, parse_grouped, write_grouped,
};

const FILE: &str = r#"
name = "two tables"
[groups.q]
variables = ["x", "y"]
a = [["1/2-sqrt(3)/6", 0], ["sqrt(3)/3", "1/2-sqrt(3)/6"]]
b = ["1/2", "1/2"]
[groups."p'"]
variables = ["u"]
b = ["1/2", "1/2"]
[declared]
class = "general"
order = 2
structure = "inf"
"#;

fn codes(file: &str) -> Vec<TableCode> {
    let errors = parse_grouped(&GroupedText::new("file.toml", file.as_bytes())).unwrap_err();
    errors.iter().map(|error| error.code).collect()
}

#[test]
fn what_is_written_reads_back_as_the_same_tables_and_claims() {
    let read = parse_grouped(&GroupedText::new("file.toml", FILE.as_bytes())).unwrap();
    assert_eq!(read.declared.structure.unwrap().0, ClaimedOrder::Infinite);
    let problem = "# a comment\nname = \"inner\"\n[groups]\nq = [\"x\"]\n";
    let text = write_grouped(&read.table, &read.declared, Some(problem));
    let again = parse_grouped(&GroupedText::new("file.toml", text.as_bytes())).unwrap();
    assert_eq!(again.table, read.table);
    assert!(again.has_problem && !read.has_problem);
    assert_eq!(again.declared.order.unwrap().0, 2);
    assert!(is_grouped(text.as_bytes()) && !is_grouped(b"b = [1]"));
}

#[test]
fn everything_that_is_wrong_has_its_code() {
    assert_eq!(codes("name = \"x\""), [TableCode::NoGroups]);
    assert_eq!(codes("groups.q = { variables = [\"x\"] }"), [TableCode::NoGroups]);
    let wide = "groups.q = { variables = [\"x\"], a = [[0, 0]], b = [1, 0] }";
    assert_eq!(codes(wide), [TableCode::Shape]);
    let strange = "groups.q = { variables = [\"x\"], c = [1], b = [1] }";
    assert_eq!(codes(strange), [TableCode::UnknownKey]);
    let number = "groups.q = { variables = [1], b = [\"pi\"] }";
    assert_eq!(codes(number), [TableCode::WrongType, TableCode::NotAlgebraic]);
}

#[test]
fn groups_share_out_the_variables_of_a_system_or_are_refused() {
    let table = parse_grouped(&GroupedText::new("file.toml", FILE.as_bytes())).unwrap().table;
    let split = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        table.partition(&names)
    };
    assert_eq!(split(&["u", "y", "x"]), Ok(vec![1, 0, 0]));
    assert!(matches!(split(&["u", "x"]), Err(NotAPartition::Unknown { group: 0, place: 1, .. })));
    assert!(matches!(split(&["u", "x", "y", "z"]), Err(NotAPartition::Missing { .. })));
}
