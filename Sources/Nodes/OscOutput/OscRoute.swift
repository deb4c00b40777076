import Engine
import OSC

/// One target with its schedule; kept from plan to plan as long as the addresses are the same. [frame]
final class OscRoute: OutputRoute, @unchecked Sendable {
  let endpoint: Endpoint
  let sender: Sender
  /// One for each channel, or one for all.
  let addresses: [String]
  /// All that stands in its messages besides values; what has others is another route.
  let words: [String]
  /// How much later than levels come they leave, in seconds.
  let delay: Double
  /// What shines at these addresses, whatever the schedule.
  let lights: AnyObject
  private let outlet: PacketOutlet
  /// What waits for its time; nil: nothing does.
  private let line: OscDelay?

  /// The lights at the addresses of one target of a node: as long as a plan asks for them, they go on.
  final class KeptLights: Sendable {}

  init(
    endpoint: Endpoint, sender: Sender, addresses: [String], words: [String], delay: Double,
    lights: KeptLights,
    outlet: PacketOutlet
  ) {
    self.endpoint = endpoint
    self.words = words
    self.delay = delay
    line = delay > 0 ? OscDelay(delay) : nil
    self.lights = lights
    self.sender = sender
    self.addresses = addresses
    self.outlet = outlet
  }

  /// Whether packets lead anywhere.
  var isLive: Bool { outlet.isLive }

  /// True once, when the receiver was found: all that is current should be sent.
  func becameReady() -> Bool { outlet.becameReady() }

  /// Sends an event of a frame that ends at `seconds` of the timeline, when its time has come.
  func deliver(event packet: UnsafeRawBufferPointer, at seconds: Double) {
    guard let line else { return deliver(packet, at: seconds) }
    line.keep(packet, at: seconds)
  }

  /// Sends a packet that is due at `seconds` of the timeline.
  private func deliver(_ packet: UnsafeRawBufferPointer, at seconds: Double) {
    outlet.deliver(packet, at: seconds)
  }

  func offer(_ values: UnsafeBufferPointer<Float>, at moment: OutputMoment) {
    guard let line else {
      return sender.offer(values, at: moment.schedule) { deliver($0, at: moment.end) }
    }
    line.keep(values, at: moment.schedule)
    release(line, at: moment)
  }

  /// Sends what has waited for long enough.
  private func release(_ line: OscDelay, at moment: OutputMoment) {
    line.events(until: moment.end) { deliver($0, at: moment.end) }
    line.levels(until: moment.schedule) { values, isPeak in
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
    if let line {
      line.keep(peaks, at: moment.schedule, isPeak: true)
      line.keep(values, at: moment.schedule)
      return release(line, at: moment)
    }
    sender.sendNow(peaks, at: moment.schedule) { deliver($0, at: moment.end) }
    sender.sendNow(values, at: moment.schedule) { deliver($0, at: moment.end) }
  }

  func sendAgain(at moment: OutputMoment) {
    sender.sendAll(at: moment.schedule) { deliver($0, at: moment.end) }
  }

  func sendAll(_ values: UnsafeBufferPointer<Float>, at moment: OutputMoment) {
    line?.forget(values)
    sender.sendAll(values, at: moment.schedule) { deliver($0, at: moment.end) }
  }

  func finish(dark: UnsafeBufferPointer<Float>, at moment: OutputMoment) {
    line?.forget(dark)
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
