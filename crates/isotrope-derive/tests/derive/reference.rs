//! The derived fields, integrated, meet reference trajectories computed independently to
//! twenty digits; the multipliers have the reference values there.

use crate::support::*;
use isotrope_algebra::ExprId;
use isotrope_algebra::evaluate::evaluate_balls;
use isotrope_algebra::number::{Ball, Precision};
use isotrope_derive::System;
use rustc_hash::FxHashMap;

/// A derived system with its parameters filled in.
struct Field<'s> {
    system: &'s System,
    values: FxHashMap<ExprId, Ball>,
}

const PRECISION: u32 = 80;

impl<'s> Field<'s> {
    fn new(system: &'s System) -> Self {
        let precision = Precision::new(PRECISION);
        let pool = &system.model.pool;
        let values = system
            .model
            .parameter_values()
            .into_iter()
            .map(|(symbol, exact)| {
                let ball =
                    evaluate_balls(pool, &[exact], &FxHashMap::default(), precision).unwrap();
                (symbol, ball[0].clone())
            })
            .collect();
        Self { system, values }
    }

    fn evaluate(&mut self, expressions: &[ExprId], state: &[f64]) -> Vec<f64> {
        let precision = Precision::new(PRECISION);
        let symbols = self.system.symbols.position.iter().chain(&self.system.symbols.velocity);
        for (&symbol, &value) in symbols.zip(state) {
            self.values.insert(symbol, Ball::from_f64(value, precision).unwrap());
        }
        let pool = &self.system.model.pool;
        evaluate_balls(pool, expressions, &self.values, precision)
            .unwrap()
            .iter()
            .map(Ball::to_f64)
            .collect()
    }

    fn initial(&mut self) -> Vec<f64> {
        let initial = &self.system.model.initial;
        let exact: Vec<ExprId> = initial.position.iter().chain(&initial.rate).copied().collect();
        let pool = &self.system.model.pool;
        evaluate_balls(pool, &exact, &self.values, Precision::new(PRECISION))
            .unwrap()
            .iter()
            .map(Ball::to_f64)
            .collect()
    }

    /// q' = v, v' = f.
    fn rate(&mut self, state: &[f64]) -> Vec<f64> {
        let n = state.len() / 2;
        let acceleration = parts(self.system).eliminated.acceleration.clone();
        let mut rate = state[n..].to_vec();
        rate.extend(self.evaluate(&acceleration, state));
        rate
    }

    /// The classical Runge-Kutta method to time 1, extrapolated from two step sizes.
    fn flow(&mut self, steps: usize) -> Vec<f64> {
        let coarse = self.march(steps);
        let fine = self.march(2 * steps);
        fine.iter().zip(coarse).map(|(f, c)| f + (f - c) / 15.0).collect()
    }

    fn march(&mut self, steps: usize) -> Vec<f64> {
        let h = 1.0 / steps as f64;
        let mut state = self.initial();
        let along = |state: &[f64], rate: &[f64], h: f64| -> Vec<f64> {
            state.iter().zip(rate).map(|(x, r)| x + h * r).collect()
        };
        for _ in 0..steps {
            let k1 = self.rate(&state);
            let k2 = self.rate(&along(&state, &k1, h / 2.0));
            let k3 = self.rate(&along(&state, &k2, h / 2.0));
            let k4 = self.rate(&along(&state, &k3, h));
            for (i, x) in state.iter_mut().enumerate() {
                *x += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
        }
        state
    }
}

#[track_caller]
fn meets(name: &str, steps: usize, tolerance: f64, reference: &[f64], multipliers: &[f64]) {
    let system = system(name);
    let mut field = Field::new(&system);
    let end = field.flow(steps);
    for (k, (x, y)) in end.iter().zip(reference).enumerate() {
        assert!((x - y).abs() < tolerance, "{name}: component {k} is {x}, reference {y}");
    }
    let lambda = parts(&system).eliminated.multipliers.clone();
    let values = field.evaluate(&lambda, reference);
    for (x, y) in values.iter().zip(multipliers) {
        assert!((x - y).abs() < 1e-13 * (1.0 + y.abs()), "{name}: lambda {x}, reference {y}");
    }
}

#[test]
fn the_pendulum_in_both_coordinates() {
    let reference = [
        -0.986_291_751_131_875_3,
        -0.165_010_853_125_541_17,
        -0.296_905_515_916_315_8,
        1.774_643_641_112_655_6,
    ];
    meets("pendulum", 100, 1e-7, &reference, &[-2.428_134_703_742_338]);
    meets("pendulum_angle", 100, 1e-7, &[-1.405_027_311_524_799, -1.799_309_016_907_078_7], &[]);
}

#[test]
fn the_sleigh_flat_and_inclined() {
    let flat = [
        1.752_647_487_584_771_7,
        3.084_992_816_489_034_3,
        1.268_253_611_473_474,
        0.469_347_552_524_811_3,
        1.503_719_163_579_378,
        0.509_186_386_317_969_9,
    ];
    meets("sleigh", 60, 1e-10, &flat, &[-0.401_051_635_530_698_5]);
    let incline = [
        0.608_085_741_961_111_8,
        1.889_861_090_508_756_3,
        -0.224_225_527_897_191_77,
        -0.054_594_210_086_874_66,
        0.012_450_781_347_765_616,
        -1.588_109_062_841_804_6,
    ];
    meets("sleigh_incline", 60, 1e-9, &incline, &[-1.522_248_391_098_167_5]);
}

#[test]
fn three_particles_on_a_rod_and_a_spring() {
    let reference = [
        0.058_042_223_226_501_79,
        1.071_191_868_068_461_1,
        0.653_299_288_379_677_1,
        0.931_072_485_198_584_2,
        1.011_791_792_901_183_3,
        1.137_334_196_987_598_5,
        0.010_885_291_574_913_986,
        1.917_016_339_030_355_6,
        1.209_366_514_632_724_4,
        0.137_927_939_775_649_7,
        0.694_211_359_972_197_9,
        1.292_302_815_177_942_8,
        0.807_479_559_167_154_6,
        0.028_017_153_284_515_164,
        0.002_910_664_869_226_03,
        0.054_592_501_057_195_66,
        0.277_771_486_743_286_9,
        -0.295_213_480_047_168_7,
    ];
    meets("three_particles", 60, 1e-6, &reference, &[-0.609_417_517_540_691]);
    let system = system("three_particles");
    let mut field = Field::new(&system);
    let start = field.initial();
    let lambda = parts(&system).eliminated.multipliers.clone();
    assert!((field.evaluate(&lambda, &start)[0] + 0.25).abs() < 1e-15);
}

#[test]
fn zieglers_column_in_both_coordinates() {
    let angles = [
        0.071_728_939_752_006_28,
        0.096_405_640_670_846_32,
        -0.050_935_572_931_396_6,
        0.074_363_075_472_346_5,
    ];
    meets("ziegler_angles", 40, 1e-10, &angles, &[]);
    let cartesian = [
        0.071_667_447_519_570_73,
        0.997_428_582_388_749,
        0.167_923_824_469_045_5,
        1.992_785_156_635_667_1,
        -0.050_804_596_302_121_65,
        0.003_650_422_499_940_133_5,
        0.023_213_179_750_498_17,
        -0.003_507_497_723_848_291,
    ];
    let lambda = [0.743_056_229_057_530_9, 0.745_573_215_759_882_4];
    meets("ziegler", 40, 1e-9, &cartesian, &lambda);
}
