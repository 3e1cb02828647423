//! Charts as files: what is in them, whatever the data.

use isotrope_output::plot::{
    Axis, Chart, Colour, Dash, Direction, Guide, Range, Series, Size, Style, Theme, svg_style,
    to_inline_svg, to_png, to_svg,
};
use proptest::prelude::*;

const SMALL: Size = Size { width: 320.0, height: 220.0 };

fn chart(series: Vec<Series>) -> Chart {
    Chart {
        title: "A chart".to_owned(),
        x: Axis::linear("$t$"),
        y: Axis::linear("$x_1$"),
        series,
        ..Chart::default()
    }
}

fn logarithmic(series: Vec<Series>) -> Chart {
    Chart { x: Axis::log("step $h$"), y: Axis::log("error"), ..chart(series) }
}

#[test]
fn small_charts_as_text() {
    let wave = [0.0, 0.7, 1.0, 0.7, 0.0, -0.7, -1.0, -0.7, 0.0];
    let points = wave.iter().enumerate().map(|(k, &y)| (k as f64, y)).collect();
    insta::assert_snapshot!(
        "linear",
        to_inline_svg(&chart(vec![Series::line("", points)]), &SMALL)
    );

    let steps = [0.1, 0.05, 0.025, 0.0125];
    let errors = |order: i32| steps.iter().map(|&h: &f64| (h, h.powi(order))).collect();
    let slope = Series {
        colour: Colour::Soft,
        dash: Dash::Dashed,
        ..Series::line("slope 2", vec![(0.0125, 1e-4), (0.1, 6.4e-3)])
    };
    let two = vec![Series::marked("rk4", errors(4)), Series::marked("midpoint", errors(2)), slope];
    insta::assert_snapshot!("logarithmic", to_inline_svg(&logarithmic(two), &SMALL));

    let guide = Guide { on: Direction::X, at: 2.5, label: "flutter".to_owned() };
    let circle = vec![(0.0, 1.0), (5.0, -4.0), (0.0, -9.0), (-5.0, -4.0), (0.0, 1.0)];
    let equal =
        Chart { aspect_equal: true, guides: vec![guide], ..chart(vec![Series::line("", circle)]) };
    insta::assert_snapshot!("equal", to_inline_svg(&equal, &SMALL));
    insta::assert_snapshot!("style", svg_style());
}

/// Everything an SVG file mentions as a place.
fn places(svg: &str) -> Vec<(f64, f64)> {
    let mut places = Vec::new();
    for path in svg.split(" d=\"").skip(1) {
        let path = path.split('"').next().unwrap();
        let mut here = (0.0, 0.0);
        let mut letter = ' ';
        let mut numbers: Vec<f64> = Vec::new();
        let mut text = String::new();
        for character in path.chars().chain(['M']) {
            let begins = character == '-' || character == ' ' || character.is_ascii_alphabetic();
            if begins && !text.is_empty() {
                numbers.push(text.parse().unwrap());
                text.clear();
            }
            if character.is_ascii_alphabetic() {
                match letter {
                    'M' => here = (numbers[0], numbers[1]),
                    'l' => here = (here.0 + numbers[0], here.1 + numbers[1]),
                    _ => {}
                }
                if matches!(letter, 'M' | 'l') {
                    places.push(here);
                }
                numbers.clear();
                letter = character;
            } else if character != ' ' {
                text.push(character);
            }
        }
    }
    places
}

fn wild() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => -10.0..10.0f64,
        1 => any::<f64>(),
        1 => Just(f64::NAN),
        1 => Just(0.0),
        1 => Just(f64::INFINITY),
    ]
}

proptest! {
    #[test]
    fn nothing_is_drawn_outside(
        points in proptest::collection::vec((wild(), wild()), 0..60),
        logs in any::<(bool, bool)>(),
        equal in any::<bool>(),
        fixed in any::<bool>(),
        style in 0..3,
    ) {
        let axis = |log: bool| {
            let axis = if log { Axis::log("a") } else { Axis::linear("a") };
            let range = if fixed { Range::Fixed { low: 0.5, high: 3.0 } } else { Range::Auto };
            Axis { range, ..axis }
        };
        let style = [Style::Line, Style::Points, Style::LineAndPoints][style as usize];
        let series = Series { style, ..Series::line("a", points) };
        let chart = Chart {
            x: axis(logs.0), y: axis(logs.1), aspect_equal: equal, ..chart(vec![series])
        };
        let svg = to_svg(&chart, &SMALL);
        prop_assert!(!svg.contains("NaN") && !svg.contains("inf"));
        for (x, y) in places(&svg) {
            prop_assert!((-1.0..=321.0).contains(&x) && (-1.0..=221.0).contains(&y), "{x} {y}");
        }
    }
}

