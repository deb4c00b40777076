#pragma once
// The packaged C face of the library uses bool and names no header for it.
#include <stdbool.h>
#include <SoundTouchDLL.h>
