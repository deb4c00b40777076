import CSndfile

/// What libsndfile says of a file, in our words. [any]
struct SoundFacts {
  private let container: Int
  private let coding: Int
  private let channels: Int

  init(_ info: SF_INFO) {
    container = Int(info.format) & Int(SF_FORMAT_TYPEMASK)
    coding = Int(info.format) & Int(SF_FORMAT_SUBMASK)
    channels = max(0, min(AudioFile.channelRange.upperBound, Int(info.channels)))
  }

  /// Whether it is ADPCM in blocks.
  var isAdpcm: Bool { coding == Int(SF_FORMAT_IMA_ADPCM) || coding == Int(SF_FORMAT_MS_ADPCM) }

  /// The coding in a word.
  var codec: String {
    if container == Int(SF_FORMAT_FLAC) { return "flac" }
    if container == Int(SF_FORMAT_MPEG) { return "mp3" }
    switch coding {
    case Int(SF_FORMAT_PCM_S8): return "pcm_s8"
    case Int(SF_FORMAT_PCM_U8): return "pcm_u8"
    case Int(SF_FORMAT_PCM_16): return "pcm_s16"
    case Int(SF_FORMAT_PCM_24): return "pcm_s24"
    case Int(SF_FORMAT_PCM_32): return "pcm_s32"
    case Int(SF_FORMAT_FLOAT): return "pcm_f32"
    case Int(SF_FORMAT_DOUBLE): return "pcm_f64"
    case Int(SF_FORMAT_ULAW): return "ulaw"
    case Int(SF_FORMAT_ALAW): return "alaw"
    // In AIFC libsndfile calls by this name what everybody else calls IMA4.
    case Int(SF_FORMAT_IMA_ADPCM): return container == Int(SF_FORMAT_AIFF) ? "ima4" : "ima-adpcm"
    case Int(SF_FORMAT_MS_ADPCM): return "ms-adpcm"
    case Int(SF_FORMAT_GSM610): return "gsm"
    case Int(SF_FORMAT_VOX_ADPCM): return "vox"
    case Int(SF_FORMAT_G721_32): return "g721"
    case Int(SF_FORMAT_G723_24), Int(SF_FORMAT_G723_40): return "g723"
    case Int(SF_FORMAT_NMS_ADPCM_16), Int(SF_FORMAT_NMS_ADPCM_24), Int(SF_FORMAT_NMS_ADPCM_32):
      return "nms-adpcm"
    case Int(SF_FORMAT_DWVW_12), Int(SF_FORMAT_DWVW_16), Int(SF_FORMAT_DWVW_24), Int(SF_FORMAT_DWVW_N):
      return "dwvw"
    case Int(SF_FORMAT_DPCM_8), Int(SF_FORMAT_DPCM_16): return "dpcm"
    case Int(SF_FORMAT_VORBIS): return "vorbis"
    case Int(SF_FORMAT_OPUS): return "opus"
    case Int(SF_FORMAT_ALAC_16), Int(SF_FORMAT_ALAC_20), Int(SF_FORMAT_ALAC_24), Int(SF_FORMAT_ALAC_32):
      return "alac"
    default: return ""
    }
  }

  /// The names of its channels: what the file says of them, or what its coding lays down.
  func channelNames(of handle: OpaquePointer) -> [String] {
    var map = [Int32](repeating: 0, count: channels)
    let size = Int32(MemoryLayout<Int32>.size * channels)
    if sf_command(handle, Int32(SFC_GET_CHANNEL_MAP_INFO), &map, size) != 0 {
      let names = ChannelWords.names(sndfile: map.map(Int.init))
      if !names.isEmpty { return names }
    }
    switch codec {
    case "flac": return ChannelWords.names(flac: channels)
    case "vorbis", "opus": return ChannelWords.names(vorbis: channels)
    default: return []
    }
  }
}
