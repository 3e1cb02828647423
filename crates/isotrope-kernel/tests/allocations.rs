//! Nothing is allocated while steps are made.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use isotrope_algebra::Budget;
use isotrope_derive::derive;
use isotrope_kernel::integrate::{Compiled, Flow, Integration, Plan, Sink, SinkError, integrate};
use isotrope_kernel::stepper::{Field, Options, stepper};
use isotrope_model::{ModelText, parse_model};
use isotrope_scheme::Method;
use isotrope_tape::backend::Backend;

/// The system's allocator, counting.
struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is handed on to the system's allocator unchanged.
#[expect(unsafe_code, reason = "an allocator cannot be written in another way")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Remembers the last row only.
struct Last(Vec<f64>);

impl Sink for Last {
    fn row(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.0.clear();
        self.0.extend_from_slice(row);
        Ok(())
    }
}

#[test]
fn steps_and_rows_allocate_nothing() {
    let file = include_bytes!("../../../models/pendulum.toml");
    for backend in [Backend::Native, Backend::Interpreter] {
        for method in ["rk4", "gauss-4", "dirac-1", "dirac-1-position", "rattle"] {
            let budget = &mut Budget::new(1_000_000_000);
            let model = parse_model(&ModelText::new("pendulum", file)).unwrap();
            let system = derive(model, budget).unwrap();
            let field = Field::new(&system, &[]).unwrap();
            let method = Method::named(method, budget).unwrap().unwrap();
            let options = Options::new("1/1000".parse().unwrap());
            let stepper = stepper(&method, &system, &field, &options, budget).unwrap();
            let compiled = Compiled::new(stepper, backend).unwrap();
            let mut sink = Last(Vec::with_capacity(32));
            let count = |steps: u64, sink: &mut Last| {
                let mut integration = Integration::new(&compiled).unwrap();
                let plan = Plan { steps, stride: Some(10) };
                let before = ALLOCATIONS.load(Ordering::Relaxed);
                let end = integrate(&mut integration, plan, sink, &mut |_| Flow::Continue);
                assert!(end.failure.is_none(), "{end:?}");
                ALLOCATIONS.load(Ordering::Relaxed) - before
            };
            // The program of rows is compiled when the first is wanted. Then a few at the beginning, none for each
            // step or row.
            count(10, &mut sink);
            let few = count(100, &mut sink);
            assert_eq!(count(5_000, &mut sink), few, "{}", method.name());
            assert!(few < 20, "{few}");
        }
    }
}
