/* Written by tools/pages: a hash of the sources that the modules were made from. */
#define VG_PAGES_BUILD 0xa28e3fc19cd4a471ull
