import CJack
import CRealtime
import Glibc
import Realtime
import Synchronization
import System

/// The audio callback of one open client: fetches the buffers of its ports and runs the cycles. Its address is fixed
/// from before the client is activated until after it is closed. [audio]
struct JackCallback: ~Copyable {
  /// The engine and the table of port buffers.
  let runner: UnsafeMutablePointer<CycleRunner>
  /// The JACK port of each port number; `CycleRunner.capacity` rows.
  let slots: UnsafeMutablePointer<JackSlot>
  /// The number of rows that may be in use: the highest port number so far plus 1.
  let used = Atomic<Int>(0)
  /// Takes the time of each cycle.
  let counters: UnsafeMutablePointer<JackCounters>
  /// The client, whose server's transport is read.
  let client: OpaquePointer
  /// Where players read the server's transport.
  let transport: UnsafeMutablePointer<HostTransportShared>
  /// Limits how long the transport waits for followers.
  let syncTimeout = JackSyncTimeout()
  /// Called before each cycle in freewheel, where the host may wait.
  let wait: vg_jack_wait?
  /// The first argument of `wait`.
  let waitContext: UnsafeMutableRawPointer?
  /// Whether cycles may run. Shut before a client is given up, so that a thread of libjack that resumes later does
  /// nothing.
  let isOpen = Atomic<Bool>(false)
  /// Whether a cycle runs now.
  let isBusy = Atomic<Bool>(false)
  /// The number of cycles run.
  let cycles = Atomic<UInt64>(0)

  /// Makes a callback with no ports, shut. [jack]
  init(
    client: OpaquePointer, runner: UnsafeMutablePointer<CycleRunner>,
    counters: UnsafeMutablePointer<JackCounters>,
    transport: UnsafeMutablePointer<HostTransportShared>, wait: vg_jack_wait?,
    waitContext: UnsafeMutableRawPointer?
  ) {
    self.client = client
    self.transport = transport
    self.runner = runner
    self.counters = counters
    self.wait = wait
    self.waitContext = waitContext
    slots = .allocate(capacity: CycleRunner.capacity)
    for i in 0..<CycleRunner.capacity { (slots + i).initialize(to: JackSlot()) }
  }

  deinit { slots.deallocate() }

  /// One cycle of `count` samples. [audio]
  @_noLocks
  borrowing func run(_ count: UInt32) {
    // Sequentially consistent: the control side shuts the gate or clears a row, and then reads `isBusy`.
    isBusy.store(true, ordering: .sequentiallyConsistent)
    let runs = isOpen.load(ordering: .sequentiallyConsistent)
    if runs, let wait, counters.pointee.isFreewheeling.load(ordering: .relaxed) {
      vg_jack_call_wait(wait, waitContext, count)
    }
    vg_enter_callback()
    fetch(count, storesBuffers: runs)
    if runs {
      counters.pointee.lastCycle.store(vg_now(), ordering: .relaxed)
      noteTransport()
      _ = runner.pointee.run(count)
    }
    vg_leave_callback()
    _ = cycles.add(1, ordering: .relaxed)
    isBusy.store(false, ordering: .sequentiallyConsistent)
  }

  /// Fetches the buffers of all ports, and clears those of outputs, because JACK plays what the last cycle left there.
  /// With `storesBuffers`, the buffers are also stored in the table for the plan. [audio]
  @_noLocks
  private borrowing func fetch(_ count: UInt32, storesBuffers: Bool) {
    let ports = runner.pointee.ports
    let end = used.load(ordering: .acquiring)
    var i = 0
    while i < end {
      var buffer: UnsafeMutablePointer<Float>?
      if let handle = slots[i].handle.load(ordering: .sequentiallyConsistent) {
        let kind = slots[i].kind.load(ordering: .relaxed)
        if kind != JackSlot.unconnected { buffer = vg_jack_buffer(handle, count) }
        if kind == JackSlot.output, let buffer { vg_clear(buffer, Int(count)) }
      }
      if storesBuffers { ports[i] = buffer }
      i &+= 1
    }
  }

  /// `run` as a C function, for `jack_set_process_callback`. [audio]
  static var process: @convention(c) (UInt32, UnsafeMutableRawPointer?) -> Int32 {
    { count, context in
      guard let context else { return 0 }
      context.assumingMemoryBound(to: JackCallback.self).pointee.run(count)
      return 0
    }
  }
}

/// The JACK port of one port number. The control side writes it, the callback reads it in every cycle.
struct JackSlot: ~Copyable {
  /// The values of `kind`.
  static var unconnected: UInt8 { @_noLocks get { 0 } }
  static var input: UInt8 { @_noLocks get { 1 } }
  static var output: UInt8 { @_noLocks get { 2 } }

  /// JACK's handle of the port; nil for a number that no port has.
  let handle = Atomic<UnsafeMutableRawPointer?>(nil)
  /// `unconnected` for an input without a connection, else `input` or `output`.
  let kind = Atomic<UInt8>(0)
}
