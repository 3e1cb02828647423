//! Matrices and vectors around entries that are printed already.

/// A matrix in LaTeX from its printed entries.
///
/// ```
/// use isotrope_algebra::print::latex_matrix;
/// let rows = [["m", "0"], ["0", "m"]];
/// assert_eq!(latex_matrix(&rows), r"\begin{pmatrix}m & 0 \\ 0 & m\end{pmatrix}");
/// ```
pub fn latex_matrix<R: AsRef<[S]>, S: AsRef<str>>(rows: &[R]) -> String {
    let mut text = String::from(r"\begin{pmatrix}");
    for (position, row) in rows.iter().enumerate() {
        if position > 0 {
            text.push_str(r" \\ ");
        }
        for (position, entry) in row.as_ref().iter().enumerate() {
            if position > 0 {
                text.push_str(" & ");
            }
            text.push_str(entry.as_ref());
        }
    }
    text.push_str(r"\end{pmatrix}");
    text
}

/// A column vector in LaTeX from its printed entries.
pub fn latex_column<S: AsRef<str>>(entries: &[S]) -> String {
    let rows: Vec<[&str; 1]> = entries.iter().map(|entry| [entry.as_ref()]).collect();
    latex_matrix(&rows)
}

/// A matrix in MathML, one element, from its printed entries.
pub fn mathml_matrix<R: AsRef<[S]>, S: AsRef<str>>(rows: &[R]) -> String {
    let mut text = String::from("<mrow><mo>(</mo><mtable>");
    for row in rows {
        text.push_str("<mtr>");
        for entry in row.as_ref() {
            text.push_str("<mtd>");
            text.push_str(entry.as_ref());
            text.push_str("</mtd>");
        }
        text.push_str("</mtr>");
    }
    text.push_str("</mtable><mo>)</mo></mrow>");
    text
}

/// A column vector in MathML, one element, from its printed entries.
pub fn mathml_column<S: AsRef<str>>(entries: &[S]) -> String {
    let rows: Vec<[&str; 1]> = entries.iter().map(|entry| [entry.as_ref()]).collect();
    mathml_matrix(&rows)
}
