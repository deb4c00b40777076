#pragma once
#include <stddef.h>
#define kiss_fft_scalar float
#include <kiss_fftr.h>
#include <stdlib.h>

/* The library frees with what it has allocated with, by a macro that Swift does not see. */
static inline void vg_kissfft_free(kiss_fftr_cfg _Nonnull configuration) { kiss_fftr_free(configuration); }
