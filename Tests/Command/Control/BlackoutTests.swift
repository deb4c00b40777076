import Engine
import Foundation
import Graphs
import Hosts
import Nodes
import OSC
import System
import Testing
import TestSupport

/// A blackout of a shipped graph, as its rig sees it.
@Suite struct BlackoutTests {
  private static let graph =
    projectFolder.appending(path: "graphs/kick-and-voice.yaml").path

  @Test func `the kick's strobe is dark in a blackout, whatever the sound, and so is the wash`() throws {
    let sent = Locked<[(time: Double, message: Message)]>([])
    let show = Show()
    let checked = Checker(.full).check(path: Self.graph)
    let plan = try show.open(
      try #require(checked.graph),
      StreamConfiguration(
        sampleRate: 48_000, isRealTime: false,
        packets: .score { time, bytes in
          let messages = (try? PacketReader().read(Array(bytes)))?.messages ?? []
          sent.withLock { sent in sent += messages.map { (time, $0) } }
        }, dimmer: show.dimmer), host: nil)
    // Four seconds of light, four of a blackout, four of a master at 0, and four of light again.
    var cycles = 0
    let host = OfflineHost(engine: show.engine, frames: show.frames, cycle: 480)
    host.run(
      plan.streams,
      to: {
        let second = cycles / 100
        cycles += 1
        show.dimmer.isBlackout = (4..<8).contains(second)
        show.dimmer.master = (8..<12).contains(second) ? 0 : 1
        return 16 * 48_000
      })
    show.close()
    func part(_ seconds: Range<Double>) -> [Message] {
      sent.withLock { $0 }.filter { seconds.contains($0.time) }.map(\.message)
    }
    func beats(_ messages: [Message]) -> Int { messages.filter { $0.arguments == [.int(1)] }.count }
    func lights(_ messages: [Message]) -> [Float] {
      messages.compactMap { if case .float(let value)? = $0.arguments.first { value } else { nil } }
    }
    for (light, name) in [(part(0..<4), "before"), (part(12.1..<16), "after")] {
      #expect(beats(light) >= 3, "\(name)")
      #expect(lights(light).contains(1) && lights(light).contains { $0 > 0.3 && $0 < 1 }, "\(name)")
    }
    // The frame in which it begins may still be that before it.
    let dark = part(4.02..<11.99)
    #expect(beats(dark) == 0)
    #expect(!lights(dark).isEmpty && lights(dark).allSatisfy { $0 == 0 })
  }
}
