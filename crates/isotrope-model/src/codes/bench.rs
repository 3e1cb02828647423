//! Benchmarks: the codes of what is refused.

error_codes! {
    /// Why a workload cannot be measured.
    BenchCode;
    /// A workload that cannot be measured, because the machine has no code for it.
    NotMeasurable = "ISO-BENCH-001", "Use x86-64 with AVX2 and FMA.";
}
