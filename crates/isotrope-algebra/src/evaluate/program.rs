//! Expressions written down once as a list of ball operations, to be evaluated many times.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::ball::EvaluateError;
use crate::functions::Function;
use crate::number::{Ball, EvaluationError, Precision, Rational};
use crate::pool::{ExprId, Node, Pool};

/// Where a value stands.
type Slot = u32;

/// One value.
#[derive(Debug, Clone)]
enum Instruction {
    Constant(Ball),
    /// The input of this number.
    Input(usize),
    /// Σ term · coefficient.
    Sum(Vec<(Slot, Slot)>),
    /// Π base ^ exponent.
    Product(Vec<(Slot, Exponent)>),
    Call(Function, Slot),
    Atan2(Slot, Slot),
    /// A linear system: entries (row, column, value) and right-hand side.
    System {
        entries: Vec<(u32, u32, Slot)>,
        right: Vec<Slot>,
    },
    /// A component of the solution of the system at that slot.
    Solution {
        system: Slot,
        index: u32,
    },
}

#[derive(Debug, Clone)]
enum Exponent {
    Integer(i64),
    Rational(Rational),
    Value(Slot),
}

/// Expressions as a list of operations on balls.
///
/// ```
/// use isotrope_algebra::evaluate::BallProgram;
/// use isotrope_algebra::number::{Ball, Precision};
/// use isotrope_algebra::{ExprId, Pool};
/// let mut pool = Pool::new();
/// let (x, y) = (pool.symbol("x"), pool.symbol("y"));
/// let square = pool.mul(x, x);
/// let sum = pool.add(y, ExprId::ONE);
/// let mut program = BallProgram::new(Precision::new(128));
/// program.input(x);
/// program.define(&pool, y, square).unwrap();
/// program.outputs(&pool, &[sum]).unwrap();
/// let result = program.run(&[Ball::integer(3, Precision::new(128))]).unwrap();
/// assert_eq!(result[0].to_f64(), 10.0);
/// ```
#[derive(Debug, Clone)]
pub struct BallProgram {
    instructions: Vec<Instruction>,
    slots: FxHashMap<ExprId, Slot>,
    inputs: usize,
    outputs: Vec<Slot>,
    precision: Precision,
}

impl BallProgram {
    /// An empty program; constants are known to the precision.
    pub fn new(precision: Precision) -> Self {
        Self {
            instructions: Vec::new(),
            slots: FxHashMap::default(),
            inputs: 0,
            outputs: Vec::new(),
            precision,
        }
    }

    /// The next input is the value of a symbol.
    pub fn input(&mut self, symbol: ExprId) {
        let slot = self.push(Instruction::Input(self.inputs));
        self.inputs += 1;
        self.slots.insert(symbol, slot);
    }

    /// A symbol stands for an expression in what follows.
    pub fn define(
        &mut self,
        pool: &Pool,
        symbol: ExprId,
        value: ExprId,
    ) -> Result<(), EvaluateError> {
        self.write(pool, &[value])?;
        let slot = self.slots[&value];
        self.slots.insert(symbol, slot);
        Ok(())
    }

    /// The next results are the values of these expressions.
    pub fn outputs(&mut self, pool: &Pool, expressions: &[ExprId]) -> Result<(), EvaluateError> {
        self.write(pool, expressions)?;
        self.outputs.extend(expressions.iter().map(|id| self.slots[id]));
        Ok(())
    }

    fn push(&mut self, instruction: Instruction) -> Slot {
        self.instructions.push(instruction);
        (self.instructions.len() - 1) as Slot
    }

    fn write(&mut self, pool: &Pool, expressions: &[ExprId]) -> Result<(), EvaluateError> {
        let precision = self.precision;
        for id in pool.reachable(expressions) {
            if self.slots.contains_key(&id) {
                continue;
            }
            let slot = |child: ExprId| self.slots[&child];
            let instruction = match pool.node(id) {
                Node::Number(value) => Instruction::Constant(Ball::from_rational(value, precision)),
                Node::Pi => Instruction::Constant(Ball::pi(precision)),
                Node::Undefined => return Err(EvaluateError::Undefined),
                Node::Symbol(symbol) => {
                    let name = pool.symbol_name(symbol).to_owned();
                    return Err(EvaluateError::UnknownSymbol { name });
                }
                Node::Sum(pairs) => {
                    Instruction::Sum(pairs.iter().map(|(a, b)| (slot(a), slot(b))).collect())
                }
                Node::Product(pairs) => {
                    let power = |(base, exponent): (ExprId, ExprId)| {
                        let exponent = match pool.as_number(exponent) {
                            Some(number) => match number.as_integer() {
                                Some(n) => Exponent::Integer(n),
                                None => Exponent::Rational(number.clone()),
                            },
                            None => Exponent::Value(slot(exponent)),
                        };
                        (slot(base), exponent)
                    };
                    Instruction::Product(pairs.iter().map(power).collect())
                }
                Node::Call(function, argument) => Instruction::Call(function, slot(argument)),
                Node::Atan2(y, x) => Instruction::Atan2(slot(y), slot(x)),
                Node::System(system) => Instruction::System {
                    entries: system.entries().map(|(i, j, value)| (i, j, slot(value))).collect(),
                    right: system.right().map(slot).collect(),
                },
                Node::Solution { system, index } => {
                    Instruction::Solution { system: slot(system), index }
                }
            };
            let slot = self.push(instruction);
            self.slots.insert(id, slot);
        }
        Ok(())
    }

