import Foundation
import Glibc
import Realtime
import Testing

@testable import Playback

/// A folder that goes away with the test.
final class Folder {
  let path: String
  init() {
    path = NSTemporaryDirectory() + "visgraph-playback-\(UUID().uuidString)"
    mkdir(path, 0o700)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A path in it.
  subscript(name: String) -> String { path + "/" + name }

  /// Writes a file and gives its path.
  @discardableResult
  func write(_ bytes: [UInt8], _ name: String) -> String {
    _ = FileManager.default.createFile(atPath: self[name], contents: Data(bytes))
    return self[name]
  }
}

/// Runs a program to its end; its complaints are the test's.
func run(_ playlist: String, _ arguments: String...) throws { try run(playlist, arguments) }

/// The same with its arguments in a list.
func run(_ playlist: String, _ arguments: [String]) throws {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [playlist] + arguments
  let errors = Pipe()
  process.standardError = errors
  process.standardOutput = FileHandle.nullDevice
  try process.run()
  let said = errors.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  try #require(process.terminationStatus == 0, "\(playlist): \(String(decoding: said, as: UTF8.self))")
}

/// RIFF WAVE files made byte by byte.
enum Wave {
  enum Coding: CaseIterable { case pcm16, pcm24, float }

  /// A file of interleaved samples; `stated` overrides the number of data bytes in the header.
  static func bytes(
    _ samples: [Float], channels: Int, rate: Int = 48000, as coding: Coding = .float, stated: UInt32? = nil
  ) -> [UInt8] {
    var data: [UInt8] = []
    for sample in samples {
      switch coding {
      case .pcm16: data += little(UInt16(bitPattern: Int16(sample * 32768)))
      case .pcm24: data += little(UInt32(bitPattern: Int32(sample * 8_388_608))).prefix(3)
      case .float: data += little(sample.bitPattern)
      }
    }
    return header(channels: channels, rate: rate, as: coding, dataBytes: stated ?? UInt32(data.count)) + data
  }

  static func header(channels: Int, rate: Int, as coding: Coding, dataBytes: UInt32) -> [UInt8] {
    let width = coding == .pcm16 ? 2 : coding == .pcm24 ? 3 : 4
    var bytes = Array("RIFF".utf8) + little(36 &+ dataBytes) + Array("WAVEfmt ".utf8) + little(UInt32(16))
    bytes += little(UInt16(coding == .float ? 3 : 1)) + little(UInt16(channels)) + little(UInt32(rate))
    bytes += little(UInt32(truncatingIfNeeded: rate * channels * width))
    bytes += little(UInt16(truncatingIfNeeded: channels * width)) + little(UInt16(8 * width))
    return bytes + Array("data".utf8) + little(dataBytes)
  }

  private static func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}

/// Noise that is the same in every run, on the grid of 16-bit samples so that every coding keeps it exactly.
func noise(_ count: Int, seed: UInt64 = 1) -> [Float] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Float(Int16(truncatingIfNeeded: Int(state >> 40))) / 32768
  }
}

/// One channel of interleaved samples.
func channel(_ channel: Int, of samples: [Float], channels: Int) -> [Float] {
  stride(from: channel, to: samples.count, by: channels).map { samples[$0] }
}

/// Everything a source gives, channel by channel, read in pieces of the given sizes in turn.
func all(of source: any SampleSource, pieces: [Int] = [1000], limit: Int = .max) -> [[Float]] {
  var result = [[Float]](repeating: [], count: source.channels)
  let buffer = PlanarBuffer(channels: source.channels, count: pieces.max()!)
  var turn = 0
  while result[0].count < limit {
    let wanted = pieces[turn % pieces.count]
    turn += 1
    let given = source.read(wanted, into: buffer.samples)
    for channel in 0..<source.channels {
      result[channel] += UnsafeBufferPointer(start: buffer.samples[channel], count: given)
    }
    if given < wanted { break }
  }
  return result
}

/// The fault that opening a file ends in.
func fault(opening path: String) -> AudioError? {
  do throws(AudioError) {
    _ = try AudioFile(path: path)
    return nil
  } catch {
    return error
  }
}
