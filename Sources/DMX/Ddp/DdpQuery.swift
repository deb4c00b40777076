/// Queries to a DDP device and their answers: JSON at two destination ids. Devices need not answer. [any]
public enum DdpQuery: UInt8, Sendable, CaseIterable {
  /// The device's status.
  case status = 251
  /// The device's configuration.
  case configuration = 250

  /// The packet of the query.
  public var packet: [UInt8] { [0x42, 0, 0, rawValue, 0, 0, 0, 0, 0, 0] }

  /// The JSON of an answer to any query; nil where a packet is no answer, or is shorter than it states.
  public static func answer(_ packet: [UInt8]) -> (to: DdpQuery, json: [UInt8])? {
    guard packet.count >= 10, packet[0] & 0xC4 == 0x44, packet[0] & 0x02 == 0,
      let question = DdpQuery(rawValue: packet[3])
    else { return nil }
    // Four bytes of time code follow the header where its flag is set.
    let begin = packet[0] & 0x10 == 0 ? 10 : 14
    let count = Int(packet[8]) << 8 | Int(packet[9])
    guard packet.count >= begin + count else { return nil }
    return (question, Array(packet[begin..<begin + count]))
  }
}
