#pragma once
#include <png.h>
/* libpng defines these formats as expressions of macros, which Swift does not import. */
static const png_uint_32 vg_png_rgb = PNG_FORMAT_RGB;
static const png_uint_32 vg_png_rgba = PNG_FORMAT_RGBA;
