import CJack
import Engine
import Glibc
import Graphs
import Realtime
import Synchronization
import System

/// One opened client of one server, from opening to closing. A server that returns gets a new one. [jack]
final class JackClient: @unchecked Sendable {
  /// libjack's handle.
  let handle: OpaquePointer
  /// The name that JACK gave.
  let name: String
  /// The audio callback, at a fixed address.
  let callback: UnsafeMutablePointer<JackCallback>
  /// State that libjack's other threads write.
  let notices: UnsafeMutablePointer<JackServerCallbacks>
  /// The events of ports.
  let events: JackPortEvents
  /// Our ports by number.
  private(set) var own: [Int: OpaquePointer] = [:]
  /// Whether cycles run.
  private(set) var isActive = false
  /// Whether the server's transport waits for this client before it rolls.
  var isWaitedFor = false
  /// The sample rate in Hz at the opening.
  let rate: Int
  /// The period in samples at the opening.
  let period: UInt32
  /// When the client was activated, in nanoseconds of the monotonic clock; 0: not yet.
  let activation = Atomic<UInt64>(0)
  private let common: JackCommon
  private let metadata: JackMetadata
  private var deletedPorts = JackDeletedPorts()

  /// Opens a client and registers all callbacks with the library.
  init(name: String, server: String?, exact: Bool, common: JackCommon) throws(JackError) {
    var status = JackStatus(0)
    guard let handle = vg_jack_open(name, server, exact ? 1 : 0, &status) else {
      let bits = UInt32(status.rawValue)
      if exact, JackLibrary.isTaken(name, server: server, status: bits) { throw .nameTaken(name) }
      if bits & UInt32(JackServerFailed.rawValue) != 0 { throw .noServer(server) }
      throw .refused(status: bits)
    }
    self.handle = handle
    self.common = common
    self.name = jack_get_client_name(handle).map { String(cString: $0) } ?? name
    metadata = JackMetadata(client: handle)
    callback = .allocate(capacity: 1)
    callback.initialize(
      to: JackCallback(
        client: handle, runner: common.runner, counters: common.counters, transport: common.transport.shared,
        wait: common.wait, waitContext: common.waitContext))
    notices = .allocate(capacity: 1)
    notices.initialize(to: JackServerCallbacks(counters: common.counters, wakeUp: common.wakeUp.poster))
    events = JackPortEvents(wakeUp: common.wakeUp.poster)
    rate = Int(jack_get_sample_rate(handle))
    period = jack_get_buffer_size(handle)
    common.counters.pointee.rate.store(UInt32(rate), ordering: .relaxed)
    common.counters.pointee.period.store(period, ordering: .relaxed)
    common.counters.pointee.isFreewheeling.store(false, ordering: .relaxed)
    common.counters.pointee.lastCycle.store(0, ordering: .relaxed)
    jack_set_process_callback(handle, JackCallback.process, callback)
    JackServerCallbacks.install(notices, on: handle)
    events.install(on: handle)
  }

  deinit {
    // Reached only after libjack has let go: `close` keeps `self` alive until then.
    callback.deinitialize(count: 1)
    callback.deallocate()
    notices.deinitialize(count: 1)
    notices.deallocate()
  }

  /// Why the server has gone; nil while it is there.
  var loss: String? {
    guard notices.pointee.isShutDown.load(ordering: .acquiring) else { return nil }
    return String(cString: notices.pointee.reason)
  }

  /// The share of a period that the server's graph takes, in percent.
  var load: Float { jack_cpu_load(handle) }

  /// The longest latency of our outputs, in samples from the beginning of a cycle until its sound is heard; 0 without
  /// connections.
  var outputLatency: Int {
    own.values.reduce(0) { most, port in
      guard UInt(jack_port_flags(port)) & UInt(JackPortIsOutput.rawValue) != 0 else { return most }
      var range = jack_latency_range_t()
      jack_port_get_latency_range(port, JackPlaybackLatency, &range)
      return max(most, Int(range.max))
    }
  }

  /// Activates the client. Returns JACK's error code; 0: cycles run.
  func activate() -> Int {
    // 1 s ahead: the call may take a while, and the watchdog still notices one that hangs.
    activation.store(MonotonicClock.now + 1_000_000_000, ordering: .relaxed)
    let number = metadata.alone { jack_activate(handle) }
    activation.store(MonotonicClock.now, ordering: .relaxed)
    isActive = number == 0
    return Int(number)
  }

  // MARK: - Ports of our own

  /// Registers a port. Returns false where JACK refuses.
  func register(_ port: HostPort, isTerminal: Bool) -> Bool {
    var flags = port.direction == .output ? JackPortIsOutput.rawValue : JackPortIsInput.rawValue
    if isTerminal { flags |= JackPortIsTerminal.rawValue }
    let made = metadata.alone {
      jack_port_register(handle, port.name, JACK_DEFAULT_AUDIO_TYPE, UInt(flags), 0)
    }
    guard let made else { return false }
    own[port.number] = made
    metadata.describe(port, subject: jack_port_uuid(made))
    common.counters.pointee.steps.add(1, ordering: .relaxed)
    callback.pointee.set(
      port.number, handle: UnsafeMutableRawPointer(made),
      kind: port.direction == .output ? JackSlot.output : JackSlot.unconnected)
    return true
  }

