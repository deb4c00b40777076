public import Engine
public import Graphs
import Playback
import Realtime
import System

/// Plays the sounds of a bank in a running show, by OSC or by a key. It never waits. [any]
public final class SoundBankControl: NodeControl {
  /// The names of its sounds, in the order of the file.
  public let names: [String]
  /// The names of the sounds that keys play.
  public let keys: [Character: String]

  /// The reports of a bank so far, so that nothing is reported twice; kept from plan to plan.
  final class Reports: Sendable {
    fileprivate struct State {
      var broken: Set<String> = []
      var lost: UInt64 = 0
      /// When a count was reported last, in nanoseconds of the monotonic clock.
      var last: UInt64 = 0
    }
    fileprivate let state = Locked(State())
  }

  private let id: String
  /// The numbers of its sounds, by name.
  private let numbers: [String: Int]
  /// The names of sounds that are an alert each time they are fired.
  private let alerts: Set<String>
  private let queues: SamplerQueues
  /// The faults of sounds that end early.
  private let broken: [AudioError]
  private let reports: Reports

  init(
    id: String, _ settings: SoundBankNode.Settings, numbers: [String: Int], queues: SamplerQueues,
    broken: [AudioError], reports: Reports
  ) {
    let sounds = settings.sounds.entries
    self.id = id
    names = sounds.map(\.name)
    keys = Dictionary(
      sounds.compactMap { sound in sound.value.key?.first.map { ($0, sound.name) } },
      uniquingKeysWith: { first, _ in first })
    alerts = Set(sounds.filter(\.value.alert).map(\.name))
    self.numbers = numbers
    self.queues = queues
    self.broken = broken
    self.reports = reports
  }

  /// Commands that were dropped because a queue was full.
  public var lost: UInt64 { queues.lost }

  /// Plays a sound from the next cycle on. Returns false where there is no sound with that name.
  @discardableResult
  public func play(_ name: String) -> Bool {
    guard fire(name) else { return false }
    if alerts.contains(name) { tell(name) }
    return true
  }

  /// Plays a sound without an alert. Returns false where there is no sound with that name.
  @discardableResult
  public func fire(_ name: String) -> Bool {
    guard let number = numbers[name] else { return false }
    queues.now.pointee.push(SamplerCommand.play(number).word)
    return true
  }

  /// Reports a sound at the port `alert` in the next frame.
  public func tell(_ name: String) { if let number = numbers[name] { queues.alert(number) } }

  /// Whether each firing of a sound is an alert.
  public func tells(_ name: String) -> Bool { alerts.contains(name) }

  /// Plays a sound, and reports it at the port `alert` in the next frame. Returns false where there is no sound with
  /// that name.
  @discardableResult
  public func alert(_ name: String) -> Bool {
    guard fire(name) else { return false }
    tell(name)
    return true
  }

  /// Stops a sound on all voices; nil: all sounds. They fade out in 5 ms and are not reported as completed.
  public func stop(_ name: String?) {
    guard let name else {
      queues.now.pointee.push(SamplerCommand.stopAll.word)
      return
    }
    if let number = numbers[name] { queues.now.pointee.push(SamplerCommand.stop(number).word) }
  }

  /// Reports files that end early, once; and dropped commands, at most once a second. [control]
  public func takeMessages() -> [String] {
    reports.state.withLock { reports in
      let now = Set(broken.map(\.message))
      var messages = broken.map(\.message).filter { !reports.broken.contains($0) }.map { "\(id): \($0)" }
      reports.broken = now
      let (lost, time) = (self.lost, MonotonicClock.now)
      guard lost > reports.lost, reports.last == 0 || time - reports.last >= 1_000_000_000 else {
        return messages
      }
      messages.append(
        "\(id): \(lost - reports.lost) sounds were fired faster than can be played and were dropped")
      reports.lost = lost
      reports.last = time
      return messages
    }
  }
}

extension CheckedNode {
  /// The names of its sounds, in the order of the file; nil for other nodes. [any]
  public var soundNames: [String]? { settings(of: SoundBankNode.self)?.all.sounds.entries.map(\.name) }
}

extension CompiledPlan {
  /// The sound banks of the graph with their ids, in the order of the file.
  public var soundBanks: [(id: String, bank: SoundBankControl)] {
    controls.compactMap { control in (control.control as? SoundBankControl).map { (control.id, $0) } }
  }
}
