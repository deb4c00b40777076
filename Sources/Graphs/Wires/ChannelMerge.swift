/// What one wire brings to a port.
struct IncomingWire {
  let wire: Wire
  let channels: [Channel]
  let sources: [CheckedInput.Source]
  /// Where at the port it goes; nil: as it comes.
  let places: [Int]?
}

/// Makes the channels of a port out of what arrives there.
struct ChannelMerge {
  let list: [IncomingWire]
  /// What a sentence calls the port.
  let port: String
  /// The width it must have, and the names its channels have where nothing better is known.
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

  /// Audio adds up, one channel spreads to all.
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

  /// Events meet as they come: every one has its channel with it, so the wires may differ in width.
  private func gathered() throws(Diagnostic) -> Filled {
    if fixed != nil || list.contains(where: { $0.places != nil }) { return try added() }
    var port = Port(list.map(\.channels.count).max() ?? 1, nil)
    for arrival in list {
      for index in arrival.channels.indices { port.add(arrival, index, at: index) }
    }
    return port.filled
  }

  /// Levels stand side by side, a single channel spreads where the width is given.
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

  /// Levels at places that the wires name: each place exactly once.
  private func placed() throws(Diagnostic) -> Filled {
    let last = list.compactMap(\.places).joined().max() ?? 0
    let width = fixed?.count ?? last + 1
    var port = Port(width, fixed)
    for arrival in list {
      guard let places = arrival.places else { throw .somePlaced(self.port, at: arrival.wire.end.mark) }
      try needSameWidth(arrival, places.count)
      for (index, place) in places.enumerated() {
        guard place < width else {
          throw .noSuchChannel(place + 1, of: self.port, count: width, at: arrival.wire.end.mark)
        }
        guard port.sources[place].isEmpty else {
          throw .placeTaken(place + 1, of: self.port, at: arrival.wire.end.mark)
        }
        port.add(arrival, arrival.channels.count == 1 ? 0 : index, at: place)
      }
    }
    if let empty = port.sources.firstIndex(where: \.isEmpty) {
      throw .placeEmpty(empty + 1, of: self.port, width, at: list[0].wire.end.mark)
    }
    return port.filled
  }

  private func needSameWidth(_ arrival: IncomingWire, _ places: Int) throws(Diagnostic) {
    if arrival.channels.count != 1, arrival.channels.count != places {
      throw .widths(arrival, arrival.wire.end.text, places, because: nil)
    }
  }
}

/// The channels of a port while they fill.
private struct Port {
  var sources: [[CheckedInput.Source]]
  private var names: [String?]
  /// What a channel carries besides its name, by place.
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
