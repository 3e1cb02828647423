//! A number that changes with what a certificate is about.

use isotrope_algebra::Budget;
use isotrope_methods::multistep::Multistep;
use isotrope_methods::table::{StageProduct, Table};
use isotrope_methods::{Composed, named_composition};
use isotrope_scheme::{Method, Steps, Theory};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::registry::RegistryError;
use crate::small_steps::absorb_scheme;

/// What was certified, in 128 bits: coefficients of tables, equations of schemes; never the name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Fingerprint(String);

impl std::fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The hash of a part.
pub(crate) type Digest = [u8; 16];

/// Absorbs words, each with its length, so that none runs into the next.
#[derive(Default)]
pub(crate) struct Hasher(Sha256);

impl Hasher {
    pub(crate) fn word(&mut self, word: &str) {
        self.0.update(u64::try_from(word.len()).unwrap_or(u64::MAX).to_le_bytes());
        self.0.update(word);
    }

    pub(crate) fn digest(&mut self, digest: Digest) {
        self.0.update(digest);
    }

    pub(crate) fn finish(self) -> Digest {
        let mut digest = Digest::default();
        digest.iter_mut().zip(self.0.finalize()).for_each(|(to, from)| *to = from);
        digest
    }
}

/// The fingerprint of a method. That of a table costs nothing; for that of a scheme its equations
/// are written on every problem of the certificate.
pub fn fingerprint(method: &Method, budget: &mut Budget) -> Result<Fingerprint, RegistryError> {
    let mut hasher = Hasher::default();
    match method.theory() {
        Theory::Steps | Theory::Unknown => {}
        Theory::Multistep(multistep) => absorb_multistep(&mut hasher, &multistep()),
        Theory::Composition { order, coefficients } => {
            hasher.word(&format!("order {order}"));
            if let Some(composed) = coefficients.map(|name| named_composition(name, budget)) {
                composed?.iter().for_each(|composed| absorb_composition(&mut hasher, composed));
            }
        }
        Theory::Expansion(scheme) => {
            hasher.word("expansion");
            scheme.equations().iter().for_each(|line| hasher.word(line));
        }
    }
    match method.steps() {
        Steps::Table(table) => absorb_table(&mut hasher, table),
        Steps::Composition(composed) => absorb_composition(&mut hasher, composed),
        Steps::Adaptive => hasher.word("adaptive"),
        Steps::Equations(scheme) => {
            hasher.word("equations");
            absorb_scheme(&mut hasher, scheme, budget)?;
        }
    }
    Ok(Fingerprint::of(hasher))
}

/// The fingerprint of a table.
pub(crate) fn of_table(table: &Table) -> Fingerprint {
    let mut hasher = Hasher::default();
    absorb_table(&mut hasher, table);
    Fingerprint::of(hasher)
}

impl Fingerprint {
    pub(crate) fn of(hasher: Hasher) -> Self {
        Self(hasher.finish().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

/// Coefficients in the basis in which the table has them, with the field and the product.
fn absorb_table(hasher: &mut Hasher, table: &Table) {
    hasher.word("table");
    hasher.word(&table.field.generator().to_string());
    match &table.product {
        StageProduct::Pointwise => hasher.word("pointwise"),
        StageProduct::Modulo(polynomial) => {
            hasher.word("modulo");
            polynomial.iter().for_each(|number| hasher.word(&number.to_string()));
        }
    }
    for (entry, element) in table.coefficients().iter() {
        hasher.word(&entry.to_string());
        element.coefficients().iter().for_each(|number| hasher.word(&number.to_string()));
    }
}

fn absorb_composition(hasher: &mut Hasher, composed: &Composed) {
    hasher.word("composition");
    hasher.word(&composed.composition.order().to_string());
    composed.composition.start().iter().for_each(|start| hasher.word(&start.to_string()));
    absorb_table(hasher, &composed.base);
}

fn absorb_multistep(hasher: &mut Hasher, multistep: &Multistep) {
    for (word, list) in [("alpha", &multistep.alpha), ("beta", &multistep.beta)] {
        hasher.word(word);
        list.iter().for_each(|number| hasher.word(&number.to_string()));
    }
}
