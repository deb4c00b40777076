import CRealtime
import Engine
import TestSupport
import Testing

@testable import Realtime

/// How the engine cuts cycles, makes records, replaces plans and begins epochs.
@Suite struct EngineTests {
  /// The records of a signal of `total` samples, in cycles of lengths that `next` gives.
  private func records(total: Int, rate: Int64 = 44_100, _ next: () -> Int) -> [HandPlan.Taken] {
    let rig = EngineRig()
    let plan = HandPlan(rate: rate)
    let signal = UnsafeMutablePointer<Float>.allocate(capacity: total)
    defer { signal.deallocate() }
    vg_white(signal, 0, 4, 0.8, total)
    rig.offer(plan)
    var position = 0
    var taken: [HandPlan.Taken] = []
    while position < total {
      let count = min(total - position, next())
      rig.ports[0] = signal + position
      rig.process(count)
      position += count
      taken += plan.records()
    }
    #expect(plan.mistakes == 0)
    #expect(rig.sample == total)
    #expect(rig.samples == UInt64(total))
    return taken
  }

  @Test func `records are the same at any cycle length`() {
    let total = 44_100 * 3 + 300
    let expected = records(total: total) { 256 }
    #expect(expected.count == 180)
    #expect(expected.map(\.frame) == Array(1...180))
    #expect(expected.map(\.endSample) == Array(stride(from: Int64(735), through: 180 * 735, by: 735)))
    #expect(expected.allSatisfy { $0.samples == 735 && $0.frames == 1 && $0.source == 1 && $0.square > 0 })
    for cycle in [1, 32, 64, 127, 735, 1000, 4096, 8192, 20_000] {
      let isSame = records(total: total) { cycle } == expected
      #expect(isSame, "\(cycle)")
    }
    var dice = Dice(1)
    for _ in 0..<5 {
      let isSame = records(total: total) { dice.cycle() } == expected
      #expect(isSame)
    }
  }

  @Test func `a cycle longer than any buffer is cut into segments`() {
    let rig = EngineRig()
    let plan = HandPlan(frames: 1)
    rig.offer(plan)
    rig.process(40_000)
    #expect(plan.segments == (40_000 + Cycle.longestSegment - 1) / Cycle.longestSegment)
  }

  @Test func `without a plan a cycle does nothing, and the timeline stands still`() {
    let rig = EngineRig()
    rig.process(1000)
    #expect(!rig.isRunning)
    #expect(rig.sample == 0)
    let plan = HandPlan()
    rig.offer(plan)
    rig.process(800)
    #expect(plan.records().map(\.frame) == [1])
  }

