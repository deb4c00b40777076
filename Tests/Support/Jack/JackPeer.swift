import CJack
import Glibc
import Synchronization
import System

/// A JACK client that uses no code of visgraph: sound source, recorder and patchbay of tests.
public final class JackPeer: @unchecked Sendable {
  /// The sound of an output.
  public enum Sound: Sendable {
    /// Silence.
    case silence
    /// The same sample in every cycle.
    case level(Float)
    /// A sine of 1 kHz at 48,000 samples a second, with an amplitude of 0.5. It begins with its peak, so that the first
    /// sample can be recognized.
    case tone
  }

  /// A cycle of the recording.
  public struct Cycle: Sendable {
    /// The transport's state, by JACK's numbers: 0 stopped, 1 rolling, 3 starting.
    public var state: UInt32
    /// The transport's frame at the first sample of the cycle.
    public var frame: Int64
    /// The server's frame time at the first sample of the cycle.
    public var time: Int64
    /// The place of the first sample in the recording.
    public var place: Int
    /// The number of samples.
    public var count: Int
  }

  /// JACK refused a client.
  public struct Failure: Error, CustomStringConvertible {
    /// The reason.
    public let description: String
  }

  /// The client, for calls that only one test makes.
  public let client: OpaquePointer
  /// Its name in the server.
  public let name: String
  private let work: UnsafeMutablePointer<Work>
  private var ports: [OpaquePointer] = []
  private var isClosed = false

