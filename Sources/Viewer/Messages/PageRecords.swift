import Particles

/// A record that does not belong to a stage, in one numbering with those of `StageRecord`. [any]
enum PageRecord: UInt8, CaseIterable {
  /// Samples of a channel.
  case samples = 7
  /// The positions of LEDs.
  case ledPlaces = 9
  /// The colors of LEDs: red, green and blue of each that is sent.
  case ledColors = 10
  /// The master and the blackout, for viewers behind caches.
  case faders = 11

  /// The bytes of a record, with room for `rest` bytes more, which its body counts.
  func bytes(_ body: (inout ByteWriter) -> Void, rest: Int = 0) -> [UInt8] {
    var writer = ByteWriter()
    body(&writer)
    return StageRecord.head(of: rawValue, count: writer.bytes.count + rest) + writer.bytes
  }
}

/// The beginning of a `samples` record; the samples follow.
struct SamplesHead {
  /// In Hz.
  var rate: UInt32 = 0
  /// The position of the first sample on the timeline.
  var first: Int64 = 0

  mutating func code<C: ByteCoder>(_ coder: inout C) {
    coder.code("rate", &rate)
    coder.code("first", &first)
    coder.codeRest("samples", of: Float.self)
  }
}

/// The beginning of a `ledPlaces` record; x and y of each LED that is sent follow, 0…65534 across and down the stage,
/// or `nowhere`.
struct LedPlacesHead {
  /// What stands for no place.
  static let nowhere = UInt16.max

  /// The number of LEDs.
  var count: UInt32 = 0
  /// The step between those that are sent.
  var step: UInt32 = 1
  /// The width of an LED, as a part of the stage's.
  var width: Float = 0
  /// The height of an LED, as a part of the stage's.
  var height: Float = 0

  mutating func code<C: ByteCoder>(_ coder: inout C) {
    coder.code("count", &count)
    coder.code("step", &step)
    coder.code("width", &width)
    coder.code("height", &height)
    coder.codeRest("places", of: UInt16.self)
  }
}

/// The body of a `faders` record.
struct Faders: Equatable {
  /// 0…1.
  var master: Float = 1
  /// 1 in a blackout, else 0: the value at its OSC address.
  var blackout: UInt8 = 0

  mutating func code<C: ByteCoder>(_ coder: inout C) {
    coder.code("master", &master)
    coder.code("blackout", &blackout)
  }
}
