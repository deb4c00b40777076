/// Encodes for pages how an emitter goes on: the changes of its layers since the frame before. Particles are not
/// sent, because pages simulate them.
///
/// A page begins with a state and needs every record after it, in order. A number that has changed once probably
/// changes again, so it joins a list. A frame then sends four bytes for each listed number that changed; that is
/// enough for drives, which are floats. [one]: [scene] while a show is live.
package final class EmitterEncoder {
  /// The most numbers that a frame can add to the list, and the most that it can send outside of it. Beyond that the
  /// whole layer is sent.
  private static let mostChanges = 255
  /// Places that are listed at most: beyond, numbers are sent one by one.
  private static let mostPlaces = 4096

  /// A number of the layers: the channel, and the byte offset in its encoded layer.
  private struct Place: Hashable {
    let channel: UInt16
    let place: UInt32
  }

  private let emitter: UInt16
  private let node: String
  private let seconds: Double
  private let address: (String) -> String
  private var addresses: [String: String] = [:]
  /// The encoded layers that the pages have, by channel.
  private var layers: [[UInt8]] = []
  private var places: [Place] = []
  private var indices: [Place: Int] = [:]
  private var room = 0

  /// Makes an encoder for the emitter of that number in the stream. `node` determines random numbers; `seconds` is
  /// the length of a frame. `address` maps the path of a picture to its address for pages, and is called once per
  /// path.
  package init(
    emitter: UInt16, node: String, seconds: Double, address: @escaping (_ path: String) -> String
  ) {
    self.emitter = emitter
    self.node = node
    self.seconds = seconds
    self.address = address
  }

  private func bytes(_ layer: Layer) -> ByteWriter {
    var layer = layer.replacingPictures { path in
      if let known = addresses[path] { return known }
      let found = address(path)
      addresses[path] = found
      return found
    }
    var writer = ByteWriter()
    layer.code(&writer)
    return writer
  }

  /// Appends the state of the systems after a frame. With `isNew`, pages that have another state must replace it,
  /// because the emitter begins anew. `room` is the most particles of all channels together.
  package func appendState(
    _ systems: [ParticleSystem], frame: Int64, room: Int, isNew: Bool, to bytes: inout [UInt8]
  ) {
    self.room = room
    let current = systems.map { self.bytes($0.layer).bytes }
    // A decoder that continues from an earlier state keeps its list of places, and a new decoder needs the same one.
    if isNew || layers.map({ $0.count }) != current.map({ $0.count }) { (places, indices) = ([], [:]) }
    StageRecord.state.append(to: &bytes, emitter: emitter) { writer in
      var head = StateHead()
      (head.isNew, head.node, head.seconds) = (isNew, node, seconds)
      (head.frame, head.room) = (UInt64(bitPattern: frame), UInt32(clamping: room))
      head.channels = UInt16(clamping: systems.count)
      head.code(&writer)
      for layer in current {
        writer.write(UInt32(layer.count))
        writer.bytes.append(contentsOf: layer)
      }
      for system in systems {
        var state = ByteWriter()
        state.bytes.reserveCapacity(system.codedSize)
        system.code(&state)
        writer.write(UInt32(state.bytes.count))
        writer.bytes.append(contentsOf: state.bytes)
      }
      writer.write(UInt16(places.count))
      for place in places { write(place, to: &writer) }
    }
    layers = current
  }

  private func write(_ place: Place, to writer: inout ByteWriter) {
    writer.write(place.channel)
    writer.write(place.place)
  }

  /// Appends the changes of a frame, and the command to advance `merged` frames at once. The frame ended at
  /// `microseconds` of the monotonic clock.
  package func appendFrame(
    _ current: [Layer], frame: Int64, microseconds: UInt64, merged: Int, room: Int, to bytes: inout [UInt8]
  ) {
    if room != self.room {
      self.room = room
      StageRecord.room.append(to: &bytes, emitter: emitter) { $0.write(UInt32(clamping: room)) }
    }
    var changes = Changes()
    for (channel, layer) in current.enumerated() where channel < layers.count {
      let encoded = self.bytes(layer)
      var found = changes
      if collect(encoded, channel, &found) {
        changes = found
      } else {
        if encoded.bytes.count != layers[channel].count { forgetPlaces(&changes) }
        layers[channel] = encoded.bytes
        StageRecord.layer.append(to: &bytes, emitter: emitter) {
          $0.write(UInt16(channel))
          $0.bytes.append(contentsOf: encoded.bytes)
        }
      }
    }
    StageRecord.frame.append(to: &bytes, emitter: emitter) { writer in
      var head = FrameHead()
      head.number = UInt32(truncatingIfNeeded: frame)
      head.microseconds = UInt32(truncatingIfNeeded: microseconds)
      head.merged = UInt16(clamping: merged)
      head.code(&writer)
      append(changes, to: &writer)
    }
  }

  /// Numbers of a layer that has become longer or shorter stand elsewhere: the list begins anew, and what was found in
  /// other channels is sent number by number.
  private func forgetPlaces(_ changes: inout Changes) {
    for (index, float) in changes.listed {
      let place = index < places.count ? places[index] : changes.new[index - places.count]
      changes.others.append((place, Double(float).bitPattern))
    }
    (changes.new, changes.listed) = ([], [:])
    (places, indices) = ([], [:])
  }

  private struct Changes {
    /// Places that join the list.
    var new: [Place] = []
    /// Changed numbers in the list, by their index there.
    var listed: [Int: Float] = [:]
    /// Numbers that a float cannot represent, or for which the list has no room.
    var others: [(place: Place, bits: UInt64)] = []
  }

  /// Finds the changes of a layer. Returns false where more than numbers has changed, or too many of them.
  private func collect(_ encoded: ByteWriter, _ channel: Int, _ changes: inout Changes) -> Bool {
    var known = layers[channel]
    if known == encoded.bytes { return true }
    guard known.count == encoded.bytes.count else { return false }
    for place in encoded.places {
      let bits = Self.bits(encoded.bytes, place)
      guard bits != Self.bits(known, place) else { continue }
      for index in place..<place + 8 { known[index] = encoded.bytes[index] }
      note(Place(channel: UInt16(channel), place: UInt32(place)), bits, &changes)
    }
    guard known == encoded.bytes, changes.others.count <= Self.mostChanges else { return false }
    layers[channel] = known
    return true
  }

  private static func bits(_ bytes: [UInt8], _ place: Int) -> UInt64 {
    bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt64.self)) }
  }

  private func note(_ place: Place, _ bits: UInt64, _ changes: inout Changes) {
    let number = Double(bitPattern: bits)
    let float = Float(number)
    guard Double(float).bitPattern == bits else {
      changes.others.append((place, bits))
      return
    }
    if let index = indices[place] {
      changes.listed[index] = float
    } else if places.count + changes.new.count < Self.mostPlaces, changes.new.count < Self.mostChanges {
      changes.listed[places.count + changes.new.count] = float
      changes.new.append(place)
    } else {
      changes.others.append((place, bits))
    }
  }

  private func append(_ changes: Changes, to writer: inout ByteWriter) {
    writer.write(UInt8(changes.new.count))
    for place in changes.new {
      write(place, to: &writer)
      indices[place] = places.count
      places.append(place)
    }
    for first in stride(from: 0, to: places.count, by: 8) {
      var byte: UInt8 = 0
      for bit in 0..<8 where changes.listed[first + bit] != nil { byte |= 1 << bit }
      writer.write(byte)
    }
    for index in places.indices {
      if let float = changes.listed[index] { writer.write(float.bitPattern) }
    }
    writer.write(UInt16(changes.others.count))
    for other in changes.others {
      write(other.place, to: &writer)
      writer.write(other.bits)
    }
  }

  /// Appends the fingerprints of the systems after a frame, by which pages check theirs.
  package func appendPrint(_ systems: [ParticleSystem], frame: Int64, to bytes: inout [UInt8]) {
    StageRecord.print.append(to: &bytes, emitter: emitter) { writer in
      writer.write(UInt32(truncatingIfNeeded: frame))
      for system in systems { writer.write(system.fingerprint) }
    }
  }
}
