/// What a playlist says at one place. [any]
struct ListEntry: Equatable {
  /// A path or an address, as it is written.
  var location: String
  /// What it is called.
  var title: String?
  /// Seconds.
  var length: Double?
  /// The line, from 1.
  var line: Int
  /// Whether the location is an address in the first place, with `%20` for a space.
  var isAddress = false
}

/// What was read of a playlist. [any]
struct ReadList: Equatable {
  var entries: [ListEntry] = []
  private(set) var faults: [ListFault] = []
  /// Faults that were too many to be kept.
  private(set) var untold = 0

  /// Keeps a fault, as long as there are not too many.
  mutating func report(_ fault: ListFault, _ limits: ListLimits) {
    if faults.count < limits.faults { faults.append(fault) } else { untold += 1 }
  }
}

/// The kinds of playlists.
enum ListKind: String {
  case m3u, m3u8, pls, xspf

  /// Told from a file's ending.
  init?(endingOf path: String) {
    guard let ending = AudioEndings.ending(of: path) else { return nil }
    self.init(rawValue: ending)
  }

  /// Told from how a file begins.
  init?(beginning bytes: [UInt8]) {
    let start = String(decoding: ListText.withoutMark(bytes).prefix(400), as: UTF8.self)
      .drop { $0.isWhitespace }.lowercased()
    if start.hasPrefix("#extm3u") {
      self = .m3u
    } else if start.hasPrefix("[playlist]") {
      self = .pls
    } else if start.hasPrefix("<"), start.contains("<playlist"), start.contains("xspf") {
      self = .xspf
    } else {
      return nil
    }
  }
}
