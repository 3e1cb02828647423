//! What all pages have in common: head, contents, heading, foot.

use isotrope_algebra::print::escape_xml;

const STYLE: &str = include_str!("style.css");

/// A page without its parts.
pub(crate) struct Shell<'a> {
    pub title: &'a str,
    pub description: Option<&'a str>,
    /// Rules besides those of all pages.
    pub style: &'a str,
    /// Short names and headings of the parts.
    pub contents: &'a [(String, String)],
    pub footer: &'a str,
}

impl Shell<'_> {
    /// The whole page.
    pub(crate) fn around(&self, parts: &str) -> String {
        let title = escape_xml(self.title);
        let style = self.style;
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title} · isotrope</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n\
             <nav aria-label=\"Contents\">\n<p class=\"brand\">isotrope</p>\n<ol>\n"
        );
        for (id, title) in self.contents {
            let (id, title) = (escape_xml(id), escape_xml(title));
            out.push_str(&format!("<li><a href=\"#{id}\">{title}</a></li>\n"));
        }
        out.push_str(&format!("</ol>\n</nav>\n<main>\n<header>\n<h1>{title}</h1>\n"));
        if let Some(description) = self.description {
            out.push_str(&format!("<p class=\"lead\">{}</p>\n", escape_xml(description)));
        }
        out.push_str("</header>\n");
        out.push_str(parts);
        let footer = escape_xml(self.footer);
        out.push_str(&format!("<footer><p>{footer}</p></footer>\n</main>\n</body>\n</html>\n"));
        out
    }
}
