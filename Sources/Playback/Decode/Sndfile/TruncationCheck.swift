import CSndfile
import System

/// Checks whether a file is truncated: its header states more bytes than there are.
///
/// libsndfile silently shortens a truncated WAV, AIFF or AU; the only trace is in the log that it keeps while reading
/// the header.
struct TruncationCheck {
  /// libsndfile's log.
  let text: String

  init(of handle: OpaquePointer) {
    var log = [CChar](repeating: 0, count: 8192)
    sf_command(handle, Int32(SFC_GET_LOG_INFO), &log, Int32(log.count))
    log[log.count - 1] = 0
    text = log.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  init(_ text: String) { self.text = text }

  /// Bytes of sound in the header and in the file, if the header states more.
  ///
  /// The log has a line such as `data : 176400 (should be 105822)`. Programs that write into a pipe do not know the
  /// length and state about 2³¹ or 2³²; this is not a fault.
  var missingBytes: (stated: Int64, there: Int64)? {
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split { $0 == " " || $0 == ":" || $0 == "(" || $0 == ")" || $0 == "\t" }
      guard let should = words.firstIndex(of: "should"), should >= 2, should + 2 < words.count,
        words[should + 1] == "be", ["data", "SSND", "Size"].contains(words[should - 2]),
        let stated = Int64(words[should - 1]), let there = Int64(words[should + 2])
      else { continue }
      if stated > there, stated < 0x7fff_0000 { return (stated, there) }
    }
    return nil
  }

  /// The same for CAF, W64 and RF64, about which libsndfile logs nothing.
  static func missingBytes(of file: RegularFile) -> (stated: Int64, there: Int64)? {
    let head = file.bytes(at: 0, count: 8)
    var large: UInt64?
    let (start, order): (Int64, Chunks.Order) =
      head.has("caff") ? (8, .wide) : head.starts(with: W64Head.sign) ? (40, .sony) : (12, .little)
    guard order != .little || head.has("RF64") || head.has("BW64") else { return nil }
    for chunk in Chunks(of: file, from: start, order: order) {
      // RF64 has the data size in a chunk of its own if it exceeds four bytes.
      if chunk.name == "ds64" { large = file.bytes(at: chunk.start + 8, count: 8).little(0, 8) }
      guard chunk.name == "data" else { continue }
      // The data of CAF begin with an edit count of four bytes.
      let more: Int64 = order == .wide ? 4 : 0
      guard let stated = Int64(exactly: large ?? chunk.stated), stated < 0x7fff_0000 else { return nil }
      let there = large == nil ? chunk.count : min(stated, file.size - chunk.start)
      return stated > there && there > more ? (stated - more, there - more) : nil
    }
    return nil
  }

  /// Describes what is missing of CAF, W64 and RF64; nil if nothing is.
  static func words(of file: RegularFile) -> String? { missingBytes(of: file).map(words) }

  private static func words(_ bytes: (stated: Int64, there: Int64)) -> String {
    "\(bytes.there) bytes of sound, \(bytes.stated) in the header"
  }

  /// The warning for a file of `frames` samples per channel, as far as known.
  func warning(of file: RegularFile, frames: Int64?, container: Int) -> AudioError? {
    let path = file.path
    if frames == nil, container == Int(SF_FORMAT_OGG) {
      // The length of an Ogg file is known only from its last page.
      return AudioError(.truncated, path: path, reason: "its last page is missing")
    }
    return (missingBytes.map(TruncationCheck.words) ?? TruncationCheck.words(of: file)).map {
      AudioError(.truncated, path: path, reason: $0)
    }
  }
}
