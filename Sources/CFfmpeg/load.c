#include "CFfmpeg.h"

// ISO C forbids an empty translation unit, which this would be where FFmpeg's headers are missing.
typedef int vg_ffmpeg_is_not_empty;

#if __has_include(<libavformat/avformat.h>)
#include <dlfcn.h>
#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/// Largest single allocation that FFmpeg may make, in bytes (`av_max_alloc`), whatever a file claims. 64 MB hold the
/// index of 18 hours of AAC.
enum { max_allocation = 64 << 20 };

static vg_ffmpeg functions;
static int found_version;
static int is_loaded;
static char reason[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/// Supported major versions of libavformat: `oldest`…`newest`, the rows of the table in fields.c. Versions up to
/// `newest_probed` are looked for only to report that they are too new.
enum { oldest = 59, newest = 63, newest_probed = 70 };

/// Opens a library by its major version, which is the number in its file name. Notes the loader's error in `reason`,
/// unless the library's file does not exist or an error is noted already.
static void *open_library(const char *name, int major) {
  char file[32];
  snprintf(file, sizeof file, "%s.so.%d", name, major);
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  const char *why = library ? NULL : dlerror();
  // A dependency that is missing has the same error, which then begins with the name of the dependency.
  int is_missing = why && !strncmp(why, file, strlen(file)) && strstr(why, "No such file");
  if (why && !is_missing && !reason[0]) snprintf(reason, sizeof reason, "%s", why);
  return library;
}

/// Finds a function of a library. Where it is missing, sets `is_complete` to 0 and notes the name in `reason`, unless
/// an error is noted already.
static void *find_symbol(void *library, const char *name, int *is_complete) {
  void *function = dlsym(library, name);
  if (!function) {
    *is_complete = 0;
    if (!reason[0]) snprintf(reason, sizeof reason, "%s is missing", name);
  }
  return function;
}

/// Loads the libraries of a major version into `functions`. Returns 0, and keeps none of them open, if one is missing
/// or lacks a function.
static int load_version(int major) {
  // libavutil's major version is two below that of libavformat and libavcodec, from FFmpeg 5 to 9.
  void *util = open_library("libavutil", major - 2);
  void *codec = util ? open_library("libavcodec", major) : NULL;
  void *format = codec ? open_library("libavformat", major) : NULL;
  int is_complete = format && vg_ffmpeg_set_version(major);
  if (is_complete) {
#define FIND(library, name) functions.name = find_symbol(library, #name, &is_complete)
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
    __typeof__(av_log_set_level) *set_level = find_symbol(util, "av_log_set_level", &is_complete);
    __typeof__(av_max_alloc) *max_alloc = find_symbol(util, "av_max_alloc", &is_complete);
    if (is_complete) {
      // FFmpeg would log to stderr, across the terminal's screen.
      set_level(AV_LOG_QUIET);
      max_alloc(max_allocation);
      return 1;
    }
  }
  if (format) dlclose(format);
  if (codec) dlclose(codec);
  if (util) dlclose(util);
  return 0;
}

static void load(void) {
  // One of the 140 libraries may have been built with -ffast-math. Its start-up code (crtfastmath.o) sets flush-to-zero
  // in the thread that loads it, so the floating-point environment is restored.
  fenv_t environment;
  fegetenv(&environment);
  if (load_version(LIBAVFORMAT_VERSION_MAJOR)) found_version = LIBAVFORMAT_VERSION_MAJOR;
  for (int major = newest; !found_version && major >= oldest; major--) {
    if (major != LIBAVFORMAT_VERSION_MAJOR && load_version(major)) found_version = major;
  }
  is_loaded = found_version > 0;
  // Looks for libraries newer than the known ones. `found_version` then says which is there, although none is loaded, and
  // the reason replaces one that was noted for an older version.
  for (int major = newest + 1; !found_version && major <= newest_probed; major++) {
    void *format = open_library("libavformat", major);
    if (!format) continue;
    found_version = major;
    dlclose(format);
    snprintf(reason, sizeof reason, "libavformat.so.%d is newer than what is known, %d to %d", major, oldest, newest);
  }
  if (!found_version && !reason[0])
    snprintf(reason, sizeof reason, "libavformat.so.%d to %d are not there", oldest, newest);
  fesetenv(&environment);
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
  return found_version;
}
#endif
