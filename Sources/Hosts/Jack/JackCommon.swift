import CJack
import CRealtime
import Realtime

/// What all clients that a host opens one after another share, at fixed addresses. Lives as long as the last of them.
/// [control] makes it; [jack], [notice] and [audio] use it.
final class JackCommon: @unchecked Sendable {
  /// The crank.
  let crank: UnsafeMutablePointer<Crank>
  /// The numbers.
  let counters: UnsafeMutablePointer<JackCounters>
  /// What players know of the server's transport.
  let transport: HostTransport
  /// Wakes the control thread.
  let doorbell = Semaphore()
  /// Called before each cycle in freewheel.
  let wait: vg_jack_wait?
  /// What `wait` is called with.
  let waitContext: UnsafeMutableRawPointer?

  init(
    engine: UnsafeMutablePointer<Engine>, bell: UnsafeMutablePointer<sem_t>, transport: HostTransport,
    wait: vg_jack_wait?, waitContext: UnsafeMutableRawPointer?
  ) {
    self.transport = transport
    crank = .allocate(capacity: 1)
    crank.initialize(to: Crank(engine: engine, bell: bell))
    counters = .allocate(capacity: 1)
    counters.initialize(to: JackCounters())
    self.wait = wait
    self.waitContext = waitContext
  }

  deinit {
    crank.deinitialize(count: 1)
    crank.deallocate()
    counters.deinitialize(count: 1)
    counters.deallocate()
  }

  /// Forgets the buffers of a client that has gone. Only while no callback runs.
  func forgetBuffers() { crank.pointee.ports.update(repeating: nil, count: Crank.capacity) }
}
