/* Written by tools/pages: a hash of the sources that the modules were made from. */
#define VG_PAGES_BUILD 0x9f6cd45c9fc87075ull
