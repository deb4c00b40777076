#pragma once
#include "effects.h"
#include "cycle.h"
#include "kernels.h"
#include "measures.h"
#include "tones.h"
#include "processor.h"
#include "wake.h"
