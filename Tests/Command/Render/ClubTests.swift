import Engine
import Foundation
import Graphs
import Hosts
import Nodes
import Realtime
import Testing

/// When a level of an offline run jumps up to 1, in seconds: the start of its frame, which is when a film shows it.
private final class Flashes: FrameObserver, @unchecked Sendable {
  private(set) var times: [Double] = []
  private let column: String
  private var before: Float = 0

  init(_ column: String) { self.column = column }

  func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    let level = plan.frames.levels[plan.frames.columns.first { $0.name == column }!.level]
    if level > before + 0.2 { times.append(Double(header.endSample - Int64(header.samples)) / 48_000) }
    before = level
  }
}

/// The example of a club against the score of the piece that it plays.
@Suite struct ClubTests {
  /// When each kick of the piece falls, in seconds: 16 bars of 16 steps at 128 beats a minute, every second step late
  /// by 0.16 of one; as tools/compose_orchestra/score.py has them.
  private static let kicks: [Double] = {
    let (walk, sway, drive) = ("8.......8.......", "9...8...9...8...", "9...9...9...9..5")
    let bars = [
      "", "", walk, walk, sway, sway, sway, sway, drive, "9..9..9", drive, drive, drive, drive, "9", "",
    ]
    return bars.enumerated().flatMap { bar, steps in
      steps.enumerated().filter { $0.element != "." }.map { step, _ in
        (Double(16 * bar + step) + (step % 2 == 1 ? 0.16 : 0)) * 5625 / 48_000
      }
    }
  }()

  @Test func `the strobe flashes on every kick, also on soft ones, and on nothing else`() throws {
    let path = HouseTests.root.appending(path: "graphs/club.yaml").path
    let graph = try #require(Checker(.full).check(path: path).graph)
    let flashes = Flashes("strobe/1")
    let show = Show(observers: [flashes])
    let plan = try show.open(
      graph, StreamConfiguration(sampleRate: 48_000, isRealTime: false, packets: .nowhere), host: nil)
    OfflineHost(engine: show.engine, frames: show.frames, cycle: 512).run(plan.streams, to: { 30 * 48_000 })
    show.close()
    #expect(Self.kicks.count == 49)
    let found = Self.kicks.count { kick in flashes.times.contains { abs($0 - kick) <= 0.035 } }
    let wrong = flashes.times.filter { time in !Self.kicks.contains { abs($0 - time) <= 0.035 } }
    #expect(found >= 47, "95 % of 49; \(found) found at \(flashes.times)")
    #expect(wrong.isEmpty, "at most 2 %")
  }
}
