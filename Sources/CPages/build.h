/* Written by tools/pages: a hash of the sources that the modules were made from. */
#define VG_PAGES_BUILD 0x07b619c5e6e23444ull
