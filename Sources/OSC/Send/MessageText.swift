/// A message in the form in which users type it: `/visgraph/scene storm 2`, or `osc.udp://127.0.0.1:9000/alarm 1` for
/// another program. [any]
///
/// The first word is the address, the others are the arguments. A text in double quotes may have spaces; in it `\"`
/// is a quote and `\\` a backslash.
public struct MessageText: Equatable, Sendable {
  /// The message; its address may be a pattern.
  public let message: Message
  /// The destination; nil where the text has none.
  public let endpoint: Endpoint?

  /// Parses a message. Throws where the address or the endpoint is faulty, or where a quote is not closed.
  public init(_ text: String) throws(OSCError) {
    let words = try Self.words(of: text)
    guard let first = words.first, !first.isQuoted else {
      throw .addressStart(words.first?.text ?? "")
    }
    var address = Substring(first.text)
    if address.first != "/" {
      // Without a colon it is no HOST:PORT: the slash of the address is missing.
      guard first.text.contains(":") else { throw .addressStart(first.text) }
      let host = address.firstRange(of: "://")?.upperBound ?? address.startIndex
      let path = address[host...].firstIndex(of: "/") ?? address.endIndex
      endpoint = try Endpoint(String(address[..<path]))
      address = address[path...]
    } else {
      endpoint = nil
    }
    message = Message(
      String(address),
      arguments: words.dropFirst().map { word in
        word.isQuoted ? .string(word.text) : Argument(word.text) ?? .string(word.text)
      })
    guard address.first == "/" else { throw .addressStart(first.text) }
    // The receiver of a message of this show checks its address, which may be a pattern; other programs get plain
    // addresses alone.
    if endpoint != nil { _ = try message.packet() }
  }

  /// The words, and whether they were quoted.
  private static func words(of text: String) throws(OSCError) -> [(text: String, isQuoted: Bool)] {
    var words: [(text: String, isQuoted: Bool)] = []
    var rest = Substring(text)
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "\n" }
      guard let first = rest.first else { return words }
      guard first == "\"" else {
        let word = rest.prefix { $0 != " " && $0 != "\t" && $0 != "\n" }
        words.append((String(word), false))
        rest = rest[word.endIndex...]
        continue
      }
      var (word, isClosed) = ("", false)
      rest = rest.dropFirst()
      while !isClosed, let character = rest.popFirst() {
        switch character {
        case "\"": isClosed = true
        case "\\": word.append(rest.popFirst() ?? "\\")
        default: word.append(character)
        }
      }
      guard isClosed else { throw .openQuote(text) }
      words.append((word, true))
    }
  }
}

extension Argument {
  /// Parses an argument that a user types. `letter` is the OSC type tag; `?` reads whole numbers as `i`, other
  /// numbers as `f`, and all else as text. Nil where the word does not fit the tag. [any]
  public init?(_ word: String, as letter: Character = "?") {
    switch letter {
    case "?":
      if let whole = Int32(word) {
        self = .int(whole)
      } else if let number = Float(word), number.isFinite, word.first != "n", word.first != "i" {
        self = .float(number)
      } else {
        self = .string(word)
      }
    case "i":
      guard let number = Int32(word) else { return nil }
      self = .int(number)
    case "h":
      guard let number = Int64(word) else { return nil }
      self = .int64(number)
    case "f":
      guard let number = Float(word), !number.isNaN else { return nil }
      self = .float(number)
    case "d":
      guard let number = Double(word), !number.isNaN else { return nil }
      self = .double(number)
    case "s": self = .string(word)
    default: return nil
    }
  }
}
