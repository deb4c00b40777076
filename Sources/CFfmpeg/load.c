#include "CFfmpeg.h"

typedef int vg_ffmpeg_is_not_empty;

#if __has_include(<libavformat/avformat.h>)
#include <dlfcn.h>
#include <fenv.h>
#include <pthread.h>
#include <stdio.h>

/// No single piece of memory that the libraries ask for is larger, whatever a file says: the index of 18 hours of AAC.
enum { vg_ffmpeg_most = 64 << 20 };

static vg_ffmpeg functions;
static int is_loaded;
static char reason[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
// The number in a library's file name is its major version, and the headers' structs belong to that one only.
#define LIBRARY(name, version) "lib" name ".so." TEXT(version)

static void *opened(const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library && !reason[0]) snprintf(reason, sizeof reason, "%s", dlerror());
  return library;
}

static void *found(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (!function && !reason[0]) snprintf(reason, sizeof reason, "%s is missing", name);
  return function;
}

static void load(void) {
  // One of the 140 libraries may have been built for fast mathematics, which sets the loading thread to its rounding.
  fenv_t rounding;
  fegetenv(&rounding);
  void *util = opened(LIBRARY("avutil", LIBAVUTIL_VERSION_MAJOR));
  void *codec = util ? opened(LIBRARY("avcodec", LIBAVCODEC_VERSION_MAJOR)) : NULL;
  void *format = codec ? opened(LIBRARY("avformat", LIBAVFORMAT_VERSION_MAJOR)) : NULL;
  fesetenv(&rounding);
  if (!format) return;
#define FIND(library, name) functions.name = found(library, #name)
  FIND(util, av_dict_free);
  FIND(util, av_dict_get);
  FIND(util, av_dict_set);
  FIND(util, av_frame_alloc);
  FIND(util, av_frame_free);
  FIND(util, av_frame_unref);
  FIND(util, av_free);
  FIND(util, av_malloc);
  FIND(util, av_strerror);
  FIND(util, av_channel_layout_channel_from_index);
  FIND(codec, avcodec_alloc_context3);
  FIND(codec, avcodec_find_decoder_by_name);
  FIND(codec, avcodec_free_context);
  FIND(codec, avcodec_get_name);
  FIND(codec, avcodec_open2);
  FIND(codec, avcodec_parameters_alloc);
  FIND(codec, avcodec_parameters_free);
  FIND(codec, avcodec_parameters_to_context);
  FIND(codec, avcodec_receive_frame);
  FIND(codec, avcodec_send_packet);
  FIND(codec, av_new_packet);
  FIND(codec, av_packet_alloc);
  FIND(codec, av_packet_free);
  FIND(codec, av_packet_unref);
  FIND(format, av_find_input_format);
  FIND(format, av_read_frame);
  FIND(format, av_seek_frame);
  FIND(format, avformat_alloc_context);
  FIND(format, avformat_close_input);
  FIND(format, avformat_open_input);
  FIND(format, avio_alloc_context);
  FIND(format, avio_context_free);
#undef FIND
  __typeof__(av_log_set_level) *set_level = found(util, "av_log_set_level");
  __typeof__(av_max_alloc) *max_alloc = found(util, "av_max_alloc");
  if (reason[0]) return;
  // A terminal that shows a screen is no place for a library's remarks.
  set_level(AV_LOG_QUIET);
  max_alloc(vg_ffmpeg_most);
  is_loaded = 1;
}

const vg_ffmpeg *vg_ffmpeg_functions(void) {
  pthread_once(&once, load);
  return is_loaded ? &functions : NULL;
}

const char *vg_ffmpeg_reason(void) {
  pthread_once(&once, load);
  return reason;
}

static int open_nothing(AVFormatContext *context, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
  (void)context, (void)url, (void)flags, (void)options;
  *io = NULL;
  return AVERROR(EACCES);
}

void vg_ffmpeg_open_nothing(AVFormatContext *context) { context->io_open = open_nothing; }
#endif
