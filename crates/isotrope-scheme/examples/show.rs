use isotrope_algebra::{print, Budget, ExprId, Pool};
use isotrope_model::*;
use isotrope_scheme::derive::*;
fn t(p: &Pool, e: ExprId) -> String { print::to_text(p, e, &mut Budget::new(20000)).unwrap_or("<big>".into()) }
fn main() {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).unwrap();
        let t0 = std::time::Instant::now();
        let model = match parse_model(&ModelText::new(&path, &bytes)) { Ok(m) => m, Err(e) => { println!("{path}: {e:#?}"); continue } };
        let t1 = t0.elapsed();
        let mut s = match derive(model, &mut Budget::new(200_000_000)) { Ok(s) => s, Err(e) => { println!("{path}: {e:?}"); continue } };
        let t2 = t0.elapsed();
        let a = analyse(&mut s, &mut Budget::new(100_000_000));
        let t3 = t0.elapsed();
        println!("=== {path} parse {t1:?} derive {t2:?} analyse {t3:?} pool {}", s.model.pool.len());
        if s.symbols.dimension() > 12 { println!("{:?}", a.conservation.conserved); continue }
        let p = &s.model.pool;
        if let Mechanics::Lagrangian { dynamics, rows, eliminated, hamiltonian, .. } = &s.mechanics {
            for (n, &l) in rows.names.iter().zip(&eliminated.multipliers) { println!("  lambda_{n} = {}", t(p, l)); }
            for (n, &l) in s.symbols.names.iter().zip(&eliminated.acceleration) { println!("  {n}'' = {}", t(p, l)); }
            println!("  E = {}", t(p, dynamics.energy));
            println!("  H = {:?}", hamiltonian.expression().map(|h| t(p, h)));
            println!("  conditions {:?}", eliminated.conditions.iter().map(|&c| t(p, c)).collect::<Vec<_>>());
        }
        println!("  kinds {:?} integrable {:?}", a.distribution.kinds, a.distribution.integrable);
        if let Some(d) = &a.distribution.distribution { for f in &d.frame { println!("  X = {:?}", f.components.iter().map(|&c| t(p, c)).collect::<Vec<_>>()); } }
        if let Some(f) = &a.distribution.flag { println!("  growth {:?} derived {:?} gen {} proved {}", f.growth_vector, f.derived_flag, f.bracket_generating, f.proved); }
        for c in &a.conservation.conserved { println!("  conserved {}: {} [{}] {:?}", c.name, t(p, c.expression), c.why, c.proof); }
        for c in &a.conservation.lost { println!("  lost {}: {} ' = {}", c.name, t(p, c.expression), t(p, c.rate)); }
        for c in &a.conservation.momentum_equations { println!("  momentum eq {}: ' = {}", t(p, c.momentum), t(p, c.rate)); }
        if let Some(r) = a.conservation.energy_rate { println!("  E' = {}", t(p, r)); }
        if let Some(r) = &a.reduction { for (w, &x) in r.quasi_velocities.iter().zip(&r.rates) { println!("  {}' = {}", t(p, *w), t(p, x)); } println!("  shape {:?}", r.shape.iter().map(|&c| t(p, c)).collect::<Vec<_>>()); }
    }
}
