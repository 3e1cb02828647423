/* isotrope bench, W7: calls the formulas of evaluate() (written by isotrope from the same program
   that it compiles, one operation a line) many times. -DINPUTS, -DOUTPUTS, -DPARAMETERS. */
#include "common.h"

void evaluate(const double *restrict state, const double *restrict parameter, double *restrict out);

int main(void) {
    static double state[INPUTS], parameter[PARAMETERS + 1], out[OUTPUTS];
    for (int i = 0; i < INPUTS; i++)
        if (scanf("%lf", &state[i]) != 1) return 1;
    for (int i = 0; i < PARAMETERS; i++)
        if (scanf("%lf", &parameter[i]) != 1) return 1;
    long n = 20000;
    for (int sample = 0; sample < SAMPLES; sample++) {
        double start = cpu_seconds(), sum = 0;
        for (long i = 0; i < n; i++) {
            evaluate(state, parameter, out);
            __asm__ volatile("" ::: "memory");
        }
        double time = cpu_seconds() - start;
        for (int i = 0; i < OUTPUTS; i++) sum += out[i];
        report(time / n * 1e9, sum);
    }
}
