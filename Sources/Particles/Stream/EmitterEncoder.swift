/// Encodes, for pages, the changes of an emitter's layers from frame to frame. Particles are not sent, because pages
/// simulate them.
///
/// A page begins with a state and needs every record after it, in order. A number that has changed once probably
/// changes again, so it joins a list of places. From then on, a frame sends four bytes when it changes: drives are
/// floats. [one]: [scene] while a show is live.
package final class EmitterEncoder {
  /// The most places that a frame can add to the list, and the most numbers that it can send by their own places. If
  /// more numbers change, the whole layer is sent.
  private static let mostChanges = 255
  /// The most places in the list. Other numbers are sent with their own places.
  private static let mostPlaces = 4096

  private let emitter: UInt16
  private let node: String
  private let seconds: Double
  private let address: (String) -> String
  private var addresses: [String: String] = [:]
  /// The encoded layers that the pages have, by channel.
  private var layers: [[UInt8]] = []
  /// The list of places, and the index of each.
  private var places: [NumberPlace] = []
  private var indices: [NumberPlace: Int] = [:]
  /// The most particles of all channels together, as last sent.
  private var room = 0

  /// Makes an encoder. `emitter` is the number of the emitter in the stream, `node` the id that determines its random
  /// numbers, `seconds` the length of a frame. `address` returns the address of a picture for pages, and is called once
  /// per path.
  package init(
    emitter: UInt16, node: String, seconds: Double, address: @escaping (_ path: String) -> String
  ) {
    self.emitter = emitter
    self.node = node
    self.seconds = seconds
    self.address = address
  }

  /// Encodes a layer, with addresses of pictures for pages in place of their paths.
  private func encode(_ layer: Layer) -> ByteWriter {
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

  /// Appends the state of the systems after a frame. `isNew`: the emitter begins anew, and all pages must take the
  /// state; otherwise pages that have a state ignore it. `room` is the most particles of all channels together.
  package func appendState(
    _ systems: [ParticleSystem], frame: Int64, room: Int, isNew: Bool, to bytes: inout [UInt8]
  ) {
    self.room = room
    let current = systems.map { self.encode($0.layer).bytes }
    // A decoder that ignores this state keeps its list of places, so a decoder that takes it needs the same list.
    if isNew || layers.map({ $0.count }) != current.map({ $0.count }) { (places, indices) = ([], [:]) }
    StageRecord.state.append(to: &bytes, emitter: emitter) { writer in
      var head = StateHead()
      (head.isNew, head.node, head.seconds) = (isNew, node, seconds)
      (head.frame, head.room) = (UInt64(bitPattern: frame), UInt32(clamping: room))
      head.channels = UInt16(clamping: systems.count)
      head.code(&writer)
      for layer in current { writer.write(part: layer) }
      for system in systems {
        var state = ByteWriter()
        state.bytes.reserveCapacity(system.codedSize)
        system.code(&state)
        writer.write(part: state.bytes)
      }
      var list = NumberPlaces(places)
      list.code(&writer)
    }
    layers = current
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
      let encoded = self.encode(layer)
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

  /// Clears the list, because the numbers of a layer whose length has changed have other places. Changes that were
  /// found in other channels are sent with their own places.
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
    var new: [NumberPlace] = []
    /// Changed numbers in the list, by their index there.
    var listed: [Int: Float] = [:]
    /// Numbers that a float cannot represent exactly, or for which the list has no room.
    var others: [(place: NumberPlace, bits: UInt64)] = []
  }

  /// Finds the changes of a layer. Returns false if too many numbers have changed, or something other than a number.
  private func collect(_ encoded: ByteWriter, _ channel: Int, _ changes: inout Changes) -> Bool {
    var known = layers[channel]
    if known == encoded.bytes { return true }
    guard known.count == encoded.bytes.count else { return false }
    for place in encoded.places {
      let bits = Self.bits(encoded.bytes, place)
      guard bits != Self.bits(known, place) else { continue }
      for index in place..<place + 8 { known[index] = encoded.bytes[index] }
      addChange(NumberPlace(channel: UInt16(channel), place: UInt32(place)), bits, &changes)
    }
    guard known == encoded.bytes, changes.others.count <= Self.mostChanges else { return false }
    layers[channel] = known
    return true
  }

  private static func bits(_ bytes: [UInt8], _ place: Int) -> UInt64 {
    bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt64.self)) }
  }

  /// Adds a changed number: to the listed ones if a float represents it exactly and the list has room.
  private func addChange(_ place: NumberPlace, _ bits: UInt64, _ changes: inout Changes) {
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
      var place = place
      place.code(&writer)
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
    var others = NumberChanges(changes.others.map { .init($0.place, Double(bitPattern: $0.bits)) })
    others.code(&writer)
  }

  /// Appends the fingerprints of the systems after a frame. Pages compare them with those of their own systems.
  package func appendPrint(_ systems: [ParticleSystem], frame: Int64, to bytes: inout [UInt8]) {
    StageRecord.print.append(to: &bytes, emitter: emitter) { writer in
      writer.write(UInt32(truncatingIfNeeded: frame))
      for system in systems { writer.write(system.fingerprint) }
    }
  }
}