  /// Joins a server with outputs `out_1`…, which all play `sound`, and inputs `in_1`…, which are recorded up to a limit
  /// in seconds at 48,000 samples a second, if one is given.
  public init(
    _ name: String, server: String, outputs: Int = 0, inputs: Int = 0, sound: Sound = .level(0.5),
    recording seconds: Int = 0
  ) throws {
    jack_set_error_function { _ in }
    jack_set_info_function { _ in }
    let client = try Self.open(name, server)
    func register(_ name: String, _ flags: JackPortFlags) throws -> OpaquePointer {
      guard let port = jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(flags.rawValue), 0)
      else { throw Failure(description: "no port \(name)") }
      return port
    }
    self.client = client
    self.name = jack_get_client_name(client).map { String(cString: $0) } ?? name
    work = .allocate(capacity: 1)
    work.initialize(
      to: Work(
        client: client,
        outputs: try (0..<outputs).map { try register("out_\($0 + 1)", JackPortIsOutput) },
        inputs: try (0..<inputs).map { try register("in_\($0 + 1)", JackPortIsInput) },
        room: seconds * 48_000))
    play(sound)
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
    let number = jack_activate(client)
    guard number == 0 else { throw Failure(description: "JACK client \(name) cannot run: \(number)") }
  }

  /// Opens the client with a timeout: libjack waits for ever if a process that has ended holds the lock of the metadata
  /// database. The test fails then.
  private static func open(_ name: String, _ server: String) throws -> OpaquePointer {
    let opened = Locked<Int?>(nil)
    let thread = TestThread {
      var status = JackStatus(0)
      let client = vg_jack_open(name, server, 0, &status)
      opened.withLock { $0 = client.map { Int(bitPattern: $0) } ?? -Int(status.rawValue) }
    }
    guard poll(within: 20, until: { thread.isDone }), let answer = opened.withLock({ $0 }) else {
      throw Failure(description: "opening the JACK client \(name) does not end")
    }
    guard answer > 0, let client = OpaquePointer(bitPattern: answer) else {
      throw Failure(description: "no JACK client \(name): status \(-answer)")
    }
    return client
  }

  deinit {
    close()
    work.deinitialize(count: 1)
    work.deallocate()
  }

  /// Leaves the server.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    jack_client_close(client)
  }

  // MARK: - Sound

  /// Sets what the outputs play from the next cycle on: all of them, or one, counted from 1.
  public func play(_ sound: Sound, on number: Int? = nil) {
    for index in 0..<work.pointee.outputCount where number == nil || number == index + 1 {
      let output = work.pointee.outputs + index
      if case .level(let level) = sound { output.pointee.level.store(level.bitPattern, ordering: .relaxed) }
      if case .tone = sound { output.pointee.begin.store(-1, ordering: .relaxed) }
      let kind: UInt32 =
        switch sound {
        case .silence: 0
        case .level: 1
        case .tone: 2
        }
      output.pointee.kind.store(kind, ordering: .relaxed)
    }
  }

  /// The server's frame time of the first sample of the first output's tone; nil before it.
  public var begin: Int64? {
    let begin = work.pointee.outputs[0].begin.load(ordering: .relaxed)
    return begin < 0 ? nil : begin
  }

  /// The last sample at the first input.
  public var heard: Float { Float(bitPattern: work.pointee.heard.load(ordering: .relaxed)) }

  /// Delays the next cycle by this time, so that the server misses its deadline.
  public func delayNextCycle(microseconds: UInt32) {
    work.pointee.delay.store(microseconds, ordering: .relaxed)
  }

  /// Whether the delayed cycle has begun.
  public var isDelaying: Bool { work.pointee.delay.load(ordering: .relaxed) == 0 }

  /// The number of xruns of the server, of any client.
  public var xruns: Int { work.pointee.xruns.load(ordering: .relaxed) }

  /// The longest time between two cycles so far, in seconds of the monotonic clock. The server may count no xrun
  /// during such a pause, for example while the machine runs nothing at all.
  public var longestPause: Double { Double(bitPattern: work.pointee.longestPause.load(ordering: .relaxed)) }

  // MARK: - Tape

  /// The number of samples recorded so far.
  public var recorded: Int { work.pointee.recorded.load(ordering: .acquiring) }

  /// The cycles recorded so far.
  public var cycles: [Cycle] {
    let count = work.pointee.cycleCount.load(ordering: .acquiring)
    return (0..<count).map { work.pointee.cycles[$0] }
  }

  /// The samples recorded so far at an input, counted from 0.
  public func samples(_ input: Int) -> [Float] {
    Array(UnsafeBufferPointer(start: work.pointee.lanes[input], count: recorded))
  }

  /// The server's frame times at which a full-scale sample was recorded at the first input.
  public var clicks: [Int64] {
    let lane = work.pointee.lanes[0]
    return cycles.flatMap { cycle in
      (0..<cycle.count).filter { lane[cycle.place + $0] > 0.9 }.map { cycle.time + Int64($0) }
    }
  }

  /// Connects the ports `out_1`… of another client to the inputs. False while that client has none.
  public func listen(to other: String) -> Bool {
    (1...work.pointee.inputCount).map { connect("\(other):out_\($0)", "\(name):in_\($0)") }
      .allSatisfy { $0 == 0 || $0 == EEXIST }
  }

  // MARK: - Transport

  /// The transport's state, by JACK's numbers, and its frame.
  public var transport: (state: UInt32, frame: Int64) {
    Self.transport(client)
  }

  fileprivate static func transport(_ client: OpaquePointer) -> (state: UInt32, frame: Int64) {
    var position = jack_position_t()
    let state = jack_transport_query(client, &position)
    return (state.rawValue, Int64(position.frame))
  }

  /// Starts the transport.
  public func start() { jack_transport_start(client) }
  /// Stops the transport.
  public func stop() { jack_transport_stop(client) }
  /// Moves the transport to a frame.
  public func locate(_ frame: UInt32) { jack_transport_locate(client, frame) }
  /// Sets whether the server freewheels: runs cycles without waiting for time to pass.
  public func freewheel(_ isOn: Bool) -> Bool { jack_set_freewheel(client, isOn ? 1 : 0) == 0 }

  /// Becomes the timebase master: states bar and beat at this tempo from frame 0 of the transport on. False if JACK
  /// refuses.
  public func keepTime(beatsPerMinute: Double, beatsPerBar: Int) -> Bool {
    work.pointee.tempo.store(beatsPerMinute.bitPattern, ordering: .relaxed)
    work.pointee.beatsPerBar.store(beatsPerBar, ordering: .relaxed)
    return jack_set_timebase_callback(
      client, 0,
      { _, _, position, _, context in
        guard let position, let context else { return }
        context.assumingMemoryBound(to: Work.self).pointee.keepTime(of: position)
      }, work) == 0
  }

  // MARK: - Patchbay

  /// Adds a port that plays and records nothing.
  public func addPort(_ name: String) {
    let made = jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue), 0)
    if let made { ports.append(made) }
  }
  /// Removes the newest of the added ports.
  public func removePort() { if let port = ports.popLast() { jack_port_unregister(client, port) } }

  /// Connects two ports. Returns libjack's result: 0, or an error.
  @discardableResult
  public func connect(_ from: String, _ to: String) -> Int32 { jack_connect(client, from, to) }
  /// Disconnects two ports. Returns libjack's result: 0, or an error.
  @discardableResult
  public func disconnect(_ from: String, _ to: String) -> Int32 { jack_disconnect(client, from, to) }
  /// Whether two ports are connected.
  public func isConnected(_ port: String, _ other: String) -> Bool { connections(port).contains(other) }

  /// The full names of the ports that a port is connected to, sorted.
  public func connections(_ port: String) -> [String] {
    guard let handle = jack_port_by_name(client, port) else { return [] }
    return Self.list(jack_port_get_all_connections(client, handle)).sorted()
  }

  /// Full names of all ports of a client, in the server's order.
  public func ports(of name: String) -> [String] { Self.list(jack_get_ports(client, "^\(name):", nil, 0)) }

  /// JACK's flags of a port.
  public func flags(_ port: String) -> UInt32 {
    jack_port_by_name(client, port).map { UInt32(jack_port_flags($0)) } ?? 0
  }

  /// A property of a port: its value and type.
  public func property(_ port: String, _ key: String) -> (value: String, type: String)? {
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

/// The state that the process callback uses.
private struct Work: ~Copyable {
  struct Output: ~Copyable {
    let port: OpaquePointer
    /// 0 silence, 1 level, 2 tone.
    let kind = Atomic<UInt32>(0)
    /// The bits of a level.
    let level = Atomic<UInt32>(0)
    /// The server's frame of the first sample of the tone; -1 before.
    let begin = Atomic<Int64>(-1)

    init(port: OpaquePointer) { self.port = port }
  }

  static let cycleRoom = 200_000
  let client: OpaquePointer
  let outputs: UnsafeMutablePointer<Output>
  let outputCount: Int
  let inputs: UnsafeMutablePointer<OpaquePointer>
  let inputCount: Int
  /// The bits of the last sample at the first input.
  let heard = Atomic<UInt32>(0)
  /// Microseconds by which the next cycle is delayed.
  let delay = Atomic<UInt32>(0)
  let xruns = Atomic<Int>(0)
  /// The bits of the time of the last cycle and of the longest time between two, in seconds; 0 before there are any.
  let lastCycle = Atomic<UInt64>(0)
  let longestPause = Atomic<UInt64>(0)
  /// The timebase: the bits of a double in beats a minute, and beats in a bar.
  let tempo = Atomic<UInt64>(0)
  let beatsPerBar = Atomic<Int>(0)
  let recorded = Atomic<Int>(0)
  let cycleCount = Atomic<Int>(0)
  /// The largest number of samples of a recording, for each input.
  let room: Int
  let lanes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let cycles: UnsafeMutablePointer<JackPeer.Cycle>

  init(client: OpaquePointer, outputs: [OpaquePointer], inputs: [OpaquePointer], room: Int) {
    self.client = client
    self.room = room
    (outputCount, inputCount) = (outputs.count, inputs.count)
    self.outputs = .allocate(capacity: max(1, outputs.count))
    for (index, port) in outputs.enumerated() { (self.outputs + index).initialize(to: Output(port: port)) }
    self.inputs = .allocate(capacity: max(1, inputs.count))
    lanes = .allocate(capacity: max(1, inputs.count))
    for (index, port) in inputs.enumerated() {
      self.inputs[index] = port
      lanes[index] = .allocate(capacity: max(1, room))
    }
    cycles = .allocate(capacity: room > 0 ? Self.cycleRoom : 1)
  }

  deinit {
    for index in 0..<inputCount { lanes[index].deallocate() }
    outputs.deinitialize(count: outputCount)
    outputs.deallocate()
    inputs.deallocate()
    lanes.deallocate()
    cycles.deallocate()
  }

  func process(_ count: UInt32) {
    let began = now()
    let last = Double(bitPattern: lastCycle.exchange(began.bitPattern, ordering: .relaxed))
    let pause = last > 0 ? began - last : 0
    if pause > Double(bitPattern: longestPause.load(ordering: .relaxed)) {
      longestPause.store(pause.bitPattern, ordering: .relaxed)
    }
    let time = Int64(jack_last_frame_time(client))
    for index in 0..<outputCount { play(outputs + index, time, count) }
    if inputCount > 0 {
      if let buffer = vg_jack_buffer(UnsafeMutableRawPointer(inputs[0]), count) {
        heard.store(buffer[Int(count) - 1].bitPattern, ordering: .relaxed)
      }
      if room > 0 { record(time, count) }
    }
    let delay = delay.exchange(0, ordering: .relaxed)
    if delay > 0 { usleep(delay) }
  }

  private func play(_ output: UnsafeMutablePointer<Output>, _ time: Int64, _ count: UInt32) {
    guard let buffer = vg_jack_buffer(UnsafeMutableRawPointer(output.pointee.port), count) else { return }
    let kind = output.pointee.kind.load(ordering: .relaxed)
    guard kind == 2 else {
      let level =
        kind == 0 ? 0 : Float(bitPattern: output.pointee.level.load(ordering: .relaxed))
      for i in 0..<Int(count) { buffer[i] = level }
      return
    }
    if output.pointee.begin.load(ordering: .relaxed) < 0 {
      output.pointee.begin.store(time, ordering: .relaxed)
    }
    let first = time - output.pointee.begin.load(ordering: .relaxed)
    for i in 0..<Int(count) {
      buffer[i] = Float(0.5 * cos(Double((first + Int64(i)) % 48) * 2 * Double.pi / 48))
    }
  }

  func keepTime(of position: UnsafeMutablePointer<jack_position_t>) {
    let tempo = Double(bitPattern: tempo.load(ordering: .relaxed))
    let bar = beatsPerBar.load(ordering: .relaxed)
    let beats = Double(position.pointee.frame) / Double(position.pointee.frame_rate) * tempo / 60
    let whole = Int(beats)
    position.pointee.valid = JackPositionBBT
    position.pointee.bar = Int32(whole / bar + 1)
    position.pointee.beat = Int32(whole % bar + 1)
    position.pointee.tick = Int32((beats - Double(whole)) * 1920)
    position.pointee.bar_start_tick = Double(whole / bar * bar * 1920)
    position.pointee.beats_per_bar = Float(bar)
    position.pointee.beat_type = 4
    position.pointee.ticks_per_beat = 1920
    position.pointee.beats_per_minute = tempo
  }

  private func record(_ time: Int64, _ count: UInt32) {
    let place = recorded.load(ordering: .relaxed)
    let number = cycleCount.load(ordering: .relaxed)
    guard place + Int(count) <= room, number < Self.cycleRoom else { return }
    let (state, frame) = JackPeer.transport(client)
    for index in 0..<inputCount {
      guard let buffer = vg_jack_buffer(UnsafeMutableRawPointer(inputs[index]), count) else { return }
      for i in 0..<Int(count) { lanes[index][place + i] = buffer[i] }
    }
    cycles[number] = JackPeer.Cycle(state: state, frame: frame, time: time, place: place, count: Int(count))
    recorded.store(place + Int(count), ordering: .releasing)
    cycleCount.store(number + 1, ordering: .releasing)
  }
}
