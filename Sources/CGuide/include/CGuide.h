#pragma once

#include <stddef.h>

#pragma clang assume_nonnull begin

/* The text of graphs/GRAPHS.md in UTF-8, without a terminating 0, and its length in bytes. [any] */
const unsigned char *vg_guide(void);
size_t vg_guide_count(void);

#pragma clang assume_nonnull end
