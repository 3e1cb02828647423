//! The end of construction: what is needed, where it stands, and the final numbers.

use rustc_hash::FxHashMap;

use super::fuse::fuse;
use super::schedule::{Operations, schedule};
use super::{Builder, Op, Program, ProgramError, Region, ValueId, Variable};

/// What is needed and where it stands.
pub(super) struct Placement {
    /// Does anything need the value?
    pub live: Vec<bool>,
    /// The region of each value that is needed.
    pub region: Vec<Region>,
    /// Variables that matter.
    pub variables: Vec<bool>,
}

/// Values that the step needs whatever its operations are: `variables` bring their own as soon as
/// they are needed.
fn outputs(builder: &Builder) -> impl Iterator<Item = ValueId> + '_ {
    let stored = builder.stores.iter().map(|&(_, value)| value);
    stored
        .chain(builder.residual.into_iter().flat_map(|(residual, tolerance)| [residual, tolerance]))
}

/// All values that are used by something that is not an operation.
pub(super) fn roots(builder: &Builder) -> impl Iterator<Item = ValueId> + '_ {
    let variables = builder.variables.iter().flat_map(|&(start, next)| [Some(start), next]);
    outputs(builder).chain(variables.flatten())
}

/// Finishes a program.
pub(super) fn finish(mut builder: Builder) -> Result<Program, ProgramError> {
    let mut placement = placement(&builder);
    if builder.passes.fuse {
        fuse(&mut builder, &placement);
        placement = self::placement(&builder);
    }
    let program = numbered(&builder, &placement);
    program.validate()?;
    Ok(program)
}

fn placement(builder: &Builder) -> Placement {
    let (live, variables) = live(builder);
    let region = regions(builder, &live, &variables);
    Placement { live, region, variables }
}

/// Everything that a store or the end of the iteration depends on.
fn live(builder: &Builder) -> (Vec<bool>, Vec<bool>) {
    let count = builder.entries.len();
    if !builder.passes.eliminate {
        return (vec![true; count], vec![true; builder.variables.len()]);
    }
    let mut live = vec![false; count];
    let mut variables = vec![false; builder.variables.len()];
    let mut stack: Vec<ValueId> = outputs(builder).collect();
    while let Some(value) = stack.pop() {
        if std::mem::replace(&mut live[value.0 as usize], true) {
            continue;
        }
        let op = builder.op(value);
        stack.extend(op.operands().iter());
        if let Op::Variable(k) | Op::Final(k) = op
            && let Some(seen) = variables.get_mut(k as usize)
            && !std::mem::replace(seen, true)
        {
            let (start, next) = builder.variables[k as usize];
            stack.push(start);
            stack.extend(next);
        }
    }
    (live, variables)
}

/// A value stands in the first region that has its operands, unless only `after` uses it: then it
/// stands there, where it holds no register during the iteration and costs nothing in its rounds.
fn regions(builder: &Builder, live: &[bool], variables: &[bool]) -> Vec<Region> {
    let count = builder.entries.len();
    let mut first_use = vec![Region::After; count];
    let mut used = |value: ValueId, region: Region| {
        let first = &mut first_use[value.0 as usize];
        *first = region.min(*first);
    };
    if let Some((residual, tolerance)) = builder.residual {
        used(residual, Region::Iterate);
        used(tolerance, Region::Before);
    }
    for (&(start, next), _) in builder.variables.iter().zip(variables).filter(|(_, live)| **live) {
        used(start, Region::Before);
        if let Some(next) = next {
            used(next, Region::Iterate);
        }
    }
    let mut region = vec![Region::Before; count];
    for at in (0..count).rev().filter(|&at| live[at]) {
        let entry = builder.entries[at];
        let late = match entry.op {
            Op::Variable(_) => false,
            // Without hoisting everything stands where it is used first.
            _ if !builder.passes.hoist => entry.available != Region::Iterate,
            _ => first_use[at] == Region::After,
        };
        region[at] = if late { first_use[at].max(entry.available) } else { entry.available };
        for operand in entry.op.operands().iter() {
            let first = &mut first_use[operand.0 as usize];
            *first = region[at].min(*first);
        }
    }
    region
}

/// The operations of a region, in the order in which their values were recorded.
struct Recorded<'b> {
    builder: &'b Builder,
    members: Vec<u32>,
    /// The number of each value in the region, if it is there.
    number: Vec<u32>,
}

impl<'b> Recorded<'b> {
    fn new(builder: &'b Builder, placement: &Placement, wanted: Region) -> Self {
        let mut number = vec![u32::MAX; builder.entries.len()];
        let mut members = Vec::new();
        let regions = placement.live.iter().zip(&placement.region);
        for (at, (&live, &region)) in regions.enumerate() {
            if live && region == wanted {
                number[at] = members.len() as u32;
                members.push(at as u32);
            }
        }
        Self { builder, members, number }
    }

    /// The members in the order in which they are executed.
    fn scheduled(self) -> Vec<usize> {
        let order: Vec<u32> = if self.builder.passes.hoist {
            schedule(&self).into_iter().map(|at| self.members[at as usize]).collect()
        } else {
            self.members
        };
        order.into_iter().map(|at| at as usize).collect()
    }
}

