/// An OSC address with placeholders: `/visgraph/{node}/{channel}`.
public struct AddressTemplate: Sendable, Equatable, CustomStringConvertible {
  /// The words that may stand in braces.
  public enum Placeholder: String, CaseIterable, Sendable {
    /// The id of the sending node.
    case node
    /// The id of the node that is wired to it.
    case source
    /// The channel's number, from 1.
    case channel
    /// The channel's name.
    case name
  }

  /// The values of the placeholders.
  public struct Values: Sendable {
    /// The id of the sending node.
    public var node: String
    /// The id of the node that is wired to it.
    public var source: String
    /// The channel's number, from 1.
    public var channel: Int
    /// The channel's name; characters OSC forbids become `_`.
    public var name: String

    /// Takes all four, because a template may have any of them.
    public init(node: String, source: String, channel: Int, name: String) {
      self.node = node
      self.source = source
      self.channel = channel
      self.name = name
    }
  }

  private enum Part: Equatable {
    case literal(String)
    case placeholder(Placeholder)
  }

  /// The template as it was written.
  public let description: String
  private let parts: [Part]

  /// `/visgraph/{node}/{channel}`.
  public static let standard = AddressTemplate(
    description: "/visgraph/{node}/{channel}",
    parts: [.literal("/visgraph/"), .placeholder(.node), .literal("/"), .placeholder(.channel)])

  private init(description: String, parts: [Part]) {
    self.description = description
    self.parts = parts
  }

  /// Parses a template. Throws a fault of the address, or an unknown placeholder.
  public init(_ text: String) throws(OSCError) {
    guard text.first == "/" else { throw .addressStart(text) }
    var parts: [Part] = []
    var literal = ""
    var rest = Substring(text)
    var at = 0
    while let character = rest.first {
      if character == "{" {
        guard let close = rest.firstIndex(of: "}") else { throw .openPlaceholder(at: at, in: text) }
        let name = String(rest[rest.index(after: rest.startIndex)..<close])
        guard let placeholder = Placeholder(rawValue: name) else {
          throw .unknownPlaceholder(name, at: at, nearest: Self.nearest(to: name))
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        literal = ""
        parts.append(.placeholder(placeholder))
        at += name.count + 2
        rest = rest[rest.index(after: close)...]
        continue
      }
      if AddressCharacters.isForbidden(character) {
        throw .addressCharacter(character, at: at, in: text)
      }
      literal.append(character)
      rest = rest.dropFirst()
      at += 1
      if character == "/", rest.isEmpty || rest.first == "/" {
        throw .addressEmptyPart(at: at - 1, in: text)
      }
    }
    if !literal.isEmpty { parts.append(.literal(literal)) }
    self.init(description: text, parts: parts)
  }

  /// The placeholders in the template.
  public var placeholders: Set<Placeholder> {
    Set(
      parts.compactMap { part in
        if case .placeholder(let placeholder) = part { placeholder } else { nil }
      })
  }

  /// Replaces the placeholders. The result is a valid OSC address for all values.
  public func expand(_ values: Values) -> String {
    parts.map { part in
      switch part {
      case .literal(let text): text
      case .placeholder(.node): AddressCharacters.part(values.node)
      case .placeholder(.source): AddressCharacters.part(values.source)
      case .placeholder(.channel): String(values.channel)
      case .placeholder(.name): AddressCharacters.part(values.name)
      }
    }.joined()
  }

  /// The placeholder within a Levenshtein distance of 2; nil: none.
  private static func nearest(to name: String) -> String? {
    guard name.count <= 16 else { return nil }
    let wanted = Array(name.lowercased())
    let ranked = Placeholder.allCases.map { ($0.rawValue, edits(wanted, Array($0.rawValue))) }
    guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= 2 else { return nil }
    return best.0
  }

  /// The Levenshtein distance, computed row by row.
  private static func edits(_ from: [Character], _ to: [Character]) -> Int {
    var row = Array(0...to.count)
    for (i, character) in from.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in to.enumerated() {
        let cost = character == other ? diagonal : 1 + min(diagonal, row[j], row[j + 1])
        diagonal = row[j + 1]
        row[j + 1] = cost
      }
    }
    return row[to.count]
  }
}
