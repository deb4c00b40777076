#pragma once

/* What Metering asks of a C library. */
double exp(double x);
double log10(double x);
double pow(double base, double exponent);
