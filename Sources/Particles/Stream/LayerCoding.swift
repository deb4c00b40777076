/// The binary format of a layer. One function reads and writes all properties. The stream refers to a number of a layer
/// by its byte offset in this format.
///
/// A cell takes about 300 bytes. A new property of `Layer` or `Cell` must be added here, too; a test checks that each
/// property is coded.
extension Layer {
  /// The deepest nesting of cells, more than a graph file can hold. Deeper cells are left out.
  static let deepest = 32
  /// The most cells of a node, inner cells included, and so the most in one list.
  package static let mostCells = 16_384

  package mutating func code<C: ByteCoder>(_ coder: inout C) {
    coder.code(&birthRate)
    coder.code(&lifetime)
    coder.code(&position.x)
    coder.code(&position.y)
    coder.code(&zPosition)
    coder.code(&size.width)
    coder.code(&size.height)
    coder.code(&depth)
    coder.code(&velocity)
    coder.code(&scale)
    coder.code(&spin)
    coder.code(&prewarm)
    tint.code(&coder)
    timing.code(&coder)
    coder.code(&seed)
    coder.code(&limit, most: ParticlePool.most)
    coder.code(choice: &shape)
    coder.code(choice: &mode)
    coder.code(choice: &renderMode)
    coder.code(choice: &ranges)
    coder.code(choice: &latitudes)
    coder.code(choice: &directions)
    coder.code(choice: &lifetimes)
    coder.code(choice: &growth)
    coder.code(&preservesDepth)
    Cell.code(&cells, &coder, depth: 0)
  }

  /// A copy with the address of each picture replaced.
  package func replacingPictures(_ address: (String) -> String) -> Layer {
    var layer = self
    for index in layer.cells.indices { layer.cells[index].replacePictures(address) }
    return layer
  }
}

extension Color {
  fileprivate mutating func code<C: ByteCoder>(_ coder: inout C) {
    coder.code(&red)
    coder.code(&green)
    coder.code(&blue)
    coder.code(&alpha)
  }
}

extension Timing {
  fileprivate mutating func code<C: ByteCoder>(_ coder: inout C) {
    coder.code(&beginTime)
    coder.code(&duration)
    coder.code(&speed)
    coder.code(&timeOffset)
    coder.code(&repeatCount)
    coder.code(choice: &fillMode)
    coder.code(&autoreverses)
  }
}

extension Cell {
  /// A lower bound of a cell's size. With it, the number of bytes that are left limits the count of cells.
  private static let fewestBytes = 256

  fileprivate static func code<C: ByteCoder>(_ cells: inout [Cell], _ coder: inout C, depth: Int) {
    var count = cells.count
    coder.code(&count, most: depth < Layer.deepest ? Layer.mostCells : 0)
    if count > coder.remaining / fewestBytes { coder.failed = true }
    for index in 0..<count where !coder.failed {
      if index == cells.count { cells.append(Cell()) }
      cells[index].code(&coder, depth: depth)
    }
    if count < cells.count { cells.removeSubrange(count...) }
  }

  private mutating func code<C: ByteCoder>(_ coder: inout C, depth: Int) {
    coder.code(&name)
    coder.code(&birthRate)
    coder.code(&lifetime)
    coder.code(&lifetimeRange)
    coder.code(&emissionLatitude)
    coder.code(&emissionLongitude)
    coder.code(&emissionRange)
    coder.code(&velocity)
    coder.code(&velocityRange)
    coder.code(&xAcceleration)
    coder.code(&yAcceleration)
    coder.code(&zAcceleration)
    coder.code(&scale)
    coder.code(&scaleRange)
    coder.code(&scaleSpeed)
    coder.code(&spin)
    coder.code(&spinRange)
    color.code(&coder)
    coder.code(&redRange)
    coder.code(&greenRange)
    coder.code(&blueRange)
    coder.code(&alphaRange)
    coder.code(&redSpeed)
    coder.code(&greenSpeed)
    coder.code(&blueSpeed)
    coder.code(&alphaSpeed)
    coder.code(&contentsRect.x)
    coder.code(&contentsRect.y)
    coder.code(&contentsRect.width)
    coder.code(&contentsRect.height)
    coder.code(&contentsScale)
    coder.code(&minificationFilterBias)
    timing.code(&coder)
    coder.code(&enabled)
    coder.code(choice: &minificationFilter)
    coder.code(choice: &magnificationFilter)
    contents.code(&coder)
    Cell.code(&cells, &coder, depth: depth + 1)
  }

  fileprivate mutating func replacePictures(_ address: (String) -> String) {
    if case .file(let path) = contents { contents = .file(address(path)) }
    for index in cells.indices { cells[index].replacePictures(address) }
  }
}

extension Contents {
  package mutating func code<C: ByteCoder>(_ coder: inout C) {
    var (kind, path) = (kind, "")
    if case .file(let file) = self { path = file }
    coder.code(choice: &kind)
    switch kind {
    case .soft: self = .soft
    case .none: self = .none
    case .file:
      coder.code(&path)
      self = .file(path)
    }
  }
}
