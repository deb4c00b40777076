// The guide to the graph language, embedded in the program by C's #embed, which compiles in no time. A resource of a
// Swift target would become an array literal with one element for each byte of the page.
#include "CGuide.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char guide[] = {
#embed "../../graphs/GRAPHS.md"
};

const unsigned char *vg_guide(void) { return guide; }
size_t vg_guide_count(void) { return sizeof guide; }
