import CJack
import Glibc
import Synchronization
import TestSupport

/// A client that knows nothing of visgraph: a 1 kHz sine of amplitude 0.5 on port `out`, silence on port `silence`.
final class JackTone {
  /// Its name in the server.
  let name: String
  private let client: OpaquePointer
  private let work = UnsafeMutablePointer<Work>.allocate(capacity: 1)

  fileprivate struct Work: ~Copyable {
    let isOn = Atomic<Bool>(false)
    /// The server's frame of the first sample of the tone; -1 before.
    let begin = Atomic<Int64>(-1)
    let client: OpaquePointer
    let out: OpaquePointer
    let silence: OpaquePointer

    init(client: OpaquePointer, out: OpaquePointer, silence: OpaquePointer) {
      self.client = client
      self.out = out
      self.silence = silence
    }

    func process(_ count: UInt32) {
      guard let tone = vg_jack_buffer(UnsafeMutableRawPointer(out), count),
        let quiet = vg_jack_buffer(UnsafeMutableRawPointer(silence), count)
      else { return }
      for i in 0..<Int(count) { quiet[i] = 0 }
      guard isOn.load(ordering: .relaxed) else {
        for i in 0..<Int(count) { tone[i] = 0 }
        return
      }
      let now = Int64(jack_last_frame_time(client))
      if begin.load(ordering: .relaxed) < 0 { begin.store(now, ordering: .relaxed) }
      let first = now - begin.load(ordering: .relaxed)
      for i in 0..<Int(count) {
        // A quarter of a period on: the tone begins with its peak, so that its first sample is there to be seen.
        tone[i] = Float(0.5 * cos(Double((first + Int64(i)) % 48) * 2 * Double.pi / 48))
      }
    }
  }

  /// Joins a server.
  init(_ name: String, server: String) throws {
    self.name = name
    client = try openJackClient(name, server: server)
    let flags = UInt(JackPortIsOutput.rawValue)
    guard let out = jack_port_register(client, "out", JACK_DEFAULT_AUDIO_TYPE, flags, 0),
      let silence = jack_port_register(client, "silence", JACK_DEFAULT_AUDIO_TYPE, flags, 0)
    else { throw Child.Failure(description: "no ports") }
    work.initialize(to: Work(client: client, out: out, silence: silence))
    jack_set_process_callback(
      client,
      { count, context in
        context?.assumingMemoryBound(to: Work.self).pointee.process(count)
        return 0
      }, work)
    jack_activate(client)
  }

  deinit { jack_client_close(client) }

  /// Switches the tone on at the next cycle, or off.
  func sound(_ isOn: Bool) {
    if !isOn { work.pointee.begin.store(-1, ordering: .relaxed) }
    work.pointee.isOn.store(isOn, ordering: .relaxed)
  }

  /// The server's frame at which the tone began; nil while it has not.
  var begin: Int64? {
    let begin = work.pointee.begin.load(ordering: .relaxed)
    return begin < 0 ? nil : begin
  }

  /// Makes the server run as fast as it can, or in time.
  func freewheel(_ isOn: Bool) -> Bool { jack_set_freewheel(client, isOn ? 1 : 0) == 0 }

  /// Full names of what a port is connected to, sorted.
  func connections(of port: String) -> [String] {
    guard let handle = jack_port_by_name(client, port) else { return [] }
    return names(jack_port_get_all_connections(client, handle)).sorted()
  }

  /// Full names of all ports of a client, in the server's order.
  func ports(of name: String) -> [String] { names(jack_get_ports(client, "^\(name):", nil, 0)) }

  /// Connects two ports.
  func connect(_ from: String, _ to: String) { jack_connect(client, from, to) }

  private func names(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String] {
    guard let list else { return [] }
    defer { jack_free(list) }
    var names: [String] = []
    while let name = list[names.count] { names.append(String(cString: name)) }
    return names
  }
}

/// A client on a server that runs, or why there is none.
func openJackClient(_ name: String, server: String) throws -> OpaquePointer {
  jack_set_error_function { _ in }
  jack_set_info_function { _ in }
  var status = JackStatus(0)
  guard let client = vg_jack_open(name, server, 1, &status) else {
    throw Child.Failure(description: "no JACK client \(name): status \(status.rawValue)")
  }
  return client
}
