import Engine
import Graphs
import Realtime

/// Passes events to the audio half, and reports completed sounds and alerts. [frame]
final class SoundBankFrame: FrameNode {
  /// A sound, for events.
  private struct Sound {
    let name: String
    let number: Int
    let isAlert: Bool
  }
  /// An input port that is wired to an event output: the channels, and the sound that it plays.
  private struct EventInput {
    let channels: Set<Int>
    /// Nil: the sound with the event's name.
    let sound: Int?
  }

  private let queues: SamplerQueues
  private let sounds: [Sound]
  /// By name: the index of a sound.
  private let soundIndexes: [String: Int]
  /// By the number of an event output: the inputs that it is wired to.
  private let eventInputs: [Int: [EventInput]]
  /// Whether events act `delay` frames later, rather than in the next cycle.
  private let waitsForFrame: Bool
  /// Frames after which an event is heard, with `events: frame`.
  private let delay: Int64
  /// The number of the first value in records: completed sounds, by sound.
  private let firstValue: Int
  private let completed: Int
  private let alerts: Int
  /// The end of the last frame; the timeline stands still while no callback runs.
  private var lastEnd: Int64 = -1

  init(
    _ context: NodeContext<SoundBankNode.Settings>, queues: SamplerQueues, numbers: [String: Int],
    firstValue: Int
  ) {
    self.queues = queues
    let settings = context.settings.all
    sounds = settings.sounds.entries.map {
      Sound(name: $0.name, number: numbers[$0.name] ?? 0, isAlert: $0.value.alert)
    }
    soundIndexes = Dictionary(
      sounds.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    var eventInputs: [Int: [EventInput]] = [:]
    // The first port plays sounds by name; each of the others plays one sound.
    for (port, eventOutputs) in context.eventChannels.enumerated() {
      for (output, channels) in eventOutputs {
        eventInputs[output, default: []].append(
          EventInput(channels: channels, sound: port == 0 ? nil : port - 1))
      }
    }
    self.eventInputs = eventInputs
    waitsForFrame = settings.events == .frame
    delay = Int64(settings.delay)
    self.firstValue = firstValue
    completed = context.eventOutputs[SoundBankNode.completed]
    alerts = context.eventOutputs[SoundBankNode.alert]
  }

  func run(_ frame: Frame) {
    let isStalled = frame.header.endSample == lastEnd
    lastEnd = frame.header.endSample
    for (index, sound) in sounds.enumerated() {
      for _ in 0..<queues.takeAlerts(sound.number) { report(alerts, index, frame) }
    }
    if isStalled { queues.forget() }
    if !eventInputs.isEmpty { takeEvents(frame, isStalled: isStalled) }
    for index in sounds.indices {
      for _ in 0..<Int(frame.record.sums[firstValue + index]) { report(completed, index, frame) }
    }
  }

  /// Plays the sounds of the events of a frame, and reports those that are alerts.
  private func takeEvents(_ frame: Frame, isStalled: Bool) {
    for event in frame.events.all {
      for input in eventInputs[event.output] ?? [] where input.channels.contains(event.channel) {
        guard let index = input.sound ?? soundIndexes[event.name] else { continue }
        if !isStalled { fire(sounds[index].number, frame.header.frame) }
        if sounds[index].isAlert { report(alerts, index, frame) }
      }
    }
  }

  private func fire(_ number: Int, _ frame: Int64) {
    if waitsForFrame {
      queues.later.pointee.push(SamplerCommand.play(number, frame: frame + delay).word)
    } else {
      queues.now.pointee.push(SamplerCommand.play(number).word)
    }
  }

  private func report(_ output: Int, _ index: Int, _ frame: Frame) {
    frame.events.report(
      Event(output: output, name: sounds[index].name, channel: index, sample: frame.header.endSample))
  }
}
