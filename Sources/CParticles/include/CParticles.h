#pragma once
#include <stddef.h>
#include <stdint.h>
#include "effects.h"
