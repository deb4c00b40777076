import CSyscalls
import Glibc

/// Hides keys in the command line, which every user of the machine sees in the list of processes (`ps`,
/// /proc/PID/cmdline). It overwrites them in that memory; the copies that Swift has made keep them. [control]
package enum CommandLineSecrets {
  /// Overwrites these texts by asterisks, wherever they are in the arguments but the name of the program.
  package static func cover(_ secrets: [String]) {
    for secret in Set(secrets).sorted(by: { $0.utf8.count > $1.utf8.count }) where !secret.isEmpty {
      var index: Int32 = 1
      while let argument = vg_argument(index) {
        cover(Array(secret.utf8), in: argument)
        index += 1
      }
    }
  }

  private static func cover(_ secret: [UInt8], in argument: UnsafeMutablePointer<CChar>) {
    let bytes = UnsafeMutableRawBufferPointer(start: argument, count: strlen(argument))
    var place = 0
    while place + secret.count <= bytes.count {
      guard bytes[place..<place + secret.count].elementsEqual(secret) else {
        place += 1
        continue
      }
      for offset in place..<place + secret.count { bytes[offset] = UInt8(ascii: "*") }
      place += secret.count
    }
  }

  /// Finds keys by their place in arguments: after `--key`, after `key=` in an address, and after the address of the
  /// message `/visgraph/key`.
  package static func given(in arguments: [String]) -> [String] {
    var found: [String] = []
    for (index, argument) in arguments.enumerated() {
      let next = arguments.dropFirst(index + 1).first
      if argument == "--key" || argument == "/visgraph/key", let next { found.append(next) }
      if argument.hasPrefix("--key=") { found.append(String(argument.dropFirst(6))) }
      for start in ["?key=", "&key="] {
        guard let range = argument.firstRange(of: start) else { continue }
        found.append(String(argument[range.upperBound...].prefix { !"&#".contains($0) }))
      }
    }
    return found
  }
}
