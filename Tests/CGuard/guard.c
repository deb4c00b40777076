#include "CGuard.h"
