import CRendering
import System

/// The pixels of one picture for a writer, as RGBA or as planes. When the object is freed, its memory returns to the
/// pool.
public final class VideoPixels: @unchecked Sendable {
  /// RGBA: row by row from the top, four bytes per pixel. Planes: Y', then Cb and Cr at half the width and height
  /// (4:2:0), in BT.709 with limited range.
  public let bytes: UnsafeMutableRawBufferPointer
  private let memory: UnsafeMutableRawBufferPointer
  private let pool: VideoPixelPool

  fileprivate init(_ memory: UnsafeMutableRawBufferPointer, count: Int, _ pool: VideoPixelPool) {
    self.memory = memory
    bytes = UnsafeMutableRawBufferPointer(rebasing: memory.prefix(count))
    self.pool = pool
  }

  deinit { pool.put(memory) }
}

/// A pool of memory for pictures of one size. [any]
public final class VideoPixelPool: @unchecked Sendable {
  /// Pixels across.
  public let width: Int
  /// Pixels down.
  public let height: Int
  private let size: Int
  private let free = Locked<[UnsafeMutableRawBufferPointer]>([])

  /// Makes a pool for pictures of `width` × `height` pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
    size = width * height * 4
  }

  deinit { for bytes in free.withLock({ $0 }) { bytes.deallocate() } }

  /// Copies the pixels of a picture. With `onBlack`, blends them over black, for formats without alpha.
  public func copy(_ pixels: UnsafeRawBufferPointer, onBlack: Bool = false) -> VideoPixels {
    let memory = take()
    memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: pixels.prefix(size)))
    if onBlack { Self.blacken(memory) }
    return VideoPixels(memory, count: size, self)
  }

  /// Converts a picture of even width and height to planes. Alpha is ignored.
  public func planes(of pixels: UnsafeRawBufferPointer) -> VideoPixels {
    precondition(width % 2 == 0 && height % 2 == 0 && pixels.count >= size)
    let memory = take()
    vg_yuv_planes(
      pixels.baseAddress!.assumingMemoryBound(to: UInt8.self),
      memory.baseAddress!.assumingMemoryBound(to: UInt8.self), width, height)
    return VideoPixels(memory, count: width * height * 3 / 2, self)
  }

  private func take() -> UnsafeMutableRawBufferPointer {
    free.withLock { $0.popLast() } ?? .allocate(byteCount: size, alignment: 64)
  }

  /// Blends pixels that are not opaque over black.
  private static func blacken(_ bytes: UnsafeMutableRawBufferPointer) {
    for start in stride(from: 0, to: bytes.count - 3, by: 4) where bytes[start + 3] < 255 {
      let alpha = UInt32(bytes[start + 3])
      for place in start..<start + 3 { bytes[place] = UInt8((UInt32(bytes[place]) * alpha + 127) / 255) }
      bytes[start + 3] = 255
    }
  }

  fileprivate func put(_ bytes: UnsafeMutableRawBufferPointer) { free.withLock { $0.append(bytes) } }

  /// The most pictures in a queue: three, or fewer if they exceed 256 MiB.
  var room: Int { max(1, min(3, (256 << 20) / max(1, size))) }
}
