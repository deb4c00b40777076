/// A connection as the host remembers it, by names, so that it outlives both servers and peers.
struct JackLink: Hashable, Sendable {
  /// Our port's short name, such as `in_1`.
  let port: String
  /// The other port's full name, such as `system:capture_1`; `:in_2` for a port of our own, whatever our client is
  /// called today.
  let other: String
}
