/* isotrope bench, W4: the free rigid body with the variational scheme on the rotations, map cay, as an expert
   would write it in C: explicit predictor, Newton's method with the inverse by cofactors, h = 1/100, 1e6 steps.
   The accuracy is the largest change of the momentum in space. */
#include "common.h"

#define I0 1.0
#define I1 2.0
#define I2 3.0

/* I w + s h/2 w x I w + h^2/4 (w . I w) w */
static inline void momentum(double h, double s, const double *w, double *m) {
    double e = (I0 * w[0] * w[0] + I1 * w[1] * w[1] + I2 * w[2] * w[2]) * h * h / 4, k = s * h / 2;
    m[0] = I0 * w[0] + k * (I2 - I1) * w[1] * w[2] + e * w[0];
    m[1] = I1 * w[1] + k * (I0 - I2) * w[2] * w[0] + e * w[1];
    m[2] = I2 * w[2] + k * (I1 - I0) * w[0] * w[1] + e * w[2];
}

static double run(long n, double h, double *momentum_error) {
    double w[3] = {0.1, 1.0, 0.2}, Q[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, first[3];
    momentum(h, 1, w, first);
    *momentum_error = 0;
    double start = cpu_seconds();
    for (long i = 0; i < n; i++) {
        double a = 0.5 * h * w[0], b = 0.5 * h * w[1], c = 0.5 * h * w[2];
        double f = 2 / (1 + a * a + b * b + c * c);
        double C[9] = {1 - f * (b * b + c * c), f * (a * b - c), f * (a * c + b),
                       f * (a * b + c), 1 - f * (a * a + c * c), f * (b * c - a),
                       f * (a * c - b), f * (b * c + a), 1 - f * (a * a + b * b)};
        double N[9];
        for (int r = 0; r < 3; r++)
            for (int q = 0; q < 3; q++)
                N[3 * r + q] = Q[3 * r] * C[q] + Q[3 * r + 1] * C[3 + q] + Q[3 * r + 2] * C[6 + q];
        memcpy(Q, N, sizeof Q);
        double m[3];
        momentum(h, -1, w, m);
        double u[3] = {w[0] - h * (I2 - I1) * w[1] * w[2] / I0, w[1] - h * (I0 - I2) * w[2] * w[0] / I1,
                       w[2] - h * (I1 - I0) * w[0] * w[1] / I2};
        for (int k = 0; k < 20; k++) {
            double e = (I0 * u[0] * u[0] + I1 * u[1] * u[1] + I2 * u[2] * u[2]) * h * h / 4;
            double r0 = I0 * u[0] + h / 2 * (I2 - I1) * u[1] * u[2] + e * u[0] - m[0];
            double r1 = I1 * u[1] + h / 2 * (I0 - I2) * u[2] * u[0] + e * u[1] - m[1];
            double r2 = I2 * u[2] + h / 2 * (I1 - I0) * u[0] * u[1] + e * u[2] - m[2];
            double q = h * h / 2;
            double J00 = I0 + e + q * I0 * u[0] * u[0];
            double J01 = h / 2 * (I2 - I1) * u[2] + q * I1 * u[1] * u[0];
            double J02 = h / 2 * (I2 - I1) * u[1] + q * I2 * u[2] * u[0];
            double J10 = h / 2 * (I0 - I2) * u[2] + q * I0 * u[0] * u[1];
            double J11 = I1 + e + q * I1 * u[1] * u[1];
            double J12 = h / 2 * (I0 - I2) * u[0] + q * I2 * u[2] * u[1];
            double J20 = h / 2 * (I1 - I0) * u[1] + q * I0 * u[0] * u[2];
            double J21 = h / 2 * (I1 - I0) * u[0] + q * I1 * u[1] * u[2];
            double J22 = I2 + e + q * I2 * u[2] * u[2];
            double c00 = J11 * J22 - J12 * J21, c01 = J02 * J21 - J01 * J22, c02 = J01 * J12 - J02 * J11;
            double c10 = J12 * J20 - J10 * J22, c11 = J00 * J22 - J02 * J20, c12 = J02 * J10 - J00 * J12;
            double c20 = J10 * J21 - J11 * J20, c21 = J01 * J20 - J00 * J21, c22 = J00 * J11 - J01 * J10;
            double id = 1 / (J00 * c00 + J01 * c10 + J02 * c20);
            double d0 = id * (c00 * r0 + c01 * r1 + c02 * r2), d1 = id * (c10 * r0 + c11 * r1 + c12 * r2);
            double d2 = id * (c20 * r0 + c21 * r1 + c22 * r2);
            u[0] -= d0, u[1] -= d1, u[2] -= d2;
            if (fabs(d0) + fabs(d1) + fabs(d2) < 1e-9) break;
        }
        memcpy(w, u, sizeof w);
        if ((i & 63) == 63) {
            double p[3];
            momentum(h, 1, w, p);
            for (int r = 0; r < 3; r++) {
                double P = Q[3 * r] * p[0] + Q[3 * r + 1] * p[1] + Q[3 * r + 2] * p[2];
                double e = fabs(P - first[r]);
                if (e > *momentum_error) *momentum_error = e;
            }
        }
    }
    return cpu_seconds() - start;
}

int main(void) {
    long n = 1000000;
    for (int sample = 0; sample < SAMPLES; sample++) {
        double error, time = run(n, 1e-2, &error);
        report(time / n * 1e9, error);
    }
}
