use isotrope_algebra::*;
use isotrope_model::*;
use isotrope_scheme::derive::*;
use std::time::Instant;
fn main() {
    for n in [3, 6, 10] {
        let text = std::fs::read_to_string("models/n_pendulum.toml").unwrap().replace("N = 3", &format!("N = {n}"));
        let mut best = (f64::MAX, f64::MAX);
        let mut nodes = 0;
        for _ in 0..20 {
            let t = Instant::now();
            let mut m = parse_model(&ModelText::new("x", text.as_bytes())).unwrap();
            let p = t.elapsed().as_secs_f64();
            let r = residual(&mut m, &mut Budget::unlimited()).unwrap().unwrap();
            let e = t.elapsed().as_secs_f64();
            nodes = m.pool.len();
            std::hint::black_box(r);
            if e < best.1 { best = (p, e); }
        }
        println!("N={n}: parse {:.3} ms total {:.3} ms nodes {nodes}", best.0 * 1e3, best.1 * 1e3);
    }
    for n in [10, 100, 1000, 4000] {
        let text = std::fs::read_to_string("models/chain.toml").unwrap().replace("N = 10", &format!("N = {n}"));
        let t = Instant::now();
        let m = match parse_model(&ModelText::new("x", text.as_bytes())) { Ok(m) => m, Err(e) => { println!("{:?}", &e[..1]); continue } };
        let p = t.elapsed();
        let mut s = derive(m, &mut Budget::unlimited()).unwrap();
        let e = t.elapsed();
        let a = analyse(&mut s, &mut Budget::new(100_000_000));
        println!("chain {n}: parse {p:?} derive {e:?} analyse {:?} nodes {} {}", t.elapsed(), s.model.pool.len(), a.conservation.conserved.len());
    }
}