impl Operations for Recorded<'_> {
    fn len(&self) -> usize {
        self.members.len()
    }

    fn operands(&self, at: usize, mut visit: impl FnMut(usize)) {
        for operand in self.builder.op(ValueId(self.members[at])).operands().iter() {
            let number = self.number[operand.0 as usize];
            if number != u32::MAX {
                visit(number as usize);
            }
        }
    }

    fn is_leaf(&self, at: usize) -> bool {
        self.builder.op(ValueId(self.members[at])).operands().is_empty()
    }
}

/// The program with its final numbers: regions one after the other.
fn numbered(builder: &Builder, placement: &Placement) -> Program {
    let Placement { live, region, variables: kept } = placement;
    let mut program = Program {
        state: builder.state,
        parameters: builder.parameters,
        max_iterations: if kept.contains(&true) { builder.max_iterations } else { 0 },
        ..Program::default()
    };
    // Old numbers of values and variables to new ones.
    let mut number = vec![ValueId(u32::MAX); builder.entries.len()];
    let mut variable_number = vec![u32::MAX; kept.len()];
    let numbered = (0..kept.len()).filter(|&k| kept[k]).enumerate();
    numbered.for_each(|(new, old)| variable_number[old] = new as u32);
    let renamed = |op: Op| match op {
        Op::Variable(k) => {
            Op::Variable(variable_number.get(k as usize).copied().unwrap_or(u32::MAX))
        }
        Op::Final(k) => Op::Final(variable_number.get(k as usize).copied().unwrap_or(u32::MAX)),
        other => other,
    };
    let in_region = |wanted: Region| Recorded::new(builder, placement, wanted).scheduled();
    for wanted in [Region::Before, Region::Iterate] {
        for at in in_region(wanted) {
            number[at] = ValueId(program.ops.len() as u32);
            program.ops.push(renamed(builder.entries[at].op).map(|v| number[v.0 as usize]));
        }
        if wanted == Region::Before {
            program.before = program.ops.len() as u32;
        }
    }
    for (k, &(start, next)) in builder.variables.iter().enumerate().filter(|&(k, _)| kept[k]) {
        let next = match next {
            Some(next) => number[next.0 as usize],
            None => kept_value(&mut program, variable_number[k]),
        };
        program.variables.push(Variable { start: number[start.0 as usize], next });
    }
    program.iterate = program.ops.len() as u32;
    let mut carried = Carried::new(&program);
    let stored = builder.stores.iter().map(|&(_, value)| value);
    let after = in_region(Region::After);
    let used = after.iter().flat_map(|&at| builder.entries[at].op.operands().to_vec());
    for value in used.chain(stored) {
        let at = value.0 as usize;
        if region[at] == Region::Iterate && live[at] {
            carried.carry(&mut program, number[at]);
        }
    }
    for at in after {
        let id = ValueId(program.ops.len() as u32);
        let op = renamed(builder.entries[at].op);
        program.ops.push(op.map(|v| carried.last(number[v.0 as usize])));
        number[at] = id;
    }
    program.residual = builder.residual.map(|(r, t)| (number[r.0 as usize], number[t.0 as usize]));
    program.stores = builder
        .stores
        .iter()
        .map(|&(slot, value)| (slot, carried.last(number[value.0 as usize])))
        .collect();
    program
}

/// The operation that reads a variable in the iteration, made if it is not there.
fn kept_value(program: &mut Program, variable: u32) -> ValueId {
    let from = program.before as usize;
    let op = Op::Variable(variable);
    let found = program.ops[from..].iter().position(|&other| other == op);
    let at = found.map_or(program.ops.len(), |k| from + k);
    if found.is_none() {
        program.ops.push(op);
    }
    ValueId(at as u32)
}

/// Values of the iteration that are used after it: each becomes a variable, so that what outlives
/// the last round is exactly the variables.
#[derive(Default)]
struct Carried {
    /// Variables by what they are in the next round.
    next: FxHashMap<ValueId, usize>,
    last: FxHashMap<ValueId, ValueId>,
}

impl Carried {
    fn new(program: &Program) -> Self {
        let mut carried = Self::default();
        for (k, variable) in program.variables.iter().enumerate() {
            carried.next.entry(variable.next).or_insert(k);
        }
        carried
    }

    fn carry(&mut self, program: &mut Program, value: ValueId) {
        if self.last.contains_key(&value) {
            return;
        }
        let known = self.next.get(&value).copied();
        let index = match (known, program.variables.first()) {
            (Some(k), _) => k,
            // Its start is never read: any value of `before` will do.
            (None, Some(&Variable { start, .. })) => {
                program.variables.push(Variable { start, next: value });
                self.next.insert(value, program.variables.len() - 1);
                program.variables.len() - 1
            }
            (None, None) => return,
        };
        let id = ValueId(program.ops.len() as u32);
        program.ops.push(Op::Final(index as u32));
        self.last.insert(value, id);
    }

    fn last(&self, value: ValueId) -> ValueId {
        self.last.get(&value).copied().unwrap_or(value)
    }
}
