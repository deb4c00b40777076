import Glibc

/// An IPv4 or IPv6 address with its port, as the system wants it.
struct SocketAddress: Sendable {
  private let storage: sockaddr_storage
  private let length: socklen_t

  init?(_ pointer: UnsafePointer<sockaddr>, length: socklen_t) {
    guard length <= socklen_t(MemoryLayout<sockaddr_storage>.size) else { return nil }
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { $0.baseAddress!.copyMemory(from: pointer, byteCount: Int(length)) }
    self.storage = storage
    self.length = length
  }

  var family: Int32 { Int32(storage.ss_family) }

  func withPointer<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}
