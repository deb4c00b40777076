#define LEVEL 4
#include "clone.inc"
