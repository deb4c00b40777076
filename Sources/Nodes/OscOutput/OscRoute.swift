import Engine
import OSC

/// One target with its schedule; kept from plan to plan as long as the addresses are the same. [frame]
final class OscRoute: OutputRoute, @unchecked Sendable {
  let endpoint: Endpoint
  let sender: Sender
  /// One address for each channel; a single one for a vector.
  let addresses: [String]
  /// The texts in its messages, without the values. Other texts need another route.
  let messageTexts: [String]
  /// Seconds from a frame to the packets of its values and events.
  let delay: Double
  /// Identifies the lights at these addresses, for any schedule.
  private let lights: KeptLights
  private let outlet: PacketOutlet
  /// The delayed values and events; nil: the target has no delay.
  private let queue: OscDelay?

  /// Identifies the lights at the addresses of one target of a node: they stay on while plans request it.
  final class KeptLights: Sendable {}

  init(
    endpoint: Endpoint, sender: Sender, addresses: [String], messageTexts: [String], delay: Double,
    lights: KeptLights,
    outlet: PacketOutlet
  ) {
    self.endpoint = endpoint
    self.messageTexts = messageTexts
    self.delay = delay
    queue = delay > 0 ? OscDelay(delay) : nil
    self.lights = lights
    self.sender = sender
    self.addresses = addresses
    self.outlet = outlet
  }

  /// Whether packets lead anywhere.
  var isLive: Bool { outlet.isLive }

  /// True once after the receiver was found: then all current values should be sent.
  func becameReady() -> Bool { outlet.becameReady() }

  /// Sends an event of a frame that ends at `seconds` of the timeline, after the delay.
  func deliver(event packet: UnsafeRawBufferPointer, at seconds: Double) {
    guard let queue else { return deliver(packet, at: seconds) }
    queue.keep(packet, at: seconds)
  }

  /// Sends a packet that is due at `seconds` of the timeline.
  private func deliver(_ packet: UnsafeRawBufferPointer, at seconds: Double) {
    outlet.deliver(packet, at: seconds)
  }

  func offer(_ values: UnsafeBufferPointer<Float>, at moment: OutputMoment) {
    guard let queue else {
      return sender.offer(values, at: moment.schedule) { deliver($0, at: moment.end) }
    }
    queue.keep(values, at: moment.schedule)
    release(queue, at: moment)
  }

  /// Sends the queued values and events that are due.
  private func release(_ queue: OscDelay, at moment: OutputMoment) {
    queue.events(until: moment.end) { deliver($0, at: moment.end) }
    queue.levels(until: moment.schedule) { values, isPeak in
      if isPeak {
        sender.sendNow(values, at: moment.schedule) { deliver($0, at: moment.end) }
      } else {
        sender.offer(values, at: moment.schedule) { deliver($0, at: moment.end) }
      }
    }
  }

  func offer(
    peaks: UnsafeBufferPointer<Float>, then values: UnsafeBufferPointer<Float>, at moment: OutputMoment
  ) {
    if let queue {
      queue.keep(peaks, at: moment.schedule, isPeak: true)
      queue.keep(values, at: moment.schedule)
      return release(queue, at: moment)
    }
    sender.sendNow(peaks, at: moment.schedule) { deliver($0, at: moment.end) }
    sender.sendNow(values, at: moment.schedule) { deliver($0, at: moment.end) }
  }

  func sendAgain(at moment: OutputMoment) {
    sender.sendAll(at: moment.schedule) { deliver($0, at: moment.end) }
  }

  func sendAll(_ values: UnsafeBufferPointer<Float>, at moment: OutputMoment) {
    queue?.forget(values)
    sender.sendAll(values, at: moment.schedule) { deliver($0, at: moment.end) }
  }

  func finish(dark: UnsafeBufferPointer<Float>, at moment: OutputMoment, kept: Set<ObjectIdentifier>) {
    guard !kept.contains(ObjectIdentifier(lights)) else { return }
    queue?.forget(dark)
    sender.finish(dark, at: moment.schedule) { deliver($0, at: moment.end) }
  }

  var sends: SentKind { .message }

  func report(id: String, value: Float) -> [NodeReport] {
    let counts = sender.counts
    return [
      outlet.report(
        id: id, name: endpoint.description, sent: counts.messages, held: counts.held,
        sample: "\(addresses.first ?? "") \(twoDecimals(value))")
    ]
  }

  private func twoDecimals(_ value: Float) -> String {
    let hundredths = Int((Double(value.isFinite ? value : 0) * 100).rounded())
    let digits = String(abs(hundredths) % 100)
    return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(digits.count < 2 ? "0" + digits : digits)"
  }
}
