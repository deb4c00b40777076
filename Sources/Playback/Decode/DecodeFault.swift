import CSndfile
import Glibc

#if FFmpeg
  import CFfmpeg
#endif

/// Reasons why something cannot be decoded, in our words: the libraries' own texts are for readers of their sources,
/// and sometimes misleading. [any]
enum DecodeFault {
  /// The reason for an error number of libsndfile; those above 4 have no names in its header.
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
    /// The reason for an error code of FFmpeg.
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

    /// AVERROR_PATCHWELCOME: the letters PAWE as a negative number.
    private static let notYet: Int32 = -0x4557_4150
  #endif
}

/// The decoding faults of a file after which reading went on. [any]
///
/// Lost samples become silence of the same length, as far as that is known.
public struct DecodeBreaks: Equatable, Sendable {
  /// Number of faults since the file was opened.
  public var count = 0
  /// The sample of the file at the last fault.
  public var position: Int64 = 0
  /// The last fault.
  public var fault: AudioError?

  /// Makes an empty record.
  public init() {}

  /// Adds a fault.
  mutating func note(_ fault: AudioError, at position: Int64) {
    count += 1
    self.fault = fault
    self.position = position
  }
}
