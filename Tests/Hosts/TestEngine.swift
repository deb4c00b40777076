import CRealtime
import Engine
import Glibc
import Realtime
import Synchronization
import TestSupport

/// An engine with a plan made by hand, so that hosts are tested without graphs: copies port 0 to port 2 and port 1 to
/// port 3, and counts samples.
final class TestEngine: EngineRig, @unchecked Sendable {
  let wakeSemaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  let copiers = UnsafeMutablePointer<Copier>.allocate(capacity: 2)
  private var plans: [UnsafeMutablePointer<Plan>] = []

  override init() {
    super.init()
    sem_init(wakeSemaphore, 0, 0)
    for i in 0..<2 { (copiers + i).initialize(to: Copier()) }
  }

  deinit {
    copiers.deinitialize(count: 2)
    for plan in plans {
      plan.deinitialize(count: 1)
      plan.deallocate()
    }
    sem_destroy(wakeSemaphore)
  }

  /// Wake-ups that were posted and not waited for.
  var wakeUps: Int {
    var count: Int32 = 0
    sem_getvalue(wakeSemaphore, &count)
    return Int(count)
  }
  /// Records of the newest plan that wait to be taken.
  var records: Int { plans[plans.count - 1].pointee.queue.waiting() }
  /// The oldest record.
  var firstRecord: RecordHeader? { plans[plans.count - 1].pointee.queue.peek()?.header.pointee }
  /// Removes the oldest record from the queue.
  func dropRecord() { plans[plans.count - 1].pointee.queue.pop() }

  /// Counts of copier `number`: samples with a connected input, samples without, the last sample, and bits that an
  /// output held before it was written.
  func connected(_ number: Int) -> UInt64 { copiers[number].connected.load(ordering: .relaxed) }
  func unconnected(_ number: Int) -> UInt64 { copiers[number].unconnected.load(ordering: .relaxed) }
  func last(_ number: Int) -> Float { Float(bitPattern: copiers[number].last.load(ordering: .relaxed)) }
  func dirt(_ number: Int) -> UInt32 { copiers[number].dirt.load(ordering: .relaxed) }

  /// Makes a plan for a rate and offers it; with a recorder, the plan also records the transport.
  func offer(rate: Int, fps: Int64 = 60, recorder: TransportRecorder? = nil) {
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
    if let recorder {
      ops[2] = vg_op(
        process: TransportRecorder.Block.processing, finish: nil, state: recorder.block, io: io,
        settings: settings)
    }
    let plan = UnsafeMutablePointer<Plan>.allocate(capacity: 1)
    plan.initialize(
      to: Plan(
        ops: ops, opCount: recorder == nil ? 2 : 3,
        finishers: memory.room(for: 1, of: UnsafePointer<vg_op>.self),
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
  /// Samples for which the input was connected.
  let connected = Atomic<UInt64>(0)
  /// The bits of the last input sample.
  let last = Atomic<UInt32>(0)
  /// The bits that outputs held before they were written, combined by OR.
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
    connected.add(UInt64(count), ordering: .relaxed)
    last.store(input[count - 1].bitPattern, ordering: .relaxed)
    if let output { for i in 0..<count { output[i] = input[i] } }
  }
}
