#pragma once
#include "births.h"
#include "order.h"
#include "particles.h"
#include "sprites.h"
