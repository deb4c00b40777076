import Dispatch
import NIOCore
import System

/// The pictures that a stage needs, under addresses that show nothing of where they lie. Those alone are served. An address
/// stands for one version of a file: one that is changed gets another with the next graph. [any]
final class StagePictures: Sendable {
  /// The most bytes of a picture, and the most pictures.
  private static let (mostBytes, most) = (32 << 20, 4096)

  private struct Known {
    /// Addresses by path.
    var addresses: [String: String] = [:]
    /// Paths by what is asked for.
    var paths: [String: String] = [:]
  }
  private let known = Locked(Known())
  /// Where files are looked at: a disk may hang.
  private let queue = DispatchQueue(label: "pictures")
  /// Whether they are just looked at, and are to be once more behind that.
  private let look = Locked((isUnderWay: false, isWanted: false))

  /// Where a page finds a picture; empty where there are too many.
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

  /// Has looked whether files have changed since their addresses were made, and forgets those: others are made for them.
  /// `changed` is called on a queue of the system when there are any.
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

  /// Whether files are to be looked at once more; else nobody is at it any more.
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

  /// Whether there is a picture at an address.
  func contains(_ address: String) -> Bool { known.withLock { $0.paths[address] != nil } }

  /// The picture at an address, as its file is now; nil where it cannot be read. Waits for its disk. [any]
  func picture(at address: String) -> PagePicture? {
    guard let path = known.withLock({ $0.paths[address] }),
      let bytes = try? RegularFile.bytes(of: path, most: Self.mostBytes)
    else { return nil }
    // One that was changed meanwhile gets another address with the next graph.
    let isLasting = "/\(Self.address(path))" == address
    return PagePicture(type: "image/png", bytes: ByteBuffer(bytes: bytes), isLasting: isLasting)
  }
}
