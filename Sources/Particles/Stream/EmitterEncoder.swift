/// Tells pages how an emitter goes on: what has changed of its layers since the frame before, nothing of its particles.
///
/// A page begins with a state; from there on every record counts, in order. Numbers that have changed once are expected
/// to change again: they are listed, and a frame has four bytes for each that did, which is all of what a drive says
/// (drives are floats). [one]: [scene] while a show is live.
package final class EmitterEncoder {
  /// Numbers that a frame can list as new, or tell apart from the list; more than these make a layer anew.
  private static let mostChanges = 255
  /// Places that are listed at most: beyond, numbers are sent one by one.
  private static let mostPlaces = 4096

  /// A number of the layers: the channel, and the place in its layer's bytes.
  private struct Place: Hashable {
    let channel: UInt16
    let place: UInt32
  }

  private let emitter: UInt16
  private let node: String
  private let seconds: Double
  private let address: (String) -> String
  private var addresses: [String: String] = [:]
  /// The layers as the pages have them, by channel.
  private var layers: [[UInt8]] = []
  private var places: [Place] = []
  private var indices: [Place: Int] = [:]
  private var room = 0

  /// An encoder for the emitter that has a number in the stream. `node` decides random numbers, `seconds` are those of a
  /// frame; `address` says where a page finds the picture of a path, and is asked once for each.
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

  /// Appends the state of the systems as they are after a frame. `isNew`: those who have another must take it, as the
  /// emitter begins anew. `room`: the most particles of all channels together.
  package func appendState(
    _ systems: [ParticleSystem], frame: Int64, room: Int, isNew: Bool, to bytes: inout [UInt8]
  ) {
    self.room = room
    let current = systems.map { self.bytes($0.layer).bytes }
    // A decoder that goes on from an earlier state keeps its list of places; a new one must not disagree with it.
    if isNew || layers.map({ $0.count }) != current.map({ $0.count }) { (places, indices) = ([], [:]) }
    StageRecord.state.append(to: &bytes, emitter: emitter) { writer in
      writer.write(UInt8(isNew ? 1 : 0))
      writer.write(node)
      writer.write(seconds.bitPattern)
      writer.write(UInt64(bitPattern: frame))
      writer.write(UInt32(clamping: room))
      writer.write(UInt16(clamping: systems.count))
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

  /// Appends what a frame changes, and that it passes; `merged` frames at once. It ended at `microseconds` of the
  /// monotonic clock.
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
      writer.write(UInt32(truncatingIfNeeded: frame))
      writer.write(UInt32(truncatingIfNeeded: microseconds))
      writer.write(UInt16(clamping: merged))
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
    /// Places that come to the list.
    var new: [Place] = []
    /// Numbers that are listed, by their index there.
    var listed: [Int: Float] = [:]
    /// Numbers that no float holds, or that the list has no room for.
    var others: [(place: Place, bits: UInt64)] = []
  }

  /// Finds what has changed in a layer; false where that is more than numbers, or too much.
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

  /// Appends the fingerprints of the systems after a frame.
  package func appendPrint(_ systems: [ParticleSystem], frame: Int64, to bytes: inout [UInt8]) {
    StageRecord.print.append(to: &bytes, emitter: emitter) { writer in
      writer.write(UInt32(truncatingIfNeeded: frame))
      for system in systems { writer.write(system.fingerprint) }
    }
  }
}
