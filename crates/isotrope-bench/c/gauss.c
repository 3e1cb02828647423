/* isotrope bench, W1 to t = 100 and W6 with longer steps: Gauss-S collocation (order 2S) on the
   Cartesian pendulum, state (q, v), fixed-point iteration of the stages. -DS stages, -DL lanes
   (1: one pendulum to t = 100; 4 or 8: ten thousand to t = 1), -DN steps. */
#include "common.h"

#if L == 1
typedef double vd;
static inline int any_greater(vd a, double t) { return a > t; }
static inline vd magnitude(vd a) { return fabs(a); }
#else
#include <immintrin.h>
typedef double vd __attribute__((vector_size(L * 8)));
typedef long long vi __attribute__((vector_size(L * 8)));
static inline int any_greater(vd a, double t) {
#if L == 8
    return _mm512_cmp_pd_mask((__m512d)a, _mm512_set1_pd(t), _CMP_GT_OQ) != 0;
#else
    return _mm256_movemask_pd(_mm256_cmp_pd((__m256d)a, _mm256_set1_pd(t), _CMP_GT_OQ)) != 0;
#endif
}
static inline vd magnitude(vd a) {
    vi mask = (vi){} + 0x7fffffffffffffffLL;
    return (vd)((vi)a & mask);
}
#endif

static double A[S][S], B[S], C[S], AA[S][S], BB[S], P[S][S];

static void coefficients(void) {
    long double x[S];
    for (int i = 0; i < S; i++) { /* zeros of the Legendre polynomial */
        long double z = cosl(M_PIl * (i + 0.75L) / (S + 0.5L));
        for (int k = 0; k < 50; k++) {
            long double p0 = 1, p1 = z;
            for (int n = 2; n <= S; n++) {
                long double p2 = ((2 * n - 1) * z * p1 - (n - 1) * p0) / n;
                p0 = p1, p1 = p2;
            }
            long double d = S * (z * p1 - p0) / (z * z - 1);
            z -= p1 / d;
        }
        x[S - 1 - i] = (1 + z) / 2;
    }
    for (int j = 0; j < S; j++) { /* the polynomial that is 1 at node j and 0 at the others */
        long double c[S + 1];
        memset(c, 0, sizeof c);
        c[0] = 1;
        int degree = 0;
        for (int m = 0; m < S; m++)
            if (m != j) {
                long double w = 1 / (x[j] - x[m]);
                for (int k = degree + 1; k >= 0; k--)
                    c[k] = ((k ? c[k - 1] : 0) - x[m] * (k <= degree ? c[k] : 0)) * w;
                degree++;
            }
        for (int i = 0; i < S; i++) {
            long double s = 0, p = x[i];
            for (int k = 0; k < S; k++) s += c[k] * p / (k + 1), p *= x[i];
            A[i][j] = s;
            s = 0, p = 1;
            for (int k = 0; k < S; k++) s += c[k] * p, p *= (1 + x[i]);
            P[i][j] = s;
        }
        long double s = 0;
        for (int k = 0; k < S; k++) s += c[k] / (k + 1);
        B[j] = s;
        C[j] = x[j];
    }
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++) {
            double s = 0;
            for (int k = 0; k < S; k++) s += A[i][k] * A[k][j];
            AA[i][j] = s;
        }
    for (int j = 0; j < S; j++) {
        double s = 0;
        for (int k = 0; k < S; k++) s += B[k] * A[k][j];
        BB[j] = s;
    }
}

static void run(vd *px, vd *py, vd *pvx, vd *pvy, long n, double h) {
    vd x = *px, y = *py, vx = *pvx, vy = *pvy, ax[S], ay[S];
    vd mu = (G * y - (vx * vx + vy * vy)) / (x * x + y * y);
    for (int i = 0; i < S; i++) ax[i] = mu * x, ay[i] = mu * y - G;
    for (long s = 0; s < n; s++) {
        vd nx[S], ny[S];
        if (s) {
            for (int i = 0; i < S; i++) {
                vd a = P[i][0] * ax[0], b = P[i][0] * ay[0];
                for (int j = 1; j < S; j++) a += P[i][j] * ax[j], b += P[i][j] * ay[j];
                nx[i] = a, ny[i] = b;
            }
            memcpy(ax, nx, sizeof nx);
            memcpy(ay, ny, sizeof ny);
        }
        for (int k = 0; k < 40; k++) {
            vd d = mu * 0;
            for (int i = 0; i < S; i++) {
                vd qx = x + (h * C[i]) * vx, qy = y + (h * C[i]) * vy, wx = vx, wy = vy;
                for (int j = 0; j < S; j++) {
                    double a2 = h * h * AA[i][j], a1 = h * A[i][j];
                    qx += a2 * ax[j], qy += a2 * ay[j];
                    wx += a1 * ax[j], wy += a1 * ay[j];
                }
                vd m = (G * qy - (wx * wx + wy * wy)) / (qx * qx + qy * qy);
                nx[i] = m * qx, ny[i] = m * qy - G;
                d += magnitude(nx[i] - ax[i]) + magnitude(ny[i] - ay[i]);
            }
            memcpy(ax, nx, sizeof nx);
            memcpy(ay, ny, sizeof ny);
            if (!any_greater(d * h, 1e-13 * S)) break;
        }
        x += h * vx, y += h * vy;
        for (int j = 0; j < S; j++) {
            x += h * h * BB[j] * ax[j], y += h * h * BB[j] * ay[j];
            vx += h * B[j] * ax[j], vy += h * B[j] * ay[j];
        }
    }
    *px = x, *py = y, *pvx = vx, *pvy = vy;
}

int main(void) {
    coefficients();
#if L == 1
    const double X = -0.9109433897971774, Y = 0.4125313813333813; /* t = 100 */
    for (int sample = 0; sample < SAMPLES; sample++) {
        double x = sin(2.0), y = -cos(2.0), vx = 0, vy = 0, start = cpu_seconds();
        run(&x, &y, &vx, &vy, N, 100.0 / N);
        report((cpu_seconds() - start) / N * 1e9, hypot(x - X, y - Y));
    }
#else
    int count = 10000 / L * L;
    double *D = aligned_alloc(64, 8 * 4 * count);
    for (int sample = 0; sample < SAMPLES; sample++) {
        for (int i = 0; i < count; i++) {
            double angle = 0.1 + 2.9 * i / (count - 1);
            D[i] = sin(angle), D[count + i] = -cos(angle);
            D[2 * count + i] = D[3 * count + i] = 0;
        }
        double start = wall_seconds(), error = 0;
        for (int i = 0; i < count; i += L)
            run((vd *)(D + i), (vd *)(D + count + i), (vd *)(D + 2 * count + i),
                (vd *)(D + 3 * count + i), N, 1.0 / N);
        double time = wall_seconds() - start;
        for (int i = 0; i < count; i++) {
            double angle = 0.1 + 2.9 * i / (count - 1), vx = D[2 * count + i], vy = D[3 * count + i];
            double e = fabs(0.5 * (vx * vx + vy * vy) + G * (D[count + i] + cos(angle)));
            if (e > error) error = e;
        }
        report(time / count / 1000 * 1e9, error); /* for 1/1000 of the time unit */
    }
#endif
}
