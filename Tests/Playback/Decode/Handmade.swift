import Foundation
import TestSounds

@testable import Playback

/// Containers made byte by byte, for content that no program of Debian writes.
enum Handmade {
  /// A number, most significant byte first.
  static func big(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// A CAF file.
  ///
  /// - Parameter table: playable samples, samples before and after them, and the bytes of each packet.
  static func caf(
    _ coding: String, rate: Double, channels: Int, bytesPerPacket: Int, framesPerPacket: Int, data: [UInt8],
    cookie: [UInt8] = [], table: (valid: Int, priming: Int, rest: Int, packets: [Int])? = nil
  ) -> [UInt8] {
    func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
      Array(name.utf8) + big(Int64(contents.count)) + contents
    }
    var description = big(rate.bitPattern) + Array(coding.utf8) + big(UInt32(0))
    for number in [bytesPerPacket, framesPerPacket, channels, 0] { description += big(UInt32(number)) }
    var file = Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", description)
    if !cookie.isEmpty { file += chunk("kuki", cookie) }
    if let table {
      var contents = big(Int64(table.packets.count)) + big(Int64(table.valid)) + big(Int32(table.priming))
      contents += big(Int32(table.rest))
      for size in table.packets {
        if size > 127 { contents.append(UInt8(0x80 | size >> 7)) }
        contents.append(UInt8(size & 127))
      }
      file += chunk("pakt", contents)
    }
    return file + chunk("data", [0, 0, 0, 0] + data)
  }

  /// A DSF file of one channel in which all bits come from one byte.
  static func dsf(rate: Int, blocks: Int, byte: UInt8) -> [UInt8] {
    func little(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let data = [UInt8](repeating: byte, count: 4096 * blocks)
    let format = [(1, 4), (0, 4), (1, 4), (1, 4), (rate, 4), (1, 4), (8 * data.count, 8), (4096, 4), (0, 4)]
    let head = Array("DSD ".utf8) + little(28, 8) + little(92 + data.count, 8) + little(0, 8)
    return head + Array("fmt ".utf8) + little(52, 8) + format.flatMap { little($0.0, $0.1) }
      + Array("data".utf8) + little(12 + data.count, 8) + data
  }

  /// The frames of bare AAC without their headers.
  static func frames(ofADTS bytes: [UInt8]) -> [[UInt8]] {
    var frames: [[UInt8]] = []
    var place = 0
    while let header = ADTSHeader(bytes, at: place), place + header.size <= bytes.count {
      let length = bytes[place + 1] & 1 == 1 ? 7 : 9
      frames.append(Array(bytes[place + length..<place + header.size]))
      place += header.size
    }
    return frames
  }

  /// The descriptor of AAC that CAF keeps in its cookie (ISO 14496-1).
  static func cookie(ofAAC configuration: [UInt8]) -> [UInt8] {
    func part(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
      [tag, 0x80, 0x80, 0x80, UInt8(contents.count)] + contents
    }
    let decoder = [0x40, 0x15, 0, 0, 0] + [UInt8](repeating: 0, count: 8) + part(5, configuration)
    return part(3, [0, 0, 0] + part(4, decoder) + part(6, [2]))
  }

  /// A QuickTime box.
  static func box(_ name: String, _ contents: [UInt8]) -> [UInt8] {
    big(UInt32(8 + contents.count)) + Array(name.utf8) + contents
  }
}

extension Folder {
  /// The bytes of a file in it.
  func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: self[name])))
  }

  /// A file of music, as ffmpeg encodes it.
  func encoded(
    _ name: String, _ arguments: [String], frames: Int = 60_000, channels: Int = 2, rate: Int = 44100
  ) throws -> String {
    let samples = Format.music(frames * channels, channels: channels, rate: rate, bits: 16)
    let source = write(Wave.bytes(samples, channels: channels, rate: rate, as: .pcm16), "source-\(name).wav")
    try run("ffmpeg", ["-v", "error", "-y", "-i", source] + arguments + [self[name]])
    return self[name]
  }
}
