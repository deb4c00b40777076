import Engine
import Graphs
import Hosts
import Realtime
import TestSupport
import Testing

/// What leads out is heard: every sample, before anybody sees its frame.
@Suite struct OfflineListenerTests {
  private final class Ear: FrameObserver, @unchecked Sendable {
    var samples: [[Float]] = [[], []]
    var heardAtFrames: [Int] = []
    var ends: [Int] = []

    func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
      heardAtFrames.append(samples[0].count)
      ends.append(Int(header.endSample))
    }
  }

  private func hear(cycle: Int, count: Int64 = 5000) throws -> Ear {
    let rig = HostRig()
    let ear = Ear()
    let frames = FrameThread(exchange: rig.exchange, observers: [ear])
    let plan = try rig.plan(
      """
      nodes:
        tone: { type: tone-source, level: -6 dB }
        loud: { type: tone-source, level: 0 dB, frequency: 100 }
        out: { type: jack-output }
        more: { type: jack-output }
        in: { type: jack-input }
        meter: { type: meter }
      wires: [tone -> out, loud -> more, in -> meter]
      """)
    frames.offer(plan)
    let host = OfflineHost(engine: rig.engine, frames: frames, cycle: cycle, ports: plan.ports) {
      channels, count in
      #expect(channels.count == 2)
      for (index, channel) in channels.enumerated() {
        ear.samples[index] += UnsafeBufferPointer(start: channel, count: count)
      }
    }
    host.run([], to: { count })
    rig.engine.pointee.stop()
    frames.stop()
    return ear
  }

  @Test func `every sample is heard once, whatever the cycle`() throws {
    let expected = try hear(cycle: 256)
    #expect(expected.samples.map(\.count) == [5000, 5000])
    #expect(abs((expected.samples[0].max() ?? 0) - 0.5012) < 0.001)
    #expect(abs((expected.samples[1].max() ?? 0) - 1) < 0.001)
    for cycle in [1, 127, 800, 1000, 8192] {
      let isSame = try hear(cycle: cycle).samples == expected.samples
      #expect(isSame, "\(cycle)")
    }
  }

  @Test(arguments: [1, 256, 4096])
  func `the samples of a frame are heard before it is seen, and no more`(cycle: Int) throws {
    let ear = try hear(cycle: cycle)
    #expect(ear.heardAtFrames == [800, 1600, 2400, 3200, 4000, 4800])
    #expect(ear.ends == ear.heardAtFrames)
  }
}
