/// The beginning of a `frame` record; the changes of numbers follow.
package struct FrameHead: Sendable {
  /// The lower half of the frame's number.
  package var number: UInt32 = 0
  /// The lower half of the time when it ended, in microseconds of the server's monotonic clock.
  package var microseconds: UInt32 = 0
  /// How many frames the record stands for.
  package var merged: UInt16 = 0

  /// Makes the head of no frame.
  package init() {}

  package mutating func code<C: ByteCoder>(_ coder: inout C) {
    coder.code("number", &number)
    coder.code("microseconds", &microseconds)
    coder.code("merged", &merged)
  }
}

/// The body of a `brightness` record.
package struct FrameBrightness: Sendable {
  /// As in `FrameHead`.
  package var number: UInt32 = 0
  /// As in `FrameHead`.
  package var microseconds: UInt32 = 0
  /// What the colors of the finished picture are multiplied by, 0…1.
  package var factor: Float = 1

  /// Makes the brightness of no frame.
  package init() {}

  package mutating func code<C: ByteCoder>(_ coder: inout C) {
    coder.code("number", &number)
    coder.code("microseconds", &microseconds)
    coder.code("factor", &factor)
  }
}

/// The beginning of a `state` record; the layers and particles of all channels and the driven places follow.
package struct StateHead: Sendable {
  /// Whether pages that have another state must take it.
  package var isNew = false
  /// The id of the node, for random numbers.
  package var node = ""
  /// Seconds per frame.
  package var seconds = 0.0
  /// The number of the frame after which it holds.
  package var frame: UInt64 = 0
  /// The most particles of all channels together.
  package var room: UInt32 = 0
  /// How many channels there are.
  package var channels: UInt16 = 0

  /// Makes the head of an empty state.
  package init() {}

  package mutating func code<C: ByteCoder>(_ coder: inout C) {
    coder.code("isNew", &isNew)
    coder.code("node", &node)
    coder.code("seconds", bounded: &seconds)
    coder.code("frame", &frame)
    coder.code("room", &room)
    coder.code("channels", &channels)
  }
}
