import Engine
import Foundation
import Graphs
import Hosts
import Nodes
import Particles
import Realtime
import Testing

/// What is seen of the particles of an offline run, frame by frame.
private final class Eye: FrameObserver, @unchecked Sendable {
  struct Seen {
    let driven: Float
    let fingerprint: UInt64
    let sprites: [Sprite]
    let live: Int
  }
  private(set) var frames: [Seen] = []

  func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    let column = plan.frames.columns.first { $0.name == "visualizer/1" }!
    frames.append(
      plan.emitters[0].withSystems { systems in
        var sprites: [Sprite] = []
        systems[0].appendSprites(to: &sprites)
        return Seen(
          driven: plan.frames.levels[column.level], fingerprint: systems[0].fingerprint, sprites: sprites,
          live: systems[0].live)
      })
  }

  /// Runs a graph of the project for some seconds.
  static func look(at graph: String, cycle: Int, seconds: Int) throws -> [Seen] {
    let path = HouseTests.root.appending(path: "graphs/\(graph)").path
    let graph = try #require(Checker(.full).check(path: path).graph)
    let eye = Eye()
    let show = Show(observers: [eye])
    let plan = try show.open(
      graph, StreamConfiguration(sampleRate: 48_000, isRealTime: false, packets: .nowhere), host: nil)
    let host = OfflineHost(engine: show.engine, frames: show.frames, cycle: cycle)
    host.run(plan.streams, to: { Int64(seconds * 48_000) })
    show.close()
    return eye.frames
  }
}

/// The tutorial's visualizer does what the text of its cell says.
@Suite struct TutorialTests {
  @Test func `the invisible particles live about a second, and each glows by one child a frame`() throws {
    let frames = try Eye.look(at: "tutorial.yaml", cycle: 1000, seconds: 5)
    #expect(frames.count == 300)
    // 80 births a second that live 0.75 to 1.25 s: none dies before frame 45, and then about 80 live.
    #expect(frames[44].live - frames[44].sprites.count == 60)
    for frame in frames.dropFirst(75) {
      let parents = frame.live - frame.sprites.count
      #expect((72...88).contains(parents), "\(parents)")
      // A child a frame for every particle, but for those that were born or died within the frame.
      #expect(abs(frame.sprites.count - parents) <= 4, "\(frame.sprites.count) of \(parents)")
      #expect(frame.sprites.allSatisfy { $0.age >= 0 && $0.age < 1.0 / 60 })
    }
  }

  @Test func `all particles on the screen pulse with the music at once`() throws {
    let frames = try Eye.look(at: "tutorial.yaml", cycle: 256, seconds: 4)
    for frame in frames { #expect(frame.sprites.allSatisfy { $0.scale == frame.driven }) }
    let scales = Set(frames.compactMap { $0.sprites.first?.scale })
    #expect(scales.count > 60 && scales.max()! > 1.5 * scales.min()!)
  }

  @Test(arguments: [32, 127, 1000, 4096])
  func `the particles are the golden ones, to the bit, at any cycle length`(cycle: Int) throws {
    let frames = try Eye.look(at: "tutorial.yaml", cycle: cycle, seconds: 3)
    #expect(
      [1, 60, 120, 180].map { frames[$0 - 1].fingerprint } == [
        3_141_764_081_253_711_838, 2_474_842_196_248_856_853, 1_949_991_152_133_260_589,
        681_891_575_124_795_041,
      ])
  }
}
