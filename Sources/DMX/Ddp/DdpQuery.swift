/// Questions to a device of DDP, and its answers: JSON at two destination ids. A device need not answer. [any]
public enum DdpQuery: UInt8, Sendable, CaseIterable {
  /// Who it is.
  case status = 251
  /// What it has.
  case configuration = 250

  /// The packet that asks.
  public var packet: [UInt8] { [0x42, 0, 0, rawValue, 0, 0, 0, 0, 0, 0] }

  /// The JSON of an answer to some question; nil where a packet is none, or holds less than it says.
  public static func answer(_ packet: [UInt8]) -> (to: DdpQuery, json: [UInt8])? {
    guard packet.count >= 10, packet[0] & 0xC4 == 0x44, packet[0] & 0x02 == 0,
      let question = DdpQuery(rawValue: packet[3])
    else { return nil }
    // Four bytes of time code follow the header where there is one.
    let begin = packet[0] & 0x10 == 0 ? 10 : 14
    let count = Int(packet[8]) << 8 | Int(packet[9])
    guard packet.count >= begin + count else { return nil }
    return (question, Array(packet[begin..<begin + count]))
  }
}
