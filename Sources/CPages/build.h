/* Written by tools/pages: a hash of the sources that the modules were made from. */
#define VG_PAGES_BUILD 0xa9a53580c1f417acull
