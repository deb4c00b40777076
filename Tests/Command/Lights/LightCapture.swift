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
  /// When it had ended, in the same seconds.
  let ended: Double
  /// When a blackout was asked for; nil where it was not.
  let darkened: Double?
  let packets: [Packet]
  /// What an independent strict decoder has against their bytes and their order.
  let faults: [String]
  /// What it has against their times; a busy machine may be late.
  let late: [String]
  /// How many packets of which kind it has found.
  let kinds: [String: Int]
  /// What a lamp of WLED was asked for by HTTP, where there was one.
  let lamp: WledDevice.Report?

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
    let ended: Double
    let darkened: Double?
    let packets: [[Entry]]
    let faults: [String]
    let late: [String]
    let kinds: [String: Int]
    let lamp: WledDevice.Report?
  }

  /// Runs a graph; `seconds` after its first packet it is ended by SIGTERM, unless it ends by itself. Half-way there it
  /// becomes another, where one is given, or a file of its own does, or is asked for a blackout. Groups are joined at
  /// the loopback; by IPv6, which does not take them there, at a cable of the network's own, whose near end is
  /// `fd00::1`.
  init(
    _ graph: String, port: Int, groups: [Int] = [], group: String? = nil, isIPv6: Bool = false,
    endingAfter seconds: Double? = nil,
    becoming next: String? = nil, changing changed: String? = nil, blacksOut: Bool = false,
    lamp lampPort: Int? = nil, isSilent: Bool = false,
    _ more: String...
  ) throws {
    let script = projectFolder.appending(path: "Tests/Lights/capture.py").path
    let loopback = ["ip link set lo multicast on", "ip route add 239.0.0.0/8 dev lo"]
    let cable = [
      "ip link add show type veth peer name rig", "ip link set show up", "ip link set rig up",
      "ip -6 addr add fd00::1/64 dev show nodad",
    ]
    let network = Namespaces(network: true, then: isIPv6 ? cable : loopback)
    let command = [
      "python3", script, "\(port)",
      group ?? (isIPv6 ? "6:" : "") + groups.map(String.init).joined(separator: ","),
      Visgraph.path, "run", graph,
    ]
    let surroundings =
      ["env", "INTERFACE=\(isIPv6 ? "show" : "lo")"] + (seconds.map { ["SECONDS=\($0)"] } ?? [])
      + (next.map { ["NEXT=\($0)"] } ?? [])
      + (changed.map { ["CHANGED=\($0)"] } ?? []) + (blacksOut ? ["BLACKOUT=7770"] : [])
      + (lampPort.map { ["LAMP=\($0)"] } ?? []) + (isSilent ? ["SILENT=1"] : [])
    let child = try Child(
      network.command(
        surroundings + command + ["--host", "clock", "--control", blacksOut ? "127.0.0.1:7770" : "off"] + more
      ))
    let ending = child.exitCode(within: 120)
    try #require(ending == 0, "\(child.notes)")
    let printed = try JSONDecoder().decode(Printed.self, from: Data(child.results.utf8))
    (code, asked, ended, darkened) = (printed.code, printed.asked, printed.ended, printed.darkened)
    (faults, late, kinds, lamp) = (printed.faults, printed.late, printed.kinds, printed.lamp)
    packets = printed.packets.compactMap { entry in
      guard entry.count == 2, case .time(let time) = entry[0], case .hex(let text) = entry[1] else {
        return nil
      }
      let digits = Array(text.utf8).map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
      return Packet(
        time: time, bytes: stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
  }

  /// The first of up to four captures in which enough has come in time, or the last: a busy machine spoils some.
  static func first(
    where isEnough: (LightCapture) -> Bool, _ capture: () throws -> LightCapture
  ) throws -> LightCapture {
    var found = try capture()
    for _ in 0..<3 where !isEnough(found) { found = try capture() }
    return found
  }
}
