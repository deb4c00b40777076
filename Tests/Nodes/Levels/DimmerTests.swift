import CRealtime
import Engine
import Glibc
import Graphs
import OSC
import Realtime
import System
import TestSupport
import Testing

@testable import Nodes

/// The master and the blackout, as sent to lights.
@Suite struct DimmerTests {
  /// Frames of a varying level and what is sent of them. dBFS -60…0 is sent as 0…1.
  private final class Rig {
    let dimmer = Dimmer()
    private let plan: CompiledPlan
    private let memory: UnsafeMutableRawPointer
    private let record: Record
    private var frame: Int64 = 0

    init(_ rig: String, wire: String = "level -> rig", nodes: String = "") throws {
      let graph = try GraphRig.graph(
        """
        nodes:
          in: { type: jack-input, channels: 1 }
          meter: { type: meter, reference: rms, release: 0 s }
          level: { type: range, from: [-60, 0], to: [0, 1] }
          rig: { type: osc-output, to: "127.0.0.1:9", \(rig) }
          \(nodes)
        wires: [in -> meter -> level, \(wire)]
        """)
      let box = SentBox()
      plan = try PlanCompiler(
        graph,
        StreamConfiguration(
          sampleRate: 48_000, isRealTime: false, packets: .score { _, bytes in box.add(Array(bytes)) },
          dimmer: dimmer), ports: PortNumbers()
      ).compile()
      self.box = box
      let values = plan.plan.pointee.queue.values
      let size = Record.size(values: values, sources: plan.plan.pointee.queue.sources)
      memory = .allocate(byteCount: size, alignment: 64)
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      record = Record(memory, values: values)
    }
    private let box: SentBox

    deinit { memory.deallocate() }

    /// Runs a frame with a level in dBFS. Returns the floats sent for it.
    func run(_ level: Double, waiting: Int = 0, isFreewheeling: Bool = false) -> [Float] {
      frame += 1
      record.header.pointee.frame = frame
      record.header.pointee.endSample = frame * 800
      record.header.pointee.samples = 800
      record.header.pointee.frames = 1
      for index in 0..<plan.plan.pointee.queue.values {
        record.sums[index] = 800 * pow(10, level / 10)
        record.peaks[index] = Float(pow(10, level / 20))
      }
      for index in 0..<plan.plan.pointee.queue.sources { record.sources[index] = 1 }
      plan.frames.run(record, waiting: waiting, isFreewheeling: isFreewheeling)
      return box.take()
    }

    /// Changes a setting, as a step of a fade does. False if the change needs a new plan.
    func set(_ path: String, to value: String) throws -> Bool {
      guard let (graph, node) = plan.graph.setting(Override(target: path, value: value)) else { return false }
      return plan.set([node], as: graph) == [node]
    }

    /// Runs a frame without a callback. Returns the floats sent for it.
    func stall() -> [Float] {
      frame += 1
      plan.frames.runStalled(
        frame: frame, at: record.header.pointee.endSample, time: 0, samples: record.header.pointee.samples)
      return box.take()
    }

    /// Ends the graph. Returns the floats sent for that.
    func end() -> [Float] {
      plan.frames.end(at: 0)
      return box.take()
    }

    /// The number of events sent since the last call.
    func takeEvents() -> Int { box.takeEvents() }
  }

  @Test func `the master scales levels, and lowers levels in dBFS`() throws {
    let rig = try Rig("rate: 0")
    #expect(rig.run(-30) == [0.5])
    rig.dimmer.master = 0.5
    #expect(rig.run(-30) == [0.25])
    rig.dimmer.master = 0
    #expect(rig.run(0) == [0])
    rig.dimmer.master = 2
    #expect(rig.run(0) == [1])
    rig.dimmer.master = .nan
    #expect(rig.dimmer.master == 1)
    let raw = try Rig("rate: 0", wire: "meter -> rig")
    raw.dimmer.master = 0.1
    #expect(raw.run(-30) == [-50])
    #expect(raw.run(-150) == [-160])
    raw.dimmer.master = 0
    #expect(raw.run(-12) == [])
    raw.dimmer.master = 1
    #expect(raw.run(-12) == [-12])
    raw.dimmer.isBlackout = true
    #expect(raw.run(-12) == [-160])
    #expect(raw.run(-6) == [])
    raw.dimmer.isBlackout = false
    #expect(raw.run(-6) == [-6])
    #expect(raw.end() == [-160])
  }

