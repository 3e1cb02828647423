//! Members of an ensemble that somebody looks at on their way: what sweeps measure.

use isotrope_algebra::{OrInternal as _, Stop};
use isotrope_kernel::integrate::{Member, MemberEnd, Watch, row};
use isotrope_study::in_columns::{InColumns, InColumnsError};
use isotrope_study::run::{MemberReport, Together};

use super::run::{Members, Steps};
use crate::system::System;

/// Steps of a method, ready for many members side by side.
#[derive(Debug)]
pub struct Observed<'s> {
    steps: &'s Steps,
    lanes: Together<'s>,
}

impl<'s> Observed<'s> {
    /// Makes the code for lanes.
    #[must_use]
    pub fn new(steps: &'s Steps) -> Self {
        Self { steps, lanes: Together::new(steps.prepared(), steps.request()) }
    }

    /// The members of a table as they begin.
    #[must_use]
    pub fn begun(&self, members: &Members) -> Vec<Member> {
        // Every member was seen to begin well when the table was read.
        let begun = self
            .steps
            .begun(members)
            .map_while(|member| member.or_internal("a member that was seen to begin begins").ok());
        begun.collect()
    }

    /// Runs members; the watch knows them by their place in the list.
    #[must_use]
    pub fn run(
        &self,
        members: &[Member],
        threads: usize,
        (stop, made): (&Stop, &(dyn Fn(u64) + Sync)),
        watch: Option<&dyn Watch>,
    ) -> Vec<MemberEnd> {
        self.lanes.run(members, threads, (stop, made), watch)
    }

    /// What became of a member.
    #[must_use]
    pub fn report(&self, member: usize, end: &MemberEnd) -> MemberReport {
        self.lanes.report(member, end)
    }

    /// The numbers of a state in the order of the columns.
    pub fn row(&self, state: &[f64], into: &mut Vec<f64>) {
        row(self.steps.stepper(), state, into);
    }

    /// Expressions in the columns of a run.
    pub fn expressions(
        &self,
        system: &System,
        texts: &[&str],
    ) -> Result<InColumns, InColumnsError> {
        InColumns::new(system.equations(), &self.steps.columns(), texts)
    }
}
