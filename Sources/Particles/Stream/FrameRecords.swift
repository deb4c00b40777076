// `code` passes the fields of a record to a coder in their order; the coder reads or writes them.

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
  /// Whether the emitter begins anew. Then all pages take the state; otherwise only those that wait for one.
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

/// Where a number lies: the channel, and the byte offset in its encoded layer.
package struct NumberPlace: Hashable, Sendable {
  /// The channel, from 0.
  package var channel: UInt16
  /// The offset in bytes, within the encoded layer of the channel.
  package var place: UInt32

  /// Makes a place.
  package init(channel: UInt16 = 0, place: UInt32 = 0) { (self.channel, self.place) = (channel, place) }

  package mutating func code<C: ByteCoder>(_ coder: inout C) {
    coder.code("channel", &channel)
    coder.code("place", &place)
  }
}

/// The end of a `state` record: the places of the numbers that frames send by their index.
package struct NumberPlaces: Sendable {
  /// The places, in the order of the list.
  package var places: [NumberPlace]

  /// Makes a list of places.
  package init(_ places: [NumberPlace] = []) { self.places = places }

  package mutating func code<C: ByteCoder>(_ coder: inout C) {
    coder.name("places")
    coder.code(&places, new: NumberPlace()) { $0.code(&$1) }
  }
}

/// The end of a `frame` record: the changed numbers whose place is not in the `NumberPlaces` of the state.
package struct NumberChanges: Sendable {
  /// A number and its new value.
  package struct Change: Sendable {
    /// Where it lies.
    package var place: NumberPlace
    /// The value as it was sent. It may be NaN or infinite: only its bits are written into the encoded layer.
    package var value: Double

    /// Makes a change.
    package init(_ place: NumberPlace = NumberPlace(), _ value: Double = 0) {
      (self.place, self.value) = (place, value)
    }

    package mutating func code<C: ByteCoder>(_ coder: inout C) {
      place.code(&coder)
      coder.code("value", &value)
    }
  }

  /// The changes.
  package var changes: [Change]

  /// Makes a list of changes.
  package init(_ changes: [Change] = []) { self.changes = changes }

  package mutating func code<C: ByteCoder>(_ coder: inout C) {
    coder.name("changes")
    coder.code(&changes, new: Change()) { $0.code(&$1) }
  }
}
