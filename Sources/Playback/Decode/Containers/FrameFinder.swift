import System

/// Finds the consecutive frames of a stream without a container. [one]
struct FrameFinder {
  /// A frame: its byte offset and header.
  struct Frame {
    let place: Int64
    let header: FrameHeader
    /// Whether bytes that are neither frames nor tags precede it.
    let isBehindGap: Bool
  }

  let coding: FrameCoding
  /// Byte offset of the end of the sound.
  let end: Int64
  /// The kind of the stream's frames, once it is known.
  var kind: UInt32?

  private let file: RegularFile
  private var window: [UInt8] = []
  private var windowPlace: Int64 = 0

  /// Bytes behind a broken frame in which the next one is searched.
  private static let mostSearched = 1 << 20

  init(_ coding: FrameCoding, in file: RegularFile) {
    self.coding = coding
    self.file = file
    end = SoundTags.soundEnd(of: file)
  }

  /// The header at a byte offset, if it is of the stream's kind.
  mutating func header(at place: Int64) -> FrameHeader? {
    if place < windowPlace || place + Int64(coding.headerBytes) > windowPlace + Int64(window.count) {
      window = file.bytes(at: place, count: 1 << 16)
      windowPlace = place
    }
    guard let header = coding.header(window, at: Int(place - windowPlace)),
      kind ?? header.kind == header.kind
    else { return nil }
    return header
  }

  /// Whether `count` consecutive frames of one kind begin at an offset, or as many as there are up to the end.
  mutating func begins(at place: Int64, count: Int) -> Bool {
    let known = kind
    defer { kind = known }
    var place = place
    for _ in 0..<count {
      guard let header = header(at: place), place + Int64(header.size) <= end else { return false }
      kind = header.kind
      place += Int64(header.size)
      if place == end { return true }
    }
    return true
  }

  /// The first offset from `place` on where frames begin. A single header may be chance, so others must follow it.
  ///
  /// - Parameters:
  ///   - most: bytes that are searched.
  ///   - chain: consecutive frames that are required, unless the file ends before.
  mutating func start(from place: Int64, most: Int = mostSearched, chain: Int? = nil) -> Int64? {
    // The sync word of MPEG audio has 11 bits, that of AAC 12: random bytes often look like one.
    let chain = chain ?? (coding == .mpeg ? 3 : 2)
    for ahead in 0..<max(0, Int(min(Int64(most), end - place))) {
      let here = place + Int64(ahead)
      if header(at: here) != nil, begins(at: here, count: chain) { return here }
    }
    return nil
  }

  /// The frame at an offset, or the first one behind it; nil at the end.
  mutating func frame(from place: Int64) -> Frame? {
    var place = place
    // Files that were concatenated have tags in between.
    for _ in 0..<8 {
      if let header = header(at: place) {
        return place + Int64(header.size) <= end
          ? Frame(place: place, header: header, isBehindGap: false) : nil
      }
      let tag = SoundTags.size(file.bytes(at: place, count: 16))
      guard tag > 0, place + tag < end else { break }
      place += tag
    }
    guard let start = start(from: place), let header = header(at: start) else { return nil }
    return Frame(place: start, header: header, isBehindGap: true)
  }

  /// Whether a frame begins at an offset and extends beyond the end.
  mutating func isCut(at place: Int64) -> Bool {
    header(at: place).map { place + Int64($0.size) > end } ?? false
  }

  /// The header of frames of another kind that follow an offset, if there are any.
  mutating func other(from place: Int64) -> FrameHeader? {
    let known = kind
    kind = nil
    defer { kind = known }
    guard end - place > 4096, let start = start(from: place) else { return nil }
    return header(at: start)
  }

  /// Mean bytes of a frame, sampled at so many places of the stream, and whether all sampled frames have the same bit
  /// rate.
  mutating func probed(from start: Int64, places: Int = 16) -> (size: Double, isConstant: Bool)? {
    var (bytes, frames) = (0, 0)
    var rates: Set<Int> = []
    for place in 0..<places {
      var at = start + (end - start) / Int64(places) * Int64(place)
      guard let first = self.start(from: at, most: 1 << 14) else { continue }
      at = first
      for _ in 0..<8 {
        guard let header = header(at: at), at + Int64(header.size) <= end else { break }
        rates.insert(header.bits)
        bytes += header.size
        frames += 1
        at += Int64(header.size)
      }
    }
    return frames > 0 ? (Double(bytes) / Double(frames), rates.count == 1) : nil
  }
}
