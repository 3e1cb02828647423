//! Names of symmetries and of their momenta: `p_x`, `L_z`.

use isotrope_algebra::{Pool, Rational};

use super::{PointSymmetry, Symbols};

impl PointSymmetry {
    /// A name, the symmetry with its conventional sign, and words for the motion.
    pub fn described(&self, pool: &mut Pool, symbols: &Symbols) -> (String, Self, String) {
        let symmetry = self;
        let stem = |k: usize| -> String {
            symbols.names[k].chars().filter(|c| !c.is_ascii_digit() && !"[]".contains(*c)).collect()
        };
        let moved: Vec<usize> =
            (0..symbols.dimension()).filter(|&k| !symmetry.translation[k].is_zero()).collect();
        if symmetry.linear.is_empty() {
            let first = moved.first().copied().unwrap_or(0);
            let uniform =
                moved.iter().all(|&k| symmetry.translation[k] == symmetry.translation[first]);
            let scaled = match symmetry.translation[first].recip() {
                Some(inverse) => rescale(pool, symmetry, &inverse),
                None => symmetry.clone(),
            };
            let names =
                moved.iter().map(|&k| symbols.names[k].as_str()).collect::<Vec<_>>().join(", ");
            if let [k] = moved[..] {
                let name = format!("p_{}", symbols.names[k]);
                return (name, scaled, format!("translation of {}", symbols.names[k]));
            }
            let family = (0..symbols.dimension()).filter(|&k| stem(k) == stem(first)).count();
            if uniform && moved.len() == family && moved.iter().all(|&k| stem(k) == stem(first)) {
                return (
                    format!("P_{}", stem(first)),
                    scaled,
                    format!("the common translation of {names}"),
                );
            }
            if uniform {
                let sum: Vec<_> =
                    moved.iter().map(|&k| format!("p_{}", symbols.names[k])).collect();
                return (sum.join(" + "), scaled, format!("the common translation of {names}"));
            }
            return (
                format!("momentum along {names}"),
                scaled,
                format!("a translation of {names}"),
            );
        }
        let planes: Option<Vec<(usize, usize)>> = rotation_planes(symmetry);
        if let Some(planes) = planes {
            let (i, j) = planes[0];
            let (a, b) = (stem(i), stem(j));
            let same = planes.iter().all(|&(k, l)| stem(k) == a && stem(l) == b);
            let axis = match (a.as_str(), b.as_str()) {
                ("x", "y") => Some(("L_z", false)),
                ("y", "z") => Some(("L_x", false)),
                ("x", "z") => Some(("L_y", true)),
                _ => None,
            };
            if same {
                let (name, reversed) = match axis {
                    Some((name, reversed)) => (name.to_owned(), reversed),
                    None => (format!("L_{a}{b}"), false),
                };
                let entry = symmetry.linear.iter().find(|entry| {
                    if reversed {
                        (entry.0, entry.1) == (i, j)
                    } else {
                        (entry.0, entry.1) == (j, i)
                    }
                });
                let scaled = match entry.and_then(|entry| entry.2.recip()) {
                    Some(inverse) => rescale(pool, symmetry, &inverse),
                    None => symmetry.clone(),
                };
                let mut motion = format!("rotation in the ({a}, {b}) plane");
                if !moved.is_empty() {
                    let names: Vec<_> = moved.iter().map(|&k| symbols.names[k].as_str()).collect();
                    motion.push_str(&format!(" with a shift of {}", names.join(", ")));
                }
                return (name, scaled, motion);
            }
        }
        (
            "momentum of a linear symmetry".to_owned(),
            symmetry.clone(),
            "a linear point transformation".to_owned(),
        )
    }
}

/// The planes (i < j) of an antisymmetric linear part with entries of one size.
fn rotation_planes(symmetry: &PointSymmetry) -> Option<Vec<(usize, usize)>> {
    let mut planes = Vec::new();
    let size = symmetry.linear.first()?.2.abs();
    for (i, j, value) in &symmetry.linear {
        let opposite = symmetry.linear.iter().find(|e| (e.0, e.1) == (*j, *i))?;
        if i == j || opposite.2 != -value || value.abs() != size {
            return None;
        }
        if i < j {
            planes.push((*i, *j));
        }
    }
    planes.sort_unstable();
    Some(planes)
}

fn rescale(pool: &mut Pool, symmetry: &PointSymmetry, factor: &Rational) -> PointSymmetry {
    PointSymmetry {
        translation: symmetry.translation.iter().map(|c| c * factor).collect(),
        linear: symmetry.linear.iter().map(|(i, j, b)| (*i, *j, b * factor)).collect(),
        field: symmetry.field.iter().map(|&c| pool.scale(factor, c)).collect(),
        gauge: pool.scale(factor, symmetry.gauge),
    }
}
