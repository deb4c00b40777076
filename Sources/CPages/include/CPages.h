// The pages that the program serves, as bytes inside it.
#ifndef CPAGES_H
#define CPAGES_H

#include <stddef.h>
#include <stdint.h>

/// A file that is served.
struct vg_page {
  /// Its path without the first slash, such as `desk.js`.
  const char *name;
  /// What it is, as HTTP says it.
  const char *type;
  const unsigned char *bytes;
  size_t count;
};

/// All there are, in no order, and how many.
extern const struct vg_page vg_pages[];
extern const size_t vg_page_count;
/// A hash of the sources that the modules of the pages were made from.
extern const uint64_t vg_pages_hash;

/// The first of them: Swift does not import an array without a length.
static inline const struct vg_page *vg_page_list(void) { return vg_pages; }

#endif
