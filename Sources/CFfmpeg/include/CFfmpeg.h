#pragma once
// FFmpeg's decoding libraries, which are loaded when the first file needs them. Linking them would load about 140
// libraries and delay every start of the program by 20 ms. Without FFmpeg's headers this header declares nothing.
#if __has_include(<libavformat/avformat.h>)
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>

#define VG_FUNCTION(name) __typeof__(name) *_Nonnull name

/// The functions of FFmpeg that are used, under FFmpeg's names.
typedef struct vg_ffmpeg {
  VG_FUNCTION(av_dict_free);
  VG_FUNCTION(av_dict_get);
  VG_FUNCTION(av_dict_set);
  VG_FUNCTION(av_frame_alloc);
  VG_FUNCTION(av_frame_free);
  VG_FUNCTION(av_frame_unref);
  VG_FUNCTION(av_free);
  VG_FUNCTION(av_malloc);
  VG_FUNCTION(av_opt_get_int);
  VG_FUNCTION(av_strerror);
  VG_FUNCTION(av_channel_layout_channel_from_index);
  VG_FUNCTION(avcodec_alloc_context3);
  VG_FUNCTION(avcodec_find_decoder_by_name);
  VG_FUNCTION(avcodec_free_context);
  VG_FUNCTION(avcodec_get_name);
  VG_FUNCTION(avcodec_open2);
  VG_FUNCTION(avcodec_parameters_alloc);
  VG_FUNCTION(avcodec_parameters_free);
  VG_FUNCTION(avcodec_parameters_to_context);
  VG_FUNCTION(avcodec_receive_frame);
  VG_FUNCTION(avcodec_send_packet);
  VG_FUNCTION(av_new_packet);
  VG_FUNCTION(av_packet_alloc);
  VG_FUNCTION(av_packet_free);
  VG_FUNCTION(av_packet_unref);
  VG_FUNCTION(av_find_input_format);
  VG_FUNCTION(av_read_frame);
  VG_FUNCTION(av_seek_frame);
  VG_FUNCTION(avformat_alloc_context);
  VG_FUNCTION(avformat_close_input);
  VG_FUNCTION(avformat_open_input);
  VG_FUNCTION(avio_alloc_context);
  VG_FUNCTION(avio_context_free);
} vg_ffmpeg;

/// Returns the functions; the first call loads the libraries. It tries the version of the headers that this was
/// compiled with, then every other version of the table of offsets. NULL if none could be loaded; `vg_ffmpeg_reason`
/// says why. [any]
const vg_ffmpeg *_Nullable vg_ffmpeg_functions(void);

/// Why the libraries could not be loaded: the message of the dynamic loader, or of this module. Empty if they are
/// loaded. [any]
const char *_Nonnull vg_ffmpeg_reason(void);

/// The major version of libavformat that is loaded. If none could be loaded: one that was found and is too new, or 0.
/// [any]
int vg_ffmpeg_version(void);

/// Chooses the field offsets of a major version of libavformat. Returns 0 if the table does not have that version. Only
/// load.c calls it, before any of the accessors below.
int vg_ffmpeg_set_version(int major);

// Accessors for fields whose offset depends on the loaded version. Valid once `vg_ffmpeg_functions` has returned the
// functions.
int64_t vg_context_duration(const AVFormatContext *_Nonnull context);
AVDictionary *_Nullable vg_context_metadata(const AVFormatContext *_Nonnull context);
int vg_stream_index(const AVStream *_Nonnull stream);
int vg_stream_id(const AVStream *_Nonnull stream);
AVCodecParameters *_Nonnull vg_stream_parameters(const AVStream *_Nonnull stream);
AVRational vg_stream_time_base(const AVStream *_Nonnull stream);
int64_t vg_stream_duration(const AVStream *_Nonnull stream);
AVDictionary *_Nullable vg_stream_metadata(const AVStream *_Nonnull stream);
/// The attached picture of a stream, such as a cover; NULL if it has none.
const AVPacket *_Nullable vg_stream_picture(const AVStream *_Nonnull stream);
/// Discards a stream (`AVDISCARD_ALL`): the demuxer then skips its packets.
void vg_stream_discard(AVStream *_Nonnull stream);
int vg_parameters_channels(const AVCodecParameters *_Nonnull parameters);
/// The sample rate of a decoded frame of sound, in Hz.
int vg_frame_rate(const AVFrame *_Nonnull frame);
const AVChannelLayout *_Nonnull vg_frame_layout(const AVFrame *_Nonnull frame);

/// Keeps the demuxer from opening other files: sets `AVFormatContext.io_open` to a function that fails with EACCES.
void vg_ffmpeg_open_nothing(AVFormatContext *_Nonnull context);

// Values of macros that Swift does not import.
static const int vg_AVERROR_EOF = AVERROR_EOF;
static const int vg_AVERROR_EAGAIN = AVERROR(EAGAIN);
static const int vg_AVERROR_EIO = AVERROR(EIO);
static const int vg_AVERROR_INVALIDDATA = AVERROR_INVALIDDATA;
static const int64_t vg_AV_NOPTS_VALUE = AV_NOPTS_VALUE;
#endif
