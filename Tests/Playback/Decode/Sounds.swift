import Foundation
import Glibc
import Realtime
import Testing

@testable import Playback

/// A folder that is removed with the test.
final class Folder {
  let path: String
  init() {
    path = NSTemporaryDirectory() + "visgraph-playback-\(UUID().uuidString)"
    mkdir(path, 0o700)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  subscript(name: String) -> String { path + "/" + name }

  /// Writes a file. Returns its path.
  @discardableResult
  func write(_ bytes: [UInt8], _ name: String) -> String {
    _ = FileManager.default.createFile(atPath: self[name], contents: Data(bytes))
    return self[name]
  }
}

/// Runs a program to its end. An error of the program fails the test.
func run(_ program: String, _ arguments: String...) throws { try run(program, arguments) }

/// The same with a list of arguments.
func run(_ program: String, _ arguments: [String]) throws {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  let errors = Pipe()
  process.standardError = errors
  process.standardOutput = FileHandle.nullDevice
  try process.run()
  let errorOutput = errors.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  try #require(process.terminationStatus == 0, "\(program): \(String(decoding: errorOutput, as: UTF8.self))")
}

/// One channel of interleaved samples.
func channel(_ channel: Int, of samples: [Float], channels: Int) -> [Float] {
  stride(from: channel, to: samples.count, by: channels).map { samples[$0] }
}

/// All samples of a source, channel by channel, read in pieces of the given sizes in turn.
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

/// The fault of opening a file.
func fault(opening path: String) -> AudioError? {
  do throws(AudioError) {
    _ = try AudioFile(path: path)
    return nil
  } catch {
    return error
  }
}
