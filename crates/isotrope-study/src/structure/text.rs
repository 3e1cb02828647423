//! The answer as people read it.

use super::{Size, StructureReport};

impl StructureReport {
    /// Lines of a table: method, base point, the largest parts with their powers of h, and what it means.
    #[must_use]
    pub fn lines(&self) -> Vec<[String; 8]> {
        let titles =
            ["method", "base point", "defect", "power", "constraint", "velocity", "force", ""];
        let mut lines = vec![titles.map(str::to_owned)];
        for row in &self.rows {
            if row.base_points.is_empty() {
                let reason = row.failure.as_ref().map_or("no value", |failure| &failure.reason);
                let mut line: [String; 8] = Default::default();
                line[0].clone_from(&row.method);
                line[7] = format!("{}: {reason}", row.outcome);
                lines.push(line);
            }
            for (k, found) in row.base_points.iter().enumerate() {
                let name = if k == 0 { row.method.clone() } else { String::new() };
                let size = |size: Option<Size>| {
                    size.map_or_else(|| "-".to_owned(), |size| format!("{:.1e}", size.max))
                };
                let power = match (found.defect.rounding, found.defect.exponent) {
                    (true, _) | (_, None) => "-".to_owned(),
                    (false, Some(power)) => format!("{power:.2}"),
                };
                let mut words = Vec::new();
                if row.satisfied_at.contains(&found.base_point) {
                    words.push("satisfied to rounding");
                }
                if row.stated == Some(found.base_point) {
                    words.push("stated by the method");
                }
                lines.push([
                    name,
                    found.base_point.to_owned(),
                    size(Some(found.defect)),
                    power,
                    size(found.constraint),
                    size(Some(found.legendre)),
                    size(Some(found.force)),
                    words.join(", "),
                ]);
            }
        }
        lines
    }
}
