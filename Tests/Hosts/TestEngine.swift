import CRealtime
import Engine
import Glibc
import Realtime
import Synchronization
import TestSupport

/// An engine with a plan made by hand: copies port 0 to port 2 and port 1 to port 3, and reports what it saw. So that
/// hosts are tested without graphs.
final class TestEngine: EngineRig, @unchecked Sendable {
  let bell = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  let copiers = UnsafeMutablePointer<Copier>.allocate(capacity: 2)
  private var plans: [UnsafeMutablePointer<Plan>] = []

  override init() {
    super.init()
    sem_init(bell, 0, 0)
    for i in 0..<2 { (copiers + i).initialize(to: Copier()) }
  }

  deinit {
    copiers.deinitialize(count: 2)
    for plan in plans {
      plan.deinitialize(count: 1)
      plan.deallocate()
    }
    sem_destroy(bell)
  }

  /// How often the bell was posted and not waited for.
  var rings: Int {
    var count: Int32 = 0
    sem_getvalue(bell, &count)
    return Int(count)
  }
  /// Records of the plan offered last that wait to be taken.
  var records: Int { plans[plans.count - 1].pointee.queue.waiting() }
  /// The oldest of them.
  var firstRecord: RecordHeader? { plans[plans.count - 1].pointee.queue.peek()?.header.pointee }
  /// Gives its place back.
  func dropRecord() { plans[plans.count - 1].pointee.queue.pop() }

  /// What copier `number` saw: samples with an input, samples without, the last sample, and bits that were in an output
  /// before it was written.
  func heard(_ number: Int) -> UInt64 { copiers[number].heard.load(ordering: .relaxed) }
  func unconnected(_ number: Int) -> UInt64 { copiers[number].unconnected.load(ordering: .relaxed) }
  func last(_ number: Int) -> Float { Float(bitPattern: copiers[number].last.load(ordering: .relaxed)) }
  func dirt(_ number: Int) -> UInt32 { copiers[number].dirt.load(ordering: .relaxed) }

  /// Makes a plan for a rate and offers it; with an ear it also notes where the transport is.
  func offer(rate: Int, fps: Int64 = 60, ear: TransportEar? = nil) {
    let memory = PlanMemory()
    let ops = memory.room(for: 3, of: vg_op.self)
    let settings = memory.room(for: 2, of: Copier.Settings.self)
    let io = memory.room(for: 1, of: vg_io.self)
    let numbers = memory.room(for: 1, of: UInt32.self)
    io.pointee = vg_io(
      inputs: numbers, outputs: numbers, inputCount: 0, outputCount: 0, firstValue: 0, firstSource: 0)
    let buffers = memory.room(for: 1, of: UnsafeMutablePointer<Float>.self)
    buffers[0] = memory.room(for: 16, of: Float.self)
    for i in 0..<2 {
      settings[i] = .init(from: i, to: i + 2)
      ops[i] = vg_op(
        process: Copier.processing, finish: nil, state: copiers + i, io: io, settings: settings + i)
    }
    if let ear {
      ops[2] = vg_op(
        process: TransportEar.Block.processing, finish: nil, state: ear.block, io: io, settings: settings)
    }
    let plan = UnsafeMutablePointer<Plan>.allocate(capacity: 1)
    plan.initialize(
      to: Plan(
        ops: ops, opCount: ear == nil ? 2 : 3, finishers: memory.room(for: 1, of: UnsafePointer<vg_op>.self),
        finisherCount: 0, buffers: buffers,
        ownBuffers: buffers, values: 0,
        sources: 0,
        rate: Int64(rate), frames: fps, seconds: 1, memory: memory))
    plans.append(plan)
    offer(plan)
  }
}

/// Copies one port of the host to another, and counts.
struct Copier: ~Copyable, Block {
  struct Settings: BitwiseCopyable {
    var from: Int
    var to: Int
  }
  /// Samples for which nothing was connected to the input.
  let unconnected = Atomic<UInt64>(0)
  /// Samples that had an input.
  let heard = Atomic<UInt64>(0)
  /// The bits of the last input sample.
  let last = Atomic<UInt32>(0)
  /// The bits of what an output held before it was written, or'ed.
  let dirt = Atomic<UInt32>(0)

  static var processing: vg_process { { runBlock(Self.self, $0, $1) } }

  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    let count = cycle.count
    let output = cycle.port(UInt32(settings.pointee.to))
    if let output { for i in 0..<count { _ = dirt.bitwiseOr(output[i].bitPattern, ordering: .relaxed) } }
    guard let input = cycle.port(UInt32(settings.pointee.from)) else {
      unconnected.add(UInt64(count), ordering: .relaxed)
      return
    }
    heard.add(UInt64(count), ordering: .relaxed)
    last.store(input[count - 1].bitPattern, ordering: .relaxed)
    if let output { for i in 0..<count { output[i] = input[i] } }
  }
}
