//! Trees drawn with the characters of a terminal, the root at the bottom.

use super::generate::{TreeId, Trees};

/// A rectangle of characters; all rows are equally wide.
#[derive(Default, Clone)]
struct Picture {
    rows: Vec<Vec<char>>,
    /// Column of the root, which stands in the last row.
    root: usize,
}

impl Picture {
    fn width(&self) -> usize {
        self.rows.last().map_or(0, Vec::len)
    }
}

impl Trees {
    /// The tree as lines of equal width:
    ///
    /// ```text
    /// v
    /// │
    /// q v
    /// ╰┬╯
    ///  v
    /// ```
    pub fn drawing(&self, tree: TreeId) -> Vec<String> {
        let picture = self.compose(tree, |colour, children| {
            let pictures: Vec<&Picture> = children.iter().map(|child| &child.value).collect();
            plant(self.family.colours[colour].name(), &pictures)
        });
        picture.value.rows.iter().map(|row| row.iter().collect()).collect()
    }
}

fn plant(label: &str, children: &[&Picture]) -> Picture {
    let label: Vec<char> = label.chars().collect();
    // Children side by side, standing on one line, a blank column between them.
    let height = children.iter().map(|child| child.rows.len()).max().unwrap_or(0);
    let mut rows: Vec<Vec<char>> = vec![Vec::new(); height];
    let mut stems = Vec::with_capacity(children.len());
    for (number, child) in children.iter().enumerate() {
        let left = rows.last().map_or(0, Vec::len) + usize::from(number > 0);
        stems.push(left + child.root);
        let above = height - child.rows.len();
        for (at, row) in rows.iter_mut().enumerate() {
            row.resize(left, ' ');
            match at.checked_sub(above).and_then(|at| child.rows.get(at)) {
                Some(part) => row.extend_from_slice(part),
                None => row.resize(left + child.width(), ' '),
            }
        }
    }
    let (first, last) = (stems.first().copied().unwrap_or(0), stems.last().copied().unwrap_or(0));
    let mut root = first + (last - first) / 2;
    // A wide label may stick out on the left of everything: then all moves right.
    let before = (label.len().max(1) - 1) / 2;
    let shift = before.saturating_sub(root);
    root += shift;
    for row in &mut rows {
        row.splice(0..0, std::iter::repeat_n(' ', shift));
    }
    let width = rows.last().map_or(0, Vec::len).max(root - before + label.len());
    for row in &mut rows {
        row.resize(width, ' ');
    }
    if !children.is_empty() {
        let stems: Vec<usize> = stems.iter().map(|stem| stem + shift).collect();
        rows.push((0..width).map(|column| joint(column, root, &stems)).collect());
    }
    let mut line = vec![' '; root - before];
    line.extend(&label);
    line.resize(width, ' ');
    rows.push(line);
    Picture { rows, root }
}

/// The character that joins stems above with the root below.
fn joint(column: usize, root: usize, stems: &[usize]) -> char {
    let (Some(&first), Some(&last)) = (stems.first(), stems.last()) else { return ' ' };
    if column < first || column > last {
        return ' ';
    }
    let (up, down) = (stems.contains(&column), column == root);
    let (left, right) = (column > first, column < last);
    match (up, down, left, right) {
        (true, true, true, true) => '┼',
        (true, true, false, true) => '├',
        (true, true, true, false) => '┤',
        (_, true, false, false) => '│',
        (true, false, false, _) => '╰',
        (true, false, true, false) => '╯',
        (true, false, true, true) => '┴',
        (false, true, ..) => '┬',
        (false, false, ..) => '─',
    }
}
