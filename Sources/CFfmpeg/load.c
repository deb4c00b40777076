#include "CFfmpeg.h"

typedef int vg_ffmpeg_is_not_empty;