  @Test func `a full queue merges frames, and no peak and no square is lost`() throws {
    let rig = EngineRig()
    let plan = HandPlan()
    rig.offer(plan)
    let capacity = 2 * 60 + 2
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 800)
    defer { samples.deallocate() }
    rig.ports[0] = samples
    func run(_ frames: ClosedRange<Int>) {
      for frame in frames {
        samples.initialize(repeating: 0, count: 800)
        samples[frame % 800] = Float(frame == 150 ? 0.75 : 0.5)
        rig.process(800)
      }
    }
    run(1...200)
    #expect(rig.mergedFrames == UInt64(200 - capacity))
    #expect(plan.waiting == capacity)
    #expect(plan.last?.frames == UInt32(200 - capacity))
    // One place becomes free. The pending record moves there with the next frame, which waits in turn.
    let first = try #require(plan.record())
    run(201...201)
    let later = plan.records()
    let all = [first] + later
    let numbers: [Int64] = Array(1...Int64(capacity)) + [200]
    #expect(all.map(\.frame) == numbers)
    let frameCount = all.map(\.frames).reduce(0, +)
    #expect(frameCount == 200)
    let sampleCount = all.map(\.samples).reduce(0, +)
    #expect(sampleCount == 160_000)
    let square = all.map(\.square).reduce(0, +)
    #expect(square == 50.3125)
    #expect(later.last?.peak == 0.75)
    #expect(later.last?.endSample == 160_000)
    run(202...203)
    #expect(plan.records().map(\.frame) == [201, 202, 203])
  }

  @Test func `a plan is replaced only at the end of a frame, without a gap`() {
    let rig = EngineRig()
    let plans = [HandPlan(mark: 1), HandPlan(mark: 2), HandPlan(mark: 4)]
    let total = 800 * 6
    let out = UnsafeMutablePointer<Float>.allocate(capacity: total)
    defer { out.deallocate() }
    out.initialize(repeating: -1, count: total)
    rig.offer(plans[0])
    var position = 0
    for cycle in 0..<(total / 100) {
      if cycle == 11 { rig.offer(plans[1]) }  // within frame 2
      if cycle == 32 { rig.offer(plans[2]) }  // at the end of frame 4
      rig.ports[1] = out + position
      rig.process(100)
      position += 100
    }
    for i in 0..<total {
      let mark: Float = i < 1600 ? 1 : i < 3200 ? 2 : 4
      guard out[i] == mark * Float(i) else {
        Issue.record("sample \(i) is \(out[i])")
        return
      }
    }
    #expect(plans.map { $0.records().map(\.frame) } == [[1, 2], [3, 4], [5, 6]])
    #expect(rig.collect() == [plans[1].pointer, plans[0].pointer])
    #expect(rig.collect().isEmpty)
  }

  @Test func `an offer that was not taken is returned`() {
    let rig = EngineRig()
    let plans = (0..<3).map { _ in HandPlan() }
    #expect(rig.offer(plans[0]) == nil)
    #expect(rig.offer(plans[1]) == plans[0].pointer)
    rig.process(10)
    #expect(rig.offer(plans[2]) == nil)
    #expect(rig.withdraw() == plans[2].pointer)
    #expect(rig.withdraw() == nil)
    rig.process(2000)
    #expect(rig.collect().isEmpty)
    rig.engine.pointee.stop()
    #expect(rig.collect() == [plans[1].pointer])
  }

  @Test func `another sample rate or frame rate begins an epoch, and frame numbers go on`() {
    let rig = EngineRig()
    let plans = [
      HandPlan(rate: 48_000, frames: 60), HandPlan(rate: 48_000, frames: 24),
      HandPlan(rate: 96_000, frames: 24),
      HandPlan(rate: 96_000, frames: 24),
    ]
    for plan in plans {
      rig.offer(plan)
      rig.process(8000)
    }
    // The last offer came in a frame of the third plan and was taken at its end.
    rig.process(8000)
    let records = plans.map { $0.records() }
    #expect(records[0].map(\.frame) == Array(1...10))
    #expect(records[1].map(\.frame) == Array(11...14))
    #expect(records[1].map(\.endSample) == [10_000, 12_000, 14_000, 16_000])
    #expect(records[2].map(\.endSample) == [20_000, 24_000])
    #expect(records[3].map(\.endSample) == [28_000, 32_000, 36_000, 40_000])
    #expect(records[3].map(\.frame) == [17, 18, 19, 20])
  }

  @Test func `after the loss of a server the unfinished frame is dropped, and numbering goes on`() {
    let rig = EngineRig()
    let plan = HandPlan()
    rig.offer(plan)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 4096)
    defer { samples.deallocate() }
    samples.initialize(repeating: 0.5, count: 4096)
    rig.ports[0] = samples
    rig.process(2000)  // two and a half frames
    #expect(plan.records().map(\.endSample) == [800, 1600])
    samples.initialize(repeating: 0.25, count: 4096)
    rig.engine.pointee.restart(frame: 40)
    rig.process(800)
    let records = plan.records()
    #expect(records.map(\.frame) == [40])
    #expect(records[0].endSample == 2800)
    #expect(records[0].square == 800 * 0.0625)
    #expect(records[0].peak == 0.25)
  }
}
