import Foundation
import TestSupport
import Testing

/// What a receiver of universes gets from a run, in a network of its own that is cut off from all others.
struct LightCapture {
  /// A datagram, with the seconds since the first.
  struct Packet {
    let time: Double
    let bytes: [UInt8]
  }

  let code: Int
  /// When the end was asked for, in seconds since the first packet; nil where it was not.
  let asked: Double?
  let packets: [Packet]

  private struct Printed: Decodable {
    enum Entry: Decodable {
      case time(Double)
      case hex(String)
      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let time = try? value.decode(Double.self) {
          self = .time(time)
        } else {
          self = .hex(try value.decode(String.self))
        }
      }
    }
    let code: Int
    let asked: Double?
    let packets: [[Entry]]
  }

  /// Runs a graph; `seconds` after its first packet it is ended by SIGTERM, unless it ends by itself. Half-way there it
  /// becomes another, where one is given.
  init(
    _ graph: String, port: Int, groups: [Int] = [], endingAfter seconds: Double? = nil,
    becoming next: String? = nil,
    _ more: String...
  ) throws {
    let script = projectFolder.appending(path: "Tests/Lights/capture.py").path
    let network = Namespaces(
      network: true, then: ["ip link set lo multicast on", "ip route add 239.0.0.0/8 dev lo"])
    let command = [
      "python3", script, "\(port)", groups.map(String.init).joined(separator: ","), Visgraph.path, "run",
      graph,
    ]
    let surroundings = (seconds.map { ["env", "SECONDS=\($0)"] } ?? []) + (next.map { ["NEXT=\($0)"] } ?? [])
    let child = try Child(
      network.command(surroundings + command + ["--host", "clock", "--control", "off"] + more))
    let ending = child.exitCode(within: 120)
    try #require(ending == 0, "\(child.notes)")
    let printed = try JSONDecoder().decode(Printed.self, from: Data(child.results.utf8))
    (code, asked) = (printed.code, printed.asked)
    packets = printed.packets.compactMap { entry in
      guard entry.count == 2, case .time(let time) = entry[0], case .hex(let text) = entry[1] else {
        return nil
      }
      let digits = Array(text.utf8).map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
      return Packet(
        time: time, bytes: stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
  }
}
