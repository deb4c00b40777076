import System

/// What an audio file says of its music. [any]
public struct AudioTags: Equatable, Sendable {
  /// The title.
  public var title: String?
  /// Who plays it.
  public var artist: String?
  /// What it is from.
  public var album: String?
  /// What it says of its loudness.
  public var loudness = LoudnessTags()
  /// Whether there is a picture; `AudioReader.cover()` gives it.
  public var hasCover = false

  /// A file that says nothing.
  public init() {}
}

/// The picture of an album, as the file has it. [any]
public struct CoverPicture: Equatable, Sendable {
  /// Bytes that a picture may have; a larger one is left aside.
  public static let most = 16 << 20

  /// Such as `image/jpeg`.
  public var mediaType: String
  /// The picture's file.
  public var bytes: [UInt8]

  /// Takes a picture.
  public init(mediaType: String, bytes: [UInt8]) {
    self.mediaType = mediaType
    self.bytes = bytes
  }
}

/// A tag as it can be shown: UTF-8, one line, of a bounded length; nil where nothing is left. [any]
///
/// Bytes that are not UTF-8 are taken as Latin 1, which old tags are written in. Controls and what turns the direction
/// of writing become spaces.
func tagText(_ bytes: some Collection<UInt8>) -> String? {
  let bytes = bytes.prefix(TagText.most)
  let scalars: [Unicode.Scalar]
  if let text = String(validating: TagText.whole(Array(bytes)), as: UTF8.self) {
    scalars = Array(text.unicodeScalars)
  } else {
    scalars = bytes.map { Unicode.Scalar($0) }
  }
  var text = String.UnicodeScalarView()
  for scalar in scalars {
    text.append(TagText.isUnsafe(scalar) ? " " : scalar)
  }
  let words = String(text).split(separator: " ", omittingEmptySubsequences: true)
  return words.isEmpty ? nil : words.joined(separator: " ")
}

/// The same of a C string.
func tagText(_ string: UnsafePointer<CChar>) -> String? {
  var count = 0
  while count < TagText.most, string[count] != 0 { count += 1 }
  return tagText(UnsafeBufferPointer(start: string, count: count).map(UInt8.init(bitPattern:)))
}

private enum TagText {
  /// Bytes of a tag that are kept.
  static let most = 1024

  /// The bytes without a character cut off at the end.
  static func whole(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count == most else { return bytes }
    let lead = bytes.lastIndex { $0 & 0xC0 != 0x80 } ?? bytes.count
    let wanted =
      lead == bytes.count ? 0 : bytes[lead] < 0x80 ? 1 : bytes[lead] < 0xE0 ? 2 : bytes[lead] < 0xF0 ? 3 : 4
    return bytes.count - lead < wanted ? Array(bytes[..<lead]) : bytes
  }

  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<32, 127...159, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: true
    default: false
    }
  }
}

#if FFmpeg
  /// A sign that a file has tags or a picture that libsndfile does not give, found without any library. [one]
  struct TagProbe: Equatable {
    /// The container to take them out of.
    let container: DecoderChoice.Container
    /// Whether there is a picture.
    let hasCover: Bool
    /// Whether there are tags that libsndfile passes over.
    let isWanted: Bool

    /// Looks where the container has such things; nil where there are none.
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
        let chunk = Chunks(of: file, from: 12, order: head.has("RIFF") ? .little : .big)
          .first { $0.name.uppercased() == "ID3 " }
        guard let chunk else { return nil }
        hasCover = TagProbe.isAmong(file, chunk.start, Int(min(chunk.count, 1 << 20)), "APIC")
      } else {
        container = .mp3
        hasCover = start > 0 && TagProbe.isAmong(file, 0, Int(min(start, 1 << 20)), "APIC", "PIC")
      }
      if !hasCover, !isWanted { return nil }
    }

    /// Whether FLAC has a block of the kind 6.
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

    /// Whether one of some words stands in a part of the file, in large or small letters.
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