    /// The values of the outputs; there must be a value for each input.
    pub fn run(&self, inputs: &[Ball]) -> Result<Vec<Ball>, EvaluateError> {
        if inputs.len() != self.inputs {
            let name = format!("input {}", inputs.len());
            return Err(EvaluateError::UnknownSymbol { name });
        }
        let precision = self.precision;
        let mut known: Vec<Ball> = Vec::with_capacity(self.instructions.len());
        let mut solved: FxHashMap<Slot, Vec<Ball>> = FxHashMap::default();
        for (slot, instruction) in self.instructions.iter().enumerate() {
            let at = |slot: Slot| &known[slot as usize];
            let ball = match instruction {
                Instruction::Constant(ball) => ball.clone(),
                Instruction::Input(number) => inputs[*number].clone(),
                Instruction::Sum(pairs) => {
                    let mut sum = Ball::zero(precision);
                    for &(term, coefficient) in pairs {
                        sum = sum.add(&at(term).mul(at(coefficient))?);
                    }
                    sum
                }
                Instruction::Product(pairs) => {
                    let mut product: Option<Ball> = None;
                    for (base, exponent) in pairs {
                        let power = match exponent {
                            Exponent::Integer(1) => at(*base).clone(),
                            Exponent::Integer(n) => at(*base).powi(*n)?,
                            Exponent::Rational(number) => at(*base).pow_rational(number)?,
                            Exponent::Value(exponent) => at(*base).pow(at(*exponent))?,
                        };
                        product = Some(match product {
                            Some(product) => product.mul(&power)?,
                            None => power,
                        });
                    }
                    product.unwrap_or_else(|| Ball::one(precision))
                }
                Instruction::Call(function, argument) => function.ball(at(*argument))?,
                Instruction::Atan2(y, x) => at(*y).atan2(at(*x))?,
                Instruction::System { entries, right } => {
                    let entries = entries.iter().map(|&(i, j, value)| (i, j, at(value).clone()));
                    let right = right.iter().map(|&value| at(value).clone()).collect();
                    solved.insert(slot as Slot, solve(entries, right, precision)?);
                    Ball::zero(precision)
                }
                Instruction::Solution { system, index } => solved[system][*index as usize].clone(),
            };
            known.push(ball);
        }
        Ok(self.outputs.iter().map(|&slot| known[slot as usize].clone()).collect())
    }
}

/// Sparse elimination: in each column the largest pivot among the rows left.
fn solve(
    entries: impl Iterator<Item = (u32, u32, Ball)>,
    right: Vec<Ball>,
    precision: Precision,
) -> Result<Vec<Ball>, EvaluationError> {
    let size = right.len();
    let mut rows: Vec<(BTreeMap<u32, Ball>, Ball)> =
        right.into_iter().map(|value| (BTreeMap::new(), value)).collect();
    for (row, column, value) in entries {
        rows[row as usize].0.insert(column, value);
    }
    let mut pivots: Vec<(BTreeMap<u32, Ball>, Ball)> = Vec::with_capacity(size);
    for column in 0..size as u32 {
        let best = (0..rows.len())
            .filter(|&row| rows[row].0.get(&column).is_some_and(Ball::excludes_zero))
            .max_by(|&a, &b| {
                let size = |row: usize| rows[row].0[&column].to_f64().abs();
                size(a).total_cmp(&size(b)).then(b.cmp(&a))
            })
            .ok_or(EvaluationError::DivisionByZero)?;
        let (pivot, right) = rows.swap_remove(best);
        let inverse = pivot[&column].recip()?;
        for (entries, side) in &mut rows {
            let Some(entry) = entries.remove(&column) else { continue };
            let factor = entry.mul(&inverse)?;
            for (&k, value) in pivot.range(column + 1..) {
                let part = factor.mul(value)?;
                let old = entries.remove(&k).unwrap_or_else(|| Ball::zero(precision));
                entries.insert(k, old.sub(&part));
            }
            *side = side.sub(&factor.mul(&right)?);
        }
        pivots.push((pivot, right));
    }
    let mut solution = vec![Ball::zero(precision); size];
    for column in (0..size).rev() {
        let (pivot, right) = &pivots[column];
        let mut value = right.clone();
        for (&k, entry) in pivot.range(column as u32 + 1..) {
            value = value.sub(&entry.mul(&solution[k as usize])?);
        }
        let diagonal = pivot.get(&(column as u32)).ok_or(EvaluationError::DivisionByZero)?;
        solution[column] = value.div(diagonal)?;
    }
    Ok(solution)
}
