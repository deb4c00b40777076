/* Written by tools/pages: a hash of the sources that the modules were made from. */
#define VG_PAGES_BUILD 0x9ef55d0fe6dea631ull