#[test]
fn points_are_where_their_values_are() {
    // Over the whole frame, and the frame itself is written in the file.
    let range = Range::Fixed { low: 0.0, high: 4.0 };
    let points: Vec<(f64, f64)> = vec![(0.0, 0.0), (1.0, 2.0), (4.0, 4.0)];
    let chart = Chart {
        x: Axis { range, ..Axis::linear("") },
        y: Axis { range, ..Axis::linear("") },
        ..chart(vec![Series::line("", points.clone())])
    };
    let svg = to_inline_svg(&chart, &SMALL);
    let number = |name: &str| -> f64 {
        let frame = svg.split("<rect class=\"o").nth(1).unwrap();
        frame
            .split(&format!(" {name}=\""))
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .parse()
            .unwrap()
    };
    let (x, y, width, height) = (number("x"), number("y"), number("width"), number("height"));
    let curve = svg.lines().find(|line| line.contains("class=\"c s0\"")).unwrap();
    for ((px, py), (u, v)) in places(curve).into_iter().zip(points) {
        assert!((px - (x + width * u / 4.0)).abs() < 0.02);
        assert!((py - (y + height * (1.0 - v / 4.0))).abs() < 0.02);
    }
}

#[test]
fn charts_without_data_say_so() {
    assert!(to_svg(&chart(vec![]), &SMALL).contains("no data"));
    let gaps = vec![Series::line("a", vec![(f64::NAN, 1.0), (1.0, f64::INFINITY)])];
    assert!(to_svg(&chart(gaps), &SMALL).contains("no data"));
    let zeros = vec![Series::line("a", vec![(1.0, 0.0), (2.0, -1.0)])];
    let svg = to_svg(&logarithmic(zeros), &SMALL);
    assert!(svg.contains("no positive values"));
    assert!(svg.contains("2 points have no place"));
}

#[test]
fn one_point_is_seen() {
    for style in [Style::Line, Style::Points, Style::LineAndPoints] {
        let series = Series { style, ..Series::line("a", vec![(1.0, 2.0)]) };
        for chart in [chart(vec![series.clone()]), logarithmic(vec![series])] {
            assert!(to_svg(&chart, &SMALL).contains("h0"), "{style:?}");
        }
    }
}

#[test]
fn equal_values_are_a_horizontal_line_in_the_middle() {
    let points = vec![(0.0, 4.08), (1.0, 4.08), (2.0, 4.08)];
    let svg = to_inline_svg(&chart(vec![Series::line("", points)]), &SMALL);
    let curve = svg.lines().find(|line| line.contains("class=\"c s0\"")).unwrap();
    let places = places(curve);
    assert!(places.iter().all(|place| place.1 == places[0].1));
    assert!(places[0].1 > 60.0 && places[0].1 < 160.0);
}

#[test]
fn a_million_points_make_a_small_file() {
    let count = 1_000_000u32;
    let saw = |k: u32| f64::from(k.wrapping_mul(2_654_435_761) >> 8);
    let time = (0..count).map(|k| (f64::from(k), saw(k))).collect();
    let svg = to_svg(&chart(vec![Series::line("", time)]), &Size::default());
    assert!(svg.len() < 100_000, "{}", svg.len());
    let cloud = (0..count).map(|k| (saw(k), saw(k ^ 0x5555))).collect();
    let svg = to_svg(&chart(vec![Series::points("", cloud)]), &Size::default());
    assert!(svg.len() < 1_000_000, "{}", svg.len());
}

#[test]
fn texts_are_escaped() {
    let series = vec![Series::line("<a & \"b\">", vec![(0.0, 1.0)]), Series::line("c", vec![])];
    let chart = Chart { title: "<script> \"&\"".to_owned(), ..chart(series) };
    for svg in [to_svg(&chart, &SMALL), to_inline_svg(&chart, &SMALL)] {
        assert!(!svg.contains("<script>") && !svg.contains("<a "));
        assert!(svg.contains("&lt;script&gt;"));
    }
}

#[test]
fn gaps_stay_open() {
    let points = vec![(0.0, 0.0), (1.0, 1.0), (2.0, f64::NAN), (3.0, 1.0), (4.0, 0.0)];
    let svg = to_inline_svg(&chart(vec![Series::line("", points)]), &SMALL);
    let curve = svg.lines().find(|line| line.contains("class=\"c s0\"")).unwrap();
    assert_eq!(curve.matches('M').count(), 2);
}

#[test]
fn many_names_have_room_beside_the_chart() {
    let series =
        |k: i32| Series::line(format!("method-{k}"), vec![(0.0, f64::from(k)), (1.0, 1.0)]);
    let svg = to_inline_svg(&chart((0..90).map(series).collect()), &Size::default());
    assert!(svg.contains("more</text>"), "what has no room is counted");
    // All names begin right of the frame.
    let frame = svg.split("<rect class=\"o").nth(1).unwrap();
    let number = |name: &str| -> f64 {
        frame
            .split(&format!(" {name}=\""))
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .parse()
            .unwrap()
    };
    let right = number("x") + number("width");
    for line in svg.lines().filter(|line| line.starts_with("<text") && line.contains(">method-")) {
        let x: f64 = line.split("x=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
        assert!(x > right);
    }
}

#[test]
fn pixels_have_the_size_that_was_asked_for() {
    let chart = chart(vec![Series::line("", vec![(0.0, 0.0), (1.0, 1.0)])]);
    for (scale, width, height) in [(1.0, 320u32, 220u32), (2.0, 640, 440)] {
        let file = to_png(&chart, &SMALL, scale, Theme::Light);
        assert_eq!(file[16..20], width.to_be_bytes());
        assert_eq!(file[20..24], height.to_be_bytes());
        assert!(file.len() < 60_000, "{}", file.len());
    }
}