  /// Unregisters a port, once no cycle can use it any more.
  func unregister(_ number: Int) {
    guard let port = own.removeValue(forKey: number) else { return }
    callback.pointee.clear(number)
    _ = callback.pointee.settle(within: 1)
    metadata.forget(subject: jack_port_uuid(port))
    metadata.alone { deletedPorts.unregister(port, of: handle, events) }
    common.counters.pointee.steps.add(1, ordering: .relaxed)
  }

  /// Publishes the changed metadata of a port.
  func describe(_ port: HostPort) {
    guard let made = own[port.number] else { return }
    metadata.describe(port, subject: jack_port_uuid(made))
  }

  /// Tells the callback which inputs are connected.
  func noteConnections(of inputs: [HostPort]) {
    for port in inputs {
      guard let made = own[port.number] else { continue }
      callback.pointee.set(port.number, isConnected: jack_port_connected(made) > 0)
    }
  }

  /// The full name of a port of ours.
  func fullName(_ port: String) -> String { "\(name):\(port)" }

  /// Whether a full name is one of ours.
  func isOwn(_ full: String) -> Bool { full.hasPrefix(name + ":") }

  /// A full name as `JackLink` keeps it: that of our own port without the client's name.
  func remembered(_ full: String) -> String { isOwn(full) ? String(full.dropFirst(name.count)) : full }

  /// The full name of a port, from the name that `remembered` has returned for it.
  func full(_ remembered: String) -> String { remembered.hasPrefix(":") ? name + remembered : remembered }

  // MARK: - Ports of all clients

  /// Full names of the audio ports that have these flags, in the server's order.
  func ports(flags: UInt) -> [String] {
    Self.names(jack_get_ports(handle, nil, "^32 bit float mono audio$", flags))
  }

  /// Full names of the ports that a port of ours is connected to.
  func connections(of number: Int) -> [String] {
    guard let port = own[number] else { return [] }
    return Self.names(jack_port_get_all_connections(handle, port))
  }

  /// Whether a port of ours is connected to the port of a full name.
  func isConnected(_ port: String, to full: String) -> Bool {
    guard let port = jack_port_by_name(handle, fullName(port)) else { return false }
    return jack_port_connected_to(port, full) != 0
  }

  /// Whether a call for metadata has not returned for long.
  var hasStuckMetadata: Bool { metadata.isStuck }

  /// Full names of the ports that the port of a full name is connected to.
  func connections(of full: String) -> [String] {
    guard let port = jack_port_by_name(handle, full) else { return [] }
    return Self.names(jack_port_get_all_connections(handle, port))
  }

  /// Whether there is a port of this full name with these flags.
  func exists(_ full: String, flags: UInt = 0) -> Bool {
    guard let port = jack_port_by_name(handle, full) else { return false }
    return UInt(jack_port_flags(port)) & flags == flags
  }

  /// The full name of the port with one of the server's numbers; nil: none has it.
  func name(of id: UInt32) -> String? {
    guard let port = jack_port_by_id(handle, id), let name = jack_port_name(port) else { return nil }
    let text = String(cString: name)
    return text.isEmpty ? nil : text
  }

  /// Requests a connection. Returns JACK's error code; 0: accepted, or it exists already.
  func connect(_ link: JackLink) -> Int {
    let (from, to) = ends(of: link)
    let number = metadata.alone { jack_connect(handle, from, to) }
    return number == EEXIST ? 0 : Int(number)
  }

  /// Removes a connection.
  func disconnect(_ link: JackLink) {
    let (from, to) = ends(of: link)
    metadata.alone { _ = jack_disconnect(handle, from, to) }
  }

  /// The full names of the output port and the input port of a connection.
  private func ends(of link: JackLink) -> (from: String, to: String) {
    let mine = fullName(link.port)
    let other = full(link.other)
    guard let port = jack_port_by_name(handle, mine) else { return (mine, other) }
    return UInt(jack_port_flags(port)) & UInt(JackPortIsOutput.rawValue) != 0 ? (mine, other) : (other, mine)
  }

  private static func names(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String] {
    guard let list else { return [] }
    defer { jack_free(list) }
    var names: [String] = []
    var i = 0
    while let name = list[i] {
      names.append(String(cString: name))
      i += 1
    }
    return names
  }

  // MARK: - The end

  /// Closes the client; while the server lives, deactivates it before. Returns false where libjack has not returned
  /// within `seconds`; then a helper thread keeps the client and its memory.
  func close(within seconds: Double) -> Bool {
    // If a cycle does not end, the memory stays, too: libjack waits for it on the helper thread.
    _ = callback.pointee.shut(within: 0.3)
    return finishes(within: seconds) { [self] in
      // A metadata call that hangs uses this client. So the client is leaked, with all that libjack's threads call.
      guard metadata.end(within: 0.3) else {
        _ = Unmanaged.passRetained(self)
        return
      }
      common.counters.pointee.steps.add(1, ordering: .relaxed)
      if metadata.needsPortsGone {
        for port in own.values where loss == nil {
          deletedPorts.unregister(port, of: handle, events)
          common.counters.pointee.steps.add(1, ordering: .relaxed)
        }
      }
      if loss == nil, isActive { jack_deactivate(handle) }
      common.counters.pointee.steps.add(1, ordering: .relaxed)
      // After the end of a server, libjack's threads end by themselves at about this time. Closing cancels them
      // wherever they are. One that is cancelled in the dynamic linker leaves the linker's lock held, and no thread
      // could be created any more.
      if loss != nil { MonotonicClock.sleep(seconds: 0.1) }
      jack_client_close(handle)
      common.counters.pointee.steps.add(1, ordering: .relaxed)
    }
  }
}
