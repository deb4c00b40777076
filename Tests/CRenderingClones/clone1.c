#define LEVEL 1
#define TARGET
#include "clone.inc"
