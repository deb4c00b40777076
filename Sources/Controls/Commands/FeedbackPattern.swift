import OSC

/// Selects messages by OSC patterns for the first parts of their addresses; any parts may follow.
package struct FeedbackPattern: Sendable, Equatable {
  /// Selects all messages.
  package static let all = FeedbackPattern(
    text: "/visgraph", parts: [AddressPattern("visgraph")].compactMap { $0 })

  /// The pattern as it was written.
  package let text: String
  private let parts: [AddressPattern]

  private init(text: String, parts: [AddressPattern]) { (self.text, self.parts) = (text, parts) }

  /// Reads a pattern such as `/visgraph/level/meter` or `/visgraph/*/gain`.
  package init(_ text: String) throws(ControlError) {
    let words = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard text.first == "/", text.utf8.count <= 256, !words.contains(where: \.isEmpty) else {
      throw .pattern(text)
    }
    var parts: [AddressPattern] = []
    for word in words {
      guard let part = AddressPattern(word) else { throw .pattern(String(word)) }
      parts.append(part)
    }
    self.init(text: text, parts: parts)
  }

  /// Whether it selects messages to this address.
  package func matches(_ address: String) -> Bool {
    let words = address.split(separator: "/")
    return parts.count <= words.count && zip(parts, words).allSatisfy { $0.matches($1) }
  }

  package static func == (a: FeedbackPattern, b: FeedbackPattern) -> Bool { a.text == b.text }
}

/// Limits and defaults of a subscription.
enum FeedbackTerms {
  /// Bundles a second; 0 unsubscribes.
  static let rates = 0.0...60.0
  static let rate = 10.0
  /// Seconds until the subscription ends, unless it is renewed.
  static let leases = 1.0...3600.0
  static let lease = 60.0
}
