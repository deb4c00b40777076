import System

/// Where an entry of a playlist leads. [any]
enum EntryPath: Equatable {
  /// To a file: paths to try, in order.
  case file([String])
  /// To another machine.
  case remote
  /// Nowhere; the reason.
  case bad(String)

  /// Resolves a location. Relative paths start from `folder`, which ends in a slash or is empty.
  init(_ location: String, from folder: String, isAddress: Bool) {
    guard !location.utf8.contains(0) else {
      self = .bad("it has a zero byte")
      return
    }
    var path = location
    var isAddress = isAddress
    switch Self.scheme(of: location) {
    case "file":
      guard let local = Self.local(location.dropFirst(5)) else {
        self = .remote
        return
      }
      (path, isAddress) = (local, true)
    case .some:
      self = .remote
      return
    case nil: break
    }
    var places: [String] = []
    func add(_ text: String) {
      let place = text.hasPrefix("/") ? text : folder + text
      if !text.isEmpty, !places.contains(place) { places.append(place) }
    }
    let plain = path.contains("%") ? Self.decoded(path) : nil
    if isAddress, path.contains("%") {
      guard let plain else {
        self = .bad("its %-codes have a zero byte")
        return
      }
      add(plain)
    }
    add(path)
    // Some programs write percent-encoded addresses in place of paths, and some write backslashes.
    if let plain { add(plain) }
    // A name in a legacy character set may be that of a file whose name is UTF-8.
    if FileName.isForeign(path) {
      let bytes = FileName.bytes(path)
      for charset in [Charset(guessedFrom: [bytes]), .western] { add(charset.text(bytes)) }
    }
    if path.contains("\\") { add(String(path.map { $0 == "\\" ? "/" : $0 })) }
    self = places.isEmpty ? .bad("it is empty") : .file(places)
  }

  /// The scheme of an address in lower case; nil for a path, also for one that begins with a drive letter.
  static func scheme(of location: String) -> String? {
    guard let colon = location.prefix(20).firstIndex(of: ":") else { return nil }
    let word = location[..<colon].lowercased()
    guard word.utf8.count >= 2, word.utf8.first.map({ (0x61...0x7A).contains($0) }) == true,
      word.utf8.allSatisfy({
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
      })
    else { return nil }
    // "Part: one.mp3" is a file name.
    return word == "file" || location[colon...].hasPrefix("://") ? word : nil
  }

  /// Whether a location is an address of another machine.
  static func isRemote(_ location: String) -> Bool {
    EntryPath(location, from: "", isAddress: true) == .remote
  }

  /// The path of `//localhost/a`, `///a` and `/a`, the rest of a `file:` address; nil if it names another machine.
  private static func local(_ rest: Substring) -> String? {
    guard rest.hasPrefix("//") else { return String(rest) }
    let path = rest.dropFirst(2)
    guard let slash = path.firstIndex(of: "/") else { return nil }
    let host = path[..<slash].lowercased()
    return host.isEmpty || host == "localhost" || host == "127.0.0.1" ? String(path[slash...]) : nil
  }

  /// Percent-decodes a text; nil if the result has a zero byte.
  private static func decoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    let source = Array(text.utf8)
    var place = 0
    while place < source.count {
      if source[place] == UInt8(ascii: "%"), place + 2 < source.count,
        let high = Character(Unicode.Scalar(source[place + 1])).hexDigitValue,
        let low = Character(Unicode.Scalar(source[place + 2])).hexDigitValue
      {
        bytes.append(UInt8(high * 16 + low))
        place += 3
      } else {
        bytes.append(source[place])
        place += 1
      }
    }
    return bytes.contains(0) ? nil : FileName.text(bytes)
  }
}

/// An entry of a playlist. [any]
struct ListEntry: Equatable {
  /// A path or an address, as it is written.
  var location: String
  /// The title, if the list has one.
  var title: String?
  /// Duration in seconds, as the list states it.
  var length: Double?
  /// The line in the list, from 1.
  var line: Int
  /// Whether the location is percent-encoded, as XSPF has it.
  var isAddress = false
}

/// The entries and faults of a playlist. [any]
struct ReadList: Equatable {
  var entries: [ListEntry] = []
  private(set) var faults: [ListError] = []
  /// Number of faults beyond the limit, which are not kept.
  private(set) var unreported = 0

  /// Keeps a fault, or counts it if `limits.faults` are kept.
  mutating func report(_ fault: ListError, _ limits: ListLimits) {
    if faults.count < limits.faults { faults.append(fault) } else { unreported += 1 }
  }
}
