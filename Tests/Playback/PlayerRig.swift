import CRealtime
import Realtime
import Synchronization
import Testing

@testable import Playback

/// A player and a voice that is driven by hand, in cycles of any size, on the caller's thread.
final class PlayerRig {
  let player: Player
  let transport: HostTransport
  private let voice: UnsafeMutablePointer<DeckVoice>
  private let facts = UnsafeMutablePointer<Facts>.allocate(capacity: 1)
  private let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let outputs: UnsafeMutablePointer<UInt32>
  private let io: UnsafeMutablePointer<vg_io>
  private let ports = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 1)
  private(set) var sample: Int64 = 0
  /// What has been heard, channel by channel.
  private(set) var heard: [[Float]]

  init(
    _ files: [String], settings: PlayerSettings = PlayerSettings(), channels: Int = 1, rate: Int = 48000,
    isRealTime: Bool = false, transport: HostTransport = HostTransport(),
    open: @escaping TrackWalk.Opener = { path throws(AudioFault) in try openAudio(path) }
  ) throws {
    self.transport = transport
    player = try Player(
      files, settings: settings, channels: channels, hostRate: rate, isRealTime: isRealTime,
      transport: transport,
      open: open)
    voice = .allocate(capacity: 1)
    voice.initialize(
      to: DeckVoice(player.deck, follows: settings.transport == .own ? nil : transport.words))
    facts.initialize(to: Facts())
    buffers = .allocate(capacity: channels)
    outputs = .allocate(capacity: channels)
    for channel in 0..<channels {
      let buffer = UnsafeMutablePointer<Float>.allocate(capacity: Engine.longestSegment)
      buffer.initialize(repeating: .nan, count: Engine.longestSegment)
      (buffers + channel).initialize(to: buffer)
      (outputs + channel).initialize(to: UInt32(channel))
    }
    ports.initialize(to: nil)
    io = .allocate(capacity: 1)
    io.initialize(
      to: vg_io(
        inputs: outputs, outputs: outputs, inputCount: 0, outputCount: UInt32(channels), firstValue: 0,
        firstSource: 0))
    heard = Array(repeating: [], count: channels)
    player.prime()
  }

  deinit {
    player.stopThread()
    for channel in heard.indices { buffers[channel].deallocate() }
    voice.deinitialize(count: 1)
    voice.deallocate()
    facts.deinitialize(count: 1)
    facts.deallocate()
    buffers.deallocate()
    outputs.deallocate()
    io.deallocate()
    ports.deallocate()
  }

  /// Renders so many samples in cycles of at most `size`; gives those of each channel.
  @discardableResult
  func play(_ count: Int, by size: Int = 256, supplies: Bool = true) -> [[Float]] {
    let before = heard[0].count
    var left = count
    while left > 0 {
      if supplies { player.supply() }
      let n = min(size, left)
      var segment = vg_cycle(
        buffers: buffers, homes: buffers, ports: ports, facts: UnsafeMutableRawPointer(facts), offset: 0,
        count: UInt32(n), position: 0, length: 8192, sample: sample, frame: 1)
      withUnsafePointer(to: &segment) { voice.pointee.render(io, Cycle($0)) }
      sample += Int64(n)
      if transport.words.pointee.state.load(ordering: .relaxed) == HostTransportWords.State.rolling.rawValue {
        _ = transport.words.pointee.frame.wrappingAdd(Int64(n), ordering: .relaxed)
      }
      left -= n
      for channel in heard.indices {
        heard[channel] += UnsafeBufferPointer(start: buffers[channel], count: n)
      }
    }
    return heard.map { Array($0[before...]) }
  }

  /// What the voice tells of the frame.
  func finish() -> (isSounding: Bool, endings: UInt32) { voice.pointee.finish() }
}

/// How sharply a sound bends at each sample: the second difference.
func bends(_ samples: [Float]) -> [Float] {
  var result = [Float](repeating: 0, count: samples.count)
  for i in 2..<samples.count {
    let before: Float = samples[i - 1] - samples[i - 2]
    let after: Float = samples[i] - samples[i - 1]
    result[i] = abs(after - before)
  }
  return result
}
