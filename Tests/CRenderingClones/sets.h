#pragma once
#include "CRenderingClones.h"
rendering_set rendering_set_1(void);
rendering_set rendering_set_3(void);
rendering_set rendering_set_4(void);
