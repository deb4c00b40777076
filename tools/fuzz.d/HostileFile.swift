import Glibc

/// A file that wants too much, written piece by piece so that it never lies in our own memory.
struct HostileFile {
  /// What it does.
  let name: String
  /// The code of its error.
  let code: String
  /// Whether it has many things wrong, so that as many errors as are ever shown are right.
  let isManifold: Bool
  /// Writes it, or makes what stands in its place.
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

  /// Something else than a file.
  init(
    _ name: String, _ code: String, isManifold: Bool = false, making make: @escaping (_ path: String) -> Void
  ) {
    self.name = name
    self.code = code
    self.isManifold = isManifold
    self.make = make
  }
}

/// A text being written.
struct HostileText {
  private let file: UnsafeMutablePointer<FILE>

  init?(path: String) {
    guard let file = fopen(path, "w") else { return nil }
    self.file = file
  }

  func close() { fclose(file) }

  /// Some text, again and again.
  mutating func add(_ text: String, _ count: Int = 1) {
    var text = text
    text.withUTF8 { bytes in for _ in 0..<count { fwrite(bytes.baseAddress, 1, bytes.count, file) } }
  }

  /// Some bytes.
  mutating func add(bytes: [UInt8], _ count: Int = 1) {
    for _ in 0..<count { fwrite(bytes, 1, bytes.count, file) }
  }

  /// Text for each number.
  mutating func each(_ numbers: Range<Int>, _ text: (Int) -> String) {
    for number in numbers { add(text(number)) }
  }

  /// The beginning of every graph file.
  mutating func head() { add("visgraph: 1\nnodes:\n") }

  /// A tone of two channels and a meter.
  mutating func toneAndMeter() {
    head()
    add("  t: { type: tone-source, channels: 2 }\n  m: { type: meter }\n")
  }
}
