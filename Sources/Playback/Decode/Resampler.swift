import CSoxr

/// Resamples a whole sound by the soxr library in its high quality (20 bits). [one]
///
/// The output begins exactly at the input's first sample and has round(input samples × output rate ÷ (input rate ×
/// speed)) samples; with `speed` 1 that is exact, half up. The filter is always given blocks of the same size, whatever
/// sizes are read, so the output depends on the input alone.
public final class Resampler: SampleSource {
  /// Number of channels, those of the source.
  public let channels: Int
  /// Why the sound ended early: the filter's own failure, otherwise the source's fault.
  public var fault: AudioError? { failure ?? source.fault }

  private let source: any SampleSource
  private let filter: soxr_t
  private let inputRate: Int
  private let outputRate: Int
  private let speed: Double
  private let path: String
  private var failure: AudioError?

  private let input: PlanarBuffer
  private var inputUsed = 0
  private var inputCount = 0
  private var taken: Int64 = 0
  private var sourceIsOver = false

  private let output: PlanarBuffer
  private var outputUsed = 0
  private var outputCount = 0
  private var given: Int64 = 0
  /// The exact length of the output, once the source has ended.
  private var end = Int64.max
  private var isDrained = false

  /// Samples per channel of a block for the filter.
  private static let block = 4096

  /// Makes a filter; reads nothing yet.
  ///
  /// - Parameters:
  ///   - source: the input.
  ///   - inputRate: the source's sample rate in Hz.
  ///   - outputRate: the wanted sample rate in Hz.
  ///   - speed: factor of tempo and pitch together, as on a tape: 0.25…4.
  ///   - path: the file to name in a fault.
  /// - Throws: `AudioError` with the code `.rate` if a rate or the speed is out of range, or if soxr refuses them.
  public init(
    _ source: any SampleSource, from inputRate: Int, to outputRate: Int, speed: Double = 1, path: String
  ) throws(AudioError) {
    let change = "\(inputRate) Hz to \(outputRate) Hz" + (speed == 1 ? "" : " at speed \(speed)")
    guard inputRate > 0, outputRate > 0, speed >= 0.25, speed <= 4 else {
      throw AudioError(.rate, path: path, reason: change)
    }
    var error: soxr_error_t?
    var types = soxr_io_spec(SOXR_FLOAT32_S, SOXR_FLOAT32_S)
    var quality = soxr_quality_spec(UInt(SOXR_20_BITQ), 0)
    var runtime = soxr_runtime_spec(1)
    guard
      let filter = soxr_create(
        Double(inputRate) * speed, Double(outputRate), UInt32(source.channels), &error, &types, &quality,
        &runtime),
      error == nil
    else {
      throw AudioError(.rate, path: path, reason: change + ": " + text(error))
    }
    self.source = source
    self.filter = filter
    self.inputRate = inputRate
    self.outputRate = outputRate
    self.speed = speed
    self.path = path
    channels = source.channels
    input = PlanarBuffer(channels: source.channels, count: Self.block)
    output = PlanarBuffer(channels: source.channels, count: Self.block)
  }

  deinit { soxr_delete(filter) }

  /// Samples of a sound at another rate and `speed` 1: round(count × outputRate ÷ inputRate), half up.
  public static func length(of count: Int64, from inputRate: Int, to outputRate: Int) -> Int64 {
    // Computed in two parts against overflow.
    let whole = count / Int64(inputRate) * Int64(outputRate)
    let rest = count % Int64(inputRate) * Int64(outputRate)
    return whole + (2 * rest + Int64(inputRate)) / (2 * Int64(inputRate))
  }

  /// Reads the next samples at the output rate.
  public func read(_ count: Int, into destination: PlanarSamples) -> Int {
    var done = 0
    while done < count, given < end {
      if outputUsed == outputCount { filterBlock() }
      let ready = min(Int64(outputCount - outputUsed), end - given, Int64(count - done))
      output.copy(from: outputUsed, count: Int(ready), to: destination.dropFirst(done))
      outputUsed += Int(ready)
      given += ready
      done += Int(ready)
    }
    return done
  }

  /// Runs the filter for a block of output, and reads input when it is used up.
  private func filterBlock() {
    if inputUsed == inputCount, !sourceIsOver { takeBlock() }
    var used = 0
    var made = 0
    output.point(at: 0)
    let error: soxr_error_t?
    if inputUsed < inputCount {
      input.point(at: inputUsed)
      error = soxr_process(
        filter, input.pointers, inputCount - inputUsed, &used, output.pointers, output.count, &made)
    } else if sourceIsOver, !isDrained {
      error = soxr_process(filter, nil, 0, nil, output.pointers, output.count, &made)
      isDrained = made == 0
    } else {
      // The filter may end a sample short of the exact length: silence replaces it.
      silence()
      return
    }
    inputUsed += used
    outputUsed = 0
    outputCount = made
    if let error {
      failure = AudioError(.rate, path: path, reason: text(error))
      end = given
    }
  }

  private func takeBlock() {
    inputUsed = 0
    inputCount = source.read(Self.block, into: input.samples)
    taken += Int64(inputCount)
    guard inputCount < Self.block else { return }
    sourceIsOver = true
    end =
      speed == 1
      ? Self.length(of: taken, from: inputRate, to: outputRate)
      : Int64((Double(taken) * Double(outputRate) / (Double(inputRate) * speed)).rounded())
  }

  private func silence() {
    for channel in 0..<channels { output.samples[channel].update(repeating: 0, count: output.count) }
    outputUsed = 0
    outputCount = output.count
  }
}
