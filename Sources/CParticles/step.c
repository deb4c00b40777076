#include "../CRealtime/clones.h"
#include "CParticles.h"
