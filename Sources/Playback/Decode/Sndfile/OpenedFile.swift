import CSndfile
import Glibc
import System

/// Serializes openings: libsndfile keeps the error of a failed one in a global variable.
private let opening = Locked(())

/// An open file that has passed every check, with its decoder. [one]
///
/// Its user has to close it.
struct OpenedFile {
  let file: RegularFile
  let handle: OpaquePointer
  let format: AudioFormat
  /// Whether all samples are 16-bit integers, so that reading them as such loses nothing.
  let isSixteenBit: Bool

  /// How to seek in it.
  let seeking: Seeking
  /// The sample after the last one, if the decoder would return more than the file states.
  let end: Int64?

  /// How to seek in a file with libsndfile.
  enum Seeking: Equatable {
    /// Reading after a seek gives the same samples as decoding from the start.
    case exact
    /// The decoder needs so many samples before its output has converged.
    case near(preroll: Int64)
    /// Only decoding from the start is exact.
    case fromStart
  }

  /// The sample to seek to, from which decoding leads to `frame`; 0: the beginning.
  func start(for frame: Int64) -> Int64 {
    switch seeking {
    case .exact: frame
    case .near(let preroll): max(0, frame - preroll)
    case .fromStart: 0
    }
  }

  /// Makes a fresh decoder for an open file.
  init(of file: RegularFile) throws(AudioError) {
    let path = file.path
    // libsndfile takes the descriptor's current offset for the beginning of the file.
    lseek(file.descriptor, off_t(file.base), SEEK_SET)
    // libsndfile closes the descriptor when it refuses a file, even with `close_desc` 0, so it gets a duplicate.
    let own = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { throw AudioError(.unreadable, path: path, reason: text(strerror(errno))) }
    var info = SF_INFO()
    let (opened, code) = opening.withLock { _ in
      // Given a descriptor, libsndfile recognizes a file by its bytes, not by its extension.
      let opened = sf_open_fd(own, Int32(SFM_READ), &info, 1)
      return (opened, sf_error(opened))
    }
    guard let opened else {
      throw AudioError(OpenedFile.code(of: code), path: path, reason: DecodeFault.words(sndfile: code))
    }
    seeking = OpenedFile.seeking(info, file)
    end = SndfileInfo(info).isAdpcm ? OpenedFile.fact(info, file) : OpenedFile.w64(info, file)
    do {
      format = try OpenedFile.format(of: opened, info, file, end: end)
    } catch {
      sf_close(opened)
      throw error
    }
    isSixteenBit = Int(info.format) & Int(SF_FORMAT_SUBMASK) == Int(SF_FORMAT_PCM_16)
    self.file = file
    handle = opened
  }

  /// Closes the decoder. The file closes with its last owner.
  func close() { sf_close(handle) }

  /// libsndfile's header has no names for its errors of a bad channel count: 32 none, 33 too many.
  private static func code(of error: Int32) -> AudioError.Code {
    error == 32 || error == 33 ? .channels : .notAudio
  }

  private static func format(
    of handle: OpaquePointer, _ info: SF_INFO, _ file: RegularFile, end: Int64?
  ) throws(AudioError) -> AudioFormat {
    let path = file.path
    let channels = Int(info.channels)
    let rate = Int(info.samplerate)
    guard AudioFormat.channelRange.contains(channels) else {
      throw AudioError(.channels, path: path, reason: "\(channels) channels")
    }
    guard AudioFormat.rateRange.contains(rate) else {
      throw AudioError(.rate, path: path, reason: "\(rate) Hz")
    }
    guard info.frames > 0 else { throw AudioError(.empty, path: path, reason: "0 samples") }
    if let stream = FlacStream(of: file), stream.isBare(file) {
      let said = stream.frames.map { ", which says \($0) samples" } ?? ""
      throw AudioError(.empty, path: path, reason: "nothing follows its head\(said)")
    }
    let snapshot = SndfileInfo(info)
    let container = Int(info.format) & Int(SF_FORMAT_TYPEMASK)
    let words = [
      name(container, by: SFC_GET_FORMAT_INFO, handle),
      name(Int(info.format) & Int(SF_FORMAT_SUBMASK), by: SFC_GET_FORMAT_INFO, handle),
    ]
    let frames = info.frames == .max ? nil : end ?? Int64(info.frames)
    return AudioFormat(
      channels: channels, rate: rate, frames: frames,
      // An MP3's length is exact only with an encoder's tag, and libsndfile does not say whether there is one.
      framesAreExact: container != Int(SF_FORMAT_MPEG),
      description: words.filter { !$0.isEmpty }.joined(separator: ", "),
      channelNames: SpeakerNames.completed(snapshot.channelNames(of: handle), channels: channels),
      codec: snapshot.codec, bitRate: AudioFormat.bitRate(bytes: file.size, frames: frames, rate: rate),
      warning: TruncationCheck(of: handle).warning(of: file, frames: frames, container: container))
  }

