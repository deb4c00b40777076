#pragma once
#include "CParticleClones.h"
particle_kernels particle_kernels_1(void);
particle_kernels particle_kernels_3(void);
particle_kernels particle_kernels_4(void);
