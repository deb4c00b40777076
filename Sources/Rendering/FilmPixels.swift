import Glibc

/// The pixels of one picture on its way into files: as `Canvas.end` lends them. Its memory is used again.
public final class FilmPixels: @unchecked Sendable {
  /// Row by row from the top, four bytes a pixel: red, green, blue, alpha.
  public let bytes: UnsafeMutableRawBufferPointer
  private let pool: FilmPixelPool

  fileprivate init(_ bytes: UnsafeMutableRawBufferPointer, _ pool: FilmPixelPool) {
    self.bytes = bytes
    self.pool = pool
  }

  deinit { pool.put(bytes) }
}

/// Memory for pictures of one size. Any thread
public final class FilmPixelPool: @unchecked Sendable {
  /// Pixels across.
  public let width: Int
  /// Pixels down.
  public let height: Int
  private let size: Int
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var free: [UnsafeMutableRawBufferPointer] = []

  /// Memory for pictures of `width` × `height` pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
    size = width * height * 4
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    for bytes in free { bytes.deallocate() }
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// A copy of the pixels of a picture; with `onBlack` as it looks on black, for what knows no alpha.
  public func copy(_ pixels: UnsafeRawBufferPointer, onBlack: Bool = false) -> FilmPixels {
    pthread_mutex_lock(mutex)
    let old = free.popLast()
    pthread_mutex_unlock(mutex)
    let bytes = old ?? .allocate(byteCount: size, alignment: 64)
    bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: pixels.prefix(size)))
    if onBlack { Self.blacken(bytes) }
    return FilmPixels(bytes, self)
  }

  private static func blacken(_ bytes: UnsafeMutableRawBufferPointer) {
    for start in stride(from: 0, to: bytes.count - 3, by: 4) where bytes[start + 3] < 255 {
      let alpha = UInt32(bytes[start + 3])
      for place in start..<start + 3 { bytes[place] = UInt8((UInt32(bytes[place]) * alpha + 127) / 255) }
      bytes[start + 3] = 255
    }
  }

  fileprivate func put(_ bytes: UnsafeMutableRawBufferPointer) {
    pthread_mutex_lock(mutex)
    free.append(bytes)
    pthread_mutex_unlock(mutex)
  }

  /// How many pictures may wait: three, fewer of very large ones.
  var room: Int { max(1, min(3, (256 << 20) / max(1, size))) }
}
