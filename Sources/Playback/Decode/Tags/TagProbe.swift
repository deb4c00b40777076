import System

#if FFmpeg
  /// Detects tags and pictures that libsndfile does not read, without a library. [one]
  struct TagProbe: Equatable {
    /// The container to extract them from.
    let container: DecoderChoice.Container
    /// Whether there is a picture.
    let hasCover: Bool
    /// Whether there may be tags that libsndfile does not read.
    let isWanted: Bool

    /// Searches where the container has them; nil if there are none.
    init?(of file: RegularFile) {
      let start = DecoderChoice.afterTags(of: file)
      let head = file.bytes(at: start, count: 12)
      isWanted = head.has("RIFF") || head.has("FORM")
      if head.has("fLaC") {
        container = .flac
        hasCover = TagProbe.isInBlocks(file, start + 4)
      } else if head.has("OggS") {
        container = .ogg
        hasCover = TagProbe.isAmong(file, 0, 1 << 16, "METADATA_BLOCK_PICTURE")
      } else if head.has("RIFF") || head.has("FORM") {
        container = head.has("RIFF") ? .wave : .aiff
        guard let chunk = SoundTags.id3Chunk(of: file, head: head) else { return nil }
        hasCover = TagProbe.isAmong(file, chunk.start, Int(min(chunk.count, 1 << 20)), "APIC")
      } else {
        container = .mp3
        hasCover = start > 0 && TagProbe.isAmong(file, 0, Int(min(start, 1 << 20)), "APIC", "PIC")
      }
      if !hasCover, !isWanted { return nil }
    }

    /// Whether FLAC has a metadata block of type 6, a picture.
    private static func isInBlocks(_ file: RegularFile, _ start: Int64) -> Bool {
      var place = start
      for _ in 0..<256 {
        let head = file.bytes(at: place, count: 4)
        guard let size = head.big(1, 3) else { return false }
        if head[0] & 0x7F == 6 { return true }
        if head[0] & 0x80 != 0 { return false }
        place += 4 + Int64(size)
      }
      return false
    }

    /// Whether one of some words is in a part of the file, in upper or lower case.
    private static func isAmong(_ file: RegularFile, _ start: Int64, _ count: Int, _ words: StaticString...)
      -> Bool
    {
      let bytes = file.bytes(at: start, count: count).map { $0 &- 0x61 < 26 ? $0 - 32 : $0 }
      return words.contains { word in
        bytes.indices.contains { bytes[$0] == word.utf8Start[0] && bytes.has(word, at: $0) }
      }
    }
  }
#endif
