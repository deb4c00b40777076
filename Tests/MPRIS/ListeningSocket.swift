import Glibc

/// A listening Unix socket whose server speaks no D-Bus.
final class ListeningSocket: Sendable {
  struct Failure: Error {}
  let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8) + [0]
    guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { throw Failure() }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, listen(descriptor, 4) == 0 else { throw Failure() }
  }

  /// Accepts the next connection, sends it these bytes and closes it.
  func answer(_ bytes: [UInt8]) {
    let peer = accept(descriptor, nil, nil)
    guard peer >= 0 else { return }
    _ = send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    Glibc.close(peer)
  }

  func close() { Glibc.close(descriptor) }
}
