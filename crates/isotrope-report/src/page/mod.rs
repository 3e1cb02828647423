//! The page of a study: a table, pictures, and the system they are about. One file, readable
//! without scripts; with them the table can be sorted.

mod animation;
mod table;

use isotrope_algebra::print::escape_xml;
use isotrope_output::plot::{Chart, Size, svg_style, to_inline_svg};

use super::html::Sections;
use super::shell::Shell;

pub use animation::{Animation, Frame};
pub use table::{Align, Cell, Column, Table, Tone};

/// Rules of pages with tables and pictures.
pub(crate) const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("sort.js");

/// What a page says.
#[derive(Debug, Clone, Default)]
pub struct ReportPage {
    /// The heading.
    pub title: String,
    /// What was done, in a sentence or two.
    pub description: String,
    /// The table.
    pub table: Table,
    /// Bodies that turn, where there are some.
    pub animation: Option<Animation>,
    /// Pictures with what they show.
    pub charts: Vec<(String, Chart)>,
    /// What a reader should know, a paragraph each.
    pub notes: Vec<String>,
    /// The system: what `derive` says of it, or a part.
    pub equations: Sections,
    /// The file of the model.
    pub model_text: String,
    /// The command that makes this page again.
    pub reproduce: String,
}

/// The size of pictures.
const SIZE: Size = Size { width: 860.0, height: 460.0 };

impl ReportPage {
    /// The page.
    #[must_use]
    pub fn to_html(&self) -> String {
        let mut parts = Sections::default();
        if !self.table.columns.is_empty() {
            parts.push("table", &self.table.title, &self.table.to_html());
        }
        if let Some(animation) = &self.animation {
            parts.push("motion", "Motion", &animation.figure());
        }
        if !self.charts.is_empty() {
            parts.push("pictures", "Pictures", &self.figures());
        }
        if !self.notes.is_empty() {
            let paragraph = |note: &String| format!("<p>{}</p>\n", escape_xml(note));
            let text: String = self.notes.iter().map(paragraph).collect();
            parts.push("notes", "Notes", &text);
        }
        parts.append(self.equations.clone());
        if !self.model_text.trim().is_empty() {
            let text = code(&self.model_text);
            parts.push("model", "The model", &format!("<pre><code>{text}</code></pre>\n"));
        }
        if !self.reproduce.trim().is_empty() {
            let command = code(&self.reproduce);
            let text = format!(
                "<p>This page was written by</p>\n<pre class=\"command\"><code>{command}</code></pre>\n"
            );
            parts.push("reproduce", "Reproduce this page", &text);
        }
        let play = self.animation.as_ref().map_or_else(String::new, |animation| {
            format!("{}{}", animation::SCRIPT, animation.call())
        });
        parts.html.push_str(&format!("<script>\n{SCRIPT}{play}</script>\n"));
        let style = format!("{STYLE}{}", svg_style());
        let description = Some(self.description.as_str()).filter(|text| !text.trim().is_empty());
        Shell {
            title: &self.title,
            description,
            style: &style,
            contents: &parts.contents,
            footer: "Computed by isotrope. Equations are exact; every number in table and pictures \
                     was measured in the run that this page shows.",
        }
        .around(&parts.html)
    }

    fn figures(&self) -> String {
        let mut out = String::new();
        for (position, (caption, chart)) in self.charts.iter().enumerate() {
            let number = position + 1;
            let drawing = to_inline_svg(chart, &SIZE);
            let caption = escape_xml(caption);
            out.push_str(&format!(
                "<figure id=\"figure-{number}\">\n{drawing}<figcaption><b>Figure {number}.</b> \
                 {caption}</figcaption>\n</figure>\n"
            ));
        }
        out
    }
}

