import System
import Testing

@testable import Playback

#if FFmpeg

  /// Hundreds of sound files, each made at random around known samples.
  @Suite struct GeneratedSoundTests {
    let folder = Folder()

    // MARK: - Linear PCM

    @Test func `300 files of linear PCM with unknown chunks and wrong sizes give their exact samples`() throws
    {
      var random = RandomStream(seed: 0x50_43_4D)
      for number in 0..<300 {
        let made = MadeSound(&random)
        let path = folder.write(made.bytes, "a.bin")
        let piece = Int.random(in: 1...400, using: &random)
        let place = Int.random(in: 0...made.frames, using: &random)
        do {
          let file = try openAudio(path)
          let format = file.format
          // A size of 0 leaves the length open: only reading shows it.
          let frames = made.stated == .none ? nil : Int64(made.frames)
          #expect(
            format.channels == made.channels && format.rate == made.rate
              && format.framesAreExact == (frames != nil), "\(number): \(made): \(format)")
          let hasTooMany = made.isFoundLate && format.frames ?? 0 > made.frames
          #expect(format.frames == frames || hasTooMany, "\(number): \(made): \(format)")
          let isSame = all(of: file, pieces: [piece]) == made.wanted
          #expect(isSame && file.nonFinite == 0, "\(number): \(made)")
          let faults = [format.warning, made.isFoundLate ? file.fault : nil].compactMap(\.?.code)
          #expect(faults == (made.stated == .more ? [.truncated] : []), "\(number): \(made): \(format)")
          #expect(made.isFoundLate || file.fault == nil, "\(number): \(made)")
          try file.seek(to: Int64(place))
          let isSameThere = all(of: file) == made.wanted.map { Array($0[place...]) }
          #expect(isSameThere, "\(number): \(made) from \(place)")
        } catch {
          Issue.record("\(number): \(made): \(error.message)")
        }
      }
    }

    // MARK: - MPEG audio

    @Test func `150 streams of MPEG audio with other data around their frames are as long as the plain one`()
      throws
    {
      let frames = try MadeStream.frames(seedBytes("mp3-plain.mp3"))
      let whole = all(of: try openAudio(seed("mp3-plain.mp3")))[0]
      try #require(frames.count == 23 && whole.count == 23 * MadeStream.samples)
      var random = RandomStream(seed: 0x4D_50_33)
      for number in 0..<150 {
        let made = MadeStream(frames, &random)
        let file = try openAudio(folder.write(made.bytes, "a.mp3"))
        let sound = all(of: file)[0]
        #expect(sound.count == made.count && file.fault == nil, "\(number): \(made): \(sound.count)")
        #expect(file.format.frames == Int64(made.count) && file.format.framesAreExact, "\(number): \(made)")
        #expect(file.format.warning?.reason == made.warning, "\(number): \(made)")
        #expect(made.breaks.contains(file.breaks.count), "\(number): \(made): \(file.breaks.count)")
        let isSame = made.same.allSatisfy {
          sound.dropFirst($0.here).prefix($0.count).elementsEqual(whole.dropFirst($0.there).prefix($0.count))
        }
        #expect(isSame, "\(number): \(made)")
      }
    }

    // MARK: - Ogg

    @Test func `50 chained Ogg files are as long as their links, and links that do not fit are counted`()
      throws
    {
      let parts = try ["ogg-two-links.ogg", "opus-two-links.opus"].map { name in
        let links = OggLink.links(try seedBytes(name))
        try #require(links.count == 2)
        return try links.map { link in
          (link, all(of: try openAudio(folder.write(link.bytes, "part")))[0])
        }
      }
      #expect(parts.map { $0.map(\.1.count) } == [[4000, 4000], [24_000, 24_000]])
      var random = RandomStream(seed: 0x4F_67_67)
      for number in 0..<50 {
        let kind = Int.random(in: 0...1, using: &random)
        var (bytes, wanted, strangers): ([UInt8], [Float], Int) = ([], [], 0)
        let count = Int.random(in: 2...6, using: &random)
        let isOfOneSerial = Int.random(in: 0...3, using: &random) == 0
        for place in 0..<count {
          let isStranger = place > 0 && Int.random(in: 0...7, using: &random) == 0
          let (link, sound) = parts[isStranger ? 1 - kind : kind].randomElement(using: &random)!
          bytes += link.numbered(isOfOneSerial ? 7 : .random(in: 0...(.max), using: &random))
          if isStranger { strangers += 1 } else { wanted += sound }
        }
        let file = try openAudio(folder.write(bytes, "a.ogg"))
        let isSame = all(of: file) == [wanted]
        #expect(isSame && file.fault == nil, "\(number): \(count) links")
        #expect(file.format.frames == Int64(wanted.count) && file.format.framesAreExact, "\(number)")
        // Every link lasts half a second: 4000 samples at 8 kHz, or 24,000 at 48 kHz.
        let seconds = 0.5 * Double(strangers)
        #expect(
          file.format.warning?.reason
            == (strangers == 0
              ? nil
              : "\(strangers) of the \(count) streams in it, \(seconds) s, cannot be heard with the first and are left out"),
          "\(number): \(count) links")
      }
    }
  }

  /// A stream of the frames of a seed file, with the data that other programs put before, between and after them.
  private struct MadeStream: CustomStringConvertible {
    /// Bytes and samples of each frame: 32 kbit/s at 24 kHz, MPEG-2, layer 3.
    static let (size, samples) = (96, 576)

    private(set) var bytes: [UInt8] = []
    private(set) var description = ""
    private(set) var count: Int
    private(set) var warning: String?
    private(set) var breaks = 0...0
    /// The parts of the stream, and their places in the plain file.
    private(set) var same: [(here: Int, there: Int, count: Int)]

    static func frames(_ bytes: [UInt8]) -> [[UInt8]] {
      stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<$0 + size]) }
    }

    init(_ frames: [[UInt8]], _ random: inout RandomStream) {
      count = frames.count * Self.samples
      same = [(0, 0, count)]
      addBegin(frames, &random)
      switch Int.random(in: 0...3, using: &random) {
      case 0:
        bytes += head(frames, &random) + frames.joined()
      case 1: addCut(frames, &random)
      case 2: addWithGap(frames, &random)
      default: bytes += frames.joined()
      }
      addTags(&random)
    }

    private mutating func note(_ words: String) { description += (description.isEmpty ? "" : ", ") + words }

    private static func junk(_ count: Int, _ random: inout RandomStream) -> [UInt8] {
      let isZero = Bool.random(using: &random)
      // No byte of it may begin a sync word.
      return (0..<count).map { _ in isZero ? 0 : .random(in: 0...0x7F, using: &random) }
    }

    /// An ID3v2 tag of random size and content.
    private static func tag(_ random: inout RandomStream) -> [UInt8] {
      let count = Int.random(in: 0...3000, using: &random)
      let hasFooter = Int.random(in: 0...3, using: &random) == 0
      let numbers: [UInt8] = [4, 0, hasFooter ? 0x10 : 0, 0, 0, UInt8(count >> 7), UInt8(count & 0x7F)]
      let contents: [UInt8] = (0..<count).map { _ in .random(in: 0...255, using: &random) }
      return Array("ID3".utf8) + numbers + contents + (hasFooter ? Array("3DI".utf8) + numbers : [])
    }

    private mutating func addBegin(_ frames: [[UInt8]], _ random: inout RandomStream) {
      let zeros = [UInt8](repeating: 0, count: .random(in: 1...4000, using: &random))
      let half = frames.randomElement(using: &random)!.suffix(.random(in: 1..<Self.size, using: &random))
      switch Int.random(in: 0...5, using: &random) {
      case 0: (bytes, description) = (Self.tag(&random), "a tag")
      case 1: (bytes, description) = (Self.tag(&random) + Self.tag(&random), "two tags")
      case 2: (bytes, description) = (zeros, "\(zeros.count) zeros")
      case 3: (bytes, description) = (Self.tag(&random) + zeros, "a tag and \(zeros.count) zeros")
      case 4: (bytes, description) = (Array(half), "\(half.count) bytes of a frame")
      default: break
      }
    }

    /// A silent frame with a length stated by the encoder, which is usually wrong.
    private mutating func head(_ frames: [[UInt8]], _ random: inout RandomStream) -> [UInt8] {
      let statedCount = [0, 1, 12, 22, 23, 24, 25, 46, 1000, 0xFFFF_FFFF].randomElement(using: &random)!
      let there = (frames.count + 1) * Self.size
      let statedBytes = [nil, there, 1000, 100_000].randomElement(using: &random)!
      note("a head of \(statedCount) frames and \(statedBytes ?? -1) bytes")
      var head = Array(frames[0].prefix(4)) + [UInt8](repeating: 0, count: Self.size - 4)
      let side = frames[0][3] >> 6 == 3 ? 9 : 17
      let words = Array((Bool.random(using: &random) ? "Xing" : "Info").utf8)
      let numbers = Handmade.big(UInt32(statedBytes == nil ? 1 : 3)) + Handmade.big(UInt32(statedCount))
      let all = words + numbers + (statedBytes.map { Handmade.big(UInt32($0)) } ?? [])
      head.replaceSubrange(4 + side..<4 + side + all.count, with: all)
      // The file counts as cut off if the head states at least two frames more than it has. But if the file has all bytes
      // that the head states, the number of frames in the head is wrong.
      if statedCount - frames.count > 1, statedBytes ?? .max > there {
        warning = "\(count) samples of \(count + (statedCount - frames.count) * Self.samples)"
      }
      return head
    }

    /// Adds the frames, with bytes between two of them that are no frame. They are skipped and noted; a tag is only skipped.
    private mutating func addWithGap(_ frames: [[UInt8]], _ random: inout RandomStream) {
      let place = Int.random(in: 3..<frames.count, using: &random)
      let isTag = Bool.random(using: &random)
      let junk = isTag ? Self.tag(&random) : Self.junk(.random(in: 1...3000, using: &random), &random)
      note("\(junk.count) bytes of \(isTag ? "a tag" : "nothing") before frame \(place)")
      bytes += Array(frames[..<place].joined()) + junk + Array(frames[place...].joined())
      breaks = isTag ? 0...0 : 1...1
    }

    /// Adds the frames, one of them without its end: it reads on in the next one, which is lost.
    private mutating func addCut(_ frames: [[UInt8]], _ random: inout RandomStream) {
      let place = Int.random(in: 3...15, using: &random)
      let lost = Int.random(in: 1...91, using: &random)
      note("\(lost) bytes of frame \(place) are missing")
      bytes += Array(frames[...place].joined()).dropLast(lost) + Array(frames[(place + 1)...].joined())
      count -= Self.samples
      breaks = 1...3
      // A frame has 96 − 4 − 9 = 83 bytes for its bits, and uses up to 255 bytes before them, so those of 4 frames. In the
      // plain file 7 frames may differ: the cut one, the lost one, 4 that use their bits, and 1 that overlaps the last of
      // these. One of the 7 is missing here.
      let (before, after) = (place * Self.samples, (place + 6) * Self.samples)
      same = [(0, 0, before), (after, after + Self.samples, count - after)]
    }

    private mutating func addTags(_ random: inout RandomStream) {
      let count = Int.random(in: 0...500, using: &random)
      let numbers = [2000, UInt32(count + 32), 1].flatMap { [UInt8](Handmade.big($0).reversed()) }
      let footer = Array("APETAGEX".utf8) + numbers + [0, 0, 0, 0] + [UInt8](repeating: 0, count: 8)
      let contents: [UInt8] = (0..<count).map { _ in .random(in: 0...255, using: &random) }
      let first: [UInt8] = Array("TAG".utf8) + (0..<125).map { _ in .random(in: 0...255, using: &random) }
      switch Int.random(in: 0...3, using: &random) {
      case 0: bytes += first
      case 1: bytes += contents + footer
      case 2: bytes += contents + footer + first
      default: return
      }
      note("tags behind")
    }
  }

  /// An Ogg logical bitstream from its first page to its last.
  private struct OggLink {
    private var pages: [[UInt8]] = []
    var bytes: [UInt8] { Array(pages.joined()) }

    /// The links of a file; a flag of a page marks a first one.
    static func links(_ bytes: [UInt8]) -> [OggLink] {
      var links: [OggLink] = []
      var place = 0
      while place < bytes.count {
        let parts = Int(bytes[place + 26])
        let size = 27 + parts + bytes[place + 27..<place + 27 + parts].reduce(0) { $0 + Int($1) }
        if bytes[place + 5] & 2 != 0 { links.append(OggLink()) }
        links[links.count - 1].pages.append(Array(bytes[place..<place + size]))
        place += size
      }
      return links
    }

    /// The same link with another serial number and matching checksums (RFC 3533, section 6).
    func numbered(_ serial: UInt32) -> [UInt8] {
      pages.flatMap { page in
        var page = page
        page.replaceSubrange(14..<18, with: Handmade.big(serial))
        page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        page.replaceSubrange(22..<26, with: Handmade.big(Self.checksum(page)).reversed())
        return page
      }
    }

    private static let table: [UInt32] = (0..<256).map { number in
      (0..<8).reduce(UInt32(number) << 24) { sum, _ in sum << 1 ^ (sum >> 31 == 1 ? 0x04C1_1DB7 : 0) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
      bytes.reduce(0) { $0 << 8 ^ table[Int($0 >> 24 ^ UInt32($1))] }
    }
  }
#endif
