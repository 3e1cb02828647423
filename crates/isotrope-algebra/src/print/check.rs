//! Checks of printed LaTeX and MathML, for tests.

/// A tiny checker: tags nest, entities are known, and no text has a bare `<` or `&`.
pub(super) fn is_well_formed(xml: &str) -> bool {
    let mut open = Vec::new();
    let mut rest = xml;
    while let Some(position) = rest.find(['<', '&']) {
        if rest[position..].starts_with('&') {
            let Some(end) = rest[position..].find(';') else { return false };
            let entity = &rest[position + 1..position + end];
            let known = ["amp", "lt", "gt", "quot"].contains(&entity)
                || entity
                    .strip_prefix("#x")
                    .is_some_and(|hex| u32::from_str_radix(hex, 16).is_ok())
                || entity.strip_prefix('#').is_some_and(|n| n.parse::<u32>().is_ok());
            if !known {
                return false;
            }
            rest = &rest[position + end + 1..];
            continue;
        }
        let Some(end) = rest[position..].find('>') else { return false };
        let tag = &rest[position + 1..position + end];
        match tag.strip_prefix('/') {
            Some(name) => {
                if open.pop() != Some(name) {
                    return false;
                }
            }
            None => open.push(tag.split(' ').next().unwrap_or("")),
        }
        rest = &rest[position + end + 1..];
    }
    open.is_empty()
}

/// Every element has as many children as MathML says.
pub(super) fn children_are_counted(xml: &str) -> bool {
    let mut open: Vec<(&str, usize)> = vec![("", 0)];
    for tag in xml.split('<').skip(1).filter_map(|part| part.split('>').next()) {
        if let Some(name) = tag.strip_prefix('/') {
            let (found, children) = open.pop().unwrap();
            let expected = match name {
                "msup" | "msub" | "mfrac" | "mroot" | "mover" => Some(2),
                "msubsup" => Some(3),
                "msqrt" | "mtd" => Some(1),
                _ => None,
            };
            if found != name || expected.is_some_and(|expected| expected != children) {
                return false;
            }
        } else {
            open.last_mut().unwrap().1 += 1;
            open.push((tag.split(' ').next().unwrap_or(""), 0));
        }
    }
    open.len() == 1 && open[0].1 == 1
}

/// Do braces, `\left` and `\right`, and environments come in pairs?
pub(super) fn braces_balance(latex: &str) -> bool {
    let mut depth = 0i64;
    let mut characters = latex.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                characters.next();
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    let count = |word| latex.matches(word).count();
    depth == 0 && count(r"\left") == count(r"\right") && count(r"\begin") == count(r"\end")
}
