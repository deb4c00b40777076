import Synchronization

/// The records of a plan on their way to the frame thread: one writer, one reader, neither waits. When the queue is
/// full, frames merge into a pending record, so no peak is lost.
public struct RecordQueue: ~Copyable {
  /// The number of sums, and of peaks, in a record.
  public let values: Int
  /// The number of flags in a record, each of which says whether one source of sound was heard.
  public let sources: Int
  let capacity: Int
  /// Bytes of a record.
  let size: Int
  /// The slots of the queue, `capacity` records.
  let memory: UnsafeMutableRawPointer
  /// The record into which frames merge while the queue is full.
  let pending: UnsafeMutableRawPointer
  /// The record of the present frame while the queue is full.
  let scratch: UnsafeMutableRawPointer
  /// The number of records written to slots.
  let written = Atomic<Int>(0)
  /// The number of records read from slots.
  let read = Atomic<Int>(0)
  let isPending = Atomic<Bool>(false)

  /// Makes a queue for `capacity` records. [control]
  public init(values: Int, sources: Int, capacity: Int) {
    self.values = values
    self.sources = sources
    self.capacity = max(2, capacity)
    size = Record.size(values: values, sources: sources)
    memory = .allocate(byteCount: size * self.capacity, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size * self.capacity)
    pending = .allocate(byteCount: size, alignment: 64)
    pending.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    scratch = .allocate(byteCount: size, alignment: 64)
    scratch.initializeMemory(as: UInt8.self, repeating: 0, count: size)
  }

  deinit {
    memory.deallocate()
    pending.deallocate()
    scratch.deallocate()
  }

  /// How many records wait, without the pending one. [any]
  public borrowing func waiting() -> Int {
    // In this order: what has been read was written before, so the result is not negative on any thread.
    let alreadyRead = read.load(ordering: .acquiring)
    return written.load(ordering: .acquiring) - alreadyRead
  }

  // MARK: - [audio]

  /// The record to fill for the frame that has ended: the next free slot, or the scratch record where there is none.
  /// [audio]
  @_noLocks
  public borrowing func next() -> Record {
    flush()
    let position = written.load(ordering: .relaxed)
    let full = isPending.load(ordering: .relaxed) || position &- read.load(ordering: .acquiring) >= capacity
    return Record(full ? scratch : slot(position), values: values)
  }

  /// Publishes the record that `next` returned. Returns true where the queue was full, so that the frame waits in the
  /// pending record, alone or merged with others. [audio]
  @_noLocks
  public borrowing func publish(_ record: Record) -> Bool {
    guard UnsafeMutableRawPointer(record.header) == scratch else {
      written.store(written.load(ordering: .relaxed) &+ 1, ordering: .releasing)
      return false
    }
    let held = Record(pending, values: values)
    if isPending.load(ordering: .relaxed) {
      held.merge(record, values: values, sources: sources)
    } else {
      pending.copyMemory(from: scratch, byteCount: size)
      isPending.store(true, ordering: .releasing)
    }
    return true
  }

  /// Moves the pending record into the queue once a slot is free, at the end of the next frame. [audio]
  @_noLocks
  private borrowing func flush() {
    guard isPending.load(ordering: .relaxed) else { return }
    let position = written.load(ordering: .relaxed)
    guard position &- read.load(ordering: .acquiring) < capacity else { return }
    slot(position).copyMemory(from: pending, byteCount: size)
    isPending.store(false, ordering: .releasing)
    written.store(position &+ 1, ordering: .releasing)
  }

  /// The scratch record, into which values may be written that are dropped. Only while no callback runs. [any]
  borrowing func scratchRecord() -> Record { Record(scratch, values: values) }

  /// The memory of the slot for a position, which counts all records since the start.
  @_noLocks
  borrowing func slot(_ position: Int) -> UnsafeMutableRawPointer { memory + (position % capacity) &* size }

  // MARK: - [frame]

  /// The oldest record, valid until `pop`. [frame]
  public borrowing func peek() -> Record? {
    let position = read.load(ordering: .relaxed)
    guard position < written.load(ordering: .acquiring) else { return nil }
    return Record(slot(position), values: values)
  }

  /// Frees the slot of the record that `peek` returned. [frame]
  public borrowing func pop() {
    read.store(read.load(ordering: .relaxed) + 1, ordering: .releasing)
  }

  /// The pending record, once the callback has left the plan for good. [frame]
  public borrowing func last() -> Record? {
    isPending.load(ordering: .acquiring) ? Record(pending, values: values) : nil
  }
}
