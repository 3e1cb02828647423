//! Every error code, one file per family.
//!
//! An error carries one of these instead of a text, so a code that is not listed here does not compile.
//! `docs/errors.md` and `isotrope explain` are made from this list. Codes are never renumbered or used
//! for something else.

use std::fmt;

/// Declares one family of codes: an enum whose variants say what is wrong, each with its text, an explanation
/// (its comment) and advice.
macro_rules! error_codes {
    ($(#[doc = $about:literal])+ $enum:ident;
     $($(#[doc = $doc:literal])+ $name:ident = $text:literal, $advice:literal;)*) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $enum {
            $($(#[doc = $doc])+ $name,)*
        }

        impl $enum {
            /// Every code of the family, in the order of its number.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// How it is written: `ISO-RUN-011`.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// What it means.
            #[must_use]
            pub const fn explanation(self) -> &'static str {
                match self {
                    $(Self::$name => concat!($($doc),+).trim_ascii(),)*
                }
            }

            /// What to do about it, as a sentence.
            #[must_use]
            pub const fn advice(self) -> &'static str {
                match self {
                    $(Self::$name => $advice,)*
                }
            }

            /// What to do about it, in the form of a hint, not a sentence.
            #[must_use]
            pub fn hint(self) -> String {
                $crate::codes::hint(self.advice())
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.text())
            }
        }
    };
}

/// The list of families, in the order of the documentation: a variant of [`Code`], its enum, its title.
macro_rules! families {
    ($($family:ident($module:ident::$enum:ident), $title:literal;)*) => {
        $(
            mod $module;
            pub use $module::$enum;

            impl From<$enum> for Code {
                fn from(code: $enum) -> Self {
                    Self::$family(code)
                }
            }
        )*

        /// What is wrong, as a code that does not change between versions.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!($title, ".")] $family($enum),)*
        }

        const COUNT: usize = 0 $(+ $enum::ALL.len())*;

        /// All families in a row.
        const fn all() -> [Code; COUNT] {
            let mut all = [Code::Internal(InternalCode::ALL[0]); COUNT];
            let mut filled = 0;
            $(
                let mut k = 0;
                while k < $enum::ALL.len() {
                    all[filled] = Code::$family($enum::ALL[k]);
                    filled += 1;
                    k += 1;
                }
            )*
            all
        }

        impl Code {
            /// Every code, family after family.
            pub const ALL: &'static [Self] = &all();

            /// How it is written: `ISO-RUN-011`.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self {
                    $(Self::$family(code) => code.text(),)*
                }
            }

            /// What it means.
            #[must_use]
            pub const fn explanation(self) -> &'static str {
                match self {
                    $(Self::$family(code) => code.explanation(),)*
                }
            }

            /// What to do about it, as a sentence.
            #[must_use]
            pub const fn advice(self) -> &'static str {
                match self {
                    $(Self::$family(code) => code.advice(),)*
                }
            }

            /// The title of its family.
            #[must_use]
            pub const fn family(self) -> &'static str {
                match self {
                    $(Self::$family(_) => $title,)*
                }
            }
        }
    };
}

families! {
    Model(model::ModelCode), "Model files";
    Derive(derive::DeriveCode), "Derivation";
    Check(check::CheckCode), "Checks of initial data";
    Table(table::TableCode), "Table files";
    Problem(problem::ProblemCode), "Problem files";
    Geometry(geometry::GeometryCode), "Geometry files";
    Ensemble(ensemble::EnsembleCode), "Ensembles";
    Files(files::FilesCode), "Files";
    Methods(methods::MethodsCode), "Methods";
    Certify(certify::CertifyCode), "Certificates";
    Trees(trees::TreesCode), "Trees";
    Conditions(conditions::ConditionsCode), "Conditions";
    Construct(construct::ConstructCode), "Constructions";
    Discrete(discrete::DiscreteCode), "Discrete Lagrangians";
    Modified(modified::ModifiedCode), "Modified equations";
    Run(run::RunCode), "Runs";
    Output(output::OutputCode), "Trajectory files";
    Drift(drift::DriftCode), "Long runs";
    Flow(flow::FlowCode), "Derivatives of flows";
    Stability(stability::StabilityCode), "Stability";
    Port(port::PortCode), "Port-Hamiltonian forms";
    Connect(connect::ConnectCode), "Connections";
    Expression(expression::ExpressionCode), "Expressions";
    Request(request::RequestCode), "Requests of programs";
    Sweep(sweep::SweepCode), "Sweeps";
    Bench(bench::BenchCode), "Benchmarks";
    Explain(explain::ExplainCode), "Explanations";
    Internal(internal::InternalCode), "Mistakes of the program";
}

impl Code {
    /// The code with this text; lower case is accepted.
    #[must_use]
    pub fn find(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.text().eq_ignore_ascii_case(text))
    }

    /// What to do about it, in the form of a hint, not a sentence.
    #[must_use]
    pub fn hint(self) -> String {
        hint(self.advice())
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

/// A sentence without its capital and its full stop.
fn hint(advice: &str) -> String {
    let mut characters = advice.trim_end_matches('.').chars();
    let first = characters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_written_as_family_and_number_in_increasing_order() {
        let mut families: Vec<(&str, &str)> = Vec::new();
        for pair in Code::ALL.windows(2) {
            if pair[0].family() == pair[1].family() {
                assert!(pair[0].text() < pair[1].text(), "{} comes before {}", pair[0], pair[1]);
            }
        }
        for code in Code::ALL {
            let parts: Vec<&str> = code.text().split('-').collect();
            let [iso, family, number] = parts[..] else { panic!("`{code}` has not three parts") };
            assert!(iso == "ISO" && family.bytes().all(|byte| byte.is_ascii_uppercase()), "{code}");
            assert!(
                number.len() == 3 && number.bytes().all(|byte| byte.is_ascii_digit()),
                "{code}"
            );
            match families.iter().find(|entry| entry.0 == family) {
                Some((_, title)) => assert_eq!(*title, code.family(), "{code}"),
                None => families.push((family, code.family())),
            }
        }
    }

    #[test]
    fn every_code_is_its_own_and_is_found_by_its_text() {
        for code in Code::ALL {
            assert_eq!(Code::find(code.text()), Some(*code));
            assert_eq!(Code::find(&code.text().to_ascii_lowercase()), Some(*code));
        }
        assert_eq!(Code::find("ISO-RUN-999"), None);
    }

    #[test]
    fn every_code_says_what_is_wrong_and_what_to_do() {
        for code in Code::ALL {
            for sentence in [code.explanation(), code.advice()] {
                assert!(sentence.len() >= "Add it.".len(), "{code}: `{sentence}`");
                assert!(sentence.ends_with(['.', '?']), "{code}: `{sentence}`");
            }
        }
    }
}