  @Test func `the master fades from frame to frame, exactly, and a new fade starts at its present value`()
    throws
  {
    let rig = try Rig("rate: 0")
    #expect(rig.run(0) == [1])
    rig.dimmer.move(to: 0, seconds: 1)
    for frame in 1...30 {
      let sent = rig.run(0)
      #expect(sent.count == 1 && abs(sent[0] - (1 - Float(frame) / 60)) < 1e-6)
    }
    let way = try #require(rig.dimmer.way)
    #expect(way.goal == 0 && abs(way.left - 0.5) < 1e-9)
    rig.dimmer.move(to: 1, seconds: 0.5)
    for frame in 1...29 { #expect(abs((rig.run(0).first ?? -1) - (0.5 + Float(frame) / 60)) < 1e-6) }
    #expect(rig.run(0) == [1])
    #expect(rig.dimmer.way == nil)
    rig.dimmer.move(to: 0, seconds: 60)
    _ = rig.run(0)
    // A master set without a time ends the fade.
    rig.dimmer.master = 0.25
    #expect(rig.run(0) == [0.25] && rig.run(0) == [] && rig.dimmer.way == nil)
    rig.dimmer.move(to: .nan, seconds: 1)
    #expect(rig.dimmer.master == 0.25 && rig.dimmer.way == nil)
  }

  @Test func `a blackout is sent in the next frame, past rate and change, and holds until it is released`()
    throws
  {
    let rig = try Rig("rate: 1, change: 0.9, repeat: 0")
    #expect(rig.run(0) == [1])
    // A value held back by the rate: no packet for a second.
    #expect(rig.run(-30) == [])
    rig.dimmer.isBlackout = true
    #expect(rig.run(0) == [0])
    for _ in 0..<200 { #expect(rig.run(0).allSatisfy { $0 == 0 }) }
    rig.dimmer.isBlackout = false
    #expect(rig.run(0) == [1])
  }

  @Test func `a blackout is repeated like any level`() throws {
    let rig = try Rig("rate: 0, repeat: 0.1 s")
    rig.dimmer.isBlackout = true
    var sent: [Float] = []
    for _ in 0..<60 { sent += rig.run(0) }
    #expect((9...11).contains(sent.count) && sent.allSatisfy { $0 == 0 }, "\(sent)")
  }

  @Test func `a blackout is sent in late frames and while the host freewheels`() throws {
    let late = try Rig("rate: 0")
    #expect(late.run(0) == [1])
    late.dimmer.isBlackout = true
    #expect(late.run(0, waiting: 3) == [0])
    #expect(late.run(0) == [])
    let wheel = try Rig("rate: 0")
    #expect(wheel.run(0) == [1])
    wheel.dimmer.isBlackout = true
    #expect(wheel.run(0, isFreewheeling: true) == [0])
    #expect(wheel.run(0, isFreewheeling: true) == [])
  }

  @Test func `an output whose master fades goes on falling when no callback runs any more`() throws {
    let rig = try Rig("repeat: 0.1 s")
    #expect(rig.run(0) == [1])
    var sent: [[Float]] = []
    for step in 1...13 {
      #expect(try rig.set("rig.master", to: "\(1 - Double(step) / 100)"))
      sent.append(rig.stall())
    }
    // 0 in the next frame, and a repeat after a tenth of a second, six frames.
    #expect(sent.enumerated().filter { !$0.element.isEmpty }.map(\.offset) == [0, 6, 12])
    #expect(sent.joined().allSatisfy { $0 == 0 })
  }

  @Test func `a blackout is sent once while the master of the output fades`() throws {
    let rig = try Rig("rate: 10, repeat: 0")
    #expect(rig.run(0) == [1])
    rig.dimmer.isBlackout = true
    #expect(rig.run(0) == [0])
    for step in 1...20 {
      #expect(try rig.set("rig.master", to: "\(1 - Double(step) / 100)"))
      #expect(rig.run(0) == [])
    }
  }

  @Test func `a changed setting loses no peak of a late frame`() throws {
    let rig = try Rig("rate: 0")
    #expect(rig.run(-30) == [0.5])
    #expect(rig.run(0, waiting: 1) == [])
    #expect(try rig.set("rig.change", to: "0.001"))
    #expect(rig.run(-30) == [1, 0.5])
    #expect(rig.run(-30) == [])
  }

  @Test func `events during a blackout are not sent, not even later`() throws {
    let rig = try Rig(
      "rate: 0", wire: "meter.peak -> hit, level -> rig, hit.events -> rig.events",
      nodes: "hit: { type: trigger, above: -10, below: -20, gap: 0, pulse: 0 }")
    func events(_ level: Double) -> Int {
      _ = rig.run(level)
      return rig.takeEvents()
    }
    #expect([events(-30), events(0), events(-30)] == [0, 1, 0])
    rig.dimmer.isBlackout = true
    #expect([events(0), events(-30), events(0), events(-30)] == [0, 0, 0, 0])
    rig.dimmer.isBlackout = false
    #expect([events(-30), events(0), events(-30)] == [0, 1, 0])
    rig.dimmer.master = 0
    #expect([events(0), events(-30)] == [0, 0])
    rig.dimmer.master = 0.01
    #expect([events(0), events(-30)] == [1, 0])
  }

  @Test func `while nothing plays a driven number goes to its idle value, and a count to 0`() throws {
    let sparks = """
      sparks:
          type: emitter
          cells: { drop: { birthRate: 600, lifetime: 60 } }
          drive: [{ key: scale, to: [1, 5], idle: 0.5 }]
      """
    let rig = try Rig("rate: 0", wire: "level -> sparks, sparks -> rig, sparks.live -> rig", nodes: sparks)
    #expect(rig.run(0).first == 5)
    #expect(rig.run(-30).first == 3)
    rig.dimmer.master = 0.5
    #expect(rig.run(0).first == 2.75)
    rig.dimmer.isBlackout = true
    let dark = rig.run(0)
    #expect(dark.first == 0.5 && dark.last == 0 && dark.count == 2)
    #expect(rig.run(-30) == [])
    rig.dimmer.isBlackout = false
    rig.dimmer.master = 1
    #expect(rig.run(-30).first == 3)
    #expect(rig.end().first == 0.5)
  }

  private final class SentBox: Sendable {
    private let floats = Locked<[Float]>([])
    private let events = Locked(0)
    func add(_ bytes: [UInt8]) {
      let messages = (try? PacketReader().read(bytes))?.messages ?? []
      events.withLock { $0 += messages.filter { $0.arguments == [.int(1)] }.count }
      floats.withLock { floats in
        for case .float(let value) in messages.flatMap(\.arguments) { floats.append(value) }
      }
    }
    func takeEvents() -> Int {
      events.withLock { events in
        defer { events = 0 }
        return events
      }
    }
    func take() -> [Float] {
      floats.withLock { floats in
        defer { floats = [] }
        return floats
      }
    }
  }
}
