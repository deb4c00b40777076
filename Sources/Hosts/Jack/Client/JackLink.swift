/// A connection by the names of its ports, so that it outlives servers and peers.
struct JackLink: Hashable, Sendable {
  /// Our port's short name, such as `in_1`.
  let port: String
  /// The other port's full name, such as `system:capture_1`. A port of our own is `:in_2`, because the client's name
  /// may change.
  let other: String
}
