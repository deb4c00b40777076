/// The fixed set of hostile files.
enum HostileFiles {
  static var all: [HostileFile] { size + yaml + values + nodes + wires + settings }

  /// A name of the largest allowed length.
  static func long(_ number: Int) -> String {
    "\(number)" + String(repeating: "abcdefgh", count: 8).prefix(61 - "\(number)".utf8.count)
  }
}
