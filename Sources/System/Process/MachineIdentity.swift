import Glibc

/// What tells this machine from others. [any]
package enum MachineIdentity {
  /// A text that stays as long as the system is not installed anew: machine-id(5), else the name of the host.
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
