import DMX
import Engine
import Graphs

/// Makes the packets of pixels as DMX universes. [one]
final class PixelUniverses: PixelPackets {
  private let places: PixelSlots
  private let streams: [any UniverseStream]
  /// The universes for which packets of priorities are sent as well.
  private let prioritized: [Int]
  /// The present priority of slots, 1…200.
  private let priority: () -> UInt8
  /// Called with changed universes, which go to the destinations as well.
  private let observer: UniverseObserver?
  /// By universe: whether the observer has been called with it.
  private var wasObserved: [Bool]
  /// The parts for levels, then those for priorities, which have no bytes.
  let parts: [Range<Int>]

  init(
    _ places: PixelSlots, _ streams: [any UniverseStream], observer: UniverseObserver?,
    priority: @escaping () -> UInt8 = { 100 }
  ) {
    (self.places, self.streams, self.observer, self.priority) = (places, streams, observer, priority)
    prioritized = streams.indices.filter { streams[$0].priorities != nil }
    wasObserved = streams.map { _ in false }
    parts = places.parts + prioritized.map { _ in 0..<0 }
  }

  func outlet(of part: Int) -> Int { part < streams.count ? part : prioritized[part - streams.count] }

  func make(
    _ part: Int, of bytes: UnsafeRawBufferPointer, at seconds: Double,
    _ take: (UnsafeRawBufferPointer) -> Bool
  ) {
    guard part < streams.count else {
      if let packet = makePriorities(prioritized[part - streams.count]) { _ = take(packet) }
      return
    }
    let slots = streams[part].slots
    var hasChanged = !wasObserved[part]
    for piece in places.pieces[part] {
      let new = UnsafeRawBufferPointer(rebasing: bytes[piece.bytes])
      let old = UnsafeMutableRawBufferPointer(
        UnsafeMutableBufferPointer(rebasing: slots[piece.slot..<piece.slot + new.count]))
      if observer != nil { hasChanged = hasChanged || !old.elementsEqual(new) }
      old.copyMemory(from: new)
    }
    if hasChanged, let observer { observer(places.universes[part], UnsafeBufferPointer(slots), seconds) }
    wasObserved[part] = true
    _ = take(streams[part].next())
  }

  /// The packet of priorities of a universe; nil: none are sent.
  private func makePriorities(_ universe: Int) -> UnsafeRawBufferPointer? {
    guard let slots = streams[universe].priorities else { return nil }
    for piece in places.pieces[universe] {
      slots[piece.slot..<piece.slot + piece.bytes.count].update(repeating: priority())
    }
    return streams[universe].nextPriorities()
  }

  func makeEnd(_ part: Int) -> UnsafeRawBufferPointer? {
    part < streams.count ? streams[part].nextTermination() : nil
  }
}
