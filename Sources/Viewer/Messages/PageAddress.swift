/// The path and the query of an HTTP request. [any]
struct PageAddress: Equatable, Sendable {
  /// From the first slash on, not decoded.
  let path: String
  /// Values by name, both not decoded. A name without a value has an empty one; of equal names the last counts.
  let query: [String: String]

  /// Splits a request target; nil unless it begins with a slash.
  init?(_ text: String) {
    guard text.first == "/" else { return nil }
    // A `?` in the fragment begins no query (RFC 3986, section 3.5).
    let parts = text.prefix { $0 != "#" }.split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts[0])
    var query: [String: String] = [:]
    if parts.count > 1 {
      for pair in parts[1].split(separator: "&") {
        let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
          String.init)
        query[sides[0]] = sides.count > 1 ? sides[1] : ""
      }
    }
    self.query = query
  }
}
