#pragma once

#pragma clang assume_nonnull begin

/* The commit that the program was built from, such as `1a2b3c4d5e6f`, with `-dirty` where files had been changed; empty
   where whoever built it did not say. Any thread. */
const char *vg_build_commit(void);

#pragma clang assume_nonnull end
