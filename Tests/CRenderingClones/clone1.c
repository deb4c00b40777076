#define LEVEL 1
#include "clone.inc"
