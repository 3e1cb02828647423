/* isotrope bench, W6: ten thousand pendula (as W1, h = 1e-3, 1000 steps) in vectors of L lanes,
   U vectors side by side, on THREADS threads. */
#include "common.h"
#include <immintrin.h>
#include <pthread.h>

typedef double vd __attribute__((vector_size(L * 8)));
typedef long long vi __attribute__((vector_size(L * 8)));

static inline vd magnitude(vd a) {
    vi mask = (vi){} + 0x7fffffffffffffffLL;
    return (vd)((vi)a & mask);
}

static inline int any_greater(vd a, double t) {
#if L == 8
    return _mm512_cmp_pd_mask((__m512d)a, _mm512_set1_pd(t), _CMP_GT_OQ) != 0;
#else
    return _mm256_movemask_pd(_mm256_cmp_pd((__m256d)a, _mm256_set1_pd(t), _CMP_GT_OQ)) != 0;
#endif
}

static void block(double *X, double *Y, double *VX, double *VY, int steps, double h) {
    vd x[U], y[U], vx[U], vy[U], a1x[U], a1y[U], a2x[U], a2y[U], px[U], py[U];
    for (int u = 0; u < U; u++) {
        memcpy(&x[u], X + u * L, 8 * L), memcpy(&y[u], Y + u * L, 8 * L);
        memcpy(&vx[u], VX + u * L, 8 * L), memcpy(&vy[u], VY + u * L, 8 * L);
        vd mu = (G * y[u] - (vx[u] * vx[u] + vy[u] * vy[u])) / (x[u] * x[u] + y[u] * y[u]);
        a1x[u] = a2x[u] = mu * x[u], a1y[u] = a2y[u] = mu * y[u] - G;
        px[u] = vx[u], py[u] = vy[u];
    }
    for (int i = 0; i < steps; i++) {
        for (int u = 0; u < U; u++) {
            vd dx = a2x[u] - a1x[u], dy = a2y[u] - a1y[u];
            a2x[u] = a1x[u] + dx * E2, a2y[u] = a1y[u] + dy * E2;
            a1x[u] += dx * E1, a1y[u] += dy * E1;
        }
        for (int k = 0; k < 20; k++) {
            int go = 0;
            for (int u = 0; u < U; u++) {
                vd V1x = vx[u] + h * (A11 * a1x[u] + A12 * a2x[u]);
                vd V1y = vy[u] + h * (A11 * a1y[u] + A12 * a2y[u]);
                vd V2x = vx[u] + h * (A21 * a1x[u] + A22 * a2x[u]);
                vd V2y = vy[u] + h * (A21 * a1y[u] + A22 * a2y[u]);
                vd Q1x = x[u] + h * (A11 * V1x + A12 * V2x), Q1y = y[u] + h * (A11 * V1y + A12 * V2y);
                vd Q2x = x[u] + h * (A21 * V1x + A22 * V2x), Q2y = y[u] + h * (A21 * V1y + A22 * V2y);
                vd m1 = (G * Q1y - (V1x * V1x + V1y * V1y)) / (Q1x * Q1x + Q1y * Q1y);
                vd m2 = (G * Q2y - (V2x * V2x + V2y * V2y)) / (Q2x * Q2x + Q2y * Q2y);
                vd b1x = m1 * Q1x, b1y = m1 * Q1y - G, b2x = m2 * Q2x, b2y = m2 * Q2y - G;
                vd d = magnitude(b1x - a1x[u]) + magnitude(b1y - a1y[u]) + magnitude(b2x - a2x[u])
                       + magnitude(b2y - a2y[u]);
                a1x[u] = b1x, a1y[u] = b1y, a2x[u] = b2x, a2y[u] = b2y;
                go |= any_greater(d, 1e-13 / h);
            }
            if (!go) break;
        }
        for (int u = 0; u < U; u++) {
            vd V1x = vx[u] + h * (A11 * a1x[u] + A12 * a2x[u]);
            vd V1y = vy[u] + h * (A11 * a1y[u] + A12 * a2y[u]);
            vd V2x = vx[u] + h * (A21 * a1x[u] + A22 * a2x[u]);
            vd V2y = vy[u] + h * (A21 * a1y[u] + A22 * a2y[u]);
            x[u] += 0.5 * h * (V1x + V2x), y[u] += 0.5 * h * (V1y + V2y);
            vd dx = 0.5 * h * (a1x[u] + a2x[u]), dy = 0.5 * h * (a1y[u] + a2y[u]);
            vx[u] += dx, vy[u] += dy, px[u] += dx, py[u] += dy;
        }
    }
    for (int u = 0; u < U; u++) {
        memcpy(X + u * L, &x[u], 8 * L), memcpy(Y + u * L, &y[u], 8 * L);
        memcpy(VX + u * L, &vx[u], 8 * L), memcpy(VY + u * L, &vy[u], 8 * L);
    }
}

enum { COUNT = 10000 / (L * U * 2) * (L * U * 2), STEPS = 1000 };
static double X[COUNT], Y[COUNT], VX[COUNT], VY[COUNT];

static void *part(void *argument) {
    int *range = argument;
    for (int i = range[0]; i < range[1]; i += L * U) block(X + i, Y + i, VX + i, VY + i, STEPS, 1e-3);
    return 0;
}

int main(void) {
    for (int sample = 0; sample < SAMPLES; sample++) {
        for (int i = 0; i < COUNT; i++) {
            double angle = 0.1 + 2.9 * i / (COUNT - 1);
            X[i] = sin(angle), Y[i] = -cos(angle), VX[i] = VY[i] = 0;
        }
        int first[2] = {0, THREADS == 1 ? COUNT : COUNT / 2}, second[2] = {COUNT / 2, COUNT};
        double start = wall_seconds(), error = 0;
        pthread_t thread;
        if (THREADS == 2) pthread_create(&thread, 0, part, second);
        part(first);
        if (THREADS == 2) pthread_join(thread, 0);
        double time = wall_seconds() - start;
        for (int i = 0; i < COUNT; i++) {
            double angle = 0.1 + 2.9 * i / (COUNT - 1);
            double e = fabs(0.5 * (VX[i] * VX[i] + VY[i] * VY[i]) + G * Y[i] + G * cos(angle));
            if (e > error) error = e;
        }
        report(time / ((double)COUNT * STEPS) * 1e9, error);
    }
}
