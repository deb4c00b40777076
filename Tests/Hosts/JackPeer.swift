import CJack
import Glibc
import Synchronization

/// Another JACK client, as a test's sound source, listener and patchbay.
final class JackPeer: @unchecked Sendable {
  let client: OpaquePointer
  let name: String
  private var ports: [OpaquePointer] = []
  private let work = UnsafeMutablePointer<Work>.allocate(capacity: 1)
  private var isClosed = false

  struct Work: ~Copyable {
    let outputs = UnsafeMutablePointer<OpaquePointer>.allocate(capacity: 16)
    let inputs = UnsafeMutablePointer<OpaquePointer>.allocate(capacity: 16)
    var outputCount = 0
    var inputCount = 0
    /// What outputs send, and the last sample that the first input got, as bits.
    let level = Atomic<UInt32>(Float(0.5).bitPattern)
    let heard = Atomic<UInt32>(0)
    let cycles = Atomic<UInt64>(0)
    /// Microseconds that the next cycle should take.
    let delay = Atomic<UInt32>(0)
  }

  /// Opens and activates a client with ports `out_1`… and `in_1`….
  init(_ name: String, server: String, outputs: Int = 0, inputs: Int = 0) throws {
    var status = JackStatus(0)
    jack_set_error_function { _ in }
    jack_set_info_function { _ in }
    guard let client = vg_jack_open(name, server, 0, &status) else {
      throw Failure(status: UInt32(status.rawValue))
    }
    self.client = client
    self.name = jack_get_client_name(client).map { String(cString: $0) } ?? name
    work.initialize(to: Work())
    for i in 0..<outputs {
      work.pointee.outputs[i] = jack_port_register(
        client, "out_\(i + 1)", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue), 0)
    }
    for i in 0..<inputs {
      work.pointee.inputs[i] = jack_port_register(
        client, "in_\(i + 1)", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsInput.rawValue), 0)
    }
    work.pointee.outputCount = outputs
    work.pointee.inputCount = inputs
    jack_set_process_callback(
      client,
      { count, context in
        guard let work = context?.assumingMemoryBound(to: Work.self) else { return 0 }
        let level = Float(bitPattern: work.pointee.level.load(ordering: .relaxed))
        for i in 0..<work.pointee.outputCount {
          guard let buffer = vg_jack_buffer(UnsafeMutableRawPointer(work.pointee.outputs[i]), count) else {
            continue
          }
          for j in 0..<Int(count) { buffer[j] = level }
        }
        if work.pointee.inputCount > 0,
          let buffer = vg_jack_buffer(UnsafeMutableRawPointer(work.pointee.inputs[0]), count)
        {
          work.pointee.heard.store(buffer[Int(count) - 1].bitPattern, ordering: .relaxed)
        }
        let delay = work.pointee.delay.exchange(0, ordering: .relaxed)
        if delay > 0 { usleep(delay) }
        work.pointee.cycles.add(1, ordering: .relaxed)
        return 0
      }, work)
    jack_activate(client)
  }

  deinit { close() }

  struct Failure: Error { let status: UInt32 }

  /// Leaves the server.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    jack_client_close(client)
  }

  /// The last sample at the first input.
  var heard: Float { Float(bitPattern: work.pointee.heard.load(ordering: .relaxed)) }
  /// Takes so long in the next cycle that the server misses it.
  func misbehave(microseconds: UInt32) { work.pointee.delay.store(microseconds, ordering: .relaxed) }

  /// Makes a port besides those that are played, and takes the newest of them away again.
  func addPort(_ name: String) {
    let made = jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue), 0)
    if let made { ports.append(made) }
  }
  func removePort() { if let port = ports.popLast() { jack_port_unregister(client, port) } }

  @discardableResult
  func connect(_ from: String, _ to: String) -> Int32 { jack_connect(client, from, to) }
  @discardableResult
  func disconnect(_ from: String, _ to: String) -> Int32 { jack_disconnect(client, from, to) }
  func isConnected(_ port: String, _ other: String) -> Bool { connections(port).contains(other) }

  /// Full names of what a port is connected to, sorted.
  func connections(_ port: String) -> [String] {
    guard let handle = jack_port_by_name(client, port) else { return [] }
    return Self.list(jack_port_get_all_connections(client, handle)).sorted()
  }

  /// Full names of all ports of a client, in the server's order.
  func ports(of name: String) -> [String] { Self.list(jack_get_ports(client, "^\(name):", nil, 0)) }

  func flags(_ port: String) -> UInt32 {
    jack_port_by_name(client, port).map { UInt32(jack_port_flags($0)) } ?? 0
  }

  /// A property of a port: its value and type.
  func property(_ port: String, _ key: String) -> (value: String, type: String)? {
    guard let handle = jack_port_by_name(client, port) else { return nil }
    var value: UnsafeMutablePointer<CChar>?
    var type: UnsafeMutablePointer<CChar>?
    guard
      jack_get_property(jack_port_uuid(handle), "http://jackaudio.org/metadata/" + key, &value, &type) == 0,
      let value
    else { return nil }
    defer {
      jack_free(value)
      if let type { jack_free(type) }
    }
    return (String(cString: value), type.map { String(cString: $0) } ?? "")
  }

  private static func list(_ names: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String] {
    guard let names else { return [] }
    defer { jack_free(names) }
    var list: [String] = []
    while let name = names[list.count] { list.append(String(cString: name)) }
    return list
  }
}
