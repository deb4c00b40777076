/// An emitter in a page. The records of an `EmitterEncoder` set and advance its particle systems.
///
/// Records are untrusted. An invalid one is refused, and the page must then request a new state. [one]
package final class EmitterDecoder {
  /// The result of applying a record.
  package enum Outcome: Int32, Sendable, CaseIterable {
    /// It was applied.
    case taken = 0
    /// It does not apply now, which is no error: a state that is not needed, or an old frame.
    case ignored = 1
    /// A state is needed: none has come yet, or an earlier record failed.
    case lost = 2
    /// A state is needed: the particles differ from the sender's.
    case differs = 3
    /// The bytes are invalid.
    case broken = 4
  }

  /// The most frames by which one record may advance: a minute at 60 per second.
  private static let mostMerged = 3600

  /// The systems, by channel. Empty before the first state.
  package private(set) var systems: [ParticleSystem] = []
  /// The number of the last frame.
  package private(set) var frame: Int64 = 0
  /// Seconds per frame.
  package private(set) var seconds = 0.0
  /// Whether the decoder waits for a state.
  package private(set) var isLost = true

  /// The encoded layer of each channel.
  private var layers: [[UInt8]] = []
  /// The numbers that frames send by their index in this list: the channel, and the byte offset in its encoded layer.
  private var places: [NumberPlace] = []
  /// The most particles of all channels together.
  private var room = 0

  /// Makes a decoder that waits for its first state.
  package init() {}

  /// Applies a record of this emitter.
  package func take(_ kind: StageRecord, _ bytes: UnsafeRawBufferPointer) -> Outcome {
    var reader = ByteReader(bytes)
    if kind == .state { return takeState(&reader) }
    if isLost { return .lost }
    let outcome: Outcome
    switch kind {
    case .layer: outcome = takeLayer(&reader)
    case .frame: outcome = takeFrame(&reader)
    case .print: outcome = takePrint(&reader)
    case .room: outcome = takeRoom(&reader)
    case .stage, .state, .brightness: outcome = .ignored
    }
    if outcome != .taken && outcome != .ignored { isLost = true }
    return outcome
  }

  // MARK: - State

  private func takeState(_ reader: inout ByteReader) -> Outcome {
    var head = StateHead()
    head.code(&reader)
    guard head.isNew || isLost else { return .ignored }
    let (count, seconds) = (Int(head.channels), head.seconds)
    guard let layers = Self.readParts(&reader, count), let states = Self.readParts(&reader, count) else {
      return .broken
    }
    var systems: [ParticleSystem] = []
    for channel in layers.indices {
      guard let system = Self.readSystem(layers[channel], states[channel], head.node, channel, seconds) else {
        return .broken
      }
      systems.append(system)
    }
    var list = NumberPlaces()
    list.code(&reader)
    guard !reader.failed else { return .broken }
    (self.systems, self.seconds, self.frame) = (systems, seconds, Int64(bitPattern: head.frame))
    (self.room, self.places) = (Int(min(head.room, UInt32(Int32.max))), list.places)
    self.layers = layers.map { Array($0) }
    isLost = false
    return .taken
  }

  private static func readParts(_ reader: inout ByteReader, _ count: Int) -> [UnsafeRawBufferPointer]? {
    var parts: [UnsafeRawBufferPointer] = []
    for _ in 0..<count {
      var size: UInt32 = 0
      reader.code(&size)
      guard size <= UInt32(Int32.max), let part = reader.part(Int(size)) else { return nil }
      parts.append(part)
    }
    return parts
  }

  private static func readSystem(
    _ bytes: UnsafeRawBufferPointer, _ state: UnsafeRawBufferPointer, _ node: String, _ channel: Int,
    _ seconds: Double
  ) -> ParticleSystem? {
    guard let layer = readLayer(bytes) else { return nil }
    let system = ParticleSystem(layer, node: node, channel: channel)
    var reader = ByteReader(state)
    system.code(&reader)
    return reader.failed || reader.remaining > 0 || !isReady(system, seconds) ? nil : system
  }

  /// Whether a step takes at most `mostMerged` frames. Before its first frame a system may have to simulate a prewarm
  /// of an hour, which no record may demand of a page.
  private static func isReady(_ system: ParticleSystem, _ seconds: Double) -> Bool {
    system.hasStarted || !(system.layer.prewarm / seconds > Double(mostMerged))
  }

  private static func readLayer(_ bytes: UnsafeRawBufferPointer) -> Layer? {
    var reader = ByteReader(bytes)
    var layer = Layer()
    layer.code(&reader)
    return reader.failed || reader.remaining > 0 ? nil : layer
  }

  // MARK: - Records after a state

  private func takeRoom(_ reader: inout ByteReader) -> Outcome {
    var room: UInt32 = 0
    reader.code(&room)
    self.room = Int(min(room, UInt32(Int32.max)))
    return reader.failed ? .broken : .taken
  }

  private func takeLayer(_ reader: inout ByteReader) -> Outcome {
    var channel: UInt16 = 0
    reader.code(&channel)
    let channelIndex = Int(channel)
    guard channelIndex < layers.count, let bytes = reader.part(reader.remaining),
      let layer = Self.readLayer(bytes)
    else { return .broken }
    if bytes.count != layers[channelIndex].count { places = [] }
    layers[channelIndex] = Array(bytes)
    systems[channelIndex].layer = layer
    return .taken
  }

  private func takeFrame(_ reader: inout ByteReader) -> Outcome {
    var head = FrameHead()
    head.code(&reader)
    guard !reader.failed, Int(head.merged) <= Self.mostMerged else { return .broken }
    // A sender that falls behind skips frames, so numbers may jump ahead. They never go back.
    let ahead = Int32(truncatingIfNeeded: Int64(head.number) &- frame)
    guard ahead > 0 else { return .ignored }
    guard takeNumbers(&reader), systems.allSatisfy({ Self.isReady($0, seconds) }) else { return .broken }
    frame &+= Int64(ahead)
    step(Int(head.merged))
    return .taken
  }

  private func step(_ frames: Int) {
    ParticleSystem.advance(systems, room: room) { _, system in
      for _ in 0..<frames { system.step(seconds) }
    }
  }

  /// Reads the changed numbers of a frame and applies them: new places of the list, a bit and a float for each listed
  /// number that changed, then numbers with their places. False if the bytes are invalid.
  private func takeNumbers(_ reader: inout ByteReader) -> Bool {
    var changed: Set<Int> = []
    var new: UInt8 = 0
    reader.code(&new)
    for _ in 0..<Int(new) where !reader.failed {
      var place = NumberPlace()
      place.code(&reader)
      places.append(place)
    }
    guard !reader.failed, let bits = reader.part((places.count + 7) / 8) else { return false }
    for index in places.indices where bits[index / 8] >> UInt8(index % 8) & 1 == 1 {
      var float: UInt32 = 0
      reader.code(&float)
      guard set(places[index], Double(Float(bitPattern: float)).bitPattern, &changed) else { return false }
    }
    var others = NumberChanges()
    others.code(&reader)
    guard !reader.failed, reader.remaining == 0 else { return false }
    for other in others.changes {
      guard set(other.place, other.value.bitPattern, &changed) else { return false }
    }
    for channel in changed {
      let read = layers[channel].withUnsafeBytes { bytes -> Bool in
        var reader = ByteReader(bytes)
        systems[channel].layer.code(&reader)
        return !reader.failed
      }
      guard read else { return false }
    }
    return true
  }

  /// Writes a number into an encoded layer, and notes the channel in `changed`. False if there is no such place.
  private func set(
    _ place: NumberPlace, _ bits: UInt64, _ changed: inout Set<Int>
  ) -> Bool {
    let (channel, start) = (Int(place.channel), Int(min(place.place, UInt32(Int32.max))))
    guard channel < layers.count, start <= layers[channel].count - 8 else { return false }
    layers[channel].withUnsafeMutableBytes {
      $0.storeBytes(of: bits.littleEndian, toByteOffset: start, as: UInt64.self)
    }
    changed.insert(channel)
    return true
  }

  private func takePrint(_ reader: inout ByteReader) -> Outcome {
    var number: UInt32 = 0
    reader.code(&number)
    guard UInt32(truncatingIfNeeded: frame) == number else { return reader.failed ? .broken : .ignored }
    var isSame = true
    for system in systems {
      var print: UInt64 = 0
      reader.code(&print)
      if print != system.fingerprint { isSame = false }
    }
    return reader.failed ? .broken : isSame ? .taken : .differs
  }
}
