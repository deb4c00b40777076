import CRealtime
import Engine
import Graphs
import Realtime
import TestSupport
import Testing

@testable import Hosts

/// Offline runs, as fast as possible, with the same results at any cycle length.
@Suite struct OfflineHostTests {
  private func frames(cycle: Int, _ text: String = HostRig.tone) throws -> [SeenFrames.Frame] {
    let rig = HostRig()
    try rig.offer(text)
    let host = OfflineHost(engine: rig.engine, frames: rig.frames, cycle: cycle)
    host.run([], to: { 96_000 })
    let frames = rig.seen.frames
    rig.engine.pointee.stop()
    rig.frames.stop()
    return Array(frames.prefix(120))
  }

  @Test func `levels are the same at any cycle length`() throws {
    let text = """
      nodes:
        tone: { type: tone-source, tone: pink, level: 0 dB }
        gain: { type: gain }
        first: { type: meter }
        meter: { type: meter }
        level: { type: meter-table }
      wires: [tone -> gain -> meter, tone -> first -> level -> gain.level]
      """
    let expected = try frames(cycle: 256, text)
    #expect(expected.map(\.frame) == Array(1...120))
    for cycle in [1, 32, 64, 127, 1000, 4096, 8192, 100_000, 0] {
      let isSame = try frames(cycle: cycle, text) == expected
      #expect(isSame, "\(cycle)")
    }
  }

  @Test func `the processor's rounding is unchanged afterwards, and frame nodes run with it`() throws {
    let rig = HostRig()
    let watcher = DenormalWatcher()
    let frames = FrameThread(exchange: rig.exchange, observers: [watcher])
    frames.offer(try rig.plan(HostRig.tone))
    let host = OfflineHost(engine: rig.engine, frames: frames, cycle: 256)
    host.run([], to: { 8000 })
    #expect(watcher.kept == watcher.frames && watcher.frames == 10)
    #expect(DenormalWatcher.keepsDenormals())
    rig.engine.pointee.stop()
    frames.stop()
  }

  @Test func `a run ends at exactly the requested sample`() throws {
    let rig = HostRig()
    try rig.offer(HostRig.tone)
    let host = OfflineHost(engine: rig.engine, frames: rig.frames, cycle: 1000)
    host.run([], to: { 2500 })
    let sample = rig.engine.pointee.sample
    #expect(sample == 2500)
    rig.engine.pointee.stop()
    rig.frames.stop()
  }
}

/// Observes whether denormals are kept while frame nodes run.
private final class DenormalWatcher: FrameObserver, @unchecked Sendable {
  private(set) var frames = 0
  private(set) var kept = 0

  @inline(never)
  static func keepsDenormals() -> Bool {
    let tiny = UnsafeMutablePointer<Float>.allocate(capacity: 1)
    defer { tiny.deallocate() }
    tiny.pointee = .leastNormalMagnitude
    vg_scale(tiny, UnsafePointer(tiny), 0.5, 1)
    return tiny.pointee.bitPattern != 0
  }

  func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    frames += 1
    if Self.keepsDenormals() { kept += 1 }
  }
}
