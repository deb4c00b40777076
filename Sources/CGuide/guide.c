// The guide to the graph language, laid into the program by the compiler, which spends no time on it; as a resource of a
// Swift target it would be an array literal of as many elements as the page has bytes.
#include "CGuide.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char guide[] = {
#embed "../../graphs/GRAPHS.md"
};

const unsigned char *vg_guide(void) { return guide; }
size_t vg_guide_count(void) { return sizeof guide; }