/// Text as it is, with its line breaks.
fn code(text: &str) -> String {
    let lines: Vec<String> = text.trim_end().lines().map(escape_xml).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotrope_output::plot::{Axis, Series};

    fn page() -> ReportPage {
        let chart = Chart {
            title: "Errors <&>".to_owned(),
            x: Axis::log("step $h$"),
            y: Axis::log("error"),
            series: vec![Series::marked("rk4", vec![(0.1, 1e-4), (0.05, 6e-6)])],
            ..Chart::default()
        };
        let method = Column { title: "method".to_owned(), ..Column::default() };
        let energy = Column {
            title: "energy".to_owned(),
            note: "largest |E - E0|".to_owned(),
            align: Align::Right,
            bars: true,
        };
        let reason = "it needs constraints on positions".to_owned();
        let missing = Cell { text: "–".to_owned(), note: reason, tone: Tone::Soft, value: None };
        ReportPage {
            title: "Pendulum & methods".to_owned(),
            description: "Two methods.".to_owned(),
            table: Table {
                title: "Comparison".to_owned(),
                caption: "Largest errors.".to_owned(),
                columns: vec![method, energy],
                rows: vec![
                    vec![Cell::text("rk4"), Cell::number("1.2e-4", 1.2e-4)],
                    vec![Cell::text("euler"), Cell::number("0.5", 0.5)],
                    vec![Cell::text("<rattle>"), missing],
                ],
            },
            animation: Some(Animation {
                boxes: vec![[0.5, 0.4, 0.3]],
                scale: 0.0,
                links: vec![[0, 1]],
                radii: vec![0.1],
                planar: true,
                rows: vec![(
                    "rk4 <\"> \\".to_owned(),
                    vec![Frame {
                        time: 0.0,
                        bodies: vec![(
                            [1.0, 0.0, -0.0, 0.0, 1.0, 0.0, 0.0, f64::NAN, 1.0],
                            [0.0; 3],
                        )],
                        points: vec![Some([0.5, 0.25, 0.0]), None],
                    }],
                )],
            }),
            charts: vec![("Errors against steps.".to_owned(), chart)],
            notes: vec!["A note.".to_owned()],
            equations: Sections::default(),
            model_text: "name = \"a\"\n[lagrangian]\nL = \"x'^2 < 1\"\n".to_owned(),
            reproduce: "isotrope compare a.toml".to_owned(),
        }
    }

    /// Elements are closed in the order in which they were opened.
    fn is_balanced(html: &str) -> Result<(), String> {
        let void = ["meta", "br", "rect", "!DOCTYPE", "col", "input"];
        let mut open: Vec<&str> = Vec::new();
        let without_script = match (html.find("<script>"), html.find("</script>")) {
            (Some(a), Some(b)) => format!("{}{}", &html[..a], &html[b + 9..]),
            _ => html.to_owned(),
        };
        let text = without_script.leak();
        for tag in text.split('<').skip(1) {
            let Some((inside, _)) = tag.split_once('>') else {
                return Err(format!("never closed: {tag}"));
            };
            let name = inside.split([' ', '/', '\n']).next().unwrap_or_default();
            if let Some(name) = inside.strip_prefix('/') {
                if open.pop() != Some(name) {
                    return Err(format!("</{name}> closes nothing"));
                }
            } else if !inside.ends_with('/') && !void.contains(&name) {
                open.push(name);
            }
        }
        if open.is_empty() { Ok(()) } else { Err(format!("{open:?}")) }
    }

    #[test]
    fn every_element_is_closed() {
        assert_eq!(is_balanced(&page().to_html()), Ok(()));
        assert_eq!(is_balanced(&ReportPage::default().to_html()), Ok(()));
        assert!(is_balanced("<p><b></p></b>").is_err());
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        let html = page().to_html();
        for word in ["src=", "<link", "@import", "url("] {
            assert!(!html.contains(word), "{word}");
        }
        let addresses = html.matches("http").count();
        let names = html.matches("xmlns=\"http://www.w3.org/").count();
        assert_eq!(addresses, names);
    }

    #[test]
    fn frames_are_numbers_and_names_cannot_end_the_script() {
        let html = page().to_html();
        // A number that is not finite becomes 0, and a point without a place is marked as such.
        let frame = "[0,1,0,0,0,1,0,0,0,1,0,0,0,0.5,0.25,0,null,null,null]";
        let name = r#"rk4 \u003c\"> \\"#;
        assert!(html.contains(&format!("{{\"name\":\"{name}\",\"frames\":[{frame}]}}")), "{html}");
        assert_eq!(html.matches("</script>").count(), 1);
        assert!(!ReportPage::default().to_html().contains("animate"));
    }

    #[test]
    fn texts_are_escaped_and_contents_lead_to_parts() {
        let html = page().to_html();
        assert!(html.contains("Pendulum &amp; methods") && html.contains("&lt;rattle&gt;"));
        assert!(html.contains("[lagrangian]\nL"));
        for part in html.split("href=\"#").skip(1) {
            let id = part.split('"').next().unwrap();
            assert!(html.contains(&format!("id=\"{id}\"")), "{id}");
        }
    }
}
