import CExpat

/// Reads XML of some thousand elements by expat. [control]
///
/// Entity declarations are refused: files to import need none, and they serve attacks. Nothing outside the file is
/// read.
final class XmlReader {
  /// The most elements and attributes of most files, and of GDTF and MVR descriptions.
  static let (mostElements, mostOfDevice) = (30_000, 300_000)
  /// The most nested elements.
  private static let mostDepth = 32

  private let parser: XML_Parser
  /// The elements whose end tag has not come, outermost first.
  private var open: [XmlElement] = []
  private var root: XmlElement?
  /// Elements and attributes so far.
  private var count = 0
  private var refusal: String?

  private let most: Int

  private init?(most: Int) {
    guard let parser = XML_ParserCreate(nil) else { return nil }
    self.parser = parser
    self.most = most
  }

  deinit { XML_ParserFree(parser) }

  /// The root element. Throws where the file is not XML, or has more than `most` elements and attributes.
  static func root(
    of bytes: [UInt8], called file: String, most: Int = mostElements
  ) throws(ImportError) -> XmlElement {
    // Every attribute needs one `=`, and base64 has at most two at its end. So their number limits what expat
    // allocates.
    let equals = bytes.withUnsafeBytes { all in all.lazy.filter { $0 == UInt8(ascii: "=") }.count }
    guard equals <= most else {
      throw ImportError("hostile-xml", "\(file): has more than \(most) attributes")
    }
    guard let reader = XmlReader(most: most) else {
      throw ImportError("no-memory", "\(file): memory is short")
    }
    return try reader.read(bytes, file)
  }

  private func read(_ bytes: [UInt8], _ file: String) throws(ImportError) -> XmlElement {
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser, { data, name, attributes in XmlReader.of(data).begin(name, attributes) },
      { data, _ in XmlReader.of(data).end() })
    XML_SetCharacterDataHandler(parser) { data, text, count in XmlReader.of(data).add(text, count) }
    XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
      XmlReader.of(data).refuse("declares entities of its own")
    }
    // All at once: expat 2.5 parses an unfinished tag anew with each piece (CVE-2023-52425).
    let status = bytes.withUnsafeBytes { all in
      XML_Parse(parser, all.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(all.count), 1)
    }
    if let refusal { throw ImportError("hostile-xml", "\(file):\(line): \(refusal)") }
    guard status == XML_STATUS_OK else { throw ImportError("broken-xml", "\(file):\(line): \(problem)") }
    guard let root else { throw ImportError("broken-xml", "\(file): holds no element") }
    return root
  }

  private var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

  private var problem: String {
    "is broken XML: " + (XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "unknown")
  }

  private static func of(_ data: UnsafeMutableRawPointer?) -> XmlReader {
    Unmanaged<XmlReader>.fromOpaque(data!).takeUnretainedValue()
  }

  private func refuse(_ message: String) {
    refusal = refusal ?? message
    _ = XML_StopParser(parser, 0)
  }

  private func begin(
    _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard refusal == nil, let name else { return }
    count += 1
    if count > most { return refuse("has more than \(most) elements") }
    if open.count >= Self.mostDepth {
      return refuse("has more than \(Self.mostDepth) elements inside each other")
    }
    var pairs: [(name: String, value: String)] = []
    var place = 0
    while let attributes, let key = attributes[place], let value = attributes[place + 1] {
      pairs.append((String(cString: key), String(cString: value)))
      place += 2
    }
    count += pairs.count
    let element = XmlElement(name: String(cString: name), attributes: pairs, line: line)
    if let parent = open.last { parent.children.append(element) } else { root = element }
    open.append(element)
  }

  private func end() {
    if refusal == nil { _ = open.popLast() }
  }

  private func add(_ text: UnsafePointer<CChar>?, _ count: Int32) {
    guard refusal == nil, let text, let element = open.last else { return }
    element.bytes.append(
      contentsOf: UnsafeRawBufferPointer(start: UnsafeRawPointer(text), count: Int(count)))
  }
}

/// An element of an XML file.
final class XmlElement {
  let name: String
  let attributes: [(name: String, value: String)]
  /// The line of its start tag, from 1.
  let line: Int
  /// Its child elements in order.
  var children: [XmlElement] = []
  /// Its own text in UTF-8, without that of its children.
  var bytes: [UInt8] = []

  init(name: String, attributes: [(name: String, value: String)], line: Int) {
    self.name = name
    self.attributes = attributes
    self.line = line
  }

  /// Its own text.
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