  private static func seeking(_ info: SF_INFO, _ file: RegularFile) -> Seeking {
    // With an unknown length, libsndfile would accept any place, also beyond the end.
    if info.frames == .max { return .fromStart }
    switch SndfileInfo(info).codec {
    case "mp3": return .near(preroll: 16_128)
    // In Vorbis libsndfile seeks hundreds of samples off, and in a broken Opus file it loops for ever.
    case "vorbis", "opus", "gsm", "g721", "g723", "dwvw", "nms-adpcm", "vox", "alac", "dpcm", "":
      return .fromStart
    default: return .exact
    }
  }

  /// The length in the `fact` chunk of a WAV file of block-coded sound, if its last block is not full.
  private static func fact(_ info: SF_INFO, _ file: RegularFile) -> Int64? {
    guard file.bytes(at: 0, count: 12).has("RIFF"),
      let chunk = Chunks(of: file, from: 12, order: .little).first(where: { $0.name == "fact" }),
      let stated = file.bytes(at: chunk.start, count: 4).little(0, 4).map(Int64.init),
      stated > 0, stated < info.frames, Int64(info.frames) - stated < 65_536
    else { return nil }
    return stated
  }

  /// The samples of a W64 file, if libsndfile takes the chunks behind them for sound as well.
  private static func w64(_ info: SF_INFO, _ file: RegularFile) -> Int64? {
    guard SndfileInfo(info).codec.hasPrefix("pcm_"), let frames = W64Head(of: file)?.frames,
      frames < info.frames
    else { return nil }
    return frames
  }

  private static func name(_ format: Int, by command: Int, _ handle: OpaquePointer) -> String {
    var info = SF_FORMAT_INFO()
    info.format = Int32(truncatingIfNeeded: format)
    let size = Int32(MemoryLayout<SF_FORMAT_INFO>.size)
    guard sf_command(handle, Int32(command), &info, size) == 0, let name = info.name else { return "" }
    return String(cString: name)
  }
}

/// The text of a C string; empty for nil.
func text(_ string: UnsafePointer<CChar>?) -> String { string.map { String(cString: $0) } ?? "" }

/// The format that libsndfile reports, in our terms. [any]
struct SndfileInfo {
  private let container: Int
  private let coding: Int
  private let channels: Int

  init(_ info: SF_INFO) {
    container = Int(info.format) & Int(SF_FORMAT_TYPEMASK)
    coding = Int(info.format) & Int(SF_FORMAT_SUBMASK)
    channels = max(0, min(AudioFormat.channelRange.upperBound, Int(info.channels)))
  }

  /// Whether it is block-coded ADPCM.
  var isAdpcm: Bool { coding == Int(SF_FORMAT_IMA_ADPCM) || coding == Int(SF_FORMAT_MS_ADPCM) }

  /// Short name of the codec; empty if unknown.
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
    // In AIFC, libsndfile uses this name for IMA4.
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

  /// The channel names: those that the file states, otherwise the order that the codec defines.
  func channelNames(of handle: OpaquePointer) -> [String] {
    var map = [Int32](repeating: 0, count: channels)
    let size = Int32(MemoryLayout<Int32>.size * channels)
    if sf_command(handle, Int32(SFC_GET_CHANNEL_MAP_INFO), &map, size) != 0 {
      let names = SpeakerNames.names(sndfile: map.map(Int.init))
      if !names.isEmpty { return names }
    }
    switch codec {
    case "flac": return SpeakerNames.names(flac: channels)
    case "vorbis", "opus": return SpeakerNames.names(vorbis: channels)
    default: return []
    }
  }
}
