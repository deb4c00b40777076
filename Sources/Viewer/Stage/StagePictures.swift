import NIOCore
import System

/// The pictures that a stage needs, under addresses that tell nothing of where they lie. Those alone are served. [any]
final class StagePictures: Sendable {
  /// The most bytes of a picture, and the most pictures.
  private static let (mostBytes, most) = (32 << 20, 4096)
  private let paths = Locked<[String: String]>([:])

  /// Where a page finds a picture; empty where there are too many.
  func address(of path: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let address = "pictures/\(String(hash, radix: 16))"
    return paths.withLock { paths in
      guard paths.count < Self.most || paths["/\(address)"] != nil else { return "" }
      paths["/\(address)"] = path
      return address
    }
  }

  /// The file at an address.
  func bytes(at address: String) -> ByteBuffer? {
    guard let path = paths.withLock({ $0[address] }) else { return nil }
    return (try? RegularFile.bytes(of: path, most: Self.mostBytes)).map { ByteBuffer(bytes: $0) }
  }
}
