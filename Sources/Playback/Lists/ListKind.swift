/// The kinds of playlists.
enum ListKind: String {
  case m3u, m3u8, pls, xspf, cue

  /// Detects the kind by a file's extension.
  init?(endingOf path: String) {
    guard let ending = AudioEndings.ending(of: path) else { return nil }
    self.init(rawValue: ending)
  }

  /// Detects the kind by the first bytes of a file.
  init?(beginning bytes: [UInt8]) {
    let start = String(decoding: ListText.withoutMark(bytes).prefix(400), as: UTF8.self)
      .drop { $0.isWhitespace }.lowercased()
    if start.hasPrefix("#extm3u") {
      self = .m3u
    } else if start.hasPrefix("[playlist]") {
      self = .pls
    } else if start.hasPrefix("<"), start.contains("<playlist"), start.contains("xspf") {
      self = .xspf
    } else if AudioCueSheet.isBeginning(bytes) {
      self = .cue
    } else {
      return nil
    }
  }
}
