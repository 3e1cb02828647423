/* isotrope bench, W5: RATTLE on a chain of masses, the tridiagonal systems of both constraints
   solved by Thomas' algorithm; h = 1e-3. Reads the number of links and that of steps. */
#include "common.h"

static double run(int N, long n, double h, double *constraint_error) {
    size_t P = N + 8;
    double *B = aligned_alloc(64, sizeof(double) * P * 16);
    memset(B, 0, sizeof(double) * P * 16);
    double *x = B, *y = B + P, *vx = B + 2 * P, *vy = B + 3 * P, *dx = B + 4 * P, *dy = B + 5 * P;
    double *ex = B + 6 * P, *ey = B + 7 * P, *l = B + 8 * P, *X = B + 9 * P, *Y = B + 10 * P;
    double *c = B + 11 * P, *r = B + 12 * P, *ux = B + 13 * P, *uy = B + 14 * P;
    /* Index 0 is the pivot; masses and lengths are 1. */
    for (int i = 0; i <= N; i++) x[i] = i * sin(M_PI / 4), y[i] = -i * cos(M_PI / 4);
    *constraint_error = 0;
    double start = cpu_seconds();
    for (int i = 1; i <= N; i++) dx[i] = x[i] - x[i - 1], dy[i] = y[i] - y[i - 1];
    for (long s = 0; s < n; s++) {
        /* The force on mass i is -l_i d_i + l_{i+1} d_{i+1}. */
        for (int i = 1; i <= N; i++)
            ux[i] = x[i] + h * vx[i], uy[i] = y[i] + h * vy[i] - 0.5 * h * h * G;
        ux[0] = uy[0] = dx[N + 1] = dy[N + 1] = l[N + 1] = 0;
        for (int k = 0; k < 30; k++) {
            X[0] = Y[0] = 0;
            for (int i = 1; i <= N; i++) {
                X[i] = ux[i] - l[i] * dx[i] + l[i + 1] * dx[i + 1];
                Y[i] = uy[i] - l[i] * dy[i] + l[i + 1] * dy[i + 1];
            }
            double largest = 0;
            for (int i = 1; i <= N; i++) {
                ex[i] = X[i] - X[i - 1], ey[i] = Y[i] - Y[i - 1];
                r[i] = 0.5 * (ex[i] * ex[i] + ey[i] * ey[i] - 1);
                double a = fabs(r[i]);
                largest = a > largest ? a : largest;
            }
            if (largest < 5e-12) break;
            double pc = 0, pr = 0;
            for (int i = 1; i <= N; i++) {
                double a = i > 1 ? ex[i] * dx[i - 1] + ey[i] * dy[i - 1] : 0;
                double b = -(i > 1 ? 2.0 : 1.0) * (ex[i] * dx[i] + ey[i] * dy[i]);
                double cc = ex[i] * dx[i + 1] + ey[i] * dy[i + 1];
                double inverse = 1 / (b - a * pc);
                pc = cc * inverse, pr = (-r[i] - a * pr) * inverse;
                c[i] = pc, r[i] = pr;
            }
            double d = 0;
            for (int i = N; i >= 1; i--) d = r[i] - c[i] * d, l[i] += d;
        }
        double inverse_step = 1 / h;
        for (int i = 1; i <= N; i++) {
            vx[i] = (X[i] - x[i]) * inverse_step;
            vy[i] = (Y[i] - y[i]) * inverse_step - 0.5 * h * G;
            x[i] = X[i], y[i] = Y[i];
        }
        vx[0] = vy[0] = 0;
        memcpy(dx + 1, ex + 1, N * sizeof *dx);
        memcpy(dy + 1, ey + 1, N * sizeof *dy);
        double pc = 0, pr = 0;
        for (int i = 1; i <= N; i++) {
            double a = i > 1 ? dx[i] * dx[i - 1] + dy[i] * dy[i - 1] : 0;
            double b = -(i > 1 ? 2.0 : 1.0) * (dx[i] * dx[i] + dy[i] * dy[i]);
            double cc = i < N ? dx[i] * dx[i + 1] + dy[i] * dy[i + 1] : 0;
            double rate = dx[i] * (vx[i] - vx[i - 1]) + dy[i] * (vy[i] - vy[i - 1]);
            double inverse = 1 / (b - a * pc);
            pc = cc * inverse, pr = (-rate - a * pr) * inverse;
            c[i] = pc, r[i] = pr;
        }
        r[N + 1] = c[N + 1] = 0;
        for (int i = N - 1; i >= 1; i--) r[i] -= c[i] * r[i + 1];
        for (int i = 1; i <= N; i++) {
            vx[i] += -r[i] * dx[i] + r[i + 1] * (i < N ? dx[i + 1] : 0);
            vy[i] += -r[i] * dy[i] + r[i + 1] * (i < N ? dy[i + 1] : 0);
        }
        if ((s & 15) == 15)
            for (int i = 1; i <= N; i++) {
                double e = fabs(dx[i] * dx[i] + dy[i] * dy[i] - 1);
                if (e > *constraint_error) *constraint_error = e;
            }
    }
    double time = cpu_seconds() - start;
    free(B);
    return time;
}

int main(void) {
    int links;
    long steps;
    if (scanf("%d %ld", &links, &steps) != 2) return 1;
    for (int sample = 0; sample < SAMPLES; sample++) {
        double error, time = run(links, steps, 1e-3, &error);
        report(time / steps * 1e9, error);
    }
}
