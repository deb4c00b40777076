import Dispatch
import NIOCore
import System

/// The pictures of a stage, at paths that do not show where the files are. No other files are served. A path stands for
/// one version of a file; a changed file gets another path with the next graph. [any]
final class StagePictures: Sendable {
  /// The maximum size of a picture in bytes, and the maximum number of pictures.
  private static let (mostBytes, most) = (32 << 20, 4096)

  private struct Known {
    /// Paths on the server by path of the file.
    var addresses: [String: String] = [:]
    /// Paths of files by request path.
    var paths: [String: String] = [:]
  }
  private let known = Locked(Known())
  /// Checks files on a queue, because a disk may hang.
  private let queue = DispatchQueue(label: "pictures")
  /// Whether a check is running, and whether another one must follow.
  private let look = Locked((isUnderWay: false, isWanted: false))

  /// The path of a picture on the server; empty: there are too many.
  func address(of path: String) -> String {
    if let address = known.withLock({ $0.addresses[path] }) { return address }
    let address = Self.address(path)
    return known.withLock { known in
      guard known.paths.count < Self.most else { return "" }
      known.addresses[path] = address
      known.paths["/\(address)"] = path
      return address
    }
  }

  /// Checks whether files have changed, and forgets their paths, so that they get new ones. Calls `changed` on a
  /// dispatch queue if there are any.
  func renew(_ changed: @escaping @Sendable () -> Void) {
    let begins = look.withLock { look in
      look.isWanted = true
      defer { look.isUnderWay = true }
      return !look.isUnderWay
    }
    guard begins else { return }
    queue.async { [self] in
      while takeLook() { if forgetChanged() { changed() } }
    }
  }

  /// Whether another check must follow; else notes that none is running.
  private func takeLook() -> Bool {
    look.withLock { look in
      look = (isUnderWay: look.isWanted, isWanted: false)
      return look.isUnderWay
    }
  }

  private func forgetChanged() -> Bool {
    let changed = known.withLock({ $0.addresses }).filter { Self.address($0.key) != $0.value }
    guard !changed.isEmpty else { return false }
    known.withLock { known in
      for (path, address) in changed {
        known.addresses[path] = nil
        known.paths["/\(address)"] = nil
      }
    }
    return true
  }

  private static func address(_ path: String) -> String {
    let version = RegularFile.stamp(path) ?? []
    return "pictures/\(String("\(path) \(version)".utf8.fnv1a, radix: 16))"
  }

  /// Whether there is a picture at a path.
  func contains(_ address: String) -> Bool { known.withLock { $0.paths[address] != nil } }

  /// The picture at a path, as its file is now; nil: it cannot be read. Blocks for the disk. [any]
  func picture(at address: String) -> PagePicture? {
    guard let path = known.withLock({ $0.paths[address] }),
      let bytes = try? RegularFile.bytes(of: path, most: Self.mostBytes)
    else { return nil }
    // A file that has changed since gets another path with the next graph.
    let isLasting = "/\(Self.address(path))" == address
    return PagePicture(type: "image/png", bytes: ByteBuffer(bytes: bytes), isLasting: isLasting)
  }
}
