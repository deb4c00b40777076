/// What a request asks for: the path, and what stands behind the question mark. [any]
struct PageAddress: Equatable, Sendable {
  /// From the first slash on, as it is sent.
  let path: String
  /// By name; where no value is given it is empty.
  let query: [String: String]

  /// Takes an address apart; nil where it does not begin with a slash.
  init?(_ text: String) {
    guard text.first == "/" else { return nil }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts[0].prefix { $0 != "#" })
    var query: [String: String] = [:]
    if parts.count > 1 {
      for pair in parts[1].prefix(while: { $0 != "#" }).split(separator: "&") {
        let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
          String.init)
        query[sides[0]] = sides.count > 1 ? sides[1] : ""
      }
    }
    self.query = query
  }
}
