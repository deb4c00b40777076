import CSndfile

/// Whether a file is truncated: its header promises more than there is.
///
/// libsndfile quietly shortens a WAV, AIFF or AU whose data is cut off; what it notes while it reads the header is the only
/// trace of that.
struct TruncationCheck {
  /// The notes.
  let text: String

  init(of handle: OpaquePointer) {
    var log = [CChar](repeating: 0, count: 8192)
    sf_command(handle, Int32(SFC_GET_LOG_INFO), &log, Int32(log.count))
    log[log.count - 1] = 0
    text = log.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  init(_ text: String) { self.text = text }

  /// Bytes of sound that the header states and that are there, if it states more.
  ///
  /// The line reads `data : 176400 (should be 105822)`. Programs that write into a pipe state a length of about
  /// 2³¹ or 2³² as they do not know it; that is no fault.
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

  /// What is said of the file at a path, which has so many frames as far as is known.
  func warning(path: String, frames: Int64?, container: Int) -> AudioError? {
    if frames == nil, container == Int(SF_FORMAT_OGG) {
      // Only the last page of an Ogg file has its length.
      return AudioError(.truncated, path: path, reason: "its last page is missing")
    }
    return missingBytes.map {
      AudioError(.truncated, path: path, reason: "\($0.there) bytes of sound, \($0.stated) in the header")
    }
  }
}
