#include "CFfmpeg.h"

typedef int vg_ffmpeg_is_not_empty;

#if __has_include(<libavformat/avformat.h>)
#include <dlfcn.h>
#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/// No single piece of memory that the libraries ask for is larger, whatever a file says: the index of 18 hours of AAC.
enum { vg_ffmpeg_most = 64 << 20 };

static vg_ffmpeg functions;
static int version;
static int is_loaded;
static char reason[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/// The versions of libavformat that are known, and the newest that is looked for to say that it is too new.
enum { oldest = 59, newest = 63, newest_imagined = 70 };

/// Opens a library by its major version, which is the number in its file name; notes why another reason than that it is not
/// there keeps it from being opened.
static void *opened(const char *name, int major) {
  char file[32];
  snprintf(file, sizeof file, "%s.so.%d", name, major);
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  const char *why = library ? NULL : dlerror();
  int is_missing = why && !strncmp(why, file, strlen(file)) && strstr(why, "No such file");
  if (why && !is_missing && !reason[0]) snprintf(reason, sizeof reason, "%s", why);
  return library;
}

static void *found(void *library, const char *name, int *is_whole) {
  void *function = dlsym(library, name);
  if (!function) {
    *is_whole = 0;
    if (!reason[0]) snprintf(reason, sizeof reason, "%s is missing", name);
  }
  return function;
}

/// Loads the libraries of a major version; 0 where they are not there, or are not what they should be.
static int load_version(int major) {
  void *util = opened("libavutil", major - 2);
  void *codec = util ? opened("libavcodec", major) : NULL;
  void *format = codec ? opened("libavformat", major) : NULL;
  int is_whole = format && vg_ffmpeg_set_version(major);
  if (is_whole) {
#define FIND(library, name) functions.name = found(library, #name, &is_whole)
    FIND(util, av_dict_free);
    FIND(util, av_dict_get);
    FIND(util, av_dict_set);
    FIND(util, av_frame_alloc);
    FIND(util, av_frame_free);
    FIND(util, av_frame_unref);
    FIND(util, av_free);
    FIND(util, av_malloc);
    FIND(util, av_opt_get_int);
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
    __typeof__(av_log_set_level) *set_level = found(util, "av_log_set_level", &is_whole);
    __typeof__(av_max_alloc) *max_alloc = found(util, "av_max_alloc", &is_whole);
    if (is_whole) {
      // A terminal that shows a screen is no place for a library's remarks.
      set_level(AV_LOG_QUIET);
      max_alloc(vg_ffmpeg_most);
      return 1;
    }
  }
  if (format) dlclose(format);
  if (codec) dlclose(codec);
  if (util) dlclose(util);
  return 0;
}

static void load(void) {
  // One of the 140 libraries may have been built for fast mathematics, which sets the loading thread to its rounding.
  fenv_t rounding;
  fegetenv(&rounding);
  if (load_version(LIBAVFORMAT_VERSION_MAJOR)) version = LIBAVFORMAT_VERSION_MAJOR;
  for (int major = newest; !version && major >= oldest; major--) {
    if (major != LIBAVFORMAT_VERSION_MAJOR && load_version(major)) version = major;
  }
  is_loaded = version > 0;
  for (int major = newest + 1; !version && major <= newest_imagined; major++) {
    void *util = opened("libavutil", major - 2);
    if (!util) continue;
    version = major;
    dlclose(util);
    snprintf(reason, sizeof reason, "libavformat.so.%d is newer than what is known, %d to %d", major, oldest, newest);
  }
  if (!version && !reason[0]) snprintf(reason, sizeof reason, "libavformat.so.%d to %d are not there", oldest, newest);
  fesetenv(&rounding);
}

const vg_ffmpeg *vg_ffmpeg_functions(void) {
  pthread_once(&once, load);
  return is_loaded ? &functions : NULL;
}

const char *vg_ffmpeg_reason(void) {
  pthread_once(&once, load);
  return is_loaded ? "" : reason;
}

int vg_ffmpeg_version(void) {
  pthread_once(&once, load);
  return version;
}
#endif
