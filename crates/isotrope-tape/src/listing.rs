//! Programs as text, for people.

use std::fmt::{self, Display, Formatter};

use super::{Op, Program, ValueId};

impl Display for ValueId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

impl Display for Op {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Constant(bits) => {
                let value = f64::from_bits(bits);
                // Masks and magic numbers read better as bits.
                let plain = value == 0.0 || (value.abs() >= 1e-99 && value.abs() < 1e99);
                if plain { write!(f, "{value:?}") } else { write!(f, "bits {bits:#018x}") }
            }
            Self::State(slot) => write!(f, "state {slot}"),
            Self::Parameter(slot) => write!(f, "parameter {slot}"),
            Self::Variable(k) => write!(f, "variable {k}"),
            Self::Final(k) => write!(f, "final {k}"),
            Self::Add(a, b) => write!(f, "{a} + {b}"),
            Self::Sub(a, b) => write!(f, "{a} - {b}"),
            Self::Mul(a, b) => write!(f, "{a} * {b}"),
            Self::Div(a, b) => write!(f, "{a} / {b}"),
            Self::Fma(a, b, c) => write!(f, "fma {a} * {b} + {c}"),
            Self::Fms(a, b, c) => write!(f, "fma {a} * {b} - {c}"),
            Self::Fnma(a, b, c) => write!(f, "fma {c} - {a} * {b}"),
            Self::Sqrt(a) => write!(f, "sqrt {a}"),
            Self::Neg(a) => write!(f, "-{a}"),
            Self::Abs(a) => write!(f, "|{a}|"),
            Self::Max(a, b) => write!(f, "max {a}, {b}"),
            Self::Min(a, b) => write!(f, "min {a}, {b}"),
            Self::And(a, b) => write!(f, "{a} & {b}"),
            Self::Or(a, b) => write!(f, "{a} | {b}"),
            Self::Xor(a, b) => write!(f, "{a} ^ {b}"),
            Self::ShiftLeft(a, count) => write!(f, "{a} << {count}"),
            Self::ShiftRight(a, count) => write!(f, "{a} >> {count}"),
            Self::AddInteger(a, b) => write!(f, "integer {a} + {b}"),
            Self::Less(a, b) => write!(f, "{a} < {b}"),
            Self::LessEqual(a, b) => write!(f, "{a} <= {b}"),
            Self::Select(mask, a, b) => write!(f, "{mask} ? {a} : {b}"),
            Self::Call(function, a) => write!(f, "{function} {a}"),
            Self::Call2(function, a, b) => write!(f, "{function} {a}, {b}"),
            Self::Guarded { function, argument, fast, bound } => {
                let bound = f64::from_bits(bound);
                write!(f, "|{argument}| <= {bound:?} ? {fast} : {function} {argument}")
            }
        }
    }
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let range = |f: &mut Formatter<'_>, from: u32, to: u32| -> fmt::Result {
            let ops = self.ops.iter().enumerate().take(to as usize).skip(from as usize);
            for (at, op) in ops {
                writeln!(f, "  {} = {op}", ValueId(at as u32))?;
            }
            Ok(())
        };
        writeln!(f, "state {}, parameters {}", self.state, self.parameters)?;
        writeln!(f, "before")?;
        range(f, 0, self.before)?;
        if !self.variables.is_empty() {
            write!(f, "iterate at most {}", self.max_iterations)?;
            if let Some((residual, tolerance)) = self.residual {
                write!(f, ", until {residual} <= {tolerance}")?;
            }
            writeln!(f)?;
            range(f, self.before, self.iterate)?;
            for (k, variable) in self.variables.iter().enumerate() {
                writeln!(f, "  variable {k}: {}, then {}", variable.start, variable.next)?;
            }
        }
        writeln!(f, "after")?;
        range(f, self.iterate, self.ops.len() as u32)?;
        for (slot, value) in &self.stores {
            writeln!(f, "  state {slot} <- {value}")?;
        }
        Ok(())
    }
}
