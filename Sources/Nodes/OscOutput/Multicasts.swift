import Graphs

/// Settings of multicast targets: the interface and the number of hops.
enum Multicasts {
  /// The interface by which multicasts leave.
  static func interface<Record: FieldRecord>(
    _ path: any WritableKeyPath<Record, String?> & Sendable
  ) -> Field<Record> {
    Field(
      "interface", path, .text(), change: .rebuild,
      "The network that multicasts leave by: the name or an address of an interface, such as eth0; else as the routes of the "
        + "system say.")
  }

  /// The maximum number of hops (TTL) of multicasts.
  static func hops<Record: FieldRecord>(
    _ path: any WritableKeyPath<Record, Int?> & Sendable
  ) -> Field<Record> {
    Field(
      "ttl", path, .number(.none, 0...Double(UInt8.max), whole: true), change: .rebuild,
      "How far multicasts go: 0 to this machine alone, 1 to its network, each more past one router; by default 64."
    )
  }
}
