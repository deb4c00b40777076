#pragma once
// The decoding libraries of FFmpeg, loaded when the first file needs them: linking them would cost every start of the
// program 20 ms and 140 libraries.
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
