#pragma once
#include "CKernelClones.h"
kernel_set kernel_set_1(void);
kernel_set kernel_set_3(void);
kernel_set kernel_set_4(void);
