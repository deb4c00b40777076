#include "build.h"

/* Said by Package.swift where VISGRAPH_COMMIT is set, as tools/install and tools/package do: then this file alone is compiled
   anew for another commit, and nothing that the repository holds changes. */
#ifndef VG_COMMIT
#define VG_COMMIT ""
#endif

const char *vg_build_commit(void) { return VG_COMMIT; }
