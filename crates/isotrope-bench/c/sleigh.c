/* isotrope bench, W2: the Chaplygin sleigh on an incline as an expert would write it in C. State
   (q, v, p), multiplier eliminated, Gauss-2 with fixed-point iteration, h = 1e-4, 1e5 steps. */
#include "common.h"

#define M 1.0
#define J 1.0
#define A 1.0
static double GS; /* g sin(slope) */

static inline void acceleration(double theta, double vx, double vy, double w, double *a,
                                double *lambda, double *sine, double *cosine) {
    double s, c;
    sincos(theta, &s, &c);
    double u = vx * c + vy * s, Uy = M * GS, Ut = M * GS * A * c;
    double wd = (-Ut - M * A * w * u) / (J + M * A * A);
    double l = M * (-w * u - A * wd) - Uy * c;
    a[0] = A * w * w * c + A * s * wd + l * s / M;
    a[1] = A * w * w * s - A * c * wd - l * c / M - GS;
    a[2] = wd;
    *lambda = l, *sine = s, *cosine = c;
}

static double energy(double y, double theta, double vx, double vy, double w) {
    return 0.5 * (M * vx * vx + M * vy * vy + (J + M * A * A) * w * w
                  - 2 * M * A * vx * w * sin(theta) + 2 * M * A * vy * w * cos(theta))
           + M * GS * (y + A * sin(theta));
}

static double run(long n, double h, double *energy_error) {
    double x = 1, y = 2, theta = M_PI / 6, vx = cos(theta), vy = sin(theta), w = 0.5;
    double px = M * vx - M * A * w * sin(theta), py = M * vy + M * A * w * cos(theta);
    double pt = (J + M * A * A) * w + M * A * (-vx * sin(theta) + vy * cos(theta));
    double first = energy(y, theta, vx, vy, w);
    double k[2][3], sn[2], cs[2], lambda[2];
    acceleration(theta, vx, vy, w, k[0], lambda, sn, cs);
    memcpy(k[1], k[0], sizeof k[0]);
    *energy_error = 0;
    double start = cpu_seconds();
    for (long i = 0; i < n; i++) {
        for (int j = 0; j < 3; j++) {
            double d = k[1][j] - k[0][j], a = k[0][j];
            k[0][j] = a + d * E1, k[1][j] = a + d * E2;
        }
        double V[2][3], pd[2];
        for (int round = 0; round < 20; round++) {
            double next[2][3];
            V[0][0] = vx + h * (A11 * k[0][0] + A12 * k[1][0]);
            V[0][1] = vy + h * (A11 * k[0][1] + A12 * k[1][1]);
            V[0][2] = w + h * (A11 * k[0][2] + A12 * k[1][2]);
            V[1][0] = vx + h * (A21 * k[0][0] + A22 * k[1][0]);
            V[1][1] = vy + h * (A21 * k[0][1] + A22 * k[1][1]);
            V[1][2] = w + h * (A21 * k[0][2] + A22 * k[1][2]);
            double T1 = theta + h * (A11 * V[0][2] + A12 * V[1][2]);
            double T2 = theta + h * (A21 * V[0][2] + A22 * V[1][2]);
            acceleration(T1, V[0][0], V[0][1], V[0][2], next[0], &lambda[0], &sn[0], &cs[0]);
            acceleration(T2, V[1][0], V[1][1], V[1][2], next[1], &lambda[1], &sn[1], &cs[1]);
            double d = 0;
            for (int j = 0; j < 3; j++)
                d += fabs(next[0][j] - k[0][j]) + fabs(next[1][j] - k[1][j]);
            memcpy(k, next, sizeof next);
            if (d * h < 1e-13) break;
        }
        for (int r = 0; r < 2; r++)
            pd[r] = -M * A * V[r][2] * (V[r][0] * cs[r] + V[r][1] * sn[r]) - M * GS * A * cs[r];
        V[0][0] = vx + h * (A11 * k[0][0] + A12 * k[1][0]);
        V[0][1] = vy + h * (A11 * k[0][1] + A12 * k[1][1]);
        V[0][2] = w + h * (A11 * k[0][2] + A12 * k[1][2]);
        V[1][0] = vx + h * (A21 * k[0][0] + A22 * k[1][0]);
        V[1][1] = vy + h * (A21 * k[0][1] + A22 * k[1][1]);
        V[1][2] = w + h * (A21 * k[0][2] + A22 * k[1][2]);
        x += 0.5 * h * (V[0][0] + V[1][0]);
        y += 0.5 * h * (V[0][1] + V[1][1]);
        theta += 0.5 * h * (V[0][2] + V[1][2]);
        vx += 0.5 * h * (k[0][0] + k[1][0]);
        vy += 0.5 * h * (k[0][1] + k[1][1]);
        w += 0.5 * h * (k[0][2] + k[1][2]);
        px += 0.5 * h * (lambda[0] * sn[0] + lambda[1] * sn[1]);
        py += 0.5 * h * (-2 * M * GS - lambda[0] * cs[0] - lambda[1] * cs[1]);
        pt += 0.5 * h * (pd[0] + pd[1]);
        if ((i & 63) == 63) {
            double e = fabs(energy(y, theta, vx, vy, w) - first);
            if (e > *energy_error) *energy_error = e;
        }
    }
    double time = cpu_seconds() - start;
    if (x + px + py + pt > 1e9) printf("%g\n", px); /* x and p are used */
    return time;
}

int main(void) {
    long n = 100000;
    GS = G * sin(M_PI / 10);
    for (int sample = 0; sample < SAMPLES; sample++) {
        double error, time = run(n, 1e-4, &error);
        report(time / n * 1e9, error);
    }
}
