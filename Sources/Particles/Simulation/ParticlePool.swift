import CParticles

/// The living particles of one cell, whichever parent emitted them. They are a structure of arrays: columns of floats,
/// whose memory grows on demand. [scene]
final class ParticlePool {
  /// The most particles alive, whatever the layer's limit: 2²⁴.
  static let most = 1 << 24

  /// The index of the cell at each depth of the layer's tree.
  let path: [Int]
  let identity: RandomIdentity
  /// The pool whose particles emit these; nil for an outer cell.
  let parent: ParticlePool?
  /// The column of the parent pool that holds the fractions of births owed to this cell.
  let carryColumn: UInt32
  /// The number of columns.
  let columns: UInt32
  /// The index of the cell's material.
  let material: Int32

  /// The particles, as the kernels take them.
  var all: vg_particles
  /// Particles for which there is memory.
  private var capacity = 0
  /// A scratch list of rows: those to remove, or the number of births for each parent.
  private(set) var rows: UnsafeMutablePointer<UInt32>
  /// The first row born in this frame.
  var firstYoung = 0
  /// Whether any particle may have a z, or a velocity or acceleration along it.
  var hasDepth = false

  /// The number of births so far, which is also the number of the next birth.
  var number: UInt64 = 0
  /// The fraction of a birth carried over to the next frame; outer cells only.
  var owed = 0.0
  /// Seconds of the cell's own time since the clock was last rebased.
  var clock = 0.0
  /// The growth that all particles share.
  var drifts = (
    scale: DriftAccumulator(), red: DriftAccumulator(), green: DriftAccumulator(), blue: DriftAccumulator(),
    alpha: DriftAccumulator()
  )
  /// Frames since the clock was last rebased.
  var frames = 0
  /// A cache of the random words, with the seed and the era for which they were computed.
  var random: (random: vg_random, seed: UInt32, era: UInt32)?

  var count: Int { all.count }

  init(path: [Int], identity: RandomIdentity, parent: ParticlePool?, cells: Int, material: Int) {
    self.path = path
    self.identity = identity
    self.parent = parent
    self.material = Int32(material)
    carryColumn = UInt32(VG_CARRY) + UInt32(path.last ?? 0)
    columns = UInt32(VG_CARRY) + UInt32(cells)
    rows = .allocate(capacity: 1)
    all = vg_particles(columns: Self.memory(64), attributes: Self.memory(1), stride: 0, count: 0)
  }

  deinit {
    rows.deallocate()
    all.columns.deallocate()
    all.attributes.deallocate()
  }

  /// Makes a pool for each cell of a layer, level by level, so that a cell comes before its inner cells.
  static func tree(of layer: Layer, identity: RandomIdentity) -> [ParticlePool] {
    var found: [ParticlePool] = []
    func add(_ cells: [Cell], _ path: [Int], _ identity: RandomIdentity, _ parent: ParticlePool?) {
      // Names are compared as bytes. A comparison of strings would put Unicode tables into the page's module.
      var names: [[UInt8]: Int] = [:]
      for (i, cell) in cells.enumerated() {
        let name = Array(cell.name.utf8)
        let twin = names[name, default: 0]
        names[name] = twin + 1
        let own = identity.inner(cell.name, twin: twin)
        found.append(
          ParticlePool(
            path: path + [i], identity: own, parent: parent, cells: cell.cells.count, material: found.count))
      }
    }
    add(layer.cells, [], identity, nil)
    var next = 0
    while next < found.count {
      let pool = found[next]
      add(layer.cell(at: pool.path).cells, pool.path, pool.identity, pool)
      next += 1
    }
    return found
  }

  /// Makes room for `count` particles in total.
  func reserve(_ count: Int) {
    guard count > capacity else { return }
    let grown = max(256, max(count, min(capacity * 2, Self.most)))
    capacity = (grown + 63) / 64 * 64
    // Columns at the same offset within a memory page would evict each other from the cache.
    let stride = capacity + 80
    let memory: UnsafeMutablePointer<Float> = Self.memory(stride * Int(columns))
    for c in 0..<Int(columns) {
      (memory + c * stride).update(from: all.columns + c * all.stride, count: all.count)
    }
    let attributes: UnsafeMutablePointer<vg_attributes> = Self.memory(capacity)
    attributes.update(from: all.attributes, count: all.count)
    all.columns.deallocate()
    all.attributes.deallocate()
    all.columns = memory
    all.attributes = attributes
    all.stride = stride
    rows.deallocate()
    rows = .allocate(capacity: capacity)
  }

  /// Allocates zeroed memory aligned to a cache line of 64 bytes.
  private static func memory<T: BitwiseCopyable>(_ count: Int) -> UnsafeMutablePointer<T> {
    let bytes = count * MemoryLayout<T>.stride
    let raw = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    raw.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    return raw.bindMemory(to: T.self, capacity: count)
  }

  /// Continues a hash with the exact bits of all state that determines the next frames.
  func fingerprint(into hash: UInt64) -> UInt64 {
    var hash = hash
    for c in 0..<Int(columns) where c != VG_LEFT {
      hash = vg_hash(hash, all.columns + c * all.stride, all.count)
    }
    hash = vg_hash(hash, all.attributes, all.count * MemoryLayout<vg_attributes>.stride / 4)
    for number in [
      clock, owed, drifts.scale.sum, drifts.red.sum, drifts.green.sum, drifts.blue.sum, drifts.alpha.sum,
      Double(all.count), Double(number),
    ] {
      var bits = number.bitPattern
      hash = vg_hash(hash, &bits, 2)
    }
    return hash
  }
}

extension Layer {
  /// The cell at a path of indices, or an empty cell where the tree has changed.
  func cell(at path: [Int]) -> Cell {
    guard let first = path.first, cells.indices.contains(first) else { return Cell() }
    var cell = cells[first]
    for i in path.dropFirst() {
      guard cell.cells.indices.contains(i) else { return Cell() }
      cell = cell.cells[i]
    }
    return cell
  }
}
