import Glibc

/// Identifies this machine. [any]
package enum MachineIdentity {
  /// A text that stays the same until the system is installed anew: machine-id(5), or without it the host name.
  package static let text: String = {
    if let file = try? RegularFile("/etc/machine-id", most: 4096) {
      let text = String(decoding: file.bytes(at: 0, count: 32), as: UTF8.self)
      if text.utf8.count == 32 { return text }
    }
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }()
}
