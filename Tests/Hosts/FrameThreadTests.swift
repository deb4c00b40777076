import CRealtime
import Glibc
import Graphs
import Hosts
import Realtime
import Synchronization
import TestSupport
import Testing

@testable import Engine

/// The frame thread takes every record once, in order, from plan to plan.
@Suite(.waiting) struct FrameThreadTests {
  @Test func `every record is taken in order, whenever the thread runs`() throws {
    let rig = HostRig()
    try rig.offer(HostRig.tone)
    rig.process(8000)
    rig.frames.drain()
    rig.process(100)
    rig.frames.drain()
    rig.process(8000)
    rig.frames.drain()
    #expect(rig.seen.numbers == Array(1...20))
    #expect(rig.seen.frames.map(\.endSample) == Array(stride(from: Int64(800), through: 16_000, by: 800)))
    #expect(rig.frames.doneFrame == 20)
  }

  @Test func `several new plans between two runs of the thread lose no frame and stop nothing`() throws {
    let rig = HostRig()
    // Each plan runs for two frames, and the thread runs only after all of them.
    for _ in 0..<7 {
      try rig.offer(HostRig.tone)
      rig.process(1600)
    }
    rig.frames.drain()
    #expect(rig.seen.numbers == Array(1...14))
    rig.process(1600)
    rig.frames.drain()
    #expect(rig.seen.numbers == Array(1...16))
  }

  @Test func `a plan that is replaced before its first frame ends is skipped`() throws {
    let rig = HostRig()
    try rig.offer(HostRig.tone)
    rig.process(1000)
    rig.frames.drain()
    rig.engine.pointee.stop()
    try rig.offer(HostRig.tone)
    rig.process(300)
    rig.engine.pointee.stop()
    try rig.offer(HostRig.tone)
    rig.process(8000)
    rig.frames.drain()
    #expect(rig.seen.numbers == Array(1...11))
  }

  @Test
  func
    `a plan that the callback never took is freed at once, and one that it left is freed after its last record`()
    throws
  {
    let rig = HostRig()
    weak var first: CompiledPlan?
    weak var second: CompiledPlan?
    try autorelease {
      let plan = try rig.plan(HostRig.tone)
      first = plan
      rig.frames.offer(plan)
    }
    rig.process(1000)
    try autorelease {
      let plan = try rig.plan(HostRig.tone)
      second = plan
      rig.frames.offer(plan)
    }
    try rig.offer(HostRig.tone)
    rig.forget()
    #expect(first != nil)
    #expect(second == nil)
    rig.process(1000)
    #expect(first != nil)
    rig.frames.drain()
    #expect(first == nil)
    rig.frames.stop()
  }

  private func autorelease(_ body: () throws -> Void) rethrows { try body() }

  @Test func `merged frames reach the nodes as one frame, and numbering goes on`() throws {
    let rig = HostRig()
    try rig.offer(HostRig.tone)
    rig.process(48_000 * 4)
    rig.frames.drain()
    // 122 records fit into the queue; the rest is merged until the next frame.
    #expect(rig.seen.numbers == Array(1...122))
    #expect(rig.counters.pointee.mergedFrames.now() == 118)
    rig.process(800)
    rig.frames.drain()
    let last = try #require(rig.seen.frames.suffix(2).first)
    #expect(last.frame == 240 && last.frames == 118 && last.samples == 118 * 800)
    #expect(rig.seen.numbers.suffix(2) == [240, 241])
    #expect(abs(last.first + 6) < 0.01)
  }

  @Test func `frames that wait when a plan is replaced are not lost`() throws {
    let rig = HostRig()
    try rig.offer(HostRig.tone)
    rig.process(48_000 * 3)
    try rig.offer(HostRig.tone)
    rig.process(800)
    rig.frames.drain()
    #expect(rig.seen.frames.reduce(0) { $0 + Int($1.frames) } == 181)
    #expect(rig.seen.numbers == Array(1...122) + [180, 181])
  }

  @Test func `before the first cycle a stall makes no frame, and numbering begins at 1`() throws {
    let rig = HostRig()
    try rig.offer(HostRig.tone)
    rig.frames.setStalled(true)
    try rig.frames.start()
    #expect(stays(for: 0.2) { rig.frames.doneFrame == 0 && rig.seen.frames.isEmpty })
    rig.frames.setStalled(false)
    rig.process(8000)
    sem_post(rig.frames.frameSemaphore)
    #expect(poll { rig.frames.doneFrame == 10 })
    rig.engine.pointee.stop()
    rig.frames.stop()
    #expect(rig.seen.numbers == Array(1...10))
  }

