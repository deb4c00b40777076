import Engine
import Graphs
import Hosts
import Realtime
import TestSupport
import Testing

/// The samples of outputs reach the listener of an offline host before the observers get their frame.
@Suite struct OfflineListenerTests {
  private final class SampleCounter: FrameObserver, @unchecked Sendable {
    var samples: [[Float]] = [[], []]
    var countsAtFrames: [Int] = []
    var ends: [Int] = []

    func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
      countsAtFrames.append(samples[0].count)
      ends.append(Int(header.endSample))
    }
  }

  private func record(cycle: Int, count: Int64 = 5000) throws -> SampleCounter {
    let rig = HostRig()
    let counter = SampleCounter()
    let frames = FrameThread(exchange: rig.exchange, observers: [counter])
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
        counter.samples[index] += UnsafeBufferPointer(start: channel, count: count)
      }
    }
    host.run([], to: { count })
    rig.engine.pointee.stop()
    frames.stop()
    return counter
  }

  @Test func `every sample reaches the listener once, at any cycle length`() throws {
    let expected = try record(cycle: 256)
    #expect(expected.samples.map(\.count) == [5000, 5000])
    #expect(abs((expected.samples[0].max() ?? 0) - 0.5012) < 0.001)
    #expect(abs((expected.samples[1].max() ?? 0) - 1) < 0.001)
    for cycle in [1, 127, 800, 1000, 8192] {
      let isSame = try record(cycle: cycle).samples == expected.samples
      #expect(isSame, "\(cycle)")
    }
  }

  @Test(arguments: [1, 256, 4096])
  func `the samples of a frame, and no more, have arrived before the frame is observed`(cycle: Int) throws {
    let counter = try record(cycle: cycle)
    #expect(counter.countsAtFrames == [800, 1600, 2400, 3200, 4000, 4800])
    #expect(counter.ends == counter.countsAtFrames)
  }
}
