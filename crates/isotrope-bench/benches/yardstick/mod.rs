//! The yardstick: the shortest hash-consed differentiator that does the job.

use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    Constant(i64),
    Symbol(u32),
    Add(u32, u32),
    Mul(u32, u32),
    Sin(u32),
    Cos(u32),
}

#[derive(Default)]
struct Graph {
    nodes: Vec<Node>,
    ids: HashMap<Node, u32>,
    derivatives: HashMap<(u32, u32), u32>,
}

impl Graph {
    fn make(&mut self, node: Node) -> u32 {
        *self.ids.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.nodes.len() as u32 - 1
        })
    }

    fn constant(&mut self, value: i64) -> u32 {
        self.make(Node::Constant(value))
    }

    fn add(&mut self, a: u32, b: u32) -> u32 {
        match (self.nodes[a as usize], self.nodes[b as usize]) {
            (Node::Constant(0), _) => b,
            (_, Node::Constant(0)) => a,
            (Node::Constant(x), Node::Constant(y)) => self.constant(x + y),
            _ => self.make(Node::Add(a.min(b), a.max(b))),
        }
    }

    fn mul(&mut self, a: u32, b: u32) -> u32 {
        match (self.nodes[a as usize], self.nodes[b as usize]) {
            (Node::Constant(0), _) | (_, Node::Constant(1)) => a,
            (_, Node::Constant(0)) | (Node::Constant(1), _) => b,
            (Node::Constant(x), Node::Constant(y)) => self.constant(x * y),
            _ => self.make(Node::Mul(a.min(b), a.max(b))),
        }
    }

    fn derivative(&mut self, of: u32, by: u32) -> u32 {
        if let Some(&known) = self.derivatives.get(&(of, by)) {
            return known;
        }
        let result = match self.nodes[of as usize] {
            Node::Constant(_) => self.constant(0),
            Node::Symbol(_) => self.constant(i64::from(of == by)),
            Node::Add(a, b) => {
                let (x, y) = (self.derivative(a, by), self.derivative(b, by));
                self.add(x, y)
            }
            Node::Mul(a, b) => {
                let (x, y) = (self.derivative(a, by), self.derivative(b, by));
                let (p, q) = (self.mul(x, b), self.mul(a, y));
                self.add(p, q)
            }
            Node::Sin(a) => {
                let (outer, inner) = (self.make(Node::Cos(a)), self.derivative(a, by));
                self.mul(outer, inner)
            }
            Node::Cos(a) => {
                let (outer, inner) = (self.make(Node::Sin(a)), self.derivative(a, by));
                let minus = self.constant(-1);
                let outer = self.mul(minus, outer);
                self.mul(outer, inner)
            }
        };
        self.derivatives.insert((of, by), result);
        result
    }
}

/// Residual and Jacobian of the planar pendulum with n links; the number of nodes made.
/// (Twice the Lagrangian, so that integers suffice.)
pub fn pendulum(n: usize) -> usize {
    let mut g = Graph::default();
    let symbols = |g: &mut Graph, from: u32| -> Vec<u32> {
        (0..n as u32).map(|k| g.make(Node::Symbol(from + k))).collect()
    };
    let (q, v, a) = (symbols(&mut g, 0), symbols(&mut g, 100), symbols(&mut g, 200));
    let [m, l, gravity] = [300, 301, 302].map(|k| g.make(Node::Symbol(k)));
    let (mut x, mut y, mut lagrangian) = (g.constant(0), g.constant(0), g.constant(0));
    for i in 0..n {
        let (sine, cosine) = (g.make(Node::Sin(q[i])), g.make(Node::Cos(q[i])));
        let speed = g.mul(l, v[i]);
        let (dx, dy) = (g.mul(speed, cosine), g.mul(speed, sine));
        (x, y) = (g.add(x, dx), g.add(y, dy));
        let (xx, yy) = (g.mul(x, x), g.mul(y, y));
        let square = g.add(xx, yy);
        let kinetic = g.mul(m, square);
        let weight = g.constant(2 * (n - i) as i64);
        let height = g.mul(l, cosine);
        let potential = [m, gravity, height].into_iter().fold(weight, |p, f| g.mul(p, f));
        let term = g.add(kinetic, potential);
        lagrangian = g.add(lagrangian, term);
    }
    for i in 0..n {
        let momentum = g.derivative(lagrangian, v[i]);
        let force = g.derivative(lagrangian, q[i]);
        let minus = g.constant(-1);
        let mut residual = g.mul(minus, force);
        for j in 0..n {
            let (by_v, by_q) = (g.derivative(momentum, v[j]), g.derivative(momentum, q[j]));
            let (s, t) = (g.mul(by_v, a[j]), g.mul(by_q, v[j]));
            let sum = g.add(s, t);
            residual = g.add(residual, sum);
        }
        for k in 0..n {
            for by in [q[k], v[k], a[k]] {
                g.derivative(residual, by);
            }
        }
    }
    g.nodes.len()
}
