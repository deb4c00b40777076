import CSndfile
import Glibc

#if FFmpeg
  import CFfmpeg
#endif

/// Why something cannot be decoded, in our words: what libraries say of it is made for people who know their sources, and
/// is at times of something else. [any]
enum DecodeFault {
  /// Of a number that libsndfile gives; those above 4 have no names outside of it.
  static func words(sndfile error: Int32) -> String {
    switch error {
    case Int32(SF_ERR_UNRECOGNISED_FORMAT): "nothing in it is known"
    case Int32(SF_ERR_SYSTEM): "the system cannot read it"
    case Int32(SF_ERR_MALFORMED_FILE): "its head contradicts itself"
    case Int32(SF_ERR_UNSUPPORTED_ENCODING): "its coding is not decoded"
    default: "its bytes are damaged"
    }
  }

  #if FFmpeg
    /// Of a number that FFmpeg gives.
    static func words(ffmpeg error: Int32) -> String {
      switch error {
      case vg_AVERROR_EOF: "it ends within its head"
      case vg_AVERROR_EIO: "the system cannot read it, or it leads too far"
      case vg_AVERROR_INVALIDDATA: "its bytes are damaged"
      case -ENOMEM: "it asks for more memory than sound needs"
      case -EINVAL: "its head contradicts itself"
      case notYet: "a kind of its coding that is not decoded"
      default: "the decoder refuses it (\(error))"
      }
    }

    /// AVERROR_PATCHWELCOME: the letters PAWE, negative.
    private static let notYet: Int32 = -0x4557_4150
  #endif
}

/// Where a file could not be decoded and went on after it. [any]
///
/// What was lost is heard as silence of its length as far as that is known.
public struct DecodeBreaks: Equatable, Sendable {
  /// How often since the file was opened.
  public var count = 0
  /// The sample of the file at which it happened last.
  public var position: Int64 = 0
  /// What the decoder said last.
  public var fault: AudioError?

  /// None yet.
  public init() {}

  /// Notes another one.
  mutating func note(_ fault: AudioError, at position: Int64) {
    count += 1
    self.fault = fault
    self.position = position
  }
}
