#pragma once

/* The functions that Metering needs of a C library. */
double exp(double x);
double log10(double x);
double pow(double base, double exponent);
