import Glibc

/// Writes a line at once, to stdout or to stderr (2).
func say(_ text: String, to file: Int32 = 1) {
  let bytes = Array((text + "\n").utf8)
  _ = write(file, bytes, bytes.count)
}
