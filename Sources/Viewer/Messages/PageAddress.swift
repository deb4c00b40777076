/// The path and the query of an HTTP request. [any]
struct PageAddress: Equatable, Sendable {
  /// From the first slash on, not decoded.
  let path: String
  /// Values by name, not decoded; a name without a value has an empty one.
  let query: [String: String]

  /// Splits a request target; nil unless it begins with a slash.
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
