/* isotrope bench, W3: the scheme dirac-1-position on the Cartesian pendulum, reduced by hand to one
   unknown, the impulse of the rod; Newton's method, h = 1e-4, 1e6 steps. */
#include "common.h"

static double run(long n, double h, double *constraint_error) {
    double x = sin(2.0), y = -cos(2.0), px = 0, py = 0, nu = 0;
    *constraint_error = 0;
    double start = cpu_seconds();
    for (long i = 0; i < n; i++) {
        double bx = x + h * px, by = y + h * (py - h * G);
        double gx = 2 * h * x, gy = 2 * h * y, X, Y;
        for (int k = 0; k < 30; k++) {
            X = bx - nu * gx, Y = by - nu * gy;
            double f = X * X + Y * Y - 1, df = -2 * (X * gx + Y * gy), d = f / df;
            nu -= d;
            if (fabs(d) * 2 * h < 1e-9) {
                X = bx - nu * gx, Y = by - nu * gy;
                break;
            }
        }
        px = (X - x) / h, py = (Y - y) / h;
        x = X, y = Y;
        if ((i & 63) == 63) {
            double e = fabs(x * x + y * y - 1);
            if (e > *constraint_error) *constraint_error = e;
        }
    }
    return cpu_seconds() - start;
}

int main(void) {
    long n = 1000000;
    for (int sample = 0; sample < SAMPLES; sample++) {
        double error, time = run(n, 1e-4, &error);
        report(time / n * 1e9, error);
    }
}
