import System

#if FFmpeg
  import CFfmpeg

  /// The packets of AAC, MPEG audio or AC-3 without a container, split by the headers of their frames. [one]
  ///
  /// If the exact length is needed, opening counts the frames of a small file, and of a larger one whose stated length
  /// is not credible (`mustCount`). Otherwise they are counted within `countAhead` bytes of the end.
  final class FramePackets: PacketSource {
    private let library: vg_ffmpeg
    private let file: RegularFile
    private var finder: FrameFinder
    /// The byte offset of every `markSpacing`th frame, for seeking.
    private var marks: [Int64] = []
    private static let markSpacing = 32
    /// Byte offset of the first frame with sound.
    private let beginning: Int64
    private var nextOffset: Int64
    private var nextIndex = 0
    /// Whether the gap in front of the next frame has been reported.
    private var hasReportedGap = false

    /// Number of frames; nil while they have not been counted.
    private(set) var count: Int?
    /// The number of frames that the header states, or that follows from their constant size; nil if unknown.
    private(set) var stated: Int?
    /// The encoder's information frame, if there is one.
    let head: MPEGHead?
    /// Whether the last frame is incomplete; known once frames are counted.
    private(set) var isCut = false
    /// The header of the first frame after the last one whose rate or layer differs; known once frames are counted.
    private(set) var other: FrameHeader?
    /// The number of frames that the encoder states and the file lacks; known once frames are counted. A difference of
    /// 1 does not count, because encoders differ in whether they count the information frame.
    var missing: Int {
      guard let count, let said = head?.frames else { return 0 }
      // If all stated bytes are there, the stated number of frames is wrong: some encoders count the information frame.
      if let bytes = head?.bytes, bytes <= bytesThere + Int64(first.size / 2) { return 0 }
      return said - count > 1 ? said - count : 0
    }
    /// Bytes of the stream, the information frame included.
    private let bytesThere: Int64
    /// The header of the first frame.
    let first: FrameHeader

    /// The largest file, in bytes, whose frames are counted at opening; in a larger one they are counted during
    /// playing.
    private static let mostCountedSize: Int64 = 256 << 20
    /// The file size in bytes up to which frames are always counted.
    private static let alwaysCountedSize: Int64 = 1 << 20
    /// The file size in bytes above which the number of frames of constant size is computed by division.
    private static let leastDividedSize: Int64 = 16 << 20
    /// The number of bytes before the end at which the rest is counted: far more than the frames in which encoders pad.
    private static let countAhead: Int64 = 1 << 16

    /// - Parameter counts: whether the exact length is needed, even if this takes reading the whole file.
    init(_ file: RegularFile, _ coding: FrameCoding, from start: Int64, counts: Bool) throws(AudioError) {
      library = try FFmpegLibrary.functions(for: file.path)
      self.file = file
      finder = FrameFinder(coding, in: file)
      guard let first = finder.header(at: start) else {
        throw AudioError(.notAudio, path: file.path, reason: "no frame of \(coding)")
      }
      self.first = first
      finder.kind = first.kind
      head = coding == .mpeg ? MPEGHead(frame: file.bytes(at: start, count: min(1024, first.size))) : nil
      // The information frame has no sound.
      nextOffset = start + (head == nil ? 0 : Int64(first.size))
      beginning = nextOffset
      bytesThere = finder.end - start
      guard counts else {
        stated = head?.frames
        return
      }
      let bytes = bytesThere
      let probed = finder.probed(from: nextOffset)
      let isCredible = isCredible(bytes, probed)
      stated = isCredible ? head?.frames : probed?.isConstant == true ? divided : nil
      if mustCount(bytes, isCredible: isCredible) { countRest() }
    }

    var codec: String { first.codec }
    var parameters: UnsafePointer<AVCodecParameters>? { nil }

    // MARK: - Counting

    /// Whether the stated bytes and frames agree with the file.
    private func isCredible(_ bytes: Int64, _ probed: (size: Double, isConstant: Bool)?) -> Bool {
      guard let frames = head?.frames, frames > 0, let stated = head?.bytes, abs(stated - bytes) <= 4096,
        let probed
      else { return false }
      return (0.67...1.5).contains(Double(finder.end - nextOffset) / Double(frames) / probed.size)
    }

    /// The number of frames of constant size; nil if the header does not state the bit rate.
    private var divided: Int? {
      guard first.bits > 0 else { return nil }
      let size = Double(first.samples) / 8 * Double(first.bits) / Double(first.rate)
      return max(1, Int((Double(finder.end - nextOffset) / size).rounded()))
    }

    private func mustCount(_ bytes: Int64, isCredible: Bool) -> Bool {
      guard finder.coding == .mpeg, bytes > FramePackets.alwaysCountedSize else {
        return bytes <= FramePackets.mostCountedSize
      }
      if isCredible || stated != nil && bytes > FramePackets.leastDividedSize { return false }
      return bytes <= FramePackets.mostCountedSize
    }

    /// Counts the frames from the next one to the end.
    private func countRest() {
      let (before, indexBefore) = (nextOffset, nextIndex)
      while advance() != nil {}
      count = nextIndex
      isCut = finder.isCut(at: nextOffset)
      other = finder.coding == .mpeg && !isCut ? finder.other(from: nextOffset) : nil
      (nextOffset, nextIndex) = (before, indexBefore)
    }

    // MARK: - Packets

    /// Finds the next frame and moves behind it; nil at the end.
    private func advance() -> FrameFinder.Frame? {
      guard let found = finder.frame(from: nextOffset) else { return nil }
      if nextIndex % FramePackets.markSpacing == 0, nextIndex / FramePackets.markSpacing == marks.count {
        marks.append(found.place)
      }
      nextIndex += 1
      nextOffset = found.place + Int64(found.header.size)
      return found
    }

    func next(into packet: UnsafeMutablePointer<AVPacket>) -> PacketStep {
      if count == nil, finder.end - nextOffset <= FramePackets.countAhead { countRest() }
      guard let found = advance() else { return .end }
      if found.isBehindGap, !hasReportedGap {
        hasReportedGap = true
        nextOffset = found.place
        nextIndex -= 1
        return .broken(vg_AVERROR_INVALIDDATA)
      }
      hasReportedGap = false
      let size = found.header.size
      let result = library.av_new_packet(packet, Int32(size))
      guard result >= 0 else { return .broken(result) }
      guard file.read(packet.pointee.data, count: size, at: found.place) == size else {
        library.av_packet_unref(packet)
        return .broken(vg_AVERROR_EIO)
      }
      packet.pointee.pts = Int64(nextIndex - 1)
      return .packet
    }

    /// Returns to the first frame.
    func rewind() {
      (nextOffset, nextIndex, hasReportedGap) = (beginning, 0, false)
    }

    func seek(to sample: Int64, rate: Int) -> Bool {
      let target = Int(max(0, sample) / samples(rate))
      let mark = min(target / FramePackets.markSpacing, marks.count - 1)
      guard mark >= 0 else { return false }
      nextOffset = marks[mark]
      nextIndex = mark * FramePackets.markSpacing
      hasReportedGap = false
      while nextIndex < target, advance() != nil {}
      return true
    }

    func start(of packet: UnsafePointer<AVPacket>, rate: Int) -> Int64? { packet.pointee.pts * samples(rate) }

    /// Samples per channel of a frame at the decoded rate, which spectral band replication (SBR) doubles.
    func samples(_ rate: Int) -> Int64 { Int64(max(1, first.samples * rate / first.rate)) }
  }
#endif
