#pragma once
// The packaged C face of the library uses bool and names no header for it. Nothing is linked: the library is loaded when
// a rate needs it, because its start-up code changes how the processor rounds.
#include <stdbool.h>
#include <SoundTouchDLL.h>

typedef HANDLE (*vg_soundtouch_create)(void);
typedef void (*vg_soundtouch_act)(HANDLE);
typedef int (*vg_soundtouch_flush)(HANDLE);
typedef int (*vg_soundtouch_set_number)(HANDLE, unsigned int);
typedef void (*vg_soundtouch_set_factor)(HANDLE, float);
typedef int (*vg_soundtouch_put)(HANDLE, const float *, unsigned int);
typedef unsigned int (*vg_soundtouch_receive)(HANDLE, float *, unsigned int);
typedef unsigned int (*vg_soundtouch_count)(HANDLE);
typedef int (*vg_soundtouch_set_setting)(HANDLE, int, int);
