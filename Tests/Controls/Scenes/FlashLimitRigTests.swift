import Engine
import Graphs
import OSC
import System
import TestSupport
import Testing

@testable import Controls

/// A graph that limits flashes, and what is sent to its lights.
@Suite struct FlashLimitRigTests {
  private static let text = """
    visgraph: 1
    flashes: 3
    nodes:
      clicks: { type: tone-source, tone: impulses, frequency: 10, level: 0 dB }
      out: { type: jack-output }
      peak: { type: meter, release: 0 }
      kick: { type: trigger, pulse: 0, gap: 0 }
      house: { type: constant, channels: 2, value: 0 }
      rig: { type: osc-output, to: "127.0.0.1:9", rate: 0, repeat: 0, eventAddress: "/hit" }
    wires: [clicks -> out, clicks -> peak, peak.peak -> kick, kick.events -> rig.events, house -> rig]
    """

  /// The levels and events sent in each frame of two seconds, in which a light flashes ten times a second.
  private func sent(_ text: String) throws -> (levels: [Float], events: [Int]) {
    let rig = try SceneRig(text)
    var levels: [Float] = []
    var events: [Int] = []
    var lastSent: Float = 0
    for frame in 0..<120 {
      rig.set("house.each.1.value", frame % 6 < 3 ? "1" : "0")
      try rig.next()
      let packets = rig.sent.withLock { sent in
        defer { sent = [] }
        return sent
      }
      for message in try packets.flatMap({ try PacketReader().read($0).messages }) {
        if message.address == "/hit" { events.append(frame) }
        if message.address.hasSuffix("/rig/1"), case .float(let value)? = message.arguments.first {
          lastSent = value
        }
      }
      levels.append(lastSent)
    }
    return (levels, events)
  }

  @Test func `levels and events are sent three times a second, and all of them if no limit is set`() throws {
    let (levels, events) = try sent(Self.text)
    let (all, allEvents) = try sent(Self.text.replacing("flashes: 3\n", with: ""))
    #expect(FlashCount.most(all, rate: 60) == 10 && FlashCount.most(levels, rate: 60) == 3)
    #expect(allEvents.count >= 19, "\(allEvents)")
    let perSecond = events.map { first in events.count { $0 >= first && $0 < first + 60 } }
    // Two seconds have room for twice 3, and for one more or less at their ends.
    #expect(perSecond.max() == 3 && (5...7).contains(events.count), "\(events)")
  }
}
