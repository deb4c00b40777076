import CJack
import Glibc
import Synchronization
import TestSupport

/// A client that knows nothing of visgraph: records what arrives at its ports `in_1` and `in_2`, and where the server's
/// transport was in each cycle.
final class JackTape {
  /// One cycle.
  struct Cycle: Equatable {
    /// The transport's state, in JACK's numbers: 0 stopped, 1 rolling, 3 starting.
    var state: UInt32
    /// Where the transport was at its first sample.
    var frame: Int64
    /// Where it begins on the tape.
    var place: Int
    /// Its samples.
    var count: Int
  }

  private static let room = 48_000 * 60
  private static let cycleRoom = 200_000
  private let client: OpaquePointer
  private let work = UnsafeMutablePointer<Work>.allocate(capacity: 1)

  fileprivate struct Work: ~Copyable {
    let recorded = Atomic<Int>(0)
    let cycleCount = Atomic<Int>(0)
    let xruns = Atomic<Int>(0)
    let lanes: [UnsafeMutablePointer<Float>]
    let cycles = UnsafeMutablePointer<Cycle>.allocate(capacity: JackTape.cycleRoom)
    let client: OpaquePointer
    let ports: [OpaquePointer]

    init(client: OpaquePointer, ports: [OpaquePointer]) {
      self.client = client
      self.ports = ports
      lanes = ports.map { _ in .allocate(capacity: JackTape.room) }
    }

    func process(_ count: UInt32) {
      let place = recorded.load(ordering: .relaxed)
      let number = cycleCount.load(ordering: .relaxed)
      guard place + Int(count) <= JackTape.room, number < JackTape.cycleRoom else { return }
      var frame: Int64 = 0
      let state = vg_jack_transport(client, &frame)
      for (index, port) in ports.enumerated() {
        guard let buffer = vg_jack_buffer(UnsafeMutableRawPointer(port), count) else { return }
        for i in 0..<Int(count) { lanes[index][place + i] = buffer[i] }
      }
      cycles[number] = Cycle(state: state, frame: frame, place: place, count: Int(count))
      recorded.store(place + Int(count), ordering: .releasing)
      cycleCount.store(number + 1, ordering: .releasing)
    }
  }

  /// Joins a server.
  init(_ name: String, server: String) throws {
    client = try openJackClient(name, server: server)
    let ports = try (1...2).map { number in
      guard
        let port = jack_port_register(
          client, "in_\(number)", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsInput.rawValue), 0)
      else { throw Child.Failure(description: "no port") }
      return port
    }
    work.initialize(to: Work(client: client, ports: ports))
    jack_set_process_callback(
      client,
      { count, context in
        context?.assumingMemoryBound(to: Work.self).pointee.process(count)
        return 0
      }, work)
    jack_set_xrun_callback(
      client,
      { context in
        context?.assumingMemoryBound(to: Work.self).pointee.xruns.add(1, ordering: .relaxed)
        return 0
      }, work)
    jack_activate(client)
  }

  deinit {
    jack_client_close(client)
    for lane in work.pointee.lanes { lane.deallocate() }
    work.pointee.cycles.deallocate()
  }

  /// How many samples were recorded so far.
  var recorded: Int { work.pointee.recorded.load(ordering: .acquiring) }

  /// How often the machine was too busy for a cycle of somebody's.
  var xruns: Int { work.pointee.xruns.load(ordering: .relaxed) }

  /// Joins the ports of another client to its own; false as long as that has none.
  func listen(to name: String) -> Bool {
    let own = jack_get_client_name(client).map { String(cString: $0) } ?? ""
    let results = (1...2).map { jack_connect(client, "\(name):out_\($0)", "\(own):in_\($0)") }
    return results.allSatisfy { $0 == 0 || $0 == EEXIST }
  }

  /// The cycles so far.
  var cycles: [Cycle] {
    let count = work.pointee.cycleCount.load(ordering: .acquiring)
    return (0..<count).map { work.pointee.cycles[$0] }
  }

  /// What was recorded at a port so far.
  func samples(_ port: Int) -> [Float] {
    let count = work.pointee.recorded.load(ordering: .acquiring)
    return Array(UnsafeBufferPointer(start: work.pointee.lanes[port], count: count))
  }

  /// What the server's transport does, and where it is.
  var served: (state: UInt32, frame: Int64) {
    var frame: Int64 = 0
    let state = vg_jack_transport(client, &frame)
    return (state, frame)
  }

  func start() { jack_transport_start(client) }
  func stop() { jack_transport_stop(client) }
  func locate(_ frame: UInt32) { jack_transport_locate(client, frame) }
}

/// A sound whose samples say where they are: the left is the place modulo 4096, the right which 4096 it is. Both begin at
/// one half, so that silence is no place.
enum Counted {
  static func sound(seconds: Int) -> [[Float]] {
    let places = 0..<seconds * 48_000
    return [
      places.map { 0.5 + Float($0 % 4096) / 16_384 }, places.map { 0.5 + Float($0 / 4096) / 16_384 },
    ]
  }

  /// The place of two samples that were heard at full volume; nil where they are none of it.
  static func place(_ left: Float, _ right: Float) -> Int? {
    guard left >= 0.5, right >= 0.5 else { return nil }
    let (low, high) = ((left - 0.5) * 16_384, (right - 0.5) * 16_384)
    guard low == low.rounded(), high == high.rounded(), low < 4096 else { return nil }
    return Int(high) * 4096 + Int(low)
  }
}
