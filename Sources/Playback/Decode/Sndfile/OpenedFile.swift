import CSndfile
import Glibc
import System

/// libsndfile keeps the reason why an opening failed in one place for the whole process.
private let opening = Locked(())

/// A file that has passed every check and is open.
///
/// [one] The code that takes it closes it.
struct OpenedFile {
  let file: RegularFile
  let handle: OpaquePointer
  let format: AudioFormat
  /// Whether every sample is a whole number of 16 bits, so that reading it as one loses nothing.
  let isSixteenBit: Bool

  /// How a place in it is reached.
  let seeking: Seeking
  /// The sample behind the last, where the decoder would give more than the file says.
  let end: Int64?

  /// How a place in a file is reached with libsndfile.
  enum Seeking: Equatable {
    /// What is read after a seek is what decoding from the beginning gives, to the last bit.
    case exact
    /// The decoder needs so many samples until it is in tune.
    case near(preroll: Int64)
    /// Only decoding from the beginning leads there.
    case fromStart
  }

  /// The sample to seek to, from which decoding leads to another; 0: from the beginning.
  func start(for frame: Int64) -> Int64 {
    switch seeking {
    case .exact: frame
    case .near(let preroll): max(0, frame - preroll)
    case .fromStart: 0
    }
  }

  /// Sets up a fresh decoder for a file that is open.
  init(of file: RegularFile) throws(AudioError) {
    let path = file.path
    // libsndfile takes the place where the descriptor stands for the file's beginning.
    lseek(file.descriptor, off_t(file.base), SEEK_SET)
    // It gets a descriptor of its own: when it refuses a file it closes it, even if asked to leave that to us.
    let own = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { throw AudioError(.unreadable, path: path, reason: text(strerror(errno))) }
    var info = SF_INFO()
    let (opened, code) = opening.withLock { _ in
      // By descriptor libsndfile judges a file by its bytes, not by the ending of its name.
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

  /// Closes the decoder; the file closes with the last who has it.
  func close() { sf_close(handle) }

  /// libsndfile's numbers for a bad channel count have no names in its header (32 none, 33 too many).
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
      // Only a file with an encoder's tag knows; libsndfile does not say whether there is one.
      framesAreExact: container != Int(SF_FORMAT_MPEG),
      description: words.filter { !$0.isEmpty }.joined(separator: ", "),
      channelNames: SpeakerNames.completed(snapshot.channelNames(of: handle), channels: channels),
      codec: snapshot.codec, bitRate: AudioFormat.bitRate(bytes: file.size, frames: frames, rate: rate),
      warning: TruncationCheck(of: handle).warning(of: file, frames: frames, container: container))
  }

  private static func seeking(_ info: SF_INFO, _ file: RegularFile) -> Seeking {
    // It would take any place in a file of unknown length, also behind its end.
    if info.frames == .max { return .fromStart }
    switch SndfileInfo(info).codec {
    case "mp3": return .near(preroll: 16_128)
    // libsndfile finds places in Vorbis that are hundreds of samples off, and looks for ever in a broken Opus file.
    case "vorbis", "opus", "gsm", "g721", "g723", "dwvw", "nms-adpcm", "vox", "alac", "dpcm", "":
      return .fromStart
    default: return .exact
    }
  }

  /// The length that a WAV file states for a coding in blocks, where the last block is not full.
  private static func fact(_ info: SF_INFO, _ file: RegularFile) -> Int64? {
    guard file.bytes(at: 0, count: 12).has("RIFF"),
      let chunk = Chunks(of: file, from: 12, order: .little).first(where: { $0.name == "fact" }),
      let stated = file.bytes(at: chunk.start, count: 4).little(0, 4).map(Int64.init),
      stated > 0, stated < info.frames, Int64(info.frames) - stated < 65_536
    else { return nil }
    return stated
  }

  /// The samples of a W64 file where libsndfile takes what stands behind them for sound as well.
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

/// A C string that may be nil.
func text(_ string: UnsafePointer<CChar>?) -> String { string.map { String(cString: $0) } ?? "" }

/// What libsndfile says of a file, in our words. [any]
struct SndfileInfo {
  private let container: Int
  private let coding: Int
  private let channels: Int

  init(_ info: SF_INFO) {
    container = Int(info.format) & Int(SF_FORMAT_TYPEMASK)
    coding = Int(info.format) & Int(SF_FORMAT_SUBMASK)
    channels = max(0, min(AudioFormat.channelRange.upperBound, Int(info.channels)))
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
