/// The channels that one wire leads to a port.
struct IncomingWire {
  let wire: Wire
  let channels: [Channel]
  let sources: [CheckedInput.Source]
  /// The channels of the port, from 0, to which the wire leads; nil: the file states none.
  let places: [Int]?
}

/// Merges the channels of all wires at a port.
struct ChannelMerge {
  let list: [IncomingWire]
  /// The port as messages name it.
  let port: String
  /// The channels that the port must have, as many and with these names; nil: the wires decide.
  let fixed: [Channel]?
  let type: PortType

  typealias Filled = (channels: [Channel], sources: [[CheckedInput.Source]])

  func filled() throws(Diagnostic) -> Filled {
    switch type {
    case .audio: try added()
    case .event, .picture: try gathered()
    case .decibels, .level, .number, .light, .pixels: try sideBySide()
    }
  }

  /// Merges audio: the wires are summed channel by channel, and a wire of one channel goes to all.
  private func added() throws(Diagnostic) -> Filled {
    let whole = list.filter { $0.places == nil }
    var width = fixed?.count
    var wide: IncomingWire?
    if width == nil {
      wide = whole.first { $0.channels.count != 1 }
      let last = list.compactMap(\.places).joined().max().map { $0 + 1 } ?? 1
      width = wide?.channels.count ?? last
    }
    let count = width ?? 1
    var port = Port(count, fixed)
    for arrival in list {
      let spread = arrival.channels.count == 1
      if let places = arrival.places {
        if let place = places.first(where: { $0 >= count }) {
          throw .noSuchChannel(place + 1, of: self.port, count: count, at: arrival.wire.end.mark)
        }
        try needSameWidth(arrival, places.count)
        for (index, place) in places.enumerated() { port.add(arrival, spread ? 0 : index, at: place) }
      } else {
        guard spread || arrival.channels.count == count else {
          throw .widths(arrival, self.port, count, because: wide?.wire.start.text)
        }
        for place in 0..<count {
          port.add(arrival, spread ? 0 : place, at: place, named: !spread || count == 1)
        }
      }
    }
    return port.filled
  }

  /// Merges events and pictures. The wires may differ in width, because every event carries its channel.
  private func gathered() throws(Diagnostic) -> Filled {
    if fixed != nil || list.contains(where: { $0.places != nil }) { return try added() }
    var port = Port(list.map(\.channels.count).max() ?? 1, nil)
    for arrival in list {
      for index in arrival.channels.indices { port.add(arrival, index, at: index) }
    }
    return port.filled
  }

  /// Puts levels side by side, in the order of the wires. A single channel goes to all channels of a port of fixed
  /// width.
  private func sideBySide() throws(Diagnostic) -> Filled {
    if list.contains(where: { $0.places != nil }) { return try placed() }
    let total = list.reduce(0) { $0 + $1.channels.count }
    if total > Limits.channels { throw .tooManyChannels(port, at: list[list.count - 1].wire.end.mark) }
    let width = fixed?.count ?? total
    var port = Port(width, fixed)
    if total == 1, fixed != nil, let arrival = list.first(where: { $0.channels.count == 1 }) {
      for place in 0..<width { port.add(arrival, 0, at: place, named: width == 1) }
      return port.filled
    }
    guard total == width else { throw .widths(list, self.port, width) }
    var place = 0
    for arrival in list {
      for index in arrival.channels.indices {
        port.add(arrival, index, at: place)
        place += 1
      }
    }
    return port.filled
  }

  /// Puts levels at the channels that the wires state. Every channel must get exactly one level.
  private func placed() throws(Diagnostic) -> Filled {
    let last = list.compactMap(\.places).joined().max() ?? 0
    let width = fixed?.count ?? last + 1
    var port = Port(width, fixed)
    for arrival in list {
      guard let places = arrival.places else { throw .targetMissing(self.port, at: arrival.wire.end.mark) }
      try needSameWidth(arrival, places.count)
      for (index, place) in places.enumerated() {
        guard place < width else {
          throw .noSuchChannel(place + 1, of: self.port, count: width, at: arrival.wire.end.mark)
        }
        guard port.sources[place].isEmpty else {
          throw .targetTaken(place + 1, of: self.port, at: arrival.wire.end.mark)
        }
        port.add(arrival, arrival.channels.count == 1 ? 0 : index, at: place)
      }
    }
    if let empty = port.sources.firstIndex(where: \.isEmpty) {
      throw .targetEmpty(empty + 1, of: self.port, width, at: list[0].wire.end.mark)
    }
    return port.filled
  }

  private func needSameWidth(_ arrival: IncomingWire, _ places: Int) throws(Diagnostic) {
    if arrival.channels.count != 1, arrival.channels.count != places {
      throw .widths(arrival, arrival.wire.end.text, places, because: nil)
    }
  }
}

/// The channels of a port during the merge.
private struct Port {
  var sources: [[CheckedInput.Source]]
  private var names: [String?]
  /// The channel of the last wire to each place, of which the light and the pixels are kept.
  private var carried: [Channel?]

  init(_ count: Int, _ fixed: [Channel]?) {
    sources = Array(repeating: [], count: count)
    carried = Array(repeating: nil, count: count)
    names = (0..<count).map { index in fixed.flatMap { index < $0.count ? $0[index].name : nil } }
  }

  mutating func add(_ arrival: IncomingWire, _ index: Int, at place: Int, named: Bool = true) {
    sources[place].append(arrival.sources[index])
    carried[place] = arrival.channels[index]
    if named, names[place] == nil { names[place] = arrival.channels[index].name }
  }

  var filled: ChannelMerge.Filled {
    let channels = names.indices.map {
      Channel($0 + 1, name: names[$0], light: carried[$0]?.light, pixels: carried[$0]?.pixels)
    }
    return (channels, sources)
  }
}
