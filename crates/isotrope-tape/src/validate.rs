//! Which programs have a meaning.

use super::{Op, Program, ProgramError, ValueId};

/// Where an operation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Region {
    /// Once, before the iteration.
    Before,
    /// In every round.
    Iterate,
    /// Once, after the iteration.
    After,
}

impl Program {
    /// Are there numbers of the state that a step writes and no step reads?
    pub fn writes_unread_numbers(&self) -> bool {
        let read: rustc_hash::FxHashSet<u32> = self
            .ops
            .iter()
            .filter_map(|op| match op {
                Op::State(slot) => Some(*slot),
                _ => None,
            })
            .collect();
        self.stores.iter().any(|(slot, _)| !read.contains(slot))
    }

    /// The region of a value.
    #[must_use]
    pub fn region(&self, value: ValueId) -> Region {
        if value.0 < self.before {
            Region::Before
        } else if value.0 < self.iterate {
            Region::Iterate
        } else {
            Region::After
        }
    }

    /// Checks that every back end can execute the program: operands have smaller numbers and are
    /// available where they are used, every number from outside is in range.
    ///
    /// The region `after` sees the iteration only through [`Op::Final`]: what outlives the last
    /// round is exactly the variables.
    pub fn validate(&self) -> Result<(), ProgramError> {
        let shape = |what| Err(ProgramError::Shape { what });
        let count = self.ops.len();
        if self.before > self.iterate || self.iterate as usize > count {
            return shape("region ends");
        }
        if self.variables.is_empty() && self.before != self.iterate {
            return shape("variables");
        }
        for (at, &op) in self.ops.iter().enumerate() {
            self.validate_op(at as u32, op)?;
        }
        let known = |value: ValueId| (value.0 as usize) < count;
        let before = |value: ValueId| value.0 < self.before;
        for variable in &self.variables {
            if !before(variable.start) || variable.next.0 >= self.iterate {
                return shape("variables");
            }
        }
        if !self.variables.is_empty() && self.max_iterations == 0 {
            return shape("rounds");
        }
        if let Some((residual, tolerance)) = self.residual
            && (!known(residual) || self.region(residual) != Region::Iterate || !before(tolerance))
        {
            return shape("residual and tolerance");
        }
        let mut stored = vec![false; self.state as usize];
        for &(slot, value) in &self.stores {
            let available = known(value) && self.region(value) != Region::Iterate;
            match stored.get_mut(slot as usize) {
                Some(seen) if !*seen && available => *seen = true,
                _ => return shape("stores"),
            }
        }
        Ok(())
    }

    fn validate_op(&self, at: u32, op: Op) -> Result<(), ProgramError> {
        let region = self.region(ValueId(at));
        for &operand in op.operands().iter() {
            let visible = match region {
                Region::Before | Region::Iterate => true,
                Region::After => self.region(operand) != Region::Iterate,
            };
            if operand.0 >= at || !visible {
                return Err(ProgramError::Operand { at, operand: operand.0 });
            }
        }
        let variables = self.variables.len();
        let fits = match op {
            Op::State(slot) => slot < self.state,
            Op::Parameter(slot) => slot < self.parameters,
            Op::Variable(k) => region == Region::Iterate && (k as usize) < variables,
            Op::Final(k) => region == Region::After && (k as usize) < variables,
            Op::ShiftLeft(_, count) | Op::ShiftRight(_, count) => count < 64,
            _ => true,
        };
        if fits { Ok(()) } else { Err(ProgramError::Place { at }) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Variable;
    use super::*;

    /// `x <- x/2 + c` until the change is small, then `state 0 <- x`.
    fn program() -> Program {
        let v = ValueId;
        Program {
            ops: vec![
                Op::State(0),
                Op::Parameter(0),
                Op::Constant(0.5f64.to_bits()),
                Op::Constant(1e-12f64.to_bits()),
                Op::Variable(0),
                Op::Fma(v(2), v(4), v(1)),
                Op::Sub(v(5), v(4)),
                Op::Abs(v(6)),
                Op::Final(0),
            ],
            before: 4,
            iterate: 8,
            state: 1,
            parameters: 1,
            variables: vec![Variable { start: v(0), next: v(5) }],
            residual: Some((v(7), v(3))),
            max_iterations: 100,
            stores: vec![(0, v(8))],
        }
    }

    #[test]
    fn a_fixed_point_iteration_is_valid() {
        assert_eq!(program().validate(), Ok(()));
        assert_eq!(Program::default().validate(), Ok(()));
    }

    /// Each change alone makes the program wrong, and the error says where.
    #[test]
    fn every_rule_has_a_program_that_breaks_it() {
        let v = ValueId;
        let operand = |at, operand| ProgramError::Operand { at, operand };
        let place = |at| ProgramError::Place { at };
        let shape = |what| ProgramError::Shape { what };
        type Change = fn(&mut Program);
        let cases: Vec<(Change, ProgramError)> = vec![
            (|p| p.ops[5] = Op::Fma(ValueId(2), ValueId(4), ValueId(5)), operand(5, 5)),
            (|p| p.ops[5] = Op::Sqrt(ValueId(99)), operand(5, 99)),
            (|p| p.ops[8] = Op::Abs(ValueId(5)), operand(8, 5)),
            (|p| p.ops[0] = Op::State(1), place(0)),
            (|p| p.ops[1] = Op::Parameter(1), place(1)),
            (|p| p.ops[1] = Op::Variable(0), place(1)),
            (|p| p.ops[4] = Op::Variable(1), place(4)),
            (|p| p.ops[4] = Op::Final(0), place(4)),
            (|p| p.ops[8] = Op::Final(1), place(8)),
            (|p| p.ops[8] = Op::Variable(0), place(8)),
            (|p| p.ops[7] = Op::ShiftLeft(ValueId(6), 64), place(7)),
            (|p| p.before = 9, shape("region ends")),
            (|p| p.iterate = 10, shape("region ends")),
            (|p| p.variables.clear(), shape("variables")),
            (|p| p.variables[0].start = ValueId(4), shape("variables")),
            (|p| p.variables[0].next = ValueId(8), shape("variables")),
            (|p| p.max_iterations = 0, shape("rounds")),
            (|p| p.residual = Some((ValueId(1), ValueId(3))), shape("residual and tolerance")),
            (|p| p.residual = Some((ValueId(7), ValueId(7))), shape("residual and tolerance")),
            (|p| p.residual = Some((ValueId(9), ValueId(3))), shape("residual and tolerance")),
            (|p| p.stores.push((0, ValueId(0))), shape("stores")),
            (|p| p.stores[0].0 = 1, shape("stores")),
            (|p| p.stores[0].1 = ValueId(5), shape("stores")),
            (|p| p.stores[0].1 = ValueId(9), shape("stores")),
        ];
        for (number, (change, expected)) in cases.into_iter().enumerate() {
            let mut wrong = program();
            change(&mut wrong);
            assert_eq!(wrong.validate(), Err(expected), "case {number}");
        }
        let mut straight = program();
        straight.ops = vec![Op::State(0)];
        (straight.before, straight.iterate) = (1, 1);
        straight.variables.clear();
        straight.stores = vec![(0, v(0))];
        assert_eq!(straight.validate(), Err(shape("residual and tolerance")));
        straight.residual = None;
        assert_eq!(straight.validate(), Ok(()));
    }
}
