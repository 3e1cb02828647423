use insta::assert_snapshot;
use proptest::prelude::*;

use super::check::{braces_balance, children_are_counted, is_well_formed};
use super::*;
use crate::syntax::parse_expression;
use crate::testing::{SYMBOLS, any_expression};
use crate::{Function, Rational};

const ENOUGH: u64 = 50_000_000;

fn read(pool: &mut Pool, text: &str) -> ExprId {
    parse_expression(pool, text).unwrap()
}

/// Reads a text, prints it, and checks that it reads back.
fn text(source: &str) -> String {
    let mut pool = Pool::new();
    let id = read(&mut pool, source);
    let printed = to_text(&pool, id, &mut Budget::new(ENOUGH)).unwrap();
    assert_eq!(read(&mut pool, &printed), id, "{source} -> {printed}");
    printed
}

fn latex(source: &str) -> String {
    let mut pool = Pool::new();
    let id = read(&mut pool, source);
    to_latex(&pool, id, &mut Budget::new(ENOUGH)).unwrap()
}

fn mathml(source: &str) -> String {
    let mut pool = Pool::new();
    let id = read(&mut pool, source);
    to_mathml(&pool, id, &mut Budget::new(ENOUGH)).unwrap()
}

#[test]
fn lagrangians_read_like_mechanics() {
    let sources = [
        "m/2*(x'^2 + y'^2) - m*g*y",
        "m*l^2*theta'^2/2 + m*g*l*cos(theta)",
        "m/2*(x'^2 + y'^2) + (J + m*a^2)/2*theta'^2 + m*a*theta'*(y'*cos(theta) - x'*sin(theta)) - m*g*sin(slope)*(y + a*sin(theta))",
        "(m1 + m2)*l1^2*theta1'^2/2 + m2*l2^2*theta2'^2/2 + m2*l1*l2*theta1'*theta2'*cos(theta2 - theta1)",
        "(p_x^2 + p_y^2)/(2*m) + (p_theta + a*p_x*sin(theta) - a*p_y*cos(theta))^2/(2*J)",
        "m*(g*y - (x'^2 + y'^2))/(2*(x^2 + y^2))",
        "sin(theta)*x' - cos(theta)*y'",
        "x^2 + y^2 - l^2",
        "m*x'' + c*x' + k*x - F",
        "(x1'^2 + x2'^2 + x10'^2)/2 - k*(x10 - x2)^2/2",
        "x*y' - y*x'",
    ];
    let printed: Vec<String> = sources.iter().map(|source| text(source)).collect();
    assert_snapshot!(printed.join("\n"), @r#"
    m*(x'^2 + y'^2)/2 - g*m*y
    l^2*m*theta'^2/2 + g*l*m*cos(theta)
    m*(x'^2 + y'^2)/2 + a*m*theta'*(y'*cos(theta) - x'*sin(theta)) + theta'^2*(a^2*m + J)/2 - g*m*sin(slope)*(a*sin(theta) + y)
    l1^2*theta1'^2*(m1 + m2)/2 + l1*l2*m2*theta1'*theta2'*cos(theta1 - theta2) + l2^2*m2*theta2'^2/2
    (a*p_x*sin(theta) - a*p_y*cos(theta) + p_theta)^2/(2*J) + (p_x^2 + p_y^2)/(2*m)
    m*(g*y - x'^2 - y'^2)/(2*(x^2 + y^2))
    x'*sin(theta) - y'*cos(theta)
    x^2 + y^2 - l^2
    m*x'' + c*x' + k*x - F
    x1'^2/2 + x2'^2/2 + x10'^2/2 - k*(x2 - x10)^2/2
    x*y' - y*x'
    "#);
}

#[test]
fn small_expressions_read_well() {
    let sources = [
        "0",
        "-3/4",
        "-x",
        "-2*x/3",
        "1/x",
        "-1/x",
        "x^-2",
        "sqrt(3)/2",
        "sqrt(6)*x/3",
        "x^(3/2)",
        "1/sqrt(x)",
        "x^(1/3)",
        "12^(1/2)",
        "(a + b)*c/(d*e)",
        "-m*(v^2 - g*y)",
        "m*(-x - y)",
        "1 - x^2",
        "x^2 - 2*x + 1",
        "-x^2 - 1",
        "cos((x + y)/2)",
        "2*x - 2*y",
        "-2*x - 2*y",
        "x^(-a)",
        "x^(a - b)",
        "2^x",
        "(-2)^x",
        "(x*y)^a",
        "(x^a)^b",
        "sqrt(x*y)",
        "exp(-x)",
        "pi/2 - x",
        "-sin(x - y)",
        "sin(y - x)^2",
        "sqrt(sin(y - x))",
        "tan(x + pi/5)",
        "atan2(-y, x)",
        "abs(x - y)",
        "acos(y - x)",
        "1/(x - y)",
        "(x - y)^3*(z - y)",
        "undefined",
        "solve([[a, b], [0, d]], [e, -f], 2)",
        "x'''^2",
        "2^100000/2",
        "(1/2)^x",
        "log(x)^2/x",
    ];
    let printed: Vec<String> =
        sources.iter().map(|source| format!("{source}  =>  {}", text(source))).collect();
    assert_snapshot!(printed.join("\n"), @r#"
    0  =>  0
    -3/4  =>  -3/4
    -x  =>  -x
    -2*x/3  =>  -2*x/3
    1/x  =>  1/x
    -1/x  =>  -1/x
    x^-2  =>  1/x^2
    sqrt(3)/2  =>  sqrt(3)/2
    sqrt(6)*x/3  =>  sqrt(6)*x/3
    x^(3/2)  =>  x^(3/2)
    1/sqrt(x)  =>  1/sqrt(x)
    x^(1/3)  =>  x^(1/3)
    12^(1/2)  =>  2*sqrt(3)
    (a + b)*c/(d*e)  =>  c*(a + b)/(d*e)
    -m*(v^2 - g*y)  =>  m*(g*y - v^2)
    m*(-x - y)  =>  -m*(x + y)
    1 - x^2  =>  1 - x^2
    x^2 - 2*x + 1  =>  x^2 - 2*x + 1
    -x^2 - 1  =>  -x^2 - 1
    cos((x + y)/2)  =>  cos((x + y)/2)
    2*x - 2*y  =>  2*(x - y)
    -2*x - 2*y  =>  -2*(x + y)
    x^(-a)  =>  1/x^a
    x^(a - b)  =>  x^(a - b)
    2^x  =>  2^x
    (-2)^x  =>  (-2)^x
    (x*y)^a  =>  (x*y)^a
    (x^a)^b  =>  (x^a)^b
    sqrt(x*y)  =>  sqrt(x*y)
    exp(-x)  =>  exp(-x)
    pi/2 - x  =>  pi/2 - x
    -sin(x - y)  =>  -sin(x - y)
    sin(y - x)^2  =>  sin(x - y)^2
    sqrt(sin(y - x))  =>  sqrt(-sin(x - y))
    tan(x + pi/5)  =>  tan(x + pi/5)
    atan2(-y, x)  =>  atan2(-y, x)
    abs(x - y)  =>  abs(x - y)
    acos(y - x)  =>  acos(y - x)
    1/(x - y)  =>  1/(x - y)
    (x - y)^3*(z - y)  =>  (x - y)^3*(z - y)
    undefined  =>  undefined
    solve([[a, b], [0, d]], [e, -f], 2)  =>  solve([[a, b], [0, d]], [e, -f], 2)
    x'''^2  =>  x'''^2
    2^100000/2  =>  2^100000/2
    (1/2)^x  =>  (1/2)^x
    log(x)^2/x  =>  log(x)^2/x
    "#);
}

#[test]
fn latex_of_mechanics() {
    let sources = [
        "m/2*(x'^2 + y'^2) + (J + m*a^2)/2*theta'^2 + m*a*theta'*(y'*cos(theta) - x'*sin(theta))",
        "m*(g*y - (x'^2 + y'^2))/(2*(x^2 + y^2))",
        "sin(theta1)^2*cos(theta1)*(a + b) + sin(x)*exp(-x)",
        "sqrt(3)/2*x^(3/2) + x^(1/3) + abs(x)^3 + log(x)^2 + sqrt(sin(x))",
        "2*3^x*slope + x'''^2 + atan2(y, x)*asin(x)",
        "solve([[a, b], [0, d]], [e, -f], 2) + lambda_rod*λ",
        "-(x - y)/2*undef",
    ];
    let printed: Vec<String> = sources.iter().map(|source| latex(source)).collect();
    assert_snapshot!(printed.join("\n"), @r#"
    \frac{m \left(\dot{x}^{2} + \dot{y}^{2}\right)}{2} + a m \dot{\theta} \left(\dot{y} \cos \theta - \dot{x} \sin \theta\right) + \frac{\dot{\theta}^{2} \left(a^{2} m + J\right)}{2}
    \frac{m \left(g y - \dot{x}^{2} - \dot{y}^{2}\right)}{2 \left(x^{2} + y^{2}\right)}
    \sin^{2} \theta_{1} \cos\left(\theta_{1}\right) \left(a + b\right) + \sin\left(x\right) \mathrm{e}^{-x}
    \frac{\sqrt{3} x^{3/2}}{2} + \sqrt[3]{x} + \sqrt{\sin x} + \left(\log x\right)^{2} + \left|x\right|^{3}
    \left(x^{(3)}\right)^{2} + 2 \cdot 3^{x} \mathrm{slope} + \arcsin\left(x\right) \operatorname{atan2}\left(y, x\right)
    \lambda \lambda_{\mathrm{rod}} + \left[\begin{pmatrix}a & b \\ 0 & d\end{pmatrix}^{-1} \begin{pmatrix}e \\ -f\end{pmatrix}\right]_{2}
    \frac{\mathrm{undef} \left(y - x\right)}{2}
    "#);
}

#[test]
fn names_in_latex() {
    let names = [
        "x",
        "theta",
        "theta1",
        "x[3]",
        "x[i,j]",
        "x[10]'",
        "x'",
        "x''",
        "theta1'",
        "x'''",
        "x1'''",
        "p_x",
        "p_theta",
        "p_theta1",
        "p_x[3]",
        "lambda_rod",
        "lambda[rod]",
        "lambda_rod[3]",
        "slope",
        "link1",
        "slope'",
        "θ",
        "θ₁'",
        "varphi",
        "Omega_0",
        "Alpha",
        "a_b_c",
        "x_",
        "a<b",
        r"\input{x}",
        "a&b_c'",
        "a\nb",
        "{",
        "%",
        "'",
        "",
        "x1y",
    ];
    let printed: Vec<String> =
        names.iter().map(|name| format!("{name:?}  =>  {}", latex_name(name))).collect();
    assert_snapshot!(printed.join("\n"), @r#"
    "x"  =>  x
    "theta"  =>  \theta
    "theta1"  =>  \theta_{1}
    "x[3]"  =>  x_{3}
    "x[i,j]"  =>  x_{i, j}
    "x[10]'"  =>  \dot{x}_{10}
    "x'"  =>  \dot{x}
    "x''"  =>  \ddot{x}
    "theta1'"  =>  \dot{\theta}_{1}
    "x'''"  =>  x^{(3)}
    "x1'''"  =>  x_{1}^{(3)}
    "p_x"  =>  p_{x}
    "p_theta"  =>  p_{\theta}
    "p_theta1"  =>  p_{\theta_{1}}
    "p_x[3]"  =>  p_{x_{3}}
    "lambda_rod"  =>  \lambda_{\mathrm{rod}}
    "lambda[rod]"  =>  \lambda_{\mathrm{rod}}
    "lambda_rod[3]"  =>  \lambda_{\mathrm{rod}, 3}
    "slope"  =>  \mathrm{slope}
    "link1"  =>  \mathrm{link}_{1}
    "slope'"  =>  \dot{\mathrm{slope}}
    "θ"  =>  \theta
    "θ₁'"  =>  \dot{\theta}_{1}
    "varphi"  =>  \varphi
    "Omega_0"  =>  \Omega_{0}
    "Alpha"  =>  \mathrm{A}
    "a_b_c"  =>  a_{b, c}
    "x_"  =>  \text{x\_}
    "a<b"  =>  \text{a\textless{}b}
    "\\input{x}"  =>  \text{\textbackslash{}input\{x\}}
    "a&b_c'"  =>  \dot{\text{a\&b\_c}}
    "a\nb"  =>  \text{a b}
    "{"  =>  \text{\{}
    "%"  =>  \text{\%}
    "'"  =>  \text{'}
    ""  =>  \text{}
    "x1y"  =>  \mathrm{x1y}
    "#);
}

#[test]
fn names_in_mathml() {
    let names = ["x", "theta1'", "x''", "p_theta1", "x[1,2]", "x1'''", "lambda_rod", "<&>\"\u{0}'"];
    let printed: Vec<String> = names.iter().map(|name| mathml_name(name)).collect();
    assert_snapshot!(printed.join("\n"), @r#"
    <mi>x</mi>
    <msub><mover accent="true"><mi>θ</mi><mo>˙</mo></mover><mn>1</mn></msub>
    <mover accent="true"><mi>x</mi><mo>¨</mo></mover>
    <msub><mi>p</mi><msub><mi>θ</mi><mn>1</mn></msub></msub>
    <msub><mi>x</mi><mrow><mn>1</mn><mo>,</mo><mn>2</mn></mrow></msub>
    <msubsup><mi>x</mi><mn>1</mn><mrow><mo>(</mo><mn>3</mn><mo>)</mo></mrow></msubsup>
    <msub><mi>λ</mi><mi>rod</mi></msub>
    <mover accent="true"><mi>&lt;&amp;&gt;&quot;�</mi><mo>˙</mo></mover>
    "#);
}

#[test]
fn mathml_of_the_pendulum() {
    let sources = [
        "m*l^2*theta'^2/2 + m*g*l*cos(theta)",
        "-sqrt(x)*sin(x)^2*(a + b)",
        "x^(1/3) + x^(3/2) + exp(-x) + 2*3^x",
        "solve([[a, b], [0, d]], [e, -f], 2)",
    ];
    let printed: Vec<String> = sources.iter().map(|source| mathml(source)).collect();
    assert_snapshot!(printed.join("\n"), @r#"
    <mrow><mfrac><mrow><msup><mi>l</mi><mn>2</mn></msup><mo>&#x2062;</mo><mi>m</mi><mo>&#x2062;</mo><msup><mover accent="true"><mi>θ</mi><mo>˙</mo></mover><mn>2</mn></msup></mrow><mn>2</mn></mfrac><mo>+</mo><mrow><mi>g</mi><mo>&#x2062;</mo><mi>l</mi><mo>&#x2062;</mo><mi>m</mi><mo lspace="0.167em">&#x2062;</mo><mrow><mi>cos</mi><mo rspace="0.167em">&#x2061;</mo><mi>θ</mi></mrow></mrow></mrow>
    <mrow><mo>−</mo><mrow><msqrt><mi>x</mi></msqrt><mo lspace="0.167em">&#x2062;</mo><mrow><msup><mi>sin</mi><mn>2</mn></msup><mo>&#x2061;</mo><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow></mrow><mo>&#x2062;</mo><mrow><mo>(</mo><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mo>)</mo></mrow></mrow></mrow>
    <mrow><msup><mi>x</mi><mrow><mn>3</mn><mo>/</mo><mn>2</mn></mrow></msup><mo>+</mo><mrow><mn>2</mn><mo>⋅</mo><msup><mn>3</mn><mi>x</mi></msup></mrow><mo>+</mo><mroot><mi>x</mi><mn>3</mn></mroot><mo>+</mo><msup><mi mathvariant="normal">e</mi><mrow><mo>−</mo><mi>x</mi></mrow></msup></mrow>
    <msub><mrow><mo>[</mo><mrow><msup><mrow><mo>(</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mi>d</mi></mtd></mtr></mtable><mo>)</mo></mrow><mrow><mo>−</mo><mn>1</mn></mrow></msup><mo>&#x2062;</mo><mrow><mo>(</mo><mtable><mtr><mtd><mi>e</mi></mtd></mtr><mtr><mtd><mrow><mo>−</mo><mi>f</mi></mrow></mtd></mtr></mtable><mo>)</mo></mrow></mrow><mo>]</mo></mrow><mn>2</mn></msub>
    "#);
}

#[test]
fn the_order_of_creation_does_not_show() {
    let sources = [
        "m*(g*y - v^2) + cos(theta1 - theta2)*(x - y - z)^3/(y - x)",
        "sqrt(sin(x - y)) + tanh(a*(x - y - z))",
        "b*sin(1/(w + z - y)) - a*(x - y)^2*(y - x - z)",
    ];
    let orders = ["a b x y z v w g m theta1 theta2", "theta2 theta1 z y x w v m g b a"];
    for source in sources {
        let printed: Vec<String> = orders
            .iter()
            .map(|order| {
                let mut pool = Pool::new();
                order.split(' ').for_each(|name| {
                    pool.symbol(name);
                });
                let id = read(&mut pool, source);
                to_text(&pool, id, &mut Budget::new(ENOUGH)).unwrap()
            })
            .collect();
        assert_eq!(printed[0], printed[1]);
    }
}

#[test]
fn depth_does_not_overflow_the_stack() {
    let mut pool = Pool::new();
    let (x, y) = (pool.symbol("x"), pool.symbol("y"));
    let mut deep = x;
    for _ in 0..50_000 {
        let sum = pool.add(deep, y);
        deep = pool.call(Function::Sinh, sum);
    }
    for format in [Format::Text, Format::Latex, Format::MathMl] {
        let printed = Printer::new(format).print_one(&pool, deep, &mut Budget::new(ENOUGH));
        assert!(printed.unwrap().len() > 400_000);
    }
}

#[test]
fn an_exponential_tree_stops_at_the_budget_and_prints_when_shared() {
    let mut pool = Pool::new();
    let (x, y) = (pool.symbol("x"), pool.symbol("w1"));
    let mut id = pool.add(x, y);
    for _ in 0..100 {
        let sine = pool.call(Function::Sin, id);
        let square = pool.powi(id, 2);
        id = pool.add(sine, square);
    }
    let printer = Printer::new(Format::Text);
    let error = printer.print(&pool, &[id], &mut Budget::new(100_000)).unwrap_err();
    assert_eq!(error.doing, "printing an expression as text");
    let shared = printer.sharing(Sharing::Above(100));
    let printed = shared.print(&pool, &[id], &mut Budget::new(100_000)).unwrap();
    // Reading the definitions back in order gives the same expression.
    let mut values = rustc_hash::FxHashMap::default();
    let mut all = printed.definitions.clone();
    all.push(("result".to_owned(), printed.expressions[0].clone()));
    let mut last = ExprId::ZERO;
    for (name, body) in all {
        let read = read(&mut pool, &body);
        let unlimited = &mut Budget::unlimited();
        last = crate::calculus::substitute(&mut pool, &[read], &values, unlimited).unwrap()[0];
        let symbol = pool.symbol(&name);
        assert_ne!(name, "w1", "the name of a symbol is not used for a definition");
        values.insert(symbol, last);
    }
    assert_eq!(last, id);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn text_reads_back_as_the_same_expression(recipe in any_expression()) {
        let mut pool = Pool::new();
        let id = recipe.build(&mut pool);
        if let Ok(text) = to_text(&pool, id, &mut Budget::new(200_000)) {
            prop_assert_eq!(parse_expression(&mut pool, &text), Ok(id), "{}", text);
        }
    }

    #[test]
    fn latex_balances_and_mathml_is_well_formed(recipe in any_expression()) {
        let mut pool = Pool::new();
        let id = recipe.build(&mut pool);
        if let Ok(latex) = to_latex(&pool, id, &mut Budget::new(200_000)) {
            prop_assert!(braces_balance(&latex), "{}", latex);
        }
        if let Ok(xml) = to_mathml(&pool, id, &mut Budget::new(400_000)) {
            prop_assert!(is_well_formed(&xml) && children_are_counted(&xml), "{}", xml);
        }
    }

    #[test]
    fn any_name_is_escaped(name in ".*") {
        prop_assert!(braces_balance(&latex_name(&name)), "{}", latex_name(&name));
        let xml = mathml_name(&name);
        prop_assert!(is_well_formed(&xml) && children_are_counted(&xml), "{}", xml);
    }

    #[test]
    fn every_expression_prints_the_same_in_any_pool(recipe in any_expression()) {
        if !recipe.is_independent_of_creation() {
            return Ok(());
        }
        let mut pool = Pool::new();
        let id = recipe.build(&mut pool);
        let mut other = Pool::new();
        for symbol in SYMBOLS.iter().rev() {
            other.symbol(symbol);
        }
        let copy = recipe.build(&mut other);
        let budget = || Budget::new(200_000);
        if let (Ok(a), Ok(b)) =
            (to_text(&pool, id, &mut budget()), to_text(&other, copy, &mut budget()))
        {
            prop_assert_eq!(a, b);
        }
    }
}

#[test]
fn numbers_under_one_root_read_back() {
    let mut pool = Pool::new();
    let id = pool.number(Rational::new(4093 * 4091, 6).unwrap());
    let id = pool.sqrt(id);
    let text = to_text(&pool, id, &mut Budget::new(ENOUGH)).unwrap();
    assert_eq!(read(&mut pool, &text), id, "{text}");
}
