#pragma once
// SoundTouch's C interface uses bool and does not include its header. The library is not linked. It is loaded when a
// rate needs it, because it is built with -ffast-math: its start-up code sets flush-to-zero in the loading thread.
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
