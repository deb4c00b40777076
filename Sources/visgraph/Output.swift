import Glibc

/// Writes a line of results to stdout.
func printResult(_ text: String) { write(text + "\n", to: 1) }

/// Writes a line of errors or progress to stderr.
func printNote(_ text: String) { write(text + "\n", to: 2) }

/// Writes all bytes of a text; a reader that has gone is its own affair.
func write(_ text: String, to descriptor: Int32) {
  var text = text
  text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { return }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
    }
  }
}
