import Glibc

/// A file with excessive content, written piece by piece so that this process never holds it whole.
struct HostileFile {
  /// A description of the file.
  let name: String
  /// The code of its error.
  let code: String
  /// Whether it has many mistakes, so that as many errors as the limit allows are expected.
  let isManifold: Bool
  /// Writes the file, or makes what stands at its path.
  let make: (_ path: String) -> Void

  /// A file of pieces of text.
  init(
    _ name: String, _ code: String, isManifold: Bool = false, _ write: @escaping (inout HostileText) -> Void
  ) {
    self.init(name, code, isManifold: isManifold) { path in
      guard var text = HostileText(path: path) else { return }
      write(&text)
      text.close()
    }
  }

  /// A path that is no regular file.
  init(
    _ name: String, _ code: String, isManifold: Bool = false, making make: @escaping (_ path: String) -> Void
  ) {
    self.name = name
    self.code = code
    self.isManifold = isManifold
    self.make = make
  }
}

/// A text that is being written.
struct HostileText {
  private let file: UnsafeMutablePointer<FILE>

  init?(path: String) {
    guard let file = fopen(path, "w") else { return nil }
    self.file = file
  }

  func close() { fclose(file) }

  /// A text, repeated.
  mutating func add(_ text: String, _ count: Int = 1) {
    var text = text
    text.withUTF8 { bytes in for _ in 0..<count { fwrite(bytes.baseAddress, 1, bytes.count, file) } }
  }

  /// Bytes, repeated.
  mutating func add(bytes: [UInt8], _ count: Int = 1) {
    for _ in 0..<count { fwrite(bytes, 1, bytes.count, file) }
  }

  /// A text for each number.
  mutating func each(_ numbers: Range<Int>, _ text: (Int) -> String) {
    for number in numbers { add(text(number)) }
  }

  /// The start of every graph file.
  mutating func head() { add("visgraph: 1\nnodes:\n") }

  /// A tone of two channels and a meter.
  mutating func toneAndMeter() {
    head()
    add("  t: { type: tone-source, channels: 2 }\n  m: { type: meter }\n")
  }
}
