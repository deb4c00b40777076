#pragma once

#include <stddef.h>

#pragma clang assume_nonnull begin

/* graphs/GRAPHS.md as bytes of UTF-8, and how many. Any thread. */
const unsigned char *vg_guide(void);
size_t vg_guide_count(void);

#pragma clang assume_nonnull end
