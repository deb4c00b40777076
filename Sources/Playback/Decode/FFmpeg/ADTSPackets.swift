import System

#if FFmpeg
  import CFfmpeg
  import Glibc

  /// The frames of AAC without a container, cut apart by their headers. [one]
  ///
  /// The file is gone through once, when it is opened, so that its length and every place in it are known exactly.
  final class ADTSPackets: PacketSource {
    private let library: vg_ffmpeg
    private let file: RegularFile
    /// Where every `step`th frame begins.
    private var marks: [Int64] = []
    private static let step = 32
    private var place: Int64
    private var number = 0
    /// Frames of the file; nil where it is too long to be counted.
    private(set) var count: Int?
    /// Samples of a frame, of its core.
    let samplesOfCore: Int
    /// Samples per second of the core.
    let rateOfCore: Int
    /// The bytes that are gone through to count frames; a longer file is counted as it is played.
    private static let mostCounted: Int64 = 256 << 20
    /// How far behind a broken frame the next one is looked for.
    private static let mostSearched = 1 << 20

    private var window: [UInt8] = []
    private var windowPlace: Int64 = 0

    init(_ file: RegularFile, from start: Int64) throws(AudioError) {
      library = try FFmpegLibrary.functions(for: file.path)
      self.file = file
      place = start
      guard let header = ADTSHeader(file.bytes(at: start, count: ADTSHeader.count)) else {
        throw AudioError(.notAudio, path: file.path, reason: "no frame of AAC")
      }
      samplesOfCore = header.samples
      rateOfCore = header.rate
      // Frames are told from chance by the ones behind them.
      if file.size - start <= ADTSPackets.mostCounted {
        while step() != nil {}
        count = number
      }
      place = start
      number = 0
    }

    var codec: String { "aac" }
    var parameters: UnsafePointer<AVCodecParameters>? { nil }

    /// Finds the next frame and goes behind it; nil at the end.
    private func step() -> (place: Int64, size: Int)? {
      guard let found = frame() else { return nil }
      if number % ADTSPackets.step == 0, number / ADTSPackets.step == marks.count {
        marks.append(found.place)
      }
      number += 1
      place = found.place + Int64(found.size)
      return found
    }

    private func frame() -> (place: Int64, size: Int)? {
      for ahead in 0..<ADTSPackets.mostSearched {
        let here = place + Int64(ahead)
        guard let header = header(at: here) else {
          if here + Int64(ADTSHeader.count) > file.size { return nil }
          continue
        }
        let end = here + Int64(header.size)
        if end > file.size { return nil }
        // Behind bytes that are no frame, only what is followed by another frame or by the end is one.
        if ahead == 0 || end == file.size || self.header(at: end) != nil { return (here, header.size) }
      }
      return nil
    }

    private func header(at place: Int64) -> ADTSHeader? {
      if place < windowPlace || place + Int64(ADTSHeader.count) > windowPlace + Int64(window.count) {
        window = file.bytes(at: place, count: 1 << 16)
        windowPlace = place
      }
      return ADTSHeader(window, at: Int(place - windowPlace))
    }

    func next(into packet: UnsafeMutablePointer<AVPacket>) -> PacketStep {
      guard let found = step() else { return .end }
      let result = library.av_new_packet(packet, Int32(found.size))
      guard result >= 0 else { return .broken(result) }
      guard file.read(packet.pointee.data, count: found.size, at: found.place) == found.size else {
        library.av_packet_unref(packet)
        return .end
      }
      packet.pointee.pts = Int64(number - 1)
      return .packet
    }

    func seek(to sample: Int64, rate: Int) -> Bool {
      let target = Int(max(0, sample) / samples(rate))
      let mark = min(target / ADTSPackets.step, marks.count - 1)
      guard mark >= 0 else { return false }
      place = marks[mark]
      number = mark * ADTSPackets.step
      while number < target, step() != nil {}
      return true
    }

    func start(of packet: UnsafePointer<AVPacket>, rate: Int) -> Int64? { packet.pointee.pts * samples(rate) }

    /// Samples of a frame at the rate of what is decoded: spectral band replication doubles them.
    func samples(_ rate: Int) -> Int64 { Int64(max(1, samplesOfCore * rate / rateOfCore)) }
  }
#endif
