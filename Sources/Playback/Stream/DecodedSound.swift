/// A whole sound file decoded into memory, at the host's rate, with at most as many channels as asked for.
///
/// [control] makes it. Its contents never change, so any thread may read it while its owner keeps it alive.
public final class DecodedSound: @unchecked Sendable {
  /// Why a sound is not loaded.
  public enum Refusal: Error, Equatable {
    /// The file cannot be opened, or has no samples.
    case file(AudioError)
    /// It is longer than the limit in seconds.
    case tooLong
    /// It needs more memory than the limit.
    case tooLarge
  }

  /// The path, as it was given.
  public let path: String
  /// The samples, channels × `count`; they must not be written to.
  public var samples: PlanarSamples { buffer.samples }
  /// Channels: 1 up to the number that was asked for.
  public var channels: Int { buffer.samples.channels }
  /// Samples per channel, at least 1.
  public let count: Int
  /// Why it ends early; nil if it is whole.
  public let fault: AudioError?
  /// Memory of its samples in bytes.
  public var bytes: Int { Self.bytes(count: count, channels: channels) }

  private let buffer: PlanarBuffer
  /// Samples per channel of a decoder call.
  private static let block = 8192

  /// Decodes a file.
  ///
  /// - Parameters:
  ///   - path: the file, relative to the working folder or absolute.
  ///   - rate: the host's sample rate in Hz; a file of another rate is resampled.
  ///   - channels: the most channels that are kept, n. A file with more is mixed down: channel k is the mean of the
  ///     file's channels k, k + n, k + 2n, ….
  ///   - longest: the longest duration in seconds.
  ///   - bytes: the most memory of the samples.
  /// - Throws: `Refusal`.
  public init(
    path: String, rate: Int, channels most: Int, longest: Double, bytes: Int
  ) throws(Refusal) {
    let reader: any AudioReader
    let source: any SampleSource
    do throws(AudioError) {
      reader = try openAudio(path)
      source =
        reader.format.rate == rate
        ? reader : try Resampler(reader, from: reader.format.rate, to: rate, path: path)
    } catch {
      throw .file(error)
    }
    let width = min(most, source.channels)
    let limit = Int(longest * Double(rate))
    let room = bytes / (MemoryLayout<Float>.stride * width)
    let input = PlanarBuffer(channels: source.channels, count: Self.block)
    // The length in the header only sets the first allocation, at most 2²⁰ samples; memory grows with what is decoded.
    let promised = reader.format.frames.map { Resampler.length(of: $0, from: reader.format.rate, to: rate) }
    var whole = PlanarBuffer(
      channels: width, count: max(Self.block, Int(min(promised ?? 0, Int64(min(limit, room)), 1 << 20))))
    var count = 0
    while true {
      let given = source.read(Self.block, into: input.samples)
      if count + given > limit { throw .tooLong }
      if count + given > room { throw .tooLarge }
      if count + given > whole.count {
        let larger = PlanarBuffer(
          channels: width, count: min(2 * max(whole.count, count + given), min(limit, room)))
        whole.copy(from: 0, count: count, to: larger.samples)
        whole = larger
      }
      mixDown(input.samples, count: given, into: whole.samples.dropFirst(count))
      count += given
      if given < Self.block { break }
    }
    guard count > 0 else {
      throw .file(source.fault ?? AudioError(.empty, path: path, reason: "0 samples"))
    }
    self.path = path
    self.count = count
    fault = source.fault ?? reader.breaks.fault ?? reader.format.warning
    buffer = whole
  }

  /// Memory of so many samples per channel, in bytes; `Int.max` on overflow.
  public static func bytes(count: Int, channels: Int) -> Int {
    let (bytes, isTooMany) = count.multipliedReportingOverflow(by: channels * MemoryLayout<Float>.stride)
    return isTooMany ? .max : bytes
  }
}

/// Mixes down: channel k of n `output` channels is the mean of the `input` channels k, k + n, k + 2n, ….
private func mixDown(_ input: PlanarSamples, count: Int, into output: PlanarSamples) {
  guard output.channels < input.channels else {
    for channel in 0..<output.channels { output[channel].update(from: input[channel], count: count) }
    return
  }
  for channel in 0..<output.channels {
    let factor = 1 / Float((input.channels - channel + output.channels - 1) / output.channels)
    let sum = output[channel]
    sum.update(repeating: 0, count: count)
    for part in stride(from: channel, to: input.channels, by: output.channels) {
      let samples = input[part]
      for i in 0..<count { sum[i] += samples[i] * factor }
    }
  }
}

/// Caches a play (one pass through a track) that is very short: a loop of one sample would otherwise rewind its file
/// 48,000 times a second. [one]
final class LoopCache {
  /// The most samples per channel of a play.
  static let longest = 4096

  private let buffer: PlanarBuffer
  private var count = 0
  private var position = 0

  init(channels: Int) { buffer = PlanarBuffer(channels: channels, count: LoopCache.longest) }

  /// Caches further samples of a play; the first has `offset` from its beginning.
  func note(_ samples: PlanarSamples, count: Int, at offset: Int64) {
    guard offset < Int64(LoopCache.longest) else { return }
    let start = Int(offset)
    let kept = min(count, LoopCache.longest - start)
    for channel in 0..<samples.channels {
      (buffer.samples[channel] + start).update(from: samples[channel], count: kept)
    }
    self.count = start + kept
    position = self.count
  }

  /// Copies the next samples of the play. Returns how many: fewer than wanted only at its end.
  func read(_ wanted: Int, into destination: PlanarSamples) -> Int {
    let given = min(wanted, count - position)
    buffer.copy(from: position, count: given, to: destination)
    position += given
    return given
  }

  /// Goes back to the play's first sample.
  func rewind() { position = 0 }
}
