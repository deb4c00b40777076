import CParticles

/// Sprites of all populations in the order in which they are to be drawn; keeps its memory from frame to frame. [one]
struct DrawingOrder: ~Copyable {
  private var sprites = UnsafeMutableBufferPointer<Sprite>(start: nil, count: 0)
  /// For each sprite: its row, then its birth or depth as a key to sort by; the order; room to sort in.
  private var words = UnsafeMutableBufferPointer<UInt32>(start: nil, count: 0)

  deinit {
    sprites.deallocate()
    words.deallocate()
  }

  /// Appends what can be seen of all populations; `births` is the system's count of births, at its end of 2³².
  mutating func append(_ populations: [Population], _ layer: Layer, births: UInt32, to list: inout [Sprite]) {
    reserve(populations.reduce(0) { $0 + $1.count })
    guard let all = sprites.baseAddress, let words = words.baseAddress else { return }
    let sorted = layer.renderMode != .unordered && layer.renderMode != .additive
    let room = sprites.count
    let (keys, order, spare) = (words, words + room, words + 2 * room)
    var shown = 0
    for population in populations where population.count > 0 {
      let cell = layer.cell(at: population.path)
      if cell.contents == .none { continue }
      var showing = vg_showing(population, layer)
      let some = vg_show(&population.all, &showing, all + shown, sorted ? keys + shown : nil)
      if sorted {
        let natures = population.all.natures
        // Births since then, backwards: the oldest is the least, wherever the count wrapped round.
        for i in shown..<shown + some { keys[i] = ~(births &- natures[Int(keys[i])].order) }
      }
      shown += some
    }
    guard sorted else {
      list.append(contentsOf: UnsafeBufferPointer(rebasing: sprites[..<shown]))
      return
    }
    for i in 0..<shown { order[i] = UInt32(i) }
    if layer.renderMode == .oldestLast { for i in 0..<shown { keys[i] = ~keys[i] } }
    vg_sort(keys, order, spare, shown)
    if layer.renderMode == .backToFront {
      for i in 0..<shown { keys[i] = Self.key(all[i].z) }
      vg_sort(keys, order, spare, shown)
    }
    list.reserveCapacity(list.count + shown)
    for i in 0..<shown { list.append(all[Int(order[i])]) }
  }

  /// A number that has the order of the float.
  private static func key(_ z: Float) -> UInt32 {
    let bits = (z + 0).bitPattern
    return bits & 0x8000_0000 == 0 ? bits | 0x8000_0000 : ~bits
  }

  private mutating func reserve(_ count: Int) {
    guard count > sprites.count else { return }
    sprites.deallocate()
    words.deallocate()
    let room = max(256, count + count / 2)
    sprites = .allocate(capacity: room)
    words = .allocate(capacity: 3 * room)
  }
}

extension vg_showing {
  fileprivate init(_ population: Population, _ layer: Layer) {
    let growths = population.growths
    self.init(
      now: Float(population.clock), scale: growths.scale.float, red: growths.red.float,
      green: growths.green.float, blue: growths.blue.float, alpha: growths.alpha.float,
      tintRed: Float(layer.tint.red.tamed(0...1)), tintGreen: Float(layer.tint.green.tamed(0...1)),
      tintBlue: Float(layer.tint.blue.tamed(0...1)), tintAlpha: Float(layer.tint.alpha.tamed(0...1)),
      look: population.look)
  }
}

extension SpriteLook {
  init(_ cell: Cell) {
    self.init(
      contents: cell.contents, rect: cell.contentsRect, contentsScale: cell.contentsScale,
      minification: cell.minificationFilter, magnification: cell.magnificationFilter,
      minificationBias: cell.minificationFilterBias)
  }
}
