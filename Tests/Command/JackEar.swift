import CJack
import Glibc
import Synchronization
import TestSupport

/// A client that notes at which frames of the server a full-scale sample arrives at its port `in`.
final class JackEar {
  private static let room = 1024
  private let client: OpaquePointer
  private let work = UnsafeMutablePointer<Work>.allocate(capacity: 1)

  fileprivate struct Work: ~Copyable {
    let count = Atomic<Int>(0)
    let clicks = UnsafeMutablePointer<Int64>.allocate(capacity: JackEar.room)
    let client: OpaquePointer
    let port: OpaquePointer

    init(client: OpaquePointer, port: OpaquePointer) {
      self.client = client
      self.port = port
    }

    func process(_ count: UInt32) {
      guard let buffer = vg_jack_buffer(UnsafeMutableRawPointer(port), count) else { return }
      let now = Int64(jack_last_frame_time(client))
      for i in 0..<Int(count) where buffer[i] > 0.9 {
        let number = self.count.load(ordering: .relaxed)
        guard number < JackEar.room else { return }
        clicks[number] = now + Int64(i)
        self.count.store(number + 1, ordering: .releasing)
      }
    }
  }

  /// Joins a server.
  init(_ name: String, server: String) throws {
    client = try openJackClient(name, server: server)
    guard
      let port = jack_port_register(
        client, "in", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsInput.rawValue), 0)
    else { throw Child.Failure(description: "no port") }
    work.initialize(to: Work(client: client, port: port))
    jack_set_process_callback(
      client,
      { count, context in
        context?.assumingMemoryBound(to: Work.self).pointee.process(count)
        return 0
      }, work)
    jack_activate(client)
  }

  deinit { jack_client_close(client) }

  /// The frames heard so far.
  var clicks: [Int64] {
    let count = work.pointee.count.load(ordering: .acquiring)
    return (0..<count).map { work.pointee.clicks[$0] }
  }
}
