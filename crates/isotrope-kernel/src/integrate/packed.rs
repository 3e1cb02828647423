//! One program on several states side by side.

#[cfg(all(target_arch = "x86_64", unix))]
pub(super) use x86::Packed;

#[cfg(not(all(target_arch = "x86_64", unix)))]
pub(super) use elsewhere::Packed;

#[cfg(all(target_arch = "x86_64", unix))]
mod x86 {
    use isotrope_tape::Program;
    use isotrope_tape::x86::{Code, Target, compile};

    /// States and parameters of all lanes: number i of lane l is at i · lanes + l.
    #[derive(Debug)]
    pub(in crate::integrate) struct Lanes {
        state: Vec<f64>,
        parameters: Vec<f64>,
    }

    /// Interleaves vectors; missing ones are copies of the first that is there.
    fn interleave(lanes: usize, vectors: &[Option<&[f64]>]) -> Vec<f64> {
        let Some(first) = vectors.iter().flatten().next() else { return Vec::new() };
        let mut all = vec![0.0; first.len() * lanes];
        for lane in 0..lanes {
            let vector = vectors.get(lane).copied().flatten().unwrap_or(first);
            for (i, &x) in vector.iter().enumerate() {
                all[i * lanes + lane] = x;
            }
        }
        all
    }

    /// Machine code with several lanes.
    #[derive(Debug)]
    pub(in crate::integrate) struct Packed {
        code: Code,
        careless: bool,
    }

    impl Packed {
        /// `None` where this machine has no such code.
        pub(in crate::integrate) fn new(program: &Program) -> Option<Self> {
            let code = compile(program, Target::packed()?).ok()?;
            Some(Self { code, careless: program.writes_unread_numbers() })
        }

        pub(in crate::integrate) fn lanes(&self) -> usize {
            self.code.target().lanes as usize
        }

        /// States and parameters of the members that are there.
        pub(in crate::integrate) fn load<'a>(
            &self,
            members: impl Iterator<Item = Option<(&'a [f64], &'a [f64])>>,
        ) -> Lanes {
            let members: Vec<_> = members.collect();
            let states: Vec<_> = members.iter().map(|one| one.map(|(state, _)| state)).collect();
            let parameters: Vec<_> = members.iter().map(|one| one.map(|(_, p)| p)).collect();
            Lanes {
                state: interleave(self.lanes(), &states),
                parameters: interleave(self.lanes(), &parameters),
            }
        }

        /// Steps made by all lanes, and which lanes fail in the next one.
        pub(in crate::integrate) fn run(&self, lanes: &mut Lanes, steps: u64) -> (u64, u32) {
            let before = self.careless.then(|| lanes.state.clone());
            match self.code.run(&mut lanes.state, &lanes.parameters, steps) {
                Ok(outcome) => {
                    if let Some(before) = before.filter(|_| outcome.failed != 0) {
                        // As for one lane: the good steps once more.
                        lanes.state = before;
                        let _ = self.code.run(&mut lanes.state, &lanes.parameters, outcome.steps);
                    }
                    (outcome.steps, outcome.failed)
                }
                // Never seen: then every member goes on alone.
                Err(_) => (0, u32::MAX),
            }
        }

        /// The state of a lane.
        pub(in crate::integrate) fn lane(&self, lanes: &Lanes, lane: usize) -> Vec<f64> {
            lanes.state.iter().skip(lane).step_by(self.lanes()).copied().collect()
        }

        /// The same into a buffer.
        pub(in crate::integrate) fn read_lane(
            &self,
            lanes: &Lanes,
            lane: usize,
            state: &mut Vec<f64>,
        ) {
            state.clear();
            state.extend(lanes.state.iter().skip(lane).step_by(self.lanes()));
        }

        /// Overwrites a lane with another.
        pub(in crate::integrate) fn copy_lane(&self, lanes: &mut Lanes, from: usize, to: usize) {
            for all in [&mut lanes.state, &mut lanes.parameters] {
                for chunk in all.chunks_exact_mut(self.lanes()) {
                    chunk[to] = chunk[from];
                }
            }
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", unix)))]
mod elsewhere {
    use isotrope_tape::Program;

    /// Never made.
    #[derive(Debug)]
    pub(in crate::integrate) struct Lanes;

    /// There is none: members run one by one.
    #[derive(Debug)]
    pub(in crate::integrate) enum Packed {}

    impl Packed {
        pub(in crate::integrate) fn new(_: &Program) -> Option<Self> {
            None
        }
        pub(in crate::integrate) fn lanes(&self) -> usize {
            1
        }
        pub(in crate::integrate) fn load<'a>(
            &self,
            _: impl Iterator<Item = Option<(&'a [f64], &'a [f64])>>,
        ) -> Lanes {
            match *self {}
        }
        pub(in crate::integrate) fn run(&self, _: &mut Lanes, _: u64) -> (u64, u32) {
            match *self {}
        }
        pub(in crate::integrate) fn lane(&self, _: &Lanes, _: usize) -> Vec<f64> {
            match *self {}
        }
        pub(in crate::integrate) fn read_lane(&self, _: &Lanes, _: usize, _: &mut Vec<f64>) {
            match *self {}
        }
        pub(in crate::integrate) fn copy_lane(&self, _: &mut Lanes, _: usize, _: usize) {
            match *self {}
        }
    }
}
