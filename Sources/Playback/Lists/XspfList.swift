import CExpat

/// Reads XSPF playlists with expat. [one]
///
/// A list that declares entities is refused: no list needs them, and attacks use them. Nothing outside the list is
/// read. After a syntax error, the entries before it are kept.
final class XspfList {
  /// Most nested elements, and most attributes in total.
  private static let (mostDepth, mostAttributes) = (32, 500_000)

  private let parser: XML_Parser
  private let list: String
  private let limits: ListLimits
  private var result = ReadList()
  private var open: [String] = []
  private var text: [UInt8] = []
  private var entry: ListEntry?
  /// The base of relative addresses (`xml:base`), if the list has one.
  private var base: String?
  private var isOver = false

  private init?(_ list: String, _ limits: ListLimits) {
    guard let parser = XML_ParserCreate(nil) else { return nil }
    self.parser = parser
    self.list = list
    self.limits = limits
  }

  deinit { XML_ParserFree(parser) }

  /// The entries of a list.
  static func read(_ bytes: [UInt8], called list: String, _ limits: ListLimits) -> ReadList {
    // Every attribute has an equals sign, so their count bounds the attributes that expat allocates for a tag.
    let equals = bytes.withUnsafeBytes { all in all.lazy.filter { $0 == UInt8(ascii: "=") }.count }
    var none = ReadList()
    guard equals <= mostAttributes, let reader = XspfList(list, limits) else {
      none.report(
        ListError(.hostile, path: list, reason: "it has more than \(mostAttributes) attributes"), limits)
      return none
    }
    return reader.read(bytes)
  }

  private func read(_ bytes: [UInt8]) -> ReadList {
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser, { data, name, attributes in XspfList.of(data).begin(name, attributes) },
      { data, _ in XspfList.of(data).end() })
    XML_SetCharacterDataHandler(parser) { data, text, count in XspfList.of(data).add(text, count) }
    XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
      XspfList.of(data).stop(.hostile, "it declares entities of its own")
    }
    // In one piece: given several, expat 2.5 parses an unfinished tag again with each of them (CVE-2023-52425).
    let status = bytes.withUnsafeBytes { all in
      XML_Parse(parser, all.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(all.count), 1)
    }
    if status != XML_STATUS_OK, !isOver {
      let problem = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
      stop(.format, problem ?? "unknown")
    }
    return result
  }

  private static func of(_ data: UnsafeMutableRawPointer?) -> XspfList {
    Unmanaged<XspfList>.fromOpaque(data!).takeUnretainedValue()
  }

  private var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

  private func stop(_ code: ListError.Code, _ reason: String) {
    guard !isOver else { return }
    isOver = true
    result.report(ListError(code, path: list, in: list, line: line, reason: reason), limits)
    _ = XML_StopParser(parser, 0)
  }

  private func begin(
    _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard !isOver, let name else { return }
    guard open.count < Self.mostDepth else {
      return stop(.hostile, "it has more than \(Self.mostDepth) elements inside each other")
    }
    // Without the namespace prefix: `xspf:track` is a track.
    let word = String(cString: name).split(separator: ":").last.map(String.init) ?? ""
    if open.isEmpty, word != "playlist" {
      return stop(.format, "it is no XSPF: its first element is '\(word)'")
    }
    if open.isEmpty { base = Self.base(attributes) }
    open.append(word)
    text = []
    guard open == ["playlist", "trackList", "track"] else { return }
    guard result.entries.count < limits.tracks else {
      return stop(.tooMany, "at most \(limits.tracks) tracks")
    }
    entry = ListEntry(location: "", line: line, isAddress: true)
  }

  private static func base(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> String? {
    var place = 0
    while let attributes, let key = attributes[place], let value = attributes[place + 1] {
      if String(cString: key) == "xml:base" {
        let text = String(cString: value)
        return text.lastIndex(of: "/").map { String(text[...$0]) }
      }
      place += 2
    }
    return nil
  }

  private func add(_ more: UnsafePointer<CChar>?, _ count: Int32) {
    // Keeps text only in direct children of a track.
    guard !isOver, let more, entry != nil, open.count == 4 else { return }
    guard text.count + Int(count) <= limits.text else {
      return stop(.tooLarge, "a text has more than \(limits.text) bytes")
    }
    text.append(contentsOf: UnsafeRawBufferPointer(start: UnsafeRawPointer(more), count: Int(count)))
  }

  private func end() {
    guard !isOver, let word = open.popLast() else { return }
    if open.count == 3, entry != nil { take(String(decoding: text, as: UTF8.self).trimmed, as: word) }
    text = []
    guard open.count == 2, word == "track", let done = entry else { return }
    entry = nil
    guard !done.location.isEmpty else {
      return result.report(
        ListError(
          .line, path: done.title ?? "track", in: list, line: done.line, reason: "it has no location"),
        limits)
    }
    result.entries.append(done)
  }

  private func take(_ value: String, as word: String) {
    guard !value.isEmpty else { return }
    switch word {
    case "location":
      // A track may have several locations: the first one on this machine is taken, otherwise the first.
      let isWhole = value.hasPrefix("/") || EntryPath.scheme(of: value) != nil
      let address = isWhole ? value : (base ?? "") + value
      if entry?.location.isEmpty == true
        || EntryPath.isRemote(entry?.location ?? "") && !EntryPath.isRemote(address)
      {
        entry?.location = address
      }
    case "title": entry?.title = value
    case "duration":
      if let milliseconds = Double(value), milliseconds.isFinite, milliseconds > 0 {
        entry?.length = milliseconds / 1000
      }
    default: break
    }
  }
}

extension String {
  /// Without white space at both ends.
  fileprivate var trimmed: String {
    let start = drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}
