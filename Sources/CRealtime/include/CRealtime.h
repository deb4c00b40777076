#pragma once
#include "effects.h"
#include "cycle.h"
#include "kernels.h"
#include "tones.h"
#include "processor.h"
#include "wake.h"
