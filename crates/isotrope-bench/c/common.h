/* isotrope bench: what the C programs share. Each prints lines "nanoseconds accuracy", one for
   every time it did its work; compiled with -O3 -march=native -fno-math-errno. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SAMPLES 5

static inline double seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static inline double cpu_seconds(void) { return seconds(CLOCK_PROCESS_CPUTIME_ID); }
static inline double wall_seconds(void) { return seconds(CLOCK_MONOTONIC); }

static inline void report(double nanoseconds, double accuracy) {
    printf("%.6f %.17g\n", nanoseconds, accuracy);
}

/* Gauss-2: A = [[1/4, 1/4 - r], [1/4 + r, 1/4]], r = sqrt(3)/6, and the stages of the next step
   from the straight line through those of this one. */
#define R 0.28867513459481287
#define A11 0.25
#define A12 (0.25 - R)
#define A21 (0.25 + R)
#define A22 0.25
#define C1 (0.5 - R)
#define C2 (0.5 + R)
#define E1 (1 / (C2 - C1))
#define E2 ((1 + C2 - C1) / (C2 - C1))

static const double G = 9.81;
