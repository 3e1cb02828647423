"""The Jacobiator [P,P] of random bivectors in SymPy's polynomial ring, for comparison with jacobiator.rs.

python3 crates/isotrope-geometry/benches/jacobiator_sympy.py
"""

import itertools
import random
import time

from sympy import QQ
from sympy.polys.rings import ring


def jacobiator_time(dimension, degree, terms):
    """CPU seconds for one Jacobiator; `terms` a component, or all of the degree."""
    names = [f"x{i}" for i in range(dimension)]
    polynomials, *x = ring(names, QQ)
    random.seed(1)
    monomials = [m for m in itertools.product(range(degree + 1), repeat=dimension) if sum(m) <= degree]
    zero = polynomials(0)
    p = [[zero] * dimension for _ in range(dimension)]
    for i, j in itertools.combinations(range(dimension), 2):
        chosen = monomials if terms is None else random.sample(monomials, terms)
        p[i][j] = polynomials.from_dict({m: QQ(random.choice([-3, -2, -1, 1, 2, 3])) for m in chosen})
        p[j][i] = -p[i][j]
    start = time.process_time()
    slope = {(i, j, l): p[i][j].diff(x[l]) for i, j in itertools.combinations(range(dimension), 2) for l in range(dimension)}
    for i, j, k in itertools.combinations(range(dimension), 3):
        total = zero
        for l in range(dimension):
            total += p[l][i] * slope[j, k, l] - p[l][j] * slope[i, k, l] + p[l][k] * slope[i, j, l]
    return time.process_time() - start


for degree, dimension in [(2, 4), (2, 6), (2, 8), (3, 4), (3, 6)]:
    four, every = (1e6 * min(jacobiator_time(dimension, degree, t) for _ in range(3)) for t in (4, None))
    print(f"degree {degree}, dimension {dimension}: four terms {four:.0f} us, all terms {every:.0f} us")
