#include "CFfmpeg.h"

// Without FFmpeg's headers this file would be an empty translation unit, which ISO C forbids.
typedef int vg_ffmpeg_fields_is_not_empty;

#if __has_include(<libavformat/avformat.h>)
#include <stddef.h>

// Byte offsets on 64-bit machines of those struct fields that this program uses and that move between major versions.
// All other fields that it uses have the same offset in every version of the table. Within a major version, FFmpeg
// appends fields only at the end of a struct.
typedef struct fields {
  int major; // of libavformat and libavcodec
  struct {
    size_t duration, metadata, io_open;
  } context;
  struct {
    size_t index, id, codecpar, time_base, duration, disposition, discard, metadata, attached_pic;
  } stream;
  struct {
    size_t ch_layout;
  } parameters;
  struct {
    size_t sample_rate, ch_layout;
  } frame;
} fields;

// One row per supported version, FFmpeg 5.1 to 9: the major version, then the offsets in the order of `fields`, that is
// c1…c3 of context, s1…s9 of stream, p1 of parameters, f1 and f2 of frame.
#define TABLE(ROW) \
  ROW(59, 72, 176, 424, 0, 4, 208, 16, 32, 48, 52, 64, 80, 144, 208, 448) \
  ROW(60, 72, 176, 424, 8, 12, 16, 32, 48, 64, 68, 80, 96, 144, 208, 448) \
  ROW(61, 104, 192, 448, 8, 12, 16, 32, 48, 64, 68, 80, 96, 128, 192, 408) \
  ROW(62, 104, 192, 448, 8, 12, 16, 32, 48, 64, 68, 80, 96, 128, 180, 384) \
  ROW(63, 104, 192, 448, 8, 12, 16, 32, 48, 64, 68, 80, 96, 128, 180, 384)

#define ROW(number, c1, c2, c3, s1, s2, s3, s4, s5, s6, s7, s8, s9, p1, f1, f2) \
  {number, {c1, c2, c3}, {s1, s2, s3, s4, s5, s6, s7, s8, s9}, {p1}, {f1, f2}},
static const fields table[] = {TABLE(ROW)};
#undef ROW

// Compares the row of the FFmpeg that this is compiled with to its headers. Headers of a version that is not in the
// table are not compared: `vg_ffmpeg_set_version` refuses that version. `AT` begins with &&, so that a list of
// them follows a 1.
#define AT(type, field, place) && offsetof(type, field) == (place)
#define ROW(number, c1, c2, c3, s1, s2, s3, s4, s5, s6, s7, s8, s9, p1, f1, f2) \
  _Static_assert( \
    LIBAVFORMAT_VERSION_MAJOR != number || \
      (1 AT(AVFormatContext, duration, c1) AT(AVFormatContext, metadata, c2) AT(AVFormatContext, io_open, c3) \
         AT(AVStream, index, s1) AT(AVStream, id, s2) AT(AVStream, codecpar, s3) AT(AVStream, time_base, s4) \
           AT(AVStream, duration, s5) AT(AVStream, disposition, s6) AT(AVStream, discard, s7) \
             AT(AVStream, metadata, s8) AT(AVStream, attached_pic, s9) AT(AVCodecParameters, ch_layout, p1) \
               AT(AVFrame, sample_rate, f1) AT(AVFrame, ch_layout, f2)), \
    "the fields of this FFmpeg are elsewhere");
TABLE(ROW)
#undef ROW

// Compares the offsets that are the same in all versions.
_Static_assert(
  1 AT(AVFormatContext, pb, 32) AT(AVFormatContext, nb_streams, 44) AT(AVFormatContext, streams, 48)
    AT(AVPacket, pts, 8) AT(AVPacket, data, 24) AT(AVPacket, size, 32) AT(AVPacket, stream_index, 36)
      AT(AVPacket, flags, 40) AT(AVCodecParameters, codec_type, 0) AT(AVCodecParameters, codec_id, 4)
        AT(AVCodecParameters, extradata, 16) AT(AVCodecParameters, extradata_size, 24)
          AT(AVFrame, extended_data, 96) AT(AVFrame, nb_samples, 112) AT(AVFrame, format, 116)
            AT(AVIOContext, buffer, 8) AT(AVDictionaryEntry, value, 8) AT(AVChannelLayout, order, 0)
              AT(AVChannelLayout, nb_channels, 4),
  "a field that never moved has moved");
// Compares the codec IDs (AVCodecID) that are used.
_Static_assert(
  AV_CODEC_ID_VORBIS == 86021 && AV_CODEC_ID_FLAC == 86028 && AV_CODEC_ID_OPUS == 86076,
  "codings are numbered anew");

// The row of the loaded version. load.c sets it once, by `vg_ffmpeg_set_version`, before an accessor is called.
static const fields *row = table;

int vg_ffmpeg_set_version(int major) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (table[i].major != major) continue;
    row = &table[i];
    return 1;
  }
  return 0;
}

// A pointer to a field of an object, at the offset of the loaded version.
#define FIELD(type, object, field) ((type *)((char *)(object) + row->field))

int64_t vg_context_duration(const AVFormatContext *context) { return *FIELD(int64_t, context, context.duration); }
AVDictionary *vg_context_metadata(const AVFormatContext *context) {
  return *FIELD(AVDictionary *, context, context.metadata);
}
int vg_stream_index(const AVStream *stream) { return *FIELD(int, stream, stream.index); }
int vg_stream_id(const AVStream *stream) { return *FIELD(int, stream, stream.id); }
AVCodecParameters *vg_stream_parameters(const AVStream *stream) {
  return *FIELD(AVCodecParameters *, stream, stream.codecpar);
}
AVRational vg_stream_time_base(const AVStream *stream) { return *FIELD(AVRational, stream, stream.time_base); }
int64_t vg_stream_duration(const AVStream *stream) { return *FIELD(int64_t, stream, stream.duration); }
void vg_stream_discard(AVStream *stream) { *FIELD(enum AVDiscard, stream, stream.discard) = AVDISCARD_ALL; }
AVDictionary *vg_stream_metadata(const AVStream *stream) { return *FIELD(AVDictionary *, stream, stream.metadata); }
const AVPacket *vg_stream_picture(const AVStream *stream) {
  const AVPacket *picture = FIELD(const AVPacket, stream, stream.attached_pic);
  int has_picture = *FIELD(int, stream, stream.disposition) & AV_DISPOSITION_ATTACHED_PIC && picture->size > 0;
  return has_picture ? picture : NULL;
}
int vg_parameters_channels(const AVCodecParameters *parameters) {
  return FIELD(AVChannelLayout, parameters, parameters.ch_layout)->nb_channels;
}
int vg_frame_rate(const AVFrame *frame) { return *FIELD(int, frame, frame.sample_rate); }
const AVChannelLayout *vg_frame_layout(const AVFrame *frame) {
  return FIELD(const AVChannelLayout, frame, frame.ch_layout);
}

static int refuse_io_open(
  AVFormatContext *context, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
  (void)context, (void)url, (void)flags, (void)options;
  *io = NULL;
  return AVERROR(EACCES);
}

void vg_ffmpeg_open_nothing(AVFormatContext *context) {
  *FIELD(__typeof__(context->io_open), context, context.io_open) = refuse_io_open;
}
#endif