  @Test func `the seconds of a frame are the sum over epochs of one rate each`() throws {
    let rig = HostRig()
    try rig.offer(HostRig.tone, rate: 96_000)
    rig.process(96_000)
    rig.frames.drain()
    try rig.offer(HostRig.tone, rate: 8_000)
    rig.process(8_000 * 2)
    rig.frames.drain()
    let ends = rig.seen.seconds
    #expect(ends.count >= 179)
    #expect(abs(ends[59] - 1) < 1e-9)
    #expect(zip(ends, ends.dropFirst()).allSatisfy { abs($1 - $0 - 1.0 / 60) < 2e-4 })
  }

  @Test func `while no callback runs frames are made by the clock, silent, and numbering goes on`() throws {
    let rig = HostRig()
    try rig.offer(HostRig.tone)
    rig.process(8000)
    try rig.frames.start()
    #expect(poll { rig.frames.doneFrame == 10 })
    let loud = try #require(rig.seen.frames.last).first
    rig.frames.setStalled(true)
    #expect(poll { rig.frames.doneFrame >= 20 })
    rig.frames.setStalled(false)
    // No frame is made any more, not even one that had begun.
    let done = rig.frames.doneFrame
    rig.engine.pointee.restart(frame: done + 1)
    rig.process(8000)
    sem_post(rig.frames.frameSemaphore)
    #expect(poll { rig.frames.doneFrame == done + 10 })
    rig.engine.pointee.stop()
    rig.frames.stop()
    #expect(rig.seen.numbers == Array(1...(done + 10)))
    let stalled = rig.seen.frames[10..<Int(done)]
    #expect(stalled.allSatisfy { $0.endSample == 8000 && $0.frames == 1 && $0.samples == 800 })
    // The level falls by 60 dB in 1.24 s, frame by frame, to the meter's floor if the test is late by 3 s.
    for (n, frame) in stalled.enumerated() {
      let expected: Float = max(-160, loud - Float(n + 1) * 60 / 1.24 / 60)
      #expect(abs(frame.first - expected) < 1e-3)
    }
    #expect(rig.seen.frames[Int(done)].endSample == 8800)
  }

  @Test func `a wait for a frame ends when the frame is done`() throws {
    // It waits for half a second at most, in which a busy machine may not run the frame thread.
    let missed = try lastOf { () throws -> Int64? in
      let rig = HostRig()
      try rig.offer(HostRig.tone)
      try rig.frames.start()
      rig.process(8000)
      sem_post(rig.frames.frameSemaphore)
      rig.frames.waitUntilDone(10)
      let done = rig.frames.doneFrame
      rig.engine.pointee.stop()
      rig.frames.stop()
      return done == 10 ? nil : done
    }
    #expect(missed == nil)
  }

  @Test func `hundreds of plans pass between three threads without a missing frame`() throws {
    let rig = HostRig()
    try rig.offer(HostRig.tone)
    try rig.frames.start()
    let audio = FastCallback(rig)
    var plans: [WeakPlan] = []
    for change in 0..<300 {
      let plan = try rig.plan(
        change % 2 == 0
          ? HostRig.tone
          : """
          nodes: { tone: { type: tone-source, channels: 2 }, gain: { type: gain }, meter: { type: meter } }
          wires: [tone -> gain -> meter]
          """)
      plans.append(WeakPlan(plan))
      rig.frames.offer(plan)
      if change % 3 == 0 { usleep(100) }
    }
    rig.forget()
    let finished = rig.frames.doneFrame
    #expect(poll { rig.frames.doneFrame > finished + 10 })
    audio.join()
    rig.engine.pointee.stop()
    rig.frames.stop()
    let frames = rig.seen.frames
    var next: Int64 = 1
    var isWhole = true
    for frame in frames {
      isWhole = isWhole && frame.frame == next + Int64(frame.frames) - 1
      next = frame.frame + 1
    }
    #expect(isWhole)
    let total = rig.engine.pointee.finished
    #expect(next == total + 1)
    #expect(poll { plans.allSatisfy { $0.plan == nil } })
  }
}

/// Whether a plan has been freed.
private struct WeakPlan {
  weak var plan: CompiledPlan?
  init(_ plan: CompiledPlan) { self.plan = plan }
}

/// Runs an engine's cycles faster than a sound card would, and wakes the frame thread.
final class FastCallback: @unchecked Sendable {
  private let rig: HostRig
  private let isStopping = Atomic<Bool>(false)
  private var thread = pthread_t()

  init(_ rig: HostRig) {
    self.rig = rig
    pthread_create(
      &thread, nil,
      { argument in
        let me = Unmanaged<FastCallback>.fromOpaque(argument!).takeUnretainedValue()
        let runner = CycleRunner(engine: me.rig.engine, frameSemaphore: me.rig.frames.frameSemaphore)
        while !me.isStopping.load(ordering: .acquiring) {
          _ = runner.run(256)
          usleep(50)
        }
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func join() {
    isStopping.store(true, ordering: .releasing)
    pthread_join(thread, nil)
  }
}
