#include "../CRealtime/meter.c"
