// The meter kernels of CRealtime for pages: without the parts that need an operating system.
#ifndef CLEVELS_H
#define CLEVELS_H

#include "../../CRealtime/include/kernels.h"

#endif
