//! Lowering of expressions that may need other expressions first, without recursion.

use isotrope_algebra::syntax::{LowerLimits, Machine, Progress, Resolver, Tree};
use isotrope_algebra::{Budget, ExprId, Pool};

/// A resolver whose names stand for jobs: expressions that are lowered when first needed.
pub(crate) trait Workshop<'t>: Resolver<Wait = usize> {
    /// Begins a job: its tree and the values of its binders. `None` if it is already
    /// under way, that is, if it needs itself, or if it turns out to have failed.
    fn start(&mut self, job: usize) -> Option<(&'t Tree, Vec<i64>)>;
    /// Ends a job that was begun.
    fn finish(&mut self, job: usize, value: Option<ExprId>);
    /// Reports the circle `path` (each needs the next, the last needs the first) and
    /// marks its first job as failed.
    fn cycle(&mut self, path: &[usize]);
}

/// Lowers `tree`, and everything it needs before it. If the tree is that of a job which
/// the caller has started, `job` says which.
pub(crate) fn lower_with<'t, W: Workshop<'t>>(
    job: Option<usize>,
    tree: &'t Tree,
    binders: &[i64],
    pool: &mut Pool,
    workshop: &mut W,
    limits: &LowerLimits,
    budget: &mut Budget,
) -> Option<ExprId> {
    let root_job = job;
    let mut root = Machine::new(tree, binders);
    let mut jobs: Vec<(usize, Machine<'t>)> = Vec::new();
    loop {
        let machine = jobs.last_mut().map_or(&mut root, |(_, machine)| machine);
        let value = match machine.run(pool, workshop, limits, budget) {
            Progress::Done(value) => Some(value),
            Progress::Refused => None,
            Progress::Wait(job) => {
                match workshop.start(job) {
                    Some((tree, binders)) => jobs.push((job, Machine::new(tree, &binders))),
                    None => {
                        let path: Vec<usize> = root_job
                            .into_iter()
                            .chain(jobs.iter().map(|(job, _)| *job))
                            .skip_while(|other| *other != job)
                            .collect();
                        workshop.cycle(&path);
                    }
                }
                continue;
            }
        };
        match jobs.pop() {
            Some((job, _)) => workshop.finish(job, value),
            None => return value,
        }
    }
}
