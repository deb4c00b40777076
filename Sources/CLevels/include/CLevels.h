// The kernels of the callback that a page hears with: CRealtime without what needs a system.
#ifndef CLEVELS_H
#define CLEVELS_H

#include "../../CRealtime/include/kernels.h"

#endif
