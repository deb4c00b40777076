import System

#if FFmpeg
  import CFfmpeg
  import Glibc

  /// The packets of Vorbis, Opus, FLAC or Speex in an Ogg file, each with its exact place. [one]
  ///
  /// The granule position of a page is the sample after its last complete packet. So the place of the packet after a
  /// page is known, however the page was reached, and nothing is computed backwards from the last page, which may be
  /// trimmed.
  final class OggPackets: PacketSource {
    let codec: String
    var parameters: UnsafePointer<AVCodecParameters>? { UnsafePointer(description) }
    /// The granule position of the first page with sound, and the packets that end on it.
    private(set) var first: (granule: Int64, packets: Int)?
    /// The granule position of the last page; nil if it is not found.
    private(set) var last: Int64?
    /// Samples that the encoder has put in front (pre-skip of Opus).
    private(set) var skipped: Int64 = 0
    /// Whether the last page is marked as the end of the stream.
    private(set) var isWhole = false
    /// Subtracted from granule positions, so that counting begins at the first decoded sample.
    var base: Int64 = 0

    private let library: vg_ffmpeg
    private let file: RegularFile
    private var description: UnsafeMutablePointer<AVCodecParameters>?
    private let serial: UInt64
    /// Byte offset of the pages with sound.
    private var soundStart: Int64 = 0

    /// The current page, and the index of its next part.
    private var page: OggPage?
    private var part = 0
    private var place: Int64
    /// The beginning of a packet that continues on the next page.
    private var open: [UInt8]?
    private var whole = 0
    private var label: Int64?
    private var given: Int64?

    private static let mostSearched = 4 << 20
    private static let mostPacket = 1 << 20

    init(_ file: RegularFile) throws(AudioError) {
      library = try FFmpegLibrary.functions(for: file.path)
      self.file = file
      var place: Int64 = 0
      var found: (OggPage, String)?
      // The first pages of all streams come before any other page.
      for _ in 0..<64 {
        guard let page = OggPage(of: file, at: place), page.isFirst else { break }
        let body = page.parts.first.map { Array(page.bytes[$0]) } ?? []
        if body.has("\u{01}vorbis") { found = (page, "vorbis") }
        if body.has("\u{7F}FLAC") { found = (page, "flac") }
        if body.has("OpusHead") { found = (page, "opus") }
        if body.has("Speex   ") { found = (page, "speex") }
        if found != nil { break }
        place += Int64(page.size)
      }
      guard let (page, codec) = found else {
        throw AudioError(.notAudio, path: file.path, reason: "no Vorbis, Opus, FLAC or Speex in it")
      }
      self.codec = codec
      serial = page.serial
      self.place = page.place
      do { try readHeaders() } catch {
        free()
        throw error
      }
      findEnds()
    }

    deinit { free() }

    private func free() { library.avcodec_parameters_free(&description) }

    // MARK: - Headers

    private func readHeaders() throws(AudioError) {
      var headers: [[UInt8]] = []
      let broken = AudioError(.notAudio, path: file.path, reason: "the headers of its stream are broken")
      while true {
        let before = (page, part, place)
        guard let packet = packet(), headers.count < 64 else { throw broken }
        // FLAC's audio packets begin with 0xFF.
        if codec == "flac", packet.first == 0xFF {
          (page, part, place) = before
          break
        }
        headers.append(packet)
        if headers.count == wanted(headers) { break }
      }
      let extra: [UInt8]? =
        switch codec {
        case "vorbis": OggPackets.laced(headers)
        case "opus": headers[0].count >= 19 ? headers[0] : nil
        case "speex": headers[0].count >= 80 ? headers[0] : nil
        default:
          headers.first.map { Array($0.dropFirst(17).prefix(34)) }.flatMap { $0.count == 34 ? $0 : nil }
        }
      guard let extra else { throw broken }
      if codec == "opus" { skipped = Int64(extra.little(10, 2) ?? 0) }
      // Audio packets begin on a page of their own.
      soundStart = page.map { part == 0 ? $0.place : $0.place + Int64($0.size) } ?? place
      describe(extra)
      start(at: soundStart)
      label = 0
    }

    /// Number of header packets: three for Vorbis, two for Opus; for Speex the first one states it.
    private func wanted(_ headers: [[UInt8]]) -> Int {
      switch codec {
      case "vorbis": 3
      case "opus": 2
      case "speex": 2 + Int(min(8, headers[0].little(68, 4) ?? 0))
      default: 64
      }
    }

    /// The three headers of Vorbis in Xiph lacing, as FFmpeg takes them.
    private static func laced(_ headers: [[UInt8]]) -> [UInt8]? {
      guard headers.count == 3, headers[0].has("\u{01}vorbis"), headers[1].has("\u{03}vorbis"),
        headers[2].has("\u{05}vorbis")
      else { return nil }
      var bytes: [UInt8] = [2]
      for header in headers.prefix(2) {
        bytes += [UInt8](repeating: 255, count: header.count / 255) + [UInt8(header.count % 255)]
      }
      return bytes + headers.flatMap { $0 }
    }

    private func describe(_ extra: [UInt8]) {
      let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
      guard let description = library.avcodec_parameters_alloc(),
        let memory = library.av_malloc(extra.count + padding)
      else { return }
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: extra.count + padding)
      memory.copyMemory(from: extra, byteCount: extra.count)
      description.pointee.codec_type = AVMEDIA_TYPE_AUDIO
      description.pointee.codec_id =
        switch codec {
        case "vorbis": AV_CODEC_ID_VORBIS
        case "opus": AV_CODEC_ID_OPUS
        case "speex": AV_CODEC_ID_SPEEX
        default: AV_CODEC_ID_FLAC
        }
      description.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
      description.pointee.extradata_size = Int32(extra.count)
      self.description = description
    }

    private func findEnds() {
      var at = soundStart
      for _ in 0..<64 {
        guard let page = OggPage(of: file, at: at) else { break }
        at += Int64(page.size)
        guard page.serial == serial, let granule = page.granule else { continue }
        first = (granule, page.parts.count - (page.endsWhole ? 0 : 1))
        break
      }
      at = max(soundStart, file.size - Int64(2 * OggPage.most))
      while let page = OggPage.next(in: file, from: at, most: OggPackets.mostSearched) {
        at = page.place + Int64(page.size)
        guard page.serial == serial, let granule = page.granule else { continue }
        last = granule
        isWhole = page.isLast
      }
    }

    // MARK: - Packets

    private func start(at place: Int64) {
      page = nil
      part = 0
      self.place = place
      open = nil
      whole = 0
      label = nil
    }

    /// The next packet; nil at the end, or if a page is broken.
    private func packet() -> [UInt8]? {
      while true {
        guard let page else {
          guard let next = OggPage(of: file, at: place) else { return nil }
          place += Int64(next.size)
          guard next.serial == serial else { continue }
          self.page = next
          part = 0
          if !next.isContinued { open = nil }
          // Skips the end of a packet whose beginning was not read.
          if next.isContinued, open == nil, !next.parts.isEmpty {
            part = next.parts.count == 1 && !next.endsWhole ? 0 : 1
          }
          continue
        }
        guard part < page.parts.count else {
          endPage(page)
          continue
        }
        let bytes = (open ?? []) + page.bytes[page.parts[part]]
        let isEnd = part < page.parts.count - 1 || page.endsWhole
        part += 1
        open = nil
        if isEnd { return bytes }
        if bytes.count <= OggPackets.mostPacket { open = bytes }
        endPage(page)
      }
    }

    private func endPage(_ page: OggPage) {
      // The next packet begins at this granule position, if the decoder has had a packet before it to prime it.
      if let granule = page.granule, whole > 0 { label = granule - base }
      self.page = nil
    }

    func next(into packet: UnsafeMutablePointer<AVPacket>) -> PacketStep {
      guard let bytes = self.packet() else {
        // Searches for a page after a broken one.
        guard let next = OggPage.next(in: file, from: place + 1, most: OggPackets.mostSearched) else {
          return .end
        }
        start(at: next.place)
        return .broken(vg_AVERROR_INVALIDDATA)
      }
      given = label
      label = nil
      whole += 1
      let result = library.av_new_packet(packet, Int32(bytes.count))
      guard result >= 0 else { return .broken(result) }
      packet.pointee.data.update(from: bytes, count: bytes.count)
      return .packet
    }

    func seek(to sample: Int64, rate: Int) -> Bool {
      var (low, high) = (soundStart, file.size)
      for _ in 0..<64 where high - low > Int64(2 * OggPage.most) {
        let middle = low + (high - low) / 2
        guard let page = pageWithGranule(from: middle, before: high), let granule = page.granule,
          granule - base <= sample
        else {
          high = middle
          continue
        }
        low = page.place
      }
      start(at: low)
      if low == soundStart { label = 0 }
      return true
    }

    private func pageWithGranule(from place: Int64, before end: Int64) -> OggPage? {
      var at = place
      for _ in 0..<1000 {
        guard at < end,
          let page = OggPage.next(
            in: file, from: at, most: Int(min(end - at, Int64(OggPackets.mostSearched))))
        else { return nil }
        if page.serial == serial, page.granule != nil { return page }
        at = page.place + Int64(page.size)
      }
      return nil
    }

    func start(of packet: UnsafePointer<AVPacket>, rate: Int) -> Int64? { given }
  }
#endif
