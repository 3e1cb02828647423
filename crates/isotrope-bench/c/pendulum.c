/* isotrope bench, W1: the Cartesian pendulum as an expert would write it in C. State (q, v, p),
   multiplier eliminated, Gauss-2 with fixed-point iteration of the stage accelerations and an
   extrapolated guess, h = 1e-3, 1e5 steps. */
#include "common.h"

static inline void acceleration(double x, double y, double vx, double vy, double *ax, double *ay) {
    double mu = (G * y - (vx * vx + vy * vy)) / (x * x + y * y);
    *ax = mu * x;
    *ay = mu * y - G;
}

static double run(long n, double h, double *energy_error) {
    double x = sin(2.0), y = -cos(2.0), vx = 0, vy = 0, px = 0, py = 0;
    double energy = G * y;
    double a1x, a1y, a2x, a2y;
    acceleration(x, y, vx, vy, &a1x, &a1y);
    a2x = a1x;
    a2y = a1y;
    *energy_error = 0;
    double start = cpu_seconds();
    for (long i = 0; i < n; i++) {
        double b1x = a1x + (a2x - a1x) * E1, b1y = a1y + (a2y - a1y) * E1;
        double b2x = a1x + (a2x - a1x) * E2, b2y = a1y + (a2y - a1y) * E2;
        double V1x, V1y, V2x, V2y;
        a1x = b1x, a1y = b1y, a2x = b2x, a2y = b2y;
        for (int k = 0; k < 20; k++) {
            V1x = vx + h * (A11 * a1x + A12 * a2x), V1y = vy + h * (A11 * a1y + A12 * a2y);
            V2x = vx + h * (A21 * a1x + A22 * a2x), V2y = vy + h * (A21 * a1y + A22 * a2y);
            double Q1x = x + h * (A11 * V1x + A12 * V2x), Q1y = y + h * (A11 * V1y + A12 * V2y);
            double Q2x = x + h * (A21 * V1x + A22 * V2x), Q2y = y + h * (A21 * V1y + A22 * V2y);
            acceleration(Q1x, Q1y, V1x, V1y, &b1x, &b1y);
            acceleration(Q2x, Q2y, V2x, V2y, &b2x, &b2y);
            double d = fabs(b1x - a1x) + fabs(b1y - a1y) + fabs(b2x - a2x) + fabs(b2y - a2y);
            a1x = b1x, a1y = b1y, a2x = b2x, a2y = b2y;
            if (d * h < 1e-13) break;
        }
        V1x = vx + h * (A11 * a1x + A12 * a2x), V1y = vy + h * (A11 * a1y + A12 * a2y);
        V2x = vx + h * (A21 * a1x + A22 * a2x), V2y = vy + h * (A21 * a1y + A22 * a2y);
        x += 0.5 * h * (V1x + V2x), y += 0.5 * h * (V1y + V2y);
        double dx = 0.5 * h * (a1x + a2x), dy = 0.5 * h * (a1y + a2y);
        vx += dx, vy += dy, px += dx, py += dy;
        if ((i & 63) == 63) {
            double e = fabs(0.5 * (vx * vx + vy * vy) + G * y - energy);
            if (e > *energy_error) *energy_error = e;
        }
    }
    double time = cpu_seconds() - start;
    if (px + py > 1e9) printf("%g\n", px); /* p is used */
    return time;
}

int main(void) {
    long n = 100000;
    for (int sample = 0; sample < SAMPLES; sample++) {
        double error, time = run(n, 1e-3, &error);
        report(time / n * 1e9, error);
    }
}
