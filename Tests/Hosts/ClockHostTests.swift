import CRealtime
import Engine
import Glibc
import Graphs
import Realtime
import TestSupport
import Testing

@testable import Hosts

/// The host that runs cycles by a timer where there is no sound server.
@Suite(.waiting) struct ClockHostTests {
  @Test func `cycles run at the rate, no sample is lost, and each frame makes one wake-up`() throws {
    // A busy machine may keep the frame thread for so long that its queue gets full, and frames are merged.
    let merged = try lastOf { () throws -> UInt64? in
      let rig = HostRig()
      try rig.offer(HostRig.tone)
      try rig.frames.start()
      let host = ClockHost(rate: 48_000, period: 256, engine: rig.engine, frames: rig.frames)
      let begin = now()
      try host.start()
      #expect(poll { rig.frames.doneFrame >= 30 })
      let seconds = now() - begin
      host.stop()
      // Half a second of frames cannot be done sooner; on a busy machine it may take longer.
      #expect(seconds >= 30.0 / 60 - 0.02)
      let sample = rig.engine.pointee.sample
      #expect(sample % 256 == 0)
      #expect(stays(for: 0.05) { rig.engine.pointee.sample == sample })
      #expect(poll { rig.frames.doneFrame == sample / 800 || rig.mergedFrames > 0 })
      // The host may start again; the timeline goes on.
      try host.start()
      #expect(poll { rig.frames.doneFrame >= sample / 800 + 5 })
      host.stop()
      rig.engine.pointee.stop()
      rig.frames.stop()
      #expect(rig.seen.frames.map(\.endSample) == rig.seen.numbers.map { $0 * 800 })
      guard rig.mergedFrames == 0 else { return rig.mergedFrames }
      #expect(rig.seen.numbers == Array(1...Int64(rig.seen.frames.count)))
      return nil
    }
    #expect(merged == nil)
  }

  @Test func `the times of cycles are computed from the start, so they do not drift`() {
    var timer = CycleTimer(rate: 44_100)
    timer.begin(at: 1_000_000_007)
    var samples = 0
    for _ in 0..<100_000 {
      let due = timer.due(after: 441)
      samples += 441
      #expect(due == 1_000_000_007 + UInt64(samples) * 1_000_000_000 / 44_100)
      timer.passed(441, now: due)
    }
  }

  @Test func `a host delayed by less than a tenth of a second catches up`() {
    var timer = CycleTimer(rate: 48_000)
    timer.begin(at: 0)
    timer.passed(480, now: 10_000_000 + 99_000_000)
    #expect(timer.due(after: 480) == 20_000_000)
  }

  @Test func `a host delayed for longer starts its schedule anew and skips no cycle`() {
    var timer = CycleTimer(rate: 48_000)
    timer.begin(at: 0)
    timer.passed(480, now: 10_000_000 + 100_000_001)
    #expect(timer.due(after: 480) == 110_000_001 + 10_000_000)
  }
}

/// The cycle runner, which every host calls.
@Suite struct CycleRunnerTests {
  @Test func `a cycle that finishes frames makes one wake-up, and other cycles none`() throws {
    let rig = HostRig()
    try rig.offer(HostRig.tone)
    let runner = CycleRunner(engine: rig.engine, frameSemaphore: rig.frames.frameSemaphore)
    let hasFinishedFrame = [799, 1, 3000, 100].map { runner.run($0) }
    #expect(hasFinishedFrame == [false, true, true, false])
    var wakeUps: Int32 = 0
    sem_getvalue(rig.frames.frameSemaphore, &wakeUps)
    #expect(wakeUps == 2)
    rig.engine.pointee.stop()
    rig.frames.stop()
  }

  @Test func `denormals are flushed during a cycle and kept after it`() throws {
    let rig = HostRig()
    let runner = CycleRunner(engine: rig.engine, frameSemaphore: rig.frames.frameSemaphore)
    let before = vg_flush_denormals()
    vg_restore_denormals(before)
    _ = runner.run(256)
    let after = vg_flush_denormals()
    vg_restore_denormals(after)
    #expect(before == after)
  }
}
