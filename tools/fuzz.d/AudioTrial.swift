import Glibc
import Playback

/// What has to hold for any bytes given as a sound: they are refused with a fault, or decode to finite samples of the
/// stated channels, from any place.
struct AudioTrial: MutantTrial {
  private let path: String
  /// Samples of all channels that are decoded of each file.
  private static let most = 400_000

  /// Written files lie beside the file `beside`, in memory if there is room.
  init(beside: String) { path = "/dev/shm/visgraph-fuzz-sound-\(getpid())" }

  /// Removes the written files.
  func remove() { unlink(path) }

  func outcome(of bytes: [UInt8], running: () -> Void) throws -> Trial.Outcome {
    write(bytes, to: path)
    let file: any AudioReader
    do throws(AudioError) {
      file = try openAudio(path)
    } catch {
      try inspect(at: error)
      return .refused
    }
    let format = file.format
    guard AudioFormat.channelRange.contains(format.channels), AudioFormat.rateRange.contains(format.rate),
      format.frames ?? 1 > 0, format.channelNames.isEmpty || format.channelNames.count == format.channels
    else { throw Trial.Complaint("format: \(format)") }
    let tags = file.tags
    for text in [tags.title, tags.artist, tags.album].compactMap({ $0 }) { try inspect(at: text) }
    if let cover = file.cover(), cover.bytes.isEmpty || cover.bytes.count > CoverPicture.most {
      throw Trial.Complaint("cover: \(cover.bytes.count) bytes")
    }
    running()
    try decode(file)
    return .ran
  }

  private func decode(_ file: any AudioReader) throws {
    let count = 4096
    let channels = file.format.channels
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: channels * count)
    defer { memory.deallocate() }
    let room = PlanarSamples(base: memory, stride: count, channels: channels)
    try read(file, room, count, Self.most)
    let frames = file.format.frames ?? 10_000
    for place in [frames / 2, 1, frames - 10, frames / 3, Int64.max, 0, -5] {
      do throws(AudioError) { try file.seek(to: place) } catch {
        try inspect(at: error)
        continue
      }
      if file.position < 0 || file.position > max(0, place) {
        throw Trial.Complaint("position: \(file.position) after a seek to \(place)")
      }
      // A far place is reached by decoding up to it, which may take long.
      if place < 20_000_000 { try read(file, room, count, 20_000) }
    }
    do throws(AudioError) { try file.rewind() } catch { return try inspect(at: error) }
    try read(file, room, count, 20_000)
    if let fault = file.fault { try inspect(at: fault) }
    if let fault = file.breaks.fault { try inspect(at: fault) }
  }

  private func read(_ file: any AudioReader, _ room: PlanarSamples, _ count: Int, _ most: Int) throws {
    var left = max(count, most / room.channels)
    while left > 0 {
      let before = file.position
      let given = file.read(count, into: room)
      // A seek may have gone past an unknown end.
      let isBack = given == 0 && file.position < before
      guard (0...count).contains(given), file.position == before + Int64(given) || isBack else {
        throw Trial.Complaint("position: \(given) given, from \(before) to \(file.position)")
      }
      for channel in 0..<room.channels where !(0..<given).allSatisfy({ room[channel][$0].isFinite }) {
        throw Trial.Complaint("sample: not finite")
      }
      if given < count {
        if file.read(count, into: room) != 0 { throw Trial.Complaint("end: read on behind it") }
        return
      }
      left -= given
    }
  }

  private func inspect(at fault: AudioError) throws {
    guard fault.path == path, fault.message.contains(path) else {
      throw Trial.Complaint("fault: of another file, \(fault.path)")
    }
    try inspect(at: fault.message)
  }

  private func inspect(at text: String) throws {
    let isSafe = text.unicodeScalars.allSatisfy { $0.value >= 32 && !(127...159).contains($0.value) }
    guard isSafe, !text.isEmpty, text.utf8.count < 5000 else {
      throw Trial.Complaint("text: cannot be shown")
    }
  }
}
