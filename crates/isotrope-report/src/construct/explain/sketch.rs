//! Trees drawn with circles and lines, the root at the bottom.

use isotrope_methods::trees::{TreeId, Trees};

/// A vertex at its place, and the number of the vertex below it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Vertex {
    /// To the right, in steps.
    pub x: f64,
    /// Upwards, in steps.
    pub height: usize,
    pub colour: usize,
    pub label: String,
    pub below: Option<usize>,
}

/// A drawn tree.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sketch {
    pub vertices: Vec<Vertex>,
}

impl Sketch {
    /// Leaves side by side, every other vertex in the middle above its outer children.
    pub(super) fn new(trees: &Trees, tree: TreeId) -> Self {
        let label = |tree: TreeId| {
            let colour = trees.family().colours().get(trees.colour(tree));
            colour.map_or_else(String::new, |colour| colour.name().to_owned())
        };
        let mut vertices: Vec<Vertex> = Vec::new();
        let mut open = vec![(tree, 0, None)];
        let mut leaves = 0.0;
        // A vertex stands before all that grows on it.
        while let Some((tree, height, below)) = open.pop() {
            let children = trees.children(tree);
            let number = vertices.len();
            let x = if children.is_empty() { leaves } else { 0.0 };
            if children.is_empty() {
                leaves += 1.0;
            }
            vertices.push(Vertex {
                x,
                height,
                colour: trees.colour(tree),
                label: label(tree),
                below,
            });
            open.extend(children.iter().map(|&child| (child, height + 1, Some(number))));
        }
        for number in (0..vertices.len()).rev() {
            let places: Vec<f64> =
                vertices.iter().filter(|v| v.below == Some(number)).map(|v| v.x).collect();
            if let (Some(first), Some(last)) =
                (places.iter().copied().reduce(f64::min), places.iter().copied().reduce(f64::max))
            {
                vertices[number].x = f64::midpoint(first, last);
            }
        }
        Self { vertices }
    }

    fn width(&self) -> f64 {
        self.vertices.iter().map(|v| v.x).fold(0.0, f64::max)
    }

    fn height(&self) -> usize {
        self.vertices.iter().map(|v| v.height).max().unwrap_or(0)
    }

    /// As a picture within a page.
    pub(super) fn to_svg(&self, name: &str) -> String {
        use isotrope_algebra::print::escape_xml;
        const STEP: f64 = 26.0;
        const RADIUS: f64 = 9.0;
        const MARGIN: f64 = 11.0;
        #[expect(clippy::cast_precision_loss, reason = "trees are not that tall")]
        let up = |height: usize| (self.height() - height) as f64;
        let place = |v: &Vertex| (MARGIN + STEP * v.x, MARGIN + STEP * up(v.height));
        let (width, height) = (2.0 * MARGIN + STEP * self.width(), 2.0 * MARGIN + STEP * up(0));
        let mut out = format!(
            "<svg class=\"tree\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" aria-label=\"the tree {}\">",
            escape_xml(name)
        );
        for vertex in &self.vertices {
            let Some(below) = vertex.below.and_then(|below| self.vertices.get(below)) else {
                continue;
            };
            let ((x1, y1), (x2, y2)) = (place(vertex), place(below));
            out.push_str(&format!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"));
        }
        for vertex in &self.vertices {
            let ((x, y), colour) = (place(vertex), vertex.colour % 3);
            out.push_str(&format!(
                "<g class=\"c{colour}\"><circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\"/>\
                 <text x=\"{x}\" y=\"{:.1}\">{}</text></g>",
                y + 3.6,
                escape_xml(&vertex.label)
            ));
        }
        out.push_str("</svg>");
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotrope_algebra::Budget;
    use isotrope_methods::trees::Family;

    #[test]
    fn vertices_stand_apart_and_on_one_root() {
        let trees = Trees::up_to(&Family::qvp(), 5, &mut Budget::new(1_000_000)).unwrap();
        for tree in trees.ids() {
            let sketch = Sketch::new(&trees, tree);
            assert_eq!(sketch.vertices.len(), trees.order(tree));
            assert_eq!(sketch.vertices.iter().filter(|v| v.below.is_none()).count(), 1);
            for (number, one) in sketch.vertices.iter().enumerate() {
                let apart =
                    |other: &Vertex| one.height != other.height || (one.x - other.x).abs() >= 1.0;
                assert!(sketch.vertices.iter().skip(number + 1).all(apart));
                let below = one.below.map(|below| sketch.vertices[below].height + 1);
                assert!(below.is_none_or(|height| height == one.height));
            }
        }
    }
}
