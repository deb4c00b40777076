#include "../CRealtime/clones.h"
#include "CRendering.h"
