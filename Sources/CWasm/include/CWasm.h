#pragma once

/* The functions of a C library that Metering needs. */
double exp(double x);
double log10(double x);
double pow(double base, double exponent);
