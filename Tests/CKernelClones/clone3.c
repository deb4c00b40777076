#define LEVEL 3
#include "clone.inc"
