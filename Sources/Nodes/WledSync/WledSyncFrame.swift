import DMX
import Engine
import Graphs
import Realtime
import Synchronization
import System

/// The state that an audio sync keeps from plan to plan. [frame]
final class WledSyncSender: @unchecked Sendable {
  let packet = WledSyncPacket()
  var stalls = StallClock()
  /// When the last packet was due, in seconds of the timeline and of its stalls.
  var last = -Double.infinity
  /// When the last packet was sent, in nanoseconds of the monotonic clock.
  var lastTime: UInt64 = 0
  /// Whether a beat has come since the last packet.
  var isBeat = false
  /// Whether the last packet was one of silence for a blackout.
  var isDark = false
  var isFinished = false
  /// The number of packets sent. [any]
  let sent = Atomic<UInt64>(0)
  /// The last level, 0…255, in the high 16 bits, and the last frequency, in Hz, in the low ones. [any]
  let shown = Atomic<UInt32>(0)
}

/// Analyzes the sound at the end of every frame that is due, and sends it. [frame]
final class WledSyncFrame: FrameNode, @unchecked Sendable {
  private let id: String
  private let settings: WledSync.Settings
  private let ear: WledEar
  private let tap: SampleTap
  private let channels: Int
  private let beats: EventPlaces?
  private let dimmer: Dimmer
  private let destinations: [PacketDestination]
  private let sender: WledSyncSender
  private let lights: UniverseRoute.KeptLights
  /// Minimum seconds between two packets.
  private let interval: Double
  private let samples: UnsafeMutablePointer<Float>
  /// The samples of one channel, while channels are mixed.
  private let channelSamples: UnsafeMutablePointer<Float>

  init(
    _ context: NodeContext<WledSync.Settings>, _ ear: WledEar, _ tap: SampleTap,
    to destinations: [PacketDestination], by sender: WledSyncSender, lights: UniverseRoute.KeptLights
  ) {
    id = context.id
    (settings, self.ear, self.tap) = (context.settings.all, ear, tap)
    (self.destinations, self.sender, self.lights) = (destinations, sender, lights)
    channels = context.inputs[0].channels.count
    beats = context.inputs[1].channels.isEmpty ? nil : context.eventPlaces[1]
    dimmer = context.configuration.dimmer
    interval = UniverseSchedule.interval(rate: settings.rate, fps: context.fps.perSecond)
    samples = .allocate(capacity: ear.length)
    samples.initialize(repeating: 0, count: ear.length)
    channelSamples = .allocate(capacity: ear.length)
    channelSamples.initialize(repeating: 0, count: ear.length)
  }

  deinit {
    samples.deallocate()
    channelSamples.deallocate()
  }

  func run(_ frame: Frame) {
    let begin = frame.header.endSample - Int64(ear.length)
    defer { tap.reader.release(before: begin) }
    let time = frame.end + sender.stalls.advance(frame)
    if let beats {
      for event in frame.events.all where !beats.channels(of: event).isEmpty { sender.isBeat = true }
    }
    if frame.isFreewheeling && settings.freewheel == .hold { return }
    if dimmer.isBlackout, !sender.isDark { return darken(at: frame.end, time) }
    // Of late frames only the newest is analyzed, because lamps drop packets that follow each other too closely.
    guard frame.waiting == 0, time < sender.last || time - sender.last >= interval - 1e-6, mayFollow else {
      return
    }
    let seconds = time > sender.last && sender.last.isFinite ? time - sender.last : interval
    mix(frame, from: begin)
    var content = ear.hear(
      samples, at: time, seconds: seconds, isBeat: beats == nil ? nil : sender.isBeat,
      range: settings.from...settings.upper)
    let dimming = dimmer.now.under(settings.master)
    sender.isDark = dimming.isBlackout
    dim(&content, to: dimming.isBlackout ? 0 : dimming.master)
    sender.isBeat = false
    send(content, at: frame.end, time)
  }

  /// Mixes the mean of all channels into `samples`; silence while no callback runs.
  private func mix(_ frame: Frame, from begin: Int64) {
    samples.update(repeating: 0, count: ear.length)
    guard frame.stalledSeconds == 0, channels > 0 else { return }
    for number in 0..<channels {
      tap.reader.read(channel: number, at: begin, into: channelSamples, count: ear.length)
      for index in 0..<ear.length where channelSamples[index].isFinite {
        samples[index] += channelSamples[index] / Float(channels)
      }
    }
  }

  /// Multiplies the levels by a factor; 0 gives silence.
  private func dim(_ content: inout WledSyncPacket.Content, to factor: Float) {
    guard factor < 1 else { return }
    content.raw *= factor
    content.smooth *= factor
    content.magnitude *= factor
    for band in content.bands.indices {
      content.bands[band] = UInt8((Float(content.bands[band]) * factor).rounded())
    }
    if factor == 0 { (content.isPeak, content.frequency) = (false, WledSyncPacket.frequencies.lowerBound) }
  }

  /// Whether 20 ms have also passed on the monotonic clock since the last packet: late frames may come at once.
  private var mayFollow: Bool {
    guard destinations.contains(where: { $0.outlets[0].isLive }) else { return true }
    return MonotonicClock.now >= sender.lastTime + 20_000_000
  }

  /// Sends silence for a blackout, as soon as a packet may follow the last one.
  private func darken(at seconds: Double, _ time: Double) {
    guard mayFollow else { return }
    sender.isDark = true
    send(WledSyncPacket.Content(), at: seconds, time)
  }

  private func send(_ content: WledSyncPacket.Content, at seconds: Double, _ time: Double) {
    let bytes = sender.packet.make(content)
    for destination in destinations { destination.outlets[0].deliver(bytes, at: seconds) }
    (sender.last, sender.lastTime) = (time, MonotonicClock.now)
    sender.sent.add(1, ordering: .relaxed)
    sender.shown.store(UInt32(content.raw) << 16 | UInt32(content.frequency), ordering: .relaxed)
  }

  var sends: SentKind? { .light }

  func end(at seconds: Double, kept: Set<ObjectIdentifier>) {
    guard !sender.isFinished, !kept.contains(ObjectIdentifier(lights)) else { return }
    sender.isFinished = true
    // A second packet would come too soon. If this one is lost, lamps fall silent after their own timeout.
    if settings.atEnd.isDark { send(WledSyncPacket.Content(), at: seconds, seconds) }
  }

  var report: [NodeReport] {
    let shown = sender.shown.load(ordering: .relaxed)
    return destinations.flatMap {
      $0.report(
        id: id, sent: sender.sent.load(ordering: .relaxed), held: 0,
        sample: "level \(shown >> 16), \(shown & 0xFFFF) Hz")
    }
  }
}
