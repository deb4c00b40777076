import Glibc

/// Writes a line at once; to the results, or to 2, the errors.
func say(_ text: String, to file: Int32 = 1) {
  let bytes = Array((text + "\n").utf8)
  _ = write(file, bytes, bytes.count)
}
