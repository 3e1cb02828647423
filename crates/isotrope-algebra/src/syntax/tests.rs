use proptest::prelude::*;

use super::*;
use crate::{ExprId, Pool};

fn read(text: &str) -> Tree {
    parse(text, Grammar::Equation, &[], &mut ParseLimits::default()).unwrap()
}

fn refuse(text: &str) -> Vec<SyntaxError> {
    parse(text, Grammar::Expression, &[], &mut ParseLimits::default()).unwrap_err().0
}

fn kinds(tree: &Tree) -> Vec<Kind> {
    tree.nodes().iter().map(|node| node.kind).collect()
}

fn same(left: &str, right: &str) {
    let mut pool = Pool::new();
    let (a, b) = (parse_expression(&mut pool, left), parse_expression(&mut pool, right));
    assert_eq!(a.unwrap(), b.unwrap(), "{left} and {right}");
}

/// Text of a random expression with as few brackets as the grammar needs.
fn any_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (0u32..1000).prop_map(|n| n.to_string()),
        (0u32..1000, 0u32..1000).prop_map(|(a, b)| format!("{a}.{b:03}")),
        prop::sample::select(vec![
            "x",
            "x'",
            "θ''",
            "pi",
            "a_1",
            "x[3]",
            "x[1,-2]'",
            "y[2*3-1]",
            "dot(z)",
            "undefined",
        ])
        .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(6, 60, 4, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            prop::collection::vec((inner.clone(), any::<bool>()), 2..4).prop_map(|terms| {
                let text: String = terms
                    .iter()
                    .map(|(term, minus)| format!("{}{term}", if *minus { " - " } else { " + " }))
                    .collect();
                format!("({})", text.trim_start_matches([' ', '+', '-']))
            }),
            pair.clone().prop_map(|(a, b)| format!("{a}*{b}")),
            pair.clone().prop_map(|(a, b)| format!("{a}/{b}")),
            pair.clone().prop_map(|(a, b)| format!("{a}^{b}")),
            pair.clone().prop_map(|(a, b)| format!("{a} ** -{b}")),
            inner.clone().prop_map(|a| format!("-{a}")),
            inner.clone().prop_map(|a| format!("sin({a})")),
            pair.prop_map(|(a, b)| format!("atan2({a}, {b})")),
            inner.clone().prop_map(|a| format!("sum(k, 1, 3, k*{a} + x[k-1])")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("solve([[{a},1],[2,{b}]],[1,2],2)")),
        ]
    })
}

