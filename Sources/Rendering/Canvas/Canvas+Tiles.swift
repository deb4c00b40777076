import CRendering
import Particles

extension Canvas {
  /// The memory that all threads read or write while they draw tiles.
  private struct Work: @unchecked Sendable {
    let sprites: UnsafePointer<vg_sprite>
    let mipLevels: UnsafePointer<vg_mip_level>
    let entries: UnsafePointer<vg_entry>
    /// The index of the first entry of each band, and the count of all entries at the end.
    let starts: UnsafePointer<Int>
    let background: (Float, Float, Float, Float)
    let toneMapping: vg_tone_mapping
    /// The pixels of the canvas, four bytes each.
    let bytes: UnsafeMutablePointer<UInt8>
    /// Two layers of a tile for each thread.
    let floats: UnsafeMutablePointer<Float>
  }

  /// Draws the tiles that overlap `pixelRows`, rows of pixels. A thread that is free takes the next tile.
  func drawTiles(_ pixelRows: Range<Int>) {
    let side = tileSide
    let stride = self.tileStride
    let bands = (height + side - 1) / side
    let across = (width + side - 1) / side
    let (starts, entries) = sortedIntoBands(bands)
    let (width, height) = (self.width, self.height)
    let knee: Float = toneMapping == .soft ? Self.knee : 1
    let mapping = vg_tone_mapping(knee: knee, white: Self.white, opaque: background.alpha >= 1 ? 1 : 0)
    let out = bytes.baseAddress!.bindMemory(to: UInt8.self, capacity: bytes.count)
    sprites.withUnsafeBufferPointer { sprites in
      mipLevels.withUnsafeBufferPointer { mipLevels in
        entries.withUnsafeBufferPointer { entries in
          starts.withUnsafeBufferPointer { starts in
            // An empty array may have no address. C takes no null, and reads nothing of an array without elements.
            let none = UnsafeRawPointer(self.floats)
            let work = Work(
              sprites: sprites.baseAddress ?? none.assumingMemoryBound(to: vg_sprite.self),
              mipLevels: mipLevels.baseAddress ?? none.assumingMemoryBound(to: vg_mip_level.self),
              entries: entries.baseAddress ?? none.assumingMemoryBound(to: vg_entry.self),
              starts: starts.baseAddress!, background: background, toneMapping: mapping, bytes: out,
              floats: floats)
            let firstBand = pixelRows.lowerBound / side
            let endBand = min(bands, (pixelRows.upperBound + side - 1) / side)
            let wanted = (firstBand * across)..<(endBand * across)
            ParallelFor.run(threads, rounds: wanted) { thread, number in
              let own = work.floats + thread * side * stride * 8
              let (band, column) = (number / across, number % across)
              var tile = vg_tile(
                left: Int32(column * side), right: Int32(min(width, (column + 1) * side)),
                top: Int32(band * side), bottom: Int32(min(height, (band + 1) * side)),
                stride: Int32(stride), touched: 0, background: work.background, base: own,
                light: own + side * stride * 4)
              let first = work.starts[band]
              vg_draw(
                &tile, work.entries + first, work.starts[band + 1] - first, work.sprites, work.mipLevels)
              withUnsafePointer(to: work.toneMapping) { vg_map_tones(&tile, $0, work.bytes, width * 4) }
            }
          }
        }
      }
    }
  }

  /// The brightness up to which tone mapping changes nothing; 1 is the brightest that a screen shows.
  package static var knee: Float { 0.75 }
  /// The excess over the knee at which a color is half way to white.
  package static var white: Float { 4 }

  /// The bands that a sprite may touch. `setBounds` has kept its bounds inside the canvas and not empty.
  @inline(__always)
  private func bands(of sprite: vg_sprite) -> ClosedRange<Int> {
    Int(sprite.top) / tileSide...(Int(sprite.bottom) - 1) / tileSide
  }

  /// Sorts sprites into bands (rows of tiles), each in drawing order. Returns the index of the first entry of each
  /// band, then the count of all entries; and the entries.
  private func sortedIntoBands(_ bands: Int) -> (starts: [Int], entries: [vg_entry]) {
    // Counts go two places up, so that the cursors of the second loop, one place up, end as the starts.
    var starts = [Int](repeating: 0, count: bands + 2)
    for sprite in sprites {
      for band in self.bands(of: sprite) { starts[band + 2] += 1 }
    }
    for band in 0..<bands { starts[band + 2] += starts[band + 1] }
    let count = starts[bands + 1]
    // An uninitialized array of capacity 0 would write to the static empty array that the process shares.
    if count == 0 { return (starts, []) }
    let entries = [vg_entry](unsafeUninitializedCapacity: count) { entries, filled in
      for (index, sprite) in sprites.enumerated() {
        let entry = vg_entry(
          sprite: UInt32(index), left: UInt16(sprite.left), right: UInt16(sprite.right))
        for band in self.bands(of: sprite) {
          entries.initializeElement(at: starts[band + 1], to: entry)
          starts[band + 1] += 1
        }
      }
      filled = count
    }
    return (starts, entries)
  }
}
