import System

/// Zeros between a tag and the sound, or at the beginning of a file. [any]
enum ZeroGap {
  /// The file from the first nonzero byte on; nil without zeros, or if more than `most` bytes are zero.
  static func rest(of file: RegularFile, most: Int = 1 << 20) -> RegularFile? {
    let start = DecoderChoice.afterTags(of: file)
    let bytes = file.bytes(at: start, count: most)
    guard bytes.first == 0, let gap = bytes.firstIndex(where: { $0 != 0 }) else { return nil }
    return RegularFile(file, part: start + Int64(gap)..<file.size)
  }
}