proptest! {
    #[test]
    fn a_printed_tree_reads_back_as_the_same_tree(text in any_text()) {
        let tree = read(&text);
        let printed = tree.to_string();
        let again = parse(&printed, Grammar::Expression, &[], &mut ParseLimits::default()).unwrap();
        prop_assert_eq!(kinds(&tree), kinds(&again), "{}", printed);
        prop_assert_eq!(tree.numbers(), again.numbers());
    }

    #[test]
    fn the_text_of_a_subtree_reads_as_that_subtree(text in any_text()) {
        let tree = read(&text);
        for (position, node) in tree.nodes().iter().enumerate() {
            prop_assert!(node.span.range().end <= text.len());
            let whole = matches!(
                node.kind,
                Kind::Sum(_) | Kind::Product(_) | Kind::Power | Kind::Negate | Kind::Call(_)
                    | Kind::SumEnd(_) | Kind::Indexed { .. }
            );
            let free = tree.nodes()[node.first.index()..position]
                .iter()
                .all(|below| !matches!(below.kind, Kind::Binder(_)));
            if whole && !node.index && free {
                let part = read(&text[node.span.range()]);
                let count = position + 1 - node.first.index();
                prop_assert_eq!(part.nodes().len(), count, "{}", &text[node.span.range()]);
            }
        }
    }

    #[test]
    fn lowering_a_printed_tree_gives_the_same_expression(text in any_text()) {
        let mut pool = Pool::new();
        let printed = read(&text).to_string();
        let limits = LowerLimits { number_bits: 1 << 13, ..LowerLimits::default() };
        let (a, b) = (symbols::read(&mut pool, &text, &limits), symbols::read(&mut pool, &printed, &limits));
        prop_assert_eq!(a.ok(), b.ok());
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[-+*/^()\\[\\]{},='. 0-9a-zθ²\u{307}]{0,40}") {
        let mut pool = Pool::new();
        let _ = parse_expression(&mut pool, &text);
        let _ = parse(&text, Grammar::Equation, &["i"], &mut ParseLimits::default());
        let _ = parse(&text, Grammar::Index, &[], &mut ParseLimits::default());
    }
}

#[test]
fn powers_bind_tighter_than_signs_and_to_the_right() {
    same("-x^2", "-(x^2)");
    same("2^3^2", "512");
    same("2^-x^2", "2^(-(x^2))");
    same("a/b*c", "(a*c)/b");
    same("a - b - c", "a - (b + c)");
    same("a*-b", "-(a*b)");
    same("+x - +y", "x - y");
    same("x**2", "x^2");
    same("x·y×z − π", "x*y*z - pi");
}

#[test]
fn typographic_primes_and_dot_are_primes() {
    same("x′", "x'");
    same("x’’", "x''");
    same("x″", "x''");
    same("dot(x)", "x'");
    same("dot(dot(x[2]))", "x[2]''");
    same("dot(x')", "x''");
}

#[test]
fn sums_expand_with_indices_and_may_be_empty() {
    same("sum(i, 1, 3, i*x[i])", "x[1] + 2*x[2] + 3*x[3]");
    same("sum(i, 1, 0, x[i])", "0");
    same("sum(i, 1, 2, sum(j, i, 2, x[i,j]))", "x[1,1] + x[1,2] + x[2,2]");
    same("sum(i, 1, 3, sum(i, 1, 1, x[i]))", "3*x[1]");
    same("sum(i, 1, 2, sum(j, 5, 4, y) + sum(k, 1, 2, x[i*(i+1)/2+k]))", "x[2]+x[3]+x[4]+x[5]");
}

#[test]
fn linear_solves_read_back_dense_and_sparse() {
    same("solve([[a,b],[c,d]],[e,f],2)", "solve(2,{{1,1,a},{1,2,b},{2,1,c},{2,2,d}},[e,f],2)");
    let mut pool = Pool::new();
    assert!(parse_expression(&mut pool, "solve([[a,b],[c]],[e,f],2)").is_err());
    assert!(parse_expression(&mut pool, "solve([[a,b],[c,d]],[e,f],3)").is_err());
    assert!(parse_expression(&mut pool, "[1,2]").is_err());
}

#[test]
fn undefined_is_a_word() {
    let mut pool = Pool::new();
    assert_eq!(parse_expression(&mut pool, "undefined"), Ok(ExprId::UNDEFINED));
    assert_eq!(parse_expression(&mut pool, "1/0"), Ok(ExprId::UNDEFINED));
}

#[test]
fn hostile_depth_is_refused() {
    for (open, close) in
        [("(", ")"), ("-", ""), ("2^", ""), ("sin(", ")"), ("x[", "]"), ("1+(", ")")]
    {
        let text = open.repeat(1_000_000) + "1" + &close.repeat(1_000_000);
        let errors = refuse(&text);
        let last = errors.last().unwrap();
        assert!(
            matches!(last.kind, SyntaxErrorKind::TooDeep(_) | SyntaxErrorKind::InIndex(_)),
            "{open}: {last}"
        );
    }
    assert_eq!(read(&"+".repeat(100_000).replace('+', "+ x ")).nodes().len(), 100_001);
}

#[test]
fn hostile_numbers_are_refused() {
    let mut pool = Pool::new();
    let digits = "9".repeat(1_000_000);
    for text in [digits.as_str(), "1e99999999999999999999", "1e1000000", &format!("0.{digits}")] {
        assert!(matches!(refuse(text)[0].kind, SyntaxErrorKind::TooManyDigits));
        assert!(parse_expression(&mut pool, text).is_err());
    }
}

#[test]
fn errors_say_where_what_and_how() {
    let texts = [
        "",
        "2x",
        "2 (x + 1)",
        "x y",
        "3 +",
        "(1 + 2",
        "1 + 2)",
        "sin",
        "sin()",
        "sin(x, y)",
        "sine(x)",
        "ln(x)",
        "x(y+1)",
        "x²",
        "ẋ + x\u{307}",
        "a = b",
        "a == b",
        "x < 1",
        "(x+1)'",
        "x'[1]",
        "dot(x+1)",
        "x[1.5]",
        "x[sin(1)]",
        "sum(1, 2, 3)",
        "sum(i, 1, 2)",
        "sum(i, 1, N",
        "x[1",
        "f(2x, y z)",
        "1_000",
        "a, b",
        "x[1)",
        "#",
        "2 * / 3",
        "{1}",
    ];
    let mut report = String::new();
    for text in texts {
        let errors = match parse(text, Grammar::Expression, &[], &mut ParseLimits::default()) {
            Ok(_) => vec![],
            Err(errors) => errors.0,
        };
        report += &format!("{text}\n");
        for error in errors {
            let hint = error.hint.as_deref().unwrap_or("-");
            report += &format!("    {:?} {error} | {hint}\n", error.span.range());
        }
    }
    insta::assert_snapshot!(report);
}
