//! Bodies that turn, drawn from the rotations that were computed.

use isotrope_algebra::print::escape_xml;

/// What plays the frames.
pub(super) const SCRIPT: &str = include_str!("animation.js");

/// The motion of bodies, method by method.
#[derive(Debug, Clone, Default)]
pub struct Animation {
    /// Half the sides of the boxes that are drawn, one for each body.
    pub boxes: Vec<[f64; 3]>,
    /// By how much translations are multiplied to fit; zero where bodies stay in place.
    pub scale: f64,
    /// Points are counted from 1 in links between them, and 0 is the origin.
    pub links: Vec<[usize; 2]>,
    /// How large points are drawn; 0 is the usual size.
    pub radii: Vec<f64>,
    /// Are the points in the plane?
    pub planar: bool,
    /// Methods and their frames.
    pub rows: Vec<(String, Vec<Frame>)>,
}

/// Where bodies are at one time.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The time.
    pub time: f64,
    /// A matrix by rows and a translation for each body.
    pub bodies: Vec<([f64; 9], [f64; 3])>,
    /// Points, scaled to fit; none where one of them has no place.
    pub points: Vec<Option<[f64; 3]>>,
}

impl Animation {
    pub(super) fn figure(&self) -> String {
        let panels = self.boxes.len() + usize::from(self.has_points());
        let count = u32::try_from(panels).unwrap_or(1).max(1);
        let width = 2.6 * f64::from(count);
        format!(
            "<noscript><p>The animation needs scripts; the pictures below show its traces.</p></noscript>\n\
             <figure id=\"animation\" hidden=\"\">\n\
             <svg class=\"animation\" viewBox=\"-1.3 -1.25 {width:.1} 2.5\" role=\"img\" \
             aria-label=\"The motion\"></svg>\n\
             <p class=\"controls\"><button type=\"button\">Play</button> \
             <input type=\"range\" min=\"0\" value=\"0\" aria-label=\"time\"/> <output></output> \
             <label>method <select></select></label></p>\n<figcaption>{}</figcaption>\n</figure>\n",
            escape_xml(self.caption())
        )
    }

    fn has_points(&self) -> bool {
        let frames = self.rows.first().and_then(|(_, frames)| frames.first());
        frames.is_some_and(|frame| !frame.points.is_empty())
    }

    fn caption(&self) -> &'static str {
        if self.boxes.is_empty() {
            "The motion as it was computed, with the path of the last point."
        } else if self.scale > 0.0 {
            "The body as it moves and turns, and the way of its origin: positions are scaled, not the body. The \
             box follows the moments of inertia about the axes of the body, which are drawn as lines."
        } else {
            "The body as it turns, and the trace of its third axis on the sphere of space. The box follows the \
             moments of inertia about the axes of the body, which are drawn as lines."
        }
    }

    /// The call of the script with the frames.
    pub(super) fn call(&self) -> String {
        let list = |numbers: &[f64]| -> String {
            numbers.iter().map(|&x| short(x)).collect::<Vec<_>>().join(",")
        };
        let boxes: Vec<String> = self.boxes.iter().map(|b| format!("[{}]", list(b))).collect();
        let rows: Vec<String> = self
            .rows
            .iter()
            .map(|(name, frames)| {
                let frames: Vec<String> = frames
                    .iter()
                    .map(|frame| {
                        let mut numbers = vec![frame.time];
                        for (matrix, place) in &frame.bodies {
                            numbers.extend(matrix.iter().chain(place));
                        }
                        let mut texts = vec![list(&numbers)];
                        texts.extend(frame.points.iter().map(|point| match point {
                            Some(place) => list(place),
                            None => "null,null,null".to_owned(),
                        }));
                        format!("[{}]", texts.join(","))
                    })
                    .collect();
                let name = serde_json::Value::from(name.as_str()).to_string();
                let name = name.replace('<', "\\u003c");
                format!("{{\"name\":{name},\"frames\":[{}]}}", frames.join(","))
            })
            .collect();
        format!(
            "animate({{\"boxes\":[{}],\"scale\":{},\"links\":{:?},\"radii\":[{}],\"planar\":{},\"rows\":[{}]}});\n",
            boxes.join(","),
            short(self.scale),
            self.links,
            list(&self.radii),
            self.planar,
            rows.join(",\n")
        )
    }
}

/// Four digits behind the point are less than a pixel.
fn short(x: f64) -> String {
    let text = format!("{x:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" || !x.is_finite() { "0".to_owned() } else { text.to_owned() }
}
